//! Streams (WIRE §2.8): to come.

use crate::dialect::shared::stream::Decode;

pub fn decoder(_keeps: bool) -> Option<Box<dyn Decode>> {
    None
}
