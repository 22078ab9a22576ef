//! The turns of a conversation.

use super::calls::{InvalidToolCall, ToolCall};
use super::common::Metadata;
use super::content::Content;
use super::mark;
use super::results::{ToolResult, ToolResultInput};
use serde::{Deserialize, Serialize};

/// Instructions. For targets that accept them only at the start, see the option `midSystem`.
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

/// A message of the user.
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

/// A message of the model. The calls come after the content, unless marks in the content give their positions.
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
    /// Calls whose arguments are not a JSON object.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid_tool_calls: Option<Vec<InvalidToolCall>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// The result of a call, as a message.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", tsify(type = "{ role: \"tool\" } & ToolResult"))]
pub struct ToolMessage {
    pub role: mark::ToolRole,
    #[serde(flatten)]
    pub result: ToolResult,
}

/// A message of a conversation.
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

/// The input form of {@link ToolMessage}: `value` is checked at run time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[cfg_attr(target_arch = "wasm32", tsify(type = "{ role: \"tool\" } & ToolResultInput"))]
pub struct ToolMessageInput {
    pub role: mark::ToolRole,
    #[serde(flatten)]
    pub result: ToolResultInput,
}

/// The input form of {@link Message}.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum MessageInput {
    System(SystemMessage),
    User(UserMessage),
    Assistant(AssistantMessage),
    Tool(ToolMessageInput),
}
