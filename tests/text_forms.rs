//! Rules that hold in every format: calls without arguments, white space and closing tags in values, repeated parameters, and errors in the
//! words of the format.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use serde_json::{Value, json};
use text_support::calls::{Invalid, Outcome, marker, next, outcome, plain, tools, weather, written};
use toolwire::text::formats::{self, Body, Format, Pair};
use toolwire::text::read::read;

fn time() -> Value {
    json!(["get_time", {}])
}

/// What a format writes for empty arguments, which models leave out: the key with its value, or the value alone.
fn empty_arguments(format: &Format) -> Option<String> {
    match &format.body {
        Body::Json(json) if !json.name.is_empty() => Some(format!(", \"{}\": {{}}", json.arguments)),
        // the name alone is no call where no marker precedes it
        Body::Named(named) if !named.lines && format.call.open.trim().len() > 3 => Some("{}".to_owned()),
        _ => None,
    }
}

#[test]
fn arguments_that_are_left_out_are_empty() {
    let mut count = 0;
    for format in formats::all() {
        let Some(empty) = empty_arguments(format) else { continue };
        let lists = [
            vec![time()],
            vec![time(), weather()],
            vec![weather(), time(), weather()],
            vec![weather(), time()],
            vec![time(), time()],
        ];
        for calls in lists {
            let whole = written(format, &calls).unwrap();
            assert!(whole.contains(&empty), "{}: {whole}", format.id);
            let text = whole.replace(&empty, "");
            let found = outcome(format, &text);
            assert_eq!((&found.calls, found.text.trim()), (&calls, ""), "{}: {text}", format.id);
            // the closing markers are missing
            let begun = text.rfind('}').map_or("", |end| &text[..=end]);
            if matches!(format.body, Body::Json(_)) {
                let found = outcome(format, begun);
                assert_eq!((&found.calls, found.text.trim()), (&calls, ""), "{}: {begun}", format.id);
            }
            count += 1;
        }
    }
    assert!(count >= 150, "{count} texts");
}

#[test]
fn arguments_of_another_type_that_are_empty_are_none() {
    for format in formats::all() {
        let Body::Json(json) = &format.body else { continue };
        let Some(empty) = empty_arguments(format) else { continue };
        for value in ["null", r#""""#, r#""{}""#] {
            let key = format!(", \"{}\": {value}", json.arguments);
            for calls in [vec![time()], vec![weather(), time(), weather()]] {
                let text = written(format, &calls).unwrap().replace(&empty, &key);
                assert_eq!(outcome(format, &text).calls, calls, "{}: {text}", format.id);
            }
        }
    }
}

/// The closing tag of the values of a format, and the other tags that may be in a value, too.
fn tags(format: &Format) -> Vec<String> {
    let ends = match &format.body {
        Body::Channels(channels) => [channels.ends, &[channels.start]].concat(),
        _ => Vec::new(),
    };
    let (tagged, format) = match &format.body {
        Body::Tagged(tagged) => (tagged, format),
        Body::Channels(channels) => match channels.inner {
            Some(Format { body: Body::Tagged(tagged), .. }) => (tagged, channels.inner.unwrap()),
            _ => return Vec::new(),
        },
        Body::Nested(nested) => {
            let tags = ["</content>", "<path>", "</path>", "<other>"].map(|tag| [nested.prefix, tag].concat());
            let own = [nested.open, nested.close, nested.prefix, format.section.open, format.section.close];
            return tags.into_iter().chain(own.map(|tag| tag.trim().to_owned())).collect();
        }
        _ => return Vec::new(),
    };
    let [section, call] = [format.section, format.call];
    let all =
        [tagged.value_close, tagged.close, call.close, section.close, tagged.key, tagged.open, call.open, section.open];
    let mut tags: Vec<String> = all.iter().map(|tag| tag.trim().to_owned()).filter(|tag| !tag.is_empty()).collect();
    // a message ends at its markers, also in a value
    tags.retain(|tag| !ends.iter().any(|end| tag.starts_with(end)));
    tags.dedup();
    tags
}

/// A text as it is in a string of JSON.
fn json_inner(text: &str) -> String {
    let quoted = json!(text).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

#[test]
fn tags_in_a_value_are_part_of_it() {
    let mut count = 0;
    for format in formats::all() {
        for (index, tag) in tags(format).iter().enumerate() {
            let inner = [format!("a {tag} b"), format!("a\n{tag}\nb"), format!("{tag}x"), format!("1 {tag} 2 {tag} 3")];
            // models write the closing tag of a value twice, too
            let at_end = [format!("a {tag}"), tag.clone(), format!("a\n{tag}\n"), format!("{tag}{tag}")];
            let is_closing = index == 0 && !matches!(format.body, Body::Nested(_));
            for value in inner.into_iter().chain(at_end.into_iter().filter(|_| !is_closing)) {
                let first = json!(["write_file", { "content": "VALUE", "path": "p" }]);
                let last = json!(["write_file", { "path": "p", "content": "VALUE" }]);
                for calls in [
                    vec![first.clone()],
                    vec![last.clone()],
                    vec![first.clone(), weather()],
                    vec![weather(), last, weather()],
                ] {
                    let text = written(format, &calls).unwrap().replace("VALUE", &value);
                    let expected: Vec<Value> =
                        serde_json::from_str(&json!(calls).to_string().replace("VALUE", &json_inner(&value))).unwrap();
                    assert_eq!(outcome(format, &text).calls, expected, "{}: {text}", format.id);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 1_500, "{count} texts");
}

#[test]
fn white_space_at_the_ends_of_values_is_kept() {
    let values = [
        "",
        " ",
        "\n",
        "\n\n",
        "x\n",
        "\nx",
        "  x",
        "x ",
        "x\t",
        "\tx\n\n",
        "x\n\n",
        "\r\nx\r\n",
        " \nx\n ",
        "    if a:\n        b()\n",
        "\n  x\n",
    ];
    for format in formats::all() {
        for value in values {
            for arguments in [
                json!({ "path": value, "content": value }),
                json!({ "content": value, "path": value, "count": 1 }),
                json!({ "path": value, "tags": [value], "content": value }),
            ] {
                let calls = [json!(["write_file", arguments]), weather()];
                let Some(text) = written(format, &calls) else { continue };
                assert_eq!(outcome(format, &text).calls, calls, "{}: {text}", format.id);
            }
        }
    }
}

#[test]
fn a_repeated_parameter_makes_a_call_invalid() {
    let mut count = 0;
    for format in formats::all() {
        for second in ["copied", "first"] {
            let call = json!(["write_file", { "path": "first", "content": second }]);
            for calls in [vec![call.clone()], vec![weather(), call.clone(), weather()]] {
                let Some(text) = written(format, &calls) else { continue };
                // a marker may have this word, too
                let [key, other] = if is_json(format) { ["\"content\"", "\"path\""] } else { ["content", "path"] };
                let text = text.replace(key, other);
                let found = outcome(format, &text);
                if second == "first" && is_json(format) {
                    // the same value
                    assert_eq!(found.calls.len(), calls.len(), "{}: {text}", format.id);
                    continue;
                }
                let others: Vec<Value> = calls.iter().filter(|call| call[0] != "write_file").cloned().collect();
                assert_eq!(found.calls, others, "{}: {text}", format.id);
                assert_eq!(found.invalid.len(), 1, "{}: {text}", format.id);
                assert_eq!(found.invalid[0].name, "write_file", "{}: {text}", format.id);
                count += 1;
            }
        }
    }
    assert!(count >= 150, "{count} texts");
}

/// JSON with apostrophes, as Python writes it.
#[test]
fn a_repeated_parameter_in_apostrophes_makes_a_call_invalid() {
    let format = formats::by_id("hermes_json").unwrap();
    let text = "<tool_call>\n{'name': 'write_file', 'arguments': {'path': 'first', 'path': 'copied'}}\n</tool_call>";
    let found = outcome(format, text);
    assert_eq!((found.calls.len(), found.invalid.len()), (0, 1), "{found:?}");
}

/// A text with calls that is damaged from this position on: cut off, without a character or a marker, with a repeated name.
fn damaged(format: &Format, whole: &str, from: usize) -> Vec<String> {
    let places = || (from..whole.len()).filter(|at| whole.is_char_boundary(*at));
    let without = |at: usize| [&whole[..at], &whole[at + whole[at..].chars().next().unwrap().len_utf8()..]].concat();
    let mut texts: Vec<String> = places().map(|at| whole[..at].to_owned()).chain(places().map(without)).collect();
    let (start, rest) = whole.split_at(from);
    for marker in format.markers() {
        texts.extend([rest.replacen(marker, "", 1), rest.replace(marker, "")].map(|rest| [start, &rest].concat()));
    }
    if !format.markers().iter().any(|marker| marker.contains("content")) {
        texts.push(whole.replace("content", "path"));
    }
    texts
}

#[test]
fn a_damaged_call_is_not_the_answer() {
    let mut count = 0;
    for format in formats::all() {
        let (Some(open), Some(whole)) = (marker(format), next(format, &plain())) else { continue };
        // the marker of a message begins no call without the name of a tool
        let is_message = matches!(format.body, Body::Channels(_));
        let begun = if is_message { "write_file" } else { open };
        let from = whole.find(begun).unwrap() + begun.len() + 1;
        for text in damaged(format, &whole, from) {
            for before in ["", "I will check.\n"] {
                let text = [before, &text].concat();
                let found = Outcome::of(&read(format, tools(), "", "", &text));
                assert!(found.calls.len() + found.invalid.len() > 0, "{}: {text}\n{found:?}", format.id);
                assert!(!found.has_markup(format) || !found.invalid.is_empty(), "{}: {text}\n{found:?}", format.id);
                count += 1;
            }
        }
    }
    assert!(count > 10_000, "{count} texts");
}

/// Whether the arguments of calls are JSON in the text.
fn is_json(format: &Format) -> bool {
    match &format.body {
        Body::Json(_) | Body::Named(_) => true,
        Body::Channels(channels) => channels.inner.is_none(),
        _ => false,
    }
}

#[test]
fn errors_are_in_the_words_of_the_format() {
    let mut count = 0;
    for format in formats::all() {
        let Some(whole) = written(format, &[weather(), plain(), weather()]) else { continue };
        for text in damaged(format, &whole, 0) {
            for Invalid { name, error, .. } in Outcome::of(&read(format, tools(), "", "", &text)).invalid {
                assert!(!name.is_empty() && !name.contains(['<', '{', '"', '[']), "{}: {name}, {text}", format.id);
                assert!(!error.contains("JSON") || is_json(format), "{}: {error}, {text}", format.id);
                let shape = format.shape();
                let reasons = [
                    "the text ends before the call does",
                    "no tool of this name was declared",
                    "the header of the call does not follow its format",
                ];
                let reason = reasons.contains(&&*error);
                let is_json = ["the arguments are not a JSON object", "an argument has two values"].contains(&&*error);
                let shown =
                    error.contains("`") && (shape.is_empty() || error.contains(&shape) || !format.read_as.is_empty());
                assert!(reason || is_json || shown, "{}: {error}, {text}", format.id);
                count += 1;
            }
        }
    }
    assert!(count > 5_000, "{count} errors");
}

#[test]
fn a_complete_object_with_a_wrong_key_is_not_cut_off() {
    let mut count = 0;
    for format in formats::all() {
        let Body::Json(json) = &format.body else { continue };
        if json.name.is_empty() {
            continue;
        }
        let key = format!("\"{}\":", json.arguments);
        let text = written(format, &[weather()]).unwrap().replace(&key, "\"parmeters\":");
        for text in [&*text, text.trim_end_matches(|one| one != '}')] {
            let invalid = outcome(format, text).invalid;
            let is_right = |call: &Invalid| call.name == "get_weather" && !call.error.contains("the text ends");
            assert!(!invalid.is_empty() && invalid.iter().all(is_right), "{}: {text}\n{invalid:?}", format.id);
            count += 1;
        }
    }
    assert!(count >= 40, "{count} texts");
}

/// The markers around a call, and those around all calls if each call has its own.
fn around(format: &Format) -> Option<[Pair; 2]> {
    let nothing = Pair { open: "", close: "" };
    let [outer, inner] =
        if format.call.open.is_empty() { [nothing, format.section] } else { [format.section, format.call] };
    // words and fences are no markers by themselves
    (inner.open.trim().len() > 3 && !inner.open.starts_with(|one: char| one.is_alphanumeric() || one == '`'))
        .then_some([outer, inner])
}

/// The call of [`weather`] in notations of several formats.
const NOTATIONS: [(&str, &str); 7] = [
    ("JSON", r#"{"name": "get_weather", "arguments": {"city": "Paris", "days": 12}}"#),
    ("JSON", r#"{"name": "get_weather", "parameters": {"city": "Paris", "days": 12}}"#),
    ("JSON", r#"[{"name": "get_weather", "arguments": {"city": "Paris", "days": 12}}]"#),
    ("name", r#"get_weather{"city": "Paris", "days": 12}"#),
    (
        "functions",
        "<function=get_weather>\n<parameter=city>\nParis\n</parameter>\n<parameter=days>\n12\n</parameter>\n</function>",
    ),
    (
        "invoke",
        "<invoke name=\"get_weather\">\n<parameter name=\"city\">Paris</parameter>\n<parameter name=\"days\">12</parameter>\n</invoke>",
    ),
    (
        "keys",
        "get_weather\n<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>days</arg_key>\n<arg_value>12</arg_value>",
    ),
];

#[test]
fn calls_of_another_notation_between_the_markers_are_read_or_invalid() {
    let mut read = Vec::new();
    for format in formats::all() {
        let Some([outer, inner]) = around(format) else { continue };
        for (notation, body) in NOTATIONS {
            let call = [inner.open, body, inner.close].concat();
            for text in [call.clone(), [&call, "\n", &call].concat()] {
                let text = [outer.open, &text, outer.close].concat();
                let found = outcome(format, &text);
                let calls = found.calls.len() + found.invalid.len();
                let is_named = |call: &Invalid| call.name == "get_weather";
                assert!(calls > 0 && found.invalid.iter().all(is_named), "{}: {text}\n{found:?}", format.id);
                assert!(found.calls.iter().all(|call| call[0] == "get_weather"), "{}: {text}\n{found:?}", format.id);
                if text.matches("get_weather").count() == 1 {
                    assert!(
                        !found.has_markup(format) && found.text.trim().is_empty(),
                        "{}: {text}\n{found:?}",
                        format.id
                    );
                    if found.calls == [weather()] {
                        read.push((format.id, notation));
                    }
                }
            }
        }
    }
    for (id, notation) in [
        ("hermes_json", "functions"),
        ("glm45", "functions"),
        ("minimax_m2", "functions"),
        ("qwen3_xml", "JSON"),
        ("qwen3_xml", "invoke"),
        ("mimo", "JSON"),
    ] {
        assert!(read.contains(&(id, notation)), "{id} reads {notation}: {read:?}");
    }
    let json = read.iter().filter(|(_, notation)| *notation == "JSON").count();
    assert!(json > 100, "{json} read as JSON");
}

/// A value in quotes of any kind, with what would end it elsewhere.
#[test]
fn quotes_of_any_kind_protect_what_ends_a_value() {
    let values = [
        "it has } and , inside",
        "a,b",
        "c]",
        "{x}",
        "k:v, n:2",
        "it's",
        "say \"hi\"",
        "(a) [b] {c}",
        "x}",
        "}",
        ",",
        "end,",
        "a\nb",
        "C:\\dir",
        "",
    ];
    for format in formats::all() {
        let Body::Literal(literal) = &format.body else { continue };
        let [own, open, close] = [literal.quote, format.call.open, format.call.close];
        for (value, quote) in values.iter().flat_map(|value| [own, "\"", "'"].map(|quote| (*value, quote))) {
            let escaped = if quote == own {
                value.to_owned()
            } else {
                value.replace('\\', "\\\\").replace('\n', "\\n").replace(quote, &format!("\\{quote}"))
            };
            let string = [quote, &escaped, quote].concat();
            let path = [own, "p", own].concat();
            for (body, arguments) in [
                (format!("call:write_file{{path:{path},content:{string}}}"), json!({ "path": "p", "content": value })),
                (format!("call:write_file{{content:{string},path:{path}}}"), json!({ "content": value, "path": "p" })),
                (format!("call:write_file{{content:{string},count:7}}"), json!({ "content": value, "count": 7 })),
                (format!("call:write_file{{tags:[{string},{path}]}}"), json!({ "tags": [value, "p"] })),
                (format!("call:write_file{{tags:[{string}],path:{path}}}"), json!({ "tags": [value], "path": "p" })),
                // without a comma, without the word, with a namespace, with keys of JSON
                (format!("call:write_file{{content:{string} path:{path}}}"), json!({ "content": value, "path": "p" })),
                (format!(":write_file{{content:{string}}}"), json!({ "content": value })),
                (format!("write_file{{content:{string}}}"), json!({ "content": value })),
                (format!("call:default_api.write_file{{content:{string}}}"), json!({ "content": value })),
                (format!("call:default_api:write_file{{content:{string}}}"), json!({ "content": value })),
                (
                    format!("call:write_file{{\"content\":{string},\"path\":{path}}}"),
                    json!({ "content": value, "path": "p" }),
                ),
            ] {
                let call = json!(["write_file", arguments]);
                let text = [open, &body, close].concat();
                assert_eq!(outcome(format, &text).calls, std::slice::from_ref(&call), "{}: {text}", format.id);
                let text = [&text, &*written(format, &[weather()]).unwrap()].concat();
                assert_eq!(outcome(format, &text).calls, [call, weather()], "{}: {text}", format.id);
            }
        }
    }
}

#[test]
fn a_string_whose_opening_quote_is_missing_ends_at_the_closing_one() {
    for format in formats::all() {
        let Body::Literal(literal) = &format.body else { continue };
        let [own, open, close] = [literal.quote, format.call.open, format.call.close];
        for value in ["one", "one two", "a:b", "10%"] {
            let text = format!("{open}call:write_file{{content:{value}{own},path:{own}p{own}}}{close}");
            let call = json!(["write_file", { "content": value, "path": "p" }]);
            assert_eq!(outcome(format, &text).calls, [call], "{}: {text}", format.id);
        }
    }
}

#[test]
fn an_invalid_call_of_an_unknown_tool_says_so() {
    let mut count = 0;
    for format in formats::all() {
        let Some(text) = written(format, &[json!(["send_mail", { "city": "Rome" }])]) else { continue };
        for Invalid { name, error, .. } in outcome(format, &text).invalid {
            assert_eq!((&*name, &*error), ("send_mail", "no tool of this name was declared"), "{}: {text}", format.id);
            count += 1;
        }
    }
    assert!(count > 5, "{count} calls");
}
