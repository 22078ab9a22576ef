//! Problems of values, and changes made to values.

use crate::json::Value;
#[cfg(not(target_arch = "wasm32"))]
use serde::{Deserialize, Serialize};

/// The class of a [`Problem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ProblemCode {
    /// No tool with this name is registered.
    UnknownTool,
    /// The arguments are not JSON, and can't be repaired.
    InvalidJson,
    /// The arguments are truncated.
    Truncated,
    /// A required field is missing.
    Missing,
    WrongType,
    /// The value is not one of the allowed values.
    NotAllowed,
    /// A number, a length or a count is too small or too large.
    OutOfRange,
    /// The text does not match the required format or pattern.
    WrongFormat,
    /// The schema does not allow this field.
    Unexpected,
    /// Any other violation.
    Invalid,
}

/// A reason why a value is rejected, addressed to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub struct Problem {
    pub code: ProblemCode,
    /// JSON Pointer into the value.
    pub path: String,
    /// What was expected, what was received (shortened), and how to fix it.
    pub message: String,
    /// JSON Pointer into the schema.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(optional))]
    pub schema_path: Option<String>,
}

/// The kind of a [`Change`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// A default was set for an absent field.
    Defaulted,
    /// A value was converted to the required type or spelling.
    Coerced,
    /// A number was moved to the nearest bound.
    Clamped,
    /// Invalid JSON was repaired.
    Repaired,
    /// A field or a tool name was replaced by the declared name.
    Renamed,
    /// A null in place of an absent field was removed.
    Removed,
}

/// A change that was made to a value.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize))]
pub struct Change {
    pub kind: ChangeKind,
    /// JSON Pointer into the value.
    pub path: String,
    /// The value before the change. `None` if there was none.
    #[cfg_attr(not(target_arch = "wasm32"), serde(skip_serializing_if = "Option::is_none"))]
    pub from: Option<Value>,
    /// The value after the change. `None` if it was removed.
    #[cfg_attr(not(target_arch = "wasm32"), serde(skip_serializing_if = "Option::is_none"))]
    pub to: Option<Value>,
}
