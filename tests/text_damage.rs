//! Damaged texts: one that the limit cuts off at any byte, and calls beside one that can't be read.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use serde_json::{Value, json};
use text_support::reading::in_pieces;
use toolwire::text::Tool;
use toolwire::text::formats::{self, Body, Format};
use toolwire::text::read::{Event, read};
use toolwire::text::write::{Form, calls_as_text};

fn tools() -> Vec<Tool> {
    let write = json!({ "type": "object", "required": ["path"], "properties": {
        "path": { "type": "string" },
        "content": { "type": "string" },
        "count": { "type": "integer" },
        "tags": { "type": "array", "items": { "type": "string" } },
        "opt": { "type": "object", "properties": { "a": { "type": "number" } } },
    } });
    let weather =
        json!({ "type": "object", "properties": { "city": { "type": "string" }, "days": { "type": "integer" } } });
    let list = json!([{ "name": "write_file", "parameters": write }, { "name": "get_weather", "parameters": weather }]);
    Tool::list(&list).unwrap()
}

fn calls() -> [Value; 2] {
    [
        json!(["write_file", {
            "path": "a/b.txt", "content": "def f(x):\n    return {'a': [1, \"q\"]}\n", "count": 123, "tags": ["a, b", "c]"], "opt": { "a": 1.25 }
        }]),
        json!(["get_weather", { "city": "Paris", "days": 12 }]),
    ]
}

fn written(format: &Format, calls: &[Value]) -> Option<String> {
    let list: Vec<Value> =
        calls.iter().map(|call| json!({ "id": "", "name": call[0], "arguments": call[1] })).collect();
    let message = json!({ "role": "assistant", "content": [], "toolCalls": list });
    Some(calls_as_text(&message, Form::of(format.id).ok()?).text)
}

/// The text, the valid calls and the names of the invalid ones.
fn outcome(events: &[Event]) -> (String, Vec<Value>, Vec<String>) {
    let (mut text, mut calls, mut invalid) = (String::new(), Vec::new(), Vec::new());
    for event in events {
        match event {
            Event::Text { text: piece, .. } => text.push_str(piece),
            Event::CallEnd { name, arguments, .. } => {
                calls.push(json!([name, serde_json::from_str::<Value>(arguments).unwrap()]));
            }
            Event::Invalid { name, .. } => invalid.push(name.clone()),
            _ => {}
        }
    }
    (text, calls, invalid)
}

/// The first marker of a call, unless it is a word or a fence.
fn marker(format: &Format) -> Option<&'static str> {
    let tag = match &format.body {
        Body::Tagged(tagged) => tagged.open,
        Body::Channels(channels) => channels.start,
        _ => "",
    };
    let found =
        [format.section.open, format.call.open, tag].into_iter().map(str::trim).find(|open| !open.is_empty())?;
    (found.len() >= SHOWN && !found.starts_with(|one: char| one.is_alphanumeric() || one == '`')).then_some(found)
}

/// A part of this length shows which marker it belongs to.
const SHOWN: usize = 5;

#[test]
fn a_text_that_is_cut_off_has_no_other_calls_and_no_markup() {
    let expected = calls();
    let mut count = 0;
    for format in formats::all() {
        let Some(whole) = written(format, &expected) else { continue };
        for end in (1..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            let text = &whole[..end];
            let events = read(format, tools(), "", "", text);
            let (answer, found, invalid) = outcome(&events);
            assert!(expected.starts_with(&found), "{}: {text:?} is read as {found:?}", format.id);
            assert!(invalid.iter().all(|name| !name.is_empty()), "{}: {text:?}", format.id);
            count += 1;
            let Some(open) = marker(format).filter(|_| format.header.is_empty()) else { continue };
            // the format's marker of the end of a message is no call
            let is_whole = format.wrappers.contains(&text.trim());
            let is_begun = !is_whole && text.len() > SHOWN && text.starts_with(&open[..open.len().min(SHOWN)]);
            let has_any = !found.is_empty() || !invalid.is_empty();
            assert!(has_any || !is_begun, "{}: {text:?} is the answer {answer:?}", format.id);
            assert!(!has_any || answer.trim().len() < 2, "{}: {text:?} leaves {answer:?}", format.id);
        }
    }
    assert!(count > 10_000, "{count} texts");
}

#[test]
fn a_damaged_call_does_not_take_its_neighbour_with_it() {
    let [_, second] = calls();
    let first = json!(["write_file", { "path": "a/b.txt", "content": "one", "count": 123, "tags": ["x", "y"], "opt": { "a": 1.25 } }]);
    let mut count = 0;
    for format in formats::all() {
        let Some(whole) = written(format, &[first.clone(), second.clone()]) else { continue };
        let Some(next) = whole.rfind("get_weather") else { continue };
        let (from, to) = (whole.find("path").unwrap() - 1, whole[..next].rfind("1.25").unwrap());
        for at in (from..to).filter(|at| "\"{}<>|'/=:".contains(char::from(whole.as_bytes()[*at]))) {
            let text = format!("{}{}", &whole[..at], &whole[at + 1..]);
            let pieces = in_pieces(format, tools(), &text, &[3, 1, 7]);
            for events in [read(format, tools(), "", "", &text), pieces] {
                let (answer, found, invalid) = outcome(&events);
                assert!(found.contains(&second), "{}: {text}\n{answer:?} {found:?} {invalid:?}", format.id);
                assert!(
                    found.len() + invalid.len() >= 2 || marker(format).is_none(),
                    "{}: {text}\n{answer:?} {found:?} {invalid:?}",
                    format.id
                );
                let known = |call: &Value| call[0] == second[0] || call[1].get("path").is_some() || !invalid.is_empty();
                assert!(found.iter().all(known), "{}: {text}\n{found:?}", format.id);
            }
            count += 1;
        }
    }
    assert!(count > 1_000, "{count} texts");
}

/// A call in the arguments of one that can't be read is a value, and is not run.
#[test]
fn a_call_in_the_arguments_of_a_damaged_one_is_no_call() {
    let inner =
        json!([{ "name": "get_weather", "arguments": { "city": "Rome" } }, { "name": "get_weather", "arguments": {} }]);
    let outer = json!(["write_file", { "path": "a", "calls": inner }]);
    for format in formats::all() {
        let Some(whole) = written(format, std::slice::from_ref(&outer)) else { continue };
        let from = whole.find("path").unwrap() - 1;
        let ends = (from..=whole.len()).filter(|end| whole.is_char_boundary(*end));
        for text in ends.clone().map(|end| whole[..end].to_owned()).chain(
            (from..whole.len())
                .filter(|at| "\"{}".contains(char::from(whole.as_bytes()[*at])))
                .map(|at| format!("{}{}", &whole[..at], &whole[at + 1..])),
        ) {
            let (_, found, _) = outcome(&read(format, tools(), "", "", &text));
            assert!(found.iter().all(|call| call[0] != "get_weather"), "{}: {text}\n{found:?}", format.id);
        }
    }
}
