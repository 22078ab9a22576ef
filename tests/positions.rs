//! The position of a value has no influence on its conversion: a body or event of the vectors with white space before
//! it gives the same output and the same warnings. Generated text is stored in a buffer of its own, and must not be
//! confused with input text at the same position.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "support/on_text.rs"]
mod on_text;
mod support;

use serde_json::Value;
use std::collections::BTreeMap;
use support::cases::{Body, Check, Expected, Outcome, checks};
use toolwire::Dialect;

/// How many positions are tried for each pair of formats; the environment variable `POSITIONS` overrides it. Each pair
/// gets other positions, up to `FARTHEST`, which suffices because generated texts are mostly short.
const POSITIONS: usize = 1;
const FARTHEST: usize = 600;

fn converted(check: &Check, to: Dialect, space: usize) -> Outcome {
    let text = match check.kind.as_str() {
        "stream" => String::from_utf8(support::streams::input(check)).unwrap(),
        _ => check.input.text(),
    };
    let space = " ".repeat(space);
    let text = match (check.kind.as_str(), check.from.as_str()) {
        // white space before the object would not be part of the event
        ("stream", "ollama") => text.replace("\n{", &format!("\n{{{space}")),
        ("stream", _) => text.replace("data: {", &format!("data: {{{space}")),
        // a byte order mark must stay first
        _ => match text.strip_prefix('\u{feff}') {
            Some(text) => format!("\u{feff}{space}{text}"),
            None => format!("{space}{text}"),
        },
    };
    let expected = Expected::Error(Value::Null);
    let check = Check { to: to.name().to_owned(), input: Body::Text(text), expected, ..check.clone() };
    let outcome = match check.kind.as_str() {
        "stream" => support::streams::outcome(&check, &[&support::streams::input(&check)]),
        _ => on_text::run(&check),
    };
    // the position of the error in the text differs
    outcome.map_err(|error| Value::Array(vec![error["code"].clone(), error["path"].clone()]))
}

/// The distinct inputs of all vectors that are JSON.
fn inputs() -> impl Iterator<Item = Check> {
    let files = std::fs::read_dir("tests/vectors").unwrap().map(|entry| entry.unwrap().path());
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    let all = files.flat_map(|file| checks(&std::fs::read_to_string(file).unwrap()));
    let usable = all.filter(|check| match check.kind.as_str() {
        "answer" => false,
        "stream" => matches!(check.input, Body::Value(_)),
        _ => serde_json::from_str::<Value>(check.input.text().trim_start_matches('\u{feff}')).is_ok(),
    });
    let key = |check: &Check| (check.kind.clone(), check.from.clone(), check.input.text(), check.options.to_string());
    usable.map(|check| (key(&check), check)).collect::<BTreeMap<_, _>>().into_values()
}

#[test]
fn the_position_of_the_input_in_memory_does_not_matter() {
    let positions = std::env::var("POSITIONS").map_or(POSITIONS, |number| number.parse().unwrap());
    let mut count = 0;
    for check in inputs() {
        let streams = |dialect: &Dialect| check.kind != "stream" || *dialect != Dialect::Universal;
        for to in Dialect::ALL.iter().copied().filter(streams) {
            let expected = converted(&check, to, 0);
            let length = check.input.text().len().min(FARTHEST);
            let step = (length / positions).max(1);
            for space in (1 + count % step..length).step_by(step) {
                count += 1;
                let found = converted(&check, to, space);
                let name = format!("{} to {} behind {space} spaces", check.name, to.name());
                assert_eq!(found, expected, "{name}: {}", check.input.text());
            }
        }
    }
    println!("{count} conversions gave the same behind space");
    assert!(count > 10_000);
}
