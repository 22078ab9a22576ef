//! The events of a streamed response.

use super::{Block, Call, ChatError, Finish, Metadata, Native, Reasoning, Usage};
use crate::run::{At, Provider};
use crate::value::Value;

/// One step of a streamed response. Its values are in the store of the wire event that it was read from.
///
/// `block` numbers the blocks of the response in the order in which they begin. Deltas of several blocks may be interleaved.
#[derive(Clone, Debug)]
pub enum Event {
    Start(Start),
    TextDelta {
        at: At,
        block: u32,
        text: Value,
        metadata: Metadata,
    },
    RefusalDelta {
        at: At,
        block: u32,
        text: Value,
        metadata: Metadata,
    },
    ReasoningDelta {
        at: At,
        block: u32,
        text: Value,
        issuer: Provider,
        metadata: Metadata,
    },
    /// The state of reasoning. Its text came before.
    ReasoningEnd {
        block: u32,
        reasoning: Reasoning,
    },
    CallStart(CallStart),
    /// A fragment of the argument text.
    CallDelta {
        block: u32,
        text: Value,
    },
    /// The call as the reader of whole responses would return it.
    CallEnd {
        block: u32,
        call: Call,
    },
    /// A block that arrives in one piece.
    Block {
        block: u32,
        value: Block,
    },
    /// The last one counts.
    Usage(Box<Usage>),
    Finish(End),
    Error(ChatError),
    /// An event that only its own provider understands.
    Native(Native),
    /// Fields of the response that came after its start.
    State {
        at: At,
        metadata: Metadata,
    },
}

/// The start of a response.
#[derive(Clone, Debug)]
pub struct Start {
    pub at: At,
    pub id: Option<Value>,
    pub model: Option<Value>,
    pub metadata: Metadata,
}

impl Start {
    /// The start of a response that has none in the input.
    pub fn missing() -> Start {
        Start { at: At::ROOT, id: None, model: None, metadata: Metadata::default() }
    }
}

/// The start of a call: everything but its arguments.
#[derive(Clone, Debug)]
pub struct CallStart {
    pub at: At,
    pub block: u32,
    pub id: Value,
    pub name: Value,
    pub metadata: Metadata,
}

/// How a response ended.
#[derive(Clone, Debug)]
pub struct End {
    pub at: At,
    pub finish: Finish,
    pub raw: Option<Value>,
    pub metadata: Metadata,
}

impl End {
    /// The end of a response that does not state it.
    pub fn missing(finish: Finish) -> End {
        End { at: At::ROOT, finish, raw: None, metadata: Metadata::default() }
    }
}

impl Event {
    /// The text of a delta, if the delta has nothing else.
    pub fn text(&self) -> Option<Value> {
        match self {
            Event::TextDelta { text, metadata, .. }
            | Event::RefusalDelta { text, metadata, .. }
            | Event::ReasoningDelta { text, metadata, .. } => metadata.is_empty().then_some(*text),
            Event::CallDelta { text, .. } => Some(*text),
            Event::Start(_)
            | Event::ReasoningEnd { .. }
            | Event::CallStart(_)
            | Event::CallEnd { .. }
            | Event::Block { .. }
            | Event::Usage(_)
            | Event::Finish(_)
            | Event::Error(_)
            | Event::Native(_)
            | Event::State { .. } => None,
        }
    }
}
