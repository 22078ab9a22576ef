//! The report format.

use super::Format;

pub static FORMAT: Format = Format::USUAL;
