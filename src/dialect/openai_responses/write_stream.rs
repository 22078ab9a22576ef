//! Streams (WIRE §2.8): to come.

use crate::dialect::shared::stream::Encode;

pub fn encoder() -> Option<Box<dyn Encode>> {
    None
}
