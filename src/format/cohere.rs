//! Cohere's chat API, version 2 (WIRE §7): <https://docs.cohere.com/reference/chat>, the types of `cohere-ai` 8.1.0.

use super::{Asks, Endpoints, Format, Framing, Limits, Setting, Values};
use crate::value::Word;

pub static FORMAT: Format = Format {
    endpoints: Endpoints::everywhere("/v2/chat"),
    framing: Framing { named: true, done: true, ..Framing::EVENTS },
    arguments: &[Word::function, Word::arguments],
    // ranges: the comments of `V2ChatRequest`
    settings: &[
        (Setting::Model, &[Word::model], Values::Own),
        (Setting::ToolChoice, &[Word::tool_choice], Values::Own),
        (Setting::MaxTokens, &[Word::max_tokens], Values::Clamped(0.0, f64::INFINITY)),
        (Setting::Temperature, &[Word::temperature], Values::Clamped(0.0, f64::INFINITY)),
        (Setting::TopP, &[Word::p], Values::Clamped(0.01, 0.99)),
        (Setting::TopK, &[Word::k], Values::Clamped(0.0, 500.0)),
        (Setting::PresencePenalty, &[Word::presence_penalty], Values::Clamped(0.0, 1.0)),
        (Setting::FrequencyPenalty, &[Word::frequency_penalty], Values::Clamped(0.0, 1.0)),
        (Setting::Seed, &[Word::seed], Values::Only(0.0, i64::MAX as f64)),
        (Setting::Stream, &[Word::stream], Values::Any),
        (Setting::Stop, &[Word::stop_sequences], Values::Texts { most: 5, blank: true }),
        (Setting::BudgetTokens, &[Word::thinking, Word::token_budget], Values::Own),
        (Setting::ResponseFormat, &[Word::response_format], Values::Own),
    ],
    // reasoning is on by default, and always returned
    asks: Asks::Never,
    foreign: &[&[Word::allowed_tools]],
    bookkeeping: &[Word::billed_units, Word::logprobs],
    limits: Limits {
        missing: &[Word::parallel_tool_calls],
        ids_carry_signatures: true,
        requires_parameters: true,
        // <https://docs.cohere.com/docs/structured-outputs>
        most_strict_properties: 200,
        ..Limits::NONE
    },
    ..Format::USUAL
};
