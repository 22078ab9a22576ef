//! Cohere's chat API, version 2 (WIRE §7). Tools, user messages and calls have the shape of Chat Completions; responses and streams do not.

pub mod error;
pub mod fit;
pub mod messages;
pub mod read_stream;
pub mod request;
pub mod response;
mod stream_events;
pub mod tools;
mod write_messages;
pub mod write_stream;

use super::{SchemaFit, Schemas};
use crate::schema::policy;

/// JSON Schema with an object at its root, and a part of it for strict tools and responses.
pub const SCHEMAS: SchemaFit = SchemaFit::ByPolicy(&Schemas {
    tool: &policy::COHERE,
    strict_tool: &policy::COHERE_STRICT,
    format: &policy::COHERE_FORMAT,
    strict_format: &policy::COHERE_FORMAT,
});
