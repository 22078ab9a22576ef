//! Text between the calls of a section.

use super::call::HEAD;
use super::markers::Markers;
use super::scan::{FENCES, Match, Text, compare, compare_any, compare_marker};

/// Where text between calls that is read from a position on ends, and whether more of it may follow. Whitespace before a marker is no text.
/// `blank` is the position up to which whitespace was skipped.
pub(super) fn end(markers: Markers, text: Text, mut at: usize, blank: &mut usize) -> (usize, bool) {
    loop {
        let solid = text.solid(at.max(*blank));
        *blank = solid;
        let rest = text.from(solid);
        let found = if rest.is_empty() { Match::Maybe } else { opener(markers, rest, text.end) };
        if found != Match::No {
            return (at, found == Match::Maybe);
        }
        at = solid + plain(markers, rest);
    }
}

/// How the text compares with what can follow text between calls.
pub(super) fn opener(markers: Markers, rest: &str, end: bool) -> Match {
    let open = markers.facts.open;
    match markers.compare(rest, end) {
        found if found == Match::Yes || open.is_empty() => found,
        found => match compare_marker(markers.format, rest, open, end).0 {
            Match::No => found,
            own => own,
        },
    }
}

/// The length of the text up to a character that could begin a marker.
fn plain(markers: Markers, rest: &str) -> usize {
    let mut firsts: Vec<_> = markers.all().iter().filter_map(|(marker, _)| marker.chars().next()).collect();
    firsts.extend(markers.facts.open.chars().next());
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let found = rest.get(first..).and_then(|rest| rest.find(&*firsts));
    // whitespace belongs to what follows it
    rest.get(..found.map_or(rest.len(), |at| first + at))
        .map_or(first, |plain| plain.trim_end_matches([' ', '\n', '\r', '\t']).len())
}

/// Whether a block of code begins here, between the markers of a call, and the end of its fence.
pub(super) fn fence(rest: &str, end: bool) -> (Match, usize) {
    let [named, _] = FENCES;
    match compare_any(rest, &FENCES, end) {
        (Match::Yes, 3) if compare(rest, named, end) == Match::Maybe => (Match::Maybe, 0),
        found => found,
    }
}

/// Whether a closing tag of any name is at this position, and its end.
pub(super) fn stray_tag(text: Text, at: usize) -> (Match, usize) {
    let name = text.from(at + 2);
    let is_of_name = |one: char| one.is_alphanumeric() || matches!(one, '_' | ':' | '-' | '|' | '｜' | '▁');
    let size = name.find(|one| !is_of_name(one)).unwrap_or(name.len());
    let found = match name.as_bytes().get(size) {
        _ if size > HEAD => Match::No,
        None if !text.end => Match::Maybe,
        Some(b'>') => Match::Yes,
        _ => Match::No,
    };
    (found, at + 2 + size + 1)
}
