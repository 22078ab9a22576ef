//! The side buffer: strings and values that were made during the conversion, separate from the text that was read.

use super::escape::Form;
use super::index::{Indexed, index};
use super::{SIDE, Span, TextStore, UNQUOTED};
use crate::value::{Fault, MOST_VALUES};

impl TextStore {
    /// Fails when handles may soon run out: half of the numbers are reserved for made values.
    pub(super) fn require_numbers(&self) -> Result<(), Fault> {
        if self.spans.len() > MOST_VALUES / 2 { Err(Fault::TooLarge) } else { Ok(()) }
    }

    /// How the text of a value is stored.
    pub(super) fn form(&self, value: Span) -> Form {
        match value.node {
            UNQUOTED => Form::Bare,
            _ if self.is_compact && value.start & SIDE == 0 => Form::Compact,
            _ => Form::Any,
        }
    }

    /// Appends a complete text to the side buffer as a value.
    pub(super) fn keep(&mut self, text: &[u8]) -> Span {
        let start = self.side.len();
        self.side.extend_from_slice(text);
        self.side_ref(start)
    }

    /// Reserves `length` more bytes and a little extra. Doubling could take twice the memory of the largest body.
    pub(super) fn make_room(&mut self, length: usize) {
        if self.side.capacity() - self.side.len() < length {
            let used = self.side.len() + length;
            self.side.reserve_exact(length + used / 4 + 256);
        }
    }

    pub(super) fn side_ref(&self, start: usize) -> Span {
        Span { start: start as u32 | SIDE, end: self.side.len() as u32, node: 0 }
    }

    /// Adds nodes for the containers of a value in the side buffer, which always holds valid text.
    pub(super) fn number(&mut self, value: Span) -> Result<(Span, Indexed), Fault> {
        let first = self.nodes.len();
        let start = value.start & !SIDE;
        let text = self.side.get_mut(value.range()).unwrap_or_default();
        let indexed = index(text, &mut self.nodes, self.max_depth).inspect_err(|_| self.nodes.truncate(first))?;
        for node in self.nodes.iter_mut().skip(first) {
            // marked, as a string in the text that was read may have the same position
            node.start += value.start;
            node.end += start;
        }
        let end = start + indexed.end as u32;
        let start = (start + indexed.start as u32) | SIDE;
        Ok((Span { start, end, node: indexed.node }, indexed))
    }
}

impl Span {
    /// The position in the buffer.
    #[inline(always)]
    pub(super) fn range(self) -> std::ops::Range<usize> {
        let start = (self.start & !SIDE) as usize;
        start..(self.end as usize).max(start)
    }
}

/// The buffer that holds the value.
#[inline(always)]
pub(super) fn buffer_of<'a>(source: &'a [u8], side: &'a [u8], value: Span) -> &'a [u8] {
    if value.start & SIDE == 0 { source } else { side }
}

#[inline(always)]
pub(super) fn raw_of<'a>(source: &'a [u8], side: &'a [u8], value: Span) -> &'a [u8] {
    buffer_of(source, side, value).get(value.range()).unwrap_or_default()
}

/// The position of a string's content in its buffer.
#[inline(always)]
pub(super) fn content_range(string: Span) -> std::ops::Range<usize> {
    let std::ops::Range { start, end } = string.range();
    if string.node == UNQUOTED { start..end } else { start + 1..end.saturating_sub(1).max(start + 1) }
}
