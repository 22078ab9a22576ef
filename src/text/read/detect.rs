//! Detects the format of a text by its markers.

use super::closed::closer;
use super::event::Event;
use super::kinds;
use super::markers::{is_strong, openers};
use super::reader::read_calls;
use super::scan::FENCE;
use crate::text::Tool;
use crate::text::formats::words::TOKEN;
use crate::text::formats::{Format, THINK, all, by_id};
use std::cmp::Reverse;

/// The length of the markers that ordinary text mentions.
const MENTIONED: usize = 32;

/// How well a format fits a text. The greatest fits best.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    calls: usize,
    /// Other calls: of tools that are not declared, or that can't be read.
    broken: usize,
    /// The length of the remaining text: markers should not be text.
    remaining: Reverse<usize>,
    /// The position of the first marker.
    at: Reverse<usize>,
}

/// The format of a text: the one that reads the most calls, or else the one whose markers leave the least text. `None` if the text has no
/// marker.
pub fn detect(text: &str, tools: &[Tool], prefill: &str) -> Option<&'static Format> {
    let marked: Vec<_> = all().filter_map(|format| Some((format, evidence(format, text, tools, prefill)?))).collect();
    // calls without a marker are those of the generic format. Beside markers, only a declared name shows that an object is a call
    let has_generic = marked.is_empty() || !tools.is_empty();
    let generic = by_id("json").map(|format| (format, text.len())).filter(|_| has_generic);
    let mut best: Option<(Fit, &'static Format)> = None;
    let mut is_marked = false;
    for (format, at) in generic.into_iter().chain(marked) {
        is_marked |= at < text.len() || text.is_empty();
        if let Some(fit) = fit(format, text, tools, prefill, at)
            && best.as_ref().is_none_or(|(other, _)| fit > *other)
        {
            best = Some((fit, format));
        }
    }
    best.filter(|_| is_marked).map(|(_, format)| format)
}

/// The position of the first marker of a format.
fn evidence(format: &'static Format, text: &str, tools: &[Tool], prefill: &str) -> Option<usize> {
    let start = text.rsplit_once(THINK.closer()).map_or(text, |(_, rest)| rest).trim_start();
    let kind = kinds::of(format);
    if !kind.may_be(text, prefill) {
        return None;
    }
    if begins_message(format, start, prefill) {
        return Some(0);
    }
    // three characters also occur in other text
    let least = if tools.is_empty() { 4 } else { 3 };
    let next = kind.messages().map_or("", |channels| channels.next);
    let place =
        |marker: &'static str| if tools.is_empty() { unquoted(format, text, marker) } else { text.find(marker) };
    // the opening marker before JSON may be missing
    let is_json = !tools.is_empty() && start.starts_with(['{', '[']);
    let close = if is_json { closer(format) } else { "" };
    openers(format).into_iter().chain([next, close]).filter(|marker| is_strong(marker, least)).filter_map(place).min()
}

/// The first place of a marker where it is not quoted. Without declared tools, only the layout shows that a call is not an example.
fn unquoted(format: &'static Format, text: &str, marker: &'static str) -> Option<usize> {
    let facts = kinds::of(format).facts();
    let (open, close) = if facts.has_head { (format.call.open, format.call.close) } else { (facts.open, facts.close) };
    let is_plain = !open.is_empty() && format.spellings_of(open).any(|open| open == marker);
    // tags without a token around them also occur in XML, where text follows
    let is_plain = is_plain && is_tag(marker) && !has_wrapper(format, text);
    if is_plain && !text.trim_end().ends_with(close) {
        return None;
    }
    let (mut from, mut is_fenced) = (0, false);
    text.match_indices(marker).map(|(at, _)| at).find(|&at| {
        let between = text.get(from..at).unwrap_or_default();
        is_fenced ^= between.matches(FENCE).count() % 2 == 1;
        from = at;
        let line = between.trim_end_matches([' ', '\t']);
        let starts_line =
            line.is_empty() || line.ends_with('\n') || line.ends_with(close) || line.ends_with(THINK.closer());
        !is_fenced && !between.ends_with('`') && (!is_plain || starts_line)
    })
}

/// Whether a marker looks like a tag of XML.
fn is_tag(marker: &str) -> bool {
    marker.starts_with('<') && !marker.contains(['|', ':'])
}

/// Whether the token around calls occurs in the text.
fn has_wrapper(format: &'static Format, text: &str) -> bool {
    let open = format.call.opener();
    !kinds::of(format).facts().has_head && !open.is_empty() && text.contains(open)
}

/// Whether a text starts as only messages in this format do, or continues one.
fn begins_message(format: &'static Format, start: &str, prefill: &str) -> bool {
    let prefill = prefill.trim_end();
    let is_begun = openers(format).into_iter().any(|marker| marker.len() > 2 && prefill.ends_with(marker));
    // other formats share these tags
    let reasoning = format.reasoning.iter().filter(|pair| **pair != THINK).flat_map(|pair| [pair.open, pair.close]);
    let tokens = format.wrappers.iter().copied().filter(|marker| marker.starts_with(TOKEN.open));
    let markers = reasoning.chain([format.text.open, format.header]).chain(tokens).map(str::trim);
    // a plain tag such as `<response>` begins other texts too
    let mut markers = markers.filter(|marker| marker.len() > 2 && !is_tag(marker));
    kinds::of(format).begins_message(format, start, prefill)
        || is_begun
        || markers.any(|marker| start.starts_with(marker) || prefill.contains(marker))
}

/// `None` if the format reads a call that can't be one.
fn fit(format: &'static Format, text: &str, tools: &[Tool], prefill: &str, at: usize) -> Option<Fit> {
    let (mut calls, mut broken, mut remaining) = (0, 0, 0);
    let is_declared = |name: &str| tools.is_empty() || tools.iter().any(|tool| tool.name == name);
    // without arguments, any word between the markers is a name
    let is_bare = kinds::of(format).facts().has_bare_name;
    for event in read_calls(format, tools.to_vec(), prefill, "", text.to_owned()) {
        match event {
            Event::CallEnd { name, .. } if !name.is_empty() && is_declared(&name) => {
                let is_name = |one: char| one.is_alphanumeric() || matches!(one, '_' | '-' | '.' | ':' | '/');
                if name.starts_with(':') || !name.chars().all(is_name) {
                    return None;
                }
                calls += 1;
            }
            Event::CallEnd { name, arguments, .. } if is_bare && arguments == "{}" => {
                remaining += name.len() + MENTIONED;
            }
            Event::CallEnd { .. } => broken += 1,
            // a name that the text does not have is a guess
            Event::Invalid { name, raw, .. } if raw.contains(&name) && is_declared(&name) => broken += 1,
            // the text may only mention a pair of markers
            Event::Invalid { raw, .. } => remaining += raw.len() + MENTIONED,
            Event::Text { text, .. } | Event::Dropped { text, .. } => remaining += text.trim().len(),
            _ => {}
        }
    }
    Some(Fit { calls, broken, remaining: Reverse(remaining), at: Reverse(at) })
}
