//! Tests with a minimal reader: `[name{arguments}]` is a call, `(…)` is reasoning.

use super::{Stream, TextReader, response};
use serde_json::{Value, json};

/// Reads everything at the end of the text, except for the text before the first bracket.
#[derive(Default)]
struct Brackets {
    seed: String,
    held: String,
    blocks: u64,
    has_text: bool,
}

impl TextReader for Brackets {
    fn push(&mut self, text: &str) -> Vec<Value> {
        self.held.push_str(text);
        if self.held.contains(['[', '(']) { Vec::new() } else { self.take_text() }
    }

    fn end(&mut self) -> Vec<Value> {
        let held = std::mem::take(&mut self.held);
        let mut events = Vec::new();
        for part in held.split_inclusive([']', ')']) {
            let (text, mark) = part.split_at(part.find(['[', '(']).unwrap_or(part.len()));
            self.held = text.to_owned();
            events.extend(self.take_text());
            if !mark.is_empty() {
                events.extend(self.marked(mark));
            }
        }
        events
    }
}

impl Brackets {
    fn take_text(&mut self) -> Vec<Value> {
        let text = std::mem::take(&mut self.held);
        if text.is_empty() {
            return Vec::new();
        }
        if !std::mem::replace(&mut self.has_text, true) {
            self.blocks += 1;
        }
        vec![json!({ "type": "textDelta", "block": self.blocks - 1, "text": text })]
    }

    fn marked(&mut self, mark: &str) -> Vec<Value> {
        let block = self.blocks;
        (self.blocks, self.has_text) = (block + 1, false);
        let inner = mark.get(1..mark.len() - 1).unwrap_or_default();
        if mark.starts_with('(') {
            return vec![json!({ "type": "reasoningDelta", "block": block, "text": inner })];
        }
        let (name, arguments) = inner.split_at(inner.find('{').unwrap_or(inner.len()));
        let id = format!("{}:{block}", self.seed);
        let call = match serde_json::from_str::<Value>(arguments) {
            Ok(arguments) => json!({ "id": id, "name": name, "arguments": arguments }),
            Err(error) => json!({ "id": id, "name": name, "rawArguments": mark, "error": error.to_string() }),
        };
        vec![
            json!({ "type": "toolCallStart", "block": block, "id": id, "name": name }),
            json!({ "type": "toolCallDelta", "block": block, "id": id, "text": arguments }),
            json!({ "type": "toolCallEnd", "block": block, "call": call }),
        ]
    }
}

fn open(response_id: &str, index: usize) -> Brackets {
    Brackets { seed: format!("{response_id}/{index}"), ..Brackets::default() }
}

fn streamed(events: &[Value]) -> Vec<Value> {
    let mut stream = Stream::new(open, None);
    let mut read: Vec<Value> = events.iter().cloned().flat_map(|event| stream.push(event)).collect();
    read.extend(stream.end());
    read
}

fn text(block: u64, text: &str) -> Value {
    json!({ "type": "textDelta", "block": block, "text": text })
}

fn finish(reason: &str) -> Value {
    json!({ "type": "finish", "finishReason": reason, "rawFinishReason": "raw" })
}

fn whole(content: &Value, finish_reason: &str) -> Value {
    json!({
        "id": "r",
        "model": "m",
        "message": { "role": "assistant", "content": content, "metadata": { "own": 1 } },
        "text": "x",
        "toolCalls": [],
        "invalidToolCalls": [],
        "finishReason": finish_reason,
        "rawFinishReason": "raw",
        "usage": { "input": 1 },
    })
}

fn kinds(events: &[Value]) -> Vec<String> {
    let word = |event: &Value, key: &str| event.get(key).map(|value| value.to_string().replace('"', ""));
    events
        .iter()
        .map(|event| [word(event, "type"), word(event, "block")].into_iter().flatten().collect::<Vec<_>>().join(" "))
        .collect()
}

#[test]
fn calls_follow_in_the_order_of_the_text() {
    let events = [
        json!({ "type": "start", "id": "r" }),
        text(0, "So: "),
        text(0, "[f{\"a\""),
        text(0, ":1}] then"),
        finish("stop"),
    ];
    let read = streamed(&events);
    let expected =
        ["start", "textDelta 0", "toolCallStart 1", "toolCallDelta 1", "toolCallEnd 1", "textDelta 2", "finish"];
    assert_eq!(kinds(&read), expected);
    assert_eq!(read[4]["call"], json!({ "id": "r/0:1", "name": "f", "arguments": { "a": 1 } }));
    assert_eq!(read[6], json!({ "type": "finish", "finishReason": "tool_calls" }));
}

#[test]
fn only_unspecific_finish_reasons_become_tool_calls() {
    for (reason, expected) in [
        ("stop", "tool_calls"),
        ("other", "tool_calls"),
        ("length", "length"),
        ("content_filter", "content_filter"),
        ("tool_calls", "tool_calls"),
    ] {
        assert_eq!(streamed(&[text(0, "[f{}]"), finish(reason)]).last().unwrap()["finishReason"], expected);
        assert_eq!(streamed(&[text(0, "[f{]"), finish(reason)]).last().unwrap()["finishReason"], expected);
        assert_eq!(streamed(&[text(0, "f"), finish(reason)]).last().unwrap()["finishReason"], reason);
    }
}

#[test]
fn blocks_may_alternate_and_keep_their_order() {
    let reasoning = |text: &str| json!({ "type": "reasoningDelta", "block": 0, "text": text });
    let read = streamed(&[reasoning("a"), text(1, "x"), reasoning("b"), text(1, "[f"), reasoning("c"), text(1, "{}]")]);
    let expected = [
        "reasoningDelta 0",
        "textDelta 1",
        "reasoningDelta 0",
        "reasoningDelta 0",
        "toolCallStart 2",
        "toolCallDelta 2",
        "toolCallEnd 2",
    ];
    assert_eq!(kinds(&read), expected);
}

#[test]
fn held_back_content_is_written_before_an_error() {
    let error = json!({ "type": "error", "error": { "code": "overloaded", "message": "no", "retryable": true } });
    assert_eq!(
        kinds(&streamed(&[text(0, "a [b"), error])),
        ["textDelta 0", "toolCallStart 1", "toolCallDelta 1", "toolCallEnd 1", "error"]
    );
}

#[test]
fn a_native_call_stays_and_leaves_the_reason_alone() {
    let call = json!({ "type": "toolCallEnd", "block": 0, "call": { "id": "c", "name": "f", "arguments": {} } });
    let events = [call, finish("tool_calls")];
    assert_eq!(streamed(&events), events);
}

#[test]
fn a_whole_response_is_read_as_its_stream() {
    let content = json!([
        { "type": "reasoning", "text": "hm", "issuer": "ollama" },
        { "type": "text", "text": "(so)One: [f{\"a\":1}] two [g{]", "metadata": { "openai": { "annotations": [] } } },
    ]);
    let read = response(whole(&content, "stop"), open, None).unwrap().response;
    let expected = json!([
        { "type": "reasoning", "text": "hm", "issuer": "ollama" },
        { "type": "reasoning", "text": "so", "issuer": "openai" },
        { "type": "text", "text": "One: ", "metadata": { "openai": { "annotations": [] } } },
        { "type": "toolCall", "id": "r/0:2" },
        { "type": "text", "text": " two " },
    ]);
    assert_eq!(read["message"]["content"], expected);
    assert_eq!(read["toolCalls"], json!([{ "id": "r/0:2", "name": "f", "arguments": { "a": 1 } }]));
    assert_eq!(read["message"]["toolCalls"], read["toolCalls"]);
    assert_eq!(read["invalidToolCalls"][0]["rawArguments"], "[g{]");
    assert_eq!(read["text"], "One:  two ");
    assert_eq!(read["reasoningText"], "hmso");
    assert_eq!(read["finishReason"], "tool_calls");
    for kept in ["id", "model", "usage"] {
        assert_eq!(read[kept], whole(&content, "stop")[kept]);
    }
    assert!(read.get("rawFinishReason").is_none());
    assert_eq!(read["message"]["metadata"], json!({ "own": 1 }));
}

#[test]
fn a_response_without_calls_is_unchanged() {
    let before = whole(&json!([{ "type": "text", "text": "x" }]), "stop");
    assert_eq!(response(before.clone(), open, None).unwrap().response, before);
}

#[test]
fn an_invalid_response_is_an_error() {
    assert_eq!(response(json!([]), open, None).unwrap_err().path, "");
    assert_eq!(response(json!({ "text": "" }), open, None).unwrap_err().path, "/message");
}
