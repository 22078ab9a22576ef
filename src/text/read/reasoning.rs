//! Reads reasoning up to its end, or to calls that come instead of it.

use super::out::Out;
use super::scan::{Match, Text, compare, overlap};
use super::text_markers::{Marker, TextMarkers};
use crate::text::formats::Pair;

/// The maximum length of the blanks at the start of reasoning, and before a call at the start of a line.
const INDENT: usize = 64;

/// Reasoning that is being read.
pub(super) struct Reasoning {
    pair: &'static Pair,
    start: Start,
    /// Whether calls end it if its end does not follow.
    is_lenient: bool,
    /// After a call's marker: the position up to which the end was searched.
    searched: Option<usize>,
    /// The last two characters that were read.
    tail: String,
}

/// Marks around the name of a marker: the marker itself ends nothing there.
const NAMED: [char; 3] = ['`', '"', '\''];

/// What opened the reasoning, while no text has followed yet.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Prompt,
    Marker,
    Past,
}

pub(super) enum ReasoningStep {
    /// The text is reasoning up to this position. More is required.
    More(usize),
    /// The text is reasoning up to this position, where its marker is repeated or a call may begin.
    Marker(usize),
    /// The reasoning ends, and its marker ends at this position.
    Done(usize),
    /// There is no reasoning.
    None,
    /// The text ends, and begins with a call's marker.
    Unclosed,
}

impl Reasoning {
    /// `is_prompted` is whether the prompt opened it.
    pub fn new(pair: &'static Pair, is_prompted: bool, is_lenient: bool) -> Self {
        let start = if is_prompted { Start::Prompt } else { Start::Marker };
        Self { pair, start, is_lenient, searched: None, tail: String::new() }
    }

    /// Whether text was read.
    pub fn is_begun(&self) -> bool {
        self.start == Start::Past
    }

    /// `begins` is whether a call that has no marker, or a short one, begins at a position, where a line does.
    pub fn step(
        &mut self,
        text: Text,
        markers: &TextMarkers,
        begins: &dyn Fn(usize) -> Match,
        out: &mut Out,
    ) -> ReasoningStep {
        let close = self.pair.closer();
        if !self.is_begun() {
            let (solid, open) = (text.solid(0), self.pair.opener());
            let again = compare(text.from(solid), open, text.end);
            let is_prompted = self.start == Start::Prompt;
            let other = if is_prompted {
                begins_with(text.from(solid), markers, text.end).or(|| begins(solid))
            } else {
                Match::No
            };
            match (again, other) {
                _ if solid > INDENT => self.start = Start::Past,
                (Match::Yes, _) => return ReasoningStep::Marker(solid + open.len()),
                (Match::Maybe, _) | (_, Match::Maybe) => return ReasoningStep::More(0),
                (_, Match::Yes) if !text.from(solid).starts_with(close) => return ReasoningStep::None,
                _ => self.start = Start::Past,
            }
        }
        let from = self.searched.unwrap_or(0);
        // the header of the next message ends it, too
        let headers =
            markers.all().iter().filter(|(_, kind)| matches!(kind, Marker::Header)).map(|(header, _)| *header);
        let ends = headers.map(|header| (header, 0)).chain([(close, close.len())]);
        let end = |(end, size)| self.end(text, from, end).map(|(at, found)| (at, found, size));
        let found = ends.clone().filter_map(end).min_by_key(|(at, ..)| *at);
        if let Some((at, Match::Yes, size)) = found {
            self.think(text, at, out);
            out.close();
            return ReasoningStep::Done(at + size);
        }
        let held = ends.map(|(end, _)| overlap(text.text, end)).max().filter(|_| !text.end).unwrap_or(0);
        let open = found.map_or(text.text.len() - held, |(at, ..)| at);
        if self.searched.is_some() {
            // the text is reasoning if its end follows. Otherwise, the model forgot it
            self.searched = Some(open);
            return if text.end { ReasoningStep::Unclosed } else { ReasoningStep::More(0) };
        }
        let (call, certain) = if self.is_lenient { first_call(text, markers, begins) } else { (None, open) };
        let stop = call.unwrap_or(certain.min(open));
        self.think(text, stop, out);
        self.searched = call.map(|_| 0);
        if call.is_some() { ReasoningStep::Marker(stop) } else { ReasoningStep::More(stop) }
    }

    /// The text up to this position is reasoning.
    fn think(&mut self, text: Text, to: usize, out: &mut Out) {
        let thought = text.text.get(..to).unwrap_or_default();
        out.reasoning(thought);
        let last: Vec<char> = thought.chars().rev().chain(self.tail.chars().rev()).take(2).collect();
        self.tail = last.into_iter().rev().collect();
    }

    /// Where a marker first ends the reasoning from a position on, or may end it.
    fn end(&self, text: Text, from: usize, marker: &str) -> Option<(usize, Match)> {
        let mut from = from;
        loop {
            let at = from + text.from(from).find(marker)?;
            let thought = text.text.get(..at).unwrap_or_default();
            let mut before = thought.chars().rev().chain(self.tail.chars().rev());
            let mark = before.next().filter(|mark| NAMED.contains(mark));
            // one that closes a quotation belongs to the text before
            let opens = before.next().is_none_or(|one| one.is_whitespace() || matches!(one, '(' | '['));
            from = at + marker.len();
            match (mark.filter(|_| opens), text.from(from).chars().next()) {
                (Some(mark), Some(after)) if mark == after => {}
                (Some(_), None) if !text.end => return Some((at, Match::Maybe)),
                _ => return Some((at, Match::Yes)),
            }
        }
    }
}

/// What the line at the start of a text is.
pub(super) enum Label {
    None,
    More,
    /// The rest of this marker, and its length.
    Opens(&'static Pair, usize),
}

/// Whether a text begins with a line that is the rest of one of these markers.
pub(super) fn labelled(pairs: &'static [Pair], text: Text) -> Label {
    for pair in pairs {
        let Some((_, label)) = pair.label() else { continue };
        let after = text.from(label.len());
        match compare(text.text, label, text.end) {
            Match::Yes if after.starts_with('\n') => return Label::Opens(pair, label.len()),
            Match::Yes if text.end || !after.is_empty() => {}
            Match::Yes | Match::Maybe => return Label::More,
            Match::No => {}
        }
    }
    Label::None
}

/// Where a call may begin in this reasoning: at a marker that is rare in text, or at the start of a line. And the position up to which there is
/// none, whatever follows.
fn first_call(text: Text, markers: &TextMarkers, begins: &dyn Fn(usize) -> Match) -> (Option<usize>, usize) {
    let rest = text.text;
    let found = markers.calls(true).filter_map(|marker| rest.find(marker)).min();
    let held = if text.end { 0 } else { markers.calls(true).map(|marker| overlap(rest, marker)).max().unwrap_or(0) };
    let certain = found.unwrap_or(rest.len() - held);
    let mut at = 0;
    while let Some(size) = text.from(at).find('\n') {
        let line = text.solid(at + size);
        if at + size >= certain {
            break;
        }
        let is_indented = line - at - size > INDENT;
        match begins(line) {
            Match::Yes if !is_indented => return (Some(line), line),
            Match::Maybe if !is_indented => return (None, at + size),
            _ => at = line,
        }
    }
    (found, certain)
}

/// Whether a text begins with a marker.
fn begins_with(text: &str, markers: &TextMarkers, end: bool) -> Match {
    let mut result = Match::No;
    for (marker, _) in markers.all() {
        match compare(text, marker, end) {
            Match::Maybe => return Match::Maybe,
            Match::Yes => result = Match::Yes,
            Match::No => {}
        }
    }
    result
}
