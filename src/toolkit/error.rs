//! The one error of the toolkit's own functions.

#[cfg(not(target_arch = "wasm32"))]
use serde::Serialize;
use std::fmt;

/// What a [`ToolkitError`] is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
#[cfg_attr(not(target_arch = "wasm32"), serde(rename_all = "snake_case"))]
pub enum ErrorCode {
    /// A tool of this name is already registered.
    DuplicateTool,
    /// A name that providers reject.
    InvalidName,
    /// A JSON Schema that is malformed, or that refers to what does not exist.
    InvalidSchema,
    /// Text that contains no JSON value.
    NotJson,
    /// A saved state of another version, or one that was modified.
    InvalidState,
    /// An option or a field of a tool that has the wrong type.
    InvalidOptions,
}

impl ErrorCode {
    /// The code as JavaScript has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::DuplicateTool => "duplicate_tool",
            Self::InvalidName => "invalid_name",
            Self::InvalidSchema => "invalid_schema",
            Self::NotJson => "not_json",
            Self::InvalidState => "invalid_state",
            Self::InvalidOptions => "invalid_options",
        }
    }
}

/// A mistake of the programmer's: what is wrong, where, and what to do instead.
///
/// What models and tools do wrong is not an error but a [`Problem`](super::Problem).
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
pub struct ToolkitError {
    pub code: ErrorCode,
    /// JSON Pointer into what was passed in.
    pub path: String,
    pub message: String,
}

impl ToolkitError {
    pub(crate) fn new(code: ErrorCode, path: impl Into<String>, message: impl Into<String>) -> Self {
        Self { code, path: path.into(), message: message.into() }
    }

    /// The same error, of a value that is at this path.
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

/// The result of a function that only a programmer's mistake can make fail.
pub type Result<T> = std::result::Result<T, ToolkitError>;
