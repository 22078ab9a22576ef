//! The response of a failed stream: what was complete before the error, and the error.

use super::bad_input::{error_body, foreign, good, of_events, of_providers};
use super::{dialects, framed_event};
use serde_json::{Value, json};
use toolwire::{Dialect, ErrorCode, Lossy, Options, StreamReader};

fn response(reader: &mut StreamReader) -> Value {
    serde_json::from_slice(&reader.finish().unwrap()).unwrap()
}

/// Pushes until a push or the end returns an error.
fn failed(reader: &mut StreamReader, bytes: &[u8]) -> ErrorCode {
    let error = reader.push(bytes).err().or_else(|| reader.push(b"").err()).or_else(|| reader.end().err());
    error.or_else(|| reader.end().err()).unwrap().code
}

#[test]
fn completed_parts_are_kept_if_a_stream_violates_its_format() {
    for from in of_events() {
        for (bad, code) in [
            (&b"\x00\x01\x02\n"[..], ErrorCode::InvalidStream),
            (b"data: {\"id\":\"c\",}\n\n", ErrorCode::InvalidJson),
            (b"data: 7\n\n", ErrorCode::InvalidType),
        ] {
            let mut reader = StreamReader::new(from, Options { bookkeeping: true, ..Options::default() }).unwrap();
            assert_eq!(failed(&mut reader, &[good(from).concat(), bad.to_vec()].concat()), code, "{from:?}");
            let found = response(&mut reader);
            assert_eq!((&found["text"], &found["finishReason"]), (&json!("Good day"), &json!("error")), "{from:?}");
            assert_eq!((&found["error"]["code"], &found["error"]["retryable"]), (&json!("api_error"), &json!(true)));
            assert!(!found["error"]["message"].as_str().unwrap().is_empty(), "{from:?}");
            // the second response is the same, and the stream accepts no more input
            assert_eq!(response(&mut reader), found);
            assert_eq!(reader.push(&good(from)[0]).unwrap_err().code, ErrorCode::StreamFailed);
        }
    }
}

#[test]
fn a_stream_that_fails_at_its_start_has_an_empty_response() {
    for from in of_providers() {
        for bad in [b"<!DOCTYPE html>\n<html></html>\n".to_vec(), foreign(from), Vec::new()] {
            let mut reader = StreamReader::new(from, Options { bookkeeping: true, ..Options::default() }).unwrap();
            assert_eq!(failed(&mut reader, &bad), ErrorCode::InvalidStream, "{from:?}");
            let found = response(&mut reader);
            assert_eq!((&found["message"]["content"], &found["error"]["code"]), (&json!([]), &json!("api_error")));
        }
    }
}

#[test]
fn an_error_body_instead_of_a_stream_is_the_error_of_the_response() {
    for from in of_providers() {
        let mut reader = StreamReader::new(from, Options { bookkeeping: true, ..Options::default() }).unwrap();
        assert_eq!(failed(&mut reader, error_body(from)), ErrorCode::InvalidStream, "{from:?}");
        let error = &response(&mut reader)["error"];
        let expected = match from.base() {
            Dialect::OpenAI | Dialect::OpenAIResponses => json!(["authentication", "Incorrect API key", 401]),
            Dialect::Anthropic => json!(["overloaded", "Overloaded", 529]),
            _ => json!(["rate_limit", "Quota exceeded", 429]),
        };
        assert_eq!(json!([error["code"], error["message"], error["status"]]), expected, "{from:?}");
    }
}

/// `finish` returns an error that no call has returned yet, however the bytes were split.
#[test]
fn an_error_is_returned_once_before_the_response() {
    for from in of_events() {
        let mut reader = StreamReader::new(from, Options { bookkeeping: true, ..Options::default() }).unwrap();
        reader.push(&[good(from).concat(), b"\x00\x01\x02\n".to_vec()].concat()).unwrap();
        assert_eq!(reader.finish().unwrap_err().code, ErrorCode::InvalidStream);
        assert_eq!(response(&mut reader)["text"], "Good day");
    }
}

#[test]
fn a_call_that_was_not_complete_is_invalid() {
    let from = Dialect::OpenAI;
    let call = json!({"id": "c", "model": "m", "choices": [{"index": 0, "delta": {"tool_calls": [
        {"index": 0, "id": "call_a", "type": "function", "function": {"name": "f", "arguments": "{\"x\":"}}]}}]});
    let mut reader = StreamReader::new(from, Options { bookkeeping: true, ..Options::default() }).unwrap();
    let bytes = [good(from).concat(), framed_event(from, &call).into_bytes(), b"\x00\n".to_vec()].concat();
    failed(&mut reader, &bytes);
    let found = response(&mut reader);
    assert_eq!((&found["text"], &found["toolCalls"]), (&json!("Good day"), &json!([])));
    assert_eq!(found["invalidToolCalls"][0]["rawArguments"], "{\"x\":");
}

#[test]
fn a_loss_that_is_an_error_has_no_response() {
    let event = json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}, "x": 1});
    let options = Options { bookkeeping: true, lossy: Lossy::Error, ..Options::default() };
    let mut reader = StreamReader::new(Dialect::Anthropic, options).unwrap();
    reader.push(&good(Dialect::Anthropic).concat()).unwrap();
    reader.push(framed_event(Dialect::Anthropic, &event).as_bytes()).unwrap();
    assert_eq!(response(&mut reader)["error"]["code"], "overloaded");

    let options = Options { bookkeeping: true, lossy: Lossy::Error, ..Options::default() };
    let mut reader = StreamReader::new(Dialect::Anthropic, options).unwrap();
    reader.push(&good(Dialect::Anthropic).concat()).unwrap();
    // a stream that breaks off loses content
    reader.end().unwrap();
    assert_eq!(reader.end().unwrap_err().code, ErrorCode::Lossy);
    assert_eq!(reader.finish().unwrap_err().code, ErrorCode::StreamFailed);
}

#[test]
fn the_error_of_a_stream_that_breaks_off() {
    for from in dialects() {
        let mut reader = StreamReader::new(from, Options { bookkeeping: true, ..Options::default() }).unwrap();
        reader.push(&good(from).concat()).unwrap();
        assert_eq!(response(&mut reader)["error"]["code"], "api_error", "{from:?}");
    }
}
