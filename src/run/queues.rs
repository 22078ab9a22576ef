//! Which calls wait under one id or name: the first that waits comes first, however many there are.

use std::collections::{HashMap, VecDeque};

#[derive(Default)]
pub struct Queues(HashMap<String, Queue>);

struct Queue {
    waiting: VecDeque<usize>,
    last: usize,
}

impl Queues {
    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn add(&mut self, key: &str, index: usize) {
        match self.0.get_mut(key) {
            Some(queue) => {
                queue.waiting.push_back(index);
                queue.last = index;
            }
            None => {
                self.0.insert(key.to_owned(), Queue { waiting: VecDeque::from([index]), last: index });
            }
        }
    }

    /// Takes the first that still waits under the key.
    pub fn next(&mut self, key: &str, still_waits: impl Fn(usize) -> bool) -> Option<usize> {
        let queue = self.0.get_mut(key)?;
        while let Some(index) = queue.waiting.pop_front() {
            if still_waits(index) {
                return Some(index);
            }
        }
        None
    }

    /// The last that was added under the key, waiting or not.
    pub fn last(&self, key: &str) -> Option<usize> {
        self.0.get(key).map(|queue| queue.last)
    }
}
