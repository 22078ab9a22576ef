//! Values on their way to and from JavaScript.

use crate::json::{self, ToJson, Value, json};
use crate::toolkit::{ErrorCode, Problem, ProblemCode, ToolkitError};
use js_sys::{Array, JSON};
use wasm_bindgen::prelude::*;

pub type Outcome<T> = Result<T, JsValue>;

/// What JavaScript throws.
pub fn thrown(error: &ToolkitError) -> JsValue {
    parsed(&json!({ "code": error.code.name(), "path": error.path, "message": error.message }).to_string())
}

pub fn refused(message: impl Into<String>) -> JsValue {
    thrown(&ToolkitError { code: ErrorCode::InvalidOptions, path: String::new(), message: message.into() })
}

/// JSON text as a value of JavaScript's.
pub fn parsed(text: &str) -> JsValue {
    JSON::parse(text).unwrap_or(JsValue::UNDEFINED)
}

pub fn given<T: JsCast>(value: &impl ToJson) -> T {
    handed(&value.to_json()).unchecked_into()
}

pub fn handed(value: &Value) -> JsValue {
    parsed(&value.to_string())
}

/// The JSON text of a value: none of undefined and of functions.
///
/// # Errors
/// What the engine throws for cycles and bigints, in words.
pub fn text(value: &JsValue) -> Result<Option<String>, String> {
    match JSON::stringify(value) {
        Ok(text) => Ok(text.as_string()),
        Err(error) => Err(error
            .dyn_into::<js_sys::Error>()
            .map_or_else(|_| "it can't be read".into(), |error| error.message().into())),
    }
}

/// A value of the caller's; null if it is undefined.
pub fn value(value: &JsValue) -> Result<Value, String> {
    let Some(text) = text(value)? else { return Ok(Value::Null) };
    // Halves of surrogate pairs, which JSON text may contain, are no text in Rust.
    json::from_str(&text).or_else(|error| match crate::toolkit::repair_json(&text, &Default::default()) {
        Ok(repaired) => json::from_str(&repaired.text).map_err(|error| error.to_string()),
        Err(_) => Err(error.to_string()),
    })
}

/// Options, a tool, or other fields that the programmer wrote; an empty object if it is undefined.
pub fn fields<T>(what: &str, given: &JsValue, read: impl FnOnce(&Value) -> crate::toolkit::Result<T>) -> Outcome<T> {
    let wrong = |error: String| refused(format!("{what} can't be read: {error}"));
    let value = if given.is_undefined() { json!({}) } else { value(given).map_err(wrong)? };
    read(&value).map_err(|error| thrown(&error))
}

/// The problem of a value that has no JSON text.
pub fn unreadable(message: &str) -> Problem {
    Problem {
        code: ProblemCode::Invalid,
        path: String::new(),
        message: format!("invalid_value: the value can't be represented as JSON: {message}"),
        schema_path: None,
    }
}

pub fn list(items: &[impl ToJson]) -> JsValue {
    if items.is_empty() { Array::new().into() } else { given(&items) }
}
