//! What happens while an answer is streamed.

use super::calls::{InvalidToolCall, ToolCall};
use super::common::Metadata;
use super::content::ContentBlock;
use super::error::ChatError;
use super::response::{FinishReason, Usage};
use crate::run::Provider;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// One step of a streamed response. `block` numbers the blocks of the answer from 0, in the order in which they begin;
/// deltas of one block may stand between those of others. Arguments are text until `toolCallEnd`.
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
        /// What belongs to the block beside its text (citations): of several events it is all of them together.
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    RefusalDelta {
        block: u32,
        text: String,
        /// As of a text.
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    ReasoningDelta {
        block: u32,
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        issuer: Option<Provider>,
        /// What is known of the block as it begins; the rest comes with its end.
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    /// Reasoning is complete; its signature or its encrypted form goes back to its issuer.
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
        /// What is known of the call as it begins; its end says all of it.
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    /// A fragment of the argument text. Only all of them together are JSON.
    ToolCallDelta { block: u32, id: String, text: String },
    /// The whole call: an {@link InvalidToolCall} where its arguments are no JSON object.
    ToolCallEnd { block: u32, call: StreamedCall },
    /// A block that arrives whole.
    Block { block: u32, value: ContentBlock },
    /// Tokens so far: the last one counts.
    Usage { usage: Usage },
    /// Why the answer ended; once. `error` where the stream broke off.
    Finish {
        finish_reason: FinishReason,
        #[serde(skip_serializing_if = "Option::is_none")]
        raw_finish_reason: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
    /// An error that the provider sent inside the stream, or that the stream broke off.
    Error { error: ChatError },
    /// What only its provider knows, as it came.
    Native {
        provider: Provider,
        #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
        value: Value,
        #[serde(skip_serializing_if = "Option::is_none")]
        metadata: Option<Metadata>,
    },
}

/// A call at the end of its fragments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum StreamedCall {
    Valid(ToolCall),
    Invalid(InvalidToolCall),
}
