//! What happens while an answer is streamed.

use super::{Block, Call, ChatError, Finish, Metadata, Native, Usage};
use crate::run::{At, Provider};
use crate::value::Value;

/// One step of a streamed answer. Its values live in the store of the wire event that it was read from.
///
/// `block` numbers the blocks of the answer in the order in which they begin. A block's deltas may stand between those of others.
#[derive(Clone, Debug)]
pub enum Event {
    Start {
        at: At,
        id: Option<Value>,
        model: Option<Value>,
        metadata: Metadata,
    },
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
    ReasoningEnd {
        at: At,
        block: u32,
        signature: Option<Value>,
        redacted: Option<Value>,
        issuer: Provider,
        metadata: Metadata,
    },
    CallStart {
        at: At,
        block: u32,
        id: Value,
        name: Value,
        metadata: Metadata,
    },
    /// A fragment of the argument text.
    CallDelta {
        block: u32,
        text: Value,
    },
    /// The call as a whole reader would give it.
    CallEnd {
        block: u32,
        call: Call,
    },
    /// A block that arrives whole.
    Block {
        block: u32,
        value: Block,
    },
    /// The last one counts.
    Usage(Box<Usage>),
    Finish {
        at: At,
        finish: Finish,
        raw: Option<Value>,
        metadata: Metadata,
    },
    Error(ChatError),
    /// An event that only its own provider knows.
    Native(Native),
    /// Fields of the answer as a whole that came later than its start.
    State {
        at: At,
        metadata: Metadata,
    },
}

impl Event {
    /// The text of a delta that says nothing else.
    pub fn text(&self) -> Option<Value> {
        match self {
            Event::TextDelta { text, metadata, .. }
            | Event::RefusalDelta { text, metadata, .. }
            | Event::ReasoningDelta { text, metadata, .. } => metadata.is_empty().then_some(*text),
            Event::CallDelta { text, .. } => Some(*text),
            Event::Start { .. }
            | Event::ReasoningEnd { .. }
            | Event::CallStart { .. }
            | Event::CallEnd { .. }
            | Event::Block { .. }
            | Event::Usage(_)
            | Event::Finish { .. }
            | Event::Error(_)
            | Event::Native(_)
            | Event::State { .. } => None,
        }
    }
}
