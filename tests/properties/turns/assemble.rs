//! Assembles streams to whole responses like the clients of each format.

use super::client::list;
use super::upstream::text;
use serde_json::{Map, Value, json};
use toolwire::Dialect;

pub fn assembled(dialect: Dialect, bytes: &[u8]) -> Value {
    let events = events(dialect, bytes);
    match dialect.base() {
        Dialect::OpenAI => chat(&events),
        Dialect::OpenAIResponses => events.last().map(|last| last["response"].clone()).unwrap_or_default(),
        Dialect::Anthropic => anthropic(&events),
        Dialect::Ollama => ollama(&events),
        _ => google(&events),
    }
}

fn events(dialect: Dialect, bytes: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(bytes).unwrap();
    let lines = text.lines().filter_map(|line| match dialect.base() {
        Dialect::Ollama => Some(line),
        _ => line.strip_prefix("data: ").filter(|data| *data != "[DONE]"),
    });
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Appends to a text that may be absent or null.
fn append(object: &mut Value, key: &str, piece: &Value) {
    if piece.is_string() {
        object[key] = (text(&object[key]) + &text(piece)).into();
    }
}

fn chat(chunks: &[Value]) -> Value {
    let mut message = json!({ "role": "assistant", "content": null, "refusal": null });
    let mut calls: Vec<Value> = Vec::new();
    let mut details: Vec<Value> = Vec::new();
    for delta in chunks.iter().map(|chunk| &chunk["choices"][0]["delta"]) {
        for key in ["reasoning_content", "content", "refusal"] {
            append(&mut message, key, &delta[key]);
        }
        details.extend(list(&delta["reasoning_details"]).iter().cloned());
        for piece in list(&delta["tool_calls"]) {
            let index = piece["index"].as_u64().unwrap() as usize;
            // a call that is emitted complete at its end may come after calls that began later
            while calls.len() <= index {
                calls.push(json!({}));
            }
            for (key, value) in piece.as_object().into_iter().flatten().filter(|(key, _)| *key != "index") {
                if key != "function" && key != "custom" {
                    calls[index][key] = value.clone();
                    continue;
                }
                let mut inner = calls[index][key].as_object().cloned().map_or(json!({}), Value::Object);
                for (name, value) in value.as_object().into_iter().flatten() {
                    append(&mut inner, name, value);
                }
                calls[index][key] = inner;
            }
        }
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    if !details.is_empty() {
        message["reasoning_details"] = details.into();
    }
    json!({ "choices": [{ "message": message }] })
}

fn anthropic(events: &[Value]) -> Value {
    let mut blocks: Vec<Value> = Vec::new();
    let mut input = String::new();
    for event in events {
        let Some(block) = event["index"].as_u64().map(|index| index as usize) else { continue };
        match event["type"].as_str() {
            Some("content_block_start") => {
                blocks.push(event["content_block"].clone());
                input.clear();
            }
            Some("content_block_delta") => {
                let delta = &event["delta"];
                append(&mut blocks[block], "text", &delta["text"]);
                append(&mut blocks[block], "thinking", &delta["thinking"]);
                append(&mut blocks[block], "signature", &delta["signature"]);
                if let Some(citations) = blocks[block].get_mut("citations").and_then(Value::as_array_mut) {
                    citations.extend(delta.get("citation").cloned());
                }
                input.push_str(delta["partial_json"].as_str().unwrap_or_default());
            }
            // clients use the received part of arguments that are cut off
            _ if !input.is_empty() => blocks[block]["input"] = serde_json::from_str(&input).unwrap_or(json!({})),
            _ => {}
        }
    }
    json!({ "content": blocks })
}

/// Joins consecutive texts up to a signature. The empty text at the end of a stream is ignored.
fn google(chunks: &[Value]) -> Value {
    let mut parts: Vec<Value> = Vec::new();
    let contents = chunks.iter().map(|chunk| &chunk["candidates"][0]["content"]);
    let says_more = |content: &&Value| list(&content["parts"]).iter().any(|part| *part != json!({ "text": "" }));
    let contents: Vec<&Value> = contents.filter(says_more).collect();
    for part in chunks.iter().flat_map(|chunk| list(&chunk["candidates"][0]["content"]["parts"])) {
        if *part == json!({ "text": "" }) {
            continue;
        }
        let keys = |part: &Value| part.as_object().map(Map::len).unwrap_or_default();
        match parts.last_mut() {
            Some(last)
                if last["text"].is_string()
                    && part["text"].as_str().is_some_and(|text| !text.is_empty())
                    && last["thought"] == part["thought"]
                    && last["thoughtSignature"].is_null()
                    && keys(last) <= keys(part) =>
            {
                let whole = text(&last["text"]) + &text(&part["text"]);
                *last = part.clone();
                last["text"] = whole.into();
            }
            _ => parts.push(part.clone()),
        }
    }
    let content = if parts.is_empty() { Value::Null } else { json!({ "role": "model", "parts": parts }) };
    json!({ "candidates": [{ "content": content }], "chunks": contents })
}

fn ollama(lines: &[Value]) -> Value {
    let mut message = json!({ "role": "assistant", "content": "" });
    let mut calls: Vec<Value> = Vec::new();
    for line in lines {
        append(&mut message, "content", &line["message"]["content"]);
        append(&mut message, "thinking", &line["message"]["thinking"]);
        calls.extend(list(&line["message"]["tool_calls"]).iter().cloned());
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    json!({ "message": message })
}
