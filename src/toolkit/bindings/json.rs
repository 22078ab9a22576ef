//! Converts values from and to JavaScript.

use crate::json::{self, ToJson, Value, json};
use crate::toolkit::{Checked, ErrorCode, Problem, ProblemCode, Result, ToolkitError};
use wasm_bindgen::prelude::*;

pub type JsResult<T> = std::result::Result<T, JsValue>;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON, catch)]
    fn parse(text: &str) -> JsResult<JsValue>;
}

/// The object that is thrown for an error.
pub fn thrown(error: ToolkitError) -> JsValue {
    let text = json!({ "code": error.code.name(), "path": error.path, "message": error.message }).to_string();
    parse(&text).unwrap_or(JsValue::UNDEFINED)
}

pub fn given(value: &impl ToJson) -> String {
    value.to_json().to_string()
}

/// Parses a value of the caller, as serialized by `JSON.stringify`.
///
/// # Errors
/// The value is nested too deeply.
pub fn value(text: &str) -> std::result::Result<Value, String> {
    // JSON text may contain unpaired surrogates, which Rust strings can't represent.
    json::from_str(text).or_else(|error| match crate::toolkit::repair_json(text, &Default::default()) {
        Ok(repaired) => json::from_str(&repaired.text).map_err(|error| error.to_string()),
        Err(_) => Err(error.to_string()),
    })
}

/// Parses a value that is checked.
pub fn read_value(text: &str) -> std::result::Result<Value, Problem> {
    value(text).map_err(|error| {
        let message = format!("invalid_value: the value can't be read: {error}. Send a simpler value.");
        Problem { code: ProblemCode::Invalid, path: String::new(), message, schema_path: None }
    })
}

/// Parses options, a tool, or other fields that the programmer wrote.
pub fn options_of(what: &str, text: &str) -> Result<Value> {
    value(text)
        .map_err(|error| ToolkitError::new(ErrorCode::InvalidOptions, "", format!("{what} can't be read: {error}")))
}

impl From<Problem> for Checked {
    /// The result for a value that can't be read.
    fn from(problem: Problem) -> Self {
        Self { value: Value::Null, problems: vec![problem], changes: Vec::new() }
    }
}
