//! Responses in the formats of models, complete and streamed.

use super::{Reading, request};
use crate::text::write::Carrier;
use serde_json::{Value, json};

fn reading(format: &str, prefill: &str) -> Reading {
    let mut messages = vec![json!({ "role": "user", "content": "Hi" })];
    if !prefill.is_empty() {
        messages.push(json!({ "role": "assistant", "content": prefill }));
    }
    let tools =
        json!([{ "name": "f", "parameters": { "type": "object", "properties": { "a": { "type": "integer" } } } }]);
    let body = json!({ "messages": messages, "tools": tools });
    Reading::of(&request(body, &json!({ "format": format }), Carrier::Text).unwrap().reading).unwrap()
}

fn whole(reading: &Reading, text: &str) -> Value {
    let content = json!([{ "type": "text", "text": text }]);
    let response = json!({
        "id": "r",
        "message": { "role": "assistant", "content": content },
        "finishReason": "stop",
    });
    reading.response(response).unwrap().response
}

/// Reads a stream that has one event per piece: its text and calls.
fn streamed(reading: Reading, pieces: &[&str]) -> (String, Vec<Value>) {
    let mut stream = reading.stream();
    let mut events = stream.push(json!({ "type": "start", "id": "r" }));
    for piece in pieces {
        events.extend(stream.push(json!({ "type": "textDelta", "block": 0, "text": piece })));
    }
    events.extend(stream.end());
    let text = events.iter().filter(|event| event["type"] == "textDelta").filter_map(|event| event["text"].as_str());
    let calls = events.iter().filter(|event| event["type"] == "toolCallEnd").map(|event| event["call"].clone());
    (text.collect(), calls.collect())
}

const HERMES: &str = "So:\n<tool_call>\n{\"name\": \"f\", \"arguments\": {\"a\": 1}}\n</tool_call>";
const CODER: &str = "<tool_call>\n<function=f>\n<parameter=a>\n1\n</parameter>\n</function>\n</tool_call>";

#[test]
fn whole_and_streamed_calls_are_the_same() {
    for (format, text) in [("hermes_json", HERMES), ("qwen3_xml", CODER)] {
        let read = whole(&reading(format, ""), text);
        assert_eq!(read["finishReason"], "tool_calls", "{format}");
        assert_eq!(read["toolCalls"][0]["arguments"], json!({ "a": 1 }), "{format}");
        let pieces: Vec<&str> = text.split_inclusive(|_| true).collect();
        let (joined, calls) = streamed(reading(format, ""), &pieces);
        assert_eq!(Value::Array(calls), read["toolCalls"], "{format}");
        assert_eq!(joined, read["text"], "{format}");
    }
}

#[test]
fn dropped_text_is_reported() {
    let text = "<｜DSML｜tool_calls>\n<｜DSML｜invoke name=\"f\">\n</｜DSML｜invoke>\n</｜DSML｜tool_calls> Sunny.";
    let content = json!([{ "type": "text", "text": text }]);
    let reading = reading("deepseek_v4_dsml", "");
    let response = json!({ "message": { "role": "assistant", "content": content }, "finishReason": "stop" });
    let answered = reading.response(response).unwrap();
    assert_eq!(answered.dropped, ["text after the calls was dropped: `Sunny.`"]);
    let mut stream = reading.stream();
    let mut events = stream.push(json!({ "type": "textDelta", "block": 0, "text": text }));
    events.extend(stream.push(json!({ "type": "finish", "finishReason": "stop" })));
    let dropped: Vec<&Value> = events.iter().filter(|event| event["type"] == "dropped").collect();
    assert_eq!(dropped, [&json!({ "type": "dropped", "message": answered.dropped[0] })]);
}

#[test]
fn ids_differ_between_responses_and_blocks() {
    let reading = reading("hermes_json", "");
    let id = |response: &str, index| {
        let mut text = reading.open(response, index);
        let events = [super::TextReader::push(&mut text, HERMES), super::TextReader::end(&mut text)].concat();
        let start = events.iter().find(|event| event["type"] == "toolCallStart").unwrap();
        start["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(id("r", 0), id("r", 0));
    assert_ne!(id("r", 0), id("r", 1));
    assert_ne!(id("r", 0), id("s", 0));
}

#[test]
fn a_prefill_is_continued_and_not_repeated() {
    let (start, rest) = HERMES.split_at(HERMES.find("\"a\"").unwrap());
    let read = whole(&reading("hermes_json", start), rest);
    assert_eq!(read["toolCalls"][0]["arguments"], json!({ "a": 1 }));
    assert_eq!(read["text"], "");
    let read = whole(&reading("hermes_json", "Well, "), "no.");
    assert_eq!(read["text"], "no.");
    let read = whole(&reading("hermes_json", "<think>"), "hm</think>yes");
    assert_eq!((&read["reasoningText"], &read["text"]), (&json!("hm"), &json!("yes")));
    let read = whole(&reading("hermes_json", HERMES), "<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>");
    assert_eq!(read["toolCalls"].as_array().unwrap().len(), 1);
}

#[test]
fn without_tools_an_object_in_the_text_is_not_a_call() {
    let body = json!({ "messages": [{ "role": "user", "content": "Hi" }] });
    let reading =
        Reading::of(&request(body, &json!({ "format": "llama3_json" }), Carrier::Text).unwrap().reading).unwrap();
    let text = "{\"name\": \"f\", \"parameters\": {}}";
    let read = whole(&reading, text);
    assert_eq!((&read["text"], &read["finishReason"]), (&json!(text), &json!("stop")));
}

#[test]
fn an_invalid_reading_is_an_error() {
    let path = |reading: Value| Reading::of(&reading).err().unwrap().path;
    assert_eq!(path(json!({})), "/reading");
    assert_eq!(path(json!({ "version": 2 })), "/reading");
    assert_eq!(path(json!({ "version": 1, "format": "x" })), "/reading/format");
    assert_eq!(path(json!({ "version": 1, "format": "json", "tools": [{}] })), "/reading/tools/0/name");
}
