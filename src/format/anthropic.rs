//! Anthropic Messages (WIRE §3).

use super::{Endpoint, Endpoints, Format, Framing, Limits, ModelName};
use crate::value::Word;

pub static FORMAT: Format = Format {
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
    bookkeeping: &[
        Word::r#type,
        Word::role,
        Word::caller,
        Word::container,
        Word::stop_sequence,
        Word::stop_details,
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
        ids_carry_signatures: true,
        input_examples: true,
        id_marks: Some("_-"),
        longest_name: 128,
        names_are_unique: true,
        ..Limits::NONE
    },
    ..Format::USUAL
};
