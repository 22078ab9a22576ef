//! The provider behind a gateway: its responses in its own format.

use super::assemble::{add_chunk, chunked};
use super::client::{full_name, is_chat, list};
use super::responses::{Call, Id, Part};
use super::shape;
use serde_json::{Value, json};
use toolwire::Dialect;

/// A tool in the provider's request.
pub struct OfferedTool {
    pub name: String,
    pub is_freeform: bool,
}

pub fn tools(dialect: Dialect, request: &Value) -> Vec<OfferedTool> {
    let plain = |tool: &Value| OfferedTool { name: text(&tool["name"]), is_freeform: tool["type"] == "custom" };
    let tools = list(&request["tools"]).iter();
    match shape(dialect) {
        Dialect::Bedrock => {
            let tools = list(&request["toolConfig"]["tools"]).iter().filter_map(|tool| tool.get("toolSpec"));
            tools.map(plain).collect()
        }
        _ if is_chat(dialect) => tools
            .map(|tool| {
                let is_freeform = tool["type"] == "custom";
                let named = if is_freeform { &tool["custom"] } else { &tool["function"] };
                OfferedTool { name: text(&named["name"]), is_freeform }
            })
            .collect(),
        Dialect::Gemini => tools.flat_map(|entry| list(&entry["functionDeclarations"])).map(plain).collect(),
        _ => tools.flat_map(|tool| in_namespace(tool).unwrap_or_else(|| vec![plain(tool)])).collect(),
    }
}

/// The functions of a namespace.
fn in_namespace(tool: &Value) -> Option<Vec<OfferedTool>> {
    let tool = tool.get("value").unwrap_or(tool);
    let functions = list(&tool["tools"]).iter();
    let name = |function| full_name(&with_namespace(function, &text(&tool["name"])));
    (tool["type"] == "namespace")
        .then(|| functions.map(|function| OfferedTool { name: name(function), is_freeform: false }).collect())
}

fn with_namespace(call: &Value, namespace: &str) -> Value {
    let mut call = call.clone();
    call["namespace"] = namespace.into();
    call
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Native blocks.
fn native(dialect: Dialect, number: usize) -> Vec<Value> {
    let id = |kind: &str| format!("{kind}_{number}");
    match shape(dialect) {
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
        Dialect::GeminiInteractions => vec![
            json!({ "type": "google_search_call", "id": id("gs"), "arguments": { "queries": ["weather"] } }),
            json!({ "type": "google_search_result", "call_id": id("gs"), "result": [{ "search_suggestions": "x" }] }),
        ],
        Dialect::Bedrock => vec![
            json!({ "toolUse": { "toolUseId": id("s"), "name": "nova_grounding", "type": "server_tool_use", "input": {} } }),
            json!({ "toolResult": { "toolUseId": id("s"), "type": "nova_grounding_result", "status": "success", "content": [{ "json": { "n": 1 } }] } }),
        ],
        Dialect::Mistral => vec![json!({ "type": "reference", "reference_ids": [number] })],
        _ => Vec::new(),
    }
}

/// A call with its id, the tool, and its arguments as text.
#[derive(Clone)]
struct WireCall<'a> {
    id: Option<String>,
    name: &'a str,
    is_freeform: bool,
    text: &'a str,
    /// The arguments as an object.
    object: Value,
    signature: Option<&'a str>,
}

fn wire_call<'a>(dialect: Dialect, call: &'a Call, tools: &'a [OfferedTool], number: usize) -> WireCall<'a> {
    let tool = &tools[call.tool];
    let is_google = shape(dialect) == Dialect::Gemini;
    let id = match &call.id {
        Id::None if is_google || shape(dialect) == Dialect::Ollama => None,
        Id::None if shape(dialect) == Dialect::OpenAI => Some(String::new()),
        Id::Given(id) if !matches!(shape(dialect), Dialect::Anthropic | Dialect::Bedrock) => Some(id.clone()),
        _ => Some(match shape(dialect) {
            Dialect::Anthropic => format!("toolu_{number}"),
            Dialect::Bedrock => format!("tooluse_{number}"),
            Dialect::Mistral => format!("call{number:05}"),
            _ => format!("call_{number}"),
        }),
    };
    let object = serde_json::from_str(&call.arguments).ok().filter(Value::is_object).unwrap_or_else(|| json!({}));
    let signature = call.signature.as_deref();
    WireCall { id, name: &tool.name, is_freeform: tool.is_freeform, text: &call.arguments, object, signature }
}

impl WireCall<'_> {
    fn input(&self) -> &Value {
        &self.object["input"]
    }
}

/// The whole response; `number` makes it unique.
pub fn body(dialect: Dialect, parts: &[Part], tools: &[OfferedTool], number: usize) -> Value {
    let id = format!("response_{number}");
    let has_calls = parts.iter().any(|part| matches!(part, Part::Call(_)));
    let blocks = content(dialect, parts, tools, number * 10);
    match shape(dialect) {
        Dialect::OpenAI => {
            let finish = if has_calls { "tool_calls" } else { "stop" };
            let choice = json!({ "index": 0, "message": chat(&blocks), "finish_reason": finish });
            json!({ "id": id, "object": "chat.completion", "created": 1, "model": "m", "choices": [choice] })
        }
        Dialect::Mistral => {
            let finish = if has_calls { "tool_calls" } else { "stop" };
            let choice = json!({ "index": 0, "message": numbered(&blocks), "finish_reason": finish });
            let usage = json!({ "prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2 });
            json!({
                "id": id, "object": "chat.completion", "created": 1, "model": "m", "choices": [choice], "usage": usage,
            })
        }
        Dialect::Cohere => json!({
            "id": id, "message": planned(blocks), "finish_reason": if has_calls { "TOOL_CALL" } else { "COMPLETE" },
            "usage": { "tokens": { "input_tokens": 1, "output_tokens": 1 } },
        }),
        Dialect::Bedrock => json!({
            "output": { "message": { "role": "assistant", "content": blocks } },
            "stopReason": if has_calls { "tool_use" } else { "end_turn" },
            "usage": { "inputTokens": 1, "outputTokens": 1, "totalTokens": 2 }, "metrics": { "latencyMs": 1 },
        }),
        Dialect::GeminiInteractions => json!({
            "id": id, "status": if has_calls { "requires_action" } else { "completed" }, "model": "m", "steps": blocks,
            "usage": { "total_input_tokens": 1, "total_output_tokens": 1, "total_tokens": 2 },
        }),
        Dialect::OpenAIResponses => json!({
            "id": id, "object": "response", "created_at": 1, "status": "completed", "model": "m", "output": blocks,
        }),
        Dialect::Anthropic => json!({
            "id": id, "type": "message", "role": "assistant", "model": "m", "content": blocks,
            "stop_reason": if has_calls { "tool_use" } else { "end_turn" }, "stop_sequence": null,
            "usage": { "input_tokens": 1, "output_tokens": 1 },
        }),
        Dialect::Gemini => {
            let mut candidate = json!({ "index": 0, "finishReason": "STOP" });
            if !blocks.is_empty() {
                candidate["content"] = json!({ "role": "model", "parts": blocks });
            }
            json!({ "candidates": [candidate], "modelVersion": "m", "responseId": id })
        }
        Dialect::Ollama => {
            let at = "2026-01-01T00:00:00Z";
            json!({ "model": "m", "created_at": at, "message": local(&blocks), "done": true, "done_reason": "stop" })
        }
        _ => canonical(&id, &blocks, has_calls),
    }
}

/// The blocks of a response. `chat` and `local` merge them for messages that have fields instead.
pub fn content(dialect: Dialect, parts: &[Part], tools: &[OfferedTool], first: usize) -> Vec<Value> {
    let mut blocks = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let number = first + index;
        match part {
            Part::Cited(text) if shape(dialect) == Dialect::Anthropic => {
                let citation = json!({ "type": "web_search_result_location", "url": "https://a.b", "title": "A", "encrypted_index": "eA==", "cited_text": "a" });
                blocks.push(json!({ "type": "text", "text": text, "citations": [citation] }));
            }
            Part::Cited(text) if shape(dialect) == Dialect::Bedrock => {
                let citation = json!({ "title": "A", "location": { "web": { "url": "https://a.b" } } });
                blocks.push(json!({ "citationsContent": { "content": [{ "text": text }], "citations": [citation] } }));
            }
            Part::Text(text) | Part::Cited(text) => blocks.push(match shape(dialect) {
                Dialect::Bedrock => json!({ "text": text }),
                Dialect::GeminiInteractions => {
                    let cited = json!({ "type": "url_citation", "url": "https://a.b", "title": "A", "start_index": 0, "end_index": 1 });
                    let mut content = json!({ "type": "text", "text": text });
                    if matches!(part, Part::Cited(_)) {
                        content["annotations"] = json!([cited]);
                    }
                    json!({ "type": "model_output", "content": [content] })
                }
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
            Part::Reasoning { text, state } => blocks.extend(thought(dialect, text, state.as_deref(), number)),
            Part::Redacted(data) => match shape(dialect) {
                Dialect::Bedrock => blocks.push(json!({ "reasoningContent": { "redactedContent": data } })),
                Dialect::Anthropic => blocks.push(json!({ "type": "redacted_thinking", "data": data })),
                Dialect::OpenAIResponses => {
                    blocks.push(json!({ "type": "reasoning", "id": format!("rs_{number}"), "summary": [], "encrypted_content": data }));
                }
                _ => {}
            },
            Part::Call(call) => blocks.push(written(dialect, &wire_call(dialect, call, tools, number), number)),
            Part::Native => blocks.extend(native(dialect, number)),
            Part::Refusal(text) => blocks.push(match shape(dialect) {
                Dialect::OpenAIResponses => {
                    let part = json!({ "type": "refusal", "refusal": text });
                    let id = format!("msg_{number}");
                    json!({ "type": "message", "id": id, "status": "completed", "role": "assistant", "content": [part] })
                }
                Dialect::OpenAI | Dialect::Canonical => json!({ "type": "refusal", "text": text }),
                Dialect::Gemini | Dialect::Bedrock => json!({ "text": text }),
                Dialect::GeminiInteractions => {
                    json!({ "type": "model_output", "content": [{ "type": "text", "text": text }] })
                }
                _ => json!({ "type": "text", "text": text }),
            }),
        }
    }
    blocks
}

fn thought(dialect: Dialect, text: &str, state: Option<&str>, number: usize) -> Option<Value> {
    match shape(dialect) {
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
            // a state without a text is on a part of its own
            ("", Some(state)) => Some(json!({ "text": "", "thoughtSignature": state })),
            _ => Some(json!({ "text": text, "thought": true })),
        },
        Dialect::Bedrock => {
            let state = state.unwrap_or("c2ln");
            Some(json!({ "reasoningContent": { "reasoningText": { "text": text, "signature": state } } }))
        }
        Dialect::GeminiInteractions => {
            let mut step = json!({ "type": "thought" });
            if let Some(state) = state {
                step["signature"] = state.into();
            }
            if !text.is_empty() {
                step["summary"] = json!([{ "type": "text", "text": text }]);
            }
            (!text.is_empty() || state.is_some()).then_some(step)
        }
        // Cohere has one plan of calls; the first thought without a state is taken for it
        Dialect::Cohere if state.is_none() => Some(json!({ "type": "plan", "text": text })),
        Dialect::Cohere => Some(json!({ "type": "thinking", "thinking": text })),
        Dialect::Mistral => {
            let texts = if text.is_empty() { json!([]) } else { json!([{ "type": "text", "text": text }]) };
            let mut chunk = json!({ "type": "thinking", "thinking": texts });
            if let Some(state) = state {
                chunk["signature"] = state.into();
            }
            (!text.is_empty() || state.is_some()).then_some(chunk)
        }
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

fn written(dialect: Dialect, call: &WireCall, number: usize) -> Value {
    let mut value = match shape(dialect) {
        Dialect::OpenAI if call.is_freeform => {
            json!({ "id": call.id, "type": "custom", "custom": { "name": call.name, "input": call.input() } })
        }
        Dialect::OpenAI | Dialect::Mistral | Dialect::Cohere => {
            json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": call.text } })
        }
        Dialect::OpenAIResponses if call.is_freeform => {
            json!({ "type": "custom_tool_call", "id": format!("ctc_{number}"), "call_id": call.id, "name": call.name, "input": call.input(), "status": "completed" })
        }
        Dialect::OpenAIResponses if call.name.contains('/') => {
            let (namespace, name) = call.name.split_once('/').unwrap_or_default();
            with_namespace(&written(dialect, &WireCall { name, ..call.clone() }, number), namespace)
        }
        Dialect::Canonical if call.name.contains('/') => {
            let (namespace, name) = call.name.split_once('/').unwrap_or_default();
            let mut value = written(dialect, &WireCall { name, ..call.clone() }, number);
            value["metadata"] = json!({ "openai": { "item": { "namespace": namespace } } });
            value
        }
        Dialect::OpenAIResponses => {
            json!({ "type": "function_call", "id": format!("fc_{number}"), "call_id": call.id, "name": call.name, "arguments": call.text, "status": "completed" })
        }
        Dialect::Anthropic => json!({ "type": "tool_use", "id": call.id, "name": call.name, "input": call.object }),
        Dialect::Bedrock => {
            json!({ "toolUse": { "toolUseId": call.id, "name": call.name, "input": call.object } })
        }
        Dialect::GeminiInteractions => {
            let mut step =
                json!({ "type": "function_call", "id": call.id, "name": call.name, "arguments": call.object });
            if let Some(signature) = call.signature {
                step["signature"] = signature.into();
            }
            step
        }
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
        let holder = if value.get("functionCall").is_some() { &mut value["functionCall"] } else { &mut value };
        if let Some(holder) = holder.as_object_mut() {
            holder.shift_remove("id");
        }
    }
    value
}

fn joined(blocks: &[Value], kind: &str) -> Option<String> {
    let mut texts = blocks.iter().filter(|part| part["type"] == kind).map(|part| text(&part["text"])).peekable();
    texts.peek().is_some().then(|| texts.collect())
}

fn calls(blocks: &[Value]) -> Vec<Value> {
    blocks.iter().filter(|part| part.get("function").is_some() || part.get("custom").is_some()).cloned().collect()
}

fn chat(blocks: &[Value]) -> Value {
    let mut message =
        json!({ "role": "assistant", "content": joined(blocks, "text"), "refusal": joined(blocks, "refusal") });
    if let Some(reasoning) = joined(blocks, "reasoning") {
        message["reasoning_content"] = reasoning.into();
    }
    let calls = calls(blocks);
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

/// A message of Mistral, with numbered calls.
fn numbered(blocks: &[Value]) -> Value {
    let mut chunks: Vec<Value> = Vec::new();
    let is_chunk = |block: &&Value| block.get("function").is_none() && block["text"] != "";
    for block in blocks.iter().filter(is_chunk) {
        add_chunk(&mut chunks, block);
    }
    let mut calls = calls(blocks);
    for (index, call) in calls.iter_mut().enumerate() {
        call["index"] = index.into();
    }
    chunked(chunks, calls)
}

/// A message of Cohere. The first plan beside calls is its `tool_plan`, and all others are thinking.
fn planned(blocks: Vec<Value>) -> Value {
    let mut message = json!({ "role": "assistant" });
    let calls = calls(&blocks);
    let mut content = Vec::new();
    for block in blocks.into_iter().filter(|block| block.get("function").is_none()) {
        match block["type"].as_str() {
            Some("plan") if !calls.is_empty() && message["tool_plan"].is_null() => {
                message["tool_plan"] = block["text"].clone();
            }
            Some("plan") => content.push(json!({ "type": "thinking", "thinking": block["text"] })),
            _ => content.push(block),
        }
    }
    if !content.is_empty() {
        message["content"] = content.into();
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

fn local(blocks: &[Value]) -> Value {
    let mut message = json!({ "role": "assistant", "content": joined(blocks, "text").unwrap_or_default() });
    if let Some(thinking) = joined(blocks, "reasoning") {
        message["thinking"] = thinking.into();
    }
    let mut calls = calls(blocks);
    for (index, call) in calls.iter_mut().enumerate() {
        call["function"]["index"] = index.into();
    }
    if !calls.is_empty() {
        message["tool_calls"] = calls.into();
    }
    message
}

fn canonical(id: &str, blocks: &[Value], has_calls: bool) -> Value {
    let is_call = |part: &&Value| part["type"] == "toolCall";
    let calls: Vec<Value> = blocks
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
    let content: Vec<Value> = blocks
        .iter()
        .map(|part| if is_call(&part) { json!({ "type": "toolCall", "id": part["id"] }) } else { part.clone() })
        .collect();
    let mut message = json!({ "role": "assistant", "content": content });
    if has_calls {
        message["toolCalls"] = calls.clone().into();
    }
    json!({
        "id": id, "model": "m", "message": message, "text": joined(blocks, "text").unwrap_or_default(), "toolCalls": calls,
        "invalidToolCalls": [], "finishReason": if has_calls { "tool_calls" } else { "stop" },
    })
}
