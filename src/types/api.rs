//! Conversions from and to these types, for Rust programs.

use super::request::ChatRequest;
use super::response::ChatResponse;
use crate::convert::{Converted, Subject, convert_text};
use crate::run::error::Result;
use crate::run::{Dialect, ErrorCode, Options, ToolwireError, Warning};
use serde::Serialize;

/// A response that was read, and the warnings about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Received {
    pub response: ChatResponse,
    pub warnings: Vec<Warning>,
}

/// Converts a request to a body in the format `to`, as UTF-8 JSON.
///
/// ```
/// use toolwire::types::{ChatRequest, Message, to_body};
/// use toolwire::{Dialect, Options};
///
/// let request = ChatRequest { model: Some("m".into()), messages: vec![Message::user("Hi")], ..ChatRequest::default() };
/// let body = to_body(&request, Dialect::OpenAI, Options::default())?.body;
/// assert_eq!(body, br#"{"model":"m","messages":[{"role":"user","content":"Hi"}]}"#);
/// # Ok::<(), Box<toolwire::ToolwireError>>(())
/// ```
///
/// # Errors
/// [`ToolwireError`] with the path of what the target does not accept.
pub fn to_body<M: Serialize>(request: &ChatRequest<M>, to: Dialect, options: Options) -> Result<Converted> {
    let text = serde_json::to_vec(request)
        .map_err(|error| failed(ErrorCode::InvalidValue, Dialect::Canonical, error.to_string()))?;
    convert_text(text, Subject::Request, Dialect::Canonical, to, options)
}

/// Reads a response body in the format `from`.
///
/// ```
/// use toolwire::types::from_body;
/// use toolwire::{Dialect, Options};
///
/// let body = br#"{"choices":[{"message":{"role":"assistant","content":"Hello"},"finish_reason":"stop"}]}"#;
/// let received = from_body(body.to_vec(), Dialect::OpenAI, Options::default())?;
/// assert_eq!(received.response.text, "Hello");
/// # Ok::<(), Box<toolwire::ToolwireError>>(())
/// ```
///
/// # Errors
/// [`ToolwireError`] with the path of what is invalid; `invalid_value` for a number that an `f64` can't represent.
pub fn from_body(body: Vec<u8>, from: Dialect, options: Options) -> Result<Received> {
    let converted = convert_text(body, Subject::Response, from, Dialect::Canonical, options)?;
    let response = serde_json::from_slice(&converted.body)
        .map_err(|error| failed(ErrorCode::InvalidValue, from, error.to_string()))?;
    Ok(Received { response, warnings: converted.warnings })
}

fn failed(code: ErrorCode, dialect: Dialect, message: String) -> Box<ToolwireError> {
    Box::new(ToolwireError {
        code,
        message,
        path: String::new(),
        dialect: dialect.provider().map(|_| dialect),
        stream: None,
    })
}
