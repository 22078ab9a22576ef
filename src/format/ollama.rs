//! Ollama's own chat API (WIRE §8).

use super::{Endpoints, Format, Framing, Limits, Setting, Values};
use crate::value::Word;

pub static FORMAT: Format = Format {
    endpoints: Endpoints::everywhere("/api/chat"),
    framing: Framing { lines: true, ..Framing::EVENTS },
    arguments: &[Word::function, Word::arguments],
    whole_calls: true,
    // The server accepts nearly all values; a limit of 0 tokens means no limit.
    settings: &[
        (Setting::Model, &[Word::model], Values::Own),
        (Setting::Stream, &[Word::stream], Values::Own),
        (Setting::ResponseFormat, &[Word::format], Values::Own),
        (Setting::Effort, &[Word::think], Values::Own),
        (Setting::BudgetTokens, &[Word::think], Values::Own),
        (Setting::IncludeReasoning, &[Word::think], Values::Own),
        (Setting::TopLogprobs, &[Word::top_logprobs], Values::Clamped(0.0, 20.0)),
        (Setting::TopLogprobs, &[Word::logprobs], Values::Flag),
        (Setting::MaxTokens, &[Word::options, Word::num_predict], Values::Clamped(1.0, f64::INFINITY)),
        (Setting::Temperature, &[Word::options, Word::temperature], Values::Clamped(0.0, f64::INFINITY)),
        (Setting::TopP, &[Word::options, Word::top_p], Values::Clamped(0.0, 1.0)),
        (Setting::TopK, &[Word::options, Word::top_k], Values::Any),
        (Setting::PresencePenalty, &[Word::options, Word::presence_penalty], Values::Any),
        (Setting::FrequencyPenalty, &[Word::options, Word::frequency_penalty], Values::Any),
        (Setting::Seed, &[Word::options, Word::seed], Values::Only(i64::MIN as f64, i64::MAX as f64)),
        (Setting::Stop, &[Word::options, Word::stop], Values::Texts { most: 0, blank: true }),
    ],
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
