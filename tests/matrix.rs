//! Converts every body and every stream of the vectors from its format to each other format. The output must equal the
//! conversion through the canonical format, must be readable, and must contain everything that no warning reports as
//! lost. Prints the matrix.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[cfg(feature = "trial")]
#[path = "support/binary.rs"]
#[allow(dead_code)]
mod binary;
#[cfg(feature = "trial")]
#[path = "matrix/trial.rs"]
mod trial;

mod support;

use serde_json::{Value, json};
use std::collections::BTreeMap;
use support::cases::{Check, Expected, checks};
use toolwire::{
    Converted, Dialect, ErrorCode, Options, StreamConverter, StreamReader, Subject, ToolwireError, convert_text,
};

/// The bodies of the vectors in one format, without repetition, each with the name and the options of its vector.
type Bodies = BTreeMap<Vec<u8>, (String, Options)>;

fn all_checks() -> Vec<Check> {
    let mut files: Vec<_> = std::fs::read_dir("tests/vectors").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let json = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    json.flat_map(|file| checks(&std::fs::read_to_string(file).unwrap())).collect()
}

/// The valid bodies of a kind in a format.
fn bodies(checks: &[Check], kind: &str, from: Dialect) -> Bodies {
    let mut bodies = Bodies::new();
    for check in checks {
        if check.kind != kind || check.from != from.name() || matches!(check.expected, Expected::Error(_)) {
            continue;
        }
        let mut options = check.options.clone();
        let status = options.as_object_mut().unwrap().remove("status").and_then(|status| status.as_u64());
        let options = Options {
            bookkeeping: true,
            status: status.map(|status| status as u16),
            ..serde_json::from_value(options).unwrap()
        };
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

/// For each pair of formats: how many bodies were converted as expected.
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
            // the target can't express it, and the conversion returned an error
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

/// Vectors whose bodies may differ between the direct conversion and the one through the canonical format, the targets (all for `""`), and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "ollama-responses/to-other-dialects",
        "google",
        "a response without a finish reason: the canonical format may be Google's own",
    ),
    (
        "envelopes/return-to-the-same-server-only",
        "",
        "in canonical input, reasoning without a scope may be of any server",
    ),
    ("ollama-responses/done-false-is-other-without-a-raw-reason", "google", "the same"),
    ("ollama-responses/calls-of-an-older-server", "google", "the same"),
    (
        "turns/results-after-user-text-are-kept-in-the-same-dialect",
        "google",
        "messages that were split are joined again",
    ),
    ("turns/between-providers", "google", "the same"),
    (
        "responses-api/media/image-detail-between-chat-and-responses",
        "",
        "a file id is valid only with the provider that issued it",
    ),
    ("mistral/file-ids", "", "the same"),
    (
        "envelopes/name-the-server",
        "openai-responses",
        "`server` names that of the source, and through the canonical format that of the target",
    ),
    ("reasoning-lists/of-a-server", "openai", "the same"),
];

fn is_exception(name: &str, to: Dialect) -> bool {
    let family = match to.base() {
        Dialect::Gemini => "google",
        other => other.name(),
    };
    EXCEPTIONS.iter().any(|(vector, target, _)| name.starts_with(vector) && (target.is_empty() || *target == family))
}

/// Whether both are formats of one provider: such bodies are passed on unchanged.
fn is_own(from: Dialect, to: Dialect) -> bool {
    from == to || from.provider().is_some() && from.provider() == to.provider()
}

/// Compares the direct conversion with the conversion through the canonical format.
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
        // the canonical format may nest deeper than the target
        (Ok(_), Err(between)) if between.code == ErrorCode::TooDeep => return Ok(true),
        (direct, between) => {
            return Err(format!("{:?} directly, but {:?} through the canonical format", direct.err(), between.err()));
        }
    };
    // reports hold calls without a conversation: only from the canonical format is the user's turn added that Google
    // requires
    let is_report = from == Dialect::Universal;
    let may_differ = is_own(from, to) || is_report || is_exception(name, to);
    if !may_differ && parsed(&direct.body) != parsed(&between.body) {
        return Err(format!(
            "{}\n  directly, but through the canonical format\n  {}",
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

/// The whole response that a stream contains: its content, its calls and its finish reason.
fn response(from: Dialect, bytes: &[u8], options: &Options) -> toolwire::Result<Value> {
    let mut reader = StreamReader::new(from, options.clone())?;
    reader.push(bytes)?;
    let response = parsed(&reader.finish()?);
    let calls = response["toolCalls"].as_array().unwrap().iter();
    let calls: Vec<Value> = calls.map(|call| json!([call["name"], call["arguments"]])).collect();
    Ok(json!([response["text"], calls, response["finishReason"]]))
}

/// Streams with content that no whole response can have, and why.
const STREAM_EXCEPTIONS: &[(&str, &str)] = &[
    ("streams/openai/written/finish-tool-calls", "the finish reason is `tool_calls`, but there is no call"),
    ("streams/gemini/written/completed-calls-are-written-before-an-error", "a call has no end"),
    ("streams/anthropic/written/refusal", "the finish reason is `stop`, but the content is a refusal"),
    ("streams/openai/written/refusal-without-its-text", "the finish reason is a refusal, but the content is none"),
    (
        "streams/gemini/a-finish-reason-with-every-chunk",
        "a stream converts the first reason, a whole response the last one",
    ),
];

/// Groups finish reasons, because not every provider has its own word for each.
fn class(finish: &Value) -> &str {
    match finish.as_str().unwrap() {
        "tool_calls" => "stop",
        "refusal" => "content_filter",
        other => other,
    }
}

/// Whether two responses have equal content. If the expected finish reason is `other`, any reason may replace it.
fn is_equal(expected: &Value, found: &Value) -> bool {
    let [before, after] = [expected, found].map(|response| (&response[0], &response[1], class(&response[2])));
    (before.0, before.1) == (after.0, after.1) && (before.2 == after.2 || before.2 == "other")
}

/// A stream that is converted without loss assembles to the same response in the other format.
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
    let found = response(to, &written, options).map_err(failed)?;
    let expected = response(from, bytes, options).map_err(failed)?;
    let is_whole = converter.warnings().iter().all(|warning| !warning.lossy());
    if is_whole && !is_equal(&expected, &found) {
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
