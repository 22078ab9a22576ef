//! Damaged texts: one that the limit cuts off at any byte, and calls beside one that can't be read.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use serde_json::{Value, json};
use text_support::calls::{Outcome, SHOWN, from_name, marker, next, outcome, plain, tools, unopened, weather, written};
use text_support::reading::in_pieces;
use toolwire::text::formats::{self, After, Body, Format};
use toolwire::text::read::read;

fn calls() -> [Value; 2] {
    [
        json!(["write_file", {
            "path": "a/b.txt", "content": "def f(x):\n    return {'a': [1, \"q\"]}\n", "count": 123, "tags": ["a, b", "c]"], "opt": { "a": 1.25 }
        }]),
        weather(),
    ]
}

#[test]
fn a_text_that_is_cut_off_has_no_other_calls_and_no_markup() {
    let expected = calls();
    let mut count = 0;
    for format in formats::all() {
        let Some(whole) = written(format, &expected) else { continue };
        // a token that ends the response after a call is not always in the text
        let last = match &format.body {
            Body::Channels(channels) => channels.message_tags().map(|tags| tags.value_close),
            _ => None,
        };
        for end in (1..whole.len()).filter(|end| whole.is_char_boundary(*end)) {
            let text = &whole[..end];
            if last.is_some_and(|last| text.trim_end().ends_with(last)) {
                continue;
            }
            let Outcome { text: answer, calls: found, invalid } = Outcome::of(&read(format, tools(), "", "", text));
            assert!(expected.starts_with(&found), "{}: {text:?} is read as {found:?}", format.id);
            assert!(invalid.iter().all(|call| !call.name.is_empty()), "{}: {text:?}", format.id);
            count += 1;
            let Some(open) = marker(format) else { continue };
            // the format's marker of the end of a message is no call
            let is_whole = format.wrappers.contains(&text.trim());
            let is_marked = text.len() > SHOWN && text.starts_with(&open[..open.len().min(SHOWN)]);
            // a header is that of a call if it has a name
            let is_headed = text.len() > format.header.len() && !format.header.is_empty();
            let is_begun = !is_whole && (is_marked || is_headed);
            let has_any = !found.is_empty() || !invalid.is_empty();
            assert!(has_any || !is_begun, "{}: {text:?} is the answer {answer:?}", format.id);
            assert!(!has_any || answer.trim().len() < 2, "{}: {text:?} leaves {answer:?}", format.id);
        }
    }
    assert!(count > 10_000, "{count} texts");
}

/// Where a line is the name of the call, without a marker.
#[test]
fn a_call_of_which_only_the_line_with_its_name_was_written_is_cut_off() {
    let mut count = 0;
    for format in formats::all().filter(|format| matches!(&format.body, Body::Named(named) if named.lines)) {
        let first = written(format, &[weather()]).unwrap();
        for name in ["get_time", "write_file"] {
            for (calls, begun) in
                [(vec![], name.to_owned()), (vec![weather()], [&first, format.separator, name].concat())]
            {
                for end in ["", "\n"] {
                    let found = outcome(format, &[&begun, end].concat());
                    assert_eq!((&found.calls, found.text.trim()), (&calls, ""), "{}: {begun}", format.id);
                    let names: Vec<&str> = found.invalid.iter().map(|call| &*call.name).collect();
                    assert_eq!(names, [name], "{}: {begun}", format.id);
                    count += 1;
                }
            }
            let prose = format!("The tool is\n{name}");
            assert_eq!(outcome(format, &prose).text, prose, "{}", format.id);
        }
    }
    assert!(count > 0);
}

#[test]
fn a_damaged_call_does_not_take_its_neighbour_with_it() {
    let (first, second) = (plain(), weather());
    let mut count = 0;
    for format in formats::all() {
        let Some(whole) = written(format, &[first.clone(), second.clone()]) else { continue };
        let Some(next) = whole.rfind("get_weather") else { continue };
        let (from, to) = (whole.find("path").unwrap() - 1, whole[..next].rfind("1.25").unwrap());
        for at in (from..to).filter(|at| "\"{}<>|'/=:".contains(char::from(whole.as_bytes()[*at]))) {
            let text = format!("{}{}", &whole[..at], &whole[at + 1..]);
            let pieces = in_pieces(format, tools(), &text, &[3, 1, 7]);
            for events in [read(format, tools(), "", "", &text), pieces] {
                let Outcome { text: answer, calls: found, invalid } = Outcome::of(&events);
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
            let found = Outcome::of(&read(format, tools(), "", "", &text)).calls;
            assert!(found.iter().all(|call| call[0] != "get_weather"), "{}: {text}\n{found:?}", format.id);
        }
    }
}

/// Where a call of a JSON format can be a value of the arguments before it, if no marker shows that it is none.
fn takes_value(text: &str) -> bool {
    let is_in_list = text.rfind('[') > text.rfind(']') && text.rfind('[') > text.find('{');
    text.trim_end().ends_with(':') || (is_in_list && text.trim_end().ends_with(['[', ',']))
}

/// What follows a call that breaks off: the next one, without the marker of a list if the call is in one.
fn following(format: &Format) -> Vec<(String, bool)> {
    let next = next(format, &weather()).unwrap();
    let is_bare = ["llama3_json", "generic_json"].contains(&format.id);
    let mut all = vec![(next.clone(), is_bare), (format!("\n{next}"), is_bare)];
    // what follows a bracket in Python may be the element of a value
    if matches!(&format.body, Body::Pythonic(_)) && marker(format).is_none() {
        all = vec![(next.replacen('[', ", ", 1), true)];
    }
    if matches!(&format.body, Body::Json(json) if !json.list.open.is_empty()) {
        let list = written(format, &[weather(), weather()]).unwrap();
        let at = list[..list.rfind("get_weather").unwrap()].rfind('}').unwrap() + 1;
        all.push((list[at..].to_owned(), true));
        all.push((list[at..].trim_start_matches([',', ' ']).to_owned(), true));
    }
    all
}

#[test]
fn a_call_that_breaks_off_leaves_the_next_one() {
    let mut count = 0;
    for format in formats::all() {
        let Some(one) = written(format, &[plain()]) else { continue };
        let from = one.find("path").unwrap() + 2;
        let to = one.find("1.25").unwrap();
        for (next, is_bare) in following(format) {
            for end in (from..to).filter(|end| one.is_char_boundary(*end)).step_by(3) {
                let between = &next[..next.find(['{', '[']).unwrap_or(0)];
                if is_bare && takes_value(&[&one[..end], between].concat()) {
                    continue;
                }
                let text = [&one[..end], &next].concat();
                let found = outcome(format, &text);
                let own = |call: &&Value| call[0] == "write_file";
                assert_eq!(found.calls.last(), Some(&weather()), "{}: {text}\n{found:?}", format.id);
                // what was complete may run: only brackets are missing
                let is_invalid = found.invalid.len() == 1 && found.calls.len() == 1;
                let is_prefix =
                    found.calls.len() == 2 && found.calls.iter().filter(own).all(|call| begins(call, &plain()));
                assert!(is_invalid || is_prefix, "{}: {text}\n{found:?}", format.id);
                assert!(!found.has_markup(format), "{}: {text}\n{found:?}", format.id);
                count += 1;
            }
        }
    }
    assert!(count > 5_000, "{count} texts");
}

/// Whether the arguments of a call are some of those of another one.
fn begins(call: &Value, whole: &Value) -> bool {
    call[0] == whole[0] && call[1].as_object().unwrap().iter().all(|(key, value)| whole[1].get(key) == Some(value))
}

#[test]
fn a_quoted_call_in_a_value_is_part_of_the_value() {
    for format in formats::all() {
        let Body::Tagged(_) = &format.body else { continue };
        let quoted = next(format, &weather()).unwrap();
        let value = format!("Write:\n{quoted}\nThat is all.");
        let call = json!(["write_file", { "path": "p", "content": "VALUE", "count": 1 }]);
        let text = written(format, &[call, weather()]).unwrap().replacen("VALUE", &value, 1);
        let found = outcome(format, &text);
        let expected = json!(["write_file", { "path": "p", "content": value, "count": 1 }]);
        assert_eq!(found.calls, [expected, weather()], "{}: {text}\n{found:?}", format.id);
    }
}

/// Where a marker separates the name from the arguments, it shows that they are a call.
#[test]
fn a_call_is_read_without_the_markers_before_its_name() {
    let mut count = 0;
    for format in formats::all() {
        let Some(whole) = written(format, &[weather()]) else { continue };
        let Some(call) = from_name(format, &whole) else { continue };
        for before in ["", "I will look.\n", "I will look.\n\n"] {
            let text = [before, call].concat();
            let found = outcome(format, &text);
            assert_eq!((&*found.calls, found.invalid.len()), (&[weather()][..], 0), "{}: {text}", format.id);
            // the name was emitted as text before its marker was known
            let rest = found.text.strip_prefix(before).unwrap().trim();
            assert!(call.starts_with(rest) && !found.has_markup(format), "{}: {text}\n{found:?}", format.id);
            count += 1;
        }
    }
    assert!(count > 20, "{count} texts");
}

#[test]
fn json_before_the_closing_marker_of_a_call_is_one() {
    let mut count = 0;
    for format in formats::all() {
        let Some(call) = unopened(format, &[weather()]) else { continue };
        let both = unopened(format, &[weather(), plain()]).unwrap();
        for before in ["", "I will look.\n", "I will look:\n\n"] {
            for (call, calls) in [(&call, vec![weather()]), (&both, vec![weather(), plain()])] {
                let text = [before, call].concat();
                let found = outcome(format, &text);
                assert_eq!((&found.calls, found.text.trim()), (&calls, before.trim()), "{}: {text}", format.id);
                count += 1;
            }
            // with a bracket less, it is an invalid call, or the same one
            let text = [before, &call.replacen('}', "", 1)].concat();
            let found = outcome(format, &text);
            let has_call = found.calls == [weather()] || found.invalid.len() == 1;
            assert!(has_call && found.text.trim() == before.trim(), "{}: {text}\n{found:?}", format.id);
            // without any marker, it is one only as the whole message
            let text = [before, &call[..=call.rfind(['}', ']']).unwrap()]].concat();
            let found = outcome(format, text.trim_end_matches("[END_TOOL_REQUEST]"));
            assert_eq!(found.calls.len(), usize::from(before.is_empty()), "{}: {text}\n{found:?}", format.id);
        }
    }
    assert!(count > 50, "{count} texts");
}

#[test]
fn json_that_is_the_whole_message_is_a_call_of_a_declared_tool() {
    let mut count = 0;
    for format in formats::all() {
        let Body::Json(json) = &format.body else { continue };
        let whole = written(format, &[weather()]).filter(|_| !json.bare && format.header.is_empty());
        let Some(call) = whole.map(|whole| bare(format, &whole).to_owned()) else { continue };
        let found = outcome(format, &call);
        assert_eq!((&*found.calls, &*found.text), (&[weather()][..], ""), "{}: {call}\n{found:?}", format.id);
        // some accept a list before text
        if format.after == After::Dropped {
            continue;
        }
        let definition = json!({ "name": "get_weather", "parameters": { "type": "object", "properties": {} } });
        for text in [
            format!("{call}\nis a call."),
            format!("A call:\n{call}"),
            call.replace("get_weather", "Anna"),
            definition.to_string(),
        ] {
            let found = outcome(format, &text);
            assert_eq!((&*found.text, found.calls.len()), (&*text, 0), "{}: {text}\n{found:?}", format.id);
            assert_eq!(found.invalid, [], "{}: {text}", format.id);
        }
        count += 1;
    }
    assert!(count > 15, "{count} formats");
}

/// A call without the markers around it.
fn bare<'a>(format: &Format, whole: &'a str) -> &'a str {
    let inner = whole.trim().trim_end_matches(format.section.close.trim()).trim_end_matches(format.call.close.trim());
    let inner = inner.trim_start_matches(format.section.open.trim()).trim_start_matches(format.call.open.trim());
    inner.trim()
}

/// Where the markers of a format are in a text.
fn places(format: &Format, text: &str) -> Vec<std::ops::Range<usize>> {
    let mut markers: Vec<&str> =
        format.markers().into_iter().map(str::trim).filter(|marker| marker.len() > 2).collect();
    markers.sort_by_key(|marker| std::cmp::Reverse(marker.len()));
    let mut found: Vec<std::ops::Range<usize>> = Vec::new();
    for (at, _) in text.char_indices() {
        let is_free = found.last().is_none_or(|last| last.end <= at);
        let marker = markers.iter().find(|marker| is_free && text[at..].starts_with(**marker));
        found.extend(marker.map(|marker| at..at + marker.len()));
    }
    found
}

/// A text without what is in these places.
fn without(text: &str, places: &[std::ops::Range<usize>]) -> String {
    let starts = std::iter::once(0).chain(places.iter().map(|place| place.end));
    let ends = places.iter().map(|place| place.start).chain([text.len()]);
    starts.zip(ends).filter_map(|(start, end)| text.get(start..end)).collect()
}

/// Any one or two of them, or three if the last one is left.
#[test]
fn calls_without_some_of_their_markers_do_not_end_as_text_with_markup() {
    let mut count = 0;
    for format in formats::all() {
        for whole in [weather(), plain()].iter().filter_map(|call| written(format, std::slice::from_ref(call))) {
            let places = places(format, &whole);
            let last = places.len().saturating_sub(1);
            let pairs = (0..places.len()).flat_map(|second| (0..=second).map(move |first| vec![first, second]));
            let three = (0..last).flat_map(|third| {
                let two = (0..third).flat_map(move |second| (0..second).map(move |first| (first, second)));
                two.map(move |(first, second)| vec![first, second, third])
            });
            for mut gone in pairs.chain(three) {
                gone.dedup();
                let gone: Vec<_> = gone.into_iter().map(|index| places[index].clone()).collect();
                let text = without(&whole, &gone);
                let found = outcome(format, &text);
                let is_call = !found.calls.is_empty() || !found.invalid.is_empty();
                assert!(is_call || !found.has_markup(format), "{}: {text}\n{found:?}", format.id);
                count += 1;
            }
        }
    }
    assert!(count > 9_000, "{count} texts");
}

/// Where a marker is around the tags of calls, and the model leaves it out.
#[test]
fn a_call_without_the_marker_around_it_that_is_cut_off_is_one() {
    let mut count = 0;
    for format in formats::all() {
        let Body::Tagged(tagged) = &format.body else { continue };
        let whole = written(format, &[weather()]).unwrap();
        let call = &whole[whole.find(tagged.open).unwrap()..];
        for end in (SHOWN..call.len()).filter(|end| call.is_char_boundary(*end)) {
            let text = ["I will look.\n", &call[..end]].concat();
            let found = outcome(format, &text);
            let is_call = !found.calls.is_empty() || !found.invalid.is_empty();
            assert!(is_call && found.text.trim() == "I will look.", "{}: {text}\n{found:?}", format.id);
            count += 1;
        }
    }
    assert!(count > 2_000, "{count} texts");
}

#[test]
fn empty_arrays_in_an_array_are_an_invalid_call() {
    let mut count = 0;
    for format in formats::all() {
        let Some(one) = written(format, &[weather()]) else { continue };
        let (Some(from), Some(to)) = (one.find('{'), one.rfind('}')) else { continue };
        let Body::Json(json) = &format.body else { continue };
        if marker(format).is_none() || json.bare {
            continue;
        }
        let (before, after) = (one[..from].trim_end_matches('['), one[to + 1..].trim_start_matches(']'));
        for list in ["[[]]", "[[[]]]", "[ [ ] ]"] {
            let text = [before, list, after].concat();
            let found = outcome(format, &text);
            assert_eq!(
                (found.text.trim(), found.calls.len(), found.invalid.len()),
                ("", 0, 1),
                "{}: {text}\n{found:?}",
                format.id
            );
            count += 1;
        }
    }
    assert!(count > 20, "{count} texts");
}

#[test]
fn text_after_a_damaged_call_has_no_markers() {
    let mut count = 0;
    for format in formats::all().filter(|format| !format.header.is_empty()) {
        let call = written(format, &[weather()]).unwrap();
        let (from, to) = (call.find('{').unwrap(), call.rfind('}').unwrap());
        let damaged = [&call[..from], "{bad", &call[to + 1..]].concat();
        let text = [&damaged, format.header, format.text.open, "Sorry.", format.text.close].concat();
        let found = outcome(format, &text);
        assert_eq!((found.text.trim(), found.invalid.len()), ("Sorry.", 1), "{}: {text}\n{found:?}", format.id);
        count += 1;
    }
    assert!(count > 0);
}
