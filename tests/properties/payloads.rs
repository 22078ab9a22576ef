//! Writes converted generated requests to files that `npm run check:recorded` accepts like recorded ones.

use crate::generate;
use crate::runner::{check, text};
use serde_json::Value;
use std::cell::Cell;
use std::fs;
use std::path::Path;
use toolwire::{Dialect, Options, Subject, convert_text};

const DIALECTS: [Dialect; 9] = [
    Dialect::OpenAI,
    Dialect::OpenAIResponses,
    Dialect::Anthropic,
    Dialect::Bedrock,
    Dialect::Gemini,
    Dialect::GeminiInteractions,
    Dialect::Mistral,
    Dialect::Cohere,
    Dialect::Ollama,
];

#[test]
#[ignore = "writes files: `npm run check:recorded -- --generated` runs it"]
fn generated_payloads() {
    let folder = std::env::var("PAYLOADS").unwrap();
    for dialect in DIALECTS {
        fs::create_dir_all(Path::new(&folder).join(dialect.name()).join("request")).unwrap();
        fs::create_dir_all(Path::new(&folder).join(dialect.name()).join("response")).unwrap();
    }
    let count = Cell::new(0);
    check(9, generate::request(), 0.2, |request| {
        count.set(count.get() + 1);
        if !is_exact(&request) || !is_editable(&request) {
            return Ok(());
        }
        for dialect in DIALECTS {
            let written = convert_text(
                text(&request),
                Subject::Request,
                Dialect::Canonical,
                dialect,
                Options { bookkeeping: true, ..Options::default() },
            );
            // other tests check what the target can't express
            let Ok(written) = written else { continue };
            // bodies that can't be read without a warning are skipped
            let body = written.body.clone();
            let read = convert_text(
                body,
                Subject::Request,
                dialect,
                Dialect::Canonical,
                Options { bookkeeping: true, ..Options::default() },
            );
            if read.is_ok_and(|read| !read.warnings.is_empty()) {
                continue;
            }
            let name = format!("generated-{:05}.json", count.get());
            fs::write(Path::new(&folder).join(dialect.name()).join("request").join(name), written.body).unwrap();
        }
        Ok(())
    });
}

/// Whether JavaScript objects can hold the request exactly: without long numbers, and without numeric keys, which
/// JavaScript reorders.
fn is_exact(value: &Value) -> bool {
    match value {
        Value::Array(items) => items.iter().all(is_exact),
        Value::Object(members) => members.iter().all(|(key, value)| key.parse::<u64>().is_err() && is_exact(value)),
        Value::Number(number) => match number.as_i64() {
            Some(whole) => whole.unsigned_abs() < 1 << 53,
            None => number.is_f64() && !number.to_string().contains(['e', 'E']) && !number.to_string().ends_with(".0"),
        },
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

/// Whether the edits of the check apply to exactly one place: no strict schemas, no tool that is chosen by name, no
/// settings that only partly apply to other providers, arguments that are objects, results of one kind.
fn is_editable(request: &Value) -> bool {
    let list = |key: &str| request[key].as_array().cloned().unwrap_or_default();
    let is_plain = |message: &Value| {
        message.get("invalidToolCalls").is_none() && message["kind"] != "multimodal" && message["isError"] != true
    };
    let is_question = |message: &Value| {
        message["role"] == "user" && message["content"].as_str().is_some_and(|text| !text.trim().is_empty())
    };
    list("tools").iter().all(|tool| tool["parameters"]["properties"].is_object() && tool["strict"] != true)
        && list("messages").iter().all(is_plain)
        && list("messages").iter().any(is_question)
        && !request["toolChoice"].is_object()
        && request.get("responseFormat").is_none()
        && request.get("reasoning").is_none()
}
