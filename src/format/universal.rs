//! The report format.

use super::Format;
use crate::value::Word;

pub static FORMAT: Format = Format { state_of_all: Some(Word::raw_context), is_partial: true, ..Format::USUAL };
