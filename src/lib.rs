//! Converts LLM tool calling between providers: tool definitions, tool choices, calls, results, requests, responses and streams.
//!
//! Every format is a [`Dialect`]. A dialect is read into one canonical format ([`types`]) and written from it. Whatever a target can't express
//! is reported as a [`Warning`] with a path; what can't be converted is a [`ToolwireError`]. Nothing here opens a connection or reads a clock.
//!
//! # A conversion
//!
//! A client of OpenAI asks Claude. The context restores in the response what was renamed for the target:
//!
//! ```
//! use toolwire::{Dialect, Subject, Options, context_of, convert_text};
//!
//! let (openai, anthropic) = (Dialect::OpenAI, Dialect::Anthropic);
//! let request = br#"{"model":"claude-sonnet-5-5","max_tokens":100,"messages":[{"role":"user","content":"Hi"}]}"#.to_vec();
//! let context = context_of(request.clone(), openai, anthropic, Options::default())?;
//! let sent = convert_text(request, Subject::Request, openai, anthropic, Options::default())?;
//! assert_eq!(sent.body, br#"{"model":"claude-sonnet-5-5","max_tokens":100,"messages":[{"role":"user","content":"Hi"}]}"#);
//!
//! // What the server returned:
//! let received = br#"{"type":"message","role":"assistant","content":[{"type":"text","text":"Hello"}],"stop_reason":"end_turn"}"#;
//! let options = Options { context: Some(context), ..Options::default() };
//! let response = convert_text(received.to_vec(), Subject::Response, anthropic, openai, options)?;
//! assert!(String::from_utf8_lossy(&response.body).contains(r#""content":"Hello""#));
//! # Ok::<(), Box<toolwire::ToolwireError>>(())
//! ```
//!
//! # A tool turn
//!
//! The [`toolkit`] checks the arguments of a call; the program runs the function and sends the result:
//!
//! ```
//! use serde_json::{Value, json};
//! use toolwire::toolkit::{Call, Registry, RegistryOptions, Tool};
//! use toolwire::types::{ChatRequest, DataResult, Message, ToolResult, from_body, to_body};
//! use toolwire::{Dialect, Options};
//!
//! let parameters = json!({ "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "integer" } }, "required": ["a", "b"] });
//! let mut tools = Registry::new(RegistryOptions::default());
//! tools.register(Tool::new("add").description("Adds two numbers.").parameters(parameters), false)?;
//! let mut request = ChatRequest { messages: vec![Message::user("What is 1 + 2?")], ..ChatRequest::default() };
//!
//! // What the server returned. The model has made 2 a text, which the toolkit corrects.
//! let body = r#"{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[
//!     {"id":"call_1","type":"function","function":{"name":"add","arguments":"{\"a\": 1, \"b\": \"2\"}"}}]},"finish_reason":"tool_calls"}]}"#;
//! let response = from_body(body.into(), Dialect::OpenAI, Options::default())?.response;
//! request.messages.push(Message::Assistant(response.message));
//! for call in response.tool_calls {
//!     let checked = tools.check(Call::new(&call.id, &call.name, Value::Object(call.arguments)));
//!     let numbers = ["a", "b"].map(|name| checked.call.arguments.get(name).and_then(Value::as_i64));
//!     let (value, is_error) = match (checked.problems.first(), numbers) {
//!         (None, [Some(a), Some(b)]) => (json!(a + b), None),
//!         (problem, _) => (json!({ "error": problem.map(|problem| &problem.message) }), Some(true)),
//!     };
//!     let result = DataResult { tool_call_id: call.id, name: call.name, value, is_error, ..DataResult::default() };
//!     request.messages.push(Message::tool(ToolResult::Data(result)));
//! }
//! let next = to_body(&request, Dialect::OpenAI, Options::default())?;
//! assert!(String::from_utf8(next.body)?.ends_with(r#"{"role":"tool","tool_call_id":"call_1","content":"3"}]}"#));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/guides/rust-crate.md` continues with streams and agents.

// In wasm, keys of maps are `&str` only, and `json!` pushes the items of arrays.
#![cfg_attr(target_arch = "wasm32", allow(clippy::explicit_auto_deref, clippy::vec_init_then_push))]
// what the other formats alone use
#![cfg_attr(all(feature = "conversions", not(feature = "all-formats")), allow(dead_code, unused_imports))]

#[cfg(feature = "conversions")]
#[doc(hidden)]
pub mod binary_frames;
#[cfg(all(feature = "conversions", target_arch = "wasm32"))]
#[doc(hidden)]
pub mod bindings;
#[cfg(any(feature = "text", feature = "toolkit"))]
mod bytes;
mod call_ids;
#[cfg(any(feature = "text", feature = "toolkit"))]
mod chars;
#[cfg(feature = "conversions")]
mod convert;
#[cfg(feature = "conversions")]
mod dialect;
mod escapes;
#[cfg(feature = "conversions")]
mod fit;
#[cfg(feature = "conversions")]
mod format;
#[cfg(any(feature = "text", feature = "toolkit"))]
mod json;
mod letters;
#[cfg(feature = "conversions")]
mod model;
#[cfg(feature = "conversions")]
mod models;
mod nearest;
mod number;
mod percent;
mod places;
#[cfg(feature = "conversions")]
mod run;
#[cfg(feature = "conversions")]
mod schema;
#[cfg(feature = "conversions")]
mod servers;
#[cfg(any(feature = "text", feature = "toolkit"))]
mod table;
#[cfg(feature = "text")]
pub mod text;
#[cfg(any(feature = "text", feature = "toolkit"))]
mod text_errors;
#[cfg(feature = "toolkit")]
pub mod toolkit;
#[cfg(feature = "conversions")]
pub mod types;
#[cfg(feature = "conversions")]
#[doc(hidden)]
pub mod value;
#[cfg(any(feature = "text", feature = "toolkit"))]
mod words;

#[cfg(feature = "conversions")]
pub use convert::stream::{StreamConverter, StreamReader};
#[cfg(feature = "trace")]
#[doc(hidden)]
pub use convert::trace::{Traced, trace_text};
#[cfg(feature = "conversions")]
pub use convert::{Converted, Prepared, Subject, context_of, convert_text, prepare_request};
#[cfg(feature = "conversions")]
pub use format::Setting;
#[cfg(feature = "conversions")]
pub use models::{
    Effort, Found as FoundModel, Model, ModelFacts,
    date::Date,
    facts::{Efforts, ForcedCalls, Off, SettingNames, StructuredOutput, Thinking, ToolsApi},
};
#[cfg(feature = "conversions")]
pub use run::{
    AnthropicVersion, Dialect, DuplicateResults, ErrorCode, ErrorStyle, Forms, GeminiResultKey, GeminiSchema,
    InputExamples, JsonResults, Lossy, MidSystem, MissingResults, Options, OrphanResults, Platform, Provider,
    ReasoningShown, SchemaUse, StreamPlace, SystemRole, ToolwireError, Warning, WarningCode, error::Result,
    model_facts,
};
#[cfg(feature = "conversions")]
pub use servers::{Server, ServerFacts, ServerProfile, facts as server_facts, server_of};

/// The crate's example in the README, as a doc test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// The guide to the crate, as doc tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/guides/rust-crate.md")]
pub struct Guide;
