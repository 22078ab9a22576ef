//! Problems of values, and changes made to values.

use crate::json::Value;
use crate::words::words;
#[cfg(not(target_arch = "wasm32"))]
use serde::{Deserialize, Serialize};

words! {
    /// The class of a [`Problem`].
    #[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
    pub enum ProblemCode as "ProblemCode" {
        /// No tool with this name is registered.
        UnknownTool "unknown_tool",
        /// The arguments are not JSON, and can't be repaired.
        InvalidJson "invalid_json",
        /// The arguments are truncated.
        Truncated "truncated",
        /// A required field is missing.
        Missing "missing",
        WrongType "wrong_type",
        /// The value is not one of the allowed values.
        NotAllowed "not_allowed",
        /// A number, a length or a count is too small or too large.
        OutOfRange "out_of_range",
        /// The text does not match the required format or pattern.
        WrongFormat "wrong_format",
        /// The schema does not allow this field.
        Unexpected "unexpected",
        /// Any other violation.
        Invalid "invalid",
    }
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

words! {
    /// The kind of a [`Change`].
    #[cfg_attr(not(target_arch = "wasm32"), derive(Serialize, Deserialize), serde(rename_all = "snake_case"))]
    pub enum ChangeKind as "ChangeKind" {
        /// A default was set for an absent field.
        Defaulted "defaulted",
        /// A value was converted to the required type or spelling.
        Coerced "coerced",
        /// A number was moved to the nearest bound.
        Clamped "clamped",
        /// Invalid JSON was repaired.
        Repaired "repaired",
        /// A field or a tool name was replaced by the declared name.
        Renamed "renamed",
        /// A null in place of an absent field was removed.
        Removed "removed",
    }
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
