//! Messages, their blocks, calls and results.

use super::Metadata;
use super::closed::closed;
use crate::run::{At, Provider, Run};
use crate::value::{Value, Word};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub enum Message {
    System(Prose),
    User(Prose),
    Assistant(Assistant),
    Tool(ToolResult),
}

impl Message {
    pub fn at(&self) -> At {
        match self {
            Message::System(prose) | Message::User(prose) => prose.at,
            Message::Assistant(assistant) => assistant.at,
            Message::Tool(result) => result.at,
        }
    }

    pub fn metadata(&self) -> &Metadata {
        match self {
            Message::System(prose) | Message::User(prose) => &prose.metadata,
            Message::Assistant(assistant) => &assistant.metadata,
            Message::Tool(result) => &result.metadata,
        }
    }

    pub fn metadata_mut(&mut self) -> &mut Metadata {
        match self {
            Message::System(prose) | Message::User(prose) => &mut prose.metadata,
            Message::Assistant(assistant) => &mut assistant.metadata,
            Message::Tool(result) => &mut result.metadata,
        }
    }

    /// The content blocks; a result has none.
    pub fn blocks(&self) -> &[Block] {
        match self {
            Message::System(prose) | Message::User(prose) => prose.content.blocks(),
            Message::Assistant(assistant) => assistant.blocks(),
            Message::Tool(_) => &[],
        }
    }
}

/// A system or user message.
#[derive(Clone, Debug)]
pub struct Prose {
    pub at: At,
    pub content: Content,
    pub metadata: Metadata,
}

#[derive(Clone, Debug)]
pub enum Content {
    /// A plain string, and its position in the input.
    Text(Value, At),
    Blocks(Vec<Block>),
}

impl Content {
    pub fn blocks(&self) -> &[Block] {
        match self {
            Content::Text(..) => &[],
            Content::Blocks(blocks) => blocks,
        }
    }

    pub fn into_blocks(self) -> Vec<Block> {
        match self {
            Content::Text(text, at) => vec![Block::Text { at, text, metadata: Metadata::default() }],
            Content::Blocks(blocks) => blocks,
        }
    }
}

/// An assistant message. Calls are among the blocks, in their order.
#[derive(Clone, Debug)]
pub struct Assistant {
    pub at: At,
    pub content: Content,
    /// The calls of a message whose content is a plain string.
    pub calls: Vec<Call>,
    pub metadata: Metadata,
}

impl Assistant {
    /// All calls in order.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.blocks().iter().filter_map(Block::as_call).chain(&self.calls)
    }

    pub fn calls_mut(&mut self) -> impl Iterator<Item = &mut Call> {
        let blocks = match &mut self.content {
            Content::Text(..) => &mut [],
            Content::Blocks(blocks) => blocks.as_mut_slice(),
        };
        let in_blocks = blocks.iter_mut().filter_map(|block| match block {
            Block::Call(call) => Some(call),
            _ => None,
        });
        in_blocks.chain(&mut self.calls)
    }

    pub fn has_calls(&self) -> bool {
        self.calls().next().is_some()
    }

    /// Whether it contains a refusal with a text.
    pub fn refuses(&self) -> bool {
        self.blocks().iter().any(|block| matches!(block, Block::Refusal { .. }))
    }

    /// Appends the content of `other`.
    pub fn join(&mut self, other: Assistant) {
        let Assistant { at: _, content, calls, metadata } = other;
        let own = std::mem::replace(&mut self.content, Content::Blocks(Vec::new()));
        let mut blocks = own.into_blocks();
        blocks.extend(content.into_blocks());
        self.content = Content::Blocks(blocks);
        self.calls.extend(calls);
        self.metadata.append(metadata);
    }

    pub fn blocks(&self) -> &[Block] {
        self.content.blocks()
    }
}

#[derive(Clone, Debug)]
pub enum Block {
    Text { at: At, text: Value, metadata: Metadata },
    Refusal { at: At, text: Value, metadata: Metadata },
    Media(Media),
    Data { at: At, value: Value, metadata: Metadata },
    Reasoning(Reasoning),
    Native(Native),
    Call(Call),
}

impl Block {
    pub fn metadata(&self) -> &Metadata {
        match self {
            Block::Text { metadata, .. } | Block::Refusal { metadata, .. } | Block::Data { metadata, .. } => metadata,
            Block::Media(media) => &media.metadata,
            Block::Reasoning(reasoning) => &reasoning.metadata,
            Block::Native(native) => &native.metadata,
            Block::Call(call) => &call.metadata,
        }
    }

    pub fn metadata_mut(&mut self) -> &mut Metadata {
        match self {
            Block::Text { metadata, .. } | Block::Refusal { metadata, .. } | Block::Data { metadata, .. } => metadata,
            Block::Media(media) => &mut media.metadata,
            Block::Reasoning(reasoning) => &mut reasoning.metadata,
            Block::Native(native) => &mut native.metadata,
            Block::Call(call) => &mut call.metadata,
        }
    }

    pub fn at(&self) -> At {
        match self {
            Block::Text { at, .. } | Block::Refusal { at, .. } | Block::Data { at, .. } => *at,
            Block::Media(media) => media.at,
            Block::Reasoning(reasoning) => reasoning.at,
            Block::Native(native) => native.at,
            Block::Call(call) => call.at,
        }
    }

    pub fn into_call(self) -> Option<Call> {
        match self {
            Block::Call(call) => Some(call),
            _ => None,
        }
    }

    pub fn as_call(&self) -> Option<&Call> {
        match self {
            Block::Call(call) => Some(call),
            _ => None,
        }
    }
}

closed! {
    /// The kind of a medium.
    MediaKind {
        Image image,
        Audio audio,
        Video video,
        Document document,
    }
}

#[derive(Clone, Debug)]
pub struct Media {
    pub at: At,
    pub kind: MediaKind,
    pub source: Source,
    pub media_type: Option<Value>,
    pub name: Option<Value>,
    pub metadata: Metadata,
}

#[derive(Clone, Copy, Debug)]
pub enum Source {
    Base64(Value),
    Url(Value),
    File(Value),
    /// A plain-text document.
    Text(Value),
}

#[derive(Clone, Debug)]
pub struct Reasoning {
    pub at: At,
    pub text: Option<Value>,
    pub signature: Option<Value>,
    pub redacted: Option<Value>,
    pub issuer: Provider,
    pub scope: Option<Value>,
    pub metadata: Metadata,
}

impl Reasoning {
    /// Reasoning without anything.
    pub fn empty(at: At, issuer: Provider) -> Reasoning {
        let metadata = Metadata::default();
        Reasoning { at, text: None, signature: None, redacted: None, issuer, scope: None, metadata }
    }

    /// Reasoning without state.
    pub fn of_text(at: At, issuer: Provider, text: Value) -> Reasoning {
        Reasoning { text: Some(text), ..Reasoning::empty(at, issuer) }
    }
}

/// A block or tool that only its provider understands, kept whole.
#[derive(Clone, Debug)]
pub struct Native {
    pub at: At,
    pub provider: Provider,
    pub value: Value,
    pub metadata: Metadata,
}

impl Native {
    pub fn new(provider: Provider, value: Value, at: At) -> Native {
        Native { at, provider, value, metadata: Metadata::default() }
    }

    /// What a reader keeps whole.
    pub fn of_source(run: &Run, value: Value, at: At) -> Native {
        Native::new(run.route.source_provider(), value, at)
    }
}

#[derive(Clone, Debug)]
pub struct Call {
    pub at: At,
    pub id: Value,
    pub name: Value,
    pub arguments: Arguments,
    pub metadata: Metadata,
}

#[derive(Clone, Debug)]
pub enum Arguments {
    /// An object; and the text that it was parsed from, if any.
    Object { value: Value, raw: Option<Value> },
    /// Text that is not a JSON object.
    Invalid { raw: Value, error: Value },
}

/// The start of an envelope of state, with the version of its format (`docs/envelope.md`).
pub const ENVELOPE: &str = "tw1.";

/// The same in base64, up to the last letter that depends on it only.
pub const ENCODED_ENVELOPE: &str = "dHcxL";

/// A separator in a call id: Google's signature of the call follows it.
pub const CARRIED_SIGNATURE: &str = "__thought__";

#[derive(Clone, Debug)]
pub struct ToolResult {
    pub at: At,
    /// The id of the call; added when reading if the wire has none.
    pub id: Value,
    pub name: Value,
    pub outcome: Outcome,
    pub metadata: Metadata,
}

#[derive(Clone, Debug)]
pub enum Outcome {
    Text(Value),
    Error(Value),
    Data { value: Value, is_error: bool },
    Multimodal { blocks: Vec<Block>, is_error: bool },
}

impl Outcome {
    pub fn is_error(&self) -> bool {
        match self {
            Outcome::Text(_) => false,
            Outcome::Error(_) => true,
            Outcome::Data { is_error, .. } | Outcome::Multimodal { is_error, .. } => *is_error,
        }
    }
}
