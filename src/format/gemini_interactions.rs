//! The Gemini Interactions API (WIRE §15).

use super::{Endpoint, Endpoints, Format, Framing, Limits, Opaque, Setting, Values};
use crate::value::Word;

pub static FORMAT: Format = Format {
    endpoints: Endpoints {
        own: Some(Endpoint::fixed("/v1beta/interactions")),
        on_bedrock: None,
        on_vertex: Some(Endpoint::fixed("/interactions")),
    },
    framing: Framing { named: true, errors: true, ..Framing::EVENTS },
    messages: Word::input,
    form: Word::interactionsForm,
    // ranges as those of the Gemini API
    settings: &[
        (Setting::Model, &[Word::model], Values::Own),
        (Setting::ToolChoice, &[Word::generation_config, Word::tool_choice], Values::Own),
        (Setting::MaxTokens, &[Word::generation_config, Word::max_output_tokens], Values::Clamped(1.0, COUNT)),
        (Setting::Temperature, &[Word::generation_config, Word::temperature], Values::Clamped(0.0, 2.0)),
        (Setting::TopP, &[Word::generation_config, Word::top_p], Values::Clamped(0.0, 1.0)),
        (Setting::Seed, &[Word::generation_config, Word::seed], Values::Only(i32::MIN as f64, COUNT)),
        (Setting::Stop, &[Word::generation_config, Word::stop_sequences], Values::Texts { most: 5, blank: true }),
        (Setting::Effort, &[Word::generation_config, Word::thinking_level], Values::Own),
        (Setting::IncludeReasoning, &[Word::generation_config, Word::thinking_summaries], Values::Own),
        (Setting::ResponseFormat, &[Word::response_format], Values::Own),
        (Setting::Stream, &[Word::stream], Values::Any),
    ],
    stored: &[Word::previous_interaction_id, Word::cached_content, Word::continuation_token, Word::background],
    stored_messages: &[Word::previous_interaction_id],
    stores_nothing: ", with `store: false`",
    signatures: true,
    opaque: Opaque::Base64,
    foreign: &[GENERATE_CONTENT],
    unfinished: &[Word::in_progress, Word::queued],
    bookkeeping: &[
        Word::created,
        Word::updated,
        Word::service_tier,
        Word::object,
        Word::input_tokens_by_modality,
        Word::output_tokens_by_modality,
        Word::cached_tokens_by_modality,
        Word::tool_use_tokens_by_modality,
    ],
    // the client's own copy
    echoes: &[Word::output_text],
    limits: Limits {
        missing: &[Word::parallel_tool_calls],
        longest_name: 128,
        name_marks: "_-.:",
        name_starts_with_letter: true,
        names_are_unique: true,
        highest_effort: Word::xhigh,
        failed_responses: true,
        ..Limits::NONE
    },
    ..Format::USUAL
};

/// Integers have 32 bits.
const COUNT: f64 = i32::MAX as f64;

/// What only this format of Google's has: fields, steps, and tools that Google runs.
pub(super) const OWN: &[Word] = &[
    Word::step,
    Word::agent,
    Word::agent_config,
    Word::annotations,
    Word::background,
    Word::cached_content,
    Word::environment,
    Word::environment_id,
    Word::errors,
    Word::generation_config,
    Word::input,
    Word::output_text,
    Word::previous_interaction_id,
    Word::response_format,
    Word::response_mime_type,
    Word::response_modalities,
    Word::resolution,
    Word::safety_settings,
    Word::webhook_config,
    Word::created,
    Word::updated,
    Word::google_search,
    Word::google_maps,
    Word::url_context,
    Word::code_execution,
    Word::file_search,
    Word::computer_use,
    Word::mcp_server,
    Word::retrieval,
];

/// What only `generateContent` has.
const GENERATE_CONTENT: &[Word] = &[
    Word::candidate,
    Word::candidates,
    Word::choices,
    Word::trafficType,
    Word::contents,
    Word::cachedContent,
    Word::continuationToken,
    Word::createTime,
    Word::displayName,
    Word::fileData,
    Word::functionCall,
    Word::functionCallingConfig,
    Word::functionResponse,
    Word::generationConfig,
    Word::inlineData,
    Word::promptFeedback,
    Word::safetySettings,
    Word::serviceTier,
    Word::systemInstruction,
    Word::thinkingConfig,
    Word::thoughtSignature,
    Word::toolConfig,
    Word::toolUsePromptTokenCount,
    Word::promptTokensDetails,
    Word::candidatesTokensDetails,
    Word::cacheTokensDetails,
    Word::toolUsePromptTokensDetails,
    Word::wireMessage,
    Word::finishMessage,
    Word::avgLogprobs,
    Word::index,
    Word::role,
    Word::groundingMetadata,
    Word::videoMetadata,
];
