//! Reads the value of an argument between tags.

use super::nested_value::{self, Levels};
use super::tags::{attribute, following, skip};
use crate::bytes::ByteSet;
use crate::json::{Map, Value, push_escaped};
use crate::text::Tool;
use crate::text::formats::words::CDATA;
use crate::text::formats::{Flag, Format, Tagged};
use crate::text::read::call::{Call, HEAD};
use crate::text::read::next_call;
use crate::text::read::out::Out;
use crate::text::read::ranges::{LONG, LongString};
use crate::text::read::scan::{Match, TAG, Text, compare, compare_marker, compare_markers, first_of};
use crate::text::read::typed;
use crate::text::schema;

pub(super) struct Argument {
    key: String,
    /// The start of the value.
    from: usize,
    text: bool,
    /// The position up to which a string value was emitted.
    emitted: usize,
    /// Whether leading padding was handled.
    padded: bool,
    /// Whether a CDATA section at the start was handled, which could contain the closing tag.
    covered: bool,
    /// The type of an object or array whose members are tags, and the members that are open.
    nested: Option<(String, Levels)>,
    tags: Tags,
    /// The position and the length of a closing tag after which neither another argument nor the end of the call follows. It may belong to
    /// the value.
    closer: Option<(usize, usize)>,
    /// The first tag in the value that may be one of the format.
    first: Option<usize>,
    /// Where another call begins in the value. If no tag closes the value, the call breaks off there.
    opener: Option<usize>,
    /// The position up to which tags like those of arguments were counted in the value, and how many of them are open.
    inner: (usize, usize),
}

/// The tags that matter in the values of a format.
#[derive(Clone, Copy)]
pub(super) struct Tags {
    /// The bytes after `<` in those that can end a value.
    seconds: ByteSet,
    /// The start of a tag in the value that a closing tag of values closes.
    inner: &'static str,
}

impl Tags {
    pub fn of(format: &'static Format, spelling: &'static Tagged) -> Self {
        let mut seconds = ByteSet::default();
        let tags = [spelling.value, spelling.value_close, format.section.opener()];
        for tag in following(format, spelling).into_iter().chain(tags) {
            let bytes = format.spellings_of(tag).filter_map(|tag| tag.as_bytes().get(1).copied());
            bytes.for_each(|byte| seconds = seconds.with(byte));
        }
        let key = spelling.key.bytes().take_while(|byte| !matches!(byte, b'=' | b' ')).count();
        let key = spelling.key.get(..key).unwrap_or_default();
        Self { seconds, inner: if spelling.value.is_empty() { key } else { spelling.value.trim_end_matches('>') } }
    }

    /// How many tags a text has that a closing tag of values closes.
    fn opened(&self, text: &str) -> usize {
        let (mut rest, mut count) = (text, 0);
        while let Some((at, inner)) = first_of(rest, &[self.inner]) {
            rest = rest.get(at + inner.len()..).unwrap_or_default();
            count += 1;
        }
        count
    }
}

/// The maximum length of whitespace between two closing tags.
const BLANK: usize = 64;

/// How many values of a text are searched for a better closing tag than their first one, without finding any. Later values end before the next call at the
/// latest, so that the time stays in proportion to the text.
const SEARCHES: usize = 16;

/// Where a value ends.
#[derive(Clone, Copy)]
enum Ending {
    /// The position and the length of its closing tag. The length is 0 if the tag is missing.
    At(usize, usize),
    /// Not before this position.
    NotBefore(usize),
    /// It has no end: another call begins at this position.
    Cut(usize),
}

/// What was read of a value.
pub(super) enum Read {
    More,
    /// The position after its closing tag.
    Done(usize),
    /// The call breaks off at this position.
    Cut(usize),
}

impl Argument {
    /// The value of this key, which starts at this position.
    pub fn new(tags: Tags, key: String, from: usize, (text, kind): (bool, &str)) -> Self {
        Self {
            key,
            from,
            text,
            emitted: from,
            padded: false,
            covered: false,
            tags,
            closer: None,
            first: None,
            opener: None,
            inner: (from, 0),
            nested: Levels::of(kind).map(|levels| (kind.to_owned(), levels)),
        }
    }

    /// Whether all of the input, which has this length, was emitted, and more would belong to a string.
    pub fn is_sent(&self, length: usize) -> bool {
        self.text && self.nested.is_none() && self.emitted == length && (self.padded || self.from < self.emitted)
    }

    /// Reads over a CDATA section at the start of a value. Returns false if it is not complete.
    fn cover(&mut self, call: &mut Call, text: Text) -> bool {
        if self.covered {
            return true;
        }
        call.at = text.solid(call.at.max(self.from));
        match compare(text.from(call.at), CDATA.open, text.end) {
            Match::Yes => match call.find(text, CDATA.close) {
                Some(at) => call.at = at,
                None => return false,
            },
            Match::Maybe => return false,
            Match::No => {}
        }
        call.seen = call.at;
        self.covered = true;
        true
    }

    /// The end of the value: its closing tag, or else the next tag that can't be part of it.
    fn ending(
        &mut self,
        call: &mut Call,
        spelling: &'static Tagged,
        text: Text,
        (tools, searches): (&[Tool], &mut usize),
    ) -> Ending {
        if spelling.cdata && !self.cover(call, text) {
            return Ending::NotBefore(call.at);
        }
        let format = call.format;
        call.seen = call.seen.max(call.at);
        if let Some((_, levels)) = &mut self.nested {
            let end = levels.end(spelling, text, &mut call.seen);
            return end.map_or(Ending::NotBefore(call.seen), |at| Ending::At(at, spelling.value_close.len()));
        }
        while let Some(at) = TAG.next(text.text.as_bytes(), call.seen) {
            if text.text.as_bytes().get(at + 1).is_some_and(|&byte| !self.tags.seconds.has(byte)) {
                call.seen = at + 1;
                continue;
            }
            call.seen = at;
            self.first.get_or_insert(at);
            let rest = text.from(at);
            match opens_call(format, spelling, rest, text.end) {
                Match::Yes => {
                    if let Some(ending) = self.next_call((call, spelling), text, at, (tools, *searches)) {
                        return ending;
                    }
                }
                Match::Maybe => return self.not_before(at),
                Match::No => {}
            }
            match compare_marker(format, rest, spelling.value_close, text.end) {
                (Match::Yes, size) => match self.closes(call, spelling, text, (at, size)) {
                    Match::Yes => return Ending::At(at, size),
                    Match::Maybe => return self.not_before(at),
                    Match::No => {
                        self.closer.get_or_insert((at, size));
                        call.seen = at + size;
                    }
                },
                (Match::Maybe, _) => return self.not_before(at),
                // the tag may belong to the call that begins in the value
                (Match::No, _) if self.opener.is_some() => call.seen = at + 1,
                (Match::No, _) => match missing(call, spelling, text, at, tools) {
                    Missing::Maybe => return self.not_before(at),
                    Missing::No => call.seen = at + 1,
                    // the closing tag of the value may follow
                    Missing::AtEnd if *searches < SEARCHES && self.closer.is_none_or(|(_, size)| size == 0) => {
                        self.closer.get_or_insert((at, 0));
                        call.seen = at + 1;
                    }
                    // a closing tag before belongs to this value
                    Missing::AtEnd | Missing::AtKey => {
                        *searches += usize::from(self.closer.is_some());
                        return self.closer.map_or(Ending::At(at, 0), |(at, size)| Ending::At(at, size));
                    }
                },
            }
        }
        call.seen = text.text.len();
        if !text.end {
            return self.not_before(call.seen);
        }
        *searches += usize::from(self.closer.is_some() || self.opener.is_some());
        let closer = self.closer.filter(|(at, _)| self.opener.is_none_or(|opener| *at < opener));
        match (closer, self.opener) {
            (Some((at, size)), _) => Ending::At(at, size),
            (None, Some(at)) => Ending::Cut(at),
            (None, None) => Ending::NotBefore(call.seen),
        }
    }

    /// The value does not end before this position, before a closing tag that may be its own, or before another call.
    fn not_before(&self, at: usize) -> Ending {
        let found = self.closer.map(|(closer, _)| closer).into_iter().chain(self.opener);
        Ending::NotBefore(found.fold(at, usize::min))
    }

    /// Processes the opening marker of a call at this position. Returns where the value ends, if that is known.
    fn next_call(
        &mut self,
        (call, spelling): (&Call, &'static Tagged),
        text: Text,
        at: usize,
        (tools, searches): (&[Tool], usize),
    ) -> Option<Ending> {
        // what may be the end of the call precedes
        if let Some((end, size)) = self.closer.filter(|(_, size)| *size == 0 || searches >= SEARCHES) {
            return Some(Ending::At(end, size));
        }
        let rest = text.from(at);
        if self.opener.is_some() {
            return None;
        }
        if rest.len() < HEAD && !text.end {
            return Some(self.not_before(at));
        }
        let is_call = next_call::begins(spelling, call.format, rest, tools);
        if is_call && searches >= SEARCHES {
            return Some(Ending::Cut(at));
        }
        self.opener = Some(at).filter(|_| is_call);
        None
    }

    /// Whether a closing tag ends the value: another argument or the end of the call follows, and the value has no tag that it closes.
    fn closes(&mut self, call: &Call, spelling: &Tagged, text: Text, (at, size): (usize, usize)) -> Match {
        let format = call.format;
        let next = skip(text, at + size);
        let [key, close, call_close, section_close, call_open, open] = following(format, spelling);
        let tags = [key, close, spelling.value_close, call_close, section_close, call_open, open];
        let rest = text.from(next);
        let found = match compare_markers(format, rest, &tags, text.end).0 {
            _ if rest.is_empty() || rest == "\\" => {
                if text.end {
                    Match::Yes
                } else {
                    Match::Maybe
                }
            }
            found => found,
        };
        let (from, open) = self.inner;
        let is_plain = self.first.is_none_or(|first| first >= at);
        let inner = text.text.get(from.max(self.from)..at).filter(|_| !is_plain).unwrap_or_default();
        let open = open + self.tags.opened(inner);
        match found {
            Match::Maybe => {}
            _ if open > 0 => {
                self.inner = (at + size, open - 1);
                return Match::No;
            }
            _ => self.inner = (at + size, 0),
        }
        found
    }

    /// Reads more of a value.
    pub(super) fn step(
        &mut self,
        call: &mut Call,
        spelling: &'static Tagged,
        text: Text,
        (tools, out): (&[Tool], &mut Out),
    ) -> Read {
        let ending = self.ending(call, spelling, text, (tools, &mut out.searches));
        // one line break on each side is not part of the value
        let is_padded = !spelling.pad.is_empty();
        if !self.padded && is_padded {
            let rest = text.from(self.from);
            if rest.is_empty() && !text.end {
                return Read::More;
            }
            self.padded = true;
            let is_empty = matches!(ending, Ending::At(end, _) if end == self.from);
            if rest.starts_with('\n') && !is_empty {
                self.from += 1;
                self.emitted = self.from;
            }
        }
        match ending {
            Ending::NotBefore(to) | Ending::Cut(to) => {
                if self.text {
                    // the line break may be the last one of the value
                    let piece = text.text.get(self.emitted..to.max(self.emitted)).unwrap_or_default();
                    let piece = piece.strip_suffix('\n').unwrap_or(piece);
                    self.emitted += piece.len();
                    push_escaped(&mut call.arguments, piece);
                }
                if matches!(ending, Ending::Cut(_)) { Read::Cut(to) } else { Read::More }
            }
            Ending::At(end, size) => {
                let piece = text.text.get(self.emitted..end.max(self.emitted)).unwrap_or_default();
                let piece = piece.strip_suffix('\n').filter(|_| size == 0 || is_padded).unwrap_or(piece);
                let (key, is_text) = (std::mem::take(&mut self.key), self.text);
                let nested = self.nested.take().and_then(|(kind, _)| nested_value::json(&kind, piece, spelling));
                if is_text {
                    let is_whole = self.emitted == self.from;
                    if is_whole && piece.len() >= LONG && out.ranges.is_some() {
                        let range = self.from..self.from + piece.len();
                        call.long.push(LongString { key, at: call.arguments.len(), range });
                    } else {
                        push_escaped(&mut call.arguments, piece);
                    }
                    call.arguments.push('"');
                } else {
                    complete(call, spelling, (&key, piece), nested, tools);
                }
                Read::Done(end + size)
            }
        }
    }
}

/// Starts the value of a key.
pub(super) fn open(call: &mut Call, key: &str) {
    call.arguments.push_str(if call.arguments.is_empty() { "{" } else { "," });
    call.arguments.push('"');
    push_escaped(&mut call.arguments, key);
    call.arguments.push_str("\":");
}

/// Whether the opening marker of a call is here.
fn opens_call(format: &'static Format, spelling: &Tagged, rest: &str, end: bool) -> Match {
    compare_markers(format, rest, &[format.section.opener(), format.call.opener(), spelling.open], end).0
}

/// Whether a value ends before a tag, without a closing tag of its own.
enum Missing {
    No,
    Maybe,
    /// The next argument begins there.
    AtKey,
    /// The call ends there, unless the value contains its closing tags.
    AtEnd,
}

fn missing(call: &Call, spelling: &Tagged, text: Text, at: usize, tools: &[Tool]) -> Missing {
    let format = call.format;
    let rest = text.from(at);
    match compare_marker(format, rest, spelling.key, text.end) {
        (Match::Yes, size) => {
            return match next_key(call, spelling, text, (at, size), tools) {
                Match::Yes => Missing::AtKey,
                Match::Maybe => Missing::Maybe,
                Match::No => Missing::No,
            };
        }
        (Match::Maybe, _) => return Missing::Maybe,
        (Match::No, _) => {}
    }
    let [_, ends @ ..] = following(format, spelling);
    let [close, call_close, section_close, ..] = ends;
    let found = match compare_markers(format, rest, &[close, call_close, section_close], text.end) {
        (Match::Yes, size) => {
            // the text of a value may contain such a tag, but hardly two
            let next = text.solid(at + size);
            match compare_markers(format, text.from(next), &ends, text.end).0 {
                _ if next - at - size > BLANK => Match::No,
                _ if next == text.text.len() && text.end => Match::Yes,
                _ if next == text.text.len() => Match::Maybe,
                found => found,
            }
        }
        (found, _) => found,
    };
    match found {
        Match::Yes => Missing::AtEnd,
        Match::Maybe => Missing::Maybe,
        Match::No => Missing::No,
    }
}

/// Whether the tag of a key starts the next argument: one that is declared and has no value yet, or any at the start of a line if none are
/// declared.
fn next_key(call: &Call, spelling: &Tagged, text: Text, (at, size): (usize, usize), tools: &[Tool]) -> Match {
    let rest = text.from(at + size);
    let window = rest.floor_char_boundary(HEAD);
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

/// Adds a value that is not verbatim text.
fn complete(call: &mut Call, spelling: &Tagged, (key, raw): (&str, &str), nested: Option<String>, tools: &[Tool]) {
    let schema = schema::property(call.parameters(tools), key);
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
    let states_types = spelling.flag != Flag::None || !spelling.kind.open.is_empty();
    if typed::is_open(schema) && states_types && crate::json::from_str::<Value>(&plain).is_ok() {
        return plain.trim().to_owned();
    }
    typed::value(schema, &plain)
}

fn uncovered(raw: &str) -> String {
    let inner = raw.trim().strip_prefix(CDATA.open).and_then(|rest| rest.strip_suffix(CDATA.close));
    match inner {
        Some(inner) => inner.to_owned(),
        None => raw.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&"),
    }
}

/// Unwraps an argument named `arguments` or `input` that contains the actual arguments. Returns its fields without the closing brace.
fn unwrapped(key: &str, json: &str, parameters: &Map<String, Value>) -> Option<String> {
    let declared = |key: &str| schema::property(parameters, key).is_some();
    if !matches!(key, "arguments" | "input") || declared(key) {
        return None;
    }
    let fields: Map<String, Value> = crate::json::from_str(json).ok()?;
    let wraps = !fields.is_empty() && fields.keys().all(|key| declared(key));
    wraps.then(|| json.trim().strip_suffix('}').map(str::to_owned)).flatten()
}
