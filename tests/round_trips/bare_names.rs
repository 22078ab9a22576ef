//! Calls by the bare name of a function in a namespace: the context restores the namespace if no other tool has the name.

use serde_json::{Value, json};
use toolwire::{Dialect, Options, Subject, context_of, convert_text};

/// The calls that a client of Responses gets if the model calls these names, as `namespace.name`.
fn restored(called: &[&str]) -> Vec<String> {
    let function = |name: &str| json!({"type": "function", "name": name, "parameters": {"type": "object"}});
    let namespace =
        |name: &str, tools: Value| json!({"type": "namespace", "name": name, "description": "d", "tools": tools});
    let request = json!({"model": "m", "input": "Hi", "tools": [
        function("list"),
        namespace("crm", json!([function("spawn"), function("list"), function("find")])),
        namespace("shop", json!([function("find"), {"type": "custom", "name": "sql"}])),
    ]});
    let context = context_of(
        request.to_string().into_bytes(),
        Dialect::OpenAIResponses,
        Dialect::OpenAI,
        Options { bookkeeping: true, ..Options::default() },
    );
    let calls = called.iter().map(
        |name| json!({"id": name, "type": "function", "function": {"name": name, "arguments": "{\"input\":\"x\"}"}}),
    );
    let message = json!({"role": "assistant", "content": null, "tool_calls": calls.collect::<Vec<_>>()});
    let response =
        json!({"id": "r", "model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]});
    let options = Options { bookkeeping: true, context: Some(context.unwrap()), ..Options::default() };
    let converted = convert_text(
        response.to_string().into_bytes(),
        Subject::Response,
        Dialect::OpenAI,
        Dialect::OpenAIResponses,
        options,
    );
    let response: Value = serde_json::from_slice(&converted.unwrap().body).unwrap();
    let text = |item: &Value, key: &str| item[key].as_str().unwrap_or("").to_owned();
    let items = response["output"].as_array().unwrap().iter();
    items.map(|item| format!("{} {}.{}", text(item, "type"), text(item, "namespace"), text(item, "name"))).collect()
}

#[test]
fn only_an_unambiguous_bare_name_gets_its_namespace() {
    assert_eq!(restored(&["spawn", "crm__spawn"]), ["function_call crm.spawn", "function_call crm.spawn"]);
    assert_eq!(restored(&["sql"]), ["custom_tool_call shop.sql"]);
    // a tool of the request, a name in two namespaces, and an unknown name
    assert_eq!(
        restored(&["list", "find", "other"]),
        ["function_call .list", "function_call .find", "function_call .other"]
    );
}
