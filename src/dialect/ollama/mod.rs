//! Ollama's own chat API (WIRE §8).

pub mod error;
pub mod messages;
pub mod path;
pub mod read_stream;
pub mod request;
pub mod response;
mod think;
pub mod tools;
mod write_messages;
pub mod write_stream;

use super::shared::stream::Framing;
use super::{Limits, Schemas};
use crate::schema::policy;
use crate::value::Word;

static SCHEMAS: Schemas = Schemas {
    tool: &policy::OLLAMA,
    strict_tool: &policy::OLLAMA,
    format: &policy::OLLAMA_FORMAT,
    strict_format: &policy::OLLAMA_FORMAT,
};

/// Results are told from each other by their order, where calls of one tool have no ids (WIRE §8.4).
pub const LIMITS: Limits = Limits {
    ids_carry_signatures: true,
    arguments: &[Word::function, Word::arguments],
    results_in_call_order: true,
    bookkeeping: &[
        Word::created_at,
        Word::total_duration,
        Word::load_duration,
        Word::prompt_eval_duration,
        Word::eval_duration,
    ],
    schemas: Some(&SCHEMAS),
    ..Limits::NONE
};

pub const FRAMING: Framing = Framing { lines: true, ..Framing::EVENTS };
