//! The error type of the toolkit's functions.

#[cfg(not(target_arch = "wasm32"))]
use serde::Serialize;
use std::fmt;

/// The kind of a [`ToolkitError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
#[cfg_attr(not(target_arch = "wasm32"), serde(rename_all = "snake_case"))]
pub enum ErrorCode {
    /// A tool with this name is already registered.
    DuplicateTool,
    /// A name that providers reject.
    InvalidName,
    /// A JSON Schema that is malformed, or that has an unresolvable reference.
    InvalidSchema,
    /// Text that contains no JSON value.
    NotJson,
    /// A saved state that has another version or was modified.
    InvalidState,
    /// An option or a field of a tool with the wrong type.
    InvalidOptions,
}

impl ErrorCode {
    /// The code as a JavaScript string.
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
