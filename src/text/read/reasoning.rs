//! Reads reasoning up to its end, or to calls that come instead of it.

use super::markers::is_strong;
use super::out::Out;
use super::scan::{Match, Text, compare, overlap};
use super::text_markers::{Marker, TextMarkers};

/// Reasoning that is being read.
pub(super) struct Reasoning {
    close: &'static str,
    /// Whether the prompt opened it, and no text has followed yet.
    is_fresh: bool,
    /// Whether calls end it if its end does not follow.
    is_lenient: bool,
    /// After a call's marker: the position up to which the end was searched.
    searched: Option<usize>,
}

pub(super) enum ReasoningStep {
    /// The text is reasoning up to this position. More is required.
    More(usize),
    /// A call's marker is at this position. It may be reasoning, too.
    Marker(usize),
    /// The reasoning ends, and its marker ends at this position.
    Done(usize),
    /// There is no reasoning.
    None,
    /// The text ends, and begins with a call's marker.
    Unclosed,
}

impl Reasoning {
    pub fn new(close: &'static str, is_fresh: bool, is_lenient: bool) -> Self {
        Self { close, is_fresh, is_lenient, searched: None }
    }

    /// Whether text was read, or the marker that opens the reasoning is in the text.
    pub fn is_begun(&self) -> bool {
        !self.is_fresh
    }

    pub fn step(&mut self, text: Text, markers: &TextMarkers, out: &mut Out) -> ReasoningStep {
        let (rest, close) = (text.text, self.close);
        if self.is_fresh {
            match begins(rest.trim_start(), markers, text.end) {
                Match::Maybe => return ReasoningStep::More(0),
                // the text starts with another marker
                Match::Yes if !rest.trim_start().starts_with(close) => return ReasoningStep::None,
                _ => self.is_fresh = false,
            }
        }
        let from = self.searched.unwrap_or(0);
        if let Some(at) = rest.get(from..).and_then(|more| more.find(close)) {
            out.reasoning(rest.get(..from + at).unwrap_or_default());
            out.close();
            return ReasoningStep::Done(from + at + close.len());
        }
        if self.searched.is_some() {
            // the text is reasoning if its end follows. Otherwise, the model forgot it
            self.searched = Some(rest.floor_char_boundary(rest.len().saturating_sub(close.len())));
            return if text.end { ReasoningStep::Unclosed } else { ReasoningStep::More(0) };
        }
        let calls = || {
            let all = markers.all().iter().filter(|(_, kind)| self.is_lenient && matches!(kind, Marker::Block(_)));
            all.map(|(marker, _)| *marker).filter(|marker| is_strong(marker, 4))
        };
        let found = calls().filter_map(|marker| rest.find(marker)).min();
        let overlaps = calls().chain([close]).map(|marker| overlap(rest, marker));
        let held = if text.end { 0 } else { overlaps.max().unwrap_or(0) };
        let stop = found.unwrap_or_else(|| rest.floor_char_boundary(rest.len() - held));
        out.reasoning(rest.get(..stop).unwrap_or_default());
        self.searched = found.map(|_| 0);
        if found.is_some() { ReasoningStep::Marker(stop) } else { ReasoningStep::More(stop) }
    }
}

/// Whether a text begins with a marker.
fn begins(text: &str, markers: &TextMarkers, end: bool) -> Match {
    let mut result = Match::No;
    for (marker, _) in markers.all() {
        match compare(text, marker, end) {
            Match::Maybe => return Match::Maybe,
            Match::Yes => result = Match::Yes,
            Match::No => {}
        }
    }
    result
}
