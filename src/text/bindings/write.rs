//! Bindings for writing prompts, calls and results as text.

use super::{JsResult, read_json, thrown};
use crate::json::{Value, json};
use crate::text::write::{Form, PromptOptions, Written};
use crate::text::{Tool, write};
use wasm_bindgen::prelude::*;

#[wasm_bindgen(js_name = toolPrompt)]
pub fn tool_prompt(tools: &str, options: &str) -> JsResult<String> {
    let tools = Tool::list(&read_json("the tools", tools)?).map_err(|error| thrown(&error))?;
    let options = PromptOptions::of(&read_json("the options", options)?).map_err(|error| thrown(&error))?;
    Ok(write::tool_prompt(&tools, &options))
}

/// Returns `{text, warnings}` as JSON text.
#[wasm_bindgen(js_name = callsAsText)]
pub fn calls_as_text(message: &str, format: &str) -> JsResult<String> {
    let message = read_json("the message", message)?;
    Ok(written(&write::calls_as_text(&message, form(format)?)))
}

/// Returns `{text, warnings}` as JSON text.
#[wasm_bindgen(js_name = resultsAsText)]
pub fn results_as_text(results: &str, format: &str) -> JsResult<String> {
    let results = read_json("the results", results)?;
    let items = results.as_array().map(Vec::as_slice).unwrap_or_default();
    Ok(written(&write::results_as_text(items, form(format)?)))
}

fn form(id: &str) -> JsResult<&'static Form> {
    Form::of(id).map_err(|error| thrown(&error))
}

fn written(written: &Written) -> String {
    let warnings = written.warnings.iter().map(|warning| json!({ "path": warning.path, "message": warning.message }));
    let warnings: Vec<Value> = warnings.collect();
    json!({ "text": written.text, "warnings": warnings }).to_string()
}
