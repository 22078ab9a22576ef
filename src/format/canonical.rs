//! The package's own format.

use super::{Format, Setting};

pub static FORMAT: Format = Format { settings: Setting::CANONICAL, ..Format::USUAL };
