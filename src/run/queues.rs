//! Queues of pending calls by id or name, in the order of the calls. All operations take constant time. Calls are numbered in order.

use crate::value::Keys;

#[derive(Default)]
pub struct Queues {
    keys: Keys,
    queues: Vec<Queue>,
    /// For each call, the next one with the same key.
    following: Vec<Option<usize>>,
}

struct Queue {
    /// The first call that may be pending.
    waiting: Option<usize>,
    last: usize,
}

impl Queues {
    pub fn clear(&mut self) {
        self.keys.clear();
        self.queues.clear();
        self.following.clear();
    }

    /// Number of calls.
    pub fn len(&self) -> usize {
        self.following.len()
    }

    /// Adds the next call; true if it is the first with its key.
    pub fn add(&mut self, key: &[u8]) -> bool {
        let index = self.following.len();
        self.following.push(None);
        let Some(queue) = self.queues.get_mut(self.keys.place_or_add(key)) else {
            self.queues.push(Queue { waiting: Some(index), last: index });
            return true;
        };
        if let Some(following) = self.following.get_mut(queue.last) {
            *following = Some(index);
        }
        queue.waiting = queue.waiting.or(Some(index));
        queue.last = index;
        false
    }

    /// Takes the first call with this key that has no result yet.
    pub fn next(&mut self, key: &[u8], answered: &[bool]) -> Option<usize> {
        let queue = self.queues.get_mut(self.keys.place(key)?)?;
        while let Some(index) = queue.waiting {
            queue.waiting = self.following.get(index).copied().flatten();
            if !answered.get(index).is_some_and(|answered| *answered) {
                return Some(index);
            }
        }
        None
    }

    /// The last call with this key, pending or not.
    pub fn last(&self, key: &[u8]) -> Option<usize> {
        Some(self.queues.get(self.keys.place(key)?)?.last)
    }
}

#[cfg(test)]
mod tests {
    use super::Queues;

    #[test]
    fn items_of_one_key_keep_their_order() {
        let mut queues = Queues::default();
        for index in 0..6 {
            assert_eq!(queues.add(&[index as u8 % 3]), index < 3);
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
