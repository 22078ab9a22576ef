//! Calls of which the opening marker is missing: JSON in the text before a closing marker, or as the whole message.

use super::call::{HEAD, Opening, Standing};
use super::kinds::{self, Facts};
use super::lost::names_declared;
use super::markers::{Markers, is_strong};
use super::names::declared;
use super::scan::{JsonScan, Match, Text, compare_markers, overlap};
use super::text_markers::STRONG;
use crate::text::Tool;
use crate::text::formats::Format;
use crate::text::formats::words::{ARGUMENT_KEYS, NAME_KEYS};

/// Whether calls are JSON, and have an opening marker.
pub(super) fn has_json(facts: &Facts) -> bool {
    facts.is_object && !facts.takes_objects
}

/// The closing marker that shows that JSON before it is a call. Empty if the format has none, or needs none.
pub(super) fn closer(format: &'static Format) -> &'static str {
    let markers = Markers::of(format);
    let close = markers.close();
    if has_json(&markers.facts) && is_strong(close, STRONG) { close } else { "" }
}

/// Whether JSON begins here whose first key and name are those of a call.
pub(super) fn begins(format: &'static Format, text: Text, tools: &[Tool]) -> Match {
    let more = if text.end { Match::No } else { Match::Maybe };
    let start = text.text.get(..text.text.floor_char_boundary(HEAD)).unwrap_or_default();
    let more = if start.len() < text.text.len() { Match::No } else { more };
    let object = start.strip_prefix('[').unwrap_or(start).trim_start();
    let Some(fields) = object.strip_prefix('{').map(str::trim_start) else {
        return if object.is_empty() { more } else { Match::No };
    };
    let Some(key) = fields.strip_prefix('"') else { return if fields.is_empty() { more } else { Match::No } };
    let spelling = kinds::of(format).spelling(Opening::Marked);
    if spelling.name.is_empty() {
        return is_named(key, tools, more);
    }
    let ([one, other], [first, second, third]) = (NAME_KEYS, ARGUMENT_KEYS);
    let names = [spelling.name, one, other];
    let others = [spelling.arguments, first, second, third, spelling.id];
    let Some((key, after)) = key.split_once('"') else {
        let begins = |known: &&str| known.starts_with(key);
        return if names.iter().any(begins) || others.iter().any(begins) { more } else { Match::No };
    };
    let value = after.trim_start_matches([' ', '\n', ':']);
    match value.strip_prefix('"') {
        _ if !key.is_empty() && others.contains(&key) => Match::Yes,
        _ if !names.contains(&key) => Match::No,
        Some(name) => is_named(name, tools, more),
        None if value.is_empty() => more,
        None => Match::No,
    }
}

/// Whether a string, without its opening quotation mark, is the name of a tool.
fn is_named(string: &str, tools: &[Tool], more: Match) -> Match {
    let is_tool = |name: &str| tools.is_empty() || tools.iter().any(|tool| tool.name == declared(name, tools));
    match string.split_once('"') {
        Some((name, _)) if is_tool(name) => Match::Yes,
        Some(_) => Match::No,
        None => more,
    }
}

/// Whether JSON names a declared tool, and is not its definition. A key that is a name was compared before.
fn is_call(format: &'static Format, json: &str, tools: &[Tool]) -> bool {
    kinds::of(format).spelling(Opening::Marked).name.is_empty() || names_declared(json, Markers::of(format), tools)
}

/// The length of the part of a text in which the closing marker is searched.
const WINDOW: usize = 4096;

/// JSON that may be a call.
pub(super) struct Closed {
    /// The marker after it. Empty if the format has none.
    close: &'static str,
    /// Whether no text precedes it, and tools are declared.
    is_first: bool,
    scan: JsonScan,
    at: usize,
    end: Option<usize>,
}

pub(super) enum ClosedStep {
    More,
    /// The closing marker follows, or nothing does.
    Calls(Standing),
    /// It is text up to this position.
    Text(usize),
    /// It does not end before the text does.
    Open,
}

impl Closed {
    /// `None` if nothing can show that it is a call.
    pub fn new(format: &'static Format, is_first: bool) -> Option<Self> {
        let close = closer(format);
        let closed = Self { close, is_first, scan: JsonScan::default(), at: 0, end: None };
        (is_first || !close.is_empty()).then_some(closed)
    }

    pub fn step(&mut self, text: Text, format: &'static Format, tools: &[Tool]) -> ClosedStep {
        loop {
            if self.is_cut(text) {
                return ClosedStep::Calls(Standing::Certain);
            }
            let Some(end) = self.end else {
                return if text.end { ClosedStep::Open } else { ClosedStep::More };
            };
            let next = text.solid(end);
            self.end = Some(next);
            let after = text.from(next);
            match compare_markers(format, after, &[self.close], text.end).0 {
                _ if after.is_empty() && !text.end => return ClosedStep::More,
                _ if self.is_first && after.is_empty() && is_call(format, text.text, tools) => {
                    return ClosedStep::Calls(Standing::Possible);
                }
                Match::Yes => return ClosedStep::Calls(Standing::Certain),
                Match::Maybe => return ClosedStep::More,
                // of several calls
                Match::No if after.starts_with('{') => {
                    (self.scan, self.at, self.end) = (JsonScan::default(), next, None)
                }
                Match::No => return ClosedStep::Text(next),
            }
        }
    }

    /// Scans up to the end of the value, or up to the closing marker, before which brackets are missing. The marker is searched in a part of the
    /// text at a time, as it may be far away.
    fn is_cut(&mut self, text: Text) -> bool {
        while self.end.is_none() {
            let stop = text.text.floor_char_boundary(self.at + WINDOW);
            let window = text.text.get(self.at..stop).unwrap_or_default();
            let is_last = stop == text.text.len();
            let found = window.find(self.close).filter(|_| !self.close.is_empty()).map(|at| self.at + at);
            let held = if is_last && text.end { 0 } else { overlap(window, self.close) };
            self.scan(text, found.unwrap_or(stop - held));
            match found {
                None if is_last => break,
                None => {}
                Some(_) if self.end.is_none() && !self.scan.is_in_string() => return true,
                Some(at) => self.scan(text, at + 1),
            }
        }
        false
    }

    fn scan(&mut self, text: Text, to: usize) {
        let bytes = text.text.as_bytes().get(..to).unwrap_or_default();
        self.end = self.end.or_else(|| self.scan.run(bytes, &mut self.at));
    }
}
