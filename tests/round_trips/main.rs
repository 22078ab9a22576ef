//! Rules for every vector: what was written reads back to the same bytes, a provider's body is unchanged after a round
//! trip through another format, and no damaged body makes a conversion panic.

#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod bare_names;
mod emptied;
#[path = "../support/mod.rs"]
mod support;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::Value;
use std::collections::BTreeMap;
use support::cases::{Check, Expected, checks};
use toolwire::{
    AnthropicVersion, Dialect, ErrorCode, Options, StreamConverter, Subject, Warning, WarningCode, convert_text,
};

/// Every format except the canonical one.
fn wire() -> impl Iterator<Item = Dialect> {
    Dialect::ALL.iter().copied().filter(|dialect| *dialect != Dialect::Canonical)
}

fn all_checks() -> Vec<Check> {
    let mut files: Vec<_> = std::fs::read_dir("tests/vectors").unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let json = files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    json.flat_map(|file| checks(&std::fs::read_to_string(file).unwrap())).collect()
}

fn kind(check: &Check) -> Option<Subject> {
    match check.kind.as_str() {
        "request" => Some(Subject::Request),
        "response" => Some(Subject::Response),
        "error" => Some(Subject::Error),
        _ => None,
    }
}

fn options() -> Options {
    Options { bookkeeping: true, anthropic_version: Some(AnthropicVersion::V20230601), ..Options::default() }
}

/// The canonical bodies of whole requests and responses, without repetition.
fn canonical_bodies() -> Vec<(String, Subject, Vec<u8>)> {
    let mut bodies = BTreeMap::new();
    for check in all_checks() {
        if let (Some(kind), "canonical") = (kind(&check), check.from.as_str()) {
            bodies.insert(check.input.text(), (check.name.clone(), kind));
        }
        if check.kind == "messages" && check.from == "canonical" {
            let request = format!("{{\"messages\":{}}}", check.input.text());
            bodies.insert(request, (check.name.clone(), Subject::Request));
        }
    }
    bodies.into_iter().map(|(body, (name, kind))| (name, kind, body.into_bytes())).collect()
}

/// The first position at which two texts differ, with the text that follows in each.
fn first_difference(left: &[u8], right: &[u8]) -> String {
    let at = left.iter().zip(right).take_while(|(left, right)| left == right).count().saturating_sub(30);
    let excerpt = |text: &[u8]| String::from_utf8_lossy(&text[at..text.len().min(at + 160)]).into_owned();
    format!("byte {at}\n  {}\n  {}", excerpt(left), excerpt(right))
}

#[test]
fn written_bodies_read_back_to_the_same_bytes() {
    let mut count = 0;
    let mut failures = Vec::new();
    for (name, kind, body) in canonical_bodies() {
        for dialect in wire() {
            if is_named_on_reading(&name, dialect) {
                continue;
            }
            let Ok(first) = convert_text(body.clone(), kind, Dialect::Canonical, dialect, options()) else { continue };
            let read = convert_text(first.body.clone(), kind, dialect, Dialect::Canonical, options());
            let second = read.and_then(|read| convert_text(read.body, kind, Dialect::Canonical, dialect, options()));
            count += 1;
            match second {
                Ok(second) if second.body == first.body => {}
                Ok(second) => failures.push(format!(
                    "{name} → {}: {}",
                    dialect.name(),
                    first_difference(&first.body, &second.body)
                )),
                Err(error) => failures.push(format!("{name} → {}: {error}", dialect.name())),
            }
        }
    }
    println!("{count} bodies written, read and written again");
    assert!(failures.is_empty(), "{} differ:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn provider_bodies_are_unchanged_in_the_same_dialect() {
    let mut count = 0;
    let mut failures = Vec::new();
    for check in all_checks() {
        let (Some(kind), Some(dialect)) = (kind(&check), Dialect::of(&check.from)) else { continue };
        let lenient = check.options.as_object().is_none_or(serde_json::Map::is_empty);
        if dialect.provider().is_none() || !lenient || matches!(check.expected, Expected::Error(_)) {
            continue;
        }
        // an error that is not an object is written in the provider's own form
        if kind == Subject::Error && !check.input.text().contains('{') {
            continue;
        }
        let body = check.input.text().trim_start_matches('\u{feff}').to_owned();
        let Ok(read) = convert_text(body.clone().into_bytes(), kind, dialect, Dialect::Canonical, options()) else {
            continue;
        };
        if !read.warnings.is_empty() {
            continue;
        }
        let written = match convert_text(read.body, kind, Dialect::Canonical, dialect, options()) {
            Ok(written) => written,
            // the canonical format may nest deeper than the target
            Err(error) if error.code == ErrorCode::TooDeep => continue,
            Err(error) => {
                failures.push(format!("{}: {error}", check.name));
                continue;
            }
        };
        count += 1;
        let is_google = dialect.base() == Dialect::Gemini;
        let alike = |body: Value| if is_google { as_google_reads(body) } else { body };
        let loose = |text: &[u8]| serde_json::from_slice(text).ok().map(alike).map(with_whole_turns);
        if is_repaired(&check.name) {
            continue;
        }
        if loose(&written.body) != loose(body.as_bytes()) && written.warnings.is_empty() {
            failures.push(format!("{}: {}", check.name, first_difference(body.as_bytes(), &written.body)));
        }
    }
    println!("{count} bodies read and written");
    assert!(failures.is_empty(), "{} differ without a warning:\n{}", failures.len(), failures.join("\n"));
}

/// A result without a name gets that of its call when it is read.
fn is_named_on_reading(name: &str, dialect: Dialect) -> bool {
    dialect == Dialect::Universal && name.starts_with("results/late/two-late-results-of-one-turn-are-moved")
}

/// Vectors whose bodies are invalid in their format, or contain what only the source can express: they come back in a
/// valid form.
const REPAIRED: &[(&str, &str)] = &[
    ("missing-names/", "a call without a name has the name \"\""),
    ("choice/functions-and-tools", "`functions` besides `tools` are merged into them"),
    ("empty-values/no-functions-beside", "without functions, a choice is left out"),
    ("responses/usage-counts-as-strings", "counts are numbers"),
    (
        "results/google-reference-is-unchanged-from-gemini-to-vertex",
        "the canonical format does not record that Google wrote the reference",
    ),
    ("reasoning-settings/efforts-become-budgets-on-older-claude-models", "an object without properties gets some"),
];

fn is_repaired(name: &str) -> bool {
    REPAIRED.iter().any(|(start, _)| name.starts_with(start))
}

/// The JSON Pointers of all objects in a value.
fn objects(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) => {
            found.push(pointer.to_owned());
            let step = |key: &str| format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
            members.iter().for_each(|(key, member)| objects(member, &step(key), found));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(index, item)| objects(item, &format!("{pointer}/{index}"), found));
        }
        _ => {}
    }
}

const MEMBER: &str = "unheard_of";

/// Adds a member that no format has to every object of a body, and lists where it is lost without a warning. `convert`
/// returns the output and warnings for a target. Also returns the number of members tried.
fn lost(
    body: &Value,
    targets: &[Dialect],
    convert: impl Fn(&Value, Dialect) -> Option<(Vec<u8>, Vec<Warning>)>,
) -> (Vec<String>, usize) {
    let mut places = Vec::new();
    objects(body, "", &mut places);
    let (mut losses, mut count) = (Vec::new(), 0);
    for place in places {
        let mut changed = body.clone();
        changed.pointer_mut(&place).unwrap()[MEMBER] = "said".into();
        let path = format!("{place}/{MEMBER}");
        for target in targets {
            let Some((written, warnings)) = convert(&changed, *target) else { continue };
            count += 1;
            let stays = has_member(&written) || envelopes(&written).iter().any(|sealed| has_member(sealed));
            if !stays && !warnings.iter().any(|warning| covers(warning, &path, body.is_array())) {
                losses.push(format!("→ {}: {path}", target.name()));
            }
        }
    }
    (losses, count)
}

fn has_member(text: &[u8]) -> bool {
    text.windows(MEMBER.len()).any(|part| part == MEMBER.as_bytes())
}

/// The contents of the envelopes in a text, in which lists of reasoning travel whole (`docs/envelope.md`).
fn envelopes(text: &[u8]) -> Vec<Vec<u8>> {
    let text = String::from_utf8_lossy(text);
    let strings = text.split('"').filter_map(|string| match string.starts_with("dHcx") {
        true => String::from_utf8(STANDARD.decode(string).ok()?).ok(),
        false => Some(string.to_owned()),
    });
    strings.filter_map(|string| URL_SAFE_NO_PAD.decode(string.strip_prefix("tw1.")?.rsplit_once('.')?.1).ok()).collect()
}

/// Whether a warning covers the loss of the member at `path`, or of a value that contains it. A fact that several
/// events repeat is reported for one of them.
fn covers(warning: &Warning, path: &str, is_stream: bool) -> bool {
    let in_event = |path: &str| path[1..].find('/').map_or(String::new(), |end| path[1 + end..].to_owned());
    let (path, reported) = match is_stream {
        true => (in_event(path), in_event(&warning.path)),
        false => (path.to_owned(), warning.path.clone()),
    };
    path == reported
        || path.starts_with(&format!("{reported}/"))
        // removed tools are reported at the position of the choice that does not allow them
        || warning.code == WarningCode::ToolsFiltered && (path.starts_with("/tools/") || path.starts_with("/functions/"))
}

/// Losses without a warning: parts of the lines that report them. `docs/round-trips.md` gives the reasons.
const EXCEPTIONS: &[(&str, &str)] = &[
    // the user's own keys
    ("canonical →", "/metadata/unheard_of"),
    // the package's own markers, which no format has
    ("canonical →", "Form/unheard_of"),
    ("canonical →", "/form/unheard_of"),
    // the fragments were written earlier, and the event that ends the call differs from them
    ("canonical →", "/call/arguments/unheard_of"),
    // likewise the `caller` of a call, which was written with its start
    ("streams/anthropic/written/caller-of-a-call", "/caller/unheard_of"),
    // what follows the end of a stream is not read
    ("streams-ollama/lines-after-done-are-ignored", ": /1/"),
    // nor is what keeps the connection alive
    ("streams/openai-responses/keepalive-events-are-ignored", ": /1/"),
    // a cache point is part of the message before it
    ("bedrock → universal", "/cachePoint/unheard_of"),
    // a block that arrives in pieces is reported where it begins
    ("bedrock-streams/images-and-results-of-server-tools", "/contentBlockDelta/delta/"),
    // the usage of a later chunk replaces it
    ("streams/openai/usage-with-every-chunk", "/usage/unheard_of"),
];

fn is_unexpected(loss: &str) -> bool {
    !EXCEPTIONS.iter().any(|(first, second)| loss.contains(first) && loss.contains(second))
}

/// A member that no format has, in every object of every body, is kept or reported.
#[test]
fn unknown_members_are_kept_or_reported() {
    let mut failures = Vec::new();
    let mut bodies = BTreeMap::new();
    for check in all_checks() {
        let (Some(kind), Some(dialect)) = (kind(&check), Dialect::of(&check.from)) else { continue };
        if let (Some(_), Ok(body)) = (dialect.provider(), serde_json::from_str::<Value>(&check.input.text())) {
            bodies.insert(check.input.text(), (check.name.clone(), kind, dialect, body));
        }
    }
    let mut count = 0;
    for (name, kind, dialect, body) in bodies.into_values().filter(|(_, kind, ..)| *kind != Subject::Error) {
        let (losses, tried) = lost(&body, Dialect::ALL, |changed, target| {
            let outcome = convert_text(changed.to_string().into_bytes(), kind, dialect, target, options()).ok()?;
            Some((outcome.body, outcome.warnings))
        });
        count += tried;
        failures.extend(
            losses.iter().map(|loss| format!("{name} {} {loss}", dialect.name())).filter(|loss| is_unexpected(loss)),
        );
    }
    println!("{count} bodies with a member that no format knows");
    assert!(count > 10_000, "only {count} were converted");
    assert!(failures.is_empty(), "{} were lost:\n{}", failures.len(), failures.join("\n"));
}

/// The canonical event with metadata of every provider, wherever events may have metadata.
fn with_metadata(mut event: Value) -> Value {
    let member = match event["type"].as_str().unwrap_or_default() {
        "toolCallEnd" => Some("call"),
        "block" => Some("value"),
        "error" => Some("error"),
        // the event that ends a call repeats its metadata:
        // `streams/canonical/metadata-of-a-call-start-is-used-at-its-end`
        "toolCallStart" | "toolCallDelta" | "usage" => return event,
        _ => None,
    };
    let owner = match member {
        Some(member) => &mut event[member],
        None => &mut event,
    };
    for provider in ["openai", "anthropic", "google", "ollama"] {
        let metadata = &mut owner["metadata"][provider];
        if metadata.is_null() {
            *metadata = serde_json::json!({});
        }
    }
    event
}

/// Whether the loss is in a canonical event that begins a call: the event that ends the call repeats its fields.
fn is_of_begun_call(events: &Value, loss: &str) -> bool {
    let index = loss.split('/').nth(1).and_then(|index| index.parse::<usize>().ok());
    index.is_some_and(|index| events[index]["type"] == "toolCallStart")
}

/// The same for streams, in every object of every event.
#[test]
fn unknown_members_of_streams_are_kept_or_reported() {
    let mut failures = Vec::new();
    let mut streams = BTreeMap::new();
    for check in all_checks().into_iter().filter(|check| check.kind == "stream") {
        let dialect = Dialect::of(&check.from).unwrap();
        if let Ok(Value::Array(events)) = serde_json::from_str(&check.input.text()) {
            let is_canonical = dialect == Dialect::Canonical;
            let events =
                if is_canonical { events.into_iter().map(with_metadata).collect() } else { Value::Array(events) };
            streams.insert(events.to_string(), (check.name.clone(), dialect, check.is_cut, events));
        }
    }
    let mut count = 0;
    for (name, dialect, is_cut, events) in streams.into_values() {
        let (losses, tried) = lost(&events, Dialect::ALL, |changed, target| {
            let bytes = support::streams::framed(dialect, changed.as_array().unwrap(), is_cut);
            // a client that does not ask for usage does not get it
            let asked = Options { include_usage: Some(true), ..options() };
            let mut converter = StreamConverter::new(dialect, target, asked).ok()?;
            let mut written = converter.push(&bytes).ok()?;
            written.extend(converter.finish().ok()?);
            Some((written, converter.warnings().to_vec()))
        });
        count += tried;
        let lines = losses.iter().filter(|loss| !is_of_begun_call(&events, loss));
        failures
            .extend(lines.map(|loss| format!("{name} {} {loss}", dialect.name())).filter(|loss| is_unexpected(loss)));
    }
    println!("{count} streams with a member that no format knows");
    assert!(count > 10_000, "only {count} were converted");
    assert!(failures.is_empty(), "{} were lost:\n{}", failures.len(), failures.join("\n"));
}

/// Consecutive contents of the model are one (`turns/gemini-consecutive-model-contents-are-one-turn`).
fn with_whole_turns(mut body: Value) -> Value {
    let Some(contents) = body.get_mut("contents").and_then(Value::as_array_mut) else { return body };
    let mut whole: Vec<Value> = Vec::new();
    for content in contents.drain(..) {
        let parts = content["parts"].as_array().cloned().unwrap_or_default();
        match whole.last_mut().filter(|last| content["role"] == "model" && last["role"] == "model") {
            Some(last) => {
                last["parts"].as_array_mut().into_iter().for_each(|all| all.extend(parts.clone()));
                for (key, value) in content.as_object().into_iter().flatten().filter(|(key, _)| *key != "parts") {
                    last[key] = value.clone();
                }
            }
            None => whole.push(content),
        }
    }
    *contents = whole;
    body
}

/// Google's servers read keys in snake case like those in camel case, and a lone object like a list of one.
fn as_google_reads(value: Value) -> Value {
    const LISTS: [&str; 4] = ["contents", "parts", "tools", "functionDeclarations"];
    let member = |(key, value): (String, Value)| {
        let mut words = key.split('_');
        let mut name = words.next().unwrap_or_default().to_owned();
        for word in words {
            let (first, rest) = word.split_at_checked(1).unwrap_or_default();
            name = name + &first.to_uppercase() + rest;
        }
        let value = as_google_reads(value);
        let is_lone = LISTS.contains(&name.as_str()) && value.is_object();
        (name, if is_lone { Value::Array(vec![value]) } else { value })
    };
    match value {
        Value::Object(members) => Value::Object(members.into_iter().map(member).collect()),
        Value::Array(elements) => elements.into_iter().map(as_google_reads).collect(),
        plain => plain,
    }
}

#[test]
fn damaged_streams_give_an_error_or_a_response() {
    let mut count = 0;
    for check in all_checks().into_iter().step_by(3) {
        let (Some(kind), Some(from)) = (kind(&check), Dialect::of(&check.from)) else { continue };
        let body = check.input.text().into_bytes();
        let mut damaged: Vec<Vec<u8>> = (0..body.len()).step_by(7).map(|end| body[..end].to_vec()).collect();
        for (index, byte) in body.iter().enumerate() {
            // replaces a value by one of another type
            for (old, new) in
                [(b'"', &b"1"[..]), (b'{', b"[{"), (b'[', b"{}"), (b':', b":null,\"x\":"), (b':', b":[],\"x\":")]
            {
                if *byte == old && index % 3 == 0 {
                    damaged.push([&body[..index], new, &body[index + 1..]].concat());
                }
            }
        }
        for body in damaged {
            for to in [Dialect::Canonical, Dialect::ALL[1 + count % (Dialect::ALL.len() - 1)]] {
                if let Ok(converted) =
                    convert_text(body.clone(), kind, from, to, Options { bookkeeping: true, ..Options::default() })
                {
                    let text = String::from_utf8_lossy(&converted.body);
                    let parsed: Result<&serde_json::value::RawValue, _> = serde_json::from_str(&text);
                    assert!(parsed.is_ok(), "no JSON: {text}");
                }
                count += 1;
            }
        }
    }
    println!("{count} damaged bodies converted or refused");
    assert!(count > 10_000);
}
