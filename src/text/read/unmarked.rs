//! Finds calls whose opening marker is missing: a name, followed by an object, or JSON before a closing marker.

use super::call::Opening;
use super::closed::{begins, has_json};
use super::kinds::Facts;
use super::scan::{Match, Text, compare_any};
use crate::bytes::ByteSet;
use crate::text::Tool;
use crate::text::formats::Format;

/// The maximum length of a name, and of what separates it from its arguments.
const NAME: usize = 128;
const SEPARATOR: usize = 16;

/// What precedes the text that was not read yet.
pub(super) struct Unmarked {
    format: &'static Format,
    last: char,
    /// Whether only blanks follow the start of a line or the end of a tag.
    line: bool,
    /// Whether a name may begin a call.
    has_names: bool,
    /// Whether JSON may be one.
    has_json: bool,
    /// Whether calls are two lines, the name and the arguments.
    has_lines: bool,
    /// Whether only whitespace follows the start of a turn, or its reasoning.
    is_turn_start: bool,
}

/// What a call without its opening marker begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    Name(Opening),
    Json,
}

fn starts_line(last: char) -> bool {
    matches!(last, '\n' | '>')
}

fn in_name(one: char) -> bool {
    one.is_alphanumeric() || "_-.:/".contains(one)
}

impl Unmarked {
    /// `None` if the calls of the format have opening markers.
    pub fn of(format: &'static Format, facts: &Facts) -> Option<Self> {
        let is_closed = facts.has_head && facts.takes_objects && !format.call.close.is_empty();
        let has_lines = facts.has_lines;
        let (has_names, has_json) = (is_closed || has_lines, has_json(facts));
        let new = Self { format, last: '\n', line: true, has_names, has_json, has_lines, is_turn_start: true };
        (has_names || has_json).then_some(new)
    }

    /// Adds the bytes that such a call can begin with.
    pub fn starts(&self, others: ByteSet, tools: &[Tool]) -> ByteSet {
        let mut starts = others;
        for byte in 0..=u8::MAX {
            let begins = |tool: &Tool| tool.name.as_bytes().first() == Some(&byte);
            let is_name = self.has_names && (byte.is_ascii_alphanumeric() || tools.iter().any(begins));
            if is_name || (self.has_json && matches!(byte, b'{' | b'[')) {
                starts = starts.with(byte);
            }
        }
        starts
    }

    /// No more JSON may be a call.
    pub fn close(&mut self) {
        self.has_json = false;
    }

    /// This text was read.
    pub fn pass(&mut self, text: &str) {
        if let Some(last) = text.chars().next_back() {
            self.line = self.is_line(text);
            self.last = last;
        }
        self.is_turn_start = self.starts_turn(text);
    }

    /// Whether a line starts after this text.
    fn is_line(&self, text: &str) -> bool {
        let solid = text.trim_end_matches([' ', '\t']);
        solid.chars().next_back().map_or(self.line, starts_line)
    }

    /// Whether a turn starts after this text, which may end with its reasoning.
    fn starts_turn(&self, text: &str) -> bool {
        let solid = text.trim_end();
        let closes = self.format.reasoning.iter().map(|pair| pair.closer());
        let mut marks = closes.chain([self.format.separator]);
        if solid.is_empty() { self.is_turn_start } else { marks.any(|mark| solid.ends_with(mark)) }
    }

    /// Whether a call begins at this position: at the start of a line with any name, elsewhere with that of a declared tool.
    pub fn begins(&self, text: &str, at: usize, tools: &[Tool], end: bool) -> (Match, Start) {
        let (before, rest) = (text.get(..at).unwrap_or_default(), text.get(at..).unwrap_or_default());
        if rest.starts_with(['{', '[']) {
            let is_json = self.has_json && self.is_line(before);
            let found = if is_json { begins(self.format, Text { text: rest, end }, tools) } else { Match::No };
            return (found, Start::Json);
        }
        let (found, opening) =
            if self.has_names { self.name(text, at, tools, end) } else { (Match::No, Opening::Word) };
        (found, Start::Name(opening))
    }

    fn name(&self, text: &str, at: usize, tools: &[Tool], end: bool) -> (Match, Opening) {
        let (before, rest) = (text.get(..at).unwrap_or_default(), text.get(at..).unwrap_or_default());
        if before.chars().next_back().is_some_and(in_name) || (before.is_empty() && in_name(self.last)) {
            return (Match::No, Opening::Word);
        }
        let is_line = self.is_line(before);
        if self.has_lines && !is_line {
            return (Match::No, Opening::Word);
        }
        let is_start = if self.has_lines { self.starts_turn(before) } else { is_line };
        let opening = if is_start { Opening::Line } else { Opening::Word };
        let size = rest.find(|one| !in_name(one)).unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(size).unwrap_or_default();
        let name = if self.has_lines { name } else { name.trim_end_matches(':') };
        let starts =
            |tool: &Tool| if after.is_empty() && !end { tool.name.starts_with(name) } else { tool.name == name };
        if name.is_empty() || name.len() > NAME || !(opening == Opening::Line || tools.iter().any(starts)) {
            return (Match::No, opening);
        }
        // prose ends with a colon before an example
        if self.has_lines && (name.ends_with(':') || !is_line_end(after)) {
            return (Match::No, opening);
        }
        let separators = if self.has_lines { "" } else { "=>(),[" };
        let object = after.trim_start_matches(|one: char| one.is_whitespace() || separators.contains(one));
        let mut first = object.chars().take(SEPARATOR).filter(|one| !one.is_whitespace());
        let is_near = after.len() - object.len() <= SEPARATOR;
        let found = match (first.next(), first.next()) {
            (None, _) | (Some('{'), None) if !end && is_near => Match::Maybe,
            // the name of a tool alone is a call that is cut off
            (None, _) if self.has_lines && opening == Opening::Line && tools.iter().any(starts) => Match::Yes,
            (Some('{'), Some('"' | '}')) if is_near => Match::Yes,
            _ => Match::No,
        };
        (found, opening)
    }
}

/// Whether a line ends here, or may end when more of the text is known.
fn is_line_end(text: &str) -> bool {
    let rest = text.trim_start_matches([' ', '\t', '\r']);
    rest.is_empty() || rest.starts_with('\n')
}

/// Whether arguments before this text end a call of a format whose calls are lines: a marker follows, or the message ends and `is_known`.
pub(super) fn ends_lines(format: &'static Format, rest: &str, is_known: bool, end: bool) -> Match {
    if rest.is_empty() && end {
        return if is_known { Match::Yes } else { Match::No };
    }
    compare_any(rest, &[format.wrappers, &[format.separator]].concat(), end).0
}
