//! What is wrong with a value, and what was changed in one.

use crate::json::Value;
#[cfg(not(target_arch = "wasm32"))]
use serde::{Deserialize, Serialize};

/// The class of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// No tool of this name is registered.
    UnknownTool,
    /// The arguments are not JSON, and can't be repaired.
    InvalidJson,
    /// The arguments end too early.
    Truncated,
    /// A required field is absent.
    Missing,
    WrongType,
    /// The value is not one of those that are allowed.
    NotAllowed,
    /// A number, a length or a count is too small or too large.
    OutOfRange,
    /// The text does not have the required format or pattern.
    WrongFormat,
    /// A field that the schema does not allow.
    Unexpected,
    /// Any other violation.
    Invalid,
}

/// One reason why a value is not acceptable, addressed to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    pub code: ProblemCode,
    /// JSON Pointer into the value.
    pub path: String,
    /// What was expected, what was received (shortened), and what to do.
    pub message: String,
    /// JSON Pointer into the schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub schema_path: Option<String>,
}

/// How a value was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// An absent field got its default.
    Defaulted,
    /// A value was converted to the type or the spelling that the schema requires.
    Coerced,
    /// A number was moved to a bound.
    Clamped,
    /// Invalid JSON was repaired.
    Repaired,
    /// A field or a tool was given the name that exists.
    Renamed,
    /// A null was removed that stood for an absent field.
    Removed,
}

/// One change made to a value.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
pub struct Change {
    pub kind: ChangeKind,
    /// JSON Pointer into the value.
    pub path: String,
    /// What was there; absent if nothing was.
    #[cfg_attr(not(target_arch = "wasm32"), serde(skip_serializing_if = "Option::is_none"))]
    pub from: Option<Value>,
    /// What is there now; absent if nothing is.
    #[cfg_attr(not(target_arch = "wasm32"), serde(skip_serializing_if = "Option::is_none"))]
    pub to: Option<Value>,
}
