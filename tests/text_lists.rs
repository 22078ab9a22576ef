//! Damaged calls in lists: in Python syntax, and as JSON objects. What is well-formed is read, the rest is invalid, and nothing is made up.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use serde_json::{Value, json};
use text_support::calls::{Invalid, Outcome, outcome_with, written};
use toolwire::text::Tool;
use toolwire::text::formats::{self, Body, Format};

fn tools() -> Vec<Tool> {
    let note = json!({ "type": "object", "properties": {
        "text": { "type": "string" },
        "count": { "type": "integer" },
        "tags": { "type": "array", "items": { "type": "string" } },
        "opt": { "type": "object", "properties": { "a": { "type": "number" } } },
    } });
    let weather =
        json!({ "type": "object", "properties": { "city": { "type": "string" }, "days": { "type": "integer" } } });
    let time = json!({ "type": "object", "properties": { "zone": { "type": "string" } } });
    let list = json!([
        { "name": "add_note", "parameters": note },
        { "name": "get_weather", "parameters": weather },
        { "name": "get_time", "parameters": time },
    ]);
    Tool::list(&list).unwrap()
}

fn weather() -> Value {
    json!(["get_weather", { "city": "Paris", "days": 3 }])
}

fn note(text: &str) -> Value {
    json!(["add_note", { "text": text, "count": 12, "tags": ["x", "y"], "opt": { "a": 1.5 } }])
}

fn time() -> Value {
    json!(["get_time", { "zone": "UTC" }])
}

/// Reads a text whole and in pieces, with the same outcome.
fn reading(format: &'static Format, text: &str) -> Outcome {
    outcome_with(&tools(), format, text)
}

fn is_python(format: &Format) -> bool {
    matches!(format.body, Body::Pythonic(_))
}

fn is_list(format: &Format) -> bool {
    match &format.body {
        Body::Json(json) => !json.list.open.is_empty() || format.call.close.is_empty(),
        _ => is_python(format),
    }
}

/// The text without each of its characters outside of markers that are neither letters nor digits, with the position of that.
fn damages(format: &Format, text: &str, from: usize) -> Vec<(usize, String)> {
    let markers = format.markers().into_iter().filter(|marker| marker.len() > 1);
    let markers: Vec<_> =
        markers.flat_map(|marker| text.match_indices(marker)).map(|(at, marker)| at..at + marker.len()).collect();
    let is_part = |one: char| !(one.is_alphanumeric() || one == '_' || one == ' ' || one == '.');
    let places = text.char_indices().filter(|(at, one)| *at >= from && is_part(*one));
    let places = places.filter(|(at, _)| !markers.iter().any(|marker| marker.contains(at)));
    places.map(|(at, one)| (at, format!("{}{}", &text[..at], &text[at + one.len_utf8()..]))).collect()
}

/// Where the list begins. One that no marker opens, or a fence, is text without the beginning of its first call: the name in Python, in JSON the
/// first brace.
fn start(format: &Format, whole: &str) -> usize {
    let name = whole.find("get_weather").unwrap();
    let is_marked = |open: &str| !open.is_empty() && !open.starts_with('`');
    let is_marked = is_marked(format.section.open) || is_marked(format.call.open);
    let list = whole[..name].rfind('[').or(whole[..name].rfind('{'));
    match list {
        _ if !is_marked && is_python(format) => name + "get_weather(".len(),
        Some(list) if is_marked => list,
        _ => whole.find('{').map_or(name, |brace| brace + 1),
    }
}

fn formats() -> impl Iterator<Item = &'static Format> {
    formats::all().filter(|format| is_list(format))
}

#[test]
fn a_damaged_call_in_a_list_is_invalid_and_its_neighbours_are_read() {
    let mut nested = note("a b");
    nested[1] = json!({ "opt": { "a": 1.5 }, "tags": ["x", "y"], "text": "a b", "count": 12 });
    let lists = [[weather(), note("a b"), time()], [weather(), nested, time()]];
    let mut count = 0;
    for (format, expected) in formats().flat_map(|format| lists.iter().map(move |expected| (format, expected))) {
        let Some(whole) = written(format, expected) else { continue };
        let starts = ["add_note", "get_time"].map(|name| {
            let before = &whole[..whole.find(name).unwrap()];
            before.rfind(['}', ')']).unwrap() + 1
        });
        for (at, text) in damages(format, &whole, start(format, &whole)) {
            let found = reading(format, &text);
            let shown = format!("{}: {text:?}\n{found:?}", format.id);
            assert_eq!(found.text.trim(), "", "{shown}");
            if found.calls == expected {
                continue;
            }
            let hit = starts.iter().filter(|start| **start <= at).count();
            let others = expected.iter().enumerate().filter(|(index, _)| *index != hit).map(|(_, call)| call);
            assert_eq!(found.calls.iter().collect::<Vec<_>>(), others.collect::<Vec<_>>(), "{shown}");
            let [Invalid { name, raw, error: _ }] = &found.invalid[..] else { panic!("{shown}") };
            let is_own = name == expected[hit][0].as_str().unwrap();
            assert!(is_own || (is_python(format) && !raw.contains(&format!("{name}("))), "{shown}");
            assert!(text.contains(raw), "{shown}");
            count += 1;
        }
    }
    assert!(count > 1_000, "{count} texts");
}

/// A damaged list may show a call that is part of a string.
#[test]
fn no_part_of_a_string_in_a_damaged_list_is_a_call() {
    let mut count = 0;
    for inner in [
        "x), get_time(zone=\"UTC\"), [get_time(zone='UTC')], y",
        "f(\"a\"), get_time(zone='GMT'), get_time(zone='CET')",
        "say 'a', get_weather(city='Rome', days=1), text='b', count=2",
        "get_time(zone=\"CET\")",
        "a), get_time(zone=\"CET\")",
        "a), get_time(), b",
        "x}}, {\"name\": \"get_time\", \"arguments\": {}}, {\"name\": \"y",
        "{\"name\": \"get_time\", \"arguments\": {\"zone\": 1}}",
        "}}, {\"get_time\": {\"zone\": 1}}, {",
    ] {
        let expected = [weather(), note(inner), time()];
        for format in formats() {
            let Some(whole) = written(format, &expected) else { continue };
            let cuts = (1..whole.len()).step_by(3).map(|at| (at, whole[..at].to_owned()));
            for (_, text) in damages(format, &whole, start(format, &whole)).into_iter().chain(cuts) {
                let found = reading(format, &text);
                for call in &found.calls {
                    // the damage may be in the string itself
                    let text_of = |call: &Value| call[1]["text"].as_str().map_or(0, str::len);
                    let is_near = call[0] == "add_note" && text_of(call).abs_diff(inner.len()) < 7;
                    let is_own = is_near && {
                        let mut own = call.clone();
                        own[1]["text"] = inner.into();
                        expected.contains(&own)
                    };
                    assert!(expected.contains(call) || is_own, "{}: {text:?}\n{call}", format.id);
                }
                let times = found.calls.iter().filter(|call| call[0] == "get_time").count();
                assert!(times < 2, "{}: {text:?}\n{found:?}", format.id);
                count += 1;
            }
        }
    }
    assert!(count > 1_000, "{count} texts");
}
