//! The markers of blocks.

use super::block::BlockReader;
use super::kinds;
use super::scan::{Match, compare_any, longest_first};
use crate::text::formats::{Format, Pair};

/// Whether a marker is rare in ordinary text: of this length at least, and not a fence of code.
pub(super) fn is_strong(marker: &str, least: usize) -> bool {
    marker.len() >= least && !matches!(marker, "call:" | "```json" | "```")
}

/// The markers of a format that close calls, and are no text directly after one.
pub(super) fn closers(format: &'static Format) -> Vec<&'static str> {
    let facts = kinds::of(format).facts();
    let own = [facts.close, facts.value_close];
    let markers = [format.section.close.trim(), format.call.close.trim()].into_iter().chain(own);
    let markers = markers.filter(|marker| marker.starts_with(['<', ']']) && is_strong(marker, 4));
    markers.flat_map(|marker| format.spellings_of(marker)).collect()
}

/// Whether a marker belongs inside a wrapper, so that it begins a call only with the name of a declared tool.
pub(super) fn is_inner(format: &'static Format, marker: &str) -> bool {
    let open = kinds::of(format).facts().open;
    let is_wrapped = !format.section.open.is_empty() || !format.call.open.is_empty();
    !open.is_empty() && is_wrapped && format.spellings_of(open).any(|open| open == marker)
}

/// The markers of a format that open a block.
pub(super) fn openers(format: &'static Format) -> Vec<&'static str> {
    let mut found = vec![format.section.open.trim(), format.call.open.trim()];
    found.extend(format.also.iter().map(|pair| pair.open.trim()));
    found.extend(kinds::of(format).facts().openers);
    found.retain(|marker| !marker.is_empty());
    found = found.into_iter().flat_map(|marker| format.spellings_of(marker)).collect();
    longest_first(&mut found, |marker| marker.len());
    found.dedup();
    found
}

impl BlockReader {
    pub(super) fn closing(&self, rest: &str, end: bool) -> Match {
        let mut result = Match::No;
        for (marker, _) in self.markers() {
            match compare_any(rest, self.format.spellings_of(marker), end).0 {
                Match::Yes => return Match::Yes,
                Match::Maybe => result = Match::Maybe,
                Match::No => {}
            }
        }
        result
    }

    /// The markers around calls. The flag is whether a call's body follows.
    pub(super) fn markers(&self) -> impl Iterator<Item = (&'static str, Option<bool>)> {
        let format = self.format;
        let facts = self.facts;
        let nested = facts.is_sectioned || (facts.is_object && format.call.open.is_empty());
        let calls = std::iter::once(&format.call).chain(format.also).map(|pair: &Pair| (pair, true));
        let all = calls.chain(std::iter::once((&format.section, nested)));
        all.flat_map(|(pair, arms)| [(pair.open.trim(), Some(arms)), (pair.close.trim(), None)])
            .chain(facts.after.map(|marker| (marker, None)))
            .filter(|(marker, _)| !marker.is_empty())
    }
}
