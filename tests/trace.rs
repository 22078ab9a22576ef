//! The map of an output, for every conversion of the vectors: what it states of two ranges is true of their bytes.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[allow(dead_code)]
#[path = "support/on_text.rs"]
mod on_text;
mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use support::cases::{Check, checks};
use toolwire::value::text::{How, Mapped};
use toolwire::{Dialect, Options, Subject, Traced, convert_text, trace_text};

const DIALECTS: [Dialect; 6] = [
    Dialect::OpenAI,
    Dialect::Anthropic,
    Dialect::Gemini,
    Dialect::OpenAIResponses,
    Dialect::Ollama,
    Dialect::Canonical,
];

/// Calls `visit` with each request, response and error of the vectors, and its format.
fn each_body(mut visit: impl FnMut(&Check, Subject, &[u8], Dialect)) {
    for entry in std::fs::read_dir("tests/vectors").unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let is_body = |check: &Check| check.on_text && ["request", "response", "error"].contains(&check.kind.as_str());
        for check in checks(&std::fs::read_to_string(path).unwrap()).into_iter().filter(is_body) {
            let from = Dialect::of(&check.from).unwrap();
            visit(&check, on_text::kind(&check.kind), check.input.text().as_bytes(), from);
        }
    }
}

fn content(raw: &[u8]) -> String {
    serde_json::from_str(&format!("\"{}\"", std::str::from_utf8(raw).unwrap())).unwrap()
}

fn value(json: &[u8]) -> Value {
    serde_json::from_slice(json).unwrap()
}

/// Whether a row is true of the two texts.
fn holds(row: &Mapped, output: &[u8], source: &[u8]) -> bool {
    let (to, from) = (&output[row.output.clone()], &source[row.source.clone()]);
    match row.how {
        How::Copied | How::Joined => to == from,
        How::Decoded => content(from).as_bytes() == to,
        How::Encoded => {
            let text = content(&to[1..to.len() - 1]);
            value(text.as_bytes()) == value(from)
        }
        How::Fitted => !from.is_empty(),
        How::Made => from.is_empty(),
    }
}

#[test]
fn mapped_ranges_are_equal_in_both_directions() {
    let (mut found, mut wrong) = (BTreeMap::<String, usize>::new(), Vec::new());
    each_body(|check, subject, body, from| {
        for to in DIALECTS {
            let options = Options { bookkeeping: true, ..Options::default() };
            let Ok(Traced { body: output, warnings, map, targets }) =
                trace_text(body.to_vec(), subject, from, to, &options)
            else {
                continue;
            };
            let name = format!("{} to {}", check.name, to.name());
            let same = convert_text(body.to_vec(), subject, from, to, options).unwrap();
            assert_eq!((&same.body, &same.warnings), (&output, &warnings), "{name}");
            assert_eq!(targets.len(), warnings.len(), "{name}");
            assert!(map.windows(2).all(|rows| rows[0].output.end <= rows[1].output.start), "{name}: rows overlap");
            for row in &map {
                *found.entry(format!("{:?}", row.how)).or_default() += 1;
                if !holds(row, &output, body) {
                    let [to, from] = [(&output[..], &row.output), (body, &row.source)]
                        .map(|(text, range)| String::from_utf8_lossy(&text[range.clone()]).into_owned());
                    wrong.push(format!("{name}: {:?} {to} from {from}", row.how));
                }
            }
            for target in targets.iter().flatten() {
                assert!(target.start < target.end && target.end <= output.len(), "{name}: {target:?}");
            }
        }
    });
    println!("{found:?}");
    assert!(wrong.is_empty(), "{} rows are wrong\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
    for how in [How::Copied, How::Decoded, How::Joined, How::Encoded, How::Fitted, How::Made] {
        assert!(found.get(&format!("{how:?}")).is_some_and(|count| *count > 10), "{how:?}: {found:?}");
    }
}

/// The text of the source that a text of the output came from, and how.
fn origin<'a>(traced: &Traced, source: &'a str, text: &str) -> Option<(&'a str, How)> {
    let output = std::str::from_utf8(&traced.body).unwrap();
    let start = output.find(text).unwrap();
    let row = traced.map.iter().find(|row| row.output.start <= start && start < row.output.end)?;
    Some((&source[row.source.clone()], row.how))
}

fn trace(source: &str, from: Dialect, to: Dialect) -> Traced {
    trace_text(source.as_bytes().to_vec(), Subject::Request, from, to, &Options::default()).unwrap()
}

#[test]
fn a_call_is_followed_to_the_other_format() {
    let source = r#"{"model":"gpt-5.1","temperature":1.5,"messages":[{"role":"user","content":"é \n?"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"get","arguments":"{\"city\":\"Paris\"}"}}]},{"role":"tool","tool_call_id":"call_1","content":"18"}]}"#;
    let traced = trace(source, Dialect::OpenAI, Dialect::Anthropic);
    assert_eq!(origin(&traced, source, r#"é \n"#), Some((r#""é \n?""#, How::Copied)));
    assert_eq!(origin(&traced, source, r#"{"city""#), Some((r#"{\"city\":\"Paris\"}"#, How::Decoded)));
    assert_eq!(origin(&traced, source, r#""tool_use""#), Some(("", How::Made)));
    let back = String::from_utf8(traced.body).unwrap();
    let traced = trace(&back, Dialect::Anthropic, Dialect::OpenAI);
    assert_eq!(origin(&traced, &back, r#""{\"city"#), Some((r#"{"city":"Paris"}"#, How::Encoded)));
}

#[test]
fn warnings_have_a_place_in_the_output() {
    let source = r#"{"model":"m","seed":7,"temperature":3,"messages":[{"role":"user","content":"Hi"}]}"#;
    let places = |to| {
        let traced = trace(source, Dialect::OpenAI, to);
        let output = String::from_utf8(traced.body).unwrap();
        let places = traced.warnings.iter().zip(&traced.targets);
        places.map(|(one, range)| (one.path.clone(), range.clone().map(|range| output[range].to_owned()))).collect()
    };
    let place = |path: &str, text: Option<&str>| (path.to_owned(), text.map(str::to_owned));
    let found: Vec<_> = places(Dialect::Anthropic);
    assert!(found.contains(&place("", Some("4096"))), "a default: {found:?}");
    assert!(found.contains(&place("/seed", None)), "what was dropped: {found:?}");
    let found = places(Dialect::OpenAIResponses);
    assert!(found.contains(&place("/temperature", Some("2"))), "what was changed: {found:?}");
    let traced = trace(source, Dialect::OpenAI, Dialect::OpenAIResponses);
    let fitted: Vec<_> = traced.map.iter().filter(|row| row.how == How::Fitted).collect();
    assert_eq!(fitted.iter().map(|row| &source[row.source.clone()]).collect::<Vec<_>>(), ["3"]);
}

#[test]
fn the_text_of_an_error_that_is_not_json_has_no_map() {
    let page = b"<html>502</html>".to_vec();
    let options = Options::default();
    let traced = trace_text(page, Subject::Error, Dialect::OpenAI, Dialect::Anthropic, &options).unwrap();
    assert!(traced.map.is_empty());
}
