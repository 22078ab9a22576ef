//! Assembles streams to whole responses like the clients of each format.

use super::binary;
use super::client::list;
use super::shape;
use super::upstream::text;
use serde_json::{Map, Value, json};
use toolwire::Dialect;

pub fn assembled(dialect: Dialect, bytes: &[u8]) -> Value {
    let events = events(dialect, bytes);
    match shape(dialect) {
        Dialect::OpenAI => chat(&events),
        Dialect::OpenAIResponses => events.last().map(|last| last["response"].clone()).unwrap_or_default(),
        Dialect::Anthropic => anthropic(&events),
        Dialect::Ollama => ollama(&events),
        Dialect::Mistral => mistral(&events),
        Dialect::Cohere => cohere(&events),
        Dialect::Bedrock => bedrock(&events),
        Dialect::GeminiInteractions => interactions(&events),
        _ => google(&events),
    }
}

fn events(dialect: Dialect, bytes: &[u8]) -> Vec<Value> {
    let text = match shape(dialect) {
        Dialect::Bedrock => binary::lines(bytes).unwrap(),
        _ => String::from_utf8(bytes.to_vec()).unwrap(),
    };
    let lines = text.lines().filter_map(|line| match shape(dialect) {
        Dialect::Ollama | Dialect::Bedrock => Some(line),
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

/// Appends a chunk to those of a message of Mistral: pieces of a text or thought of one kind are joined.
pub fn add_chunk(chunks: &mut Vec<Value>, chunk: &Value) {
    let is_text = chunk["type"] == "text";
    match chunks.last_mut().filter(|last| last["type"] == chunk["type"]) {
        Some(last) if is_text => append(last, "text", &chunk["text"]),
        Some(last) if chunk["type"] == "thinking" && last["signature"].is_null() => {
            let mut inner = list(&last["thinking"]).to_vec();
            list(&chunk["thinking"]).iter().for_each(|piece| add_chunk(&mut inner, piece));
            last["thinking"] = inner.into();
            append(last, "signature", &chunk["signature"]);
        }
        _ => chunks.push(chunk.clone()),
    }
}

/// A message of Mistral: its content is a text, or chunks if it has others than texts.
pub fn chunked(chunks: Vec<Value>, calls: Vec<Value>) -> Value {
    let content = match chunks.as_slice() {
        [] if calls.is_empty() => "".into(),
        [] => Value::Null,
        [only] if only["type"] == "text" => only["text"].clone(),
        _ => chunks.into(),
    };
    let mut message = json!({ "role": "assistant", "content": content });
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

fn mistral(events: &[Value]) -> Value {
    let (mut chunks, mut calls) = (Vec::new(), Vec::new());
    for delta in events.iter().map(|event| &event["choices"][0]["delta"]) {
        match delta["content"].as_str() {
            Some("") => {}
            Some(text) => add_chunk(&mut chunks, &json!({ "type": "text", "text": text })),
            None => list(&delta["content"]).iter().for_each(|chunk| add_chunk(&mut chunks, chunk)),
        }
        calls.extend(list(&delta["tool_calls"]).iter().cloned());
    }
    json!({ "choices": [{ "message": chunked(chunks, calls) }] })
}

fn cohere(events: &[Value]) -> Value {
    let mut message = json!({ "role": "assistant" });
    for event in events {
        let place = event["index"].as_u64().unwrap_or_default() as usize;
        let delta = &event["delta"]["message"];
        match event["type"].as_str() {
            Some("content-start") => add(&mut message, "content", place, &delta["content"]),
            Some("content-delta") => {
                for key in ["text", "thinking"] {
                    append(&mut message["content"][place], key, &delta["content"][key]);
                }
            }
            Some("tool-plan-delta") => append(&mut message, "tool_plan", &delta["tool_plan"]),
            Some("tool-call-start") => add(&mut message, "tool_calls", place, &delta["tool_calls"]),
            Some("tool-call-delta") => {
                let function = &mut message["tool_calls"][place]["function"];
                append(function, "arguments", &delta["tool_calls"]["function"]["arguments"]);
            }
            _ => {}
        }
    }
    json!({ "message": message })
}

/// Adds an element to a list that may be absent.
fn add(object: &mut Value, key: &str, place: usize, element: &Value) {
    let mut all = list(&object[key]).to_vec();
    all.resize(all.len().max(place + 1), Value::Null);
    all[place] = element.clone();
    object[key] = all.into();
}

fn bedrock(events: &[Value]) -> Value {
    let mut blocks: Vec<Value> = Vec::new();
    let mut input = String::new();
    for event in events {
        let (kind, event) = event.as_object().unwrap().iter().next().unwrap();
        let Some(place) = event["contentBlockIndex"].as_u64().map(|place| place as usize) else { continue };
        if blocks.len() <= place {
            blocks.resize(place + 1, json!({}));
            input.clear();
        }
        let block = &mut blocks[place];
        match kind.as_str() {
            "contentBlockStart" => *block = event["start"].clone(),
            "contentBlockDelta" => add_delta(block, &event["delta"], &mut input),
            _ if block.get("toolUse").is_some() => {
                // clients use the received part of arguments that are cut off
                block["toolUse"]["input"] = serde_json::from_str(&input).unwrap_or(json!({}));
            }
            _ => {}
        }
    }
    json!({ "output": { "message": { "role": "assistant", "content": blocks } } })
}

fn add_delta(block: &mut Value, delta: &Value, input: &mut String) {
    let thought = &delta["reasoningContent"];
    append(block, "text", &delta["text"]);
    input.push_str(delta["toolUse"]["input"].as_str().unwrap_or_default());
    if thought["redactedContent"].is_string() {
        *block = json!({ "reasoningContent": thought });
    }
    for key in ["text", "signature"] {
        if thought[key].is_string() {
            append(&mut block["reasoningContent"]["reasoningText"], key, &thought[key]);
        }
    }
    if let Some(citation) = delta.get("citation") {
        let mut citations = list(&block["citationsContent"]["citations"]).to_vec();
        citations.push(citation.clone());
        let content = match block.get("text") {
            Some(text) => json!([{ "text": text }]),
            None => block["citationsContent"]["content"].clone(),
        };
        *block = json!({ "citationsContent": { "content": content, "citations": citations } });
    }
    if let Some(parts) = delta["toolResult"].as_array() {
        let all: Vec<Value> = list(&block["toolResult"]["content"]).iter().chain(parts).cloned().collect();
        block["toolResult"]["content"] = all.into();
    }
}

fn interactions(events: &[Value]) -> Value {
    let mut steps: Vec<Value> = Vec::new();
    let mut input = String::new();
    for event in events {
        let Some(place) = event["index"].as_u64().map(|place| place as usize) else { continue };
        let delta = &event["delta"];
        match event["event_type"].as_str() {
            Some("step.start") => {
                steps.push(event["step"].clone());
                input.clear();
            }
            Some("step.delta") => match delta["type"].as_str() {
                Some("text") => add_text(&mut steps[place], "content", delta),
                Some("thought_summary") => add_text(&mut steps[place], "summary", &delta["content"]),
                Some("thought_signature") => append(&mut steps[place], "signature", &delta["signature"]),
                Some("text_annotation_delta") => {
                    steps[place]["content"][0]["annotations"] = delta["annotations"].clone();
                }
                _ => input.push_str(delta["arguments"].as_str().unwrap_or_default()),
            },
            _ if !input.is_empty() => {
                steps[place]["arguments"] = serde_json::from_str(&input).unwrap_or(json!({}));
            }
            _ => {}
        }
    }
    json!({ "steps": steps })
}

/// Appends to the last text of a list that may be absent.
fn add_text(step: &mut Value, key: &str, content: &Value) {
    let mut all = list(&step[key]).to_vec();
    match all.last_mut().filter(|last| last["type"] == "text") {
        Some(last) => append(last, "text", &content["text"]),
        None => all.push(content.clone()),
    }
    step[key] = all.into();
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
