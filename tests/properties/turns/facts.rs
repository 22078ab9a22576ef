//! The content of a history as a list of facts, independent of the format: the assistant's parts in order, and the
//! results.

use super::client::{full_name, is_chat, list};
use super::shape;
use super::upstream::{OfferedTool, text};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use toolwire::Dialect;

/// The assistant's parts: `["text", …]`, `["reasoning", text, state]`, `["call", id, name, arguments]`, … Empty texts
/// are omitted.
pub fn parts(dialect: Dialect, items: &[Value]) -> Vec<Value> {
    let parts = apart(dialect, items);
    joined(if has_thoughts_of_google(dialect) { signed(parts) } else { parts })
}

/// The same parts, each text by itself.
pub fn apart(dialect: Dialect, items: &[Value]) -> Vec<Value> {
    items.iter().flat_map(|item| of_item(dialect, item)).collect()
}

pub fn has_thoughts_of_google(dialect: Dialect) -> bool {
    matches!(shape(dialect), Dialect::Gemini | Dialect::GeminiInteractions)
}

/// Joins a signed thought to one before it that has no signature: Google's streams have the signature in a part of its
/// own, and no mark between thoughts.
pub fn signed(facts: Vec<Value>) -> Vec<Value> {
    let mut parts: Vec<Value> = Vec::new();
    for fact in facts {
        match parts.last_mut() {
            Some(last) if signs(&fact, last) => {
                *last = json!(["reasoning", text(&last[1]) + &text(&fact[1]), fact[2]]);
            }
            _ => parts.push(fact),
        }
    }
    parts
}

/// Whether a fact has the signature of the thought before it.
fn signs(fact: &Value, before: &Value) -> bool {
    let is_thought = |fact: &Value| fact[0] == "reasoning";
    is_thought(fact) && is_thought(before) && fact[2].is_string() && before[2].is_null()
}

/// Joins consecutive texts, refusals, and reasoning without state.
pub fn joined(facts: impl IntoIterator<Item = Value>) -> Vec<Value> {
    let is_plain =
        |fact: &Value| matches!(fact[0].as_str(), Some("text" | "refusal" | "reasoning")) && fact[2].is_null();
    let mut joined: Vec<Value> = Vec::new();
    for fact in facts {
        match joined.last_mut() {
            Some(last) if last[0] == fact[0] && is_plain(last) && is_plain(&fact) => {
                last[1] = (text(&last[1]) + &text(&fact[1])).into();
            }
            _ => joined.push(fact),
        }
    }
    joined
}

/// Arguments as JSON, if valid. White space has no meaning, and blank arguments are empty (`docs/round-trips.md`,
/// `empty-arguments`).
fn arguments(written: &Value) -> Value {
    match written.as_str() {
        Some(text) if text.trim().is_empty() || text.trim() == "null" => json!({}),
        Some(text) => serde_json::from_str(text).unwrap_or_else(|_| written.clone()),
        None => written.clone(),
    }
}

fn of_text(kind: &str, value: &Value) -> Option<Value> {
    value.as_str().filter(|text| !text.is_empty()).map(|text| json!([kind, text]))
}

fn of_item(dialect: Dialect, item: &Value) -> Vec<Value> {
    match shape(dialect) {
        Dialect::OpenAI if item["role"] == "assistant" => {
            let mut facts: Vec<Value> = of_text("reasoning", &item["reasoning_content"]).into_iter().collect();
            facts.extend(of_content(&item["content"]));
            facts.extend(of_text("refusal", &item["refusal"]));
            facts.extend(list(&item["tool_calls"]).iter().map(|call| match call["type"].as_str() {
                Some("custom") => json!(["custom", call["id"], call["custom"]["name"], call["custom"]["input"]]),
                _ => json!(["call", call["id"], call["function"]["name"], arguments(&call["function"]["arguments"])]),
            }));
            facts
        }
        Dialect::Mistral | Dialect::Cohere if item["role"] == "assistant" => {
            let mut facts = of_content(&item["content"]);
            facts.extend(of_text("reasoning", &item["tool_plan"]));
            facts.extend(list(&item["tool_calls"]).iter().map(|call| {
                json!(["call", call["id"], call["function"]["name"], arguments(&call["function"]["arguments"])])
            }));
            facts
        }
        Dialect::Bedrock if item["role"] == "assistant" => list(&item["content"]).iter().filter_map(of_union).collect(),
        Dialect::GeminiInteractions => of_step(item),
        Dialect::OpenAIResponses => match item["type"].as_str() {
            Some("function_call") => {
                vec![json!(["call", item["call_id"], full_name(item), arguments(&item["arguments"])])]
            }
            Some("custom_tool_call") => vec![json!(["custom", item["call_id"], item["name"], item["input"]])],
            Some("function_call_output" | "custom_tool_call_output") => Vec::new(),
            Some("reasoning") => {
                let summary: String = list(&item["summary"]).iter().map(|part| text(&part["text"])).collect();
                vec![json!(["reasoning", summary, item["encrypted_content"], item["id"]])]
            }
            Some("message") | None if item["role"] == "assistant" => of_content(&item["content"]),
            Some("message") | None => Vec::new(),
            Some(_) => vec![json!(["native", item])],
        },
        Dialect::Anthropic if item["role"] == "assistant" => match item["content"].as_array() {
            None => of_text("text", &item["content"]).into_iter().collect(),
            Some(blocks) => blocks.iter().filter_map(of_block).collect(),
        },
        Dialect::Gemini if item["role"] == "model" => list(&item["parts"]).iter().filter_map(of_part).collect(),
        Dialect::Ollama if item["role"] == "assistant" => {
            let mut facts: Vec<Value> = of_text("reasoning", &item["thinking"]).into_iter().collect();
            facts.extend(of_text("text", &item["content"]));
            facts.extend(list(&item["tool_calls"]).iter().map(|call| {
                json!(["call", call["id"], call["function"]["name"], arguments(&call["function"]["arguments"])])
            }));
            facts
        }
        Dialect::Canonical if item["role"] == "assistant" => of_message(item),
        _ => Vec::new(),
    }
}

fn of_content(content: &Value) -> Vec<Value> {
    match content.as_array() {
        None => of_text("text", content).into_iter().collect(),
        Some(parts) => parts
            .iter()
            .filter_map(|part| match part["type"].as_str() {
                Some("refusal") => of_text("refusal", &part["refusal"]),
                Some("thinking") => of_thinking(part),
                Some("text" | "input_text" | "output_text") => of_text("text", &part["text"]),
                _ => Some(json!(["native", part])),
            })
            .collect(),
    }
}

/// The thinking of Cohere is a text, that of Mistral a list of chunks.
fn of_thinking(part: &Value) -> Option<Value> {
    let whole = match part["thinking"].as_array() {
        Some(chunks) => chunks.iter().map(|chunk| text(&chunk["text"])).collect(),
        None => text(&part["thinking"]),
    };
    let state = &part["signature"];
    (!whole.is_empty() || !state.is_null()).then(|| match state {
        Value::Null => json!(["reasoning", whole]),
        state => json!(["reasoning", whole, state]),
    })
}

/// A block of Bedrock: an object with one key, which states what it is.
fn of_union(block: &Value) -> Option<Value> {
    let (kind, value) = block.as_object()?.iter().next()?;
    match kind.as_str() {
        "text" => of_text("text", value),
        "citationsContent" => {
            let whole: String = list(&value["content"]).iter().map(|part| text(&part["text"])).collect();
            of_text("text", &whole.into())
        }
        "reasoningContent" => match value.get("reasoningText") {
            Some(thought) => Some(json!(["reasoning", text(&thought["text"]), thought["signature"]])),
            None => Some(json!(["reasoning", "", value["redactedContent"], "redacted"])),
        },
        "toolUse" if value["type"] != "server_tool_use" => {
            Some(json!(["call", value["toolUseId"], value["name"], value["input"]]))
        }
        _ => Some(json!(["native", block])),
    }
}

/// A step of Gemini Interactions.
fn of_step(step: &Value) -> Vec<Value> {
    match step["type"].as_str() {
        Some("model_output") => of_content(&step["content"]),
        Some("thought") => {
            let summary: String = list(&step["summary"]).iter().map(|part| text(&part["text"])).collect();
            vec![json!(["reasoning", summary, step["signature"]])]
        }
        Some("function_call") => {
            vec![json!(["call", step["id"], step["name"], step["arguments"], step["signature"]])]
        }
        Some("user_input" | "function_result") => Vec::new(),
        _ => vec![json!(["native", step])],
    }
}

fn of_block(block: &Value) -> Option<Value> {
    match block["type"].as_str() {
        Some("text") => of_text("text", &block["text"]),
        Some("thinking") => Some(json!(["reasoning", block["thinking"], block["signature"]])),
        Some("redacted_thinking") => Some(json!(["reasoning", "", block["data"], "redacted"])),
        Some("tool_use") => Some(json!(["call", block["id"], block["name"], block["input"]])),
        _ => Some(json!(["native", block])),
    }
}

fn of_part(part: &Value) -> Option<Value> {
    let signature = &part["thoughtSignature"];
    match part.get("functionCall") {
        Some(call) => {
            Some(json!(["call", call["id"], call["name"], call.get("args").cloned().unwrap_or(json!({})), signature]))
        }
        None if part.get("text").is_none() => Some(json!(["native", part])),
        None if part["text"] == "" && signature.is_null() => None,
        None if part["thought"] == true => Some(json!(["reasoning", part["text"], signature])),
        None if signature.is_null() => Some(json!(["text", part["text"]])),
        None => Some(json!(["text", part["text"], signature])),
    }
}

fn of_message(message: &Value) -> Vec<Value> {
    let mut calls: Vec<&Value> = list(&message["toolCalls"]).iter().chain(list(&message["invalidToolCalls"])).collect();
    let of_call = |call: &Value| {
        let raw = call.get("rawArguments").unwrap_or(&call["arguments"]);
        json!(["call", call["id"], full_name(call), raw])
    };
    let mut facts = Vec::new();
    for block in list(&message["content"]) {
        match block["type"].as_str() {
            Some("toolCall") => {
                if let Some(place) = calls.iter().position(|call| call["id"] == block["id"]) {
                    facts.push(of_call(calls.remove(place)));
                }
            }
            Some("reasoning") => {
                let state = block.get("signature").or(block.get("redacted")).filter(|state| *state != "").cloned();
                if !text(&block["text"]).is_empty() || state.is_some() {
                    facts.push(json!(["reasoning", text(&block["text"]), state]));
                }
            }
            Some(kind @ ("text" | "refusal")) => facts.extend(of_text(kind, &block["text"])),
            _ => facts.push(json!(["native", block])),
        }
    }
    facts.extend(of_text("text", &message["content"]));
    facts.extend(calls.into_iter().map(of_call));
    facts
}

/// The facts that every provider can receive: texts, without white space, and calls of tools.
pub fn plain(dialect: Dialect, items: &[Value], tools: &[OfferedTool], codes: &BTreeSet<&str>) -> Vec<Value> {
    let of_call = |call: &Value, input: Value| {
        let input = if codes.contains("arguments_wrapped") { Value::Null } else { input };
        json!(["call", tools.iter().position(|tool| call[2] == tool.name), input])
    };
    let plain = parts(dialect, items).into_iter().filter_map(|fact| match fact[0].as_str() {
        Some("text" | "refusal") => of_text("text", &text(&fact[1]).split_whitespace().collect::<String>().into()),
        Some("call") => Some(of_call(&fact, arguments(&fact[3]))),
        Some("custom") => Some(of_call(&fact, json!({ "input": fact[3] }))),
        _ => None,
    });
    let mut plain: Vec<Value> = plain.collect();
    if codes.contains("order_changed") {
        plain.sort_by_key(|fact| fact[0].to_string());
    }
    joined(plain)
}

/// The ids of the calls, in order.
pub fn calls(dialect: Dialect, items: &[Value]) -> Vec<Value> {
    let parts = items.iter().flat_map(|item| of_item(dialect, item));
    parts.filter(|fact| fact[0] == "call" || fact[0] == "custom").map(|call| call[1].clone()).collect()
}

/// The results in order: the id of the call, and the content as text.
pub fn results(dialect: Dialect, items: &[Value]) -> Vec<(Value, String)> {
    let of = |id: &Value, result: &Value| (id.clone(), result.to_string());
    items
        .iter()
        .flat_map(|item| match shape(dialect) {
            _ if is_chat(dialect) && item["role"] == "tool" => vec![of(&item["tool_call_id"], item)],
            Dialect::Canonical if item["role"] == "tool" => vec![of(&item["toolCallId"], item)],
            Dialect::OpenAIResponses if text(&item["type"]).ends_with("_call_output") => {
                vec![of(&item["call_id"], item)]
            }
            Dialect::Anthropic => {
                let results = list(&item["content"]).iter().filter(|block| block["type"] == "tool_result");
                results.map(|result| of(&result["tool_use_id"], result)).collect()
            }
            Dialect::Bedrock if item["role"] == "user" => {
                let results = list(&item["content"]).iter().filter_map(|block| block.get("toolResult"));
                results.map(|result| of(&result["toolUseId"], result)).collect()
            }
            Dialect::GeminiInteractions if item["type"] == "function_result" => vec![of(&item["call_id"], item)],
            Dialect::Gemini => {
                let results = list(&item["parts"]).iter().filter_map(|part| part.get("functionResponse"));
                results.map(|result| of(&result["id"], result)).collect()
            }
            _ => Vec::new(),
        })
        .collect()
}
