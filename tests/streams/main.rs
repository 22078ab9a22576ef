//! Streams: any fragmentation, any error in the input, and every pair of formats.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../support/binary.rs"]
mod aws;
mod bad_input;
mod binary;
mod failed;
mod fragmentation;
mod generated;
mod responses;
mod usage_chunk;
mod whole;

use serde_json::Value;
use toolwire::{Dialect, Options, StreamConverter, StreamReader, ToolwireError};

/// The formats that have streams.
pub fn dialects() -> impl Iterator<Item = Dialect> + Clone {
    Dialect::ALL.iter().copied().filter(|dialect| *dialect != Dialect::Universal)
}

/// The outcome of a stream: everything that was delivered, and the error that ended it.
#[derive(Debug, PartialEq)]
pub struct Outcome {
    pub delivered: String,
    pub warnings: Vec<String>,
    pub error: Option<Box<ToolwireError>>,
}

/// A converter, or a reader if the target is canonical.
pub enum Either {
    Converter(StreamConverter, Dialect),
    Reader(StreamReader),
}

impl Either {
    pub fn new(from: Dialect, to: Dialect, options: Options) -> Either {
        if to == Dialect::Canonical && from != to {
            Either::Reader(StreamReader::new(from, options).unwrap())
        } else {
            Either::Converter(StreamConverter::new(from, to, options).unwrap(), to)
        }
    }

    pub fn push(&mut self, bytes: &[u8]) -> toolwire::Result<Vec<u8>> {
        match self {
            Either::Converter(converter, to) => converter.push(bytes).map(|written| shown(*to, written)),
            Either::Reader(reader) => reader.push(bytes).map(elements),
        }
    }

    pub fn end(&mut self) -> toolwire::Result<Vec<u8>> {
        match self {
            Either::Converter(converter, to) => converter.finish().map(|written| shown(*to, written)),
            Either::Reader(reader) => reader.end().map(elements),
        }
    }

    pub fn warnings(&self) -> Vec<String> {
        let all = match self {
            Either::Converter(converter, _) => converter.warnings(),
            Either::Reader(reader) => reader.warnings(),
        };
        all.iter().map(|warning| format!("{} {}", warning.code.name(), warning.path)).collect()
    }
}

/// The output of a converter; binary messages as lines.
fn shown(to: Dialect, written: Vec<u8>) -> Vec<u8> {
    if to == Dialect::Bedrock { aws::lines(&written).unwrap().into_bytes() } else { written }
}

/// A reader's events, one per line.
fn elements(array: Vec<u8>) -> Vec<u8> {
    let events: Vec<Value> = serde_json::from_slice(&array).unwrap();
    events.iter().map(|event| format!("{event}\n")).collect::<String>().into_bytes()
}

/// Pushes the pieces until an error is returned.
pub fn outcome<'a>((from, to): (Dialect, Dialect), pieces: impl IntoIterator<Item = &'a [u8]>) -> Outcome {
    let mut stream =
        Either::new(from, to, Options { bookkeeping: true, include_usage: Some(true), ..Options::default() });
    let mut delivered = Vec::new();
    let mut error = None;
    for piece in pieces {
        match stream.push(piece) {
            Ok(written) => delivered.extend(written),
            Err(failure) => {
                error = Some(failure);
                break;
            }
        }
    }
    // the second call returns an error that was held back until the preceding output was delivered
    for _ in 0..2 {
        if error.is_none() {
            match stream.end() {
                Ok(written) => delivered.extend(written),
                Err(failure) => error = Some(failure),
            }
        }
    }
    Outcome { delivered: String::from_utf8(delivered).unwrap(), warnings: stream.warnings(), error }
}

/// The stream as the provider sends it: Bedrock's is binary.
pub fn sent(dialect: Dialect, bytes: Vec<u8>) -> Vec<u8> {
    if dialect != Dialect::Bedrock {
        return bytes;
    }
    let text = String::from_utf8(bytes).unwrap();
    let events = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    events.flat_map(|event| aws::event(&event).unwrap()).collect()
}

/// One event, without a name.
pub fn framed_event(dialect: Dialect, event: &Value) -> String {
    if matches!(dialect.base(), Dialect::Ollama | Dialect::Bedrock) {
        format!("{event}\n")
    } else {
        format!("data: {event}\n\n")
    }
}

/// The stream of events in the framing of its format.
pub fn framed(dialect: Dialect, events: &[Value]) -> Vec<u8> {
    let mut text = String::new();
    for event in events {
        let key = match dialect.base() {
            Dialect::Anthropic | Dialect::OpenAIResponses | Dialect::Cohere => Some("type"),
            Dialect::GeminiInteractions => Some("event_type"),
            _ => None,
        };
        if let Some(name) = key.and_then(|key| event[key].as_str()) {
            text.push_str(&format!("event: {name}\n"));
        }
        text.push_str(&framed_event(dialect, event));
    }
    if matches!(dialect.base(), Dialect::OpenAI | Dialect::Cohere) {
        text.push_str("data: [DONE]\n\n");
    }
    text.into_bytes()
}
