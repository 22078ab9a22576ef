//! The one error that conversions give.

use super::Dialect;
use serde::{Serialize, Serializer};
use std::cell::Cell;
use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $variant:ident $name:literal),+ $(,)?) => {
        /// Why a conversion failed. The table in `docs/format.md` is made of this one (`npm run docs:codes`).
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

codes! {
    /// The text is no JSON; the message has the byte offset.
    InvalidJson "invalid_json",
    /// Nested deeper than `maxDepth` (128).
    TooDeep "too_deep",
    /// More than 1 GiB of text, an event of a stream of more than `maxEventBytes` (32 MiB), an object or array of more than
    /// 4,194,304 entries.
    TooLarge "too_large",
    /// JavaScript refused: a getter or `toJSON` of a modelled field threw, a cycle, a BigInt.
    Unreadable "unreadable",
    /// Another type than the format demands.
    InvalidType "invalid_type",
    /// The right type, but not one of the values allowed.
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
    /// The bytes are no stream of this provider: a page of HTML, an error, a whole answer, another provider's events.
    InvalidStream "invalid_stream",
    /// The stream failed before, or has ended, been freed or become a pipe already: nothing more can be done with it, but
    /// `finish()` of a reader still returns what was complete.
    StreamFailed "stream_failed",
    /// This target has no way to express it, and leaving it out would change the request's meaning.
    Unsupported "unsupported",
    /// A defect of the package; the next call works.
    Internal "internal",
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
