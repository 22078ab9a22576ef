//! Every conversion creates a store, so a dropped store's memory is kept for the next one.

use super::index::IndexNode;
use super::pieces::Piece;
use super::{Span, TextStore};
use std::cell::Cell;

/// Stores with more memory (in bytes) are not kept.
const MOST_KEPT: usize = 131_072;

thread_local! {
    static KEPT: Cell<Option<TextStore>> = const { Cell::new(None) };
}

impl TextStore {
    /// An empty store, with the memory of the last one that was dropped.
    pub(super) fn reused() -> TextStore {
        KEPT.take().unwrap_or_else(|| TextStore::empty(0))
    }

    /// Keeps the memory for the next store.
    pub(super) fn leave(mut self) {
        self.source = Vec::new();
        if self.capacity() <= MOST_KEPT {
            self.forget_made();
            // fails only while the thread ends, when nothing needs to be kept
            let _ = KEPT.try_with(|spare| spare.set(Some(self)));
        }
    }

    /// The bytes of its lists, apart from those that are always short.
    fn capacity(&self) -> usize {
        let pieces = self.pieces.capacity() + self.holes.capacity();
        self.out.capacity()
            + self.side.capacity()
            + self.nodes.capacity() * size_of::<IndexNode>()
            + self.spans.capacity() * size_of::<Span>()
            + pieces * size_of::<Piece>()
    }
}
