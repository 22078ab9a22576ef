//! The one error that conversions give.

use super::Dialect;
use serde::Serialize;
use std::fmt;

/// Why a conversion failed: the closed list of `docs/format.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    InvalidJson,
    TooDeep,
    TooLarge,
    Unreadable,
    InvalidType,
    InvalidValue,
    MissingField,
    MissingResult,
    OrphanResult,
    DuplicateResult,
    Lossy,
    InvalidStream,
    StreamFailed,
    Unsupported,
    Internal,
}

impl ErrorCode {
    pub fn name(self) -> &'static str {
        match self {
            ErrorCode::InvalidJson => "invalid_json",
            ErrorCode::TooDeep => "too_deep",
            ErrorCode::TooLarge => "too_large",
            ErrorCode::Unreadable => "unreadable",
            ErrorCode::InvalidType => "invalid_type",
            ErrorCode::InvalidValue => "invalid_value",
            ErrorCode::MissingField => "missing_field",
            ErrorCode::MissingResult => "missing_result",
            ErrorCode::OrphanResult => "orphan_result",
            ErrorCode::DuplicateResult => "duplicate_result",
            ErrorCode::Lossy => "lossy",
            ErrorCode::InvalidStream => "invalid_stream",
            ErrorCode::StreamFailed => "stream_failed",
            ErrorCode::Unsupported => "unsupported",
            ErrorCode::Internal => "internal",
        }
    }
}

/// A conversion that failed. `path` is a JSON Pointer into the input; `""` is the whole of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolwireError {
    pub code: ErrorCode,
    pub message: String,
    pub path: String,
    /// The wire format that was read or written.
    pub dialect: Option<Dialect>,
    /// Where in a stream.
    pub stream: Option<StreamPlace>,
}

/// A place in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamPlace {
    /// Bytes from the start of the stream to the event's.
    pub offset: u64,
    /// How many events came before it.
    pub event: u64,
}

impl fmt::Display for ToolwireError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)?;
        if !self.path.is_empty() {
            write!(formatter, " (at {})", self.path)?;
        }
        Ok(())
    }
}

impl std::error::Error for ToolwireError {}

/// Boxed, so that the good path passes one pointer.
pub type Result<T> = std::result::Result<T, Box<ToolwireError>>;
