//! Converts calls and results in the history to calls and results of the freeform tool that carries them.

use super::history::{Warnings, has_calls, results, text_and_media};
use crate::json::{Map, Value, json};
use crate::text::write::{Form, calls_as_text};

/// All calls of a message become one call. It has the id of the first of them.
pub(super) fn carried(messages: &[Value], form: &Form, tool: &str, warnings: &mut Warnings) -> Vec<Value> {
    let mut history = History { form, tool, owners: Vec::new(), warnings };
    let mut written = Vec::new();
    let mut index = 0;
    while let Some(message) = messages.get(index) {
        let results = results(messages, index);
        if !results.is_empty() {
            history.results(results, index, &mut written);
            index += results.len();
            continue;
        }
        written.push(if has_calls(message) { history.call(message, index) } else { message.clone() });
        index += 1;
    }
    written
}

struct History<'a> {
    form: &'a Form,
    tool: &'a str,
    /// The ids of calls, each with the id of the call that carries it.
    owners: Vec<(String, String)>,
    warnings: &'a mut Warnings,
}

impl History<'_> {
    fn call(&mut self, message: &Value, index: usize) -> Value {
        let Value::Object(fields) = message else { return message.clone() };
        let mut written = fields.clone();
        let mut calls = Map::new();
        for list in ["toolCalls", "invalidToolCalls"] {
            calls.extend(written.shift_remove(list).map(|list_of_calls| (list.to_owned(), list_of_calls)));
        }
        let lists = calls.values().filter_map(Value::as_array);
        let ids: Vec<String> = lists.flatten().map(|call| text(call, "id")).collect();
        let id = ids.first().cloned().unwrap_or_default();
        self.owners.extend(ids.into_iter().map(|known| (known, id.clone())));
        if let Some(Value::Array(blocks)) = written.get_mut("content") {
            keep_one_mark(blocks, &id);
        }
        let at = |path: &str| format!("/messages/{index}{path}");
        let input = self.warnings.text_of(calls_as_text(&Value::Object(calls), self.form), at);
        let metadata = json!({ "openai": { "custom": {} } });
        let call = json!({ "id": id, "name": self.tool, "arguments": { "input": input }, "metadata": metadata });
        written.insert("toolCalls".into(), json!([call]));
        Value::Object(written)
    }

    /// Results of calls that one call carries become its result.
    fn results(&mut self, results: &[Value], index: usize, written: &mut Vec<Value>) {
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        for (at, result) in results.iter().enumerate() {
            let id = text(result, "toolCallId");
            let owner = self.owners.iter().rfind(|(known, _)| *known == id).map_or(id, |(_, owner)| owner.clone());
            match groups.iter_mut().find(|(known, _)| *known == owner) {
                Some((_, group)) => group.push(at),
                None => groups.push((owner, vec![at])),
            }
        }
        for (owner, group) in groups {
            let members = group.iter().filter_map(|at| Some((index + at, results.get(*at)?)));
            let (text, media) = text_and_media(members, self.form, self.warnings);
            let mut result = json!({ "role": "tool", "toolCallId": owner, "name": self.tool });
            if let Some(fields) = result.as_object_mut() {
                let kind = if media.is_empty() { "text" } else { "multimodal" };
                let blocks = std::iter::once(json!({ "type": "text", "text": text })).chain(media.iter().cloned());
                let value = if media.is_empty() { json!(text) } else { blocks.collect() };
                fields.insert("kind".into(), json!(kind));
                fields.insert("value".into(), value);
            }
            written.push(result);
        }
    }
}

fn text(value: &Value, key: &str) -> String {
    value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// Keeps the first `toolCall` block of a call, and removes the others.
fn keep_one_mark(blocks: &mut Vec<Value>, id: &str) {
    let mut is_first = true;
    blocks.retain_mut(|block| {
        if block.get("type").and_then(Value::as_str) != Some("toolCall") {
            return true;
        }
        *block = json!({ "type": "toolCall", "id": id });
        std::mem::replace(&mut is_first, false)
    });
}
