//! A map from texts: it keeps the order of insertion, and searches linearly while there are few keys.
//!
//! Finding, adding and removing keys does not depend on the type of the values, so that code is compiled once.

use crate::places::{KeyList, Places};
use std::iter::Zip;

/// A map in the order of insertion. `K` is `String`.
#[derive(Clone)]
pub struct Table<K, V> {
    keys: Vec<K>,
    values: Vec<V>,
    places: Places,
}

impl<K, V> Default for Table<K, V> {
    fn default() -> Self {
        Self { keys: Vec::new(), values: Vec::new(), places: Places::default() }
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
        self.values.get(self.places.find(&self.keys, key.as_bytes()).ok()?)
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut V> {
        self.values.get_mut(self.places.find(&self.keys, key.as_bytes()).ok()?)
    }

    pub fn contains_key(&self, key: &str) -> bool {
        self.places.find(&self.keys, key.as_bytes()).is_ok()
    }

    /// Replaces the value of a key, which keeps its position, or adds one at the end.
    pub fn insert(&mut self, key: String, value: V) -> Option<V> {
        match self.values.get_mut(place_of(&mut self.places, &mut self.keys, key)) {
            Some(old) => Some(std::mem::replace(old, value)),
            None => {
                self.values.push(value);
                None
            }
        }
    }

    /// The value of a key, which is created first if there is none.
    pub fn or_insert_with(&mut self, key: String, make: impl FnOnce() -> V) -> Option<&mut V> {
        let position = place_of(&mut self.places, &mut self.keys, key);
        if position == self.values.len() {
            self.values.push(make());
        }
        self.values.get_mut(position)
    }

    /// Removes a key and moves the entries after it forward.
    pub fn shift_remove(&mut self, key: &str) -> Option<V> {
        let position = self.places.find(&self.keys, key.as_bytes()).ok()?;
        self.places.remove(position);
        self.keys.remove(position);
        Some(self.values.remove(position))
    }

    pub fn retain(&mut self, keep: impl Fn(&str, &V) -> bool) {
        let kept: Vec<bool> = self.iter().map(|(key, value)| keep(key, value)).collect();
        let mut flags = kept.iter();
        self.values.retain(|_| flags.next() == Some(&true));
        retain_keys(&mut self.places, &mut self.keys, &kept);
    }
}

impl KeyList for Vec<String> {
    fn count(&self) -> usize {
        self.len()
    }

    fn key(&self, place: usize) -> &[u8] {
        self.get(place).map(String::as_bytes).unwrap_or_default()
    }

    fn position(&self, key: &[u8]) -> Option<usize> {
        self.iter().position(|known| known.as_bytes() == key)
    }
}

/// The place of a key, which is added if there is none.
fn place_of(places: &mut Places, keys: &mut Vec<String>, key: String) -> usize {
    match places.find(keys, key.as_bytes()) {
        Ok(place) => place,
        Err(free) => {
            keys.push(key);
            places.add(keys, free);
            keys.len() - 1
        }
    }
}

fn retain_keys(places: &mut Places, keys: &mut Vec<String>, kept: &[bool]) {
    let mut flags = kept.iter();
    keys.retain(|_| flags.next() == Some(&true));
    places.rebuild(keys);
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
