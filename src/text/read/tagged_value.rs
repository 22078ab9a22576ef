//! Reads the value of an argument between tags.

use super::block::Text;
use super::call::{CallReader, CallState, HEAD, Progress};
use super::nested_value::{self, Levels};
use super::scan::{Match, compare, compare_any};
use super::tagged_call::{Tags, attribute, go, skip};
use super::typed;
use crate::bytes::ByteSet;
use crate::json::{Map, Value, push_escaped, quoted};
use crate::text::Tool;
use crate::text::formats::{Flag, Format, Tagged};

pub(super) struct Argument {
    pub key: String,
    /// The start of the value.
    pub from: usize,
    pub text: bool,
    /// The position up to which a string value was emitted.
    pub emitted: usize,
    /// Whether leading padding was handled.
    pub padded: bool,
    /// Whether a CDATA section at the start was handled, which could contain the closing tag.
    pub covered: bool,
    /// The type of an object or array whose members are tags, and the members that are open.
    pub nested: Option<(String, Levels)>,
    /// The bytes after `<` in the tags that can end the value.
    pub tags: ByteSet,
    /// The position and the length of a closing tag after which neither another argument nor the end of the call follows. It may belong to
    /// the value.
    pub closer: Option<(usize, usize)>,
    /// The position up to which tags like those of arguments were counted in the value, and how many of them are open.
    pub inner: (usize, usize),
}

/// The bytes after `<` in the tags that can end a value.
pub(super) fn second_bytes(format: &Format, spelling: &Tagged) -> ByteSet {
    let closing = [spelling.close, format.call.close.trim(), format.section.close.trim()];
    let tags = [spelling.value_close, spelling.key].into_iter().chain(closing);
    let seconds = tags.flat_map(|tag| format.spellings_of(tag)).filter_map(|tag| tag.as_bytes().get(1).copied());
    seconds.fold(ByteSet::default(), ByteSet::with)
}

impl Argument {
    /// Whether all of the input, which has this length, was emitted, and more would belong to a string.
    pub fn is_sent(&self, length: usize) -> bool {
        self.text && self.nested.is_none() && self.emitted == length && (self.padded || self.from < self.emitted)
    }
}

const CDATA: &str = "<![CDATA[";
/// The maximum length of whitespace between two closing tags.
const BLANK: usize = 64;

/// Where a value ends.
#[derive(Clone, Copy)]
enum Ending {
    /// The position and the length of its closing tag. The length is 0 if the tag is missing.
    At(usize, usize),
    /// Not before this position.
    NotBefore(usize),
}

/// Starts the value of a key.
pub(super) fn open(call: &mut CallReader, key: &str) {
    call.arguments.push_str(if call.arguments.is_empty() { "{" } else { "," });
    call.arguments.push_str(&quoted(key));
    call.arguments.push(':');
}

/// Reads over a CDATA section at the start of a value. Returns false if it is not complete.
fn cover(call: &mut CallReader, text: Text) -> bool {
    let CallState::Tagged(Tags::Value(argument)) = &call.state else { return true };
    if argument.covered {
        return true;
    }
    call.at = text.solid(call.at.max(argument.from));
    match compare(text.from(call.at), CDATA, text.end) {
        Match::Yes => match call.find(text, "]]>") {
            Some(at) => call.at = at,
            None => return false,
        },
        Match::Maybe => return false,
        Match::No => {}
    }
    call.seen = call.at;
    if let CallState::Tagged(Tags::Value(argument)) = &mut call.state {
        argument.covered = true;
    }
    true
}

/// The end of the value: its closing tag, or else the next tag that can't be part of it.
fn ending(call: &mut CallReader, spelling: &Tagged, text: Text, tools: &[Tool]) -> Ending {
    if spelling.cdata && !cover(call, text) {
        return Ending::NotBefore(call.at);
    }
    let format = call.format;
    call.seen = call.seen.max(call.at);
    if let CallState::Tagged(Tags::Value(Argument { nested: Some((_, levels)), .. })) = &mut call.state {
        let end = levels.end(spelling, text, &mut call.seen);
        return end.map_or(Ending::NotBefore(call.seen), |at| Ending::At(at, spelling.value_close.len()));
    }
    let CallState::Tagged(Tags::Value(Argument { tags, .. })) = &call.state else { return Ending::NotBefore(call.at) };
    let tags = *tags;
    while let Some(skip) = text.from(call.seen).find('<') {
        let at = call.seen + skip;
        if text.text.as_bytes().get(at + 1).is_some_and(|&byte| !tags.has(byte)) {
            call.seen = at + 1;
            continue;
        }
        call.seen = at;
        let rest = text.from(at);
        match compare_any(rest, format.spellings_of(spelling.value_close), text.end) {
            (Match::Yes, size) => match closes(call, spelling, text, (at, size)) {
                Match::Yes => return Ending::At(at, size),
                Match::Maybe => return not_before(call, at),
                Match::No => {
                    remember(call, (at, size));
                    call.seen = at + size;
                }
            },
            (Match::Maybe, _) => return not_before(call, at),
            (Match::No, _) => match missing(call, spelling, text, at, tools) {
                // a closing tag before belongs to this value
                Match::Yes => return closer(call).map_or(Ending::At(at, 0), |(at, size)| Ending::At(at, size)),
                Match::Maybe => return not_before(call, at),
                Match::No => call.seen = at + 1,
            },
        }
    }
    call.seen = text.text.len();
    match closer(call) {
        Some((at, size)) if text.end => Ending::At(at, size),
        _ => not_before(call, call.seen),
    }
}

fn closer(call: &CallReader) -> Option<(usize, usize)> {
    let CallState::Tagged(Tags::Value(argument)) = &call.state else { return None };
    argument.closer
}

/// The value does not end before this position, or before a closing tag that may be its own.
fn not_before(call: &CallReader, at: usize) -> Ending {
    Ending::NotBefore(closer(call).map_or(at, |(closer, _)| closer.min(at)))
}

/// Remembers a closing tag that may be in the value.
fn remember(call: &mut CallReader, tag: (usize, usize)) {
    if let CallState::Tagged(Tags::Value(argument)) = &mut call.state {
        argument.closer.get_or_insert(tag);
    }
}

/// Whether a closing tag ends the value: another argument or the end of the call follows, and the value has no tag that it closes.
fn closes(call: &mut CallReader, spelling: &Tagged, text: Text, (at, size): (usize, usize)) -> Match {
    let format = call.format;
    let next = skip(text, at + size);
    let ends = [format.call.close.trim(), format.section.close.trim(), format.call.open.trim()];
    let tags = [spelling.key, spelling.close, spelling.value_close, spelling.open].into_iter().chain(ends);
    let tags = tags.filter(|tag| !tag.is_empty()).flat_map(|tag| format.spellings_of(tag));
    let rest = text.from(next);
    let found = match compare_any(rest, tags, text.end).0 {
        _ if rest.is_empty() || rest == "\\" => {
            if text.end {
                Match::Yes
            } else {
                Match::Maybe
            }
        }
        found => found,
    };
    let CallState::Tagged(Tags::Value(argument)) = &mut call.state else { return found };
    let (from, open) = argument.inner;
    let name = spelling.key.split(['=', ' ', '>']).next().unwrap_or_default();
    let own = if spelling.value.is_empty() { name } else { spelling.value.trim_end_matches('>') };
    let between = text.text.get(from.max(argument.from)..at).unwrap_or_default();
    let open = open + between.matches(own).count();
    match found {
        Match::Maybe => {}
        _ if open > 0 => {
            argument.inner = (at + size, open - 1);
            return Match::No;
        }
        _ => argument.inner = (at + size, 0),
    }
    found
}

/// Whether the value ends before this tag, without a closing tag of its own.
fn missing(call: &CallReader, spelling: &Tagged, text: Text, at: usize, tools: &[Tool]) -> Match {
    let format = call.format;
    let rest = text.from(at);
    match compare_any(rest, format.spellings_of(spelling.key), text.end) {
        (Match::Yes, size) => return next_key(call, spelling, text, (at, size), tools),
        (Match::Maybe, _) => return Match::Maybe,
        (Match::No, _) => {}
    }
    let closing = || [spelling.close, format.call.close.trim(), format.section.close.trim()].into_iter();
    let opening = [format.call.open.trim(), spelling.open].into_iter();
    let spellings = |marker: &'static str| format.spellings_of(marker).filter(|marker| !marker.is_empty());
    match compare_any(rest, closing().flat_map(spellings), text.end) {
        (Match::Yes, size) => {
            // the text of a value may contain such a tag, but hardly two
            let next = text.solid(at + size);
            match compare_any(text.from(next), closing().chain(opening).flat_map(spellings), text.end).0 {
                _ if next - at - size > BLANK => Match::No,
                _ if next == text.text.len() && text.end => Match::Yes,
                _ if next == text.text.len() => Match::Maybe,
                found => found,
            }
        }
        (found, _) => found,
    }
}

/// Whether the tag of a key starts the next argument: one that is declared and has no value yet, or any at the start of a line if none are
/// declared.
fn next_key(call: &CallReader, spelling: &Tagged, text: Text, (at, size): (usize, usize), tools: &[Tool]) -> Match {
    let rest = text.from(at + size);
    let window = rest.char_indices().nth(HEAD).map_or(rest.len(), |(at, _)| at);
    let is_whole = text.end || window < rest.len();
    let rest = rest.get(..window).unwrap_or_default();
    let Some(end) = rest.find(spelling.key_end) else {
        return if is_whole { Match::No } else { Match::Maybe };
    };
    let inner = rest.get(..end).unwrap_or_default();
    let name = if spelling.quoted || inner.trim_start().starts_with('"') { attribute(inner) } else { inner.trim() };
    let properties = call.parameters(tools).get("properties").and_then(Value::as_object);
    let is_next = match properties {
        Some(properties) => properties.contains_key(name) && !call.keys.contains_key(name),
        None => text.text.get(..at).is_some_and(|before| before.ends_with('\n')) && !name.contains(['\n', '<']),
    };
    if is_next { Match::Yes } else { Match::No }
}

/// Reads more of a value.
pub(super) fn value(call: &mut CallReader, spelling: &Tagged, text: Text, tools: &[Tool]) -> Option<Progress> {
    let ending = ending(call, spelling, text, tools);
    let CallState::Tagged(Tags::Value(argument)) = &mut call.state else { return Some(Progress::Broken) };
    // one line break on each side is not part of the value
    let is_padded = !spelling.pad.is_empty();
    if !argument.padded && is_padded {
        let rest = text.from(argument.from);
        if rest.is_empty() && !text.end {
            return Some(Progress::More);
        }
        argument.padded = true;
        let is_empty = matches!(ending, Ending::At(end, _) if end == argument.from);
        if rest.starts_with('\n') && !is_empty {
            argument.from += 1;
            argument.emitted = argument.from;
        }
    }
    let value =
        |argument: &Argument, to: usize| text.text.get(argument.emitted..to.max(argument.emitted)).unwrap_or_default();
    match ending {
        Ending::NotBefore(to) => {
            if argument.text {
                // the line break may be the last one of the value
                let piece = value(argument, to);
                let piece = piece.strip_suffix('\n').unwrap_or(piece);
                argument.emitted += piece.len();
                push_escaped(&mut call.arguments, piece);
            }
            Some(Progress::More)
        }
        Ending::At(end, size) => {
            let piece = value(argument, end);
            let piece = piece.strip_suffix('\n').filter(|_| size == 0 || is_padded).unwrap_or(piece);
            let (key, is_text) = (argument.key.clone(), argument.text);
            let nested = argument.nested.take().and_then(|(kind, _)| nested_value::json(&kind, piece, spelling));
            if is_text {
                push_escaped(&mut call.arguments, piece);
                call.arguments.push('"');
            } else {
                complete(call, spelling, (&key, piece), nested, tools);
            }
            go(call, end + size, Tags::Parts)
        }
    }
}

/// Adds a value that is not verbatim text.
fn complete(
    call: &mut CallReader,
    spelling: &Tagged,
    (key, raw): (&str, &str),
    nested: Option<String>,
    tools: &[Tool],
) {
    let schema = typed::property(call.parameters(tools), key);
    let json = nested.unwrap_or_else(|| typed_value(spelling, schema, raw));
    match unwrapped(key, &json, call.parameters(tools)).filter(|_| call.arguments.is_empty()) {
        Some(fields) => call.arguments.push_str(&fields),
        None => {
            open(call, key);
            call.arguments.push_str(&json);
        }
    }
}

fn typed_value(spelling: &Tagged, schema: Option<&Value>, raw: &str) -> String {
    let plain = if spelling.cdata { uncovered(raw) } else { raw.to_owned() };
    if typed::is_open(schema) && spelling.flag != Flag::None && crate::json::from_str::<Value>(&plain).is_ok() {
        return plain.trim().to_owned();
    }
    typed::value(schema, &plain)
}

fn uncovered(raw: &str) -> String {
    let inner = raw.trim().strip_prefix(CDATA).and_then(|rest| rest.strip_suffix("]]>"));
    match inner {
        Some(inner) => inner.to_owned(),
        None => raw.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"),
    }
}

/// Unwraps an argument named `arguments` or `input` that contains the actual arguments. Returns its fields without the closing brace.
fn unwrapped(key: &str, json: &str, parameters: &Map<String, Value>) -> Option<String> {
    let declared = |key: &str| typed::property(parameters, key).is_some();
    if !matches!(key, "arguments" | "input") || declared(key) {
        return None;
    }
    let fields: Map<String, Value> = crate::json::from_str(json).ok()?;
    let wraps = !fields.is_empty() && fields.keys().all(|key| declared(key));
    wraps.then(|| json.trim().strip_suffix('}').map(str::to_owned)).flatten()
}
