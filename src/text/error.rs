//! The one error of the functions of this module.

use std::fmt;

/// A mistake of the programmer's: what is wrong, where, and what to do instead.
///
/// Text that looks like a call but is not one is not an error but an invalid call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// JSON Pointer into what was passed in.
    pub path: String,
    pub message: String,
}

impl TextError {
    pub(crate) fn new(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { path: path.into(), message: message.into() }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " (at {})", self.path) }
    }
}

impl std::error::Error for TextError {}

/// The result of a function that only a programmer's mistake can make fail.
pub type Result<T> = std::result::Result<T, TextError>;
