//! OpenAI Chat Completions (WIRE §1).

use super::openai_responses::HOSTED_ITEMS;
use super::{Endpoints, Format, Framing, Layout, Limits};
use crate::value::Word;

const OPENAI: Format = Format {
    endpoints: Endpoints::everywhere("/v1/chat/completions"),
    layout: Some(Layout::Nested),
    framing: Framing { done: true, ..Framing::EVENTS },
    arguments: &[Word::function, Word::arguments],
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

pub static FORMAT: Format = OPENAI;

/// What only Responses has: fields, the keys under which the rest of its objects is kept, and types of tools and items.
const RESPONSES_ONLY: &[Word] = &[
    Word::previous_response_id,
    Word::conversation,
    Word::include,
    Word::reasoning,
    Word::background,
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
