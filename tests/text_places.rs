//! Where calls may begin: what begins as a call never ends as text, and what writes about calls is no call.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use text_support::calls::{from_name, unopened};
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

fn list<'a>(data: &'a Value, key: &str) -> impl Iterator<Item = &'a str> + Clone {
    data[key].as_array().unwrap().iter().filter_map(Value::as_str)
}

/// The forms of a call that are one only at the start of a line: without a marker of their own, or in the tags of another format.
fn unmarked(format: &'static Format, written: &str) -> Vec<String> {
    let shaped =
        |of: &Format| of.shape().replace("NAME", "get_weather").replace("KEY", "city").replace("VALUE", "Paris");
    let mut all: Vec<String> =
        format.drifts.iter().map(|drift| shaped(drift)).chain(unwrapped(format, written)).collect();
    all.extend(from_name(format, written).map(str::to_owned));
    all.extend(unopened(format, &[json!(["get_weather", { "city": "Paris" }])]));
    let key = match &format.body {
        Body::Json(body) if body.bare => body.arguments,
        Body::Named(body) if body.bare => "arguments",
        Body::Pythonic(body) if body.bare => {
            all.push("[get_weather(city=\"Paris\")]".to_owned());
            return all;
        }
        Body::Literal(body) => {
            all.push(format!("{}get_weather{{city:{1}Paris{1}}}", body.open, body.quote));
            return all;
        }
        _ => return all,
    };
    let object = json!({ "name": "get_weather", key: { "city": "Paris" } });
    all.extend([object.to_string(), json!([object]).to_string()]);
    all
}

/// A frame with a call: in one line, or with the blanks of its line before each line of the call.
fn framed(frame: &str, call: &str) -> String {
    let before = frame.split("{call}").next().and_then(|before| before.rsplit('\n').next()).unwrap_or_default();
    let is_block = before.trim().is_empty() && frame.contains("{call}\n");
    frame.replace("{call}", &call.replace('\n', &if is_block { format!("\n{before}") } else { String::new() }))
}

/// Every format's own call, and what it reads as one without its marker, where text shows a call and does not make it.
#[test]
fn shown_calls_are_text() {
    let data: Value = serde_json::from_str(include_str!("vectors/text/prose.json")).unwrap();
    let mut count = 0;
    for format in formats::all() {
        let Ok(form) = Form::of(format.id) else { continue };
        let written = calls_as_text(&call_of_paris(), form).text.trim().to_owned();
        let places = || list(&data, "places");
        let anywhere = || places().chain(list(&data, "sentences")).map(str::to_owned).collect::<Vec<_>>();
        let mut all = vec![(written.clone(), places().map(str::to_owned).collect())];
        all.extend(unmarked(format, &written).into_iter().map(|call| (call, anywhere())));
        // the closing tag of these is their marker
        if matches!(&format.body, Body::Named(body) if body.bare) && !format.call.close.is_empty() {
            let head = format!("get_weather{}{}", json!({ "city": "Paris" }), format.call.close);
            all.push((head, places().map(str::to_owned).collect()));
        }
        for (call, frame) in all.iter().flat_map(|(call, frames)| frames.iter().map(move |frame| (call, frame))) {
            // a fence can't be quoted by one of its length
            if call.contains("```") && frame.contains('`') {
                continue;
            }
            let prose = framed(frame, call);
            check_prose(format, &prose, (&prose, ""));
            count += 1;
            if let Some(pair) = format.reasoning.first().filter(|pair| !prose.contains(pair.close.trim())) {
                let thought = format!("{}{prose}{}It is sunny.", pair.open, pair.close);
                check_prose(format, &thought, ("It is sunny.", prose.trim()));
                count += 1;
            }
        }
    }
    assert!(count > 4000, "{count} texts");
}

/// Markers of any kind in sentences, and where text shows them, without quotation marks.
#[test]
fn named_markers_are_text() {
    let data: Value = serde_json::from_str(include_str!("vectors/text/prose.json")).unwrap();
    let mut count = 0;
    for format in formats::all() {
        let mut markers = format.markers();
        // a line break that begins another marker is one
        let is_word = |marker: &&str| marker.len() > 3 && !marker.contains(['`', '\n']);
        let begins = |marker: &&str| !format.line_break.is_empty() && marker.starts_with(format.line_break);
        markers.retain(|marker| is_word(marker) && (*marker == format.line_break || !begins(marker)));
        for (marker, frame) in markers.iter().flat_map(|marker| list(&data, "named").map(move |frame| (marker, frame)))
        {
            let prose = frame.replace("{marker}", &named(marker));
            check_prose(format, &prose, (&prose, ""));
            count += 1;
        }
    }
    assert!(count > 1500, "{count} texts");
}

/// What precedes a call in its line, or before it, does not make it text, unless the call has no marker.
#[test]
fn calls_after_prose_are_calls() {
    let data: Value = serde_json::from_str(include_str!("vectors/text/prose.json")).unwrap();
    let mut count = 0;
    for format in formats::all() {
        let Ok(form) = Form::of(format.id) else { continue };
        let mut call = calls_as_text(&call_of_paris(), form).text.trim().to_owned();
        let is_marked = markers(format).is_some() || matches!(&format.body, Body::Tagged(_) | Body::Channels(_));
        for before in list(&data, "before").filter(|before| is_marked || before.ends_with('\n')) {
            let mut text = before.to_owned();
            if let Body::Channels(one) = &format.body {
                let to = if one.channel.is_empty() { format!(" {}", one.recipient) } else { one.channel.to_owned() };
                text = [one.start, one.role, &to, one.text, one.message, before, one.ends[0], one.next].concat();
                call = calls_as_text(&call_of_paris(), Form::of(format.id).unwrap()).text;
            }
            let text = [&text, &call].map(String::as_str).concat();
            for events in [read(format, tools(), "", "", &text), in_pieces(format, tools(), &text, &[3, 1, 7])] {
                let is_read = events.iter().any(|event| matches!(event, Event::CallEnd { .. }));
                assert!(is_read, "{}: {text}\n{events:?}", format.id);
                assert_eq!(joined(&events).0.trim(), before.trim(), "{}: {events:?}", format.id);
            }
            count += 1;
        }
    }
    assert!(count > 1500, "{count} texts");
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
