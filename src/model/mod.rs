//! The canonical format inside, generic over the handles of a value store. `docs/format.md` and the package's types
//! give its meaning; every dialect reads into it and writes out of it.

mod add;
mod error;
mod event;
mod forms;
mod message;
mod request;
mod response;

pub use crate::run::{Member, Metadata};
pub use crate::types::{ChatErrorCode, FinishReason as Finish, MediaKind};
pub use add::Add;
pub use error::ChatError;
pub use event::Event;
pub use message::{
    Arguments, Assistant, Block, CARRIED_SIGNATURE, Call, Content, MADE_ID, Media, Message, Native, Outcome, Prose,
    Reasoning, Source, ToolResult,
};
pub use request::{Definition, ReasoningSettings, Request, ResponseFormat, Setting, Settings, Tool, ToolChoice};
pub use response::{Response, StreamFailure, Usage};
