//! Where the output comes from: the ranges of the source from which each written value was copied, decoded or encoded.
//!
//! Values are written by copying slices, so the store knows the origin of each: a range of the source, or one of the side buffer, whose own
//! ranges have origins, too. What the conversion writes itself, such as words and numbers, has none: it is `made`.

mod member;
mod rows;

use super::pieces::Piece;
use super::{SIDE, Span};
pub use rows::{How, Mapped};
use std::ops::Range;

/// A range of a buffer, and the span from which it was taken.
#[derive(Clone, Copy, Debug)]
struct Origin {
    start: u32,
    end: u32,
    from: Span,
    how: How,
}

impl Origin {
    fn of(range: Range<usize>, from: Span, how: How) -> Origin {
        Origin { start: range.start as u32, end: range.end as u32, from, how }
    }

    fn moved(self, from: u32, to: u32) -> Origin {
        Origin { start: self.start - from + to, end: self.end - from + to, ..self }
    }
}

/// The origins of what was written, and of what is in the side buffer. Both lists are in order, and their ranges do not overlap.
#[derive(Default)]
pub(super) struct Trace {
    out: Vec<Origin>,
    side: Vec<Origin>,
}

impl Trace {
    #[inline(never)]
    pub(super) fn clear(&mut self) {
        self.out.clear();
        self.side.clear();
    }

    /// A range of the output was taken from a span.
    #[inline(never)]
    pub(super) fn wrote(&mut self, range: Range<usize>, from: Span, how: How) {
        self.out.push(Origin::of(range, from, how));
    }

    /// A range at the end of the side buffer was taken from a span.
    #[inline(never)]
    pub(super) fn kept(&mut self, range: Range<usize>, from: Span, how: How) {
        self.side.push(Origin::of(range, from, how));
    }

    /// What was written since `base` is in the side buffer now, from `start`.
    #[inline(never)]
    pub(super) fn set_aside(&mut self, base: usize, start: usize) {
        let first = self.out.partition_point(|origin| (origin.start as usize) < base);
        self.side.extend(self.out.drain(first..).map(|origin| origin.moved(base as u32, start as u32)));
    }

    /// A made value with holes was written at `to`, as it is.
    #[inline(never)]
    pub(super) fn wrote_holed(&mut self, value: Span, to: usize) {
        let from = value.start & !SIDE;
        let origins = self.side.get(self.within(value)).unwrap_or_default();
        self.out.extend(origins.iter().map(|origin| origin.moved(from, to as u32)));
    }

    /// A made value was copied to the end of the side buffer, from `start`, with its holes filled.
    #[inline(never)]
    pub(super) fn filled(&mut self, value: Span, start: usize, holes: &[Piece]) {
        let from = value.start & !SIDE;
        let first = holes.partition_point(|hole| hole.at() < from);
        let mut shift = Shift::new(holes.get(first..).unwrap_or_default());
        for place in self.within(value) {
            let Some(origin) = self.side.get(place).copied() else { break };
            let (first, last) = (shift.before(origin.start), shift.before(origin.end));
            let moved = origin.moved(from, start as u32);
            self.side.push(Origin { start: moved.start + first, end: moved.end + last, ..moved });
        }
    }

    /// The places in the list of the origins in a made value.
    fn within(&self, value: Span) -> Range<usize> {
        let first = self.side.partition_point(|origin| origin.start < value.start & !SIDE);
        first..self.side.partition_point(|origin| origin.start < value.end).max(first)
    }
}

/// How much is left out before each position of a text with holes. Must be asked in order.
struct Shift<'a> {
    holes: std::slice::Iter<'a, Piece>,
    sum: u32,
}

impl Shift<'_> {
    fn new(holes: &[Piece]) -> Shift<'_> {
        Shift { holes: holes.iter(), sum: 0 }
    }

    /// A hole is between the first and the last byte of its value, so it is before the end of that value only.
    fn before(&mut self, position: u32) -> u32 {
        while let [hole, ..] = self.holes.as_slice()
            && hole.at() < position
        {
            self.sum += hole.place().range().len() as u32;
            self.holes.next();
        }
        self.sum
    }
}
