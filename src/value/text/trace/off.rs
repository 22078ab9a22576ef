//! What takes the place of the trace without the feature `trace`: nothing is kept.

use super::Span;
use super::pieces::Piece;
use std::ops::Range;

pub enum How {
    Copied,
    Decoded,
    Joined,
    Encoded,
}

#[derive(Default)]
pub(super) struct Trace {}

impl Trace {
    #[inline(always)]
    pub(super) fn clear(&mut self) {}
    #[inline(always)]
    pub(super) fn wrote(&mut self, _range: Range<usize>, _from: Span, _how: How) {}
    #[inline(always)]
    pub(super) fn kept(&mut self, _range: Range<usize>, _from: Span, _how: How) {}
    #[inline(always)]
    pub(super) fn set_aside(&mut self, _base: usize, _start: usize) {}
    #[inline(always)]
    pub(super) fn wrote_holed(&mut self, _value: Span, _to: usize) {}
    #[inline(always)]
    pub(super) fn filled(&mut self, _value: Span, _start: usize, _holes: &[Piece]) {}
}
