//! The end of a prompt, which the message continues.

use super::kinds;
use super::markers::{is_strong, openers};
use super::text_markers::STRONG;
use crate::text::formats::Format;
use crate::text::formats::words::MODEL_ROLES;

/// The part of a prompt that belongs to the message: the text after the header of its turn.
pub(super) fn continued<'a>(format: &'static Format, prefill: &'a str) -> &'a str {
    let reasoning = format.reasoning.iter().filter_map(|pair| prefill.rfind(pair.opener())).max();
    if let Some(at) = reasoning {
        return prefill.get(at..).unwrap_or_default();
    }
    // the prompt may end within the marker: with the token that begins it
    let tokens = format.reasoning.iter().filter_map(|pair| pair.label()).map(|(token, _)| token);
    if let Some(token) = tokens.filter(|token| prefill.ends_with(token)).max_by_key(|token| token.len()) {
        return prefill.get(prefill.len() - token.len()..).unwrap_or_default();
    }
    let prompt = prefill.trim_end();
    let begun = openers(format).into_iter().filter(|marker| is_strong(marker, STRONG) && prompt.ends_with(marker));
    if let Some(length) = begun.map(str::len).max() {
        return prefill.get(prompt.len() - length..).unwrap_or_default();
    }
    if let Some(begun) = kinds::of(format).continued(format, prefill) {
        return begun;
    }
    let end = prefill.rfind(['>', ']', '}']).map_or(0, |at| at + 1);
    let rest = prefill.get(end..).unwrap_or_default();
    let word = rest.trim_start_matches(|one: char| one.is_ascii_lowercase() || one == ':');
    let role = rest.get(..rest.len() - word.len()).unwrap_or_default();
    let role = MODEL_ROLES.contains(&role.trim_end_matches(':'));
    if role { after_name(word).trim_start() } else { rest.trim_start() }
}

/// A header after its role, without the name that may follow the role (`ai name=assistant`).
fn after_name(header: &str) -> &str {
    let name = header.strip_prefix(" name=");
    name.map_or(header, |name| name.trim_start_matches(|one: char| !one.is_whitespace()))
}
