//! Reads plain text, up to what is no text.

use std::ops::ControlFlow;

use super::Reader;
use crate::text::read::block::{BlockReader, CUT_MARKER};
use crate::text::read::call::Standing;
use crate::text::read::closed::Closed;
use crate::text::read::lost;
use crate::text::read::markers::is_strong;
use crate::text::read::place::{Ahead, Surroundings};
use crate::text::read::scan::Match;
use crate::text::read::state::ReaderState;
use crate::text::read::text_markers::{Marker, STRONG};
use crate::text::read::unmarked::Start;

/// What ends plain text.
enum Found {
    Marker(&'static str, Marker, Box<Surroundings>),
    /// A call without its opening marker.
    Unmarked(ReaderState),
    /// A marker that the end of the text cuts off.
    Cut,
    /// What may be one of these when more of the text is known.
    Maybe,
}

impl Reader {
    /// Returns the number of bytes that were read, and whether to continue.
    pub(super) fn plain(&mut self, rest: &str, end: bool) -> (usize, bool) {
        let mut at = 0;
        let mut ahead = Ahead::default();
        let found = loop {
            at += self.first.before(rest.as_bytes().get(at..).unwrap_or_default());
            if at == rest.len() {
                self.rest(rest, ahead);
                return (at, false);
            }
            match self.find(rest, at, &mut ahead, end) {
                ControlFlow::Continue(size) => at += size,
                ControlFlow::Break(found) => break found,
            }
        };
        let (text, candidate) = rest.split_at_checked(at).unwrap_or_default();
        self.rest(text, ahead);
        match found {
            Found::Maybe => (at, false),
            Found::Cut => {
                self.cut(candidate);
                (rest.len(), false)
            }
            Found::Unmarked(state) => {
                self.state = state;
                (at, true)
            }
            Found::Marker(marker, kind, place) => (self.marker(at, marker, kind, &place, candidate), true),
        }
    }

    /// What is at this position, or how many bytes of text are.
    fn find(&self, rest: &str, at: usize, ahead: &mut Ahead, end: bool) -> ControlFlow<Found, usize> {
        let Some(candidate) = rest.get(at..) else {
            // within a character
            return ControlFlow::Continue(1);
        };
        let (unmarked, state) = self.find_unmarked(rest, at, ahead, end);
        if let Some(state) = state {
            return ControlFlow::Break(Found::Unmarked(state));
        }
        let mut maybe = unmarked == Match::Maybe;
        let found = self.markers.at_start(candidate, end, &mut maybe).filter(|_| !maybe);
        // more than a marker that the longer one begins with
        let is_longer = found.is_none_or(|(marker, _)| candidate.trim_end().len() > marker.len());
        let is_begun = end && is_longer && self.markers.begins(candidate);
        if is_begun && self.markers.are_cut(candidate, ahead.at(&self.around, rest, at)) {
            return ControlFlow::Break(Found::Cut);
        }
        let mut size = 1;
        if let Some((marker, kind)) = found {
            let around = ahead.at(&self.around, rest, at);
            let after = candidate.get(marker.len()..).unwrap_or_default();
            match self.markers.meaning(marker, kind, around, after, end) {
                Match::Yes => return ControlFlow::Break(Found::Marker(marker, kind, Box::new(around.clone()))),
                Match::Maybe => maybe = true,
                Match::No => {
                    around.show(self.markers.is_inner(marker, kind), after);
                    around.show_call(self.markers.shows_call(marker, kind, around));
                    size = marker.len();
                }
            }
        }
        if maybe { ControlFlow::Break(Found::Maybe) } else { ControlFlow::Continue(size) }
    }

    /// Whether a call without its opening marker is at this position, and what reads it.
    fn find_unmarked(&self, rest: &str, at: usize, ahead: &mut Ahead, end: bool) -> (Match, Option<ReaderState>) {
        let Some(unmarked) = &self.unmarked else {
            return (Match::No, None);
        };
        let (found, start) = unmarked.begins(rest, at, &self.tools, end);
        if found != Match::Yes {
            return (found, None);
        }
        let around = ahead.at(&self.around, rest, at);
        let candidate = rest.get(at..).unwrap_or_default();
        match around.is_code(candidate, end).or(|| around.is_quoted(candidate, end)) {
            Match::Yes => (Match::No, None),
            Match::Maybe => (Match::Maybe, None),
            Match::No => (Match::Yes, self.unmarked(start, around.is_beginning())),
        }
    }

    /// A call without its opening marker.
    fn unmarked(&self, start: Start, is_first: bool) -> Option<ReaderState> {
        match start {
            Start::Json => Closed::new(self.format, is_first && !self.tools.is_empty()).map(ReaderState::Closed),
            Start::Name(opening) => Some(ReaderState::Block(Box::new(BlockReader::unmarked(self.format, opening)))),
        }
    }

    /// The text ends within a marker. If it is that of a call, the call is invalid.
    fn cut(&mut self, marker: &str) {
        if self.markers.is_cut(marker) {
            lost::cut(self.origin(), self.headed.take(), marker, &mut self.out);
        } else {
            self.out.lose(CUT_MARKER, marker);
        }
    }

    /// Continues after a marker at this position, with which `rest` begins. Returns the position.
    fn marker(&mut self, at: usize, marker: &'static str, kind: Marker, around: &Surroundings, rest: &str) -> usize {
        match kind {
            Marker::Block(format) => {
                let is_own = std::ptr::eq(format, self.format);
                let is_strong = is_strong(marker, STRONG) && !self.markers.is_inner(marker, kind);
                let mut block = BlockReader::new(format, Standing::of(is_strong, around.place()));
                block.headed = self.headed.take();
                block.is_beginning = around.is_beginning() && !is_own;
                self.state = ReaderState::Block(Box::new(block));
                at
            }
            Marker::Head => {
                let block = BlockReader::headed(self.format, around.word());
                self.state = ReaderState::Block(Box::new(block));
                at
            }
            // only closing markers follow
            Marker::Close if !around.is_after_markup() => {
                lost::closed(self.origin(), around.recent(), rest, &self.tools, &mut self.out);
                at + rest.len()
            }
            Marker::Close => {
                self.out.lose("a closing marker that closes nothing was dropped", marker);
                self.around.mark();
                at + marker.len()
            }
            Marker::Dropped => {
                self.around.mark();
                at + marker.len()
            }
            Marker::LineBreak => {
                self.text("\n");
                at + marker.len()
            }
            Marker::Header => {
                self.state = ReaderState::Header(true);
                at + marker.len()
            }
            Marker::Hidden(pair) => {
                self.state = ReaderState::Hidden(pair);
                at
            }
            Marker::Reasoning(pair) => {
                self.state = self.begin_reasoning(pair);
                at + marker.len()
            }
        }
    }
}
