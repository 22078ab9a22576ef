//! Where calls begin in a text: after their markers, with the name of a declared tool.

use super::call::HEAD;
use super::guess;
use super::kinds::kind::Kind;
use crate::text::Tool;
use crate::text::formats::Format;

/// How often reading resumes within what a call that can't be read seems to contain: in a block, and in a text that such calls continue up to
/// its end. Each time, the rest was scanned.
pub(super) const RESUMES: usize = 16;

/// The maximum length of what precedes the name in a call, and of the name.
const NAME: usize = 128;

/// The maximum number of markers before a call: around all calls, around this one, and its tag.
const OPENERS: usize = 3;

/// The markers that begin a call, beside other variants of them.
fn openers(kind: &'static dyn Kind, format: &'static Format) -> Vec<&'static str> {
    let facts = kind.facts();
    let lines = if facts.has_lines { format.separator } else { "" };
    let mut own = [format.section.open, format.call.open, facts.open, lines].map(str::trim).to_vec();
    own.extend(format.also.iter().map(|pair| pair.opener()));
    own.retain(|marker| marker.len() >= 3);
    format.spellings(&own)
}

/// The text after a marker at its start.
fn opened<'t>(kind: &'static dyn Kind, format: &'static Format, text: &'t str) -> Option<&'t str> {
    openers(kind, format).into_iter().filter_map(|open| text.strip_prefix(open)).min_by_key(|rest| rest.len())
}

/// The text after the markers that it begins with.
pub(super) fn inside<'t>(kind: &'static dyn Kind, format: &'static Format, text: &'t str) -> &'t str {
    let mut rest = text.trim_start();
    while let Some(after) = opened(kind, format, rest) {
        rest = after.trim_start();
    }
    rest
}

/// Whether a text begins with markers and the head of a call of a declared tool.
pub(super) fn begins(kind: &'static dyn Kind, format: &'static Format, text: &str, tools: &[Tool]) -> bool {
    let mut text = text.get(..text.floor_char_boundary(HEAD)).unwrap_or_default();
    for _ in 0..OPENERS {
        let Some(rest) = opened(kind, format, text) else { break };
        if kind.begins(format, text, tools) {
            return true;
        }
        text = rest.trim_start_matches(|one: char| one.is_whitespace() || matches!(one, '[' | '"' | '\''));
    }
    let start = text.get(..text.floor_char_boundary(NAME)).and_then(|start| start.split(['<', '>', '{', '(']).next());
    let is_declared = |name: String| tools.iter().any(|tool| tool.name == name);
    kind.begins(format, text, tools)
        || guess::begins_with_name(text, tools)
        || guess::written_name(start.unwrap_or_default(), tools).is_some_and(is_declared)
}

/// The first marker of a call of a declared tool, after those that the text begins with.
pub(super) fn marked(kind: &'static dyn Kind, format: &'static Format, text: &str, tools: &[Tool]) -> Option<usize> {
    let rest = inside(kind, format, text);
    let skipped = text.len() - rest.len();
    let places = |open: &'static str| rest.match_indices(open).map(|(at, _)| skipped + at);
    let is_call = |at: &usize| begins(kind, format, text.get(*at..).unwrap_or_default(), tools);
    openers(kind, format).into_iter().filter_map(|open| places(open).find(is_call)).min()
}
