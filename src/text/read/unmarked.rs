//! Finds calls whose opening marker is missing: a name, followed by an object.

use super::call::Opening;
use super::scan::Match;
use crate::text::Tool;
use crate::text::formats::Format;

/// The maximum length of a name, and of what separates it from its arguments.
const NAME: usize = 128;
const SEPARATOR: usize = 16;

/// What precedes the text that was not read yet.
pub(super) struct Unmarked {
    last: char,
    /// Whether only blanks follow the start of a line or the end of a tag.
    line: bool,
}

fn starts_line(last: char) -> bool {
    matches!(last, '\n' | '>')
}

fn in_name(one: char) -> bool {
    one.is_alphanumeric() || "_-.:/".contains(one)
}

impl Unmarked {
    /// `takes_objects` is whether a call is read of which only the closing marker is there.
    pub fn of(format: &Format, takes_objects: bool) -> Option<Self> {
        let fits = takes_objects && !format.call.close.is_empty();
        fits.then_some(Self { last: '\n', line: true })
    }

    /// This text was read.
    pub fn pass(&mut self, text: &str) {
        if let Some(last) = text.chars().next_back() {
            self.line = self.is_line(text);
            self.last = last;
        }
    }

    /// Whether a line starts after this text.
    fn is_line(&self, text: &str) -> bool {
        let solid = text.trim_end_matches([' ', '\t']);
        solid.chars().next_back().map_or(self.line, starts_line)
    }

    /// Whether a call begins at this position: at the start of a line with any name, elsewhere with that of a declared tool.
    pub fn begins(&self, text: &str, at: usize, tools: &[Tool], end: bool) -> (Match, Opening) {
        let (before, rest) = (text.get(..at).unwrap_or_default(), text.get(at..).unwrap_or_default());
        if before.chars().next_back().is_some_and(in_name) || (before.is_empty() && in_name(self.last)) {
            return (Match::No, Opening::Word);
        }
        let opening = if self.is_line(before) { Opening::Line } else { Opening::Word };
        let size = rest.find(|one| !in_name(one)).unwrap_or(rest.len());
        let (name, after) = rest.split_at_checked(size).unwrap_or_default();
        let name = name.trim_end_matches(':');
        let starts = |tool: &Tool| if after.is_empty() { tool.name.starts_with(name) } else { tool.name == name };
        if name.is_empty() || name.len() > NAME || !(opening == Opening::Line || tools.iter().any(starts)) {
            return (Match::No, opening);
        }
        let object = after.trim_start_matches(|one: char| one.is_whitespace() || "=>(),[".contains(one));
        let mut first = object.chars().take(SEPARATOR).filter(|one| !one.is_whitespace());
        let is_near = after.len() - object.len() <= SEPARATOR;
        let found = match (first.next(), first.next()) {
            (None, _) | (Some('{'), None) if !end && is_near => Match::Maybe,
            (Some('{'), Some('"' | '}')) if is_near => Match::Yes,
            _ => Match::No,
        };
        (found, opening)
    }
}
