//! OpenAI Chat Completions (WIRE §1), and compatible servers.

mod chunks;
mod details;
pub mod error;
pub mod fit;
pub mod messages;
pub mod read_stream;
mod reasoning;
pub mod request;
pub mod response;
mod signatures;
mod stream_calls;
mod stream_whole;
pub mod tools;
mod write_messages;
pub mod write_parts;
pub mod write_stream;
mod write_stream_calls;

use super::{SchemaFit, Schemas};
use crate::schema::policy;

pub const SCHEMAS: SchemaFit = SchemaFit::ByPolicy(&Schemas {
    tool: &policy::OPENAI,
    strict_tool: &policy::OPENAI_STRICT,
    format: &policy::OPENAI,
    strict_format: &policy::OPENAI_STRICT,
});
