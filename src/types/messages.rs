//! The turns of a conversation.

use super::calls::{InvalidToolCall, ToolCall};
use super::common::Metadata;
use super::content::Content;
use super::mark;
use super::results::{ToolResult, ToolResultInput};
use serde::{Deserialize, Serialize};

/// Instructions. Where they go on a target that takes them only in front, the option `midSystem` says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SystemMessage {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"system\""))]
    pub role: mark::SystemRole,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "string | ContentBlock[]"))]
    pub content: Content,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// What the user says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct UserMessage {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"user\""))]
    pub role: mark::UserRole,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "string | ContentBlock[]"))]
    pub content: Content,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// What the model said. The calls follow the content, unless marks in it name their places.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AssistantMessage {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"assistant\""))]
    pub role: mark::AssistantRole,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "string | ContentBlock[]"))]
    pub content: Content,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_calls: Option<Vec<ToolCall>>,
    /// Calls whose arguments are no JSON object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid_tool_calls: Option<Vec<InvalidToolCall>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// The result of a call, as a turn of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", tsify(type = "{ role: \"tool\" } & ToolResult"))]
pub struct ToolMessage {
    pub role: mark::ToolRole,
    #[serde(flatten)]
    pub result: ToolResult,
}

/// One turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum Message {
    System(SystemMessage),
    User(UserMessage),
    Assistant(AssistantMessage),
    Tool(ToolMessage),
}

impl Message {
    pub fn system(content: impl Into<Content>) -> Message {
        Message::System(SystemMessage { content: content.into(), ..SystemMessage::default() })
    }

    pub fn user(content: impl Into<Content>) -> Message {
        Message::User(UserMessage { content: content.into(), ..UserMessage::default() })
    }

    pub fn tool(result: ToolResult) -> Message {
        Message::Tool(ToolMessage { role: mark::ToolRole::Is, result })
    }
}

/// A result as a caller may pass it, with `value` checked at run time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", tsify(type = "{ role: \"tool\" } & ToolResultInput"))]
pub struct ToolMessageInput {
    pub role: mark::ToolRole,
    #[serde(flatten)]
    pub result: ToolResultInput,
}

/// One turn as a caller may pass it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum MessageInput {
    System(SystemMessage),
    User(UserMessage),
    Assistant(AssistantMessage),
    Tool(ToolMessageInput),
}
