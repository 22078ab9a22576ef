//! Where things stand in the input. A path is written out only when an error or warning needs it.

use crate::value::text::push_pointer_step;
use crate::value::{Store, Value, Word};

/// The place of one value in the input. Cheap to make and to copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct At(u32);

impl At {
    pub const ROOT: At = At(0);
}

/// One step down from a place.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    Word(Word),
    Key(Value),
    Index(usize),
}

/// All places named so far; each knows its parent.
#[derive(Debug, Default)]
pub struct Paths {
    steps: Vec<(At, Step)>,
}

/// How many places there were at some time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places(usize);

impl Paths {
    pub fn new() -> Paths {
        Paths { steps: Vec::with_capacity(64) }
    }

    pub fn places(&self) -> Places {
        Places(self.steps.len())
    }

    /// Forgets all places that were named after these.
    pub fn forget_after(&mut self, places: Places) {
        self.steps.truncate(places.0);
    }

    pub fn down(&mut self, parent: At, step: Step) -> At {
        self.steps.push((parent, step));
        At(self.steps.len() as u32)
    }

    /// The JSON Pointer (RFC 6901) of a place.
    pub fn pointer(&self, store: &dyn Store, at: At) -> String {
        let mut chain = Vec::new();
        let mut current = at;
        while let Some((parent, step)) = (current.0 as usize).checked_sub(1).and_then(|index| self.steps.get(index)) {
            chain.push(step);
            // a place of an earlier event of a stream means nothing here, and must not go in circles
            if parent.0 >= current.0 {
                break;
            }
            current = *parent;
        }
        let mut pointer = String::new();
        for step in chain.into_iter().rev() {
            pointer.push('/');
            match step {
                Step::Word(word) => push_pointer_step(&mut pointer, word.text()),
                Step::Key(key) => push_pointer_step(&mut pointer, &store.text(*key)),
                Step::Index(index) => pointer.push_str(&index.to_string()),
            }
        }
        pointer
    }
}
