//! OpenAI Chat Completions (WIRE §1), and the servers that speak like it.

pub mod error;
pub mod messages;
pub mod path;
pub mod read_stream;
pub mod request;
pub mod response;
mod signatures;
pub mod tools;
pub mod write_stream;
mod stream_calls;
mod stream_whole;
mod write_messages;
mod write_parts;
mod write_results;

use super::shared::stream::Framing;
use super::{Limits, Schemas};
use crate::schema::policy;
use crate::value::Word;

static SCHEMAS: Schemas = Schemas {
    tool: &policy::OPENAI,
    strict_tool: &policy::OPENAI_STRICT,
    format: &policy::OPENAI,
    strict_format: &policy::OPENAI_STRICT,
};

/// Ids: the API's error text names 40 characters (Q98).
pub const LIMITS: Limits = Limits { longest_id: 40, plain_ids: false, longest_name: 64,
    name_punctuation: "",
    name_starts_with_letter: false,
    names_are_unique: false,
    results_in_call_order: false,
    form: Word::form,
    foreign: &[],
    bookkeeping: &[
        Word::object,
        Word::created,
        Word::system_fingerprint,
        Word::service_tier,
        Word::index,
        Word::role,
        Word::r#type,
        Word::logprobs,
        Word::prompt_tokens_details,
        Word::completion_tokens_details,
        Word::error,
        Word::code,
        Word::status,
        Word::statusCode,
    ],
    schemas: Some(&SCHEMAS) };

pub const FRAMING: Framing = Framing { named: false, done: true, bare: false, lines: false };
