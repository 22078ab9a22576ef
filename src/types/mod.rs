//! The canonical format as plain Rust types, and the source of the TypeScript ones: what stands here is documented there.
//!
//! Conversions do not go through these types (they work on text and on JavaScript values directly), so they cost nothing
//! where they are not used. [`to_body`] and [`from_body`] are the way for a Rust driver.

mod api;
mod calls;
mod common;
mod content;
mod error;
mod mark;
mod messages;
mod request;
mod response;
mod results;
mod stream;
mod tools;
#[cfg(target_arch = "wasm32")]
mod typescript;

pub use crate::model::{ChatErrorCode, FinishReason, MediaKind};
pub use api::{Answer, from_body, to_body};
pub use calls::{InvalidToolCall, ToolCall, ToolCalls};
pub use common::{JsonSchema, Metadata};
pub use content::{
    CallMark, Content, ContentBlock, DataBlock, MediaBlock, MediaSource, NativeBlock, ReasoningBlock, RefusalBlock,
    TextBlock,
};
pub use error::ChatError;
pub use messages::{
    AssistantMessage, Message, MessageInput, SystemMessage, ToolMessage, ToolMessageInput, UserMessage,
};
pub use request::{ChatRequest, Effort, ReasoningSettings, ResponseFormat, Verbosity};
pub use response::{ChatResponse, Usage};
pub use results::{DataResult, ErrorResult, MultimodalResult, ResultKind, TextResult, ToolResult, ToolResultInput};
pub use stream::{StreamEvent, StreamedCall};
pub use tools::{
    AllowedTools, ChoiceMode, NamedTool, NativeChoice, NativeTool, SimpleChoice, Tool, ToolChoice, ToolConfig,
    ToolDefinition,
};
