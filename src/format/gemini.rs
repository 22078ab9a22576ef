//! The Gemini API (WIRE §4), and Gemini on Vertex AI, whose fields differ in a few places (WIRE §4.11).

use super::{Endpoint, Endpoints, Explains, Format, Framing, Limits, ModelName, Opaque, Setting, Values};
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
    whole_calls: true,
    // Ranges as stated by the API's errors ("the supported range is from …"). Upper limits that depend on the model are left to the API.
    settings: &[
        (Setting::Model, &[Word::model], Values::Own),
        (Setting::ToolChoice, &[Word::toolConfig, Word::functionCallingConfig], Values::Own),
        (Setting::MaxTokens, &[Word::generationConfig, Word::maxOutputTokens], Values::Clamped(1.0, COUNT)),
        (Setting::Temperature, &[Word::generationConfig, Word::temperature], Values::Clamped(0.0, 2.0)),
        (Setting::TopP, &[Word::generationConfig, Word::topP], Values::Clamped(0.0, 1.0)),
        (Setting::TopK, &[Word::generationConfig, Word::topK], Values::Only(1.0, COUNT)),
        (Setting::CandidateCount, &[Word::generationConfig, Word::candidateCount], Values::Clamped(1.0, 8.0)),
        (Setting::Seed, &[Word::generationConfig, Word::seed], Values::Only(i32::MIN as f64, COUNT)),
        (Setting::PresencePenalty, &[Word::generationConfig, Word::presencePenalty], PENALTY),
        (Setting::FrequencyPenalty, &[Word::generationConfig, Word::frequencyPenalty], PENALTY),
        (Setting::TopLogprobs, &[Word::generationConfig, Word::logprobs], Values::Clamped(0.0, 20.0)),
        (Setting::TopLogprobs, &[Word::generationConfig, Word::responseLogprobs], Values::Flag),
        (Setting::Stop, &[Word::generationConfig, Word::stopSequences], Values::Texts { most: 5, blank: true }),
        (Setting::Effort, &[Word::generationConfig, Word::thinkingConfig, Word::thinkingLevel], Values::Own),
        (Setting::BudgetTokens, &[Word::generationConfig, Word::thinkingConfig, Word::thinkingBudget], Values::Own),
        (
            Setting::IncludeReasoning,
            &[Word::generationConfig, Word::thinkingConfig, Word::includeThoughts],
            Values::Own,
        ),
        (Setting::ResponseFormat, &[Word::generationConfig, Word::responseMimeType], Values::Own),
        // in the URL
        (Setting::Stream, &[], Values::Own),
    ],
    stored: &[Word::cachedContent, Word::continuationToken],
    signatures: true,
    explains: Explains::Inside(Word::candidate, Word::finishMessage),
    opaque: Opaque::Base64,
    media_kinds: false,
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
    foreign: &[super::gemini_interactions::OWN],
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

/// Integers have 32 bits.
const COUNT: f64 = i32::MAX as f64;
/// The API rejects 2 itself.
const PENALTY: Values = Values::Clamped(-2.0, 1.99);

pub static VERTEX_AI: Format = Format {
    endpoints: Endpoints::one(ON_VERTEX),
    is_vertex: true,
    // only the Gemini API has them (WIRE §4.11)
    foreign: &[super::gemini_interactions::OWN, &[Word::store]],
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
