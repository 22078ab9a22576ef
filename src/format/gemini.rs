//! The Gemini API (WIRE §4), and Gemini on Vertex AI, whose fields differ in a few places (WIRE §4.11).

use super::{Endpoint, Endpoints, Format, Framing, Limits, ModelName};
use crate::value::{Word, listed};

pub static FORMAT: Format = Format {
    endpoints: Endpoints {
        own: Some(Endpoint {
            whole: "/v1beta/{model}:generateContent",
            streamed: "/v1beta/{model}:streamGenerateContent?alt=sse",
            model: ModelName::Resource(&[("models/", "models/"), ("tunedModels/", "tunedModels/"), ("", "models/")]),
        }),
        on_bedrock: None,
        on_vertex: Some(ON_VERTEX),
    },
    framing: Framing { bare: true, ..Framing::EVENTS },
    messages: Word::contents,
    chunks_as_messages: true,
    id_key: None,
    arguments: &[Word::functionCall, Word::args],
    response_id: Word::responseId,
    snake_case: &[listed::GEMINI, listed::SCHEMA],
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
    // Ids are unrestricted; results are matched to calls by order (Q86).
    limits: Limits {
        missing: &[Word::parallel_tool_calls],
        longest_name: 128,
        name_marks: "_-.:",
        name_starts_with_letter: true,
        names_are_unique: true,
        results_in_call_order: true,
        ..Limits::NONE
    },
    ..Format::USUAL
};

pub static VERTEX_AI: Format = Format {
    endpoints: Endpoints::one(ON_VERTEX),
    is_vertex: true,
    limits: Limits { calls_in_pieces: true, ..FORMAT.limits },
    ..FORMAT
};

const ON_VERTEX: Endpoint = Endpoint {
    whole: "/{model}:generateContent",
    streamed: "/{model}:streamGenerateContent?alt=sse",
    model: ModelName::Resource(&[
        ("publishers/", "publishers/"),
        ("endpoints/", "endpoints/"),
        ("models/", "publishers/google/models/"),
        ("google/", "publishers/google/models/"),
        ("", "publishers/google/models/"),
    ]),
};
