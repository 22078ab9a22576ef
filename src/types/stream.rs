//! What happens while an answer is streamed.

use super::calls::{InvalidToolCall, ToolCall};
use super::common::Metadata;
use super::content::ContentBlock;
use super::error::ChatError;
use super::response::Usage;
use crate::model::FinishReason;
use crate::run::Provider;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One step of a streamed response. `block` numbers the blocks of the response from 0, in the order in which they begin. Deltas of
/// several blocks may alternate. Arguments are text until `toolCallEnd`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "camelCase", rename_all_fields = "camelCase", deny_unknown_fields)]
pub enum StreamEvent {
    /// The first event.
    Start {
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        model: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    TextDelta {
        block: u32,
        text: String,
        /// State of the block besides its text (citations). The state of several events is merged.
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    RefusalDelta {
        block: u32,
        text: String,
        /// As for `textDelta`.
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    ReasoningDelta {
        block: u32,
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        issuer: Option<Provider>,
        /// What is known when the block begins. The rest comes with `reasoningEnd`.
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    /// The reasoning is complete. Its signature or encrypted form goes back to its issuer with the next request.
    ReasoningEnd {
        block: u32,
        #[serde(skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        redacted: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        issuer: Option<Provider>,
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    ToolCallStart {
        block: u32,
        id: String,
        name: String,
        /// What is known when the call begins. `toolCallEnd` holds all of it.
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    /// A fragment of the argument text. Only the fragments together are JSON.
    ToolCallDelta { block: u32, id: String, text: String },
    /// The whole call: an {@link InvalidToolCall} if its arguments are not a JSON object.
    ToolCallEnd { block: u32, call: StreamedCall },
    /// A block that arrives whole.
    Block { block: u32, value: ContentBlock },
    /// The token counts so far. The last event counts.
    Usage { usage: Usage },
    /// Why the response ended. Sent once. `error` if the stream was cut off.
    Finish {
        finish_reason: FinishReason,
        #[serde(skip_serializing_if = "Option::is_none")]
        raw_finish_reason: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    /// An error that the provider sent within the stream, or the report that the stream was cut off.
    Error { error: ChatError },
    /// A provider-specific event, as received.
    Native {
        provider: Provider,
        #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
        value: Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
}

/// A complete call, valid or invalid.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum StreamedCall {
    Valid(ToolCall),
    Invalid(InvalidToolCall),
}
