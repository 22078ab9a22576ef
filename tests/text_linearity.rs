//! Reading takes time in proportion to the text, for every format, whole and in pieces, whatever the text is; prompts take it in proportion to
//! the number of properties.
//!
//! Each hostile text is read at two sizes. Eight times the text takes about eight times as long; if time grew with the square, it would
//! take 64 times as long. The time of the processor counts, so that other processes hardly matter: they can only add to it. So the shortest of
//! several counts, and what seems too slow is measured again at the end.
#![cfg(all(feature = "text", not(target_arch = "wasm32")))]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

mod text_support;

use serde_json::{Value, json};
use std::ops::Range;
use std::time::Duration;
use text_support::reading::in_pieces;
use text_support::time;
use toolwire::text::Tool;
use toolwire::text::formats::{self, Format};
use toolwire::text::read::read;
use toolwire::text::write::{Form, PromptOptions, calls_as_text, tool_prompt};

const SMALL: usize = 1_500;
const FACTOR: usize = 8;
/// Between linear (8) and quadratic (64).
const LIMIT: f64 = 25.0;

fn tools() -> Vec<Tool> {
    let parameters = json!({ "type": "object", "properties": {
        "text": { "type": "string" }, "data": { "type": "array" }, "count": { "type": "integer" }
    } });
    Tool::list(&json!([{ "name": "f", "parameters": parameters }])).unwrap()
}

fn written(form: &Form, arguments: &Value) -> String {
    calls_as_text(&json!({ "toolCalls": [{ "id": "", "name": "f", "arguments": arguments }] }), form).text
}

/// Texts that are repeated after a start, and before an end.
fn patterns(format: &'static Format) -> Vec<[String; 3]> {
    let Ok(form) = Form::of(format.id) else { return vec![[String::new(), "<".to_owned(), String::new()]] };
    let text = written(form, &json!({ "text": "VALUE" }));
    let data = written(form, &json!({ "data": ["VALUE"] }));
    let before = |text: &str, place: &str| text.split(place).next().unwrap_or_default().to_owned();
    let begun = before(&text, "VALUE");
    let named = before(&text, "text");
    let mut markers = format.markers();
    markers.sort_by_key(|marker| std::cmp::Reverse(marker.len()));
    let mut patterns = damaged_lists(&text);
    let mut add = |start: &str, part: &str| patterns.push([start.to_owned(), part.to_owned(), String::new()]);
    add("", &text);
    add("", &format!("{text}\n"));
    let starts = [String::new(), begun.clone(), before(&data, "\"VALUE"), named.clone(), before(&text, "f")];
    for (index, start) in starts.iter().enumerate() {
        for part in [
            "<",
            "{",
            "[",
            "(",
            " ",
            "\n",
            "x",
            "\"",
            "'",
            "\\",
            ",",
            "]",
            "}",
            "x ",
            "{\"a\":",
            "[1,",
            "é",
            "<|",
            "`",
            "f(",
            "<|im_end|>",
        ] {
            add(start, part);
        }
        for marker in markers.iter().filter(|_| index < 2) {
            let half = marker.char_indices().nth(marker.chars().count() / 2).map_or(0, |(at, _)| at);
            add(start, marker);
            add(start, &marker[..half.max(marker.chars().next().map_or(0, char::len_utf8))]);
            add(start, &format!("{marker}x"));
        }
    }
    add("", &begun);
    // reasoning, and what may begin a call in it
    for open in format.reasoning.iter().map(|pair| pair.open) {
        let call = text.split("VALUE").next().unwrap_or_default();
        for part in ["\n", "\n ", " ", "\n{", "\n[", "\nf\n", open, &text, &format!("\n{call}"), &format!("\n{text}x")]
        {
            add(open, part);
        }
    }
    // calls that break off, one after the other
    for (at, _) in text.char_indices().skip(begun.len()).step_by(6) {
        add("", &text[..at]);
        add("", &[&text[..at], format.section.close.trim()].concat());
    }
    // calls without their opening marker
    if let Some((at, _)) = text.char_indices().find(|(_, one)| matches!(one, '{' | '[')) {
        let (call, object) = (&text[at..], text[at..].rsplit_once(['}', ']']).map_or("", |(object, _)| object));
        add("", &format!("{call}\n"));
        add("", &format!("{}\n", before(call, "VALUE")));
        add("", &format!("{object}}}\n"));
        add("", &format!("{object}}}\nx\n"));
        add(&format!("{object}}}"), " ");
        add(&format!("{object}}}"), "\n");
        add(&before(call, "VALUE"), format.call.close.trim());
    }
    // calls that can't be read, one after the other
    add("", &text.replacen('"', "", 1));
    add("", &text.replace("VALUE\"", "VALUE"));
    add("", &named);
    add("", &before(&data, "\"VALUE"));
    add(&before(&text, "f"), "f ");
    let argument = text[named.len()..].split("VALUE").nth(1).unwrap_or_default();
    add(&begun, &format!("VALUE{argument}"));
    add(
        &named,
        &format!(
            "text{}VALUE",
            text[named.len()..].trim_start_matches("text").split("VALUE").next().unwrap_or_default()
        ),
    );
    patterns
}

/// Lists with damaged calls: of objects, or in Python syntax.
fn damaged_lists(text: &str) -> Vec<[String; 3]> {
    let Some((start, _)) = text.split_once("f(") else { return damaged_objects(text) };
    let end = text.rsplit_once(')').map_or("", |(_, end)| end);
    let parts = [
        "f(text=\"x), ",
        "f(text='x\"), f(text=\"x'), ",
        "f(text=x), ",
        "f(text=x\"), ",
        "f(text=[), ",
        "f(text=\"x\"), f(1), ",
        "f(text=\"\\\"\"), f(text=x\"), ",
        "f(text=\"a, \"b), ",
        "f(text=\"x\"\n",
        "f, ",
        ")\n",
    ];
    let lists = parts.map(|part| [start.to_owned(), part.to_owned(), format!("f()){end}")]);
    lists.into_iter().chain([[format!("{start}f(text="), "\"a\"+".to_owned(), format!("\"\"){end}")]]).collect()
}

/// Objects without a bracket, or with another one.
fn damaged_objects(text: &str) -> Vec<[String; 3]> {
    let (Some(from), Some(to)) = (text.find('{'), text.rfind('}')) else { return Vec::new() };
    let (start, object, end) = (&text[..from], &text[from..to], &text[to + 1..]);
    let parts = [&object[1..], object, &format!("{object}}}}}"), &object.replacen(": {", ": ", 1)];
    parts.map(|part| [start.to_owned(), format!("{part}, "), end.to_owned()]).into()
}

/// The ratio of the times for the large and the small input. It is measured again while it seems too large.
fn ratio(small: &dyn Fn(), large: &dyn Fn()) -> f64 {
    let (mut least, mut most, mut ratio) = (Duration::MAX, Duration::MAX, 0.0);
    for _ in 0..24 {
        least = least.min(time::of(small));
        most = most.min(time::of(large));
        ratio = most.as_secs_f64() / least.as_secs_f64();
        if ratio < LIMIT {
            break;
        }
    }
    ratio
}

/// The ratio of the times for texts in which a part is repeated.
fn growth(format: &'static Format, [start, part, end]: &[String; 3], sizes: Option<&[usize]>) -> f64 {
    let text = |size: usize| format!("{start}{}{end}", part.repeat(size / part.len()));
    let tools = tools();
    let run = |text: &str| match sizes {
        None => drop(read(format, tools.clone(), "", "", text)),
        Some(sizes) => drop(in_pieces(format, tools.clone(), text, sizes)),
    };
    let (small, large) = (text(SMALL), text(SMALL * FACTOR));
    ratio(&|| run(&small), &|| run(&large))
}

#[test]
fn reading_is_linear() {
    let mut slow = Vec::new();
    for format in formats::all() {
        for pattern in patterns(format).into_iter().filter(|[_, part, _]| !part.is_empty()) {
            for (how, sizes) in [("whole", None), ("in pieces", Some(&[20][..]))] {
                if growth(format, &pattern, sizes) >= LIMIT {
                    slow.push((format, how, pattern.clone(), sizes));
                }
            }
        }
    }
    let found: Vec<String> = slow
        .into_iter()
        .map(|(format, how, pattern, sizes)| (growth(format, &pattern, sizes), format.id, how, pattern))
        .filter(|(grown, ..)| *grown >= LIMIT)
        .map(|(grown, id, how, [start, part, end])| {
            format!("{id}, {how}: {start:?}, {part:?} repeated, {end:?}: {grown:.1}")
        })
        .collect();
    assert!(found.is_empty(), "{} texts:\n{}", found.len(), found.join("\n"));
}

#[test]
fn prompts_are_linear_in_the_number_of_properties() {
    let names = |range: Range<usize>| range.map(|at| format!("property{at}"));
    let properties =
        |range: Range<usize>| names(range).map(|name| (name, json!({ "type": "string" }))).collect::<Value>();
    let required =
        |count: usize| json!({ "properties": properties(0..count), "required": names(0..count).collect::<Vec<_>>() });
    let branches = |count: usize| json!({ "allOf": [{ "properties": properties(0..count / 2) }, { "properties": properties(count / 2..count) }] });
    let grown = |format: &str, schema: &dyn Fn(usize) -> Value| {
        let tools = |count| Tool::list(&json!([{ "name": "f", "parameters": schema(count) }])).unwrap();
        let (small, large) = (tools(500), tools(500 * FACTOR));
        let options = PromptOptions::of(&json!({ "format": format })).unwrap();
        let prompt = |tools: &[Tool]| drop(tool_prompt(tools, &options));
        ratio(&|| prompt(&small), &|| prompt(&large))
    };
    let schemas: [&dyn Fn(usize) -> Value; 2] = [&required, &branches];
    let all = Form::all().iter().flat_map(|form| schemas.map(|schema| (form.id, schema)));
    let slow: Vec<_> = all.filter(|&(format, schema)| grown(format, schema) >= LIMIT).collect();
    for (format, schema) in slow {
        let grown = grown(format, schema);
        assert!(grown < LIMIT, "{format}: {grown:.1}");
    }
}
