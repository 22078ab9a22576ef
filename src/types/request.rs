//! A whole request.

use super::common::{JsonSchema, Metadata};
use super::messages::Message;
use super::tools::{Tool, ToolChoice};
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// A conversation, the tools and the settings. A setting that the target does not have is left out, with a warning.
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
    /// What the model may call, in this order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "(ToolDefinition | NativeTool)[]"))]
    pub tools: Option<Vec<Tool>>,
    /// Default: the provider's, which is `"auto"` where there are tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_choice: Option<ToolChoice>,
    /// Whether the model may make several calls in one turn. Omitted: the provider's default, which is yes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel_tool_calls: Option<bool>,
    /// Most tokens that the answer may have, reasoning included. Anthropic demands it: 4096 is sent where it is missing, with a warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub max_tokens: Option<Number>,
    /// Randomness, from 0 to 1 or 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub temperature: Option<Number>,
    /// Only the likeliest tokens up to this probability, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub top_p: Option<Number>,
    /// Only this many of the likeliest tokens.
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
    /// Texts at which the answer ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop: Option<Vec<String>>,
    /// For answers that can be repeated, as far as the provider can.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub seed: Option<Number>,
    /// How many answers to give; those beyond the first are in `metadata` of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub candidate_count: Option<Number>,
    /// For how many tokens at each place to tell the probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub top_logprobs: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<ReasoningSettings>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verbosity: Option<Verbosity>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_format: Option<ResponseFormat>,
    /// Whether the answer is to come as a stream.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<bool>,
    /// Who asks, for the provider's watch over misuse.
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

/// How much the model is to reason, by effort or by budget: providers take one or the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReasoningSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort: Option<Effort>,
    /// Most tokens to reason with.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(target_arch = "wasm32", tsify(type = "number"))]
    pub budget_tokens: Option<Number>,
    /// Whether the answer is to show the reasoning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub include: Option<bool>,
}

/// How hard the model is to think.
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

/// How much the model is to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "lowercase")]
pub enum Verbosity {
    Low,
    Medium,
    High,
}

/// What the answer's text is to be: anything, some JSON, or JSON that fits a schema.
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
