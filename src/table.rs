//! The only map type: it keeps the order of insertion, and searches linearly while there are few keys.
//!
//! Finding, adding and removing keys does not depend on the type of the values, so that code is compiled once.

use siphasher::sip::SipHasher13;
use std::hash::Hasher;
use std::iter::Zip;

/// Up to this number of keys there is no index.
const FEW: usize = 8;
/// An empty slot; other slots contain the index of an entry plus one.
const EMPTY: u32 = 0;
const REMOVED: u32 = u32::MAX;

/// A map in the order of insertion. `K` is `String`.
#[derive(Clone)]
pub struct Table<K, V> {
    keys: Vec<K>,
    values: Vec<V>,
    index: Index,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Self { keys: Vec::new(), values: Vec::new(), index: Index::default() }
    }
}

impl<V> Table<String, V> {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.keys.len()
    }

    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    pub fn iter(&self) -> Zip<std::slice::Iter<'_, String>, std::slice::Iter<'_, V>> {
        self.keys.iter().zip(&self.values)
    }

    pub fn keys(&self) -> std::slice::Iter<'_, String> {
        self.keys.iter()
    }

    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.values.iter()
    }

    pub fn get(&self, key: &str) -> Option<&V> {
        self.values.get(self.index.position(&self.keys, key)?)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.values.get_mut(self.index.position(&self.keys, key)?)
    }

    pub fn contains_key(&self, key: &str) -> bool {
        self.index.position(&self.keys, key).is_some()
    }

    /// Replaces the value of a key, which keeps its position, or adds one at the end.
    pub fn insert(&mut self, key: String, value: V) -> Option<V> {
        match self.values.get_mut(self.index.place_of(&mut self.keys, key)) {
            Some(old) => Some(std::mem::replace(old, value)),
            None => {
                self.values.push(value);
                None
            }
        }
    }

    /// The value of a key, which is created first if there is none.
    pub fn or_insert_with(&mut self, key: String, make: impl FnOnce() -> V) -> Option<&mut V> {
        let position = self.index.place_of(&mut self.keys, key);
        if position == self.values.len() {
            self.values.push(make());
        }
        self.values.get_mut(position)
    }

    /// Removes a key and moves the entries after it forward.
    pub fn shift_remove(&mut self, key: &str) -> Option<V> {
        let position = self.index.position(&self.keys, key)?;
        self.index.remove(position);
        self.keys.remove(position);
        Some(self.values.remove(position))
    }

    pub fn retain(&mut self, keep: impl Fn(&str, &V) -> bool) {
        let kept: Vec<bool> = self.iter().map(|(key, value)| keep(key, value)).collect();
        let mut flags = kept.iter();
        self.values.retain(|_| flags.next() == Some(&true));
        self.index.retain(&mut self.keys, &kept);
    }
}

/// Open addressing: finds the index of a key.
#[derive(Clone, Default)]
struct Index {
    /// The length is a power of two, or 0.
    slots: Vec<u32>,
    used: usize,
}

fn hash_of(key: &str) -> usize {
    let mut hasher = SipHasher13::new();
    hasher.write(key.as_bytes());
    hasher.finish() as usize
}

impl Index {
    fn next(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    fn position(&self, keys: &[String], key: &str) -> Option<usize> {
        if self.slots.is_empty() {
            return keys.iter().position(|known| known == key);
        }
        let mut slot = hash_of(key) & (self.slots.len() - 1);
        loop {
            match self.slots.get(slot).copied() {
                None | Some(EMPTY) => return None,
                Some(REMOVED) => {}
                Some(place) if keys.get(place as usize - 1).is_some_and(|known| known == key) => {
                    return Some(place as usize - 1);
                }
                Some(_) => {}
            }
            slot = self.next(slot);
        }
    }

    /// The index of a key, which is added if there is none.
    fn place_of(&mut self, keys: &mut Vec<String>, key: String) -> usize {
        if let Some(position) = self.position(keys, &key) {
            return position;
        }
        let position = keys.len();
        if self.used * 4 < self.slots.len() * 3 {
            self.add(&key, position);
            keys.push(key);
        } else {
            keys.push(key);
            self.rebuild(keys);
        }
        position
    }

    fn rebuild(&mut self, keys: &[String]) {
        *self = Self::default();
        if keys.len() > FEW {
            self.slots = vec![EMPTY; (keys.len() * 2).next_power_of_two()];
            for (position, key) in keys.iter().enumerate() {
                self.add(key, position);
            }
        }
    }

    fn add(&mut self, key: &str, position: usize) {
        let mut slot = hash_of(key) & (self.slots.len() - 1);
        while self.slots.get(slot).is_some_and(|place| *place != EMPTY) {
            slot = self.next(slot);
        }
        if let Some(place) = self.slots.get_mut(slot) {
            *place = position as u32 + 1;
            self.used += 1;
        }
    }

    fn remove(&mut self, position: usize) {
        let gone = position as u32 + 1;
        for place in &mut self.slots {
            if *place == gone {
                *place = REMOVED;
            } else if *place > gone && *place != REMOVED {
                *place -= 1;
            }
        }
    }

    fn retain(&mut self, keys: &mut Vec<String>, kept: &[bool]) {
        let mut flags = kept.iter();
        keys.retain(|_| flags.next() == Some(&true));
        self.rebuild(keys);
    }
}

impl<V> FromIterator<(String, V)> for Table<String, V> {
    fn from_iter<I: IntoIterator<Item = (String, V)>>(entries: I) -> Self {
        let mut table = Self::default();
        table.extend(entries);
        table
    }
}

impl<V> Extend<(String, V)> for Table<String, V> {
    fn extend<I: IntoIterator<Item = (String, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

/// Equality ignores the order.
impl<V: PartialEq> PartialEq for Table<String, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<V: std::fmt::Debug> std::fmt::Debug for Table<String, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<'t, V> IntoIterator for &'t Table<String, V> {
    type Item = (&'t String, &'t V);
    type IntoIter = Zip<std::slice::Iter<'t, String>, std::slice::Iter<'t, V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'t, V> IntoIterator for &'t mut Table<String, V> {
    type Item = (&'t String, &'t mut V);
    type IntoIter = Zip<std::slice::Iter<'t, String>, std::slice::IterMut<'t, V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.iter().zip(&mut self.values)
    }
}

impl<V> IntoIterator for Table<String, V> {
    type Item = (String, V);
    type IntoIter = Zip<std::vec::IntoIter<String>, std::vec::IntoIter<V>>;

    fn into_iter(self) -> Self::IntoIter {
        self.keys.into_iter().zip(self.values)
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::Table;

    #[test]
    fn behaves_like_a_list_of_pairs() {
        let mut table = Table::new();
        let mut list: Vec<(String, usize)> = Vec::new();
        let mut state = 1_u32;
        for step in 0..4000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let key = format!("k{}", (state >> 16) % 60);
            let known = list.iter().position(|(other, _)| *other == key);
            if (state >> 8).is_multiple_of(3) {
                assert_eq!(table.shift_remove(&key), known.map(|position| list.remove(position).1));
            } else {
                let old = known.and_then(|position| list.get_mut(position));
                match old {
                    Some((_, value)) => {
                        assert_eq!(table.insert(key, step), Some(std::mem::replace(value, step)));
                    }
                    None => {
                        assert_eq!(table.insert(key.clone(), step), None);
                        list.push((key, step));
                    }
                }
            }
            assert!(table.iter().eq(list.iter().map(|(key, value)| (key, value))));
            assert!(list.iter().all(|(key, value)| table.get(key) == Some(value)));
            assert_eq!(table.get("none"), None);
        }
        table.retain(|_, value| value % 2 == 0);
        list.retain(|(_, value)| value % 2 == 0);
        assert!(list.iter().all(|(key, value)| table.get(key) == Some(value)) && table.len() == list.len());
    }
}
