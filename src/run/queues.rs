//! Which calls wait under one id or name: the first that waits comes first, however many there are.

use crate::value::Keys;

#[derive(Default)]
pub struct Queues {
    keys: Keys,
    queues: Vec<Queue>,
}

#[derive(Default)]
struct Queue {
    all: Vec<usize>,
    /// How many of them wait no more.
    passed: usize,
}

impl Queues {
    pub fn clear(&mut self) {
        self.keys.clear();
        self.queues.clear();
    }

    /// Adds a call; true if it is the first under its key.
    pub fn add(&mut self, key: &[u8], index: usize) -> bool {
        let place = self.keys.place_or_add(key);
        let is_first = place == self.queues.len();
        if is_first {
            self.queues.push(Queue::default());
        }
        if let Some(queue) = self.queues.get_mut(place) {
            queue.all.push(index);
        }
        is_first
    }

    /// Takes the first under the key that is not answered yet.
    pub fn next(&mut self, key: &[u8], answered: &[bool]) -> Option<usize> {
        let queue = self.queues.get_mut(self.keys.place(key)?)?;
        while let Some(index) = queue.all.get(queue.passed).copied() {
            queue.passed += 1;
            if !answered.get(index).is_some_and(|answered| *answered) {
                return Some(index);
            }
        }
        None
    }

    /// The last that was added under the key, waiting or not.
    pub fn last(&self, key: &[u8]) -> Option<usize> {
        self.queues.get(self.keys.place(key)?)?.all.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::Queues;

    #[test]
    fn those_of_one_key_come_in_their_order() {
        let mut queues = Queues::default();
        for index in 0..6 {
            assert_eq!(queues.add(&[index as u8 % 3], index), index < 3);
        }
        for key in 0..3 {
            let answered: Vec<bool> = (0..6).map(|index| index == key).collect();
            let name = [key as u8];
            assert_eq!(queues.next(&name, &answered), Some(key + 3));
            assert_eq!((queues.next(&name, &[]), queues.last(&name)), (None, Some(key + 3)));
        }
        assert_eq!(queues.next(b"another", &[]), None);
    }
}
