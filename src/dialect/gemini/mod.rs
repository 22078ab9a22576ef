//! Gemini `generateContent`, Developer API (WIRE §4).

mod arguments_text;
pub mod error;
mod fields;
mod gemma;
mod generation;
pub mod messages;
mod mixed;
mod models;
mod partial;
mod parts;
pub mod path;
pub mod read_stream;
pub mod request;
pub mod response;
mod schemas;
mod stream_answer;
mod stream_pieces;
mod thinking;
pub mod tools;
mod tree;
mod write_parts;
pub mod write_stream;

use super::Limits;
use super::shared::stream::Framing;
use crate::value::{Word, listed};

/// Ids are free; calls are answered in their order (Q86).
pub const LIMITS: Limits = Limits {
    id_key: None,
    arguments: &[Word::functionCall, Word::args],
    answer_id: Word::responseId,
    snake_case: &[listed::GEMINI, listed::VERTEXAI, listed::SCHEMA],
    longest_name: 128,
    name_marks: "_-.:",
    name_starts_with_letter: true,
    names_are_unique: true,
    results_in_call_order: true,
    bookkeeping: &[
        Word::index,
        Word::role,
        Word::finishMessage,
        Word::serviceTier,
        Word::promptTokensDetails,
        Word::candidatesTokensDetails,
        Word::cacheTokensDetails,
        Word::toolUsePromptTokensDetails,
        Word::createTime,
        Word::trafficType,
        Word::avgLogprobs,
        Word::error,
        Word::code,
        Word::status,
    ],
    own_schema: Some(schemas::write),
    ..Limits::NONE
};

pub const FRAMING: Framing = Framing { bare: true, ..Framing::EVENTS };
