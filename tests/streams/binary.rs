//! AWS's binary messages: Converse, and the chunks of `invoke-with-response-stream`.

use super::aws::{event, message};
use super::{bad_input::good, outcome};
use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Value, json};
use toolwire::binary_frames::{Header, Message, length};
use toolwire::{Dialect, Options, StreamConverter};

/// The event of another format in a chunk.
fn chunk(data: &[u8]) -> Vec<u8> {
    event(&json!({ "chunk": { "bytes": BASE64_STANDARD.encode(data), "p": "abcdefghijkl" } })).unwrap()
}

/// The data of server-sent events.
fn chunks(events: &[Vec<u8>]) -> Vec<u8> {
    let data = |event: &Vec<u8>| chunk(event.strip_prefix(b"data: ").unwrap().trim_ascii_end());
    events.iter().flat_map(data).collect()
}

fn events(lines: &[Value]) -> Vec<u8> {
    lines.iter().flat_map(|line| event(line).unwrap()).collect()
}

fn lines(events: &[Value]) -> Vec<u8> {
    events.iter().map(|event| format!("{event}\n")).collect::<String>().into_bytes()
}

fn response() -> Vec<Value> {
    vec![
        json!({"messageStart": {"role": "assistant"}}),
        json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Good "}, "p": "abc"}}),
        json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "day"}, "p": "abcdefg"}}),
        json!({"contentBlockStop": {"contentBlockIndex": 0}}),
        json!({"contentBlockStart": {"contentBlockIndex": 1, "start": {"toolUse": {"toolUseId": "a", "name": "f"}}}}),
        json!({"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": "{\"x\":"}}}}),
        json!({"contentBlockDelta": {"contentBlockIndex": 1, "delta": {"toolUse": {"input": "1}"}}}}),
        json!({"contentBlockStop": {"contentBlockIndex": 1}}),
        json!({"messageStop": {"stopReason": "tool_use"}}),
        json!({"metadata": {"usage": {"inputTokens": 8, "outputTokens": 4, "totalTokens": 12}, "metrics": {"latencyMs": 9}}}),
    ]
}

#[test]
fn converse_is_read_like_lines() {
    for to in [Dialect::Canonical, Dialect::OpenAI, Dialect::Anthropic, Dialect::Gemini] {
        let pair = (Dialect::Bedrock, to);
        let expected = outcome(pair, [lines(&response()).as_slice()]);
        assert_eq!(expected.error, None);
        let bytes = events(&response());
        assert_eq!(outcome(pair, [bytes.as_slice()]), expected);
        assert_eq!(outcome(pair, bytes.chunks(1)), expected);
        for at in 1..bytes.len() {
            assert_eq!(outcome(pair, [&bytes[..at], &bytes[at..]]), expected, "split at {at}");
        }
    }
}

#[test]
fn chunks_are_read_like_server_sent_events() {
    let from = Dialect::Anthropic;
    let mut whole = good(from);
    whole.extend(
        [
            json!({"type": "content_block_stop", "index": 0}),
            json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 2}}),
            json!({"type": "message_stop", "amazon-bedrock-invocationMetrics": {"inputTokenCount": 1}}),
        ]
        .map(|event| format!("data: {event}\n\n").into_bytes()),
    );
    for to in [Dialect::Canonical, Dialect::OpenAI, Dialect::Bedrock] {
        let expected = outcome((from, to), [whole.concat().as_slice()]);
        assert_eq!(expected.error, None);
        let bytes = chunks(&whole);
        for size in [1, 7, bytes.len()] {
            assert_eq!(outcome((from, to), bytes.chunks(size)), expected);
        }
    }
    // a copy has the names of the format
    let copy = outcome((from, from), [chunks(&whole).as_slice()]).delivered;
    assert!(copy.starts_with("event: message_start\ndata: {"), "{copy}");
}

/// An exception, or an error that has no type of its own, within a response with the status 200.
#[test]
fn exceptions() {
    let exception =
        |name| message(&[(":exception-type", name), (":message-type", "exception")], "{\"message\":\"No\"}");
    let error = |code| message(&[(":error-code", code), (":error-message", "No"), (":message-type", "error")], "");
    for (failure, code) in [
        (exception("throttlingException"), "rate_limit"),
        (exception("modelStreamErrorException"), "api_error"),
        (exception("serviceUnavailableException"), "overloaded"),
        (exception("accessDeniedException"), "permission"),
        (error("ThrottlingException"), "rate_limit"),
    ] {
        let converse = [events(&response()[..2]), failure.clone()].concat();
        let claude = [chunks(&good(Dialect::Anthropic)), failure].concat();
        for (from, bytes) in [(Dialect::Bedrock, converse), (Dialect::Anthropic, claude)] {
            let found = outcome((from, Dialect::Canonical), bytes.chunks(5));
            let last = found.delivered.lines().rev().find(|line| line.contains("\"error\":{")).unwrap_or_default();
            let event: Value = serde_json::from_str(last).unwrap_or_default();
            let stated = (&event["error"]["code"], &event["error"]["message"]);
            assert_eq!(stated, (&json!(code), &json!("No")), "{}: {}", from.name(), found.delivered);
        }
    }
}

fn converted(from: Dialect, bytes: &[u8], size: usize) -> Vec<u8> {
    let options = Options { bookkeeping: true, ..Options::default() };
    let mut converter = StreamConverter::new(from, Dialect::Bedrock, options).unwrap();
    let mut written: Vec<u8> = bytes.chunks(size).flat_map(|piece| converter.push(piece).unwrap()).collect();
    written.extend(converter.finish().unwrap());
    written
}

/// The names of the messages: their events and exceptions.
fn names(bytes: &[u8]) -> Vec<String> {
    let (mut rest, mut names) = (bytes, Vec::new());
    while let Some(total) = length(rest).unwrap() {
        let message = Message::read(&rest[..total]).unwrap();
        let texts = message.headers().filter_map(|header| match header.unwrap() {
            (":event-type" | ":exception-type", Header::Text(text)) => Some(text.to_owned()),
            _ => None,
        });
        names.extend(texts);
        rest = &rest[total..];
    }
    assert_eq!(rest, b"");
    names
}

/// The messages have the names of their events, regardless of the pieces, and are read as what they contain.
#[test]
fn written_messages() {
    let anthropic = good(Dialect::Anthropic);
    // texts that repeat the last event take the fast path
    let again = |text: &str| {
        let event = json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}});
        format!("data: {event}\n\n").into_bytes()
    };
    let long: Vec<u8> =
        [anthropic.clone(), ["a", "bc", "a longer text", "\u{e9}\"\\", "d"].map(again).to_vec()].concat().concat();
    for (from, bytes) in [
        (Dialect::Anthropic, long),
        (Dialect::Anthropic, anthropic.concat()),
        (Dialect::Bedrock, lines(&response())),
        (Dialect::Bedrock, events(&response())),
        (Dialect::OpenAI, good(Dialect::OpenAI).concat()),
        (Dialect::Gemini, good(Dialect::Gemini).concat()),
    ] {
        let expected = outcome((from, Dialect::Bedrock), [bytes.as_slice()]).delivered;
        for size in [1, 9, bytes.len()] {
            let written = converted(from, &bytes, size);
            let read = outcome((Dialect::Bedrock, Dialect::Bedrock), [written.as_slice()]).delivered;
            assert_eq!(read, expected, "{} in pieces of {size}", from.name());
            let keys: Vec<String> = expected
                .lines()
                .map(|line| {
                    serde_json::from_str::<Value>(line).unwrap().as_object().unwrap().keys().next().unwrap().clone()
                })
                .collect();
            assert_eq!(names(&written), keys);
        }
    }
}

#[test]
fn written_exceptions() {
    let error = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let bytes = [good(Dialect::Anthropic).concat(), format!("data: {error}\n\n").into_bytes()].concat();
    let written = converted(Dialect::Anthropic, &bytes, bytes.len());
    assert_eq!(names(&written).last().unwrap(), "serviceUnavailableException");
    // an error without a type of its own stays one
    let flat = json!({"__type": "ExpiredTokenException", "message": "Expired"});
    let copied = converted(Dialect::Bedrock, &lines(&[response()[0].clone(), flat]), 7);
    assert_eq!(names(&copied), ["messageStart", "ExpiredTokenException"]);
    let read = outcome((Dialect::Bedrock, Dialect::Canonical), [copied.as_slice()]).delivered;
    assert!(read.contains("\"code\":\"authentication\""), "{read}");
}
