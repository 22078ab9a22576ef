//! The chunk without choices that contains the usage of a stream of Chat Completions: only clients that ask for it
//! expect it.

use super::framed;
use serde_json::{Value, json};
use toolwire::{Dialect, Options, StreamConverter, context_of};

/// The number of chunks without choices that a client with this request gets. Without a request there is no context.
fn chunks_without_choices(request: Option<Value>, include_usage: Option<bool>) -> usize {
    let context = request.map(|request| {
        context_of(
            request.to_string().into_bytes(),
            Dialect::OpenAI,
            Dialect::Gemini,
            Options { bookkeeping: true, ..Options::default() },
        )
        .unwrap()
    });
    let options = Options { bookkeeping: true, context, include_usage, ..Options::default() };
    let usage = json!({"promptTokenCount": 3, "candidatesTokenCount": 2, "totalTokenCount": 5});
    let candidate = json!({"content": {"role": "model", "parts": [{"text": "Hi"}]}, "finishReason": "STOP"});
    let chunk = json!({"candidates": [candidate], "usageMetadata": usage, "responseId": "r", "modelVersion": "m"});
    let mut converter = StreamConverter::new(Dialect::Gemini, Dialect::OpenAI, options).unwrap();
    let mut written = converter.push(&framed(Dialect::Gemini, &[chunk])).unwrap();
    written.extend(converter.finish().unwrap());
    let text = String::from_utf8(written).unwrap();
    let chunks = text.split("\n\n").filter_map(|event| event.strip_prefix("data: {"));
    chunks.filter(|chunk| chunk.contains("\"choices\":[]")).count()
}

fn request(stream_options: Option<Value>) -> Option<Value> {
    let mut request = json!({"model": "m", "messages": [{"role": "user", "content": "Hi"}], "stream": true});
    if let Some(stream_options) = stream_options {
        request["stream_options"] = stream_options;
    }
    Some(request)
}

#[test]
fn only_a_client_that_asks_for_usage_gets_the_chunk() {
    let obfuscated = json!({"include_usage": true, "include_obfuscation": false});
    for (asked, expected) in [
        (None, 0),
        (request(None), 0),
        (request(Some(json!({"include_usage": false}))), 0),
        (request(Some(json!({"include_usage": null}))), 0),
        (request(Some(Value::Null)), 0),
        (request(Some(json!({"include_usage": true}))), 1),
        (request(Some(obfuscated)), 1),
    ] {
        assert_eq!(chunks_without_choices(asked.clone(), None), expected, "{asked:?}");
        assert_eq!(chunks_without_choices(asked.clone(), Some(true)), 1, "{asked:?}");
        assert_eq!(chunks_without_choices(asked, Some(false)), 0);
    }
}
