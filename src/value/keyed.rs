//! Look-up by key, in conversions.

use crate::places::{KeyList, Places};

/// Initial capacity in bytes, enough for a few keys in nearly all cases.
const CAPACITY: usize = 192;

/// Distinct keys, each with an index in order of insertion. A key is bytes: of a text, a number or a [`pair`].
#[derive(Debug, Default)]
pub struct Keys {
    list: List,
    places: Places,
}

/// All keys concatenated, and the end of each.
#[derive(Debug, Default)]
struct List {
    bytes: Vec<u8>,
    ends: Vec<usize>,
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

impl KeyList for List {
    fn count(&self) -> usize {
        self.ends.len()
    }

    fn key(&self, place: usize) -> &[u8] {
        let end = |place: usize| self.ends.get(place).copied();
        let start = place.checked_sub(1).and_then(end).unwrap_or_default();
        self.bytes.get(start..end(place).unwrap_or_default()).unwrap_or_default()
    }

    fn position(&self, key: &[u8]) -> Option<usize> {
        let mut rest = self.bytes.as_slice();
        let mut start = 0;
        self.ends.iter().position(|end| {
            let (known, after) = rest.split_at_checked(*end - start).unwrap_or_default();
            (rest, start) = (after, *end);
            known == key
        })
    }
}

impl Keys {
    pub fn is_empty(&self) -> bool {
        self.list.ends.is_empty()
    }

    pub fn clear(&mut self) {
        self.list.bytes.clear();
        self.list.ends.clear();
        self.places.clear();
    }

    pub fn has(&self, key: &[u8]) -> bool {
        self.place(key).is_some()
    }

    pub fn place(&self, key: &[u8]) -> Option<usize> {
        self.places.find(&self.list, key).ok()
    }

    /// Adds a key; false if it exists.
    pub fn add(&mut self, key: &[u8]) -> bool {
        let count = self.list.ends.len();
        self.place_or_add(key) == count
    }

    /// The index of a key, which is added if it is new.
    #[inline(never)]
    pub fn place_or_add(&mut self, key: &[u8]) -> usize {
        let free = match self.places.find(&self.list, key) {
            Ok(place) => return place,
            Err(free) => free,
        };
        let List { bytes, ends } = &mut self.list;
        if bytes.capacity() == 0 {
            bytes.reserve(CAPACITY.max(key.len()));
        }
        bytes.extend_from_slice(key);
        ends.push(bytes.len());
        self.places.add(&self.list, free);
        self.list.ends.len() - 1
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
        self.values.iter().enumerate().map(|(place, value)| (self.keys.list.key(place), value))
    }
}

#[cfg(test)]
mod tests {
    use super::{Keyed, Keys};
    use crate::places::FEW;

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
