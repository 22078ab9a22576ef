//! The error type of all conversions.

use super::Dialect;
use serde::{Serialize, Serializer};
use std::cell::Cell;
use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal),+ $(,)?) => {
        /// Why a conversion failed: the closed list of `docs/format.md`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        pub enum ErrorCode { $($(#[$doc])* #[cfg_attr(target_arch = "wasm32", serde(rename = $name))] $variant),+ }

        impl ErrorCode {
            pub fn name(self) -> &'static str {
                match self { $(ErrorCode::$variant => $name),+ }
            }
        }
    };
}

// The table of `docs/format.md` is generated from this one: `npm run docs:codes`.
codes! {
    /// The text is not JSON; the message has the byte offset.
    InvalidJson "invalid_json",
    /// Nested deeper than `maxDepth` (128).
    TooDeep "too_deep",
    /// More than 1 GiB of text, an event of a stream of more than `maxEventBytes` (32 MiB), or an object or array of more than 4,194,304 entries.
    TooLarge "too_large",
    /// JavaScript could not read a value: a getter or `toJSON` of a modelled field threw, or it is a cycle or a BigInt.
    Unreadable "unreadable",
    /// A value of another type than the format requires.
    InvalidType "invalid_type",
    /// A value of the right type that is not allowed.
    InvalidValue "invalid_value",
    /// A required field is absent.
    MissingField "missing_field",
    /// A call has no result, and `missingResults` is `"error"`.
    MissingResult "missing_result",
    /// A result has no call, and `orphanResults` is `"error"`.
    OrphanResult "orphan_result",
    /// A call has a second result, and `duplicateResults` is `"error"`.
    DuplicateResult "duplicate_result",
    /// A lossy warning under `lossy: 'error'`; the message is the warning's.
    Lossy "lossy",
    /// The bytes are not a stream of this provider: an HTML page, an error, a whole response, or another provider's events.
    InvalidStream "invalid_stream",
    /// The stream failed before, has ended, was freed, or was turned into a pipe. It accepts no more calls, but `finish()` of a reader still returns
    /// what was complete.
    StreamFailed "stream_failed",
    /// The response states that it failed or is not finished, and responses of the target can't. `convertError` converts a failed one.
    ResponseFailed "response_failed",
    /// The target cannot express it, and leaving it out would change the meaning of the request.
    Unsupported "unsupported",
    /// A defect of the package; later calls are not affected.
    Internal "internal",
}

impl Serialize for ErrorCode {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// A conversion that failed. `path` is a JSON Pointer into the input; `""` is the whole input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolwireError {
    pub code: ErrorCode,
    pub message: String,
    pub path: String,
    /// The wire format that was read or written.
    pub dialect: Option<Dialect>,
    /// The position, if the error is in a stream.
    pub stream: Option<StreamPlace>,
}

/// A position in a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct StreamPlace {
    /// Offset of the event in bytes from the start of the stream.
    pub offset: u64,
    /// Number of events before it.
    pub event: u64,
}

/// The message for a required field that is absent. It is appended to the path to form a sentence.
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

/// Boxed, so that a result is no larger than a pointer.
pub type Result<T> = std::result::Result<T, Box<ToolwireError>>;

/// A step of a conversion failed, and the run has the error. The type has no size, so that most results of a step fit into a register.
#[derive(Clone, Copy, Debug)]
pub struct Failed(());

/// The error that ends a conversion, if there is one.
#[derive(Default)]
pub struct Failure(Cell<Option<Box<ToolwireError>>>);

impl Failure {
    /// Keeps an error, unless there is an earlier one.
    pub fn keep(&self, error: Box<ToolwireError>) -> Failed {
        let first = self.0.take();
        self.0.set(first.or(Some(error)));
        Failed(())
    }

    pub fn take(&self) -> Option<Box<ToolwireError>> {
        self.0.take()
    }

    /// The result of all steps. Fails if any step failed, even if later steps succeeded.
    pub fn outcome<T>(&self, outcome: std::result::Result<T, Failed>) -> Result<T> {
        match (outcome, self.take()) {
            (_, Some(error)) => Err(error),
            (Ok(value), None) => Ok(value),
            (Err(Failed(())), None) => Err(unexplained()),
        }
    }
}

#[cold]
fn unexplained() -> Box<ToolwireError> {
    let message = "a conversion failed without a reason".to_owned();
    Box::new(ToolwireError { code: ErrorCode::Internal, message, path: String::new(), dialect: None, stream: None })
}
