//! The package's own format.

use super::{Format, Setting};
use crate::value::Word;

pub static FORMAT: Format =
    Format { settings: Setting::CANONICAL, state_of_all: Some(Word::metadata), ..Format::USUAL };
