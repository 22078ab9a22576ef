//! The one error that conversions give.

use super::Dialect;
use serde::{Serialize, Serializer};
use std::cell::Cell;
use std::fmt;

/// Why a conversion failed: the closed list of `docs/format.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), serde(rename_all = "snake_case"))]
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

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StreamPlace {
    /// Bytes from the start of the stream to the event's.
    pub offset: u64,
    /// How many events came before it.
    pub event: u64,
}

/// The message for a required field that is absent: it follows the path as a sentence.
pub const IS_MISSING: &str = "is missing";

impl fmt::Display for ToolwireError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            formatter.write_str(&self.path)?;
            // "/choices is missing"
            formatter.write_str(if self.message.starts_with(IS_MISSING) { " " } else { ": " })?;
        }
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ToolwireError {}

/// Boxed, so that the good path passes one pointer.
pub type Result<T> = std::result::Result<T, Box<ToolwireError>>;

/// A step of a conversion failed: the run has the error. It has no size, so that most results of a step fit a register.
#[derive(Clone, Copy, Debug)]
pub struct Failed(());

/// The error that ends a conversion, once there is one.
#[derive(Default)]
pub struct Failure(Cell<Option<Box<ToolwireError>>>);

impl Failure {
    /// Keeps an error, unless another came before it.
    pub fn keep(&self, error: Box<ToolwireError>) -> Failed {
        let first = self.0.take();
        self.0.set(first.or(Some(error)));
        Failed(())
    }

    pub fn take(&self) -> Option<Box<ToolwireError>> {
        self.0.take()
    }

    /// The outcome of all steps: a step may have gone on after what failed.
    pub fn outcome<T>(&self, outcome: std::result::Result<T, Failed>) -> Result<T> {
        match (outcome, self.take()) {
            (_, Some(error)) => Err(error),
            (Ok(value), None) => Ok(value),
            (Err(Failed(())), None) => Err(unsaid()),
        }
    }
}

#[cold]
fn unsaid() -> Box<ToolwireError> {
    let message = "a conversion failed without saying why".to_owned();
    Box::new(ToolwireError { code: ErrorCode::Internal, message, path: String::new(), dialect: None, stream: None })
}
