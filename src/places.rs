//! The hash index of all maps: finds the place of a key in a list of keys.
//!
//! The standard maps are compiled again for each type of key and value, at one or two kilobytes each.

use siphasher::sip::SipHasher13;
use std::cell::Cell;
use std::hash::Hasher;

/// Up to this number, keys are searched linearly; more are hashed.
pub const FEW: usize = 8;

/// A free slot. Other slots hold the key's place in the lower half and its hash in the upper half.
const FREE: u64 = u64::MAX;
const PLACE: u64 = u32::MAX as u64;

thread_local! {
    /// Input is untrusted: a secret prevents chosen collisions. 0 until the first use.
    static SECRET: Cell<u64> = const { Cell::new(0) };
}

fn secret() -> u64 {
    SECRET.with(|secret| {
        if secret.get() == 0 {
            secret.set(seed() | 1);
        }
        secret.get()
    })
}

#[cfg(not(target_arch = "wasm32"))]
fn seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(())
}

/// The standard library has no source of randomness in wasm.
#[cfg(target_arch = "wasm32")]
fn seed() -> u64 {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = Math)]
        fn random() -> f64;
    }

    random().to_bits()
}

/// The hash is in the upper half.
pub fn hash_of(key: &[u8]) -> u64 {
    let mut hasher = SipHasher13::new_with_keys(secret(), 0);
    hasher.write(key);
    hasher.finish() & !PLACE
}

/// A list of distinct keys.
pub trait KeyList {
    fn count(&self) -> usize;
    fn key(&self, place: usize) -> &[u8];
    /// Searches one key after the other.
    fn position(&self, key: &[u8]) -> Option<usize>;
}

/// Where a new key belongs: its slot and its hash.
pub struct Free(usize, u64);

/// Open addressing with linear probing; at most half of the slots are used.
#[derive(Clone, Debug, Default)]
pub struct Places {
    slots: Vec<u64>,
}

impl Places {
    #[cfg(feature = "conversions")]
    pub fn clear(&mut self) {
        self.slots.clear();
    }

    /// The place of a key, or else where it belongs.
    #[inline(never)]
    pub fn find(&self, keys: &impl KeyList, key: &[u8]) -> Result<usize, Free> {
        let Some(last) = self.slots.len().checked_sub(1) else {
            return keys.position(key).ok_or(Free(0, 0));
        };
        let hash = hash_of(key);
        let mut slot = (hash >> 32) as usize & last;
        while let Some(taken) = self.slots.get(slot).filter(|taken| **taken != FREE) {
            let place = (taken & PLACE) as usize;
            if taken & !PLACE == hash && keys.key(place) == key {
                return Ok(place);
            }
            slot = (slot + 1) & last;
        }
        Err(Free(slot, hash))
    }

    /// Adds the last key of the list, which was not found before it was appended.
    pub fn add(&mut self, keys: &impl KeyList, Free(slot, hash): Free) {
        let count = keys.count();
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = hash | (count - 1) as u64;
        }
        if count > FEW && self.slots.len() < 2 * count {
            self.rebuild(keys);
        }
    }

    /// Starts again with these keys.
    pub fn rebuild(&mut self, keys: &impl KeyList) {
        self.slots.clear();
        let count = keys.count();
        if count > FEW {
            self.slots.resize((4 * count).next_power_of_two(), FREE);
            for place in 0..count {
                self.take(hash_of(keys.key(place)) | place as u64);
            }
        }
    }

    /// Removes the key at a place. Those after it move forward.
    #[cfg(any(feature = "text", feature = "toolkit"))]
    pub fn remove(&mut self, gone: usize) {
        let free = vec![FREE; self.slots.len()];
        for taken in std::mem::replace(&mut self.slots, free) {
            let place = (taken & PLACE) as usize;
            if taken != FREE && place != gone {
                self.take(taken - u64::from(place > gone));
            }
        }
    }

    fn take(&mut self, taken: u64) {
        let last = self.slots.len().wrapping_sub(1);
        let mut slot = (taken >> 32) as usize & last;
        while self.slots.get(slot).is_some_and(|other| *other != FREE) {
            slot = (slot + 1) & last;
        }
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = taken;
        }
    }
}
