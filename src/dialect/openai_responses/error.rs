//! Error bodies: the same as those of Chat Completions (WIRE §10.7).

pub use crate::dialect::openai::error::{read, write};
