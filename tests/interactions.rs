//! The dialect `gemini-interactions`, which the feature `interactions` adds: its vectors, and every request and response of the other vectors.

#![cfg(all(feature = "interactions", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/on_text.rs"]
mod on_text;
mod support;

use serde_json::{Value, json};
use support::cases::{Check, Expected, checks};
use toolwire::{Dialect, Options, StreamConverter, StreamReader, Subject, ToolwireError, convert_text};

const OWN: Dialect = Dialect::GeminiInteractions;

fn own_checks() -> Vec<Check> {
    checks(&std::fs::read_to_string("tests/interactions/vectors.json").unwrap())
}

#[test]
fn its_vectors_hold() {
    let outcomes = own_checks().into_iter().map(|check| check.failure("vectors.json", &on_text::run(&check)));
    let failures: Vec<String> = outcomes.flatten().collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// The valid bodies of a kind in all formats of providers.
fn bodies(kind: &str) -> Vec<(String, Dialect, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir("tests/vectors").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let json = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    let all = json.flat_map(|file| checks(&std::fs::read_to_string(file).unwrap())).chain(own_checks());
    let valid = all.filter(|check| check.kind == kind && !matches!(check.expected, Expected::Error(_)));
    let own = valid.filter_map(|check| {
        let from = Dialect::of(&check.from).filter(|from| *from != Dialect::Universal)?;
        let body = if kind == "stream" { support::streams::input(&check) } else { check.input.text().into_bytes() };
        Some((check.name.clone(), from, body))
    });
    own.collect()
}

fn convert(subject: Subject, (from, to): (Dialect, Dialect), body: &[u8]) -> Result<Value, String> {
    let options = Options { bookkeeping: true, ..Options::default() };
    let converted = convert_text(body.to_vec(), subject, from, to, options);
    let converted = converted.map_err(|error| format!("{}: {}", error.path, error.message))?;
    // some are nested deeper than this parser allows
    serde_json::from_slice(&converted.body).map_err(|error| error.to_string())
}

/// Bodies that the way through the canonical format changes, and why.
const EXCEPTIONS: &[(&str, &str)] = &[
    (
        "settings/json-format-with-functions-is-dropped-before-gemini-3",
        "the rules of models are not for Google's own requests",
    ),
    ("text/as-deep-as-the-default", "deeper than the parser of this test allows"),
];

/// What is written reads back to the same body, and is what the canonical format in between gives.
fn check_all(subject: Subject, kind: &str) {
    let (mut failures, mut passed) = (Vec::new(), 0);
    for (name, from, body) in bodies(kind) {
        if EXCEPTIONS.iter().any(|(start, _)| name.starts_with(start)) {
            continue;
        }
        let Ok(written) = convert(subject, (from, OWN), &body) else { continue };
        let again = convert(subject, (OWN, OWN), &serde_json::to_vec(&written).unwrap());
        if again.as_ref() != Ok(&written) {
            failures.push(format!("{name} ({from:?}) reads back differently:\n  {written}\n  {again:?}"));
            continue;
        }
        let Ok(canonical) = convert(subject, (from, Dialect::Canonical), &body) else {
            failures.push(format!("{name} ({from:?}) is not read"));
            continue;
        };
        let by_way = convert(subject, (Dialect::Canonical, OWN), &serde_json::to_vec(&canonical).unwrap());
        match by_way.as_ref() == Ok(&written) {
            true => passed += 1,
            false => {
                failures.push(format!("{name} ({from:?}) differs by way of canonical:\n  {written}\n  {by_way:?}"))
            }
        }
    }
    println!("{passed} bodies of kind {kind} passed, {} failed", failures.len());
    assert!(failures.is_empty() && passed > 100, "{}", failures.join("\n"));
}

#[test]
fn requests_of_all_formats_read_back() {
    check_all(Subject::Request, "request");
}

#[test]
fn responses_of_all_formats_read_back() {
    check_all(Subject::Response, "response");
}

/// The texts, calls and finish reason of a streamed response.
fn streamed(from: Dialect, bytes: &[u8]) -> Result<Value, Box<ToolwireError>> {
    let mut reader = StreamReader::new(from, Options::default())?;
    reader.push(bytes)?;
    let response: Value = serde_json::from_slice(&reader.finish()?).unwrap();
    let calls = response["toolCalls"].as_array().unwrap().iter();
    let calls: Vec<Value> = calls.map(|call| json!([call["name"], call["arguments"]])).collect();
    // not every provider has a word for each reason
    let finish = match response["finishReason"].as_str().unwrap() {
        "tool_calls" => "stop",
        "refusal" => "content_filter",
        other => other,
    };
    Ok(json!([response["text"], calls, finish]))
}

/// The stream in another format, and whether a warning reports a loss.
fn restreamed((from, to): (Dialect, Dialect), bytes: &[u8]) -> Result<(Vec<u8>, bool), Box<ToolwireError>> {
    let mut converter = StreamConverter::new(from, to, Options { bookkeeping: true, ..Options::default() })?;
    let mut written = converter.push(bytes)?;
    written.extend(converter.finish()?);
    Ok((written, converter.warnings().iter().any(|warning| warning.lossy())))
}

#[test]
fn streams_of_all_formats_read_back() {
    let (mut failures, mut passed) = (Vec::new(), 0);
    for (name, from, bytes) in bodies("stream") {
        let Ok(expected) = streamed(from, &bytes) else { continue };
        let Ok((written, is_lossy)) = restreamed((from, OWN), &bytes) else { continue };
        let found = streamed(OWN, &written).map_err(|error| error.to_string());
        let is_equal = |found: &Value| {
            (&found[0], &found[1]) == (&expected[0], &expected[1])
                && (found[2] == expected[2] || expected[2] == "other")
        };
        if found.as_ref().is_ok_and(is_equal) || found.is_ok() && is_lossy {
            passed += 1;
        } else {
            let text = String::from_utf8_lossy(&written).into_owned();
            failures.push(format!("{name} ({from:?}):\n  {expected}\n  became\n  {found:?}\n{text}"));
        }
    }
    println!("{passed} streams passed, {} failed", failures.len());
    assert!(failures.is_empty() && passed > 100, "{}", failures.join("\n"));
}
