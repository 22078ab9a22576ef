//! A whole response.

use super::calls::{InvalidToolCall, ToolCall};
use super::common::Metadata;
use super::error::ChatError;
use super::messages::AssistantMessage;
use crate::model::FinishReason;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A whole response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChatResponse {
    /// The provider's id of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The model that produced the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Append it unchanged to the messages of the next request. Its `content` is an array, in the order in which the model produced it.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "AssistantMessage & { content: ContentBlock[] }"))]
    pub message: AssistantMessage,
    /// All text blocks, joined.
    pub text: String,
    /// The text of all reasoning blocks, joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_text: Option<String>,
    /// The array of `message`, or an empty one.
    pub tool_calls: Vec<ToolCall>,
    /// The array of `message`, or an empty one.
    pub invalid_tool_calls: Vec<InvalidToolCall>,
    pub finish_reason: FinishReason,
    /// The provider's own value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_finish_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why the response failed. The message then holds what was complete before; a call that was not is in `invalidToolCalls`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ChatError>,
    /// Response-only state (further choices, service tier, …). Never replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// Token counts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Usage {
    /// Tokens of the request, including those read from and written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub input: Option<Number>,
    /// Tokens of the response, including reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub output: Option<Number>,
    /// `input` + `output`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub total: Option<Number>,
    /// Input tokens read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub cached: Option<Number>,
    /// Input tokens written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub cache_write: Option<Number>,
    /// Output tokens spent on reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub reasoning: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}
