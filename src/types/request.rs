//! A whole request.

use super::common::{JsonSchema, Metadata};
use super::messages::Message;
use super::tools::{Tool, ToolChoice};
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A conversation, the tools and the settings. Settings that the target does not have are left out, with a warning.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", tsify(type_params = "M = Message"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ChatRequest<M = Message> {
    /// The provider's name of the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The conversation, oldest message first.
    pub messages: Vec<M>,
    /// The tools that the model may call.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "(ToolDefinition | NativeTool)[]"))]
    pub tools: Option<Vec<Tool>>,
    /// Default: the provider's, which is `"auto"` if there are tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Whether the model may make several calls in one turn. Default: the provider's, which is true.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// Maximum number of tokens of the response, including reasoning. Anthropic requires it: without a value 4096 is sent, with a warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub max_tokens: Option<Number>,
    /// Randomness, from 0 to 2 (Anthropic: 1).
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub temperature: Option<Number>,
    /// Nucleus sampling: only the likeliest tokens, up to this total probability, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub top_p: Option<Number>,
    /// Only this many of the likeliest tokens are considered.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub top_k: Option<Number>,
    /// From -2 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub presence_penalty: Option<Number>,
    /// From -2 to 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub frequency_penalty: Option<Number>,
    /// Texts at which the response ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Vec<String>>,
    /// Makes responses reproducible, as far as the provider supports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub seed: Option<Number>,
    /// Number of alternative responses. Those beyond the first are in the `metadata` of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub candidate_count: Option<Number>,
    /// Number of tokens per position whose log probabilities are returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub top_logprobs: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<ReasoningSettings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbosity: Option<Verbosity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
    /// Whether the response is streamed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<bool>,
    /// An identifier of the end user, for the provider's abuse detection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

impl<M> Default for ChatRequest<M> {
    fn default() -> ChatRequest<M> {
        ChatRequest {
            model: None,
            messages: Vec::new(),
            tools: None,
            tool_choice: None,
            parallel_tool_calls: None,
            max_tokens: None,
            temperature: None,
            top_p: None,
            top_k: None,
            presence_penalty: None,
            frequency_penalty: None,
            stop: None,
            seed: None,
            candidate_count: None,
            top_logprobs: None,
            reasoning: None,
            verbosity: None,
            response_format: None,
            stream: None,
            user_id: None,
            metadata: None,
        }
    }
}

/// How much the model reasons, as an effort or as a budget: providers accept one or the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReasoningSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Maximum number of reasoning tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub budget_tokens: Option<Number>,
    /// Whether the response includes the reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include: Option<bool>,
}

/// The reasoning effort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    None,
    Minimal,
    Low,
    Medium,
    High,
    Xhigh,
    Max,
}

/// The length of the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Verbosity {
    Low,
    Medium,
    High,
}

/// The format of the response's text: any text, any JSON, or JSON that matches a schema.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
pub enum ResponseFormat {
    Text {},
    Json {},
    JsonSchema {
        #[serde(skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        schema: JsonSchema,
        #[serde(skip_serializing_if = "Option::is_none")]
        strict: Option<bool>,
    },
}
