//! Passes errors to JavaScript.

use crate::convert::Subject;
use crate::run::{Dialect, ErrorCode, StreamPlace, ToolwireError};
use serde::Serialize;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/bindings/shared.js")]
extern "C" {
    #[wasm_bindgen(js_name = makeError)]
    fn make_error(fields: &JsValue) -> JsValue;
    fn fail(error: &JsValue);
}

/// The fields of a `ToolwireError`.
#[derive(Serialize)]
struct Fields<'a> {
    code: ErrorCode,
    message: String,
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    dialect: Option<Dialect>,
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<StreamPlace>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<Input>,
}

/// What was being read, so that the facade can describe what the input appears to be instead.
#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Input {
    pub subject: Subject,
    pub from: Dialect,
    /// Whether text must be parsed first.
    pub is_value: bool,
}

#[wasm_bindgen(module = "/src/value/js/values.js")]
extern "C" {
    /// A short description of a thrown value. Never throws.
    #[wasm_bindgen(js_name = messageOf)]
    pub fn message_of(thrown: &JsValue) -> String;
}

/// A value, or the value that JavaScript throws.
pub type JsResult = Result<JsValue, JsValue>;

/// The return value of an exported function: undefined if the facade must throw. A `Result` would be passed as three numbers, which
/// requires glue code to read them.
pub fn given(outcome: JsResult) -> JsValue {
    outcome.unwrap_or_else(|error| {
        fail(&error);
        JsValue::UNDEFINED
    })
}

/// A JavaScript `ToolwireError`.
pub fn thrown(error: &ToolwireError) -> JsValue {
    thrown_in(error, None)
}

/// The same for an error in an input.
pub fn thrown_in(error: &ToolwireError, task: Option<Input>) -> JsValue {
    let ToolwireError { code, path, dialect, stream, .. } = error;
    let fields = Fields { code: *code, message: error.to_string(), path, dialect: *dialect, place: *stream, task };
    serde_wasm_bindgen::to_value(&fields).map_or_else(JsValue::from, |fields| make_error(&fields))
}

/// An error about a whole argument.
pub fn refused(code: ErrorCode, message: impl Into<String>) -> Box<ToolwireError> {
    Box::new(ToolwireError { code, message: message.into(), path: String::new(), dialect: None, stream: None })
}

/// The error for an exception of the caller's own code, such as a getter, while its value was read.
pub fn unreadable(what: &str, cause: &JsValue) -> Box<ToolwireError> {
    refused(ErrorCode::Unreadable, format!("{what}: {}", message_of(cause)))
}
