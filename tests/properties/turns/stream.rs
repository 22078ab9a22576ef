//! The same responses as streams of their providers.

use super::client::list;
use super::upstream::text;
use serde_json::{Value, json};
use toolwire::Dialect;

/// The bytes of a stream with the content of the whole response.
pub fn streamed(dialect: Dialect, response: &Value) -> Vec<u8> {
    let events = match dialect.base() {
        Dialect::OpenAI => chat(response),
        Dialect::OpenAIResponses => responses(response),
        Dialect::Anthropic => anthropic(response),
        Dialect::Ollama => ollama(response),
        Dialect::Gemini => google(response),
        _ => canonical(response),
    };
    let mut bytes = String::new();
    for event in events {
        bytes.push_str(&match dialect.base() {
            Dialect::Ollama => format!("{event}\n"),
            Dialect::Anthropic | Dialect::OpenAIResponses => {
                format!("event: {}\ndata: {event}\n\n", text(&event["type"]))
            }
            _ => format!("data: {event}\n\n"),
        });
    }
    if dialect.base() == Dialect::OpenAI {
        bytes.push_str("data: [DONE]\n\n");
    }
    bytes.into_bytes()
}

/// A text in two pieces; an empty text is one piece.
fn pieces(value: &Value) -> Vec<String> {
    let text = text(value);
    let middle = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
    let (start, end) = text.split_at(middle);
    if start.is_empty() { vec![end.to_owned()] } else { vec![start.to_owned(), end.to_owned()] }
}

/// A copy with these members replaced or added.
fn with(value: &Value, members: &[(&str, Value)]) -> Value {
    let mut copy = value.clone();
    for (key, member) in members {
        copy[*key] = member.clone();
    }
    copy
}

fn chat(response: &Value) -> Vec<Value> {
    let message = &response["choices"][0]["message"];
    let chunk = |delta: Value, finish: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish });
        json!({ "id": response["id"], "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice] })
    };
    let mut chunks =
        vec![chunk(json!({ "role": "assistant", "content": message["content"].as_str().map(|_| "") }), Value::Null)];
    for key in ["reasoning_content", "content", "refusal"] {
        if message[key].is_string() {
            chunks.extend(pieces(&message[key]).into_iter().map(|piece| chunk(json!({ (key): piece }), Value::Null)));
        }
    }
    for (index, call) in list(&message["tool_calls"]).iter().enumerate() {
        let (kind, key) = if call["type"] == "custom" { ("custom", "input") } else { ("function", "arguments") };
        let begun = with(call, &[("index", index.into()), (kind, with(&call[kind], &[(key, "".into())]))]);
        chunks.push(chunk(json!({ "tool_calls": [begun] }), Value::Null));
        for piece in pieces(&call[kind][key]) {
            let delta = json!({ "index": index, (kind): { (key): piece } });
            chunks.push(chunk(json!({ "tool_calls": [delta] }), Value::Null));
        }
    }
    chunks.push(chunk(json!({}), response["choices"][0]["finish_reason"].clone()));
    chunks
}

fn responses(response: &Value) -> Vec<Value> {
    let begun = with(response, &[("status", "in_progress".into()), ("output", json!([]))]);
    let mut events = vec![json!({ "type": "response.created", "response": begun })];
    for (index, item) in list(&response["output"]).iter().enumerate() {
        let of_item = |kind: &str, rest: Value| {
            let mut event = json!({ "type": kind, "item_id": item["id"], "output_index": index });
            event.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            event
        };
        let empty = match item["type"].as_str() {
            Some("message") => with(item, &[("content", json!([])), ("status", "in_progress".into())]),
            Some("reasoning") => with(item, &[("summary", json!([])), ("encrypted_content", "".into())]),
            Some("function_call") => with(item, &[("arguments", "".into())]),
            Some("custom_tool_call") => with(item, &[("input", "".into())]),
            _ => item.clone(),
        };
        events.push(json!({ "type": "response.output_item.added", "output_index": index, "item": empty }));
        for (place, part) in list(&item["content"]).iter().enumerate() {
            let (key, kind) = if part["type"] == "refusal" { ("refusal", "refusal") } else { ("text", "output_text") };
            let at = |rest: Value| {
                let mut rest = rest;
                rest["content_index"] = place.into();
                rest
            };
            let empty = with(part, &[(key, "".into())]);
            events.push(of_item("response.content_part.added", at(json!({ "part": empty }))));
            for piece in pieces(&part[key]) {
                events.push(of_item(&format!("response.{kind}.delta"), at(json!({ "delta": piece }))));
            }
            events.push(of_item(&format!("response.{kind}.done"), at(json!({ (key): part[key] }))));
            events.push(of_item("response.content_part.done", at(json!({ "part": part }))));
        }
        for (place, part) in list(&item["summary"]).iter().enumerate() {
            let at = |key: &str, value: Value| json!({ "summary_index": place, (key): value });
            let empty = with(part, &[("text", "".into())]);
            events.push(of_item("response.reasoning_summary_part.added", at("part", empty)));
            for piece in pieces(&part["text"]) {
                events.push(of_item("response.reasoning_summary_text.delta", at("delta", piece.into())));
            }
            events.push(of_item("response.reasoning_summary_text.done", at("text", part["text"].clone())));
            events.push(of_item("response.reasoning_summary_part.done", at("part", part.clone())));
        }
        for (kind, key) in [("function_call_arguments", "arguments"), ("custom_tool_call_input", "input")] {
            if item[key].is_string() {
                for piece in pieces(&item[key]) {
                    events.push(of_item(&format!("response.{kind}.delta"), json!({ "delta": piece })));
                }
                events.push(of_item(&format!("response.{kind}.done"), json!({ (key): item[key] })));
            }
        }
        events.push(json!({ "type": "response.output_item.done", "output_index": index, "item": item }));
    }
    events.push(json!({ "type": "response.completed", "response": response }));
    for (number, event) in events.iter_mut().enumerate() {
        event["sequence_number"] = number.into();
    }
    events
}

fn anthropic(response: &Value) -> Vec<Value> {
    let begun = with(response, &[("content", json!([])), ("stop_reason", Value::Null)]);
    let mut events = vec![json!({ "type": "message_start", "message": begun })];
    for (index, block) in list(&response["content"]).iter().enumerate() {
        let delta = |delta: Value| json!({ "type": "content_block_delta", "index": index, "delta": delta });
        let (empty, deltas) = match block["type"].as_str() {
            Some("text") => {
                let text = pieces(&block["text"]).into_iter().map(|text| json!({ "type": "text_delta", "text": text }));
                let cited = list(&block["citations"]).iter();
                let cited = cited.map(|citation| json!({ "type": "citations_delta", "citation": citation }));
                let mut empty = with(block, &[("text", "".into())]);
                if block["citations"].is_array() {
                    empty["citations"] = json!([]);
                }
                (empty, text.chain(cited).collect())
            }
            Some("thinking") => {
                let thought = pieces(&block["thinking"]).into_iter();
                let mut deltas: Vec<Value> =
                    thought.map(|text| json!({ "type": "thinking_delta", "thinking": text })).collect();
                deltas.push(json!({ "type": "signature_delta", "signature": block["signature"] }));
                (with(block, &[("thinking", "".into()), ("signature", "".into())]), deltas)
            }
            Some("tool_use" | "server_tool_use") => {
                let input = pieces(&block["input"].to_string().into()).into_iter();
                let deltas = input.map(|text| json!({ "type": "input_json_delta", "partial_json": text }));
                (with(block, &[("input", json!({}))]), deltas.collect())
            }
            _ => (block.clone(), Vec::new()),
        };
        events.push(json!({ "type": "content_block_start", "index": index, "content_block": empty }));
        events.extend(deltas.into_iter().map(delta));
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    let end = json!({ "stop_reason": response["stop_reason"], "stop_sequence": null });
    events.push(json!({ "type": "message_delta", "delta": end, "usage": { "output_tokens": 1 } }));
    events.push(json!({ "type": "message_stop" }));
    events
}

fn google(response: &Value) -> Vec<Value> {
    let chunk = |candidate: Value| json!({ "candidates": [candidate], "modelVersion": "m", "responseId": response["responseId"] });
    let mut chunks = Vec::new();
    for part in list(&response["candidates"][0]["content"]["parts"]) {
        let mut parts = vec![part.clone()];
        if part["text"].as_str().is_some_and(|text| !text.is_empty()) {
            parts = pieces(&part["text"]).into_iter().map(|piece| with(part, &[("text", piece.into())])).collect();
        }
        chunks.extend(
            parts.into_iter().map(|part| chunk(json!({ "content": { "role": "model", "parts": [part] }, "index": 0 }))),
        );
    }
    chunks.push(chunk(json!({ "finishReason": "STOP", "index": 0 })));
    chunks
}

fn ollama(response: &Value) -> Vec<Value> {
    let message = &response["message"];
    let line =
        |message: Value| with(response, &[("message", message), ("done", false.into()), ("done_reason", Value::Null)]);
    let mut lines = Vec::new();
    for piece in message.get("thinking").map(pieces).into_iter().flatten() {
        lines.push(line(json!({ "role": "assistant", "content": "", "thinking": piece })));
    }
    for piece in pieces(&message["content"]) {
        lines.push(line(json!({ "role": "assistant", "content": piece })));
    }
    for call in list(&message["tool_calls"]) {
        lines.push(line(json!({ "role": "assistant", "content": "", "tool_calls": [call] })));
    }
    lines.push(with(response, &[("message", json!({ "role": "assistant", "content": "" }))]));
    lines
}

fn canonical(response: &Value) -> Vec<Value> {
    let mut calls = list(&response["toolCalls"]).iter();
    let mut events = vec![json!({ "type": "start", "id": response["id"], "model": response["model"] })];
    for (block, part) in list(&response["message"]["content"]).iter().enumerate() {
        let event = |kind: &str, rest: Value| {
            let mut event = json!({ "type": kind, "block": block });
            event.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
            event
        };
        match part["type"].as_str() {
            Some(kind @ ("text" | "refusal")) => {
                let deltas = pieces(&part["text"]).into_iter();
                events.extend(deltas.map(|text| event(&format!("{kind}Delta"), json!({ "text": text }))));
            }
            Some("reasoning") => {
                let deltas = pieces(&part["text"]).into_iter();
                events.extend(
                    deltas.map(|text| event("reasoningDelta", json!({ "text": text, "issuer": part["issuer"] }))),
                );
                let mut end = event("reasoningEnd", json!({ "issuer": part["issuer"] }));
                if part["signature"].is_string() {
                    end["signature"] = part["signature"].clone();
                }
                events.push(end);
            }
            Some("toolCall") => {
                let Some(call) = calls.next() else { continue };
                events.push(event("toolCallStart", json!({ "id": call["id"], "name": call["name"] })));
                for text in pieces(&call["arguments"].to_string().into()) {
                    events.push(event("toolCallDelta", json!({ "id": call["id"], "text": text })));
                }
                events.push(event("toolCallEnd", json!({ "call": call })));
            }
            _ => events.push(event("block", json!({ "value": part }))),
        }
    }
    events.push(json!({ "type": "finish", "finishReason": response["finishReason"] }));
    events
}
