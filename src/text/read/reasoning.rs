//! Reads reasoning up to its end, or to calls that come instead of it.

use super::event::Event;
use super::markers::is_strong;
use super::scan::{Match, compare, overlap};
use super::{Marker, Reader, ReaderState};

impl Reader {
    /// Reads reasoning that ends with this marker.
    pub(super) fn reasoning(&mut self, rest: &str, close: &'static str, end: bool) -> (usize, bool) {
        if let Some(seen) = self.within {
            return self.reasoning_or_call(rest, seen, close, end);
        }
        if self.fresh {
            match self.left(rest, end) {
                Match::Maybe => return (0, false),
                Match::Yes if !rest.trim_start().starts_with(close) => {
                    self.state = ReaderState::Text;
                    return (0, true);
                }
                _ => {}
            }
        }
        if let Some(at) = rest.find(close) {
            return self.reasoned(rest, at, close);
        }
        if let Some(at) = self.call_markers().filter_map(|marker| rest.find(marker)).min() {
            self.out.reasoning(rest.get(..at).unwrap_or_default());
            self.within = Some(0);
            return (at, true);
        }
        let overlaps = self.call_markers().chain([close]).map(|marker| overlap(rest, marker));
        let held = overlaps.max().filter(|_| !end).unwrap_or(0);
        let mut stop = rest.len() - held;
        while !rest.is_char_boundary(stop) {
            stop -= 1;
        }
        self.out.reasoning(rest.get(..stop).unwrap_or_default());
        (stop, false)
    }

    fn call_markers(&self) -> impl Iterator<Item = &'static str> {
        let blocks = self.markers.iter().filter(|(_, kind)| self.forgives && matches!(kind, Marker::Block(_)));
        blocks.map(|(marker, _)| *marker).filter(|marker| is_strong(marker, 4))
    }

    /// The reasoning ends at this position.
    fn reasoned(&mut self, rest: &str, at: usize, close: &str) -> (usize, bool) {
        self.out.reasoning(rest.get(..at).unwrap_or_default());
        self.out.close();
        self.around.mark();
        self.state = ReaderState::Text;
        self.within = None;
        (at + close.len(), true)
    }

    /// Reads on from a call's marker: the text is reasoning if the end of the reasoning follows. Otherwise, the model forgot it.
    fn reasoning_or_call(&mut self, rest: &str, seen: usize, close: &'static str, end: bool) -> (usize, bool) {
        if let Some(at) = rest.get(seen..).and_then(|more| more.find(close)) {
            return self.reasoned(rest, seen + at, close);
        }
        if !end {
            let mut seen = rest.len().saturating_sub(close.len());
            while !rest.is_char_boundary(seen) {
                seen -= 1;
            }
            self.within = Some(seen);
            return (0, false);
        }
        (self.within, self.forgives) = (None, false);
        let is_declared = |name: &str| self.tools.is_empty() || self.tools.iter().any(|tool| tool.name == name);
        let mut reader = Self { forgives: false, ..Self::new(self.format, self.tools.clone(), "", "") };
        let mut events = reader.push(rest);
        events.extend(reader.end());
        // if the model continues after the call, it only considers the call
        let last =
            events.iter().rev().find(|event| !matches!(event, Event::Text { text, .. } if text.trim().is_empty()));
        if last.is_some_and(|event| matches!(event, Event::CallEnd { name, .. } if is_declared(name))) {
            self.out.close();
            self.state = ReaderState::Text;
            return (0, true);
        }
        self.out.reasoning(rest);
        (rest.len(), false)
    }

    /// Ends reasoning that only the prompt opened, if the text starts with another marker.
    fn left(&mut self, rest: &str, end: bool) -> Match {
        let solid = rest.trim_start();
        let found: Vec<Match> = self.markers.iter().map(|(marker, _)| compare(solid, marker, end)).collect();
        let result = if found.contains(&Match::Maybe) {
            Match::Maybe
        } else if found.contains(&Match::Yes) {
            Match::Yes
        } else {
            Match::No
        };
        self.fresh &= result == Match::Maybe;
        result
    }
}
