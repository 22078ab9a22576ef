//! The content of messages and results.

use super::common::Metadata;
use super::mark;
use crate::model::MediaKind;
use crate::run::Provider;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The source of a medium: inline (`base64`, which requires a `mediaType` on the block), a URL (`url`, also Gemini's `fileUri`), a file
/// stored by the provider (`file`), or plain text (`text`, documents only).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
pub enum MediaSource {
    Base64 { data: String },
    Url { url: String },
    File { id: String },
    Text { data: String },
}

/// One piece of content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(untagged)]
pub enum ContentBlock {
    Text(TextBlock),
    Refusal(RefusalBlock),
    Media(MediaBlock),
    Data(DataBlock),
    Reasoning(ReasoningBlock),
    Call(CallMark),
    Native(NativeBlock),
}

/// Text.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TextBlock {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"text\""))]
    pub r#type: mark::Text,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// The model's explanation of a refusal.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RefusalBlock {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"refusal\""))]
    pub r#type: mark::Refusal,
    pub text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// An image, audio, video or document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MediaBlock {
    pub r#type: MediaKind,
    pub source: MediaSource,
    /// MIME type, such as `image/png`. Required with a `base64` source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// File name or title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// Any JSON value. In results only.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DataBlock {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"data\""))]
    pub r#type: mark::Data,
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// The model's reasoning. It is sent back only to its issuer, which requires it to continue after tool calls.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReasoningBlock {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"reasoning\""))]
    pub r#type: mark::Reasoning,
    /// The reasoning as text, or a summary of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The issuer's signature, which it verifies when the block comes back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Encrypted reasoning, instead of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
    pub issuer: Provider,
    /// What the signature applies to, if the issuer states it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// Marks the position of a call (valid or invalid) that is followed by content. Calls without a mark come after the content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallMark {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"toolCall\""))]
    pub r#type: mark::Call,
    /// The `id` of a call in the same message.
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// A provider-specific block (a server tool's call or result, a citation, …), kept unchanged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NativeBlock {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"native\""))]
    pub r#type: mark::Native,
    pub provider: Provider,
    /// The provider's block, unchanged.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// A text, or content blocks in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Content {
    Text(String),
    Blocks(Vec<ContentBlock>),
}

impl Default for Content {
    fn default() -> Content {
        Content::Text(String::new())
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Content {
        Content::Text(text.to_owned())
    }
}

impl From<String> for Content {
    fn from(text: String) -> Content {
        Content::Text(text)
    }
}
