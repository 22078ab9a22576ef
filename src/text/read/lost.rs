//! Calls that can't be read: where they end, and what they become.

use super::call::{Call, Origin};
use super::guess;
use super::kinds::json::is_definition;
use super::kinds::{self, Piece};
use super::markers::Markers;
use super::names::declared;
use super::next_call;
use super::out::Out;
use super::scan::{Match, Text, compare};
use crate::text::Tool;
use crate::text::formats::Format;
use crate::text_errors::{CUT, MISMATCH};

/// The least length of a name that the end of the text cuts off.
const CUT_NAME: usize = 3;

/// The rest of a call that can't be read.
pub(super) struct Lost {
    /// Its end is searched from this position on.
    pub at: usize,
    pub call: Option<Call>,
}

/// The end of a call that can't be read.
pub(super) struct End {
    pub at: usize,
    /// The position where reading continues.
    pub next: usize,
    /// Whether its closing marker was read.
    pub is_closed: bool,
}

/// Emits the call whose opening marker the end of the text cuts off. `name` is the one in the header before it.
pub(super) fn cut(origin: Origin, name: Option<String>, marker: &str, out: &mut Out) {
    let mut call = Call::new(origin, 0);
    call.name = name.or_else(|| Some(guess::UNKNOWN.to_owned()));
    call.fail(marker, CUT, out);
}

/// Emits the call of which only the closing marker can be read. `before` is the end of the text before it.
pub(super) fn closed(origin: Origin, before: &str, marker: &str, tools: &[Tool], out: &mut Out) {
    let mut call = Call::new(origin, 0);
    call.name = Some(guess::name(before, tools, origin.format));
    call.fail(marker, &mismatch(origin.format), out);
}

impl Lost {
    /// It ends at its closing marker or at the next call.
    pub fn end(&mut self, markers: Markers, text: Text) -> Option<End> {
        let format = markers.format;
        let close = markers.close();
        let others = [format.section.close, format.call.open, format.section.open, markers.facts.open, close];
        let spellings = format.spellings(&others.map(str::trim));
        while let Some(&byte) = text.text.as_bytes().get(self.at) {
            let at = self.at;
            let before = at.checked_sub(1).and_then(|at| text.text.as_bytes().get(at));
            // a list without a marker ends with its line
            if close.is_empty() && markers.facts.is_python && before == Some(&b']') && matches!(byte, b'\n' | b'<') {
                return Some(End { at, next: at, is_closed: false });
            }
            let mut found: Option<&str> = None;
            let is_boundary = text.text.is_char_boundary(at);
            let begins = |marker: &&&str| is_boundary && marker.as_bytes().first() == Some(&byte);
            for marker in spellings.iter().filter(begins).copied() {
                match compare(text.from(at), marker, text.end) {
                    Match::Maybe => return None,
                    Match::Yes if found.is_none_or(|other| other.len() < marker.len()) => found = Some(marker),
                    _ => {}
                }
            }
            if let Some(marker) = found {
                let is_closed = format.spellings_of(close).any(|close| close == marker);
                return Some(End { at, next: if is_closed { at + marker.len() } else { at }, is_closed });
            }
            self.at += 1;
        }
        text.end.then_some(End { at: self.at, next: self.at, is_closed: false })
    }
}

/// Whether a text that can't be read is complete nevertheless: a list in Python syntax, or a JSON object.
pub(super) fn is_whole(raw: &str, markers: Markers) -> bool {
    let is_list = markers.facts.is_python && raw.trim_end().ends_with(']');
    let object = || raw.get(raw.find('{')?..=raw.rfind('}')?);
    is_list || (markers.facts.is_json && object().is_some_and(crate::json::is_object))
}

/// Whether a text that can't be read shows the name of a call.
pub(super) fn has_name(raw: &str, tools: &[Tool]) -> bool {
    guess::written_name(raw, tools).is_some()
}

/// Whether a text that can't be read names a declared tool as a call does.
pub(super) fn names_declared(raw: &str, markers: Markers, tools: &[Tool]) -> bool {
    let is_head = || markers.facts.has_head && tools.iter().any(|tool| raw.trim_end().ends_with(&tool.name));
    if is_head() && next_call::begins(kinds::of(markers.format), markers.format, raw.trim_start(), tools) {
        return true;
    }
    let called = || guess::called_name(raw, tools).filter(|_| markers.facts.is_python);
    let Some(name) = guess::written_name(raw, tools).or_else(called) else { return false };
    let is_definition = || guess::arguments(raw).is_some_and(|arguments| is_definition(arguments, &name, tools));
    tools.iter().any(|tool| tool.name == name) && !is_definition()
}

/// Whether the end of the text cuts off the name of a declared tool: in a tag, or after the marker of a call, where enough of it is to be there.
pub(super) fn cuts_name(raw: &str, markers: Markers, tools: &[Tool]) -> bool {
    let raw = raw.trim_start();
    let begins = |name: &str| tools.iter().any(|tool| tool.name.starts_with(name));
    let facts = markers.facts;
    let head = raw.strip_prefix(markers.format.call.opener()).filter(|_| facts.has_head);
    let tag = raw.strip_prefix(facts.open).filter(|_| !facts.open.is_empty());
    let name = tag.map(|tag| match tag.split_once(facts.name) {
        _ if facts.name.is_empty() => tag,
        // the name is cut off
        None => "",
        Some((_, name)) => name,
    });
    head.is_some_and(|name| name.len() >= CUT_NAME && begins(name))
        || name.is_some_and(|name| begins(name.strip_prefix('"').unwrap_or(name)))
}

/// Emits an invalid call, with the best name.
pub(super) fn fail(mut call: Call, raw: &str, error: &str, tools: &[Tool], out: &mut Out) {
    if call.name.as_ref().is_none_or(String::is_empty) {
        let name = call.headed.take().unwrap_or_else(|| guess::name(raw, tools, call.format));
        call.name = Some(declared(&name, tools));
    }
    call.fail(raw, error, out);
}

/// Emits the calls of a text that can't be read as a whole. `last` is the error of the last one.
pub(super) fn pieces(origin: Origin, pieces: Vec<Piece>, last: &str, tools: &[Tool], out: &mut Out) {
    let count = pieces.len();
    for (index, (raw, found)) in pieces.into_iter().enumerate() {
        if !found.is_some_and(|found| Call::known(origin, found, true, tools, out)) {
            let error = if index + 1 == count { last } else { &mismatch(origin.format) };
            fail(Call::new(origin, 0), raw, error, tools, out);
        }
    }
}

/// The error of a call that can't be read.
pub(super) fn mismatch(format: &Format) -> String {
    format!("the call {MISMATCH}, `{}`", format.shape())
}
