//! The report format: `UniversalToolCall` and `UniversalToolResult`, calls and results only. It belongs to no provider, so it keeps the state of all:
//! `raw_context` is what the canonical format has under `metadata`.

mod calls;
pub mod error;
pub mod fit;
pub mod messages;
pub mod read_stream;
pub mod request;
pub mod response;
mod results;
pub mod tools;
pub mod write_stream;

pub use super::canonical::SCHEMAS;
