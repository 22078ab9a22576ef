//! The canonical format as plain Rust types. The TypeScript types and their documentation are generated from them.
//!
//! Conversions work directly on text and on JavaScript values, not on these types. Rust programs use the types with [`to_body`] and
//! [`from_body`].

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
pub use crate::models::Effort;
pub use api::{Received, from_body, to_body};
pub use calls::{InvalidToolCall, ToolCall, ToolCalls};
pub use common::{JsonSchema, Metadata};
pub use content::{
    CallMark, Content, ContentBlock, DataBlock, MediaBlock, MediaSource, NativeBlock, ReasoningBlock, RefusalBlock,
    TextBlock,
};
pub use error::{ChatError, ContextLength};
pub use messages::{
    AssistantMessage, Message, MessageInput, SystemMessage, ToolMessage, ToolMessageInput, UserMessage,
};
pub use request::{ChatRequest, ReasoningSettings, ResponseFormat, Verbosity};
pub use response::{ChatResponse, Usage};
pub use results::{DataResult, ErrorResult, MultimodalResult, ResultKind, TextResult, ToolResult, ToolResultInput};
pub use stream::{StreamEvent, StreamedCall};
pub use tools::{
    AllowedTools, ChoiceMode, NamedTool, NativeChoice, NativeTool, SimpleChoice, Tool, ToolChoice, ToolConfig,
    ToolDefinition,
};
