//! Ollama's own chat API (WIRE §8).

use super::{Endpoints, Format, Framing, Limits};
use crate::value::Word;

pub static FORMAT: Format = Format {
    endpoints: Endpoints::everywhere("/api/chat"),
    framing: Framing { lines: true, ..Framing::EVENTS },
    arguments: &[Word::function, Word::arguments],
    bookkeeping: &[
        Word::created_at,
        Word::total_duration,
        Word::load_duration,
        Word::prompt_eval_duration,
        Word::eval_duration,
    ],
    // Calls of one tool have no ids, so their results are distinguished by order (WIRE §8.4).
    limits: Limits {
        missing: &[Word::parallel_tool_calls, Word::strict],
        ids_carry_signatures: true,
        results_in_call_order: true,
        ..Limits::NONE
    },
    ..Format::USUAL
};
