//! Calls that are carried by the input of a freeform tool.

use super::{Reading, request};
use crate::text::write::Carrier;
use serde_json::{Value, json};

fn tools() -> Value {
    json!([{ "name": "f", "parameters": { "type": "object", "properties": { "a": { "type": "string" } } } }])
}

fn simulated(body: Value, format: &str) -> super::Simulated {
    request(body, &json!({ "format": format }), Carrier::Tool("call_tools".into())).unwrap()
}

fn reading(format: &str) -> Reading {
    let body = json!({ "messages": [{ "role": "user", "content": "Hi" }], "tools": tools() });
    Reading::of(&simulated(body, format).reading).unwrap()
}

fn input(values: &[&str]) -> String {
    values
        .iter()
        .map(|a| format!("<tool_call>\n{{\"name\": \"f\", \"arguments\": {{\"a\": \"{a}\"}}}}\n</tool_call>\n"))
        .collect()
}

fn carrier(id: &str, input: &str) -> Value {
    json!({ "id": id, "name": "call_tools", "arguments": { "input": input }, "metadata": { "openai": { "custom": {} } } })
}

fn response(content: Value, calls: Value) -> Value {
    json!({
        "id": "r",
        "message": { "role": "assistant", "content": content, "toolCalls": calls },
        "toolCalls": calls,
        "finishReason": "tool_calls",
    })
}

fn ids_and_values(response: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let calls = response["toolCalls"].as_array().unwrap();
    calls.iter().map(|call| (text(&call["id"]), text(&call["arguments"]["a"]))).collect()
}

#[test]
fn the_calls_of_a_response_are_read_from_the_input() {
    let content = json!([{ "type": "text", "text": "So:" }]);
    let calls = json!([carrier("c1", &input(&["x", "\\ud83d\\ude00"])), carrier("c2", &input(&["z"]))]);
    let read = reading("hermes_json").response(response(content, calls)).unwrap().response;
    let found = ids_and_values(&read);
    assert_eq!(found.iter().map(|(_, a)| a.as_str()).collect::<Vec<_>>(), ["x", "😀", "z"]);
    assert_eq!((found[0].0.as_str(), found[2].0.as_str()), ("c1", "c2"));
    assert!(!["c1", "c2"].contains(&found[1].0.as_str()));
    assert_eq!((&read["text"], &read["finishReason"]), (&json!("So:"), &json!("tool_calls")));
    assert_eq!(read["message"]["toolCalls"], read["toolCalls"]);
}

#[test]
fn formats_with_ids_keep_theirs() {
    let text = "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{\"a\": \"x\"}<|tool_call_end|><|tool_calls_section_end|>";
    let read = reading("kimi_k2").response(response(json!([]), json!([carrier("c1", text)]))).unwrap().response;
    assert_eq!(ids_and_values(&read), [("functions.f:0".to_owned(), "x".to_owned())]);
}

fn events(pieces: &[&str], end: Option<Value>) -> Vec<Value> {
    let mut stream = reading("hermes_json").stream();
    let mut events = stream.push(json!({ "type": "start", "id": "r" }));
    events.extend(stream.push(json!({ "type": "textDelta", "block": 0, "text": "So:" })));
    events.extend(stream.push(json!({ "type": "toolCallStart", "block": 1, "id": "c1", "name": "call_tools" })));
    for piece in pieces {
        events.extend(stream.push(json!({ "type": "toolCallDelta", "block": 1, "id": "c1", "text": piece })));
    }
    events.extend(
        end.into_iter().flat_map(|call| stream.push(json!({ "type": "toolCallEnd", "block": 1, "call": call }))),
    );
    events.extend(stream.push(json!({ "type": "finish", "finishReason": "tool_calls" })));
    events
}

#[test]
fn a_stream_gives_the_same_calls_however_it_is_split() {
    let text = input(&["x\\n\\\"", "é"]);
    let call = carrier("c1", &text);
    let content = json!([{ "type": "text", "text": "So:" }]);
    let whole = reading("hermes_json").response(response(content, json!([call]))).unwrap().response;
    let json = call["arguments"].to_string();
    let letters: Vec<&str> = json.split_inclusive(|_| true).collect();
    for pieces in [vec![], vec![json.as_str()], letters] {
        let events = events(&pieces, Some(call.clone()));
        let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).collect::<Vec<_>>();
        let calls: Value = of("toolCallEnd").into_iter().map(|event| event["call"].clone()).collect();
        assert_eq!(calls, whole["toolCalls"]);
        let ids: Vec<&Value> = of("toolCallStart").into_iter().map(|event| &event["id"]).collect();
        assert_eq!(ids, [&whole["toolCalls"][0]["id"], &whole["toolCalls"][1]["id"]]);
        assert!(of("toolCallDelta").iter().all(|event| ids.contains(&&event["id"])));
        assert_eq!(of("textDelta").into_iter().map(|event| event["text"].as_str().unwrap()).collect::<String>(), "So:");
        assert_eq!(events.last().unwrap()["finishReason"], "tool_calls");
    }
}

#[test]
fn an_input_that_is_cut_off_or_has_no_call_loses_nothing() {
    let json = json!({ "input": input(&["x"]) }).to_string();
    let cut = events(&[json.split_at(json.find("x\\").unwrap() + 1).0], None);
    let invalid = cut.iter().find(|event| event["type"] == "toolCallEnd").unwrap();
    assert!(invalid["call"]["rawArguments"].as_str().unwrap().ends_with("\"x"), "{invalid}");

    let read = reading("hermes_json").response(response(json!([]), json!([carrier("c1", "None.")]))).unwrap().response;
    assert_eq!((&read["text"], &read["finishReason"]), (&json!("None."), &json!("stop")));
    assert!(read["message"].get("toolCalls").is_none());

    let other = json!([{ "id": "c1", "name": "call_tools", "arguments": { "calls": 1 } }]);
    let read = reading("hermes_json").response(response(json!([]), other)).unwrap().response;
    assert_eq!(read["text"], "{\"calls\":1}");
    let mut broken = response(json!([]), json!([]));
    broken["message"]["invalidToolCalls"] = json!([{ "id": "c1", "name": "call_tools", "rawArguments": "{\"input\": \"<tool_call>\\n{\\\"name\\\": \\\"f\\\", \\\"arguments\\\": {\\\"a\\\": \\\"x", "error": "e" }]);
    let read = reading("hermes_json").response(broken).unwrap().response;
    assert_eq!(read["invalidToolCalls"][0]["name"], "f");
}

#[test]
fn the_history_has_one_call_with_one_result() {
    let result = |id: &str, value: Value| json!({ "role": "tool", "toolCallId": id, "name": "f", "kind": "multimodal", "value": value });
    let image = json!({ "type": "image", "source": { "type": "url", "url": "https://x/y.png" } });
    let body = json!({
        "messages": [
            { "role": "user", "content": "Hi" },
            {
                "role": "assistant",
                "content": [{ "type": "text", "text": "So:" }, { "type": "toolCall", "id": "c1" }, { "type": "toolCall", "id": "c2" }],
                "toolCalls": [{ "id": "c1", "name": "f", "arguments": { "a": "x" } }, { "id": "c2", "name": "f", "arguments": {} }],
            },
            result("c1", json!([{ "type": "text", "text": "one" }])),
            result("c2", json!([{ "type": "text", "text": "two" }, image])),
            result("c9", json!([{ "type": "text", "text": "of another piece" }])),
        ],
        "tools": tools(),
        "responseFormat": { "type": "json" },
    });
    let made = simulated(body, "hermes_json");
    let messages = made.request["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 5);
    let call = &messages[2]["toolCalls"][0];
    assert_eq!((&call["id"], &call["name"]), (&json!("c1"), &json!("call_tools")));
    let text = call["arguments"]["input"].as_str().unwrap();
    assert!(text.starts_with("<tool_call>") && text.matches("<tool_call>").count() == 2, "{text}");
    assert_eq!(messages[2]["content"], json!([{ "type": "text", "text": "So:" }, { "type": "toolCall", "id": "c1" }]));
    assert_eq!((&messages[3]["toolCallId"], &messages[3]["name"]), (&json!("c1"), &json!("call_tools")));
    let shown = messages[3]["value"][0]["text"].as_str().unwrap();
    assert!(shown.contains("one") && shown.contains("two"), "{shown}");
    assert_eq!(messages[3]["value"][1], image);
    assert_eq!((&messages[4]["toolCallId"], &messages[4]["kind"]), (&json!("c9"), &json!("text")));
    // the response format applies to responses without calls, so it stays native
    assert_eq!(made.request["responseFormat"], json!({ "type": "json" }));
    assert!(made.warnings.is_empty(), "{:?}", made.warnings);
}

#[test]
fn the_prompt_names_the_tool_under_a_free_name() {
    let body = json!({
        "messages": [{ "role": "user", "content": "Hi" }],
        "tools": [{ "name": "call_tools" }, { "name": "f" }],
    });
    let made = simulated(body, "hermes_json");
    assert_eq!(made.reading["carrier"], "call_tools_");
    let prompt = made.request["messages"][0]["content"].as_str().unwrap();
    assert!(prompt.contains("call `call_tools_` once") && !prompt.contains("Text may come before"), "{prompt}");
}
