//! The package's own format.

use super::Format;

pub static FORMAT: Format = Format::USUAL;
