//! The Rust form of the canonical format: its values are handles of a store. `docs/format.md` and the package's types define its meaning; every
//! dialect reads into it and writes from it.

mod add;
mod closed;
mod error;
mod event;
mod forms;
mod message;
mod request;
mod response;

pub use crate::call_ids::MADE_ID;
pub use crate::format::Setting;
pub use crate::run::{Member, Metadata};
pub use add::Add;
pub use error::{ChatError, ChatErrorCode, ContextLength};
pub use event::{CallStart, End, Event, Start};
pub use forms::Formed;
pub use message::{
    Arguments, Assistant, Block, CARRIED_SIGNATURE, Call, Content, ENCODED_ENVELOPE, ENVELOPE, Media, MediaKind,
    Message, Native, Outcome, Prose, Reasoning, Source, ToolResult,
};
pub use request::{Definition, ReasoningSettings, Request, ResponseFormat, Settings, Tool, ToolChoice};
pub use response::{Finish, FinishReason, Response, StreamFailure, Usage};
