//! A written body that is read and written again has the same bytes.

use crate::trips::{Trip, shown};

pub fn holds(trip: &Trip) -> Result<(), String> {
    if trip.again.body == trip.written.body {
        return Ok(());
    }
    let Trip { written, read, again, addressed: _ } = trip;
    Err(format!("{}\nis read as {}\nand written again as {}", shown(written), shown(read), shown(again)))
}
