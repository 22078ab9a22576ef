//! Messages, their blocks, calls and results.

use super::Metadata;
use crate::run::{At, Provider};

#[derive(Clone, Debug)]
pub enum Message<V> {
    System(Prose<V>),
    User(Prose<V>),
    Assistant(Assistant<V>),
    Tool(ToolResult<V>),
}

impl<V> Message<V> {
    pub fn at(&self) -> At {
        match self {
            Message::System(prose) | Message::User(prose) => prose.at,
            Message::Assistant(assistant) => assistant.at,
            Message::Tool(result) => result.at,
        }
    }

    pub fn metadata(&self) -> &Metadata<V> {
        match self {
            Message::System(prose) | Message::User(prose) => &prose.metadata,
            Message::Assistant(assistant) => &assistant.metadata,
            Message::Tool(result) => &result.metadata,
        }
    }
}

/// A system or user message.
#[derive(Clone, Debug)]
pub struct Prose<V> {
    pub at: At,
    pub content: Content<V>,
    pub metadata: Metadata<V>,
}

#[derive(Clone, Debug)]
pub enum Content<V> {
    /// A plain string; where it stands in the input.
    Text(V, At),
    Blocks(Vec<Block<V>>),
}

/// An assistant message. Its calls stand in their place among the blocks.
#[derive(Clone, Debug)]
pub struct Assistant<V> {
    pub at: At,
    pub content: Content<V>,
    /// Calls of a message whose content is a plain string.
    pub calls: Vec<Call<V>>,
    pub metadata: Metadata<V>,
}

impl<V> Assistant<V> {
    /// All calls in their order.
    pub fn calls(&self) -> impl Iterator<Item = &Call<V>> {
        self.blocks().iter().filter_map(Block::as_call).chain(&self.calls)
    }

    pub fn calls_mut(&mut self) -> impl Iterator<Item = &mut Call<V>> {
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

    pub fn blocks(&self) -> &[Block<V>] {
        match &self.content {
            Content::Text(..) => &[],
            Content::Blocks(blocks) => blocks,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Block<V> {
    Text { at: At, text: V, metadata: Metadata<V> },
    Refusal { at: At, text: V, metadata: Metadata<V> },
    Media(Media<V>),
    Data { at: At, value: V, metadata: Metadata<V> },
    Reasoning(Reasoning<V>),
    Native(Native<V>),
    Call(Call<V>),
}

impl<V> Block<V> {
    pub fn at(&self) -> At {
        match self {
            Block::Text { at, .. } | Block::Refusal { at, .. } | Block::Data { at, .. } => *at,
            Block::Media(media) => media.at,
            Block::Reasoning(reasoning) => reasoning.at,
            Block::Native(native) => native.at,
            Block::Call(call) => call.at,
        }
    }

    pub fn into_call(self) -> Option<Call<V>> {
        match self {
            Block::Call(call) => Some(call),
            _ => None,
        }
    }

    pub fn as_call(&self) -> Option<&Call<V>> {
        match self {
            Block::Call(call) => Some(call),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MediaKind {
    Image,
    Audio,
    Video,
    Document,
}

#[derive(Clone, Debug)]
pub struct Media<V> {
    pub at: At,
    pub kind: MediaKind,
    pub source: Source<V>,
    pub media_type: Option<V>,
    pub name: Option<V>,
    pub metadata: Metadata<V>,
}

#[derive(Clone, Copy, Debug)]
pub enum Source<V> {
    Base64(V),
    Url(V),
    File(V),
    /// A plain-text document.
    Text(V),
}

#[derive(Clone, Debug)]
pub struct Reasoning<V> {
    pub at: At,
    pub text: Option<V>,
    pub signature: Option<V>,
    pub redacted: Option<V>,
    pub issuer: Provider,
    pub scope: Option<V>,
    pub metadata: Metadata<V>,
}

/// A block or tool that only its provider knows, kept whole.
#[derive(Clone, Debug)]
pub struct Native<V> {
    pub at: At,
    pub provider: Provider,
    pub value: V,
    pub metadata: Metadata<V>,
}

#[derive(Clone, Debug)]
pub struct Call<V> {
    pub at: At,
    pub id: V,
    pub name: V,
    pub arguments: Arguments<V>,
    pub metadata: Metadata<V>,
}

#[derive(Clone, Debug)]
pub enum Arguments<V> {
    /// An object; and the text that it was read from, if it was text.
    Object { value: V, raw: Option<V> },
    /// Text that is no JSON object.
    Invalid { raw: V, error: V },
}

#[derive(Clone, Debug)]
pub struct ToolResult<V> {
    pub at: At,
    /// The id of the call; what the wire lacks is filled in when reading.
    pub id: V,
    pub name: V,
    pub outcome: Outcome<V>,
    pub metadata: Metadata<V>,
}

#[derive(Clone, Debug)]
pub enum Outcome<V> {
    Text(V),
    Error(V),
    Data { value: V, is_error: bool },
    Multimodal { blocks: Vec<Block<V>>, is_error: bool },
}
