//! Text between the calls of a section.

use super::block::{BlockReader, Part, Step};
use super::out::Out;
use super::scan::{Match, Text, compare_any};

impl BlockReader {
    /// Reads text between the calls of a section, up to a marker. Whitespace before the marker is no text.
    pub(super) fn noise(&mut self, text: Text, out: &mut Out) -> Step {
        let mut start = self.at;
        let mut at = start;
        if !matches!(std::mem::replace(&mut self.part, Part::Noise), Part::Noise) {
            // a bracket that opened no list of calls is text too
            let bracket = text.text.get(..start).and_then(|before| before.rfind('[')).filter(|_| self.list);
            start = bracket.unwrap_or(start);
            self.list = false;
            at = text.solid(at);
            at += text.from(at).chars().next().map_or(0, char::len_utf8);
        }
        loop {
            let solid = text.solid(self.blank.max(at));
            self.blank = solid;
            let rest = text.from(solid);
            let found = if rest.is_empty() { Match::Maybe } else { self.opener(rest, text.end) };
            if found == Match::No {
                at = solid + self.plain(rest);
                continue;
            }
            out.text(text.text.get(start..at).unwrap_or_default());
            let is_open = found == Match::Maybe;
            self.part = if is_open { Part::Noise } else { Part::Between };
            if is_open && at == 0 {
                return if text.end { Step::Done(text.text.len()) } else { Step::More };
            }
            self.consume();
            return Step::Called(at);
        }
    }

    /// How the text compares with what can follow text between calls.
    fn opener(&self, rest: &str, end: bool) -> Match {
        let open = self.facts.open;
        match self.closing(rest, end) {
            found if found == Match::Yes || open.is_empty() => found,
            found => match compare_any(rest, self.format.spellings_of(open), end).0 {
                Match::No => found,
                own => own,
            },
        }
    }

    /// The length of the text up to a character that could begin a marker.
    fn plain(&self, rest: &str) -> usize {
        let firsts = || {
            self.markers().map(|(marker, _)| marker).chain([self.facts.open]).filter_map(|marker| marker.chars().next())
        };
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let found = rest.get(first..).and_then(|rest| rest.find(|one| firsts().any(|first| first == one)));
        // whitespace belongs to what follows it
        rest.get(..found.map_or(rest.len(), |at| first + at))
            .map_or(first, |plain| plain.trim_end_matches([' ', '\n', '\r', '\t']).len())
    }
}
