//! Messages, tools and choice that are converted separately agree with the whole request, for all options.

use crate::generate;
use crate::providers;
use crate::runner::{check, text};
use proptest::prelude::*;
use proptest::test_runner::{TestCaseError, TestCaseResult};
use serde_json::{Value, json};
use toolwire::{Converted, Dialect, Options, Subject, ToolwireError, context_of, convert_text};

/// Models with special rules for bodies.
const MODELS: &[&str] = &[
    "gpt-5",
    "claude-opus-4-6",
    "claude-opus-5-1",
    "claude-3-7-sonnet-20250219",
    "gemini-3-pro",
    "gemini-2.0-flash",
    "gemma-3-27b-it",
];
/// The generated user turn that starts a conversation without one. The caller of a piece may have such a turn.
const MADE_TURN: &str = "(The conversation starts here.)";
/// The turn that asks a model without prefill to go on. Pieces need not be complete conversations.
const NEXT_TURN: &str = "Continue.";
/// The mark of a last message that the model continues, on Mistral. The messages of a piece may have others behind them.
const PREFIX: &str = r#""prefix":true"#;

/// The fields with conversion functions of their own.
const PARTS: [&str; 4] = ["messages", "tools", "toolChoice", "parallelToolCalls"];

/// A request with or without settings. Some have tools with names that collide after they are made legal.
fn request() -> generate::Json {
    let tools = json!([
        { "name": "a.b", "parameters": { "type": "object", "properties": {} } },
        { "name": "a_b", "parameters": { "type": "object", "properties": {} } }
    ]);
    let model = prop::option::of(prop::sample::select(MODELS));
    (generate::request(), model, prop::bool::weighted(0.2), any::<bool>())
        .prop_map(move |(mut request, model, is_alike, has_settings)| {
            if let Some(fields) = request.as_object_mut() {
                fields.shift_remove("metadata");
                if !has_settings {
                    fields.retain(|key, _| PARTS.contains(&key.as_str()));
                }
                if is_alike {
                    fields.insert("tools".to_owned(), tools.clone());
                    let messages = json!([
                        { "role": "user", "content": "Hi" },
                        { "role": "assistant", "content": "", "toolCalls": [{ "id": "t1", "name": "a.b", "arguments": {} }] },
                        { "role": "tool", "toolCallId": "t1", "name": "a.b", "kind": "text", "value": "ok" }
                    ]);
                    fields.insert("messages".to_owned(), messages);
                    fields.entry("toolChoice").and_modify(|choice| *choice = json!({ "name": "a.b" }));
                }
                if let Some(model) = model {
                    fields.insert("model".to_owned(), model.into());
                }
            }
            request
        })
        .boxed()
}

type Outcome = Result<Converted, Box<ToolwireError>>;

fn body(converted: Outcome) -> Result<Value, String> {
    let converted = converted.map_err(|error| error.to_string())?;
    if converted.body.is_empty() {
        return Ok(Value::Null);
    }
    serde_json::from_slice(&converted.body).map_err(|error| error.to_string())
}

fn is_part(key: &str) -> bool {
    key == "model" || PARTS.contains(&key)
}

/// Fields of requests without settings that hold neither messages nor tools.
const OTHERS: [&str; 6] = ["model", "modelId", "max_tokens", "stream", "anthropic_version", "store"];

/// The fields of the whole request that the piece has. In `generation_config`, the choice is among settings.
fn of_whole(whole: &Value, piece: &Value) -> Value {
    let fields = piece.as_object().into_iter().flatten();
    let of = |key: &String, piece: &Value| match key.as_str() {
        "generation_config" => of_whole(&whole[key], piece),
        _ => whole[key].clone(),
    };
    fields.map(|(key, piece)| (key.clone(), of(key, piece))).collect()
}

fn agree(request: &Value, to: Dialect, options: &Options) -> Result<(), String> {
    let convert = |kind, input: &Value, options: &Options| {
        body(convert_text(text(input), kind, Dialect::Canonical, to, options.clone()))
    };
    let Ok(whole) = convert(Subject::Request, request, options) else { return Ok(()) };
    if [MADE_TURN, NEXT_TURN, PREFIX].iter().any(|made| whole.to_string().contains(made)) {
        return Ok(());
    }
    let with_model = Options { model: request["model"].as_str().map(str::to_owned), ..options.clone() };
    let messages = convert(Subject::Messages, &request["messages"], &with_model)?;
    let config = convert(Subject::ToolConfig, request, options)?;
    let mut parts = request.clone();
    parts.as_object_mut().map(|parts| parts.shift_remove("model"));
    let model_in_options = convert(Subject::ToolConfig, &parts, &with_model)?;
    if config != model_in_options {
        return Err(format!("with the model as a field {config}\nas an option {model_in_options}"));
    }
    let mut pieces = messages;
    for (key, value) in config.as_object().into_iter().flatten() {
        pieces[key] = value.clone();
    }
    let has_settings = request.as_object().is_some_and(|fields| fields.keys().any(|key| !is_part(key)));
    let mut whole = whole;
    if let Some(fields) = whole.as_object_mut() {
        fields.retain(|key, _| !OTHERS.contains(&key.as_str()));
        // a history of calls requires tools, which only a whole request is supplied with
        if to == Dialect::Bedrock && pieces.get("toolConfig").is_none() {
            fields.shift_remove("toolConfig");
        }
    }
    if pieces != if has_settings { of_whole(&whole, &pieces) } else { whole.clone() } {
        return Err(format!("the whole has {whole}\nthe pieces {pieces}"));
    }
    if request.get("tools").is_some() && request.get("toolChoice").is_none() {
        let tools = convert(Subject::Tools, &request["tools"], &with_model)?;
        let of_config = if to == Dialect::Bedrock { &config["toolConfig"]["tools"] } else { &config["tools"] };
        if tools != json!([]) && tools != *of_config {
            return Err(format!("the tools with their choice are {of_config}\nalone {tools}"));
        }
    }
    Ok(())
}

fn holds(request: &Value, options: &Value) -> TestCaseResult {
    // results at the start of a piece may belong to calls before it
    if request["messages"][0]["role"] == "tool" {
        return Ok(());
    }
    let options: Options = serde_json::from_value(options.clone()).unwrap();
    for to in providers() {
        let context = context_of(text(request), Dialect::Canonical, to, options.clone()).ok();
        for context in [None, context] {
            let options = Options { context, ..options.clone() };
            agree(request, to, &options).map_err(|reason| {
                TestCaseError::fail(format!("{}: {reason}\nfrom {request}\nwith {options:?}", to.name()))
            })?;
        }
    }
    Ok(())
}

#[test]
fn pieces_agree_with_the_whole() {
    check(21, (request(), generate::options()), 0.02, |(request, options)| holds(&request, &options));
}
