//! Amazon Bedrock Converse (WIRE §5).

mod blocks;
mod cache_points;
pub mod error;
pub mod fit;
mod fit_documents;
mod fit_messages;
mod media;
pub mod messages;
pub mod read_stream;
pub mod request;
pub mod response;
mod results;
mod stream_blocks;
mod system;
pub mod tools;
mod write_blocks;
pub mod write_stream;
mod write_stream_content;

use super::{SchemaFit, Schemas};
use crate::schema::policy;

/// Models check schemas, and differ; those of Anthropic accept the least that is known.
pub const SCHEMAS: SchemaFit = SchemaFit::ByPolicy(&Schemas {
    tool: &policy::ANTHROPIC,
    strict_tool: &policy::ANTHROPIC_STRICT,
    format: &policy::ANTHROPIC_FORMAT,
    strict_format: &policy::ANTHROPIC_FORMAT,
});
