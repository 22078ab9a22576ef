//! The markers of blocks.

use super::kinds::{self, Facts};
use super::scan::{FENCES, Match, compare_marker, compare_markers, longest_first};
use crate::text::formats::{Format, Pair};

/// Whether a marker is rare in ordinary text: of this length at least, and neither a word with a colon nor a fence of code.
pub(super) fn is_strong(marker: &str, least: usize) -> bool {
    marker.len() >= least && !marker.ends_with(':') && !FENCES.contains(&marker)
}

/// The markers of a format that close calls, and are no text directly after one.
pub(super) fn closers(format: &'static Format) -> Vec<&'static str> {
    let facts = kinds::of(format).facts();
    let mut markers = vec![format.section.closer(), format.call.closer(), facts.close, facts.value_close];
    markers.retain(|marker| marker.starts_with(['<', ']']) && is_strong(marker, 4));
    format.spellings(&markers)
}

/// Whether a marker belongs inside a wrapper, so that it begins a call only with the name of a declared tool.
pub(super) fn is_inner(format: &'static Format, marker: &str) -> bool {
    let open = kinds::of(format).facts().open;
    let is_wrapped = !format.section.open.is_empty() || !format.call.open.is_empty();
    !open.is_empty() && is_wrapped && format.spellings_of(open).any(|open| open == marker)
}

/// The markers of a format that open a block.
pub(super) fn openers(format: &'static Format) -> Vec<&'static str> {
    let mut found = vec![format.section.opener(), format.call.opener()];
    found.extend(format.also.iter().map(|pair| pair.opener()));
    found.extend(kinds::of(format).facts().openers);
    found = format.spellings(&found);
    longest_first(&mut found, |marker| marker.len());
    found.dedup();
    found
}

/// What a marker around calls does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The body of a call follows.
    OpensCall,
    /// The markers of calls follow.
    OpensSection,
    Closes,
}

/// The markers around the calls of a format.
#[derive(Clone, Copy)]
pub(super) struct Markers {
    pub format: &'static Format,
    pub facts: Facts,
}

impl Markers {
    pub fn of(format: &'static Format) -> Self {
        Self { format, facts: kinds::of(format).facts() }
    }

    pub fn all(&self) -> Vec<(&'static str, Role)> {
        let Self { format, facts } = *self;
        let is_nested = facts.is_sectioned || (facts.is_object && format.call.open.is_empty());
        let mut all = Vec::new();
        let mut add = |pair: &Pair, role| all.extend([(pair.opener(), role), (pair.closer(), Role::Closes)]);
        add(&format.call, Role::OpensCall);
        format.also.iter().for_each(|pair| add(pair, Role::OpensCall));
        add(&format.section, if is_nested { Role::OpensCall } else { Role::OpensSection });
        all.extend(facts.after.map(|marker| (marker, Role::Closes)));
        all.retain(|(marker, _)| !marker.is_empty());
        all
    }

    /// How a text compares with these markers.
    pub fn compare(&self, rest: &str, end: bool) -> Match {
        let all: Vec<_> = self.all().into_iter().map(|(marker, _)| marker).collect();
        compare_markers(self.format, rest, &all, end).0
    }

    /// Whether a longer marker may start this text, and the longest one that does, with its length. `closes` is whether one that closes counts.
    pub fn at_start(
        &self,
        rest: &str,
        end: bool,
        closes: impl Fn(&str) -> bool,
    ) -> (bool, Option<(&'static str, Role, usize)>) {
        let (mut maybe, mut best) = (false, None);
        for (marker, role) in self.all().into_iter().filter(|(marker, role)| *role != Role::Closes || closes(marker)) {
            match compare_marker(self.format, rest, marker, end) {
                (Match::Yes, length) if best.is_none_or(|(_, _, size)| length > size) => {
                    best = Some((marker, role, length))
                }
                (Match::Maybe, _) => maybe = true,
                _ => {}
            }
        }
        (maybe, best)
    }

    /// Whether a marker that begins with this bracket opens a call here.
    pub fn opens(&self, rest: &str, bracket: char) -> bool {
        let open = self.format.call.opener();
        open.starts_with(bracket) && rest.starts_with(open)
    }

    /// The closing marker of a call, or else that of the section.
    pub fn close(&self) -> &'static str {
        let markers = [self.format.call.closer(), self.facts.close, self.format.section.closer()];
        markers.into_iter().find(|marker| !marker.is_empty()).unwrap_or_default()
    }

    /// Whether nothing may precede a closing marker: that of all calls.
    pub fn may_be_empty(&self, close: &str) -> bool {
        self.facts.has_list || self.closes_section(close)
    }

    pub fn closes_section(&self, close: &str) -> bool {
        close == self.format.section.closer()
    }
}
