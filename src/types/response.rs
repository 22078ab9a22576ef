//! A whole response.

use super::calls::{InvalidToolCall, ToolCall};
use super::common::Metadata;
use super::error::ChatError;
use super::messages::AssistantMessage;
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// What the model answered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChatResponse {
    /// The provider's id of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The model that answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// Push it into the next request as it is. Its `content` is an array, in the order the model gave it.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "AssistantMessage & { content: ContentBlock[] }"))]
    pub message: AssistantMessage,
    /// All text blocks joined.
    pub text: String,
    /// All text of reasoning joined.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning_text: Option<String>,
    /// The message's own array; empty where there are none.
    pub tool_calls: Vec<ToolCall>,
    /// The message's own array; empty where there are none.
    pub invalid_tool_calls: Vec<InvalidToolCall>,
    pub finish_reason: FinishReason,
    /// The provider's own word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub raw_finish_reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// Why the response failed. The message then holds what was complete before; a call that was not is in `invalidToolCalls`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ChatError>,
    /// Response-only state (further choices, service tier, …); never replayed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// Why the response ended. `stop`: it is complete. `length`: the token limit was reached. `tool_calls`: it awaits results.
/// `content_filter`: the provider stopped it. `refusal`: the model refused. `pause`: send it back to go on. `error`: the calls were
/// malformed or too many. `other`: anything else; `rawFinishReason` has the provider's word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "snake_case")]
pub enum FinishReason {
    Stop,
    Length,
    ToolCalls,
    ContentFilter,
    Refusal,
    Pause,
    Error,
    Other,
}

/// What it cost, in tokens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Usage {
    /// Of the request, cached and cache-written ones included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub input: Option<Number>,
    /// Of the answer, reasoning included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub output: Option<Number>,
    /// The sum of both.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub total: Option<Number>,
    /// Of the input, those read from a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub cached: Option<Number>,
    /// Of the input, those written to a cache.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub cache_write: Option<Number>,
    /// Of the output, those spent on reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub reasoning: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}
