//! Gemini Interactions (WIRE §15): a list of steps instead of messages.

mod contents;
pub mod error;
pub mod fit;
pub mod messages;
pub mod read_stream;
pub mod request;
pub mod response;
mod results;
mod stream_steps;
mod thoughts;
pub mod tools;
mod write_steps;
pub mod write_stream;

use super::{SchemaFit, Schemas};
use crate::schema::policy;

pub const SCHEMAS: SchemaFit = SchemaFit::ByPolicy(&Schemas {
    tool: &policy::GOOGLE_JSON,
    strict_tool: &policy::GOOGLE_JSON,
    format: &policy::GOOGLE_JSON_FORMAT,
    strict_format: &policy::GOOGLE_JSON_FORMAT,
});
