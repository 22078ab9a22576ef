//! OpenAI Responses (WIRE §2): a list of items instead of messages.

pub mod error;
mod items;
pub mod messages;
mod outputs;
mod parts;
pub mod path;
pub mod read_stream;
mod reasoning;
pub mod request;
pub mod response;
mod stream_items;
mod stream_items_end;
mod stream_mentions;
mod stream_missing;
mod stream_open;
mod stream_output;
mod stream_places;
mod stream_texts;
pub mod tools;
mod write_messages;
mod write_parts;
mod write_results;
pub mod write_stream;
mod write_stream_calls;
mod write_stream_said;

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

/// Ids: the description allows 64 characters. Names: no limit is stated outside namespaces; Chat's is safe.
pub const LIMITS: Limits = Limits {
    ids_carry_signatures: true,
    longest_id: 64,
    id_key: Some(Word::call_id),
    longest_name: 64,
    namespaces: true,
    form: Word::responsesForm,
    failed_responses: true,
    echoes: &[
        Word::instructions,
        Word::max_output_tokens,
        Word::max_tool_calls,
        Word::parallel_tool_calls,
        Word::previous_response_id,
        Word::conversation,
        Word::prompt,
        Word::prompt_cache_key,
        Word::prompt_cache_options,
        Word::prompt_cache_retention,
        Word::reasoning,
        Word::safety_identifier,
        Word::store,
        Word::temperature,
        Word::text,
        Word::tool_choice,
        Word::tools,
        Word::top_logprobs,
        Word::top_p,
        Word::truncation,
        Word::user,
        Word::metadata,
        Word::frequency_penalty,
        Word::presence_penalty,
        Word::image,
        Word::access_programs,
        Word::output_text,
    ],
    bookkeeping: &[
        Word::object,
        Word::created_at,
        Word::completed_at,
        Word::background,
        Word::billing,
        Word::moderation,
        Word::service_tier,
        Word::prompt_cache_diagnostics,
        Word::input_tokens_details,
        Word::output_tokens_details,
        Word::tool_usage,
        Word::error,
        Word::code,
        Word::status,
        Word::r#type,
        Word::role,
    ],
    foreign: &[items::CHAT_ONLY],
    schemas: Some(&SCHEMAS),
    ..Limits::NONE
};

pub const FRAMING: Framing = Framing { named: true, ..Framing::EVENTS };
