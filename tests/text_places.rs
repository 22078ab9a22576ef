//! Where calls may begin: what begins as a call never ends as text, and what writes about calls is no call.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use text_support::generate::{damaged, messages};
use text_support::reading::in_pieces;
use toolwire::text::Tool;
use toolwire::text::formats::{self, Body, Format};
use toolwire::text::read::{Event, read};
use toolwire::text::write::{Form, calls_as_text};

/// The markers that begin and end the calls of a format, if it has such markers.
fn markers(format: &Format) -> Option<(&'static str, &'static str)> {
    let own = match &format.body {
        Body::Tagged(tagged) => (tagged.open, tagged.close),
        _ => ("", ""),
    };
    let pairs = [(format.section.open, format.section.close), (format.call.open, format.call.close), own];
    let found = pairs
        .into_iter()
        .map(|(open, close)| (open.trim(), close.trim()))
        .find(|(open, _)| open.len() > 3 && *open != "```json" && !open.chars().all(char::is_alphanumeric))?;
    Some(if found.1.is_empty() { (found.0, found.0) } else { found })
}

fn is_call(event: &Event) -> bool {
    matches!(event, Event::CallStart { .. } | Event::CallEnd { .. } | Event::Invalid { .. })
}

fn joined(events: &[Event]) -> (String, String) {
    let (mut text, mut reasoning) = (String::new(), String::new());
    for event in events {
        match event {
            Event::Text { text: piece, .. } => text.push_str(piece),
            Event::Reasoning { text: piece, .. } => reasoning.push_str(piece),
            _ => {}
        }
    }
    (text, reasoning)
}

fn tools() -> Vec<Tool> {
    let parameters = json!({ "type": "object", "properties": { "city": { "type": "string" } } });
    Tool::list(&json!([{ "name": "get_weather", "parameters": parameters }])).unwrap()
}

/// A message with a call of that tool.
fn call_of_paris() -> Value {
    json!({
        "role": "assistant",
        "content": [],
        "toolCalls": [{ "id": "c1", "name": "get_weather", "arguments": { "city": "Paris" } }],
    })
}

fn check_prose(format: &'static Format, prose: &str, expected: (&str, &str)) {
    for events in [read(format, tools(), "", "", prose), in_pieces(format, tools(), prose, &[3, 1, 7])] {
        assert!(!events.iter().any(is_call), "{}: {prose}\n{events:?}", format.id);
        let (text, reasoning) = joined(&events);
        let text = if reasoning.is_empty() { text.as_str() } else { text.trim() };
        assert_eq!((text, reasoning.trim()), expected, "{}: {events:?}", format.id);
    }
}

#[test]
fn text_about_calls_is_no_call() {
    let data: Value = serde_json::from_str(include_str!("vectors/text/prose.json")).unwrap();
    let mut count = 0;
    for format in formats::all() {
        let Some((open, close)) = markers(format) else { continue };
        let call = calls_as_text(&call_of_paris(), Form::of(format.id).unwrap()).text;
        let fill =
            |template: &str| template.replace("{open}", open).replace("{close}", close).replace("{call}", call.trim());
        for template in data["templates"].as_array().unwrap() {
            let template = template.as_str().unwrap();
            // calls in a block of code can't be quoted in one
            let is_fenced = call.contains("```") || format.also.iter().any(|pair| pair.open.starts_with("```"));
            if is_fenced && template.contains("{call}") {
                continue;
            }
            let prose = fill(template);
            check_prose(format, &prose, (&prose, ""));
            count += 1;
        }
        // the marker that ends reasoning can't be named in it
        if let Some(pair) = format.reasoning.first().filter(|pair| pair.close.trim() != close) {
            let thought = fill(data["reasoning"].as_str().unwrap());
            let prose = format!("{}{thought}{}It is sunny.", pair.open, pair.close);
            check_prose(format, &prose, ("It is sunny.", &thought));
            count += 1;
        }
    }
    assert!(count >= 300, "{count} texts");
}

/// A marker as text names it: a tag that the name of a tool completes has that of a declared one.
fn named(marker: &str) -> String {
    if marker.ends_with('=') { format!("{marker}get_weather>") } else { marker.to_owned() }
}

/// Whether fences surround calls of a format.
fn has_fences(format: &Format) -> bool {
    let opens = format.also.iter().chain([&format.call]);
    opens.into_iter().any(|pair| pair.open.contains("```"))
}

/// Markers of any kind: of calls, arguments, reasoning, text and results.
#[test]
fn quoted_markers_are_text() {
    let data: Value = serde_json::from_str(include_str!("vectors/text/prose.json")).unwrap();
    let mut count = 0;
    for format in formats::all() {
        let drifts = format.drifts.iter().flat_map(|drift| drift.markers());
        let mut markers: Vec<&str> = format.markers().into_iter().chain(drifts).collect();
        markers.retain(|marker| marker.len() > 2 && !marker.contains(['`', '\n']));
        for template in data["quoted"].as_array().unwrap().iter().filter_map(Value::as_str) {
            if has_fences(format) && template.contains("```") {
                continue;
            }
            for marker in &markers {
                let prose = template.replace("{marker}", &named(marker));
                check_prose(format, &prose, (&prose, ""));
                count += 1;
            }
        }
    }
    assert!(count > 15_000, "{count} texts");
}

/// A call in a string of JSON, as in a log.
#[test]
fn calls_in_strings_are_text() {
    let mut count = 0;
    for format in formats::all() {
        let Ok(form) = Form::of(format.id) else { continue };
        let call = calls_as_text(&call_of_paris(), form).text;
        // what is escaped shows that it is a string
        if has_fences(format)
            || !call.contains(['"', '\n'])
            || matches!(format.body, Body::Channels(_) | Body::Nested(_))
        {
            continue;
        }
        let later = format!("It wrote {} here.", call.trim());
        for text in [call.trim().to_owned(), later]
            .into_iter()
            .filter(|text| text.starts_with(call.trim()) || call.contains('"'))
        {
            let prose = format!("The row is {}, as told.", json!({ "text": text, "count": 1 }));
            check_prose(format, &prose, (&prose, ""));
            count += 1;
        }
    }
    assert!(count > 60, "{count} texts");
}

/// The call of a format whose tags have a wrapper, without it.
fn unwrapped(format: &Format, call: &str) -> Option<String> {
    let Body::Tagged(tagged) = &format.body else { return None };
    let is_wrapped = !format.section.open.is_empty() || !format.call.open.is_empty();
    if tagged.open.is_empty() || !is_wrapped {
        return None;
    }
    let (from, to) = (call.find(tagged.open)?, call.rfind(tagged.close)? + tagged.close.len());
    Some(call[from..to].to_owned())
}

#[test]
fn tags_without_their_wrapper_are_a_call_only_where_one_may_begin() {
    let mut count = 0;
    for format in formats::all() {
        let Ok(form) = Form::of(format.id) else { continue };
        let written = calls_as_text(&call_of_paris(), form).text;
        let Some(call) = unwrapped(format, &written) else { continue };
        for prose in [
            format!("To ask for the weather, write {call} and wait for the result."),
            format!("The model may also omit the wrapper ({call}), which is read, too."),
            format!("- {call} is a call\n- other tags are none\n"),
            format!("It wrote: {call}"),
        ] {
            check_prose(format, &prose, (&prose, ""));
        }
        for before in ["", "I will check.\n", "I will check:\n\n", "I will check. "] {
            let text = format!("{before}{call}");
            for events in [read(format, tools(), "", "", &text), in_pieces(format, tools(), &text, &[3, 1, 7])] {
                let is_read = events.iter().any(|event| matches!(event, Event::CallEnd { .. }));
                assert!(is_read, "{}: {text}\n{events:?}", format.id);
            }
        }
        count += 1;
    }
    assert!(count >= 6, "{count} formats");
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_261_128),
        ..ProptestConfig::with_cases(200)
    })]

    /// A marker that begins a call, outside of quotes and sentences, is a call, valid or not, or leaves no markup.
    #[test]
    fn what_begins_as_a_call_does_not_end_as_text(message in messages(), damage in damaged(), sentence in any::<bool>()) {
        for format in formats::all() {
            let Some((open, _)) = markers(format) else { continue };
            let value = json!({ "role": "assistant", "content": [], "toolCalls": message.value["toolCalls"] });
            let written = calls_as_text(&value, Form::of(format.id).unwrap()).text;
            let Some(at) = written.find(open) else { continue };
            let rest = damage.apply(&written[at + open.len()..], format);
            let text = format!("{}{open}{rest}", if sentence { "I will check.\n" } else { "" });
            let events = read(format, message.tools.clone(), "", "", &text);
            let (answer, _) = joined(&events);
            let is_clean = !format.markers().iter().any(|marker| marker.len() > 3 && answer.contains(marker));
            prop_assert!(is_clean || events.iter().any(is_call), "{}: {}", format.id, text);
        }
    }
}
