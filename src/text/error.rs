//! The error type of the functions of this module.

use std::fmt;

/// A usage error by the programmer: what is wrong, where, and how to fix it.
///
/// Text that resembles a call but can't be parsed is not an error: it becomes an invalid call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// JSON Pointer into the function's input.
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

/// The result of a function that fails only on a usage error.
pub type Result<T> = std::result::Result<T, TextError>;
