//! Look-up by key. The standard maps are compiled again for each type of key and value, at one or two kilobytes each. This is the only map of the
//! package.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Up to this number, keys are searched linearly; more are hashed.
const FEW: usize = 8;
/// Initial capacity in bytes, enough for that many keys in nearly all cases.
const CAPACITY: usize = 192;

/// A free slot. Other slots hold the key's index in the lower half and its hash in the upper half.
const FREE: u64 = u64::MAX;
const PLACE: u64 = u32::MAX as u64;

/// Distinct keys, each with an index in order of insertion. A key is bytes: of a text, a number or a [`pair`].
#[derive(Debug, Default)]
pub struct Keys {
    /// All keys concatenated, and the end of each.
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// Open addressing with linear probing; at most half of the slots are used.
    slots: Vec<u64>,
}

thread_local! {
    /// Input is untrusted: a secret seed prevents chosen collisions.
    static SECRET: RandomState = RandomState::new();
}

/// The hash is in the upper half.
pub fn hash_of(key: &[u8]) -> u64 {
    let mut hasher = SECRET.with(RandomState::build_hasher);
    hasher.write(key);
    hasher.finish() & !PLACE
}

/// Two texts as one key.
pub fn pair(first: &str, second: &str) -> Vec<u8> {
    const IN_NO_TEXT: u8 = 0xff;
    let mut key = Vec::with_capacity(first.len() + 1 + second.len());
    key.extend_from_slice(first.as_bytes());
    key.push(IN_NO_TEXT);
    key.extend_from_slice(second.as_bytes());
    key
}

impl Keys {
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn clear(&mut self) {
        self.bytes.clear();
        self.ends.clear();
        self.slots.clear();
    }

    pub fn has(&self, key: &[u8]) -> bool {
        self.place(key).is_some()
    }

    pub fn place(&self, key: &[u8]) -> Option<usize> {
        self.find(key).ok()
    }

    /// Adds a key; false if it exists.
    pub fn add(&mut self, key: &[u8]) -> bool {
        let count = self.ends.len();
        self.place_or_add(key) == count
    }

    /// The index of a key, which is added if it is new.
    #[inline(never)]
    pub fn place_or_add(&mut self, key: &[u8]) -> usize {
        let (slot, hash) = match self.find(key) {
            Ok(place) => return place,
            Err(free) => free,
        };
        let place = self.ends.len();
        if self.bytes.capacity() == 0 {
            self.bytes.reserve(CAPACITY.max(key.len()));
        }
        self.bytes.extend_from_slice(key);
        self.ends.push(self.bytes.len());
        self.take(slot, hash, place);
        if place >= FEW && self.slots.len() < 2 * self.ends.len() {
            self.slots.clear();
            self.slots.resize((4 * self.ends.len()).next_power_of_two(), FREE);
            for place in 0..self.ends.len() {
                if let Err((slot, hash)) = self.find(self.at(place)) {
                    self.take(slot, hash, place);
                }
            }
        }
        place
    }

    fn take(&mut self, slot: usize, hash: u64, place: usize) {
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = hash | place as u64;
        }
    }

    /// The index of a key, or else the free slot for it and its hash.
    #[inline(never)]
    fn find(&self, key: &[u8]) -> Result<usize, (usize, u64)> {
        let Some(last) = self.slots.len().checked_sub(1) else {
            let mut rest = self.bytes.as_slice();
            let mut start = 0;
            let place = self.ends.iter().position(|end| {
                let (known, after) = rest.split_at_checked(*end - start).unwrap_or_default();
                (rest, start) = (after, *end);
                known == key
            });
            return place.ok_or((0, 0));
        };
        let hash = hash_of(key);
        let mut slot = (hash >> 32) as usize & last;
        while let Some(taken) = self.slots.get(slot).filter(|taken| **taken != FREE) {
            let place = (taken & PLACE) as usize;
            if taken & !PLACE == hash && self.at(place) == key {
                return Ok(place);
            }
            slot = (slot + 1) & last;
        }
        Err((slot, hash))
    }

    fn at(&self, place: usize) -> &[u8] {
        let end = |place: usize| self.ends.get(place).copied();
        let start = place.checked_sub(1).and_then(end).unwrap_or_default();
        self.bytes.get(start..end(place).unwrap_or_default()).unwrap_or_default()
    }
}

/// A map from keys to values.
#[derive(Debug)]
pub struct Keyed<T> {
    keys: Keys,
    values: Vec<T>,
}

impl<T> Default for Keyed<T> {
    fn default() -> Keyed<T> {
        Keyed { keys: Keys::default(), values: Vec::new() }
    }
}

impl<T> Keyed<T> {
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub fn len(&self) -> usize {
        self.values.len()
    }

    pub fn clear(&mut self) {
        self.keys.clear();
        self.values.clear();
    }

    pub fn get(&self, key: &[u8]) -> Option<&T> {
        self.values.get(self.keys.place(key)?)
    }

    pub fn get_mut(&mut self, key: &[u8]) -> Option<&mut T> {
        self.values.get_mut(self.keys.place(key)?)
    }

    /// Sets the value of a key and returns the previous one.
    pub fn insert(&mut self, key: &[u8], value: T) -> Option<T> {
        match self.values.get_mut(self.keys.place_or_add(key)) {
            Some(known) => Some(std::mem::replace(known, value)),
            None => {
                self.values.push(value);
                None
            }
        }
    }

    /// In order of insertion.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &T)> {
        self.values.iter().enumerate().map(|(place, value)| (self.keys.at(place), value))
    }
}

#[cfg(test)]
mod tests {
    use super::{FEW, Keyed, Keys};

    #[test]
    fn few_and_many_keys_are_found() {
        for count in [0, 1, FEW, FEW + 1, 10 * FEW, 10_000] {
            let mut keys = Keys::default();
            let key = |place: usize| format!("key {place}").into_bytes();
            for _ in 0..2 {
                for place in 0..count {
                    assert!(!keys.has(&key(place)) && keys.add(&key(place)) && !keys.add(&key(place)));
                }
                assert!((0..count).all(|place| keys.place(&key(place)) == Some(place)), "{count}");
                assert_eq!((keys.has(&key(count)), keys.has(b""), keys.is_empty()), (false, false, count == 0));
                keys.clear();
            }
        }
    }

    #[test]
    fn keys_may_be_empty_and_begin_alike() {
        let mut keyed = Keyed::default();
        let all: [&[u8]; 4] = [b"", b"a", b"aa", b"\xff"];
        assert_eq!(all.map(|key| keyed.insert(key, key.len())), [None; 4]);
        assert_eq!((keyed.insert(b"a", 7), keyed.get(b"a"), keyed.get(b"aaa")), (Some(1), Some(&7), None));
        assert!(keyed.iter().eq(all.into_iter().zip(&[0, 7, 2, 1])));
    }
}
