//! Sets of JSON values.

use crate::places::hash_of;
use crate::run::Run;
use crate::value::{Keys, Kind, Value};

/// A set of distinct values.
#[derive(Default)]
pub struct Values {
    keys: Keys,
    known: Vec<Value>,
}

impl Values {
    /// Adds a value; false if it exists.
    pub fn add(&mut self, run: &mut Run, value: Value) -> bool {
        let found = self.find(run, value);
        if let Err(key) = &found {
            self.keys.add(key);
            self.known.push(value);
        }
        found.is_err()
    }

    pub fn has(&self, run: &mut Run, value: Value) -> bool {
        self.find(run, value).is_ok()
    }

    /// `Ok` if the value is known; otherwise the key to add it under. Of values with the same fingerprint, each gets a longer key.
    fn find(&self, run: &mut Run, value: Value) -> std::result::Result<(), Vec<u8>> {
        let is_text = run.store.kind(value) == Kind::String;
        let mut key = if is_text { run.store.text(value).as_bytes().to_vec() } else { fingerprint(run, value) };
        while let Some(place) = self.keys.place(&key) {
            if is_text || self.known.get(place).is_some_and(|known| run.store.same(*known, value)) {
                return Ok(());
            }
            key.push(0);
        }
        Err(key)
    }
}

/// Equal for equal values, rarely equal for different ones, and not a text.
fn fingerprint(run: &mut Run, value: Value) -> Vec<u8> {
    const IN_NO_TEXT: u8 = 0xff;
    let mut sum = 0_u64;
    let mut waiting = vec![(value, 0)];
    while let Some((value, place)) = waiting.pop() {
        let below = |key: &[u8]| hash_of(&[&u64::to_le_bytes(place), key].concat());
        let mut key = vec![value.kind() as u8];
        match value.kind() {
            Kind::String => key.extend_from_slice(run.store.text(value).as_bytes()),
            // turns -0 into 0
            Kind::Number => key.extend_from_slice(&(run.store.number(value) + 0.0).to_bits().to_le_bytes()),
            Kind::Boolean => key.push(u8::from(run.store.boolean(value))),
            Kind::Array => {
                for (index, item) in run.list(value).into_iter().enumerate() {
                    waiting.push((item, below(&index.to_le_bytes())));
                }
            }
            Kind::Object => {
                for field in run.members(value) {
                    waiting.push((field.value, below(run.store.text(field.key).as_bytes())));
                }
            }
            Kind::Null | Kind::Other => {}
        }
        // independent of the order of keys
        sum = sum.wrapping_add(below(&key));
    }
    [&[IN_NO_TEXT], sum.to_le_bytes().as_slice()].concat()
}

/// The values that are in `others`, or those that are not.
pub fn those_in(run: &mut Run, values: &[Value], others: &[Value], are_in: bool) -> Vec<Value> {
    let mut known = Values::default();
    for other in others {
        known.add(run, *other);
    }
    let mut those = Vec::new();
    for value in values {
        if known.has(run, *value) == are_in {
            those.push(*value);
        }
    }
    those
}
