//! Reads a call with one tag per argument.

use super::block::{Standing, Text};
use super::call::{CallReader, CallState, Progress};
use super::nested_value::{Levels, unescaped};
use super::out::Out;
use super::scan::{JsonScan, Match, compare, compare_any};
use super::tagged_value::{Argument, open, second_bytes, value};
use super::typed;
use crate::json::Value;
use crate::text::Tool;
use crate::text::formats::{Body, Flag, Pair, Tagged, pair};

pub(super) enum Tags {
    Head,
    Parts,
    Value(Argument),
    Object(JsonScan, usize),
}

/// Around the arguments of Kimi K3, if they are one JSON object.
const RAW: Pair = pair("<|open|>json<|sep|>", "<|close|>json<|sep|>");

fn tags(call: &CallReader) -> Option<&'static Tagged> {
    match &call.format.body {
        Body::Tagged(tagged) => Some(tagged),
        _ => None,
    }
}

pub(super) fn step(call: &mut CallReader, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
    let Some(spelling) = tags(call) else { return Progress::Broken };
    loop {
        let progress = match &call.state {
            CallState::Tagged(Tags::Head) => head(call, spelling, text, tools, out),
            CallState::Tagged(Tags::Parts) => parts(call, spelling, text, tools, out),
            CallState::Tagged(Tags::Value(_)) => value(call, spelling, text, tools),
            CallState::Tagged(Tags::Object(..)) => object(call, text),
            _ => Some(Progress::Broken),
        };
        match progress {
            None => {}
            Some(Progress::More) if text.end => return Progress::Cut,
            Some(progress) => return progress,
        }
    }
}

pub(super) fn go(call: &mut CallReader, at: usize, state: Tags) -> Option<Progress> {
    (call.at, call.seen) = (at, at);
    call.state = CallState::Tagged(state);
    None
}

/// The value of the first attribute, quoted or bare.
pub(super) fn attribute(head: &str) -> &str {
    let head = head.trim();
    match head.chars().next() {
        Some(quote @ ('"' | '\'')) => head.get(1..).and_then(|rest| rest.split(quote).next()).unwrap_or_default(),
        _ => head.split_whitespace().next().unwrap_or_default(),
    }
}

pub(super) fn named<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = head.split_once(name)?;
    rest.strip_prefix('=').map(attribute)
}

/// The name that an attribute encodes. In formats with types of arguments, attributes are escaped.
fn written(spelling: &Tagged, attribute: &str) -> String {
    match spelling.flag {
        Flag::Type | Flag::Raw => unescaped(attribute),
        Flag::String | Flag::None => attribute.to_owned(),
    }
}

fn head(call: &mut CallReader, spelling: &Tagged, text: Text, tools: &[Tool], out: &mut Out) -> Option<Progress> {
    if spelling.open.is_empty() {
        return bare_head(call, spelling, text, tools, out);
    }
    let (_, size) = compare_any(text.from(call.from), call.format.spellings_of(spelling.open), text.end);
    let start = call.from + size;
    call.at = call.at.max(start);
    let Some(end) = call.find(text, spelling.name_end) else { return Some(Progress::More) };
    let inner = text.text.get(start..end).unwrap_or_default();
    let (inner, closed) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
    let mut next = end + spelling.name_end.len();
    let name = if spelling.second == "name" {
        call.id = Some(attribute(inner).to_owned()).filter(|id| !id.is_empty());
        named(inner, spelling.second).unwrap_or_default().to_owned()
    } else if spelling.quoted {
        written(spelling, attribute(inner))
    } else {
        let name = inner.split(['\n', '<']).next().unwrap_or_default().trim();
        if name.len() < inner.trim().len() {
            next = start + inner.find(name).unwrap_or(0) + name.len();
        }
        name.trim_matches('"').to_owned()
    };
    // a sentence may name the tag
    if call.standing != Standing::Certain {
        match is_followed(call, spelling, text, next) {
            Match::Yes => {}
            Match::Maybe => return Some(Progress::More),
            Match::No => return Some(Progress::Broken),
        }
    }
    // in strict formats, any deviation means that the text is not a call
    if spelling.cdata {
        call.name = Some(super::call::declared(&name, tools));
    } else if name.is_empty() || !call.begin(&name, tools, out) {
        return Some(Progress::Broken);
    }
    go(call, next, Tags::Parts);
    if closed {
        return Some(done(call, next, text, tools, out));
    }
    None
}

/// Whether a tag of an argument or of the end of a call follows.
fn is_followed(call: &CallReader, spelling: &Tagged, text: Text, at: usize) -> Match {
    let at = text.solid(at);
    if at == text.text.len() {
        return if text.end { Match::Yes } else { Match::Maybe };
    }
    let tags = [spelling.key, spelling.close, call.format.call.close.trim()];
    let tags = tags.into_iter().filter(|tag| !tag.is_empty()).flat_map(|tag| call.format.spellings_of(tag));
    compare_any(text.from(at), tags, text.end).0
}

/// Reads a name without a tag of its own: up to the first tag or line break.
fn bare_head(call: &mut CallReader, spelling: &Tagged, text: Text, tools: &[Tool], out: &mut Out) -> Option<Progress> {
    let rest = text.from(call.from);
    let end = rest.find(['<', '\n', '\\']);
    let Some(end) = end else {
        return Some(if rest.len() > 300 { Progress::Broken } else { Progress::More });
    };
    let name = rest.get(..end).unwrap_or_default().trim();
    let plain = !name.is_empty() && !name.contains(|one: char| one.is_whitespace() || matches!(one, '{' | '"' | '>'));
    let mut next = call.from + end;
    if plain && !spelling.name_end.is_empty() {
        let at = text.solid(next);
        match compare_any(text.from(at), call.format.spellings_of(spelling.name_end), text.end) {
            (Match::Yes, size) => next = at + size,
            (Match::Maybe, _) => return Some(Progress::More),
            (Match::No, _) => {}
        }
    }
    // a name by itself is a call only if its tag is closed or arguments follow
    let at = skip(text, next);
    let after = text.from(at);
    if !text.end && (after.is_empty() || after == "\\") {
        return Some(Progress::More);
    }
    let mut found = Match::No;
    for marker in [spelling.key, call.format.call.close.trim()] {
        match compare_any(after, call.format.spellings_of(marker), text.end).0 {
            Match::Yes => found = Match::Yes,
            Match::Maybe if found == Match::No => found = Match::Maybe,
            _ => {}
        }
    }
    match found {
        Match::Maybe => return Some(Progress::More),
        Match::No => return joined_head(call, spelling, text, (name.to_owned(), at), tools, out),
        Match::Yes => {}
    }
    if !plain || !call.begin(name, tools, out) {
        return Some(Progress::Broken);
    }
    go(call, next, Tags::Parts)
}

/// Reads a head whose opening tag of the first key is missing: the name of a declared tool, then the key, up to this position.
fn joined_head(
    call: &mut CallReader,
    spelling: &Tagged,
    text: Text,
    (joined, at): (String, usize),
    tools: &[Tool],
    out: &mut Out,
) -> Option<Progress> {
    let mut value = at;
    for tag in [spelling.key_end, spelling.value] {
        value = skip(text, value);
        match compare(text.from(value), tag, text.end) {
            Match::Yes if !tag.is_empty() => value += tag.len(),
            Match::Maybe => return Some(Progress::More),
            _ => return Some(Progress::Broken),
        }
    }
    let names =
        tools.iter().map(|tool| &tool.name).filter(|name| joined.len() > name.len() && joined.starts_with(*name));
    let Some(name) = names.max_by_key(|name| name.len()) else { return Some(Progress::Broken) };
    let start = text.from(call.from).find(name.as_str()).unwrap_or(0) + call.from + name.len();
    if !call.begin(name, tools, out) {
        return Some(Progress::Broken);
    }
    (call.at, call.seen) = (start, start);
    key(call, spelling, text, (start, 0), tools, out)
}

/// Skips whitespace, including whitespace written as two-character escapes.
pub(super) fn skip(text: Text, mut at: usize) -> usize {
    loop {
        let solid = text.solid(at);
        if text.from(solid).starts_with("\\n") {
            at = solid + 2;
        } else {
            return solid;
        }
    }
}

fn parts(call: &mut CallReader, spelling: &Tagged, text: Text, tools: &[Tool], out: &mut Out) -> Option<Progress> {
    let at = skip(text, call.at);
    let rest = text.from(at);
    if rest.is_empty() || (rest == "\\" && !text.end) {
        return Some(Progress::More);
    }
    let format = call.format;
    let ends = [format.call.close.trim(), format.section.close.trim(), format.call.open.trim(), spelling.open];
    let mut best = Match::No;
    for marker in [spelling.key, spelling.close].into_iter().chain(ends).filter(|marker| !marker.is_empty()) {
        match compare_any(rest, format.spellings_of(marker), text.end) {
            (Match::Yes, size) if marker == spelling.key => return key(call, spelling, text, (at, size), tools, out),
            (Match::Yes, size) if marker == spelling.close => return Some(done(call, at + size, text, tools, out)),
            (Match::Yes, _) => return Some(done(call, at, text, tools, out)),
            (Match::Maybe, _) => best = Match::Maybe,
            (Match::No, _) => {}
        }
    }
    if spelling.flag == Flag::Type && call.arguments.is_empty() {
        match compare(rest, RAW.open, text.end) {
            Match::Yes => return raw(call, text, at),
            Match::Maybe => best = Match::Maybe,
            Match::No => {}
        }
    }
    match best {
        Match::Maybe => Some(Progress::More),
        _ if rest.starts_with('{') && call.arguments.is_empty() => go(call, at, Tags::Object(JsonScan::default(), at)),
        _ if spelling.cdata => Some(Progress::Broken),
        _ => stray(call, spelling, text, at, out),
    }
}

/// Drops words between arguments, and closing tags of values that are already closed.
fn stray(call: &mut CallReader, spelling: &Tagged, text: Text, at: usize, out: &mut Out) -> Option<Progress> {
    let format = call.format;
    let next = match compare_any(text.from(at), format.spellings_of(spelling.value_close), text.end) {
        (Match::Yes, size) => at + size,
        (Match::Maybe, _) => return Some(Progress::More),
        (Match::No, _) if text.from(at).starts_with('<') => return Some(Progress::Broken),
        (Match::No, _) => call.find(text, "<").unwrap_or(text.text.len()),
    };
    let ends = [format.call.close.trim(), format.section.close.trim(), format.call.open.trim(), spelling.open];
    let tags = [spelling.key, spelling.close].into_iter().chain(ends).filter(|tag| !tag.is_empty());
    let tags = tags.flat_map(|tag| format.spellings_of(tag));
    let after = text.solid(next);
    match compare_any(text.from(after), tags, text.end).0 {
        _ if after == text.text.len() => Some(Progress::More),
        Match::Maybe => Some(Progress::More),
        Match::No => Some(Progress::Broken),
        // text in place of the arguments
        Match::Yes if call.arguments.is_empty() && !text.from(after).starts_with(spelling.key) => {
            Some(Progress::Broken)
        }
        Match::Yes => {
            out.lose("text between the arguments of a call was dropped", text.text.get(at..next).unwrap_or_default());
            go(call, after, Tags::Parts)
        }
    }
}

/// Reads all arguments as one JSON object between tags.
fn raw(call: &mut CallReader, text: Text, at: usize) -> Option<Progress> {
    let start = at + RAW.open.len();
    call.at = at;
    let Some(end) = call.find(text, RAW.close) else { return Some(Progress::More) };
    let object = text.text.get(start..end).unwrap_or_default().trim();
    // the outer closing brace is emitted with the closing tag
    let Some(fields) = object.strip_suffix('}') else { return Some(Progress::Broken) };
    call.arguments = fields.trim_end().to_owned();
    go(call, end + RAW.close.len(), Tags::Parts)
}

/// Whether all required parameters are present.
fn has_required(call: &CallReader, tools: &[Tool]) -> bool {
    let required = call.parameters(tools).get("required").and_then(Value::as_array);
    required.into_iter().flatten().filter_map(Value::as_str).all(|name| call.keys.contains_key(name))
}

fn done(call: &mut CallReader, at: usize, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
    let name = call.name.clone().unwrap_or_default();
    // strict formats require all required parameters
    if tags(call).is_some_and(|tagged| tagged.cdata) && !has_required(call, tools) {
        return Progress::Broken;
    }
    if !call.started() && !call.begin(&name, tools, out) {
        return Progress::Broken;
    }
    (call.at, call.seen) = (at, at);
    call.arguments.push_str(if call.arguments.is_empty() { "{}" } else { "}" });
    if call.finish(text, out) { Progress::Done(at) } else { Progress::Broken }
}

fn object(call: &mut CallReader, text: Text) -> Option<Progress> {
    let CallState::Tagged(Tags::Object(scan, from)) = &mut call.state else { return Some(Progress::Broken) };
    let from = *from;
    let mut at = call.at;
    let end = scan.run(text.text.as_bytes(), &mut at);
    call.at = end.unwrap_or(at);
    let end = match end {
        Some(end) => end,
        None => return Some(Progress::More),
    };
    // the outer closing brace is emitted with the closing tag
    let raw = text.text.get(from..end).unwrap_or_default().trim_end();
    let Some(raw) = raw.strip_suffix('}') else { return Some(Progress::Broken) };
    call.arguments = raw.trim_end().to_owned();
    go(call, end, Tags::Parts)
}

/// Reads the key whose marker is at this position and has this length.
fn key(
    call: &mut CallReader,
    spelling: &Tagged,
    text: Text,
    (at, size): (usize, usize),
    tools: &[Tool],
    out: &mut Out,
) -> Option<Progress> {
    let start = at + size;
    call.at = start;
    let Some((end, size)) = call.find_any(text, spelling.key_end) else {
        call.at = at;
        return Some(Progress::More);
    };
    let inner = text.text.get(start..end).unwrap_or_default();
    // the end of the tag is missing, and the value follows on the next line
    let (inner, end, size) = match inner.split_once('\n') {
        Some((line, _)) if !spelling.quoted && !line.trim().is_empty() && spelling.value.is_empty() => {
            (line, start + line.len(), 0)
        }
        _ => (inner, end, size),
    };
    let name = if spelling.quoted || inner.trim_start().starts_with('"') { attribute(inner) } else { inner.trim() };
    let name = written(spelling, name);
    let name = name.as_str();
    let mut from = end + size;
    if !spelling.value.is_empty() {
        from = skip(text, from);
        match compare_any(text.from(from), call.format.spellings_of(spelling.value), text.end) {
            (Match::Yes, size) => from += size,
            _ if text.from(from) == "\\" && !text.end => {
                call.at = at;
                return Some(Progress::More);
            }
            (Match::Maybe, _) => {
                call.at = at;
                return Some(Progress::More);
            }
            (Match::No, _) => {
                out.lose("the name of an argument without a value was dropped", name);
                return go(call, from, Tags::Parts);
            }
        }
    }
    let kind = if spelling.flag == Flag::Raw { named(inner, "type").unwrap_or_default() } else { "" };
    let flagged = match spelling.flag {
        Flag::String => named(inner, "string").map(|flag| flag == "true"),
        Flag::Type | Flag::Raw => named(inner, "type").map(|kind| matches!(kind, "string" | "raw")),
        Flag::None => None,
    };
    let parameters = call.parameters(tools);
    let schema = typed::property(parameters, name);
    let unknown = parameters.is_empty() && flagged == Some(false);
    let text_value = match flagged {
        Some(true) => schema.is_none() || typed::is_text(schema),
        _ => typed::is_text(schema) && !unknown && flagged != Some(false),
    } && !spelling.cdata;
    // which value was meant is not clear
    if call.keys.insert(name.to_owned(), ()).is_some() {
        return Some(Progress::Broken);
    }
    if text_value {
        open(call, name);
        call.arguments.push('"');
    }
    go(
        call,
        from,
        Tags::Value(Argument {
            key: name.to_owned(),
            from,
            text: text_value,
            emitted: from,
            padded: false,
            covered: false,
            tags: second_bytes(call.format, spelling),
            closer: None,
            inner: (from, 0),
            nested: Levels::of(kind).map(|levels| (kind.to_owned(), levels)),
        }),
    )?;
    None
}
