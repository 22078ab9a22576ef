//! The same responses as streams of their providers.

use super::binary;
use super::client::list;
use super::shape;
use super::upstream::text;
use serde_json::{Map, Value, json};
use toolwire::Dialect;

/// The bytes of a stream with the content of the whole response.
pub fn streamed(dialect: Dialect, response: &Value) -> Vec<u8> {
    let events = match shape(dialect) {
        Dialect::OpenAI => chat(response),
        Dialect::OpenAIResponses => responses(response),
        Dialect::Anthropic => anthropic(response),
        Dialect::Ollama => ollama(response),
        Dialect::Gemini => google(response),
        Dialect::Mistral => mistral(response),
        Dialect::Cohere => cohere(response),
        Dialect::Bedrock => return bedrock(response).iter().filter_map(binary::event).flatten().collect(),
        Dialect::GeminiInteractions => interactions(response),
        _ => canonical(response),
    };
    let mut bytes = String::new();
    for event in events {
        bytes.push_str(&match shape(dialect) {
            Dialect::Ollama => format!("{event}\n"),
            Dialect::Anthropic | Dialect::OpenAIResponses | Dialect::Cohere => {
                format!("event: {}\ndata: {event}\n\n", text(&event["type"]))
            }
            Dialect::GeminiInteractions => format!("event: {}\ndata: {event}\n\n", text(&event["event_type"])),
            _ => format!("data: {event}\n\n"),
        });
    }
    if matches!(shape(dialect), Dialect::OpenAI | Dialect::Mistral | Dialect::Cohere) {
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

/// Each call is in one delta, and the last chunk has the usage (WIRE §6.8).
fn mistral(response: &Value) -> Vec<Value> {
    let choice = &response["choices"][0];
    let chunk = |delta: Value| {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": null });
        json!({ "id": response["id"], "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice] })
    };
    let mut chunks = vec![chunk(json!({ "role": "assistant", "content": "" }))];
    let content = &choice["message"]["content"];
    if content.is_string() {
        chunks.extend(pieces(content).into_iter().map(|piece| chunk(json!({ "content": piece }))));
    }
    for part in list(content) {
        let of = |part: Value| chunk(json!({ "content": [part] }));
        match part["type"].as_str() {
            Some("text") => {
                chunks.extend(pieces(&part["text"]).into_iter().map(|piece| chunk(json!({ "content": piece }))))
            }
            Some("thinking") => {
                let thought =
                    |text: String| json!({ "type": "thinking", "thinking": [{ "type": "text", "text": text }] });
                chunks.extend(
                    list(&part["thinking"])
                        .iter()
                        .flat_map(|chunk| pieces(&chunk["text"]))
                        .map(|piece| of(thought(piece))),
                );
                if part["signature"].is_string() {
                    chunks.push(of(json!({ "type": "thinking", "thinking": [], "signature": part["signature"] })));
                }
            }
            _ => chunks.push(of(part.clone())),
        }
    }
    for call in list(&choice["message"]["tool_calls"]) {
        chunks.push(chunk(json!({ "content": "", "tool_calls": [call] })));
    }
    let mut end = chunk(json!({ "content": "" }));
    end["choices"][0]["finish_reason"] = choice["finish_reason"].clone();
    end["usage"] = response["usage"].clone();
    chunks.push(end);
    chunks
}

/// Content and calls are numbered apart (WIRE §7.8).
fn cohere(response: &Value) -> Vec<Value> {
    let message = &response["message"];
    let event = |kind: &str, index: usize, key: &str, piece: Value| json!({ "type": kind, "index": index, "delta": { "message": { (key): piece } } });
    let begun = json!({ "role": "assistant", "content": [], "tool_plan": "", "tool_calls": [], "citations": [] });
    let mut events = vec![json!({ "type": "message-start", "id": response["id"], "delta": { "message": begun } })];
    for (index, block) in list(&message["content"]).iter().enumerate() {
        let kind = text(&block["type"]);
        events.push(event("content-start", index, "content", with(block, &[(&kind, "".into())])));
        let deltas = pieces(&block[&kind]).into_iter();
        events.extend(deltas.map(|piece| event("content-delta", index, "content", json!({ (&kind): piece }))));
        events.push(json!({ "type": "content-end", "index": index }));
    }
    for piece in message.get("tool_plan").map(pieces).into_iter().flatten() {
        events.push(json!({ "type": "tool-plan-delta", "delta": { "message": { "tool_plan": piece } } }));
    }
    for (index, call) in list(&message["tool_calls"]).iter().enumerate() {
        let begun = with(call, &[("function", with(&call["function"], &[("arguments", "".into())]))]);
        events.push(event("tool-call-start", index, "tool_calls", begun));
        for piece in pieces(&call["function"]["arguments"]) {
            let delta = json!({ "function": { "arguments": piece } });
            events.push(event("tool-call-delta", index, "tool_calls", delta));
        }
        events.push(json!({ "type": "tool-call-end", "index": index }));
    }
    let end = json!({ "finish_reason": response["finish_reason"], "usage": response["usage"] });
    events.push(json!({ "type": "message-end", "id": response["id"], "delta": end }));
    events
}

/// Only calls and what servers ran have a beginning (WIRE §5.8).
fn bedrock(response: &Value) -> Vec<Value> {
    let mut events = vec![json!({ "messageStart": { "role": "assistant" } })];
    for (index, block) in list(&response["output"]["message"]["content"]).iter().enumerate() {
        let (kind, value) = block.as_object().unwrap().iter().next().unwrap();
        let texts = |value: &Value| pieces(value).into_iter().map(|piece| json!({ "text": piece })).collect::<Vec<_>>();
        let (start, deltas): (Option<&[&str]>, Vec<Value>) = match kind.as_str() {
            "text" => (None, texts(value)),
            "citationsContent" => {
                let mut deltas = texts(&value["content"][0]["text"]);
                deltas.extend(list(&value["citations"]).iter().map(|citation| json!({ "citation": citation })));
                (None, deltas)
            }
            "reasoningContent" => {
                let thought = &value["reasoningText"];
                let mut inner = if thought.is_object() { texts(&thought["text"]) } else { vec![value.clone()] };
                inner.extend(thought.get("signature").map(|signature| json!({ "signature": signature })));
                (None, inner.into_iter().map(|delta| json!({ "reasoningContent": delta })).collect())
            }
            "toolUse" => {
                let input = pieces(&value["input"].to_string().into()).into_iter();
                let deltas = input.map(|piece| json!({ "toolUse": { "input": piece } })).collect();
                (Some(&["toolUseId", "name", "type"]), deltas)
            }
            _ => (Some(&["toolUseId", "type", "status"]), vec![json!({ (kind): value["content"] })]),
        };
        if let Some(keys) = start {
            let begun: Value = keys
                .iter()
                .filter_map(|key| Some(((*key).to_owned(), value.get(*key)?.clone())))
                .collect::<Map<_, _>>()
                .into();
            events.push(json!({ "contentBlockStart": { "contentBlockIndex": index, "start": { (kind): begun } } }));
        }
        for delta in deltas {
            events.push(json!({ "contentBlockDelta": { "contentBlockIndex": index, "delta": delta } }));
        }
        events.push(json!({ "contentBlockStop": { "contentBlockIndex": index } }));
    }
    events.push(json!({ "messageStop": { "stopReason": response["stopReason"] } }));
    events.push(json!({ "metadata": { "usage": response["usage"], "metrics": response["metrics"] } }));
    events
}

/// Texts, thoughts and arguments come in pieces, and other steps whole (WIRE §15.8).
fn interactions(response: &Value) -> Vec<Value> {
    let begun = json!({ "id": response["id"], "model": "m", "status": "in_progress" });
    let mut events = vec![json!({ "event_type": "interaction.created", "interaction": begun })];
    for (index, step) in list(&response["steps"]).iter().enumerate() {
        let (start, deltas) = match step["type"].as_str() {
            Some("model_output") => (json!({ "type": "model_output" }), output_deltas(&step["content"][0])),
            Some("thought") => {
                let summary = step.get("summary").map(|summary| pieces(&summary[0]["text"])).into_iter().flatten();
                let thought = |text| json!({ "type": "thought_summary", "content": { "type": "text", "text": text } });
                let signature = step.get("signature");
                let signed = signature.map(|state| json!({ "type": "thought_signature", "signature": state }));
                (json!({ "type": "thought" }), summary.map(thought).chain(signed).collect())
            }
            Some("function_call") => {
                let input = pieces(&step["arguments"].to_string().into()).into_iter();
                let deltas = input.map(|piece| json!({ "type": "arguments_delta", "arguments": piece })).collect();
                (with(step, &[("arguments", json!({}))]), deltas)
            }
            _ => (step.clone(), Vec::new()),
        };
        events.push(json!({ "event_type": "step.start", "index": index, "step": start }));
        for delta in deltas {
            events.push(json!({ "event_type": "step.delta", "index": index, "delta": delta }));
        }
        events.push(json!({ "event_type": "step.stop", "index": index }));
    }
    let mut whole = response.clone();
    whole.as_object_mut().unwrap().shift_remove("steps");
    events.push(json!({ "event_type": "interaction.completed", "interaction": whole }));
    events
}

fn output_deltas(content: &Value) -> Vec<Value> {
    let texts = pieces(&content["text"]).into_iter().map(|piece| json!({ "type": "text", "text": piece }));
    let cited = content.get("annotations");
    texts.chain(cited.map(|cited| json!({ "type": "text_annotation_delta", "annotations": cited }))).collect()
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
