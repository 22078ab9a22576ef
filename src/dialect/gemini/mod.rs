//! Gemini `generateContent`, Developer API (WIRE §4).

pub mod accepted;
pub mod error;
mod fields;
pub mod fit;
mod fit_messages;
mod gemma;
pub mod generation;
pub mod messages;
mod mocks;
mod native_tools;
mod partial;
mod partial_arguments;
mod parts;
pub mod read_stream;
pub mod request;
pub mod response;
mod schemas;
mod stream_whole;
mod thinking;
pub mod tools;
mod write_parts;
pub mod write_stream;

use super::SchemaFit;

/// The OpenAPI form requires more than a policy.
pub const SCHEMAS: SchemaFit = SchemaFit::Own(schemas::write);
