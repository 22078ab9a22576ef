//! An answer.

use super::{Assistant, ChatError, Metadata};
use crate::run::At;
use crate::value::{Value, Word};

#[derive(Clone, Debug)]
pub struct Response {
    pub at: At,
    pub id: Option<Value>,
    pub model: Option<Value>,
    pub message: Assistant,
    pub finish: Finish,
    pub raw_finish: Option<Value>,
    /// Where the reason stands in the input.
    pub finish_at: At,
    pub usage: Option<Usage>,
    /// Why it failed.
    pub error: Option<ChatError>,
    pub metadata: Metadata,
}

/// A streamed response that failed, where its body does not say so.
#[derive(Clone, Debug, Default)]
pub struct StreamFailure {
    /// A canonical error as JSON text.
    pub error: Option<Vec<u8>>,
}

/// Why the model stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    Stop,
    Length,
    ToolCalls,
    ContentFilter,
    Refusal,
    Pause,
    Error,
    Other,
}

impl Finish {
    const WORDS: [(Word, Finish); 8] = [
        (Word::stop, Finish::Stop),
        (Word::length, Finish::Length),
        (Word::tool_calls, Finish::ToolCalls),
        (Word::content_filter, Finish::ContentFilter),
        (Word::refusal, Finish::Refusal),
        (Word::pause, Finish::Pause),
        (Word::error, Finish::Error),
        (Word::other, Finish::Other),
    ];

    pub fn word(self) -> Word {
        Finish::WORDS.iter().find(|(_, finish)| *finish == self).map_or(Word::Unknown, |(word, _)| *word)
    }

    pub fn of(word: Word) -> Option<Finish> {
        Finish::WORDS.iter().find(|(known, _)| *known == word).map(|(_, finish)| *finish)
    }

    /// Client calls turn a plain stop into `tool_calls`; every other reason stays (Q125, Q127).
    pub fn with_calls(self, has_calls: bool) -> Finish {
        if self == Finish::Stop && has_calls { Finish::ToolCalls } else { self }
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
