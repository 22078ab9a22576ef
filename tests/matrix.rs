//! Every body and every stream of the vectors, from its format to each other one: what comes out is what the canonical format in
//! between gives, it reads back, and what no warning tells of is still there. Prints the matrix.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod support;

use serde_json::{Value, json};
use std::collections::BTreeMap;
use support::cases::{Check, Expected, checks};
use toolwire::{
    Converted, Dialect, ErrorCode, Options, StreamConverter, StreamReader, Subject, ToolwireError, convert_text,
};

/// What the vectors hold of one format: names and bodies, without repetition.
type Bodies = BTreeMap<Vec<u8>, (String, Options)>;

fn all_checks() -> Vec<Check> {
    let mut files: Vec<_> = std::fs::read_dir("tests/vectors").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let json = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    json.flat_map(|file| checks(&std::fs::read_to_string(file).unwrap())).collect()
}

/// The good bodies of a kind in a format.
fn bodies(checks: &[Check], kind: &str, from: Dialect) -> Bodies {
    let mut bodies = Bodies::new();
    for check in checks {
        if check.kind != kind || check.from != from.name() || matches!(check.expected, Expected::Error(_)) {
            continue;
        }
        let mut options = check.options.clone();
        let status = options.as_object_mut().unwrap().remove("status").and_then(|status| status.as_u64());
        let options =
            Options { status: status.map(|status| status as u16), ..serde_json::from_value(options).unwrap() };
        let body = if kind == "stream" { support::streams::input(check) } else { check.input.text().into_bytes() };
        bodies.insert(
            body,
            (
                check.name.clone(),
                Options { lossy: Default::default(), context: None, max_event_bytes: None, ..options },
            ),
        );
    }
    bodies
}

/// How many of each pair hold.
#[derive(Default)]
struct Matrix {
    counts: BTreeMap<(usize, usize), (usize, usize)>,
    failures: Vec<String>,
}

impl Matrix {
    fn note(&mut self, (from, to): (usize, usize), name: &str, outcome: Result<bool, String>) {
        let count = self.counts.entry((from, to)).or_default();
        match outcome {
            Ok(true) => count.0 += 1,
            // the target can't express it, and says so
            Ok(false) => count.1 += 1,
            Err(reason) => {
                let (from, to) = (Dialect::ALL[from].name(), Dialect::ALL[to].name());
                self.failures.push(format!("{from} → {to}: {name}: {reason}"));
            }
        }
    }

    fn print(&self, title: &str) {
        let names: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        println!("\n| {title} | {} |\n|---|{}", names.join(" | "), "---|".repeat(names.len()));
        for (from, name) in names.iter().enumerate() {
            let cell = |to: usize| match self.counts.get(&(from, to)) {
                None => "–".to_owned(),
                Some((held, 0)) => held.to_string(),
                Some((held, refused)) => format!("{held} ({refused} refused)"),
            };
            println!("| {name} | {} |", (0..names.len()).map(cell).collect::<Vec<_>>().join(" | "));
        }
    }

    fn assert(&self) {
        assert!(self.failures.is_empty(), "{} differ:\n{}", self.failures.len(), self.failures.join("\n"));
    }
}

fn convert(body: &[u8], kind: Subject, from: Dialect, to: Dialect, options: &Options) -> toolwire::Result<Converted> {
    convert_text(body.to_vec(), kind, from, to, options.clone())
}

fn parsed(body: &[u8]) -> Value {
    serde_json::from_slice(body).unwrap()
}

/// Vectors whose bodies may come out otherwise where they go straight to a provider, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "ollama-responses/to-other-dialects",
        "google",
        "an answer that names no reason: the canonical format may be Google's own",
    ),
    ("ollama-responses/done-false-is-other-without-a-raw-reason", "google", "the same"),
    ("ollama-responses/calls-of-an-older-server", "google", "the same"),
    ("turns/results-after-user-text-are-kept-in-the-same-dialect", "google", "what shared a message shares one again"),
    ("turns/between-providers", "google", "the same"),
    (
        "responses-api/media/image-detail-between-chat-and-responses",
        "anthropic",
        "a file id is valid only with the provider that issued it",
    ),
];

fn is_exception(name: &str, to: Dialect) -> bool {
    let family = match to.base() {
        Dialect::Gemini => "google",
        other => other.name(),
    };
    EXCEPTIONS.iter().any(|(vector, target, _)| name.starts_with(vector) && *target == family)
}

/// Whether both are formats of one provider: what that sends to itself is passed on as it stands.
fn is_own(from: Dialect, to: Dialect) -> bool {
    from == to || from.provider().is_some() && from.provider() == to.provider()
}

/// Straight, and with the canonical format in between.
fn body_holds(
    name: &str,
    body: &[u8],
    kind: Subject,
    (from, to): (Dialect, Dialect),
    options: &Options,
) -> Result<bool, String> {
    let failed = |error: Box<ToolwireError>| error.to_string();
    let direct = convert(body, kind, from, to, options);
    let between = convert(body, kind, from, Dialect::Canonical, options)
        .and_then(|read| convert(&read.body, kind, Dialect::Canonical, to, options));
    let (direct, between) = match (direct, between) {
        (Ok(direct), Ok(between)) => (direct, between),
        (Err(direct), Err(between)) if direct.code == between.code => return Ok(false),
        // the canonical format may nest deeper
        (Ok(_), Err(between)) if between.code == ErrorCode::TooDeep => return Ok(true),
        (direct, between) => return Err(format!("{:?} straight, but {:?}", direct.err(), between.err())),
    };
    // calls without a conversation: the turn that Google demands is made for the canonical format's only
    let is_report = from == Dialect::Universal;
    let may_differ = is_own(from, to) || is_report || is_exception(name, to);
    if !may_differ && parsed(&direct.body) != parsed(&between.body) {
        return Err(format!(
            "{}\n  straight, but\n  {}",
            String::from_utf8_lossy(&direct.body),
            String::from_utf8_lossy(&between.body)
        ));
    }
    match convert(&direct.body, kind, to, Dialect::Canonical, options) {
        Err(error) if error.code != ErrorCode::TooDeep => Err(failed(error)),
        Ok(_) | Err(_) => Ok(true),
    }
}

fn bodies_hold(name: &str, kind: Subject) {
    let checks = all_checks();
    let mut matrix = Matrix::default();
    for (row, from) in Dialect::ALL.iter().enumerate() {
        for (body, (vector, options)) in bodies(&checks, name, *from) {
            for (column, to) in Dialect::ALL.iter().enumerate() {
                matrix.note((row, column), &vector, body_holds(&vector, &body, kind, (*from, *to), &options));
            }
        }
    }
    matrix.print(name);
    matrix.assert();
}

#[test]
fn requests() {
    bodies_hold("request", Subject::Request);
}

#[test]
fn responses() {
    bodies_hold("response", Subject::Response);
}

#[test]
fn errors() {
    bodies_hold("error", Subject::Error);
}

/// The whole answer that a stream is: what it says, its calls and how it ended.
fn answer(from: Dialect, bytes: &[u8], options: &Options) -> toolwire::Result<Value> {
    let mut reader = StreamReader::new(from, options.clone())?;
    reader.push(bytes)?;
    let answer = parsed(&reader.finish()?);
    let calls = answer["toolCalls"].as_array().unwrap().iter();
    let calls: Vec<Value> = calls.map(|call| json!([call["name"], call["arguments"]])).collect();
    Ok(json!([answer["text"], calls, answer["finishReason"]]))
}

/// Streams that say what no answer says, and why.
const STREAM_EXCEPTIONS: &[(&str, &str)] = &[
    ("streams/openai/written/finish-tool-calls", "calls are said to be there, and none is"),
    ("streams/gemini/written/completed-calls-are-written-before-an-error", "a call has no end"),
    ("streams/anthropic/written/refusal", "a stop is said, and the words are a refusal"),
    ("streams/openai/written/refusal-without-its-text", "the other way round"),
    ("streams/gemini/a-finish-reason-with-every-chunk", "the reason that came first is told, the last one counts"),
];

/// Ends that not every provider has a word of its own for.
fn class(finish: &Value) -> &str {
    match finish.as_str().unwrap() {
        "tool_calls" => "stop",
        "refusal" => "content_filter",
        other => other,
    }
}

/// Whether one answer says what the other says; nothing that was said of the end may be anything.
fn says_the_same(expected: &Value, found: &Value) -> bool {
    let [before, after] = [expected, found].map(|answer| (&answer[0], &answer[1], class(&answer[2])));
    (before.0, before.1) == (after.0, after.1) && (before.2 == after.2 || before.2 == "other")
}

/// A stream that loses nothing says the same in the other format.
fn stream_holds(name: &str, bytes: &[u8], (from, to): (Dialect, Dialect), options: &Options) -> Result<bool, String> {
    if STREAM_EXCEPTIONS.iter().any(|(vector, _)| name.starts_with(vector)) {
        return Ok(true);
    }
    let failed = |error: Box<ToolwireError>| error.to_string();
    let mut converter = match StreamConverter::new(from, to, options.clone()) {
        Err(error) if error.code == ErrorCode::Unsupported => return Ok(false),
        converter => converter.map_err(failed)?,
    };
    let mut written = converter.push(bytes).map_err(failed)?;
    written.extend(converter.finish().map_err(failed)?);
    let found = answer(to, &written, options).map_err(failed)?;
    let expected = answer(from, bytes, options).map_err(failed)?;
    let is_whole = converter.warnings().iter().all(|warning| !warning.lossy());
    if is_whole && !says_the_same(&expected, &found) {
        return Err(format!("{expected}\n  became\n  {found}"));
    }
    Ok(true)
}

#[test]
fn streams() {
    let checks = all_checks();
    let mut matrix = Matrix::default();
    for (row, from) in Dialect::ALL.iter().enumerate() {
        for (bytes, (vector, options)) in bodies(&checks, "stream", *from) {
            for (column, to) in Dialect::ALL.iter().enumerate() {
                matrix.note((row, column), &vector, stream_holds(&vector, &bytes, (*from, *to), &options));
            }
        }
    }
    matrix.print("stream");
    matrix.assert();
}
