//! Converts calls and results in the history to text, in the form that the prompt describes.

use crate::json::{Value, json};
use crate::text::write::{Form, WriteWarning, Written, calls_as_text, object_as_text, results_as_text};

#[derive(Default)]
pub(super) struct Warnings {
    pub list: Vec<WriteWarning>,
}

impl Warnings {
    pub fn add(&mut self, path: &str, message: &str) {
        self.list.push(WriteWarning { path: path.to_owned(), message: message.to_owned() });
    }

    pub fn text_of(&mut self, written: Written, path: impl Fn(&str) -> String) -> String {
        let warnings = written.warnings.into_iter();
        self.list.extend(warnings.map(|warning| WriteWarning { path: path(&warning.path), ..warning }));
        written.text
    }
}

fn role(message: &Value) -> &str {
    message.get("role").and_then(Value::as_str).unwrap_or_default()
}

/// Converts calls to text, and consecutive results to one user message. If every response is a JSON object, assistant messages without
/// calls become objects as well, except for a final one, which the model continues.
pub(super) fn as_text(messages: &[Value], form: &Form, is_object: bool, warnings: &mut Warnings) -> Vec<Value> {
    let mut written = Vec::new();
    let mut index = 0;
    while let Some(message) = messages.get(index) {
        let results = results(messages, index);
        if !results.is_empty() {
            written.push(results_message(results, index, form, warnings));
            index += results.len();
            continue;
        }
        let is_response = is_object && role(message) == "assistant" && index + 1 < messages.len();
        written.push(match has_calls(message) {
            _ if is_response => without_calls(message, object_as_text),
            true => without_calls(message, |source| {
                warnings.text_of(calls_as_text(source, form), |path| format!("/messages/{index}{path}"))
            }),
            false => message.clone(),
        });
        index += 1;
    }
    written
}

/// The consecutive results that start at this index.
pub(super) fn results(messages: &[Value], index: usize) -> &[Value] {
    let rest = messages.get(index..).unwrap_or_default();
    let count = rest.iter().take_while(|message| role(message) == "tool").count();
    rest.get(..count).unwrap_or_default()
}

pub(super) fn has_calls(message: &Value) -> bool {
    let has = |key| message.get(key).and_then(Value::as_array).is_some_and(|calls| !calls.is_empty());
    role(message) == "assistant" && (has("toolCalls") || has("invalidToolCalls"))
}

/// The ids of the calls in messages.
pub(super) fn ids(messages: &Value) -> Vec<String> {
    let messages = messages.as_array().into_iter().flatten();
    let calls = messages.flat_map(|message| ["toolCalls", "invalidToolCalls"].map(|key| message.get(key)));
    let calls = calls.flatten().filter_map(Value::as_array).flatten();
    calls.filter_map(|call| Some(call.get("id")?.as_str()?.to_owned())).collect()
}

/// Replaces text and calls by the written text. Reasoning and other blocks are kept, before the text.
fn without_calls(message: &Value, write: impl FnOnce(&Value) -> String) -> Value {
    let is_written = |block: &Value| matches!(block.get("type").and_then(Value::as_str), Some("text" | "toolCall"));
    let blocks = message.get("content").and_then(Value::as_array).cloned().unwrap_or_default();
    let (texts, mut kept): (Vec<Value>, Vec<Value>) = blocks.into_iter().partition(is_written);
    let mut source = message.clone();
    if let (Some(fields), false) = (source.as_object_mut(), kept.is_empty()) {
        fields.insert("content".into(), Value::Array(texts));
    }
    let text = write(&source);
    let mut written = message.clone();
    if let Some(fields) = written.as_object_mut() {
        fields.shift_remove("toolCalls");
        fields.shift_remove("invalidToolCalls");
        let content = if kept.is_empty() {
            json!(text)
        } else {
            kept.push(json!({ "type": "text", "text": text }));
            Value::Array(kept)
        };
        fields.insert("content".into(), content);
    }
    written
}

/// A user message with the results. Media follow the text.
fn results_message(results: &[Value], index: usize, form: &Form, warnings: &mut Warnings) -> Value {
    let numbered = results.iter().enumerate().map(|(at, result)| (index + at, result));
    let (text, mut media) = text_and_media(numbered, form, warnings);
    if media.is_empty() {
        return json!({ "role": "user", "content": text });
    }
    media.insert(0, json!({ "type": "text", "text": text }));
    json!({ "role": "user", "content": media })
}

/// Results, each with the index of its message, as text, and their media.
pub(super) fn text_and_media<'a>(
    results: impl Iterator<Item = (usize, &'a Value)>,
    form: &Form,
    warnings: &mut Warnings,
) -> (String, Vec<Value>) {
    let mut media = Vec::new();
    let (indices, mut texts): (Vec<usize>, Vec<Value>) = results.map(|(index, result)| (index, result.clone())).unzip();
    for result in &mut texts {
        let is_multimodal = result.get("kind").and_then(Value::as_str) == Some("multimodal");
        if is_multimodal && let Some(Value::Array(blocks)) = result.get_mut("value") {
            blocks.retain(|block| {
                let is_media = block.get("source").is_some();
                if is_media {
                    media.push(block.clone());
                }
                !is_media
            });
        }
    }
    // the path of a warning starts with the index of the result
    let path = |path: &str| {
        let (first, rest) = path.trim_start_matches('/').split_once('/').unwrap_or_default();
        let index = first.parse().ok().and_then(|first: usize| indices.get(first)).copied().unwrap_or_default();
        format!("/messages/{index}/{rest}")
    };
    (warnings.text_of(results_as_text(&texts, form), path), media)
}

/// The text of a final assistant message, which the response continues.
pub(super) fn prefill(messages: &[Value]) -> String {
    let last = messages.last().filter(|message| role(message) == "assistant");
    match last.and_then(|message| message.get("content")) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            blocks.iter().filter_map(|block| block.get("text").and_then(Value::as_str)).collect()
        }
        _ => String::new(),
    }
}

/// Adds a paragraph before or after the text of a message.
pub(super) fn add_text(message: &mut Value, text: &str, after: bool) {
    match message.get_mut("content") {
        Some(Value::String(content)) if content.is_empty() => text.clone_into(content),
        Some(Value::String(content)) if after => *content = format!("{content}\n\n{text}"),
        Some(Value::String(content)) => *content = format!("{text}\n\n{content}"),
        Some(Value::Array(blocks)) => {
            let position = if after { blocks.len() } else { 0 };
            blocks.insert(position, json!({ "type": "text", "text": text }));
        }
        _ => {
            if let Some(fields) = message.as_object_mut() {
                fields.insert("content".into(), json!(text));
            }
        }
    }
}
