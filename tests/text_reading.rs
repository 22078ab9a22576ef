//! Texts with calls: vectors, any fragmentation, random sequences of markers.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use proptest::prelude::*;
use serde_json::{Value, json};
use toolwire::text::read::{Event, Reader, Verbatim, detect, read};
use toolwire::text::{Tool, formats};

fn shape(events: &[Event]) -> Value {
    let (mut text, mut reasoning, mut calls, mut dropped) = (String::new(), String::new(), Vec::new(), Vec::new());
    let mut deltas = String::new();
    for event in events {
        match event {
            Event::CallStart { .. } => deltas.clear(),
            Event::CallDelta { text, .. } => deltas.push_str(text),
            Event::Text { text: more, .. } => text.push_str(more),
            Event::Reasoning { text: more, .. } => reasoning.push_str(more),
            Event::CallEnd { name, arguments, .. } => {
                let arguments: Value = serde_json::from_str(arguments).unwrap();
                assert_eq!(serde_json::from_str::<Value>(&deltas).unwrap(), arguments, "fragments");
                calls.push(json!([name, arguments]));
            }
            Event::Invalid { raw, .. } => calls.push(json!(raw)),
            Event::Dropped { text, .. } => dropped.push(text),
            _ => {}
        }
    }
    json!({ "content": text.trim(), "reasoning": reasoning, "calls": calls, "dropped": dropped })
}

fn by_characters(format: &'static formats::Format, tools: Vec<Tool>, text: &str) -> Vec<Event> {
    let mut reader = Reader::new(format, tools, "", "");
    let mut events: Vec<Event> = text.chars().flat_map(|one| reader.push(&one.to_string())).collect();
    events.extend(reader.end());
    events
}

/// The event for a character that could be emitted before it is pushed, if it can be.
fn passed(reader: &Reader, starts: &str, last: Option<&Event>, one: char) -> Option<Event> {
    let escape = format!("\\x{:02x}", u32::from(one));
    let can_pass = match reader.verbatim() {
        Verbatim::None => false,
        Verbatim::Text => !starts.contains(if one.is_ascii() { &escape } else { "\\x80" }),
        Verbatim::Json => !matches!(one, '"' | '\\' | '<'),
        Verbatim::Value => !matches!(one, '<' | '\n'),
    };
    let text = match reader.verbatim() {
        Verbatim::Value => serde_json::to_string(&one).unwrap().trim_matches('"').to_owned(),
        _ => one.to_string(),
    };
    let event = match last?.clone() {
        Event::Text { block, .. } => Event::Text { block, text },
        Event::Reasoning { block, .. } => Event::Reasoning { block, text },
        Event::CallDelta { block, id, .. } => Event::CallDelta { block, id, text },
        _ => return None,
    };
    can_pass.then_some(event)
}

/// Returns the number of characters that can be emitted before they are pushed.
fn count_passed(format: &'static formats::Format, tools: Vec<Tool>, text: &str) -> usize {
    let mut reader = Reader::new(format, tools, "", "");
    let (starts, mut last, mut count) = (reader.marker_starts(), None, 0);
    for one in text.chars() {
        let expected = passed(&reader, &starts, last.as_ref(), one);
        let events = reader.push(&one.to_string());
        if let Some(expected) = expected {
            assert_eq!(events, [expected], "{}: {one:?} in {text}", format.id);
            count += 1;
        }
        last = events.last().cloned();
    }
    count
}

#[test]
fn vectors() {
    let read_files = [
        include_str!("vectors/text/auto.json"),
        include_str!("vectors/text/channels.json"),
        include_str!("vectors/text/json.json"),
        include_str!("vectors/text/named.json"),
        include_str!("vectors/text/pythonic.json"),
        include_str!("vectors/text/tagged.json"),
    ];
    let files = read_files.map(|file| serde_json::from_str::<Value>(file).unwrap());
    let (mut all, mut passed) = (0, 0);
    for case in files.iter().flat_map(|file| file["reads"].as_array().unwrap()) {
        let text = case["text"].as_str().unwrap();
        let tools = Tool::list(&case["tools"]).unwrap();
        let format = match case["format"].as_str().unwrap() {
            "auto" => detect(text, &tools, "").or_else(|| formats::by_id("json")).unwrap(),
            id => formats::by_id(id).unwrap(),
        };
        let part = |key: &str| case[key].as_str().unwrap_or_default().to_owned();
        let dropped = case.get("dropped").cloned().unwrap_or_else(|| json!([]));
        let expected = json!({
            "content": part("content"), "reasoning": part("reasoning"), "calls": case["calls"], "dropped": dropped
        });
        let events = read(format, tools.clone(), "", "", text);
        assert_eq!(shape(&events), expected, "{text}");
        let invalid = events
            .iter()
            .filter_map(|event| if let Event::Invalid { name, .. } = event { Some(json!(name)) } else { None });
        let invalid: Vec<Value> = invalid.collect();
        assert!(case.get("invalid").is_none_or(|names| *names == json!(invalid)), "{text}: {invalid:?}");
        assert_eq!(shape(&by_characters(format, tools.clone(), text)), expected, "in characters: {text}");
        all += text.chars().count();
        passed += count_passed(format, tools, text);
    }
    assert!(passed > all / 20, "{passed} of {all} characters can be emitted before they are pushed");
}

/// Brackets, tags and words that begin calls in some formats, but not in this text.
const PROSE: &str =
    "See [1], [note: (a)] and f(x) <b>. To call: dial (5) {ok}, `a[0]`, if a < b: 'x' > \"y\"; to=me. Café: yes.";

#[test]
fn text_that_is_not_a_call_is_not_held_back() {
    for format in formats::all() {
        let mut reader = Reader::new(format, Vec::new(), "", "");
        let events: Vec<Event> = PROSE.chars().flat_map(|one| reader.push(&one.to_string())).collect();
        let text: String =
            events.iter().map(|event| if let Event::Text { text, .. } = event { &**text } else { "" }).collect();
        assert_eq!(text, PROSE, "{}", format.id);
        assert!(reader.end().is_empty(), "{}", format.id);
    }
}

fn soup() -> impl Strategy<Value = (usize, Vec<usize>)> {
    (0..formats::all().count(), prop::collection::vec(0..1000_usize, 0..12))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_sequences_of_markers_do_not_panic((format, picks) in soup()) {
        let format = formats::all().nth(format).unwrap();
        let mut pieces = format.markers();
        pieces.extend(["{", "}", "[", "]", "\"", "a", "é", "\n", "{\"name\": \"f\", \"arguments\": {", "'", "(", "f(a=", "\\"]);
        let text: String = picks.iter().map(|pick| pieces[pick % pieces.len()]).collect();
        read(format, Vec::new(), "", "", &text);
        by_characters(format, Vec::new(), &text);
    }
}
