//! Vectors of kind `stream`: events in, events out, for any fragmentation.

#![allow(clippy::indexing_slicing, clippy::unwrap_used)]

use super::binary;
use super::cases::{Body, Check, Expected, Outcome};
use serde_json::{Value, json};
use toolwire::{Dialect, Options, StreamConverter, StreamReader, ToolwireError, Warning};

/// The member that is also the name of the event, in dialects whose events have names.
fn name_key(dialect: Dialect) -> Option<&'static str> {
    match dialect.base() {
        Dialect::Anthropic | Dialect::OpenAIResponses | Dialect::Cohere => Some("type"),
        Dialect::GeminiInteractions => Some("event_type"),
        _ => None,
    }
}

/// Whether the events of a dialect are lines, or binary messages, which logs have as lines.
fn has_lines(dialect: Dialect) -> bool {
    matches!(dialect.base(), Dialect::Ollama | Dialect::Bedrock)
}

/// Whether the provider marks the end of a stream.
fn ends_with_done(dialect: Dialect) -> bool {
    matches!(dialect.base(), Dialect::OpenAI | Dialect::Cohere)
}

/// The bytes of a stream in the framing of its provider; binary messages as lines.
pub fn framed(dialect: Dialect, events: &[Value], is_cut: bool) -> Vec<u8> {
    if has_lines(dialect) {
        return events.iter().map(|event| format!("{event}\n")).collect::<String>().into_bytes();
    }
    let mut text = String::new();
    for event in events {
        if let Some(key) = name_key(dialect) {
            text.push_str(&format!("event: {}\n", event[key].as_str().unwrap_or("error")));
        }
        text.push_str(&format!("data: {event}\n\n"));
    }
    if ends_with_done(dialect) && !is_cut {
        text.push_str("data: [DONE]\n\n");
    }
    text.into_bytes()
}

/// The events of a stream that toolwire wrote. Fails unless the framing is that of the dialect.
fn events(dialect: Dialect, bytes: &[u8]) -> Result<Vec<Value>, String> {
    let lines = if dialect == Dialect::Bedrock { binary::lines(bytes)?.into_bytes() } else { bytes.to_vec() };
    let text = std::str::from_utf8(&lines).map_err(|error| error.to_string())?;
    if has_lines(dialect) {
        let lines = text.strip_suffix('\n').ok_or_else(|| format!("the last line is not ended: {text}"))?.split('\n');
        return lines.map(|line| serde_json::from_str(line).map_err(|error| format!("{error}: {line}"))).collect();
    }
    let mut events = Vec::new();
    let mut frames: Vec<&str> = text.split("\n\n").collect();
    if frames.pop() != Some("") {
        return Err(format!("the last event is not ended: {text}"));
    }
    if ends_with_done(dialect) && frames.pop() != Some("data: [DONE]") {
        return Err(format!("no [DONE] at the end: {text}"));
    }
    for frame in frames {
        let (name, data) = match frame.strip_prefix("event: ") {
            Some(named) => named.split_once('\n').ok_or_else(|| format!("an event without data: {frame}"))?,
            None => ("", frame),
        };
        let data = data.strip_prefix("data: ").ok_or_else(|| format!("no data: {frame}"))?;
        let event: Value = serde_json::from_str(data).map_err(|error| format!("{error}: {data}"))?;
        let expected = name_key(dialect).map_or("", |key| event[key].as_str().unwrap_or(""));
        if name != expected {
            return Err(format!("an event is named {name:?}: {frame}"));
        }
        events.push(event);
    }
    Ok(events)
}

pub fn input(check: &Check) -> Vec<u8> {
    match (&check.input, serde_json::from_str(&check.input.text())) {
        (Body::Value(_), Ok(Value::Array(events))) => framed(Dialect::of(&check.from).unwrap(), &events, check.is_cut),
        _ => check.input.text().into_bytes(),
    }
}

fn options(check: &Check) -> Options {
    Options { bookkeeping: true, ..serde_json::from_value(check.options.clone()).unwrap() }
}

fn warnings(warnings: &[Warning]) -> Value {
    warnings.iter().map(|one| json!({ "code": one.code.name(), "path": one.path, "lossy": one.lossy() })).collect()
}

fn failed(error: &ToolwireError) -> Value {
    let place = error.stream.map(|place| json!({ "offset": place.offset, "event": place.event }));
    json!({ "code": error.code.name(), "path": error.path, "message": error.message, "stream": place })
}

/// Pushes the pieces in order. If an error is returned, the output before it is checked for delivery, then discarded.
fn convert(check: &Check, pieces: &[&[u8]]) -> Result<(Vec<u8>, Value), Value> {
    let (from, to) = (Dialect::of(&check.from).unwrap(), Dialect::of(&check.to).unwrap());
    let mut converter = StreamConverter::new(from, to, options(check)).map_err(|error| failed(&error))?;
    let mut written = Vec::new();
    for piece in pieces {
        written.extend(converter.push(piece).map_err(|error| failed(&error))?);
    }
    written.extend(converter.finish().map_err(|error| failed(&error))?);
    Ok((written, warnings(converter.warnings())))
}

fn read(check: &Check, pieces: &[&[u8]]) -> Result<(Vec<Value>, Value, Value), Value> {
    let mut reader =
        StreamReader::new(Dialect::of(&check.from).unwrap(), options(check)).map_err(|error| failed(&error))?;
    let mut events: Vec<Value> = Vec::new();
    let mut add = |json: Vec<u8>| events.extend(serde_json::from_slice::<Vec<Value>>(&json).unwrap());
    for piece in pieces {
        add(reader.push(piece).map_err(|error| failed(&error))?);
    }
    add(reader.end().map_err(|error| failed(&error))?);
    let response = reader.finish().map_err(|error| failed(&error))?;
    let warnings = warnings(reader.warnings());
    Ok((events, serde_json::from_slice(&response).unwrap(), warnings))
}

/// The outcome of the pieces: the target's events, the canonical events or the whole response.
pub fn outcome(check: &Check, pieces: &[&[u8]]) -> Outcome {
    let to = Dialect::of(&check.to).unwrap();
    if to != Dialect::Canonical || check.from == "canonical" {
        let (written, warnings) = convert(check, pieces)?;
        if matches!(check.expected, Expected::Body { body: Body::Text(_), .. }) {
            return Ok((String::from_utf8_lossy(&written).into_owned(), warnings));
        }
        let events = events(to, &written).map_err(|error| json!({ "code": "malformed", "message": error }))?;
        return Ok((Value::Array(events).to_string(), warnings));
    }
    let (events, response, warnings) = read(check, pieces)?;
    let found = if check.kind == "answer" { response } else { Value::Array(events) };
    Ok((found.to_string(), warnings))
}

/// The outcome. Fails unless it is the same for every fragmentation.
pub fn run(check: &Check) -> Outcome {
    let bytes = input(check);
    let whole = outcome(check, &[&bytes]);
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    let mut splits = vec![single];
    let step = (bytes.len() / 50).max(1);
    splits.extend((1..bytes.len()).step_by(step).map(|at| vec![&bytes[..at], &bytes[at..]]));
    for pieces in splits {
        let other = outcome(check, &pieces);
        if other != whole {
            let lengths: Vec<usize> = pieces.iter().map(|piece| piece.len()).take(3).collect();
            return Err(
                json!({ "code": "fragmentation", "message": format!("split {lengths:?}: {other:?} is not {whole:?}") }),
            );
        }
    }
    match unlike(check).or_else(|| unlike_messages(check, &whole)) {
        Some(difference) => Err(json!({ "code": "repeats", "message": difference })),
        None => whole,
    }
}

/// The outcome of the same events as binary messages, if it is another one.
fn unlike_messages(check: &Check, expected: &Outcome) -> Option<String> {
    let (Body::Value(_), Ok(Value::Array(events))) = (&check.input, serde_json::from_str(&check.input.text())) else {
        return None;
    };
    let messages: Option<Vec<Vec<u8>>> = events.iter().map(binary::event).collect();
    let bytes = messages.filter(|_| Dialect::of(&check.from).unwrap() == Dialect::Bedrock)?.concat();
    [bytes.len().max(1), 1].iter().find_map(|size| {
        let found = outcome(check, &bytes.chunks(*size).collect::<Vec<_>>());
        let [first, second] = [expected.clone(), found].map(|outcome| outcome.map_err(without_offset));
        (first != second).then(|| format!("as messages: {second:?} is not {first:?}"))
    })
}

/// The fast path does not parse an event that resembles the previous one. White space prevents the fast path; the
/// outcome must be the same, for the vector's events and for each of them repeated with other texts.
fn unlike(check: &Check) -> Option<String> {
    let (Body::Value(_), Ok(Value::Array(events))) = (&check.input, serde_json::from_str(&check.input.text())) else {
        return None;
    };
    // a stream that is copied contains the white space, too
    if matches!(check.expected, Expected::Body { body: Body::Text(_), .. }) {
        return None;
    }
    let dialect = Dialect::of(&check.from).unwrap();
    let repeated = events.iter().flat_map(|event| {
        [("", event), ("\u{fffd}\"\\n{", event), (" }", event), ("\u{8}", event)]
            .map(|(end, event)| with_texts(event, end))
    });
    [events.clone(), repeated.collect()].iter().find_map(|events| {
        let alike = framed(dialect, events, check.is_cut);
        let mut even = false;
        let text = String::from_utf8(alike.clone()).unwrap();
        let spaced = text.lines().map(|line| {
            let is_data = line.starts_with("data: {");
            even ^= is_data;
            if is_data && even { line.replacen('{', "{ ", 1) + "\n" } else { line.to_owned() + "\n" }
        });
        let spaced = spaced.collect::<String>().into_bytes();
        let [first, second] = [alike, spaced].map(|bytes| outcome(check, &[&bytes]).map_err(without_offset));
        (first != second).then(|| format!("{first:?} is not {second:?}"))
    })
}

/// The event with `end` appended to each string that is streamed in fragments.
fn with_texts(value: &Value, end: &str) -> Value {
    const TEXTS: [&str; 10] = [
        "text",
        "content",
        "arguments",
        "partial_json",
        "thinking",
        "refusal",
        "reasoning",
        "reasoning_content",
        "obfuscation",
        "delta",
    ];
    let member = |(key, value): (&String, &Value)| match value {
        Value::String(text) if TEXTS.contains(&key.as_str()) && !text.is_empty() => {
            (key.clone(), json!(format!("{text}{end}")))
        }
        Value::Number(time) if key == "created" => (key.clone(), json!(time.as_u64().unwrap_or(0) + end.len() as u64)),
        value => (key.clone(), with_texts(value, end)),
    };
    match value {
        Value::Object(members) => members.iter().map(member).collect(),
        Value::Array(items) => items.iter().map(|item| with_texts(item, end)).collect(),
        other => other.clone(),
    }
}

fn without_offset(mut error: Value) -> Value {
    error["stream"]["offset"] = Value::Null;
    error
}
