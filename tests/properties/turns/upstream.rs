//! The provider behind a gateway: answers in its own format, and what its history says of them.

use super::answers::{Call, Id, Part};
use super::client::{full_name, list};
use serde_json::{Value, json};
use toolwire::Dialect;

/// A tool as the provider was told of it.
pub struct Told {
    pub name: String,
    pub is_freeform: bool,
}

pub fn tools(dialect: Dialect, request: &Value) -> Vec<Told> {
    let plain = |tool: &Value| Told { name: text(&tool["name"]), is_freeform: tool["type"] == "custom" };
    let tools = list(&request["tools"]).iter();
    match dialect.base() {
        Dialect::OpenAI | Dialect::Ollama => tools
            .map(|tool| {
                let is_freeform = tool["type"] == "custom";
                let named = if is_freeform { &tool["custom"] } else { &tool["function"] };
                Told { name: text(&named["name"]), is_freeform }
            })
            .collect(),
        Dialect::Gemini => tools.flat_map(|entry| list(&entry["functionDeclarations"])).map(plain).collect(),
        _ => tools.flat_map(|tool| in_namespace(tool).unwrap_or_else(|| vec![plain(tool)])).collect(),
    }
}

/// The functions of a namespace.
fn in_namespace(tool: &Value) -> Option<Vec<Told>> {
    let tool = tool.get("value").unwrap_or(tool);
    let functions = list(&tool["tools"]).iter();
    let name = |function| full_name(&with_namespace(function, &text(&tool["name"])));
    (tool["type"] == "namespace")
        .then(|| functions.map(|function| Told { name: name(function), is_freeform: false }).collect())
}

fn with_namespace(call: &Value, namespace: &str) -> Value {
    let mut call = call.clone();
    call["namespace"] = namespace.into();
    call
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// What only the provider knows.
fn native(dialect: Dialect, number: usize) -> Vec<Value> {
    let id = |kind: &str| format!("{kind}_{number}");
    match dialect.base() {
        Dialect::OpenAIResponses => {
            let action = json!({ "type": "search", "query": "weather" });
            vec![json!({ "type": "web_search_call", "id": id("ws"), "status": "completed", "action": action })]
        }
        Dialect::Anthropic => vec![
            json!({ "type": "server_tool_use", "id": id("srvtoolu"), "name": "web_search", "input": { "query": "weather" } }),
            json!({ "type": "web_search_tool_result", "tool_use_id": id("srvtoolu"), "content": [] }),
        ],
        Dialect::Gemini => vec![
            json!({ "executableCode": { "language": "PYTHON", "code": "1" } }),
            json!({ "codeExecutionResult": { "outcome": "OUTCOME_OK", "output": "1" } }),
        ],
        _ => Vec::new(),
    }
}

/// What a call is: its id, the tool, its arguments as the provider has them.
#[derive(Clone)]
struct Made<'a> {
    id: Option<String>,
    name: &'a str,
    is_freeform: bool,
    text: &'a str,
    /// The same where they are objects.
    object: Value,
    signature: Option<&'a str>,
}

fn made<'a>(dialect: Dialect, call: &'a Call, tools: &'a [Told], number: usize) -> Made<'a> {
    let told = &tools[call.tool];
    let is_google = dialect.base() == Dialect::Gemini;
    let id = match &call.id {
        Id::None if is_google || dialect.base() == Dialect::Ollama => None,
        Id::None if dialect.base() == Dialect::OpenAI => Some(String::new()),
        Id::Given(id) if dialect.base() != Dialect::Anthropic => Some(id.clone()),
        _ => Some(format!("{}_{number}", if dialect.base() == Dialect::Anthropic { "toolu" } else { "call" })),
    };
    let object = serde_json::from_str(&call.arguments).ok().filter(Value::is_object).unwrap_or_else(|| json!({}));
    let signature = call.signature.as_deref();
    Made { id, name: &told.name, is_freeform: told.is_freeform, text: &call.arguments, object, signature }
}

impl Made<'_> {
    fn input(&self) -> &Value {
        &self.object["input"]
    }
}

/// The whole answer; `number` tells answers apart.
pub fn body(dialect: Dialect, parts: &[Part], tools: &[Told], number: usize) -> Value {
    let id = format!("answer_{number}");
    let has_calls = parts.iter().any(|part| matches!(part, Part::Call(_)));
    let said = content(dialect, parts, tools, number * 10);
    match dialect.base() {
        Dialect::OpenAI => {
            let finish = if has_calls { "tool_calls" } else { "stop" };
            let choice = json!({ "index": 0, "message": chat(&said), "finish_reason": finish });
            json!({ "id": id, "object": "chat.completion", "created": 1, "model": "m", "choices": [choice] })
        }
        Dialect::OpenAIResponses => json!({
            "id": id, "object": "response", "created_at": 1, "status": "completed", "model": "m", "output": said,
        }),
        Dialect::Anthropic => json!({
            "id": id, "type": "message", "role": "assistant", "model": "m", "content": said,
            "stop_reason": if has_calls { "tool_use" } else { "end_turn" }, "stop_sequence": null,
            "usage": { "input_tokens": 1, "output_tokens": 1 },
        }),
        Dialect::Gemini => {
            let mut candidate = json!({ "index": 0, "finishReason": "STOP" });
            if !said.is_empty() {
                candidate["content"] = json!({ "role": "model", "parts": said });
            }
            json!({ "candidates": [candidate], "modelVersion": "m", "responseId": id })
        }
        Dialect::Ollama => {
            let at = "2026-01-01T00:00:00Z";
            json!({ "model": "m", "created_at": at, "message": local(&said), "done": true, "done_reason": "stop" })
        }
        _ => canonical(&id, &said, has_calls),
    }
}

/// The parts of an answer; where its message has fields instead, `chat` and `local` put them together.
pub fn content(dialect: Dialect, parts: &[Part], tools: &[Told], first: usize) -> Vec<Value> {
    let mut said = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let number = first + index;
        match part {
            Part::Cited(text) if dialect.base() == Dialect::Anthropic => {
                let citation = json!({ "type": "web_search_result_location", "url": "https://a.b", "title": "A", "encrypted_index": "eA==", "cited_text": "a" });
                said.push(json!({ "type": "text", "text": text, "citations": [citation] }));
            }
            Part::Text(text) | Part::Cited(text) => said.push(match dialect.base() {
                Dialect::OpenAIResponses => {
                    let cited = json!({ "type": "url_citation", "url": "https://a.b", "title": "A", "start_index": 0, "end_index": 1 });
                    let annotations = if matches!(part, Part::Cited(_)) { json!([cited]) } else { json!([]) };
                    let part = json!({ "type": "output_text", "text": text, "annotations": annotations });
                    let id = format!("msg_{number}");
                    json!({ "type": "message", "id": id, "status": "completed", "role": "assistant", "content": [part] })
                }
                Dialect::Gemini => json!({ "text": text }),
                _ => json!({ "type": "text", "text": text }),
            }),
            Part::Reasoning { text, state } => said.extend(thought(dialect, text, state.as_deref(), number)),
            Part::Redacted(data) => match dialect.base() {
                Dialect::Anthropic => said.push(json!({ "type": "redacted_thinking", "data": data })),
                Dialect::OpenAIResponses => {
                    said.push(json!({ "type": "reasoning", "id": format!("rs_{number}"), "summary": [], "encrypted_content": data }));
                }
                _ => {}
            },
            Part::Call(call) => said.push(written(dialect, &made(dialect, call, tools, number), number)),
            Part::Native => said.extend(native(dialect, number)),
            Part::Refusal(text) => said.push(match dialect.base() {
                Dialect::OpenAIResponses => {
                    let part = json!({ "type": "refusal", "refusal": text });
                    let id = format!("msg_{number}");
                    json!({ "type": "message", "id": id, "status": "completed", "role": "assistant", "content": [part] })
                }
                Dialect::OpenAI | Dialect::Canonical => json!({ "type": "refusal", "text": text }),
                Dialect::Gemini => json!({ "text": text }),
                _ => json!({ "type": "text", "text": text }),
            }),
        }
    }
    said
}

fn thought(dialect: Dialect, text: &str, state: Option<&str>, number: usize) -> Option<Value> {
    match dialect.base() {
        Dialect::Anthropic => {
            Some(json!({ "type": "thinking", "thinking": text, "signature": state.unwrap_or("c2ln") }))
        }
        Dialect::OpenAIResponses => {
            let summary = if text.is_empty() { json!([]) } else { json!([{ "type": "summary_text", "text": text }]) };
            let state = state.unwrap_or("c3RhdGU=");
            Some(
                json!({ "type": "reasoning", "id": format!("rs_{number}"), "summary": summary, "encrypted_content": state }),
            )
        }
        Dialect::Gemini => match (text, state) {
            ("", None) => None,
            // such a signature stands on a part of its own
            ("", Some(state)) => Some(json!({ "text": "", "thoughtSignature": state })),
            _ => Some(json!({ "text": text, "thought": true })),
        },
        Dialect::Canonical => {
            let mut block = json!({ "type": "reasoning", "text": text, "issuer": "anthropic" });
            if let Some(state) = state {
                block["signature"] = state.into();
            }
            Some(block)
        }
        _ => (!text.is_empty()).then(|| json!({ "type": "reasoning", "text": text })),
    }
}

fn written(dialect: Dialect, call: &Made, number: usize) -> Value {
    let mut said = match dialect.base() {
        Dialect::OpenAI if call.is_freeform => {
            json!({ "id": call.id, "type": "custom", "custom": { "name": call.name, "input": call.input() } })
        }
        Dialect::OpenAI => {
            json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.text } })
        }
        Dialect::OpenAIResponses if call.is_freeform => {
            json!({ "type": "custom_tool_call", "id": format!("ctc_{number}"), "call_id": call.id, "name": call.name, "input": call.input(), "status": "completed" })
        }
        Dialect::OpenAIResponses if call.name.contains('/') => {
            let (namespace, name) = call.name.split_once('/').unwrap_or_default();
            with_namespace(&written(dialect, &Made { name, ..call.clone() }, number), namespace)
        }
        Dialect::Canonical if call.name.contains('/') => {
            let (namespace, name) = call.name.split_once('/').unwrap_or_default();
            let mut said = written(dialect, &Made { name, ..call.clone() }, number);
            said["metadata"] = json!({ "openai": { "item": { "namespace": namespace } } });
            said
        }
        Dialect::OpenAIResponses => {
            json!({ "type": "function_call", "id": format!("fc_{number}"), "call_id": call.id, "name": call.name, "arguments": call.text, "status": "completed" })
        }
        Dialect::Anthropic => json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.object }),
        Dialect::Gemini => {
            let mut part = json!({ "functionCall": { "id": call.id, "name": call.name, "args": call.object } });
            if let Some(signature) = call.signature {
                part["thoughtSignature"] = signature.into();
            }
            part
        }
        Dialect::Ollama => json!({ "id": call.id, "function": { "name": call.name, "arguments": call.object } }),
        _ => json!({ "type": "toolCall", "id": call.id, "name": call.name, "arguments": call.object }),
    };
    if call.id.is_none() {
        let holder = if said.get("functionCall").is_some() { &mut said["functionCall"] } else { &mut said };
        if let Some(holder) = holder.as_object_mut() {
            holder.shift_remove("id");
        }
    }
    said
}

fn joined(said: &[Value], kind: &str) -> Option<String> {
    let mut texts = said.iter().filter(|part| part["type"] == kind).map(|part| text(&part["text"])).peekable();
    texts.peek().is_some().then(|| texts.collect())
}

fn calls(said: &[Value]) -> Vec<Value> {
    said.iter().filter(|part| part.get("function").is_some() || part.get("custom").is_some()).cloned().collect()
}

fn chat(said: &[Value]) -> Value {
    let mut message =
        json!({ "role": "assistant", "content": joined(said, "text"), "refusal": joined(said, "refusal") });
    if let Some(reasoning) = joined(said, "reasoning") {
        message["reasoning_content"] = reasoning.into();
    }
    let calls = calls(said);
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

fn local(said: &[Value]) -> Value {
    let mut message = json!({ "role": "assistant", "content": joined(said, "text").unwrap_or_default() });
    if let Some(thinking) = joined(said, "reasoning") {
        message["thinking"] = thinking.into();
    }
    let mut calls = calls(said);
    for (index, call) in calls.iter_mut().enumerate() {
        call["function"]["index"] = index.into();
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

fn canonical(id: &str, said: &[Value], has_calls: bool) -> Value {
    let is_call = |part: &&Value| part["type"] == "toolCall";
    let calls: Vec<Value> = said
        .iter()
        .filter(is_call)
        .map(|call| {
            let mut call = call.clone();
            if let Some(call) = call.as_object_mut() {
                call.shift_remove("type");
            }
            call
        })
        .collect();
    let content: Vec<Value> = said
        .iter()
        .map(|part| if is_call(&part) { json!({ "type": "toolCall", "id": part["id"] }) } else { part.clone() })
        .collect();
    let mut message = json!({ "role": "assistant", "content": content });
    if has_calls {
        message["toolCalls"] = calls.clone().into();
    }
    json!({
        "id": id, "model": "m", "message": message, "text": joined(said, "text").unwrap_or_default(), "toolCalls": calls,
        "invalidToolCalls": [], "finishReason": if has_calls { "tool_calls" } else { "stop" },
    })
}
