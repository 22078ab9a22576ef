//! Where the next call begins in the text of one that can't be read, whose end is missing.

use super::kinds::{self, Kind};
use super::markers::{Markers, Role};
use super::scan::space;
use crate::text::Tool;
use crate::text::formats::Format;

/// How often reading resumes within what a call that can't be read seems to contain, in a block. Each time, the rest of the text was scanned.
pub(super) const RESUMES: usize = 16;

/// The end of the first call, and the beginning of the next one.
pub(super) struct Seam {
    pub end: usize,
    pub next: usize,
}

/// Finds the next call in a text that begins with one: its head names a declared tool, and the braces before it are balanced, so that it is no
/// value in the arguments of the first call. `takes_separators` is whether a separator may begin what follows.
pub(super) fn seam(markers: Markers, text: &str, tools: &[Tool], takes_separators: bool) -> Option<Seam> {
    let format = markers.format;
    let at = head(kinds::of(format), format, text, tools)?;
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
    Some(Seam { end: own.len(), next })
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
