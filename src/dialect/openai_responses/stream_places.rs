//! Positions of the items in a streamed response: some servers leave them out or send wrong ones (Q169).

use crate::run::{Reading, Run};
use crate::value::{Keyed, Keys, Kind, Value, Word};

#[derive(Default)]
pub struct Places {
    /// The positions of all items so far, and the positions by item id.
    seen: Keys,
    by_id: Keyed<u32>,
    count: u32,
}

impl Places {
    pub fn begin(&mut self, run: &mut Run, index: u32, item: Value) {
        self.seen.add(&index.to_le_bytes());
        self.count += 1;
        if let Some(id) = id_of(run, item) {
            self.by_id.insert(run.store.text(id).as_bytes(), index);
        }
    }

    pub fn has(&self, index: u32) -> bool {
        self.seen.has(&index.to_le_bytes())
    }

    /// The position of the next item, if items begin in order.
    pub fn next(&self) -> u32 {
        self.count
    }

    /// The position of an item that has begun.
    pub fn of_item(&self, run: &mut Run, item: Value) -> Option<u32> {
        let id = id_of(run, item)?;
        self.by_id.get(run.store.text(id).as_bytes()).copied()
    }

    /// The position of the item that an event without a position refers to. An unknown item is the next one.
    pub fn of_event(&self, run: &mut Run, event: &Reading) -> Option<u32> {
        if let Some(item) = event.peek(Word::item) {
            return Some(self.of_item(run, item).unwrap_or(self.count));
        }
        let id = event.peek(Word::item_id).filter(|id| run.store.kind(*id) == Kind::String)?;
        self.by_id.get(run.store.text(id).as_bytes()).copied()
    }
}

/// The id of an item. Events refer to a call without an item id by its call id.
fn id_of(run: &mut Run, item: Value) -> Option<Value> {
    let ids = [Word::id, Word::call_id].map(|word| run.member(item, word));
    ids.into_iter().flatten().find(|id| run.store.kind(*id) == Kind::String && !run.store.is_empty(*id))
}
