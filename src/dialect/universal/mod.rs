//! The report format: `UniversalToolCall` and `UniversalToolResult`, calls and results only. It belongs to no provider, so it keeps the state of all:
//! `raw_context` is what the canonical format has under `metadata`.

pub mod fit;
pub mod messages;
pub mod request;
pub mod response;
mod results;
pub mod unsupported;

// the format has none of these
pub use self::{unsupported as error, unsupported as read_stream, unsupported as tools, unsupported as write_stream};
pub use super::canonical::SCHEMAS;
