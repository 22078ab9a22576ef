//! Anthropic Messages (WIRE §3).

mod adopted;
mod blocks;
pub mod error;
pub mod messages;
mod models;
pub mod path;
mod platform;
mod prefill;
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

use super::shared::stream::Framing;
use super::{Limits, Schemas};
use crate::schema::policy;
use crate::value::Word;

static SCHEMAS: Schemas = Schemas {
    tool: &policy::ANTHROPIC,
    strict_tool: &policy::ANTHROPIC_STRICT,
    format: &policy::ANTHROPIC_FORMAT,
    strict_format: &policy::ANTHROPIC_FORMAT,
};

/// Ids match `^[a-zA-Z0-9_-]+$` (WIRE §13).
pub const LIMITS: Limits = Limits {
    ids_carry_signatures: true,
    input_examples: true,
    arguments: &[Word::input],
    plain_ids: true,
    longest_name: 128,
    names_are_unique: true,
    bookkeeping: &[
        Word::r#type,
        Word::role,
        Word::caller,
        Word::container,
        Word::stop_sequence,
        Word::stop_details,
        Word::cache_creation,
        Word::inference_geo,
        Word::speed,
        Word::diagnostics,
        Word::service_tier,
        Word::server_tool_use,
        Word::invocation_metrics,
        Word::error,
        Word::request_id,
    ],
    schemas: Some(&SCHEMAS),
    ..Limits::NONE
};

pub const FRAMING: Framing = Framing { named: true, ..Framing::EVENTS };
