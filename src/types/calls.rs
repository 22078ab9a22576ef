//! Calls that a model made.

use super::common::Metadata;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A call that a model made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCall {
    /// Unique within its response. If the provider sent none, toolwire creates one (`tw_…`), the same for the same input.
    pub id: String,
    /// The tool's name as the model wrote it. It need not be one of your tools.
    pub name: String,
    /// Always an object. The text of a freeform (custom) tool becomes `{ input: text }`, with `metadata.openai.custom`.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "Record<string, unknown>"))]
    pub arguments: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// A call whose arguments are not a JSON object. It is kept as received and can be replayed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct InvalidToolCall {
    /// As in {@link ToolCall}.
    pub id: String,
    pub name: String,
    /// The argument text as the model wrote it.
    pub raw_arguments: String,
    /// What is wrong with the argument text.
    pub error: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// The calls of one message, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCalls {
    pub tool_calls: Vec<ToolCall>,
    /// Calls whose arguments are not a JSON object.
    pub invalid_tool_calls: Vec<InvalidToolCall>,
}
