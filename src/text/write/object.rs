//! Writes responses as one JSON object, for servers that enforce JSON.

use super::node::JsonValue;
use crate::json::{Value, json};

/// Writes an assistant message as the object that the prompt describes. Reasoning and other blocks are omitted.
#[must_use]
pub fn object_as_text(message: &Value) -> String {
    let calls = ["toolCalls", "invalidToolCalls"].into_iter().filter_map(|list| message.get(list)?.as_array());
    let calls: Vec<JsonValue> = calls.flatten().map(call).collect();
    let entries = [("text", JsonValue::from(&json!(text_of(message)))), ("calls", JsonValue::Array(calls))];
    JsonValue::Object(entries.map(|(key, value)| (key.to_owned(), value)).into()).json()
}

fn text_of(message: &Value) -> String {
    match message.get("content") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let is_shown =
                |block: &&Value| matches!(block.get("type").and_then(Value::as_str), Some("text" | "refusal"));
            blocks.iter().filter(is_shown).filter_map(|block| block.get("text").and_then(Value::as_str)).collect()
        }
        _ => String::new(),
    }
}

/// Writes arguments that are not a JSON object as a string.
fn call(call: &Value) -> JsonValue {
    let raw = call.get("rawArguments").or_else(|| call.pointer("/metadata/rawArguments")).and_then(Value::as_str);
    let arguments = match call.get("arguments") {
        Some(arguments) => JsonValue::with_digits(arguments, raw),
        None => JsonValue::String(raw.unwrap_or_default().to_owned()),
    };
    let name = JsonValue::from(call.get("name").unwrap_or(&Value::Null));
    JsonValue::Object(vec![("name".into(), name), ("arguments".into(), arguments)])
}
