//! What a call that can't be read was meant to be: its name and its arguments, as far as the text shows them.

use super::names::declared;
use super::scan::{FENCES, JsonScan, longest_first};
use crate::text::Tool;
use crate::text::formats::Format;
use crate::text::formats::words::{BEFORE_ARGUMENTS, BEFORE_NAME};

/// The maximum length of a name.
const NAME: usize = 128;
/// The name of a call without any.
pub(super) const UNKNOWN: &str = "unknown";

fn in_name(one: char) -> bool {
    one.is_alphanumeric() || matches!(one, '_' | '-' | '.' | '/')
}

/// The name at the start of a text.
fn name_at(text: &str) -> Option<&str> {
    let end = text.find(|one| !in_name(one)).unwrap_or(text.len());
    text.get(..end)
        .map(|name| name.trim_end_matches(['.', '/', '-']))
        .filter(|name| !name.is_empty() && name.len() <= NAME)
}

/// Whether a text begins with the name of a declared tool.
pub(super) fn begins_with_name(text: &str, tools: &[Tool]) -> bool {
    name_at(text).map(|name| declared(name, tools)).is_some_and(|name| tools.iter().any(|tool| tool.name == name))
}

/// The name that the notation shows.
pub(super) fn written_name(raw: &str, tools: &[Tool]) -> Option<String> {
    let after = |before: &&str| {
        let is_apart = |at: &usize| {
            let last = raw.get(..*at).and_then(|text| text.chars().next_back()).filter(|_| before.starts_with(in_name));
            !last.is_some_and(in_name)
        };
        let at = raw.match_indices(*before).map(|(at, _)| at).find(is_apart)? + before.len();
        let rest = raw.get(at..)?.trim_start_matches([' ', '\t', '\n', ':', '=']);
        name_at(rest.strip_prefix(['"', '\'']).unwrap_or(rest)).map(|name| (at, name))
    };
    let nearest = BEFORE_NAME.iter().filter_map(after).min_by_key(|(at, _)| *at);
    nearest.map(|(_, name)| declared(name, tools))
}

/// The name of a declared tool before a parenthesis.
pub(super) fn called_name(raw: &str, tools: &[Tool]) -> Option<String> {
    let before = raw.get(..raw.find('(')?)?.trim_end();
    let name = before.rsplit(|one| !in_name(one)).next()?;
    let name = declared(name, tools);
    tools.iter().any(|tool| tool.name == name).then_some(name)
}

/// The best name for a call that can't be read.
pub(super) fn name(raw: &str, tools: &[Tool], format: &Format) -> String {
    // a complete tag has no name
    let tags = format.markers().into_iter().filter(|marker| marker.ends_with('>'));
    let raw = &tags.fold(raw.to_owned(), |raw, tag| raw.replace(tag, " "));
    if let Some(name) = written_name(raw, tools).or_else(|| called_name(raw, tools)) {
        return name;
    }
    // a declared name anywhere, the longest of those that come first
    let places =
        tools.iter().filter_map(|tool| Some((word(raw, &tool.name)?, usize::MAX - tool.name.len(), &tool.name)));
    if let Some((_, _, name)) = places.min() {
        return name.clone();
    }
    let mut markers = [&format.markers(), &FENCES[..]].concat();
    longest_first(&mut markers, |marker| marker.len());
    let plain = markers.into_iter().fold(raw.to_owned(), |raw, marker| raw.replace(marker, " "));
    let start = plain.find(|one: char| one.is_alphabetic() || one == '_').unwrap_or(plain.len());
    let (before, rest) = plain.split_at_checked(start).unwrap_or_default();
    // a word in quotes is the key of JSON
    let first = name_at(rest).filter(|_| !before.ends_with(['"', '\'']));
    // before its arguments
    let after = first.and_then(|name| rest.get(name.len()..)).unwrap_or_default().trim_start();
    let is_head = |_: &&str| after.starts_with(['{', '(', '<']);
    let only = if let [one] = tools { Some(one.name.as_str()) } else { None };
    // a word before `=` is the key of an argument
    let name = first.filter(is_head).or(only).or(first.filter(|_| !after.starts_with('=')));
    name.map_or_else(|| UNKNOWN.to_owned(), |name| declared(name, tools))
}

/// The first place of a name as a whole word.
fn word(text: &str, name: &str) -> Option<usize> {
    if name.is_empty() {
        return None;
    }
    let is_end = |one: Option<char>| !one.is_some_and(|one| one.is_alphanumeric() || one == '_');
    text.match_indices(name).map(|(at, _)| at).find(|&at| {
        is_end(text.get(..at).and_then(|before| before.chars().next_back()))
            && is_end(text.get(at + name.len()..).and_then(|after| after.chars().next()))
    })
}

/// The arguments in a text with JSON.
pub(super) fn arguments(raw: &str) -> Option<&str> {
    let (at, key) = BEFORE_ARGUMENTS.iter().filter_map(|key| raw.find(key).map(|at| (at, key))).min()?;
    let value = raw.get(at + key.len()..)?.trim_start().strip_prefix(':')?.trim_start();
    let mut stop = 0;
    let end = JsonScan::default().run(value.as_bytes(), &mut stop).unwrap_or(value.len());
    value.get(..end).map(str::trim_end).filter(|value| value.starts_with('{'))
}
