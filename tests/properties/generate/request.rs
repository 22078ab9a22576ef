//! Whole requests, and the options of their conversion.

use super::content::metadata;
use super::conversation::messages;
use super::schema::schema;
use super::text::{number, text, tool_name};
use super::{Json, array, object, one_of};
use proptest::prelude::*;
use serde_json::{Value, json};

fn flag() -> Json {
    any::<bool>().prop_map(Value::from).boxed()
}

fn tool() -> Json {
    let definition = object(vec![
        ("name", 100, tool_name()),
        ("description", 70, text()),
        ("parameters", 85, schema()),
        ("strict", 25, flag()),
        ("metadata", 4, metadata()),
    ]);
    let natives = [
        json!({ "type": "native", "provider": "anthropic", "value": { "type": "web_search_20250305", "name": "web_search" } }),
        json!({ "type": "native", "provider": "google", "value": { "googleSearch": {} } }),
        json!({ "type": "native", "provider": "openai", "value": { "type": "web_search" } }),
    ];
    prop_oneof![9 => definition, 1 => one_of(&natives)].boxed()
}

/// Tools. Few share a name, because most targets refuse such a request as a whole.
fn tools() -> Json {
    (prop::collection::vec(tool(), 0..4), prop::bool::weighted(0.02))
        .prop_map(|(mut tools, keeps_twins)| {
            let mut names: Vec<Value> = Vec::new();
            tools.retain(|tool| {
                let name = tool.get("name").cloned().unwrap_or_default();
                let is_new = name.is_null() || !names.contains(&name);
                names.push(name);
                is_new || keeps_twins
            });
            Value::Array(tools)
        })
        .boxed()
}

fn choice() -> Json {
    let natives = [
        json!({ "provider": "openai", "native": { "type": "web_search" } }),
        json!({ "provider": "anthropic", "native": { "type": "server_tools" } }),
        json!({ "provider": "google", "native": { "mode": "SHINY", "x": 1 } }),
    ];
    prop_oneof![
        4 => one_of(&["auto", "none", "required"]),
        3 => tool_name().prop_map(|name| json!({ "name": name })),
        2 => object(vec![("allowed", 100, array(tool_name(), 3)), ("mode", 60, one_of(&["auto", "required"]))]),
        1 => one_of(&natives),
    ]
    .boxed()
}

fn reasoning() -> Json {
    object(vec![
        ("effort", 60, one_of(&["none", "minimal", "low", "medium", "high", "xhigh", "max"])),
        ("budgetTokens", 40, one_of(&[-1, 0, 1, 512, 1024, 8192, 100_000])),
        ("include", 30, flag()),
    ])
}

fn response_format() -> Json {
    let with_schema = object(vec![
        ("type", 100, Just(json!("jsonSchema")).boxed()),
        ("name", 60, one_of(&["answer", "a name", "", "näme"])),
        ("description", 20, text()),
        ("schema", 100, schema()),
        ("strict", 40, flag()),
    ]);
    prop_oneof![one_of(&[json!({ "type": "text" }), json!({ "type": "json" })]), with_schema.boxed()].boxed()
}

/// A canonical request.
pub fn request() -> Json {
    let models = [
        "gpt-5",
        "claude-opus-4-6",
        "gemini-3-pro",
        "gemini-2.5-flash",
        "gemma-3-27b-it",
        "models/gemini-2.0-flash",
        "",
    ];
    let settings = object(vec![
        ("maxTokens", 15, number()),
        ("temperature", 15, number()),
        ("topP", 10, number()),
        ("topK", 10, number()),
        ("presencePenalty", 8, number()),
        ("frequencyPenalty", 8, number()),
        ("stop", 10, array(text(), 6)),
        ("seed", 8, number()),
        ("candidateCount", 8, number()),
        ("topLogprobs", 8, number()),
        ("reasoning", 15, reasoning()),
        ("verbosity", 8, one_of(&["low", "medium", "high"])),
        ("responseFormat", 15, response_format()),
        ("stream", 10, flag()),
        ("userId", 10, prop_oneof![text(), one_of(&["a@example.com", "user-1"])].boxed()),
    ]);
    let body = object(vec![
        ("model", 60, one_of(&models)),
        ("messages", 100, messages()),
        ("tools", 45, tools()),
        ("toolChoice", 35, choice()),
        ("parallelToolCalls", 20, flag()),
        ("metadata", 5, metadata()),
    ]);
    (body, settings)
        .prop_map(|(mut body, settings)| {
            if let (Some(body), Value::Object(settings)) = (body.as_object_mut(), settings) {
                body.extend(settings);
            }
            body
        })
        .boxed()
}

/// Options of a conversion, mostly the defaults.
pub fn options() -> Json {
    let sets = [
        json!({ "bookkeeping": true, "anthropicVersion": "2023-06-01" }),
        json!({ "bookkeeping": true, "geminiSchema": "openapi" }),
        json!({ "bookkeeping": true, "geminiResultKey": "result", "errorStyle": "prefix" }),
        json!({ "bookkeeping": true, "midSystem": "inline", "systemRole": "developer" }),
        json!({ "bookkeeping": true, "missingResults": "drop", "orphanResults": "drop" }),
        json!({ "bookkeeping": true, "platform": "vertex" }),
        json!({ "bookkeeping": true, "platform": "bedrock" }),
        json!({ "bookkeeping": true, "idSeed": "seed" }),
    ];
    prop_oneof![3 => Just(json!({ "bookkeeping": true })), 2 => one_of(&sets)].boxed()
}
