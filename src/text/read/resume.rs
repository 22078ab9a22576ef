//! Where the next call begins in the text of one that can't be read, whose end is missing.

use super::call::HEAD;
use super::guess;
use super::kinds::{self, Kind};
use super::markers::{Markers, Role};
use super::scan::space;
use crate::text::Tool;
use crate::text::formats::Format;

/// How often reading resumes within what a call that can't be read seems to contain: in a block, and in a text that such calls continue up to
/// its end. Each time, the rest was scanned.
pub(super) const RESUMES: usize = 16;

/// The end of the first call, and the beginning of the next one.
pub(super) struct Seam {
    pub end: usize,
    pub next: usize,
    /// Whether a marker begins the next call, outside of the list of the first one.
    pub is_marked: bool,
}

/// The maximum length of what precedes the name in a call, and of the name.
const NAME: usize = 128;

/// The maximum number of markers before a call: around all calls, around this one, and its tag.
const OPENERS: usize = 3;

/// Finds the next call in a text that begins with one: its head names a declared tool, and it follows a marker, or the braces before it are
/// balanced, so that it is no value in the arguments of the first call. `takes_separators` is whether a separator may begin what follows.
pub(super) fn seam(markers: Markers, text: &str, tools: &[Tool], takes_separators: bool) -> Option<Seam> {
    let format = markers.format;
    let marked = marked(markers, text, tools);
    let before = text.get(..marked.unwrap_or(text.len())).unwrap_or_default();
    let Some(at) = head(kinds::of(format), format, before, tools) else {
        let end = text.get(..marked?)?.trim_end().len();
        return Some(Seam { end, next: marked?, is_marked: true });
    };
    let before = text.get(..at)?.trim_end();
    let marks = markers.all().filter(|(_, role)| *role == Role::OpensCall);
    let unmarked = marks.filter_map(|(open, _)| before.strip_suffix(open)).next().map(str::trim_end);
    let before = unmarked.unwrap_or(before);
    let separated = before.trim_end_matches([',', ';']).trim_end();
    let close = format.call.close.trim();
    let own = separated.strip_suffix(close).filter(|_| unmarked.is_some()).map_or(separated, str::trim_end);
    let next = match unmarked {
        None if takes_separators && separated.len() < before.len() => separated.len(),
        None => at,
        Some(before) => before.len(),
    };
    Some(Seam { end: own.len(), next, is_marked: false })
}

/// The markers that begin a call, beside other variants of them.
fn openers(markers: Markers) -> impl Iterator<Item = &'static str> + Clone {
    let Markers { format, facts } = markers;
    let lines = if facts.has_lines { format.separator } else { "" };
    let own = [format.section.open, format.call.open, facts.open, lines].map(str::trim);
    let also = format.also.iter().map(|pair| pair.open.trim());
    let all = own.into_iter().chain(also).filter(|marker| marker.len() >= 3);
    all.flat_map(|marker| format.spellings_of(marker))
}

/// The text after a marker at its start.
fn opened(markers: Markers, text: &str) -> Option<&str> {
    openers(markers).filter_map(|open| text.strip_prefix(open)).min_by_key(|rest| rest.len())
}

/// The text after the markers that it begins with.
pub(super) fn inside(markers: Markers, text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(after) = opened(markers, rest) {
        rest = after.trim_start();
    }
    rest
}

/// Whether a text begins with markers and the head of a call of a declared tool.
pub(super) fn begins(markers: Markers, text: &str, tools: &[Tool]) -> bool {
    let mut text = text.get(..text.floor_char_boundary(HEAD)).unwrap_or_default();
    let kind = kinds::of(markers.format);
    for _ in 0..OPENERS {
        let Some(rest) = opened(markers, text) else { break };
        if kind.begins(markers.format, text, tools) {
            return true;
        }
        text = rest.trim_start_matches(|one: char| one.is_whitespace() || matches!(one, '[' | '"' | '\''));
    }
    let start = text.get(..text.floor_char_boundary(NAME)).and_then(|start| start.split(['<', '>', '{', '(']).next());
    let is_declared = |name: String| tools.iter().any(|tool| tool.name == name);
    kind.begins(markers.format, text, tools)
        || guess::begins_with_name(text, tools)
        || guess::written_name(start.unwrap_or_default(), tools).is_some_and(is_declared)
}

/// The first marker of a call of a declared tool, after those that the text begins with.
pub(super) fn marked(markers: Markers, text: &str, tools: &[Tool]) -> Option<usize> {
    let rest = inside(markers, text);
    let skipped = text.len() - rest.len();
    let places = |open: &'static str| rest.match_indices(open).map(|(at, _)| skipped + at);
    let is_call = |at: &usize| begins(markers, text.get(*at..).unwrap_or_default(), tools);
    openers(markers).filter_map(|open| places(open).find(is_call)).min()
}

/// After a separator, a call may begin within the brackets of the first one, of which one is missing.
fn head(kind: &'static dyn Kind, format: &'static Format, text: &str, tools: &[Tool]) -> Option<usize> {
    // what the first call lacks may be its opening bracket
    let is_open = text.trim_start_matches([' ', '\n', ',', ';']).starts_with('"');
    let (mut depth, mut is_begun, mut last) = (0_usize, is_open, b' ');
    text.bytes().enumerate().find_map(|(at, byte)| {
        let rest = || text.get(at..).unwrap_or_default();
        let is_next = depth == 0 || (depth == 1 && byte == b'{' && matches!(last, b',' | b';'));
        if is_begun && is_next && kind.begins(format, rest(), tools) {
            return Some(at);
        }
        match byte {
            b'{' => (depth, is_begun) = (depth + 1, true),
            b'[' if is_begun => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if !space(byte) {
            last = byte;
        }
        None
    })
}
