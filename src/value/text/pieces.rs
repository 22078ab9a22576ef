//! Long pieces of the output are not copied: a hole records their position, and they are inserted when the text is handed out.

use super::escape::append_part;
use super::made::{buffer_of, raw_of};
use super::trace::How;
use super::{SIDE, SPLIT, Span, TextStore, UNINDEXED};
use crate::value::{Kind, Value};

/// A piece that was left out of a written text (a hole).
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Position in the text that has the hole.
    at: u32,
    start: u32,
    end: u32,
}

impl Piece {
    #[cfg(feature = "trace")]
    pub(super) fn at(&self) -> u32 {
        self.at
    }

    pub(super) fn place(&self) -> Span {
        Span { start: self.start, end: self.end, node: 0 }
    }
}

/// Shorter pieces are copied, which is as fast as recording them. Debug builds record nearly all pieces, so that every test covers this path.
pub(super) const LONG: usize = if cfg!(debug_assertions) { 3 } else { 1024 };
/// The same for large texts, whose copies would take too much memory.
const LONG_OF_LARGE: usize = if cfg!(debug_assertions) { 3 } else { 128 };
const LARGE: usize = 524_288;
/// Made values of fewer bytes get no nodes: scanning them is as fast.
pub(super) const MANY: usize = 512;

/// The minimum length of a piece that is left out, for a text of this length.
pub(super) fn long_piece(source: &[u8]) -> usize {
    if source.len() < LARGE { LONG } else { LONG_OF_LARGE }
}

impl TextStore {
    /// Writes a value: its first and last byte, which show its kind, and a hole between them if it is long.
    #[inline(always)]
    pub(super) fn put_raw(&mut self, value: Span) {
        let start = self.out.len();
        self.put_slice(value);
        self.trace.wrote(start..self.out.len(), value, How::Copied);
    }

    #[inline(always)]
    fn put_slice(&mut self, value: Span) {
        if value.range().len() < self.long_piece {
            return append_part(&mut self.out, buffer_of(&self.source, &self.side, value), value.range());
        }
        match raw_of(&self.source, &self.side, value) {
            [first, .., last] => {
                self.out.push(*first);
                self.pieces.push(Piece { at: self.out.len() as u32, start: value.start + 1, end: value.end - 1 });
                self.out.push(*last);
            }
            short => self.out.extend_from_slice(short),
        }
    }

    /// Writes a made value that has holes.
    pub(super) fn put_holed(&mut self, value: Span) {
        self.trace.wrote_holed(value, self.out.len());
        let (from, to) = (value.start & !SIDE, self.out.len() as u32);
        self.pieces.extend(within(&self.holes, value).map(|hole| Piece { at: hole.at - from + to, ..*hole }));
        self.out.extend_from_slice(raw_of(&self.source, &self.side, value));
    }

    /// Turns what was written since `base` into a separate value.
    pub(super) fn set_aside(&mut self, base: usize) -> Span {
        self.make_room(self.out.len() - base);
        let start = self.side.len();
        self.trace.set_aside(base, start);
        let first = self.pieces.partition_point(|piece| (piece.at as usize) < base);
        let node = if first < self.pieces.len() { SPLIT } else { UNINDEXED };
        let (from, to) = (base as u32, start as u32);
        self.holes.extend(self.pieces.drain(first..).map(|piece| Piece { at: piece.at - from + to, ..piece }));
        self.side.extend_from_slice(self.out.get(base..).unwrap_or_default());
        self.out.truncate(base);
        let made = Span { node, ..self.side_ref(start) };
        // only containers may stay with holes
        if matches!(self.kind_at(made), Kind::Object | Kind::Array) { made } else { self.filled(made) }
    }

    /// The spans that make up a made value with holes.
    pub(super) fn parts(&self, value: Span) -> Vec<Span> {
        let mut parts = Vec::new();
        let mut start = value.start;
        for hole in within(&self.holes, value) {
            parts.push(Span { start, end: hole.at, node: 0 });
            parts.push(hole.place());
            start = hole.at | SIDE;
        }
        parts.push(Span { start, ..value });
        parts
    }

    /// The value with its holes filled.
    fn filled(&mut self, value: Span) -> Span {
        if value.node != SPLIT {
            return value;
        }
        let start = self.side.len();
        for part in self.parts(value) {
            self.copy_aside(part);
        }
        self.trace.filled(value, start, &self.holes);
        Span { node: UNINDEXED, ..self.side_ref(start) }
    }

    /// Appends the text of a span to the side buffer.
    pub(super) fn copy_aside(&mut self, text: Span) {
        if text.start & SIDE == 0 {
            self.side.extend_from_slice(self.source.get(text.range()).unwrap_or_default());
        } else if text.range().end <= self.side.len() {
            self.side.extend_from_within(text.range());
        }
    }

    /// The span of a value that is going to be read: holes are filled, and large values get nodes.
    #[inline(always)]
    pub(super) fn whole(&mut self, value: Value) -> Span {
        let span = self.span(value);
        if span.node == SPLIT || span.node == UNINDEXED { self.made_whole(value, span) } else { span }
    }

    fn made_whole(&mut self, value: Value, span: Span) -> Span {
        let mut span = self.filled(span);
        if span.range().len() > MANY {
            // written text is valid; beyond the depth limit it is read without nodes
            span = self.number(span).map_or(span, |(numbered, _)| numbered);
        }
        if let Some(known) = self.spans.get_mut(value.number() as usize) {
            *known = span;
        }
        span
    }

    /// The length of the written text.
    pub fn output_length(&self) -> usize {
        self.out.len() + self.pieces.iter().map(|piece| piece.place().range().len()).sum::<usize>()
    }

    /// Visits the written text, slice by slice.
    pub fn each_output(&self, mut visit: impl FnMut(&[u8])) {
        let mut position = 0;
        for piece in &self.pieces {
            let at = piece.at as usize;
            visit(self.out.get(position..at).unwrap_or_default());
            visit(self.raw(piece.place()));
            position = at;
        }
        visit(self.out.get(position..).unwrap_or_default());
    }

    /// The written text.
    pub fn into_output(mut self) -> Vec<u8> {
        if self.pieces.is_empty() {
            let output = std::mem::take(&mut self.out);
            self.leave();
            return output;
        }
        let mut output = Vec::with_capacity(self.output_length());
        self.each_output(|slice| output.extend_from_slice(slice));
        self.leave();
        output
    }
}

/// The holes of a made value.
fn within(holes: &[Piece], value: Span) -> impl Iterator<Item = &Piece> {
    let first = holes.partition_point(|hole| hole.at < value.start & !SIDE);
    holes.iter().skip(first).take_while(move |hole| hole.at < value.end)
}
