//! Streams with errors: everything valid before the error is delivered, then an error with its position, then nothing
//! more.

use super::{Either, dialects};
use serde_json::{Value, json};
use toolwire::{Dialect, ErrorCode, Lossy, Options, StreamConverter, StreamPlace, StreamReader};

/// Valid events of a stream, with some text.
pub fn good(dialect: Dialect) -> Vec<Vec<u8>> {
    let events: Vec<Value> = match dialect.base() {
        Dialect::OpenAI => vec![
            json!({"id": "c", "model": "m", "choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]}),
            json!({"id": "c", "model": "m", "choices": [{"index": 0, "delta": {"content": "Good day"}}]}),
        ],
        Dialect::OpenAIResponses => vec![
            json!({"type": "response.created", "response": {"id": "c", "model": "m", "status": "in_progress", "output": []}}),
            json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "message", "id": "msg_1",
                "status": "in_progress", "role": "assistant", "content": []}}),
            json!({"type": "response.content_part.added", "item_id": "msg_1", "output_index": 0, "content_index": 0,
                "part": {"type": "output_text", "text": "", "annotations": []}}),
            json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0, "content_index": 0,
                "delta": "Good day"}),
        ],
        Dialect::Anthropic => vec![
            json!({"type": "message_start", "message": {"id": "c", "type": "message", "role": "assistant", "model": "m",
                "content": [], "stop_reason": null, "usage": {"input_tokens": 1, "output_tokens": 1}}}),
            json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
            json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Good day"}}),
        ],
        Dialect::Gemini => {
            vec![json!({"candidates": [{"content": {"parts": [{"text": "Good day"}]},
            "index": 0}], "responseId": "c", "modelVersion": "m"})]
        }
        Dialect::Bedrock => vec![
            json!({"messageStart": {"role": "assistant"}}),
            json!({"contentBlockDelta": {"contentBlockIndex": 0, "delta": {"text": "Good day"}}}),
        ],
        Dialect::Cohere => vec![
            json!({"type": "message-start", "id": "c", "delta": {"message": {"role": "assistant"}}}),
            json!({"type": "content-start", "index": 0, "delta": {"message": {"content": {"type": "text", "text": ""}}}}),
            json!({"type": "content-delta", "index": 0, "delta": {"message": {"content": {"text": "Good day"}}}}),
        ],
        Dialect::GeminiInteractions => vec![
            json!({"event_type": "interaction.created", "interaction": {"id": "c", "model": "m", "status": "in_progress"}}),
            json!({"event_type": "step.start", "index": 0, "step": {"type": "model_output"}}),
            json!({"event_type": "step.delta", "index": 0, "delta": {"type": "text", "text": "Good day"}}),
        ],
        Dialect::Ollama => vec![
            json!({"model": "m", "message": {"role": "assistant", "content": "Good "}, "done": false}),
            json!({"model": "m", "message": {"role": "assistant", "content": "day"}, "done": false}),
            json!({"model": "m", "message": {"role": "assistant", "content": "Good day"}, "done": false}),
        ],
        _ => {
            vec![json!({"type": "start", "id": "c"}), json!({"type": "textDelta", "block": 0, "text": "Good day"})]
        }
    };
    events.iter().map(|event| super::framed_event(dialect, event).into_bytes()).collect()
}

/// The formats that stream server-sent events.
pub fn of_events() -> impl Iterator<Item = Dialect> {
    dialects().filter(|dialect| !matches!(dialect.base(), Dialect::Ollama | Dialect::Bedrock))
}

/// Of these, the formats of providers.
pub fn of_providers() -> impl Iterator<Item = Dialect> {
    of_events().filter(|dialect| *dialect != Dialect::Canonical)
}

/// A stream of another provider.
pub fn foreign(dialect: Dialect) -> Vec<u8> {
    let other = if dialect.base() == Dialect::Anthropic { Dialect::OpenAI } else { Dialect::Anthropic };
    good(other).concat()
}

pub fn error_body(dialect: Dialect) -> &'static [u8] {
    match dialect.base() {
        Dialect::OpenAI | Dialect::OpenAIResponses => {
            br#"{"error":{"message":"Incorrect API key","type":"invalid_request_error","code":"invalid_api_key"}}"#
        }
        Dialect::Anthropic => br#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
        _ => br#"{"error":{"code":429,"message":"Quota exceeded","status":"RESOURCE_EXHAUSTED"}}"#,
    }
}

const HTML: &[u8] = b"<!DOCTYPE html>\r\n<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n</html>\r\n";

/// Pushes valid and invalid input, in one piece and byte by byte, and checks the output, the error and the warnings.
fn fails(from: Dialect, before: &[Vec<u8>], bad: &[u8], code: ErrorCode) {
    let bytes = [before.concat(), bad.to_vec()].concat();
    let place = StreamPlace { offset: before.concat().len() as u64, event: before.len() as u64 };
    for to in dialects() {
        for length in [bytes.len(), 7, 1] {
            let label = format!("{} → {}, {length} bytes at once", from.name(), to.name());
            let mut stream = Either::new(from, to, Options { bookkeeping: true, ..Options::default() });
            let mut delivered = Vec::new();
            let mut pieces = bytes.chunks(length);
            let failed = pieces.by_ref().find_map(|piece| match stream.push(piece) {
                Ok(written) => {
                    delivered.extend(written);
                    None
                }
                Err(error) => Some(error),
            });
            let error = failed.or_else(|| stream.end().err()).unwrap_or_else(|| panic!("{label}: no error"));
            let delivered = String::from_utf8(delivered).unwrap();
            assert_eq!(delivered.contains("Good day"), !before.is_empty(), "{label}: {delivered}");
            assert_eq!((error.code, error.stream), (code, Some(place)), "{label}: {error}");
            if from != Dialect::Canonical {
                assert_eq!(error.dialect, Some(from), "{label}");
            }
            for _ in 0..2 {
                assert_eq!(stream.push(&good(from)[0]).unwrap_err().code, ErrorCode::StreamFailed, "{label}");
                assert_eq!(stream.end().unwrap_err().code, ErrorCode::StreamFailed, "{label}");
            }
        }
    }
}

#[test]
fn garbage() {
    for from in of_events() {
        fails(from, &[], b"\x00\x9f\x92\x96\xff\xd8\xff\xe0\x00\x10JFIF", ErrorCode::InvalidStream);
        fails(from, &[], b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", ErrorCode::InvalidStream);
        fails(from, &good(from), b"\x00\x01\x02\n", ErrorCode::InvalidStream);
    }
}

#[test]
fn invalid_utf_8() {
    for from in of_events() {
        for text in [&b"\xff"[..], b"\xc3(", b"\xed\xa0\x80", b"\xf0\x9f\x98", b"\xc0\x80"] {
            let event = [b"data: {\"text\":\"", text, b"\"}\n\n"].concat();
            fails(from, &[], &event, ErrorCode::InvalidJson);
            fails(from, &good(from), &event, ErrorCode::InvalidJson);
        }
    }
}

#[test]
fn a_page_of_html() {
    for from in of_events() {
        fails(from, &[], HTML, ErrorCode::InvalidStream);
        fails(from, &good(from), HTML, ErrorCode::InvalidStream);
    }
}

#[test]
fn an_error_body() {
    for from in of_providers() {
        fails(from, &[], error_body(from), ErrorCode::InvalidStream);
        let pretty: Value = serde_json::from_slice(error_body(from)).unwrap();
        fails(from, &[], serde_json::to_string_pretty(&pretty).unwrap().as_bytes(), ErrorCode::InvalidStream);
    }
}

#[test]
fn a_stream_of_another_provider() {
    for from in of_providers() {
        fails(from, &[], &foreign(from), ErrorCode::InvalidStream);
    }
    fails(Dialect::Canonical, &[], b"data: {\"choices\":[]}\n\n", ErrorCode::MissingField);
}

#[test]
fn invalid_json() {
    for from in of_events() {
        fails(from, &good(from), b"data: {\"id\":\"c\",}\n\n", ErrorCode::InvalidJson);
        fails(from, &good(from), b"data: hello\n\n", ErrorCode::InvalidJson);
        fails(from, &good(from), b"data: 7\n\n", ErrorCode::InvalidType);
        let deep = ["data: ".to_owned(), "[".repeat(200), "]".repeat(200), "\n\n".to_owned()].concat();
        fails(from, &good(from), deep.as_bytes(), ErrorCode::TooDeep);
    }
}

#[test]
fn a_line_of_fifty_megabytes() {
    let (size, megabyte) = (50 << 20, vec![b'x'; 1 << 20]);
    for from in [Dialect::OpenAI, Dialect::Anthropic] {
        let before = good(from);
        let mut stream = Either::new(from, Dialect::OpenAI, Options { bookkeeping: true, ..Options::default() });
        let start = [before.concat(), b"data: {\"text\":\"".to_vec()].concat();
        let delivered = stream.push(&start).unwrap();
        assert!(String::from_utf8(delivered).unwrap().contains("Good day"));
        let error = (0..size >> 20).find_map(|_| stream.push(&megabyte).err()).unwrap();
        let place = StreamPlace { offset: before.concat().len() as u64, event: before.len() as u64 };
        assert_eq!((error.code, error.stream), (ErrorCode::TooLarge, Some(place)));
        assert_eq!(stream.push(&megabyte).unwrap_err().code, ErrorCode::StreamFailed);
    }
    // in one piece, before any event is complete
    let mut stream =
        Either::new(Dialect::Gemini, Dialect::Canonical, Options { bookkeeping: true, ..Options::default() });
    let error = stream.push(&[b"[{\"text\":\"".to_vec(), vec![b'x'; size]].concat()).unwrap_err();
    assert_eq!((error.code, error.stream), (ErrorCode::TooLarge, Some(StreamPlace { offset: 1, event: 0 })));
}

#[test]
fn invalid_lines() {
    let from = Dialect::Ollama;
    fails(from, &[], HTML, ErrorCode::InvalidStream);
    fails(from, &[], b"\x00\x9f\x92\x96", ErrorCode::InvalidStream);
    fails(from, &[], &foreign(from), ErrorCode::InvalidStream);
    fails(from, &good(from), b"{\"id\":\"c\",}\n", ErrorCode::InvalidJson);
    fails(from, &good(from), b"hello\n", ErrorCode::InvalidJson);
    fails(from, &good(from), b"{\"text\":\"\xff\"}\n", ErrorCode::InvalidJson);
    fails(from, &good(from), b"{\"status\":\"pulling\"}\n", ErrorCode::InvalidStream);
    let deep = ["{\"a\":".to_owned(), "[".repeat(200), "]".repeat(200), "}\n".to_owned()].concat();
    fails(from, &good(from), deep.as_bytes(), ErrorCode::TooDeep);
}

/// A stream that breaks off ends with an error event of the target, wherever it broke off.
#[test]
fn a_stream_that_breaks_off() {
    for from in dialects() {
        let events = good(from).concat();
        let first = good(from)[0].len();
        for to in dialects() {
            for end in first..=events.len() {
                let mut stream = Either::new(from, to, Options { bookkeeping: true, ..Options::default() });
                let mut delivered = stream.push(&events[..end]).unwrap();
                delivered.extend(stream.end().unwrap());
                let (delivered, warnings) = (String::from_utf8(delivered).unwrap(), stream.warnings());
                let label = format!("{} → {}, {end} bytes: {delivered}", from.name(), to.name());
                assert!(delivered.contains("the stream ended before the response was complete"), "{label}");
                // closing an open block may also report that its state is dropped
                let last = warnings.iter().rfind(|warning| !warning.starts_with("state_dropped"));
                assert!(last.is_some_and(|last| last.starts_with("stream_truncated /")), "{label}: {warnings:?}");
            }
        }
        let mut reader = StreamReader::new(from, Options { bookkeeping: true, ..Options::default() }).unwrap();
        reader.push(&events).unwrap();
        let response: Value = serde_json::from_slice(&reader.finish().unwrap()).unwrap();
        assert!(response["text"].as_str().unwrap().ends_with("Good day"));
        assert_eq!(response["finishReason"], "error");
    }
}

#[test]
fn an_event_that_violates_its_format_is_reported_with_its_position() {
    let from = Dialect::OpenAI;
    let bad =
        b"data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"and more\",\"tool_calls\":{}}}]}\n\n";
    let mut converter =
        StreamConverter::new(from, Dialect::Anthropic, Options { bookkeeping: true, ..Options::default() }).unwrap();
    // what precedes the error in the same event is delivered, too
    let delivered = converter.push(&[good(from).concat(), bad.to_vec()].concat()).unwrap();
    assert!(String::from_utf8(delivered).unwrap().contains("and more"));
    let error = converter.push(b"").unwrap_err();
    assert_eq!((error.code, error.path.as_str()), (ErrorCode::InvalidType, "/2/choices/0/delta/tool_calls"));
    assert_eq!(error.stream, Some(StreamPlace { offset: good(from).concat().len() as u64, event: 2 }));
}

#[test]
fn an_error_in_the_last_event_is_found_at_the_end() {
    let from = Dialect::OpenAI;
    let last =
        b"data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"and more\",\"tool_calls\":{}}}]}";
    for to in dialects() {
        let mut stream = Either::new(from, to, Options { bookkeeping: true, ..Options::default() });
        stream.push(&[good(from).concat(), last.to_vec()].concat()).unwrap();
        // a stream that is copied delivers whole events only
        if to != from {
            let delivered = String::from_utf8(stream.end().unwrap()).unwrap();
            assert!(delivered.contains("and more"), "{delivered}");
        }
        assert_eq!(stream.end().unwrap_err().code, ErrorCode::InvalidType);
        assert_eq!(stream.end().unwrap_err().code, ErrorCode::StreamFailed);
    }
    let mut reader =
        StreamReader::new(Dialect::Canonical, Options { bookkeeping: true, ..Options::default() }).unwrap();
    let call = b"data: {\"type\":\"toolCallStart\",\"block\":0,\"id\":\"a\",\"name\":\"f\"}\n\ndata: {\"type\":\"finish\",\"finishReason\":\"stop\"}\n\n";
    reader.push(call).unwrap();
    let error = reader.finish().unwrap_err();
    assert_eq!(
        (error.code, error.stream),
        (ErrorCode::InvalidStream, Some(StreamPlace { offset: call.len() as u64, event: 2 }))
    );
}

#[test]
fn a_lossy_event_is_not_delivered_if_losses_are_errors() {
    let from = Dialect::OpenAI;
    let options = Options { bookkeeping: true, lossy: Lossy::Error, ..Options::default() };
    let mut converter = StreamConverter::new(from, Dialect::Anthropic, options).unwrap();
    let refusal = b"data: {\"id\":\"c\",\"choices\":[{\"index\":0,\"delta\":{\"refusal\":\"I will not\"}}]}\n\n";
    let delivered = converter.push(&[good(from).concat(), refusal.to_vec()].concat()).unwrap();
    let delivered = String::from_utf8(delivered).unwrap();
    assert!(delivered.contains("Good day") && !delivered.contains("I will not"), "{delivered}");
    let error = converter.push(b"").unwrap_err();
    assert_eq!((error.code, error.path.as_str()), (ErrorCode::Lossy, "/2/choices/0/delta/refusal"));
    assert_eq!(error.stream.map(|place| place.event), Some(2));
}

#[test]
fn pushing_after_end_is_an_error() {
    for from in dialects() {
        for to in dialects() {
            let label = format!("{} → {}", from.name(), to.name());
            let mut stream = Either::new(from, to, Options { bookkeeping: true, ..Options::default() });
            stream.push(&good(from).concat()).unwrap();
            stream.end().unwrap();
            for _ in 0..2 {
                let error = stream.push(&good(from)[0]).expect_err(&label);
                assert_eq!((error.code, error.stream), (ErrorCode::StreamFailed, None), "{label}: {error}");
                // nothing is lost, and calling `end` again writes nothing
                assert_eq!(stream.end().expect(&label), b"", "{label}");
            }
        }
    }
}

#[test]
fn pushing_after_finish_is_an_error() {
    for from in dialects() {
        let mut reader = StreamReader::new(from, Options { bookkeeping: true, ..Options::default() }).unwrap();
        reader.push(&good(from).concat()).unwrap();
        let response = reader.finish().unwrap();
        assert_eq!(reader.push(&good(from)[0]).unwrap_err().code, ErrorCode::StreamFailed, "{from:?}");
        assert_eq!(reader.push_event(b"{}").unwrap_err().code, ErrorCode::StreamFailed, "{from:?}");
        assert_eq!(reader.finish().unwrap(), response, "{from:?}");
    }
}
