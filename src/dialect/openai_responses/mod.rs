//! OpenAI Responses (WIRE §2): a list of items instead of messages.

pub mod error;
pub mod fit;
mod fit_messages;
mod items;
pub mod messages;
mod outputs;
mod parts;
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
mod write_stream_items;

use super::{SchemaFit, Schemas};
use crate::schema::policy;

pub const SCHEMAS: SchemaFit = SchemaFit::ByPolicy(&Schemas {
    tool: &policy::OPENAI,
    strict_tool: &policy::OPENAI_STRICT,
    format: &policy::OPENAI,
    strict_format: &policy::OPENAI_STRICT,
});
