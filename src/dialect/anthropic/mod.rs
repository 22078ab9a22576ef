//! Anthropic Messages (WIRE §3).

mod adopted;
mod blocks;
mod cache_marks;
pub mod error;
pub mod fit;
mod fit_messages;
mod fit_thinking;
pub mod messages;
mod platform;
pub mod read_stream;
pub mod request;
pub mod response;
mod stream_blocks;
mod stream_missing;
mod stream_order;
mod thinking;
pub mod tools;
mod write_blocks;
pub mod write_stream;
mod write_stream_content;

use super::{SchemaFit, Schemas};
use crate::schema::policy;

pub const SCHEMAS: SchemaFit = SchemaFit::ByPolicy(&Schemas {
    tool: &policy::ANTHROPIC,
    strict_tool: &policy::ANTHROPIC_STRICT,
    format: &policy::ANTHROPIC_FORMAT,
    strict_format: &policy::ANTHROPIC_FORMAT,
});
