//! OpenAI Chat Completions (WIRE §1).

use super::openai_responses::HOSTED_ITEMS;
use super::{Asks, Endpoints, Explains, Format, Framing, Layout, Limits, Opaque, Setting, Values};
use crate::value::Word;

pub static FORMAT: Format = Format {
    has_servers: true,
    endpoints: Endpoints::everywhere("/v1/chat/completions"),
    layout: Some(Layout::Nested),
    explains: Explains::InMessage,
    framing: Framing { done: true, ..Framing::EVENTS },
    arguments: &[Word::function, Word::arguments],
    settings: &[
        (Setting::Model, &[Word::model], Values::Own),
        (Setting::ToolChoice, &[Word::tool_choice], Values::Own),
        (Setting::ParallelToolCalls, &[Word::parallel_tool_calls], Values::Own),
        (Setting::MaxTokens, &[Word::max_completion_tokens], Values::Clamped(0.0, f64::INFINITY)),
        (Setting::Temperature, &[Word::temperature], Values::Clamped(0.0, 2.0)),
        (Setting::TopP, &[Word::top_p], Values::Clamped(0.0, 1.0)),
        (Setting::PresencePenalty, &[Word::presence_penalty], Values::Clamped(-2.0, 2.0)),
        (Setting::FrequencyPenalty, &[Word::frequency_penalty], Values::Clamped(-2.0, 2.0)),
        (Setting::Seed, &[Word::seed], Values::Only(i64::MIN as f64, i64::MAX as f64)),
        (Setting::CandidateCount, &[Word::n], Values::Clamped(1.0, 128.0)),
        (Setting::TopLogprobs, &[Word::top_logprobs], Values::Clamped(0.0, 20.0)),
        (Setting::Verbosity, &[Word::verbosity], Values::Any),
        (Setting::Stream, &[Word::stream], Values::Any),
        (Setting::UserId, &[Word::user], Values::Hashed(LONGEST_USER)),
        (Setting::TopLogprobs, &[Word::logprobs], Values::Flag),
        (Setting::Stop, &[Word::stop], Values::Texts { most: 4, blank: true }),
        (Setting::Effort, &[Word::reasoning_effort], Values::Own),
        (Setting::ResponseFormat, &[Word::response_format], Values::Own),
    ],
    asks: Asks::Never,
    opaque: Opaque::Details,
    foreign: &[RESPONSES_ONLY, HOSTED_ITEMS],
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
    // Ids: the API's error message names 40 characters (Q98).
    limits: Limits { longest_id: 40, longest_name: 64, ..Limits::NONE },
    ..Format::USUAL
};

/// Mistral (WIRE §6): <https://docs.mistral.ai/api/endpoint/chat>, the types of `@mistralai/mistralai` 2.7.0.
pub static MISTRAL: Format = Format {
    has_servers: false,
    settings: &[
        (Setting::Model, &[Word::model], Values::Own),
        (Setting::ToolChoice, &[Word::tool_choice], Values::Own),
        (Setting::ParallelToolCalls, &[Word::parallel_tool_calls], Values::Own),
        (Setting::MaxTokens, &[Word::max_tokens], Values::Clamped(0.0, f64::INFINITY)),
        // "Input should be less than or equal to 1.5" (<https://github.com/scottyeager/Pal/issues/28>)
        (Setting::Temperature, &[Word::temperature], Values::Clamped(0.0, 1.5)),
        (Setting::TopP, &[Word::top_p], Values::Clamped(0.0, 1.0)),
        (Setting::PresencePenalty, &[Word::presence_penalty], Values::Clamped(-2.0, 2.0)),
        (Setting::FrequencyPenalty, &[Word::frequency_penalty], Values::Clamped(-2.0, 2.0)),
        (Setting::Seed, &[Word::random_seed], Values::Only(0.0, i64::MAX as f64)),
        (Setting::CandidateCount, &[Word::n], Values::Clamped(1.0, f64::INFINITY)),
        (Setting::Stream, &[Word::stream], Values::Any),
        (Setting::Stop, &[Word::stop], Values::Texts { most: 0, blank: true }),
        (Setting::Effort, &[Word::reasoning_effort], Values::Own),
        (Setting::ResponseFormat, &[Word::response_format], Values::Own),
    ],
    // `any` and `required` mean the same
    spellings: &[(Word::required, Word::any), (Word::developer, Word::system)],
    // the signature of a thinking chunk
    opaque: Opaque::Text,
    chunks: true,
    prefix: true,
    whole_calls: true,
    always_counts: true,
    explains: Explains::Never,
    foreign: &[NOT_MISTRAL],
    bookkeeping: &[Word::raw_status_code],
    // Ids: `^[a-zA-Z0-9]{9}$`, by the validator of mistral-common.
    limits: Limits {
        shortest_id: 9,
        longest_id: 9,
        id_marks: Some(""),
        requires_parameters: true,
        highest_effort: Word::xhigh,
        ..FORMAT.limits
    },
    ..FORMAT
};

/// What the family has, and Mistral does not (<https://github.com/dnakov/anon-kode/issues/53> for `stream_options`).
const NOT_MISTRAL: &[Word] = &[
    Word::stream_options,
    Word::logprobs,
    Word::refusal,
    Word::functions,
    Word::function_call,
    Word::custom,
    Word::allowed_tools,
];

/// The maximum length of `user` (https://github.com/maximhq/bifrost/pull/1000).
pub const LONGEST_USER: usize = 64;

/// What only Responses has: fields, the keys under which the rest of its objects is kept, and types of tools and items.
const RESPONSES_ONLY: &[Word] = &[
    Word::previous_response_id,
    Word::conversation,
    Word::include,
    Word::reasoning,
    Word::background,
    Word::background_options,
    Word::client_metadata,
    Word::truncation,
    Word::max_tool_calls,
    Word::prompt,
    Word::context_management,
    Word::access_programs,
    Word::image,
    Word::text,
    Word::format,
    Word::item,
    Word::output_text,
    Word::input_tokens_details,
    Word::output_tokens_details,
    Word::incomplete_details,
    Word::created_at,
    Word::completed_at,
    Word::defer_loading,
    Word::allowed_callers,
    Word::output_schema,
    Word::file_id,
    Word::file_url,
    Word::file_data,
    Word::asynchronous,
    Word::message,
    Word::function_call_output,
    Word::custom_tool_call,
    Word::custom_tool_call_output,
    Word::file_search,
    Word::computer,
    Word::computer_use_preview,
    Word::computer_use,
    Word::web_search,
    Word::web_search_2025_08_26,
    Word::web_search_preview,
    Word::web_search_preview_2025_03_11,
    Word::mcp,
    Word::code_interpreter,
    Word::programmatic_tool_calling,
    Word::image_generation,
    Word::local_shell,
    Word::shell,
    Word::apply_patch,
    Word::namespace,
    Word::tool_search,
    // a value, not a key
    Word::ultrafast,
];
