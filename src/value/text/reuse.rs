//! Stores come and go with every conversion: the memory that one needed is used again by the next.

use super::index::Node;
use super::pieces::Piece;
use super::{Span, TextStore};
use std::cell::Cell;

/// So many bytes are kept at most.
const MOST_KEPT: usize = 131_072;

thread_local! {
    static KEPT: Cell<Option<TextStore>> = const { Cell::new(None) };
}

impl TextStore {
    /// An empty store, with the memory of the one that was left last.
    pub(super) fn reused() -> TextStore {
        KEPT.take().unwrap_or_else(|| TextStore::empty(0))
    }

    /// Leaves the memory to the next.
    pub(super) fn leave(mut self) {
        self.source = Vec::new();
        if self.room() <= MOST_KEPT {
            self.forget_made();
            // at the end of a thread there is nothing to keep it for
            let _ = KEPT.try_with(|spare| spare.set(Some(self)));
        }
    }

    /// The bytes that its lists take, but for those that are always short.
    fn room(&self) -> usize {
        let pieces = self.pieces.capacity() + self.holes.capacity();
        self.out.capacity()
            + self.side.capacity()
            + self.nodes.capacity() * size_of::<Node>()
            + self.spans.capacity() * size_of::<Span>()
            + pieces * size_of::<Piece>()
    }
}
