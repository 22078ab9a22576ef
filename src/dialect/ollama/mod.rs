//! Ollama's own chat API (WIRE §8).

pub mod error;
pub mod fit;
pub mod messages;
pub mod read_stream;
pub mod request;
pub mod response;
mod think;
pub mod tools;
mod write_messages;
pub mod write_stream;

use super::{SchemaFit, Schemas};
use crate::schema::policy;

pub const SCHEMAS: SchemaFit = SchemaFit::ByPolicy(&Schemas {
    tool: &policy::OLLAMA,
    strict_tool: &policy::OLLAMA,
    format: &policy::OLLAMA_FORMAT,
    strict_format: &policy::OLLAMA_FORMAT,
});
