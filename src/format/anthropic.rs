//! Anthropic Messages (WIRE §3).

use super::{Asks, Endpoint, Endpoints, Explains, Format, Framing, Limits, ModelName, Opaque, Setting, Values};
use crate::value::Word;

pub static FORMAT: Format = Format {
    has_servers: true,
    endpoints: Endpoints {
        own: Some(Endpoint::fixed("/v1/messages")),
        on_bedrock: Some(Endpoint {
            whole: "/model/{model}/invoke",
            streamed: "/model/{model}/invoke-with-response-stream",
            model: ModelName::Segment,
        }),
        on_vertex: Some(Endpoint {
            whole: "/{model}:rawPredict",
            streamed: "/{model}:streamRawPredict",
            model: ModelName::Resource(&[("publishers/", "publishers/"), ("", "publishers/anthropic/models/")]),
        }),
    },
    framing: Framing { named: true, ..Framing::EVENTS },
    arguments: &[Word::input],
    settings: &[
        (Setting::Model, &[Word::model], Values::Own),
        (Setting::ToolChoice, &[Word::tool_choice], Values::Own),
        (Setting::ParallelToolCalls, &[Word::tool_choice, Word::disable_parallel_tool_use], Values::Own),
        (Setting::MaxTokens, &[Word::max_tokens], Values::Clamped(0.0, f64::INFINITY)),
        (Setting::Temperature, &[Word::temperature], Values::Clamped(0.0, 1.0)),
        (Setting::TopP, &[Word::top_p], Values::Clamped(0.0, 1.0)),
        (Setting::TopK, &[Word::top_k], Values::Only(0.0, f64::INFINITY)),
        (Setting::Stop, &[Word::stop_sequences], Values::Texts { most: 0, blank: false }),
        (Setting::Stream, &[Word::stream], Values::Any),
        (Setting::UserId, &[Word::metadata, Word::user_id], Values::Own),
        (Setting::BudgetTokens, &[Word::thinking, Word::budget_tokens], Values::Own),
        (Setting::IncludeReasoning, &[Word::thinking, Word::display], Values::Own),
        (Setting::Effort, &[Word::output_config, Word::effort], Values::Own),
        (Setting::ResponseFormat, &[Word::output_config, Word::format], Values::Own),
    ],
    signs_reasoning: true,
    asks: Asks::ByThinking,
    explains: Explains::Details(Word::stop_details),
    opaque: Opaque::Text,
    cache_mark: Some(Word::cache_control),
    stored: &[Word::thread],
    stored_messages: &[Word::thread],
    // clients for Bedrock, Vertex AI and Foundry have none (`_supportsMessageThreads` of `@anthropic-ai/sdk` 1.14)
    own_only: &[Word::thread],
    bookkeeping: &[
        Word::r#type,
        Word::role,
        Word::caller,
        Word::container,
        Word::stop_sequence,
        Word::cache_creation,
        Word::inference_geo,
        Word::speed,
        Word::diagnostics,
        Word::service_tier,
        Word::server_tool_use,
        Word::invocation_metrics,
        Word::error,
        Word::request_id,
    ],
    // Ids match `^[a-zA-Z0-9_-]+$` (WIRE §13).
    limits: Limits {
        input_examples: true,
        id_marks: Some("_-"),
        longest_name: 128,
        names_are_unique: true,
        errors_are_text: true,
        ..Limits::NONE
    },
    ..Format::USUAL
};
