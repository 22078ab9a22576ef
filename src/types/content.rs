//! What messages and results are made of.

use super::common::Metadata;
use super::mark;
use crate::run::Provider;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Where the bytes of a medium are: in the message (`base64`, which needs a `mediaType` beside it), at an address
/// (`url`, also Gemini's `fileUri`), in a file of the provider's (`file`), or plain text (`text`, documents only).
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

/// The model's words for why it refuses.
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

/// An image, a recording, a film or a document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MediaBlock {
    pub r#type: MediaKind,
    pub source: MediaSource,
    /// Such as `image/png`. Required with a `base64` source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// File name or title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// What a medium is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase")]
pub enum MediaKind {
    Image,
    Audio,
    Video,
    Document,
}

/// Any JSON value; in results.
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
    /// In words, or a summary of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The issuer's proof that it is its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<String>,
    /// Encrypted reasoning, in place of the text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redacted: Option<String>,
    pub issuer: Provider,
    /// What the signature belongs to, where the issuer tells it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scope: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// Marks the place of a call (valid or not) where content follows it. Calls without a mark follow the content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CallMark {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"toolCall\""))]
    pub r#type: mark::Call,
    /// The `id` of a call of the same message.
    pub id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// A block that only its provider knows (a server tool's call or result, a citation, …), kept whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct NativeBlock {
    #[cfg_attr(target_arch = "wasm32", tsify(type = "\"native\""))]
    pub r#type: mark::Native,
    pub provider: Provider,
    /// The provider's block, as it is.
    #[cfg_attr(target_arch = "wasm32", tsify(type = "unknown"))]
    pub value: Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata: Option<Metadata>,
}

/// A text, or pieces in their order.
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
