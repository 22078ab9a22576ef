//! Headers, which are not part of the text: a name before the next marker.

use super::scan::{Match, Text, compare};
use super::text_markers::TextMarkers;
use crate::text::Tool;
use crate::text::formats::words::TOKEN;

/// The maximum length of a header.
const HEADER: usize = 256;

/// What a header is.
pub(super) enum Header<'t> {
    More,
    /// Up to this position, with this name.
    Read(usize, &'t str),
    /// The name of a call that the end of the text cuts off.
    Cut(&'t str),
    Text,
}

/// Reads a header. If its own marker was read, any marker may follow it, else only that of a call, `open`.
pub(super) fn header<'t>(
    text: Text<'t>,
    is_marked: bool,
    open: &str,
    markers: &TextMarkers,
    tools: &[Tool],
) -> Header<'t> {
    let (marker, blanks) = if is_marked { (TOKEN.open, " ") } else { (open, "") };
    let rest = text.text;
    let is_of_name = |one: char| one.is_alphanumeric() || "_-.:/".contains(one);
    let end = rest.find(|one| !is_of_name(one)).unwrap_or(rest.len());
    let (name, after) = rest.split_at_checked(end).unwrap_or_default();
    let next = after.trim_start_matches(|one| blanks.contains(one));
    let size = rest.len() - next.len();
    let is_begun = is_marked && markers.begins(next);
    match compare(next, marker, text.end || size > HEADER) {
        Match::Maybe => Header::More,
        Match::Yes if is_begun && !text.end => Header::More,
        _ if is_begun && text.end && !name.is_empty() && tools.iter().any(|tool| tool.name.starts_with(name)) => {
            Header::Cut(name)
        }
        Match::Yes => Header::Read(size, name),
        Match::No => Header::Text,
    }
}
