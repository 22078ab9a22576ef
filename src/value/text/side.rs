//! The side buffer: strings and values that were made, beside the text that was read.

use super::index::{Indexed, index};
use super::{BARE, SIDE, Span, TextStore, UNNUMBERED};
use crate::value::Fault;

impl TextStore {
    /// Appends a finished text to the side buffer as a value.
    pub(super) fn keep(&mut self, text: &[u8]) -> Span {
        let start = self.side.len();
        self.side.extend_from_slice(text);
        self.side_ref(start)
    }

    pub(super) fn side_ref(&self, start: usize) -> Span {
        Span { start: start as u32 | SIDE, end: self.side.len() as u32, node: 0 }
    }

    /// A value in the side buffer that is known to be valid. The containers of a small one need no numbers.
    pub(super) fn made(&mut self, start: usize) -> Result<Span, Fault> {
        const SMALL: usize = 512;
        let text = self.side.get(start..).unwrap_or_default();
        if text.len() <= SMALL && text.trim_ascii().len() == text.len() {
            return Ok(Span { node: UNNUMBERED, ..self.side_ref(start) });
        }
        self.index_side(start).map(|(value, _)| value)
    }

    /// Gives the containers of a value in the side buffer their numbers. Only valid text is ever put there.
    pub(super) fn index_side(&mut self, start: usize) -> Result<(Span, Indexed), Fault> {
        let first = self.nodes.len();
        let tail = self.side.get_mut(start..).unwrap_or_default();
        let indexed = index(tail, &mut self.nodes, self.max_depth)?;
        for node in self.nodes.iter_mut().skip(first) {
            node.start += start as u32;
            node.end += start as u32;
        }
        let value = Span {
            start: (start + indexed.start) as u32 | SIDE,
            end: (start + indexed.end) as u32,
            node: indexed.node,
        };
        Ok((value, indexed))
    }
}

/// Of the two buffers the one that the value stands in.
#[inline(always)]
pub(super) fn buffer_of<'a>(source: &'a [u8], side: &'a [u8], value: Span) -> &'a [u8] {
    if value.start & SIDE == 0 { source } else { side }
}

#[inline(always)]
pub(super) fn raw_of<'a>(source: &'a [u8], side: &'a [u8], value: Span) -> &'a [u8] {
    buffer_of(source, side, value).get((value.start & !SIDE) as usize..value.end as usize).unwrap_or_default()
}

/// Where the content of a string stands in its buffer.
#[inline(always)]
pub(super) fn content_range(string: Span) -> std::ops::Range<usize> {
    let start = (string.start & !SIDE) as usize;
    let end = string.end as usize;
    if string.node == BARE { start..end.max(start) } else { start + 1..end.saturating_sub(1).max(start + 1) }
}
