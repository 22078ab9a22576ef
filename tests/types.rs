//! The serde types hold every canonical value of the vectors, and no fields that the format lacks.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic)]

mod support;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use support::cases::{Body, Check, Expected, checks};
use support::compare::differences;
use toolwire::types::{
    ChatError, ChatRequest, ChatResponse, Message, MessageInput, StreamEvent, Tool, ToolCalls, ToolChoice, ToolConfig,
};

/// The value after it is read into a type and written again.
fn again<T: DeserializeOwned + Serialize>(text: &str) -> Result<Value, String> {
    let value: T = serde_json::from_str(text).map_err(|error| error.to_string())?;
    Ok(serde_json::to_value(value).unwrap())
}

fn as_input(kind: &str, text: &str) -> Result<Value, String> {
    match kind {
        "request" => again::<ChatRequest<MessageInput>>(text),
        "messages" => again::<Vec<MessageInput>>(text),
        _ => as_output(kind, text),
    }
}

fn as_output(kind: &str, text: &str) -> Result<Value, String> {
    match kind {
        "request" => again::<ChatRequest>(text),
        "response" => again::<ChatResponse>(text),
        "error" => again::<ChatError>(text),
        "stream" => again::<Vec<StreamEvent>>(text),
        "answer" => again::<ChatResponse>(text),
        "messages" => again::<Vec<Message>>(text),
        "tools" => again::<Vec<Tool>>(text),
        "toolChoice" => again::<ToolChoice>(text),
        "toolConfig" => again::<ToolConfig>(text),
        "toolCalls" => again::<ToolCalls>(text),
        // not types of the canonical format
        "path" | "schema" => serde_json::from_str(text).map_err(|error| error.to_string()),
        other => panic!("unknown kind {other}"),
    }
}

/// Whether an input is exactly of the format. Conversions also accept inputs with unknown fields, which they report,
/// and with null for absent fields.
fn is_exact(check: &Check) -> bool {
    let Expected::Body { warnings, .. } = &check.expected else { return false };
    let is_reported = warnings.as_array().unwrap().iter().any(|warning| {
        ["unknown_field", "duplicate_key", "lone_surrogate"].iter().any(|code| warning["code"] == *code)
    });
    !is_reported
}

/// The text of a body, with its variables as plain text.
fn plain(body: &Body) -> String {
    body.text().replace(['«', '»'], "~")
}

type Reading = fn(&str, &str) -> Result<Value, String>;

fn hold(passed: &mut usize, failures: &mut Vec<String>, check: &Check, body: &Body, read: Reading) {
    let text = plain(body);
    let Ok(expected) = serde_json::from_str::<Value>(&text) else { return };
    let differences = match read(&check.kind, &text) {
        Ok(found) => differences(&expected, &found),
        Err(error) => vec![error],
    };
    match differences.as_slice() {
        [] => *passed += 1,
        _ => failures.push(format!("{}: {}: {expected}", check.name, differences.join(", "))),
    }
}

#[test]
fn every_canonical_value_fits() {
    let (mut passed, mut failures) = (0, Vec::new());
    for entry in std::fs::read_dir("tests/vectors").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        for check in checks(&std::fs::read_to_string(path).unwrap()).iter().filter(|check| is_exact(check)) {
            if check.from == "canonical" {
                hold(&mut passed, &mut failures, check, &check.input, as_input);
            }
            if let ("canonical", Expected::Body { body, .. }) = (check.to.as_str(), &check.expected) {
                hold(&mut passed, &mut failures, check, body, as_output);
            }
        }
    }
    println!("{passed} canonical values fit, {} do not", failures.len());
    assert!(failures.is_empty(), "{} canonical values do not fit:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn unknown_members_of_the_canonical_format_are_refused() {
    let refused = [
        ("request", r#"{"messages":[],"max_tokens":1}"#),
        ("request", r#"{"messages":[{"role":"user","content":"Hi","name":"x"}]}"#),
        ("request", r#"{"messages":[{"role":"developer","content":"Hi"}]}"#),
        ("request", r#"{"messages":[{"role":"user","content":[{"type":"text","text":"Hi","x":1}]}]}"#),
        ("messages", r#"[{"role":"tool","toolCallId":"1","name":"f","kind":"text","value":{}}]"#),
        ("messages", r#"[{"role":"tool","toolCallId":"1","name":"f","kind":"text","value":"","x":1}]"#),
        ("tools", r#"[{"name":"f","input_schema":{}}]"#),
        ("tools", r#"[{"type":"native","provider":"nobody","value":1}]"#),
        ("toolChoice", r#""any""#),
        ("toolChoice", r#"{"name":"f","type":"tool"}"#),
    ];
    for (kind, text) in refused {
        assert!(as_output(kind, text).is_err(), "{kind} {text}");
    }
}
