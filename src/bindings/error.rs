//! Errors on their way to JavaScript.

use crate::run::{Dialect, ErrorCode, ToolwireError};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/bindings/error.js")]
extern "C" {
    #[wasm_bindgen(js_name = makeError)]
    fn make_error(
        code: &str,
        message: &str,
        path: &str,
        dialect: Option<&str>,
        offset: Option<f64>,
        event: Option<f64>,
    ) -> JsValue;
    fn fail(error: &JsValue);
}

#[wasm_bindgen(module = "/src/value/js/values.js")]
extern "C" {
    /// What was thrown, in a few words; never throws.
    #[wasm_bindgen(js_name = messageOf)]
    fn message_of(thrown: &JsValue) -> String;
}

/// A value, or what JavaScript is to throw.
pub type Outcome = Result<JsValue, JsValue>;

/// What an exported function gives: the value, or undefined where the facade is to throw. A result would cross as three numbers,
/// and take a function of the glue's to read them.
pub fn given(outcome: Outcome) -> JsValue {
    outcome.unwrap_or_else(|error| {
        fail(&error);
        JsValue::UNDEFINED
    })
}

/// A `ToolwireError` of JavaScript's.
pub fn thrown(error: &ToolwireError) -> JsValue {
    let (offset, event) = error.stream.map(|place| (place.offset as f64, place.event as f64)).unzip();
    make_error(error.code.name(), &error.message, &error.path, error.dialect.map(Dialect::name), offset, event)
}

/// An error about an argument as a whole.
pub fn refused(code: ErrorCode, message: impl Into<String>) -> Box<ToolwireError> {
    Box::new(ToolwireError { code, message: message.into(), path: String::new(), dialect: None, stream: None })
}

/// An error for what the caller's own code threw while it was read.
pub fn unreadable(what: &str, cause: &JsValue) -> Box<ToolwireError> {
    refused(ErrorCode::Unreadable, format!("{what}: {}", message_of(cause)))
}
