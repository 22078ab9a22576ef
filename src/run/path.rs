//! Positions in the input. A path is only built when an error or warning needs it.

use crate::places::hash_of;
use crate::value::text::push_pointer_step;
use crate::value::{Keyed, Store, Value, Word};

/// The position of one value in the input. Cheap to create and copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At(u32);

impl At {
    pub const ROOT: At = At(0);

    /// The position that was created after this one.
    pub fn next(self) -> At {
        At(self.0 + 1)
    }
}

/// One step from a position to a value inside it.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Word(Word),
    Key(Value),
    Index(usize),
    /// The start of another event: an index into the list of recalled places.
    Place(usize),
}

/// A position that outlives its event, in a stream.
#[derive(Clone, Debug)]
pub struct Place(String);

/// All positions so far; each knows its parent.
#[derive(Debug, Default)]
pub struct Paths {
    steps: Vec<(At, Step)>,
    /// Keys that spell a word in another way, by position.
    respelt: Keyed<Value>,
    /// The number of the event that is being read, if the input is a stream.
    event: Option<u64>,
    places: Vec<Place>,
}

impl Paths {
    pub fn new() -> Paths {
        Paths { steps: Vec::with_capacity(128), ..Paths::default() }
    }

    /// Sets the number of the event that is being read.
    pub fn set_event(&mut self, event: u64) {
        self.event = Some(event);
    }

    /// Restores a position in an earlier event.
    pub fn recall(&mut self, place: &Place) -> At {
        self.places.push(place.clone());
        self.down(At::ROOT, Step::Place(self.places.len() - 1))
    }

    pub fn keep(&self, store: &Store, at: At) -> Place {
        Place(self.pointer(store, at))
    }

    /// Discards all positions.
    pub fn forget(&mut self) {
        self.steps.clear();
        self.respelt.clear();
        self.places.clear();
    }

    /// Records that the input spells `word` at `parent` as this key.
    pub fn respell(&mut self, store: &Store, parent: At, word: Word, key: Value) {
        self.respelt.insert(&self.way(store, parent, word), key);
    }

    /// A hash of the steps from the root to `word` at `parent`, as several positions may refer to the same value.
    fn way(&self, store: &Store, parent: At, word: Word) -> [u8; 8] {
        const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
        let (mut way, mut current) = (word as u64, parent);
        while let Some((parent, step)) = self.step(current) {
            let name = match step {
                Step::Word(word) => word as u64,
                Step::Index(index) | Step::Place(index) => !(index as u64),
                Step::Key(key) => hash_of(store.text(key).as_bytes()),
            };
            way = (way.rotate_left(5) ^ name).wrapping_mul(FACTOR);
            current = parent;
        }
        way.to_le_bytes()
    }

    /// The last step to a position, and where it starts.
    fn step(&self, at: At) -> Option<(At, Step)> {
        (at.0 as usize).checked_sub(1).and_then(|index| self.steps.get(index)).copied()
    }

    /// The position that contains this one; the root contains itself.
    pub fn parent(&self, at: At) -> At {
        self.step(at).map_or(At::ROOT, |(parent, _)| parent)
    }

    pub fn down(&mut self, parent: At, step: Step) -> At {
        debug_assert!(parent.0 as usize <= self.steps.len(), "a place of another event");
        self.steps.push((parent, step));
        At(self.steps.len() as u32)
    }

    /// Creates consecutive positions for `count` elements. Returns the first one.
    pub fn down_all(&mut self, parent: At, count: usize) -> At {
        let first = At(self.steps.len() as u32).next();
        self.steps.extend((0..count).map(|index| (parent, Step::Index(index))));
        first
    }

    /// The JSON Pointer (RFC 6901) of a position.
    pub fn pointer(&self, store: &Store, at: At) -> String {
        debug_assert!(at.0 as usize <= self.steps.len(), "a place of another event");
        let mut chain = Vec::with_capacity(8);
        let mut current = at;
        while let Some((parent, step)) = self.step(current) {
            let respelt = match step {
                Step::Word(word) if !self.respelt.is_empty() => self.respelt.get(&self.way(store, parent, word)),
                Step::Word(_) | Step::Key(_) | Step::Index(_) | Step::Place(_) => None,
            };
            chain.push(respelt.map_or(step, |key| Step::Key(*key)));
            current = parent;
        }
        let mut pointer = String::with_capacity(64);
        if let Some(event) = self.event {
            pointer.push('/');
            pointer.push_str(&event.to_string());
        }
        for step in chain.into_iter().rev() {
            if let Step::Place(index) = step {
                pointer = self.places.get(index).map(|place| place.0.clone()).unwrap_or_default();
                continue;
            }
            pointer.push('/');
            match step {
                Step::Word(word) => push_pointer_step(&mut pointer, word.text()),
                Step::Key(key) => push_pointer_step(&mut pointer, &store.text(key)),
                Step::Index(index) => pointer.push_str(&index.to_string()),
                Step::Place(_) => {}
            }
        }
        pointer
    }
}
