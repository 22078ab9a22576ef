//! The results of tools.

use super::common::Metadata;
use super::content::ContentBlock;
use super::mark;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The result of a call. `kind` determines the type of `value`, which is neither serialized nor wrapped here.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum ToolResult {
    Text(TextResult),
    Data(DataResult),
    Error(ErrorResult),
    Multimodal(MultimodalResult),
}

/// A text result.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TextResult {
    /// The `id` of the call.
    pub tool_call_id: String,
    /// The name of the tool. If empty, it is looked up from the calls.
    pub name: String,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"text\""))]
    pub kind: mark::Text,
    pub value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// Any JSON value. It is serialized, or wrapped in an object, only if the target requires it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DataResult {
    /// The `id` of the call.
    pub tool_call_id: String,
    /// The name of the tool. If empty, it is looked up from the calls.
    pub name: String,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"data\""))]
    pub kind: mark::Data,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub value: Value,
    /// Whether the value describes a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// A failure, described in words for the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ErrorResult {
    /// The `id` of the call.
    pub tool_call_id: String,
    /// The name of the tool. If empty, it is looked up from the calls.
    pub name: String,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"error\""))]
    pub kind: mark::Error,
    pub value: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// Text, data and media together. If a target accepts no media in results, they follow in a user message, with a warning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MultimodalResult {
    /// The `id` of the call.
    pub tool_call_id: String,
    /// The name of the tool. If empty, it is looked up from the calls.
    pub name: String,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"multimodal\""))]
    pub kind: mark::Multimodal,
    pub value: Vec<ContentBlock>,
    /// Whether the blocks describe a failure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// The input form of {@link ToolResult}: `value` is checked at run time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolResultInput {
    /// The `id` of the call.
    pub tool_call_id: String,
    /// The name of the tool. If empty, it is looked up from the calls.
    pub name: String,
    pub kind: ResultKind,
    /// A string for `text`, content blocks for `multimodal`, anything for `data`. An `error` whose value is not a string becomes `data` with
    /// `isError`.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_error: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// The type of a result's `value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub enum ResultKind {
    Text,
    Data,
    Error,
    Multimodal,
}
