//! Which calls wait under one id or name: the first that waits comes first, however many there are.

use smallvec::SmallVec;
use std::collections::HashMap;

/// Few keys are looked through, many are looked up.
const FEW: usize = 8;

#[derive(Default)]
pub struct Queues {
    calls: SmallVec<[(String, Queue); 2]>,
    /// Where the key stands in `calls`, once that has many.
    places: HashMap<String, usize>,
}

#[derive(Default)]
struct Queue {
    all: SmallVec<[usize; 2]>,
    /// How many of them wait no more.
    passed: usize,
}

impl Queues {
    pub fn clear(&mut self) {
        self.calls.clear();
        self.places.clear();
    }

    /// Adds a call; true if it is the first under its key.
    pub fn add(&mut self, key: &str, index: usize) -> bool {
        if let Some(queue) = self.queue(key) {
            queue.all.push(index);
            return false;
        }
        self.calls.push((key.to_owned(), Queue { all: SmallVec::from_slice(&[index]), passed: 0 }));
        if self.calls.len() > FEW {
            for (place, (key, _)) in self.calls.iter().enumerate().skip(self.places.len()) {
                self.places.insert(key.clone(), place);
            }
        }
        true
    }

    fn queue(&mut self, key: &str) -> Option<&mut Queue> {
        let place = if self.calls.len() > FEW {
            self.places.get(key).copied()?
        } else {
            self.calls.iter().position(|(known, _)| known == key)?
        };
        self.calls.get_mut(place).map(|(_, queue)| queue)
    }

    /// Takes the first that still waits under the key.
    pub fn next(&mut self, key: &str, still_waits: impl Fn(usize) -> bool) -> Option<usize> {
        let queue = self.queue(key)?;
        while let Some(index) = queue.all.get(queue.passed).copied() {
            queue.passed += 1;
            if still_waits(index) {
                return Some(index);
            }
        }
        None
    }

    /// The last that was added under the key, waiting or not.
    pub fn last(&mut self, key: &str) -> Option<usize> {
        self.queue(key)?.all.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, Queues};

    #[test]
    fn few_and_many_are_found_alike() {
        for count in [1, FEW, FEW + 1, 3 * FEW] {
            let mut queues = Queues::default();
            for index in 0..2 * count {
                assert_eq!(queues.add(&format!("call {}", index % count), index), index < count);
            }
            for key in 0..count {
                let name = format!("call {key}");
                assert_eq!(queues.next(&name, |index| index != key), Some(key + count));
                assert_eq!((queues.next(&name, |_| true), queues.last(&name)), (None, Some(key + count)));
            }
            assert_eq!(queues.next("another", |_| true), None);
        }
    }
}
