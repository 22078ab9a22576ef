//! The markers in the text of a message, and what they mean where they are.

use super::following::{is_markup, shown};
use super::kinds::{self, Facts};
use super::markers::{closers, is_inner, is_strong, openers};
use super::place::{Place, Surroundings};
use super::scan::{FENCE, Match, compare, longest_first};
use crate::bytes::ByteSet;
use crate::text::Tool;
use crate::text::formats::{Format, Pair};

/// The least length of a marker that hardly occurs in ordinary text.
pub(super) const STRONG: usize = 4;

/// The least length of a marker that the end of the text cuts off.
const CUT: usize = 5;

#[derive(Clone, Copy)]
pub(super) enum Marker {
    /// Opens calls in this format.
    Block(&'static Format),
    /// Closes calls.
    Close,
    /// Separates the name of a call from its arguments.
    Head,
    Reasoning(&'static Pair),
    Header,
    Hidden(&'static Pair),
    LineBreak,
    Dropped,
}

pub(super) struct TextMarkers {
    format: &'static Format,
    /// The longest first.
    list: Vec<(&'static str, Marker)>,
    /// Whether a call without its marker can only begin the text.
    begins_text: bool,
    /// Whether a closing marker may be that of a call that can't be read. Elsewhere, a name before it shows that it is.
    may_close: bool,
    /// The tags in a call, if they are rare in ordinary text.
    tags: Vec<&'static str>,
}

impl TextMarkers {
    pub fn of(format: &'static Format, has_tools: bool) -> Self {
        let mut list: Vec<(&'static str, Marker)> =
            openers(format).into_iter().map(|marker| (marker, Marker::Block(format))).collect();
        for &drift in format.drifts {
            let own = |marker: &str| list.iter().any(|(known, _)| *known == marker);
            let others: Vec<_> = openers(drift).into_iter().filter(|marker| !own(marker)).collect();
            list.extend(others.into_iter().map(|marker| (marker, Marker::Block(drift))));
        }
        for pair in format.reasoning {
            list.push((pair.opener(), Marker::Reasoning(pair)));
            list.push((pair.closer(), Marker::Dropped));
        }
        // between calls that are lines, the marker begins the next turn
        let next = if kinds::of(format).facts().has_lines { format.separator } else { "" };
        let of_text = [format.text.open, format.text.close, next];
        list.extend(of_text.iter().chain(format.wrappers).map(|marker| (*marker, Marker::Dropped)));
        list.extend(closers(format).into_iter().map(|marker| (marker, Marker::Close)));
        let heads = kinds::of(format).facts().heads;
        list.extend(format.spellings(&heads).into_iter().map(|marker| (marker, Marker::Head)));
        list.push((format.header, Marker::Header));
        list.push((format.line_break, Marker::LineBreak));
        list.extend(format.hidden.iter().map(|pair| (pair.open, Marker::Hidden(pair))));
        list.retain(|(marker, _)| !marker.is_empty());
        longest_first(&mut list, |(marker, _)| marker.len());
        let Facts { begins_text, has_head, takes_objects, open, parts, value_close, .. } = kinds::of(format).facts();
        let tags = [open, value_close].into_iter().chain(parts).filter(|part| is_strong(part, STRONG)).collect();
        Self { format, list, begins_text, may_close: has_tools && !(has_head && takes_objects), tags }
    }

    pub fn all(&self) -> &[(&'static str, Marker)] {
        &self.list
    }

    /// The markers that open calls: those that are rare in ordinary text, or the others.
    pub fn calls(&self, are_strong: bool) -> impl Iterator<Item = &'static str> {
        let opens = move |(marker, kind): &(&'static str, Marker)| {
            let is_call = matches!(kind, Marker::Block(_)) && is_strong(marker, STRONG) == are_strong;
            is_call.then_some(*marker)
        };
        self.list.iter().filter_map(opens)
    }

    /// Whether this line begins with a short marker of a call, followed by what calls begin with: a bracket, a quotation mark or a tool's name.
    pub fn opens_line(&self, line: &str, tools: &[Tool], end: bool) -> Match {
        let mut maybe = false;
        let marker = match self.at_start(line, end, &mut maybe) {
            _ if self.calls(false).next().is_none() => return Match::No,
            _ if maybe => return Match::Maybe,
            Some((marker, Marker::Block(_))) if !is_strong(marker, STRONG) => marker,
            _ => return Match::No,
        };
        let after = line.get(marker.len()..).unwrap_or_default();
        let blanks = after.len() - after.trim_start().len();
        let after = after.get(blanks..).unwrap_or_default();
        let is_name = |one: char| one.is_alphanumeric() || one == '_';
        match after.chars().next() {
            _ if blanks > TAG => Match::No,
            None if !end => Match::Maybe,
            None => Match::No,
            Some('"' | '\'' | '{' | '[' | '`') => Match::Yes,
            Some(one) if tools.is_empty() && is_name(one) => Match::Yes,
            _ if tools.iter().any(|tool| after.starts_with(&tool.name)) => Match::Yes,
            _ if !end && tools.iter().any(|tool| tool.name.starts_with(after)) => Match::Maybe,
            _ => Match::No,
        }
    }

    /// The bytes that a marker can begin with.
    pub fn starts(&self) -> ByteSet {
        let firsts = self.list.iter().filter_map(|(marker, _)| marker.bytes().next());
        firsts.fold(ByteSet::default(), ByteSet::with)
    }

    /// The longest marker at the start of this text. `maybe` becomes true if a longer one may follow.
    pub fn at_start(&self, rest: &str, end: bool, maybe: &mut bool) -> Option<(&'static str, Marker)> {
        for &(marker, kind) in &self.list {
            match compare(rest, marker, end) {
                Match::Maybe => *maybe = true,
                Match::Yes => return Some((marker, kind)),
                Match::No => {}
            }
        }
        None
    }

    /// Whether this is the beginning of a marker.
    pub fn begins(&self, rest: &str) -> bool {
        self.list.iter().any(|(marker, _)| marker.len() > rest.len() && marker.starts_with(rest))
    }

    /// Whether the end of the text cuts off a marker that opens calls, of which this is enough to recognise it.
    pub fn is_cut(&self, rest: &str) -> bool {
        let begins = |marker: &str| marker.len() > rest.len() && marker.starts_with(rest) && is_strong(marker, CUT);
        !starts_word(rest)
            && rest.len() >= CUT
            && self.list.iter().any(|(marker, kind)| matches!(kind, Marker::Block(_)) && begins(marker))
    }

    /// Whether the text ends within a marker here, where markup may begin.
    pub fn are_cut(&self, rest: &str, around: &Surroundings) -> bool {
        let is_start = around.place() == Place::Start && around.is_code(rest, true) == Match::No;
        let is_all = around.is_beginning() && rest.len() >= STRONG && !starts_word(rest);
        is_start && (around.is_after_markup() || is_all || self.is_cut(rest))
    }

    /// Whether a marker belongs inside a wrapper, or is that of another format.
    pub fn is_inner(&self, marker: &str, kind: Marker) -> bool {
        matches!(kind, Marker::Block(format) if !std::ptr::eq(format, self.format) || is_inner(format, marker))
    }

    /// Whether a marker that is text shows that others around calls are text, too.
    pub fn shows_call(&self, marker: &str, kind: Marker, around: &Surroundings) -> bool {
        match kind {
            Marker::Block(_) | Marker::Head => !around.begins_text(),
            // a damaged call may have values that end
            Marker::Close => marker != kinds::of(self.format).facts().value_close,
            _ => false,
        }
    }

    /// Whether only closing markers follow up to the end of the text.
    fn are_last(&self, after: &str, end: bool) -> Match {
        let mut rest = after.trim_start();
        if shown(after).len() < after.len() {
            return Match::No;
        }
        loop {
            let mut maybe = false;
            match self.at_start(rest, end, &mut maybe) {
                _ if rest.is_empty() => return if end { Match::Yes } else { Match::Maybe },
                _ if maybe => return Match::Maybe,
                Some((marker, Marker::Close | Marker::Dropped)) => {
                    rest = rest.get(marker.len()..).unwrap_or_default().trim_start();
                }
                _ => return Match::No,
            }
        }
    }

    /// Whether a marker is markup at this place, and not part of text about markup.
    pub fn meaning(&self, marker: &str, kind: Marker, around: &Surroundings, after: &str, end: bool) -> Match {
        match around.is_code(after, end) {
            _ if marker.starts_with('\n') && !around.is_example() => {}
            Match::Yes => return Match::No,
            Match::Maybe => return Match::Maybe,
            Match::No => {}
        }
        match kind {
            // at the end of the message, it closes a call that can't be read
            Marker::Close if !around.is_after_markup() => {
                let may_close = self.may_close && around.may_close(marker, &self.tags);
                return if may_close { self.are_last(after, end) } else { Match::No };
            }
            Marker::Head => return if around.word().is_some() { Match::Yes } else { Match::No },
            _ if around.place() == Place::Quoted => return around.is_quoted(after, end).not(),
            // without its wrapper, a tag in a sentence is a quotation
            _ if around.place() == Place::Sentence && self.is_inner(marker, kind) => return Match::No,
            Marker::Block(_) | Marker::Header | Marker::Reasoning(_) | Marker::Dropped
                if around.is_string(after, end) != Match::No =>
            {
                return around.is_string(after, end).not();
            }
            Marker::Block(_) => {}
            Marker::LineBreak if around.place() != Place::Sentence => return Match::Yes,
            Marker::Reasoning(_) | Marker::Dropped | Marker::Header | Marker::LineBreak => {
                return match around.is_quotation(after, end) {
                    Match::No if around.place() == Place::Sentence => is_markup(after, end),
                    found => found.not(),
                };
            }
            _ => return Match::Yes,
        }
        // after text, only the language shows that a block of code has calls
        if marker.starts_with(FENCE) && (around.is_fenced() || (marker == FENCE && !around.is_beginning())) {
            return Match::No;
        }
        match around.place() {
            // without its marker, such a call is one only at the beginning
            _ if self.begins_text && !is_strong(marker, STRONG) => {
                return if around.is_beginning() { Match::Yes } else { Match::No };
            }
            _ if marker.len() == 1 && !around.begins_line() => return Match::No,
            _ if !is_strong(marker, STRONG) => return Match::Yes,
            _ => {}
        }
        if marker.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            // a word is a marker only before a bracket
            return match after.trim_start().bytes().next() {
                None if !end => Match::Maybe,
                Some(b'[' | b'{') => Match::Yes,
                _ => Match::No,
            };
        }
        if around.place() != Place::Start && marker.ends_with('=') {
            return has_body(after, end);
        }
        is_markup(after, end)
    }
}

fn starts_word(text: &str) -> bool {
    text.starts_with(|one: char| one.is_alphanumeric())
}

/// The length of a tag with the name of a tool, and the most blanks after a marker.
const TAG: usize = 128;

/// Whether something other than words follows a tag, of which this is the rest.
fn has_body(after: &str, end: bool) -> Match {
    let start = after.get(..after.floor_char_boundary(TAG)).unwrap_or_default();
    let body = start.split_once('>').map(|(_, body)| body.trim_start());
    match body.and_then(|body| body.chars().next()) {
        Some('{' | '[' | '<') => Match::Yes,
        None if !end && start.len() == after.len() => Match::Maybe,
        _ => Match::No,
    }
}
