//! A response.

use super::closed::closed;
use super::{Assistant, ChatError, Metadata};
use crate::run::At;
use crate::value::{Value, Word};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug)]
pub struct Response {
    pub at: At,
    pub id: Option<Value>,
    pub model: Option<Value>,
    pub message: Assistant,
    pub finish: Finish,
    pub raw_finish: Option<Value>,
    /// The position of the reason in the input.
    pub finish_at: At,
    pub usage: Option<Usage>,
    /// Why the response failed.
    pub error: Option<ChatError>,
    pub metadata: Metadata,
}

impl Response {
    /// A response at the root of the input, which states nothing but this.
    pub fn new(message: Assistant, finish: Finish) -> Response {
        Response {
            at: At::ROOT,
            id: None,
            model: None,
            message,
            finish,
            raw_finish: None,
            finish_at: At::ROOT,
            usage: None,
            error: None,
            metadata: Metadata::default(),
        }
    }
}

/// The failure of a streamed response, for a body that does not state it.
#[derive(Clone, Debug, Default)]
pub struct StreamFailure {
    /// A canonical error as JSON text.
    pub error: Option<Vec<u8>>,
}

closed! {
    /// Why the response ended. `stop`: it is complete. `length`: the token limit was reached. `tool_calls`: it awaits results.
    /// `content_filter`: the provider stopped it. `refusal`: the model refused. `pause`: send the message back to continue.
    /// `error`: the calls were malformed or too many. `other`: anything else; `rawFinishReason` holds the provider's value.
    FinishReason {
        Stop stop,
        Length length,
        ToolCalls tool_calls,
        ContentFilter content_filter,
        Refusal refusal,
        Pause pause,
        Error error,
        Other other,
    }
}

pub use FinishReason as Finish;

impl FinishReason {
    /// Turns `stop` into `tool_calls` if the response has client calls; every other reason stays (Q125, Q127).
    pub fn with_calls(self, has_calls: bool) -> Finish {
        if self == Finish::Stop && has_calls { Finish::ToolCalls } else { self }
    }

    /// Turns `stop` into `refusal` if the model refused in a part of its message.
    pub fn with_refusal(self, refuses: bool) -> Finish {
        if self == Finish::Stop && refuses { Finish::Refusal } else { self }
    }
}

/// Tokens: `input` includes cached and cache-written ones, `output` includes reasoning.
#[derive(Clone, Debug)]
pub struct Usage {
    pub at: At,
    pub input: Option<f64>,
    pub output: Option<f64>,
    pub total: Option<f64>,
    pub cached: Option<f64>,
    pub cache_write: Option<f64>,
    pub reasoning: Option<f64>,
    pub metadata: Metadata,
}

impl Usage {
    pub fn new(at: At) -> Usage {
        Usage {
            at,
            input: None,
            output: None,
            total: None,
            cached: None,
            cache_write: None,
            reasoning: None,
            metadata: Metadata::default(),
        }
    }
}
