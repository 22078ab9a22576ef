//! Error bodies: the same as those of the Gemini API (WIRE §10.7).

pub use crate::dialect::gemini::error::{read, write};
