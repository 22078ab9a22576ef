//! Where the next call begins in the text of one that can't be read, whose end is missing.

use super::kinds::{self, Kind};
use super::markers::{Markers, Role};
use super::next_call::{RESUMES, marked};
use super::scan::{JsonScan, Quotes, space};
use crate::text::Tool;
use crate::text::formats::Format;

/// The end of the first call, and the beginning of the next one.
pub(super) struct Seam {
    pub end: usize,
    pub next: usize,
    /// Whether a marker begins the next call, outside of the list of the first one.
    pub is_marked: bool,
}

/// Finds the next call in a text that begins with one: its head names a declared tool, and it is no value in the arguments of the first call.
/// It follows a marker, the braces before it are balanced, or the first call breaks off. `takes_separators` is whether a separator may begin
/// what follows.
pub(super) fn seam(markers: Markers, text: &str, tools: &[Tool], takes_separators: bool) -> Option<Seam> {
    let format = markers.format;
    let kind = kinds::of(format);
    let marked = marked(kind, format, text, tools);
    let before = text.get(..marked.unwrap_or(text.len())).unwrap_or_default();
    let Some(at) = head(kind, format, before, tools).or_else(|| inner(markers, before, tools)) else {
        let end = text.get(..marked?)?.trim_end().len();
        return Some(Seam { end, next: marked?, is_marked: true });
    };
    let before = text.get(..at)?.trim_end();
    let marks = markers.all().into_iter().filter(|(_, role)| *role == Role::OpensCall);
    let unmarked = marks.filter_map(|(open, _)| before.strip_suffix(open)).next().map(str::trim_end);
    let before = unmarked.unwrap_or(before);
    let separated = before.trim_end_matches([',', ';']).trim_end();
    let close = format.call.closer();
    let own = separated.strip_suffix(close).filter(|_| unmarked.is_some()).map_or(separated, str::trim_end);
    let next = match unmarked {
        None if takes_separators && separated.len() < before.len() => separated.len(),
        None => at,
        Some(before) => before.len(),
    };
    Some(Seam { end: own.len(), next, is_marked: false })
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

/// The call before which JSON breaks off. No value can be there, and only calls follow, up to the end.
fn inner(markers: Markers, text: &str, tools: &[Tool]) -> Option<usize> {
    let Markers { format, facts } = markers;
    if !(facts.is_object || facts.takes_objects) {
        return None;
    }
    let kind = kinds::of(format);
    let text = solid(markers, text);
    let mut tries = 0;
    let (mut open, mut is_begun) = (Vec::new(), false);
    let (mut quotes, mut last) = (Quotes::default(), b' ');
    text.bytes().enumerate().find_map(|(at, byte)| {
        let is_value =
            !quotes.inside() && (last == b':' || (matches!(last, b'[' | b',') && open.last() == Some(&b'[')));
        let rest = text.get(at..).filter(|_| byte == b'{' && is_begun && !is_value && tries < RESUMES);
        if let Some(rest) = rest.filter(|rest| kind.begins(format, rest, tools)) {
            tries += 1;
            if are_calls(kind, format, rest, tools) {
                return Some(at);
            }
        }
        is_begun |= byte == b'{';
        quotes.byte(byte);
        if quotes.inside() || space(byte) {
            return None;
        }
        // what begins elsewhere is no array
        last = if byte == b'[' && !is_value { b' ' } else { byte };
        match byte {
            b'{' | b'[' => open.push(last),
            b'}' | b']' => _ = open.pop(),
            _ => {}
        }
        None
    })
}

/// The text without the closing markers and other markers at its end.
fn solid(markers: Markers, text: &str) -> &str {
    let closes = markers.all().into_iter().filter(|(_, role)| *role == Role::Closes).map(|(close, _)| close);
    let ends = closes.chain(markers.format.wrappers.iter().copied());
    let mut text = text.trim_end();
    while let Some(rest) = ends.clone().find_map(|end| text.strip_suffix(end)) {
        text = rest.trim_end();
    }
    text
}

/// Whether a text consists of calls of declared tools, which are objects.
fn are_calls(kind: &'static dyn Kind, format: &'static Format, mut text: &str, tools: &[Tool]) -> bool {
    while !text.is_empty() && kind.begins(format, text, tools) {
        let mut at = 0;
        let Some(end) = JsonScan::default().run(text.as_bytes(), &mut at) else { return false };
        let (call, rest) = text.split_at_checked(end).unwrap_or_default();
        if !crate::json::is_object(call) {
            return false;
        }
        text = rest.trim_start_matches(|one: char| one.is_whitespace() || matches!(one, ',' | ';' | '[' | ']'));
    }
    text.is_empty()
}
