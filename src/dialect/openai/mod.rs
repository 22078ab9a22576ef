//! OpenAI Chat Completions (WIRE §1), and the servers that speak like it.

pub mod error;
pub mod messages;
pub mod path;
pub mod read_stream;
pub mod request;
pub mod response;
mod router;
mod signatures;
mod stream_calls;
mod stream_whole;
pub mod tools;
mod write_messages;
mod write_parts;
mod write_results;
pub mod write_stream;
mod write_stream_calls;

use super::shared::openai_items::HOSTED_ITEMS;
use super::shared::stream::Framing;
use super::{Limits, Schemas};
use crate::schema::policy;
use crate::value::Word;

static SCHEMAS: Schemas = Schemas {
    tool: &policy::OPENAI,
    strict_tool: &policy::OPENAI_STRICT,
    format: &policy::OPENAI,
    strict_format: &policy::OPENAI_STRICT,
};

/// What Responses has alone: fields, names under which the rest of its objects is kept, and the types of tools; of its items those that others know too.
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
    // a value
    Word::ultrafast,
];

/// Ids: the API's error text names 40 characters (Q98).
pub const LIMITS: Limits = Limits {
    arguments: &[Word::function, Word::arguments],
    longest_id: 40,
    longest_name: 64,
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
    schemas: Some(&SCHEMAS),
    ..Limits::NONE
};

pub const FRAMING: Framing = Framing { done: true, ..Framing::EVENTS };
