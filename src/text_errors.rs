//! What the errors of calls that were written as text state. The reader of texts writes them, and the toolkit recognises them.

/// The error of a call that the end of the text cuts off.
pub const CUT: &str = "the text ends before the call does";

/// A part of the errors of calls that break the rules of their format.
pub const MISMATCH: &str = "does not follow its format";

/// The error of a call that no tool can answer.
pub const UNDECLARED: &str = "no tool of this name was declared";

/// The error of a call whose header breaks them.
#[cfg(feature = "text")]
pub const BROKEN_HEADER: &str = "the header of the call does not follow its format";
