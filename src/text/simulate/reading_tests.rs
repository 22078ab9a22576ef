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

/// The ids of the calls in a response whose text is in several blocks, whole and streamed.
fn ids_of(reading: &dyn Fn() -> Reading, blocks: &[Value]) -> Vec<String> {
    let content: Vec<Value> = blocks.to_vec();
    let response = json!({ "id": "r", "message": { "role": "assistant", "content": content }, "finishReason": "stop" });
    let id = |call: &Value| call["id"].as_str().unwrap().to_owned();
    let whole = reading().response(response).unwrap().response;
    let whole: Vec<String> = whole["toolCalls"].as_array().unwrap().iter().map(id).collect();
    let mut stream = reading().stream();
    let mut events = stream.push(json!({ "type": "start", "id": "r" }));
    for (index, block) in blocks.iter().enumerate() {
        events.extend(stream.push(match block["id"].as_str() {
            Some(id) => json!({ "type": "toolCallStart", "block": index, "id": id, "name": "f" }),
            None => json!({ "type": "textDelta", "block": index, "text": block["text"] }),
        }));
    }
    events.extend(stream.end());
    let ended = events.iter().filter(|event| event["type"] == "toolCallEnd").map(|event| id(&event["call"]));
    assert_eq!(ended.collect::<Vec<_>>(), whole);
    whole
}

#[test]
fn ids_differ_from_those_of_the_conversation() {
    for format in ["kimi_k2", "cohere_xml", "cohere_action", "solar_open", "mistral_json", "apriel", "hermes_json"] {
        let call = |id: &str| json!({ "id": id, "name": "f", "arguments": { "a": 1 } });
        let form = crate::text::write::Form::of(format).unwrap();
        let written =
            |id: &str| crate::text::write::calls_as_text(&json!({ "content": "", "toolCalls": [call(id)] }), form).text;
        let has_ids = form.ids != crate::text::formats::Ids::None;
        let id = match format {
            "kimi_k2" => "functions.f:0",
            "solar_open" => "abcdefghi0",
            "mistral_json" => "abcdefgh0",
            _ => "0",
        };
        let in_turn = |history: &[&str]| {
            let turns = history.iter().flat_map(|id| {
                let result = json!({ "role": "tool", "toolCallId": id, "name": "f", "kind": "text", "value": "x" });
                [json!({ "role": "assistant", "content": [], "toolCalls": [call(id)] }), result]
            });
            let messages: Vec<Value> =
                std::iter::once(json!({ "role": "user", "content": "Hi" })).chain(turns).collect();
            let body = json!({ "messages": messages, "tools": [{ "name": "f" }] });
            Reading::of(&request(body, &json!({ "format": format }), Carrier::Text).unwrap().reading).unwrap()
        };
        let text = json!({ "type": "text", "text": written(id) });
        let found = ids_of(&|| in_turn(&[id]), std::slice::from_ref(&text));
        assert_ne!(found, [id], "{format}");
        let next = found[0].clone();
        assert_ne!(ids_of(&|| in_turn(&[id, &next]), std::slice::from_ref(&text)), [next], "{format}");
        // in several blocks, beside a call of the provider
        let blocks = [text.clone(), json!({ "type": "toolCall", "id": "1" }), text.clone(), text];
        let mut found = ids_of(&|| in_turn(&[]), &blocks);
        assert_eq!(found[0] == id, has_ids, "{format}: {found:?}");
        found.push("1".to_owned());
        found.sort();
        let count = found.len();
        found.dedup();
        assert_eq!((found.len(), count), (4, 4), "{format}: {found:?}");
    }
}
