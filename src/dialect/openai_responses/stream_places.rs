//! Where the items of a streamed answer stand: not every server says so, or says so truly (Q169).

use crate::run::{Reading, Run};
use crate::value::{Keyed, Keys, Kind, Value, Word};

#[derive(Default)]
pub struct Places {
    /// The places of all items that have begun; and the same by their ids.
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

    /// The place of the item that begins next, as far as they begin in order.
    pub fn next(&self) -> u32 {
        self.count
    }

    /// The place of an item that has begun.
    pub fn of_item(&self, run: &mut Run, item: Value) -> Option<u32> {
        let id = id_of(run, item)?;
        self.by_id.get(run.store.text(id).as_bytes()).copied()
    }

    /// The place of the item that an event without a place is about: one that is not known is the next one.
    pub fn of_event(&self, run: &mut Run, event: &Reading) -> Option<u32> {
        if let Some(item) = event.peek(Word::item) {
            return Some(self.of_item(run, item).unwrap_or(self.count));
        }
        let id = event.peek(Word::item_id).filter(|id| run.store.kind(*id) == Kind::String)?;
        self.by_id.get(run.store.text(id).as_bytes()).copied()
    }
}

/// The id of an item; events name calls without one by the id of the call.
fn id_of(run: &mut Run, item: Value) -> Option<Value> {
    let ids = [Word::id, Word::call_id].map(|word| run.member(item, word));
    ids.into_iter().flatten().find(|id| run.store.kind(*id) == Kind::String && !run.store.is_empty(*id))
}
