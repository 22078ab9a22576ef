//! The requests of formats whose messages, calls and tools have the shape of Chat Completions.

use super::{Wire, list, object, openai};
use serde_json::{Value, json};

/// The rules of WIRE §6.1 to §6.9.
pub fn mistral(body: &Value) -> Wire {
    const FIELDS: &[&str] =
        &["stream_options", "logprobs", "top_logprobs", "max_completion_tokens", "seed", "user", "functions"];
    const CHUNKS: &[&str] = &["text", "image_url", "document_url", "input_audio", "file", "reference", "thinking"];
    let messages = list(&body["messages"]);
    let chunks = messages.iter().flat_map(|message| list(&message["content"]));
    let is_chunk = |chunk: &Value| chunk["type"].as_str().is_some_and(|kind| CHUNKS.contains(&kind));
    let of_role = |message: &Value| {
        matches!(message["role"].as_str(), Some("system" | "user" | "assistant" | "tool"))
            && message.get("refusal").is_none()
    };
    let is_marked =
        |last: &&Value| last["role"] != "assistant" || last["prefix"] == true || !list(&last["tool_calls"]).is_empty();
    let has_index = |call: &Value| call["index"].is_number();
    let mut calls = messages.iter().flat_map(|message| list(&message["tool_calls"]));
    let has_parameters = |tool: &Value| tool.get("function").is_none_or(|function| function["parameters"].is_object());
    let why = if let Some(field) = FIELDS.iter().find(|field| body.get(**field).is_some()) {
        format!("a field that it does not have: {field}")
    } else if let Some(chunk) = chunks.into_iter().find(|chunk| !is_chunk(chunk)) {
        format!("a chunk that it does not have: {chunk}")
    } else if let Some(message) = messages.iter().find(|message| !of_role(message)) {
        format!("a message that it does not have: {message}")
    } else if messages.last().filter(|last| !is_marked(last)).is_some() {
        "a message that the model continues without `prefix`".to_owned()
    } else if !calls.all(has_index) {
        "a call without an index".to_owned()
    } else if !list(&body["tools"]).iter().all(has_parameters) {
        "a tool without parameters".to_owned()
    } else {
        return openai(body);
    };
    Wire { refused: Some(why), ..openai(body) }
}

/// The rules of WIRE §7.1 to §7.10.
pub fn cohere(body: &Value) -> Wire {
    let messages = list(&body["messages"]);
    let kinds = |message: &Value| -> Option<&[&str]> {
        match message["role"].as_str()? {
            "system" => Some(&["text"]),
            "user" => Some(&["text", "image_url"]),
            "assistant" => Some(&["text", "thinking"]),
            "tool" => Some(&["text", "document"]),
            _ => None,
        }
    };
    let is_known = |message: &Value| {
        let is_kind = |block: &Value| {
            kinds(message).is_some_and(|kinds| kinds.contains(&block["type"].as_str().unwrap_or_default()))
        };
        kinds(message).is_some() && list(&message["content"]).iter().all(is_kind)
    };
    let has_parameters = |tool: &Value| {
        let kind = &tool["function"]["parameters"]["type"];
        *kind == "object" || *kind == json!(["object"])
    };
    let choice = &body["tool_choice"];
    let why = if let Some(message) = messages.iter().find(|message| !is_known(message)) {
        format!("a message or block that it does not have: {message}")
    } else if !list(&body["tools"]).iter().all(has_parameters) {
        "a tool without parameters".to_owned()
    } else if !matches!(choice.as_str(), None | Some("REQUIRED" | "NONE")) || choice.is_object() {
        format!("a choice that it does not have: {choice}")
    } else if body.get("parallel_tool_calls").is_some() {
        "a field that it does not have".to_owned()
    } else {
        return read(body);
    };
    Wire { refused: Some(why), ..read(body) }
}

fn read(body: &Value) -> Wire {
    Wire { stops: list(&body["stop_sequences"]).to_vec(), settings: object(body), ..openai(body) }
}
