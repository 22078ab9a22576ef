//! One map for everything: it keeps the order of insertion, and finds keys by walking while they are few.

use siphasher::sip::SipHasher13;
use std::borrow::Borrow;
use std::hash::{Hash, Hasher};

/// Up to this number of keys there is no index.
const FEW: usize = 8;
/// Slots hold the position of an entry plus one.
const EMPTY: u32 = 0;
const REMOVED: u32 = u32::MAX;

/// A map in the order of insertion.
#[derive(Clone)]
pub struct Table<K, V> {
    entries: Vec<(K, V)>,
    index: Index,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Self { entries: Vec::new(), index: Index::default() }
    }
}

fn hash_of<Q: Hash + ?Sized>(key: &Q) -> u64 {
    let mut hasher = SipHasher13::new();
    key.hash(&mut hasher);
    hasher.finish()
}

impl<K, V> Table<K, V> {
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn iter(&self) -> Iter<'_, K, V> {
        Iter(self.entries.iter())
    }

    pub fn keys(&self) -> impl DoubleEndedIterator<Item = &K> + ExactSizeIterator {
        self.entries.iter().map(|(key, _)| key)
    }

    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.entries.iter().map(|(_, value)| value)
    }

    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut V> {
        self.entries.iter_mut().map(|(_, value)| value)
    }
}

impl<K: Hash + Eq, V> Table<K, V> {
    fn position<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<usize>
    where
        K: Borrow<Q>,
    {
        let is_key = |entry: &(K, V)| entry.0.borrow() == key;
        if self.index.slots.is_empty() {
            return self.entries.iter().position(is_key);
        }
        self.index.find(hash_of(key), &|position| self.entries.get(position).is_some_and(is_key))
    }

    pub fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<&V>
    where
        K: Borrow<Q>,
    {
        let position = self.position(key)?;
        self.entries.get(position).map(|(_, value)| value)
    }

    pub fn get_mut<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<&mut V>
    where
        K: Borrow<Q>,
    {
        let position = self.position(key)?;
        self.entries.get_mut(position).map(|(_, value)| value)
    }

    pub fn contains_key<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> bool
    where
        K: Borrow<Q>,
    {
        self.position(key).is_some()
    }

    /// Replaces the value of a key, which stays where it is, or adds one at the end.
    pub fn insert(&mut self, key: K, value: V) -> Option<V> {
        match self.position(&key).and_then(|position| self.entries.get_mut(position)) {
            Some((_, old)) => Some(std::mem::replace(old, value)),
            None => {
                self.push(key, value);
                None
            }
        }
    }

    /// The value of a key, which is made first if there is none.
    pub fn or_insert_with(&mut self, key: K, make: impl FnOnce() -> V) -> Option<&mut V> {
        let position = match self.position(&key) {
            Some(position) => position,
            None => {
                self.push(key, make());
                self.entries.len() - 1
            }
        };
        self.entries.get_mut(position).map(|(_, value)| value)
    }

    fn push(&mut self, key: K, value: V) {
        self.entries.push((key, value));
        let count = self.entries.len();
        if count <= FEW {
            return;
        }
        if self.index.has_room() {
            if let Some((key, _)) = self.entries.last() {
                self.index.add(hash_of(key), count - 1);
            }
        } else {
            self.reindex();
        }
    }

    fn reindex(&mut self) {
        self.index = Index::default();
        if self.entries.len() > FEW {
            self.index.grow_for(self.entries.len());
            for (position, (key, _)) in self.entries.iter().enumerate() {
                self.index.add(hash_of(key), position);
            }
        }
    }

    /// Removes a key and moves those after it one forward.
    pub fn shift_remove<Q: Hash + Eq + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        let position = self.position(key)?;
        self.index.remove(position);
        Some(self.entries.remove(position).1)
    }

    pub fn retain(&mut self, keep: impl Fn(&K, &V) -> bool) {
        let before = self.entries.len();
        self.entries.retain(|(key, value)| keep(key, value));
        if self.entries.len() < before {
            self.reindex();
        }
    }

    /// Removes the first ones.
    pub fn remove_first(&mut self, count: usize) {
        self.entries.drain(..count.min(self.entries.len()));
        self.reindex();
    }
}

/// Open addressing: where the entry with a hash is.
#[derive(Clone, Default)]
struct Index {
    /// As many as a power of two, or none.
    slots: Vec<u32>,
    used: usize,
}

impl Index {
    fn has_room(&self) -> bool {
        self.used * 4 < self.slots.len() * 3
    }

    fn grow_for(&mut self, count: usize) {
        self.slots = vec![EMPTY; (count * 2).next_power_of_two()];
        self.used = 0;
    }

    fn next(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    fn find(&self, hash: u64, is_key: &dyn Fn(usize) -> bool) -> Option<usize> {
        let mut slot = hash as usize & (self.slots.len() - 1);
        loop {
            match self.slots.get(slot).copied() {
                None | Some(EMPTY) => return None,
                Some(REMOVED) => {}
                Some(place) if is_key(place as usize - 1) => return Some(place as usize - 1),
                Some(_) => {}
            }
            slot = self.next(slot);
        }
    }

    fn add(&mut self, hash: u64, position: usize) {
        let mut slot = hash as usize & (self.slots.len() - 1);
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
}

impl<K: Hash + Eq, V> FromIterator<(K, V)> for Table<K, V> {
    fn from_iter<I: IntoIterator<Item = (K, V)>>(entries: I) -> Self {
        let mut table = Self::default();
        table.extend(entries);
        table
    }
}

impl<K: Hash + Eq, V> Extend<(K, V)> for Table<K, V> {
    fn extend<I: IntoIterator<Item = (K, V)>>(&mut self, entries: I) {
        for (key, value) in entries {
            self.insert(key, value);
        }
    }
}

/// The order does not matter.
impl<K: Hash + Eq, V: PartialEq> PartialEq for Table<K, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().all(|(key, value)| other.get(key) == Some(value))
    }
}

impl<K: std::fmt::Debug, V: std::fmt::Debug> std::fmt::Debug for Table<K, V> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

pub struct Iter<'t, K, V>(std::slice::Iter<'t, (K, V)>);

impl<'t, K, V> Iterator for Iter<'t, K, V> {
    type Item = (&'t K, &'t V);

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next().map(|(key, value)| (key, value))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<K, V> DoubleEndedIterator for Iter<'_, K, V> {
    fn next_back(&mut self) -> Option<Self::Item> {
        self.0.next_back().map(|(key, value)| (key, value))
    }
}

impl<K, V> ExactSizeIterator for Iter<'_, K, V> {}

impl<'t, K, V> IntoIterator for &'t Table<K, V> {
    type Item = (&'t K, &'t V);
    type IntoIter = Iter<'t, K, V>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<'t, K, V> IntoIterator for &'t mut Table<K, V> {
    type Item = (&'t K, &'t mut V);
    type IntoIter = std::iter::Map<std::slice::IterMut<'t, (K, V)>, fn(&'t mut (K, V)) -> Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.iter_mut().map(|(key, value)| (&*key, value))
    }
}

impl<K, V> IntoIterator for Table<K, V> {
    type Item = (K, V);
    type IntoIter = std::vec::IntoIter<(K, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.entries.into_iter()
    }
}

#[cfg(test)]
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
            if (state >> 8) % 3 == 0 {
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
        table.remove_first(3);
        list.drain(..3);
        assert!(list.iter().all(|(key, value)| table.get(key) == Some(value)) && table.len() == list.len());
    }
}
