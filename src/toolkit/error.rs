//! The error type of the toolkit's functions.

use crate::words::{word_of, words};
#[cfg(not(target_arch = "wasm32"))]
use serde::Serialize;
use std::fmt;

words! {
    /// The kind of a [`ToolkitError`].
    #[cfg_attr(not(target_arch = "wasm32"), derive(Serialize), serde(rename_all = "snake_case"))]
    pub enum ErrorCode as "CoreErrorCode" {
        /// A tool with this name is already registered.
        DuplicateTool "duplicate_tool",
        /// A name that providers reject.
        InvalidName "invalid_name",
        /// A JSON Schema that is malformed, or that has an unresolvable reference.
        InvalidSchema "invalid_schema",
        /// Text that contains no JSON value.
        NotJson "not_json",
        /// A saved state that has another version or was modified.
        InvalidState "invalid_state",
        /// An option or a field of a tool with the wrong type.
        InvalidOptions "invalid_options",
    }
}

impl ErrorCode {
    /// The code as a JavaScript string.
    pub fn name(self) -> &'static str {
        word_of(Self::WORDS, &self)
    }
}

/// A usage error by the programmer: what is wrong, where, and how to fix it.
///
/// Mistakes by models are [`Problem`](super::Problem)s, not errors.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
pub struct ToolkitError {
    pub code: ErrorCode,
    /// JSON Pointer into the function's input.
    pub path: String,
    pub message: String,
}

impl ToolkitError {
    pub(crate) fn new(code: ErrorCode, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code, path: path.into(), message: message.into() }
    }

    /// Prefixes the path of the error.
    pub(crate) fn below(mut self, path: &str) -> Self {
        self.path.insert_str(0, path);
        self
    }

    pub(crate) fn schema(path: impl Into<String>, message: impl Into<String>) -> Self {
        Self::new(ErrorCode::InvalidSchema, path, message)
    }
}

impl fmt::Display for ToolkitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)?;
        if self.path.is_empty() { Ok(()) } else { write!(f, " (at {})", self.path) }
    }
}

impl std::error::Error for ToolkitError {}

/// The result of a function that fails only on a usage error.
pub type Result<T> = std::result::Result<T, ToolkitError>;
