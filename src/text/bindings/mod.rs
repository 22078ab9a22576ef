//! The JavaScript bindings of the text formats.
//!
//! Values are passed as JSON text. Errors are thrown as plain objects `{path, message}`, which the JavaScript code converts to
//! `ToolwireError`.

mod grammar;
mod read;
mod simulate;
mod write;

use super::error::TextError;
use crate::json::{Value, json};
use wasm_bindgen::prelude::*;

type JsResult<T> = Result<T, JsValue>;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = JSON, catch)]
    fn parse(text: &str) -> JsResult<JsValue>;
}

fn thrown(error: &TextError) -> JsValue {
    let text = json!({ "path": error.path, "message": error.message }).to_string();
    parse(&text).unwrap_or(JsValue::UNDEFINED)
}

/// Parses JSON text that the JavaScript code serialized.
fn read_json(what: &str, text: &str) -> JsResult<Value> {
    crate::json::from_str(text).map_err(|error| thrown(&TextError::new("", format!("{what} can't be read: {error}"))))
}
