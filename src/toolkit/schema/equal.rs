//! Equality as JSON Schema defines it: `1` equals `1.0`, and the order of an object's fields does not matter.

use super::number;
use crate::json::Value;
use crate::table::Table;
use siphasher::sip::SipHasher13;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

pub fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => number::compare(one, other) == Ordering::Equal,
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, value)| other.get(key).is_some_and(|other| equal(value, other)))
        }
        _ => one == other,
    }
}

/// The indexes of the first two items that are equal.
pub fn duplicate(items: &[Value]) -> Option<(usize, usize)> {
    let mut known: Table<u64, Vec<(usize, &Value)>> = Table::new();
    for (index, item) in items.iter().enumerate() {
        let mut hasher = SipHasher13::new();
        hash(item, &mut hasher);
        let Some(alike) = known.or_insert_with(hasher.finish(), Vec::new) else { continue };
        if let Some((first, _)) = alike.iter().find(|(_, known)| equal(known, item)) {
            return Some((*first, index));
        }
        alike.push((index, item));
    }
    None
}

fn hash(value: &Value, into: &mut SipHasher13) {
    match value {
        Value::Null => 0_u8.hash(into),
        Value::Bool(value) => value.hash(into),
        Value::Number(number) => number.as_f64().map(|value| if value == 0.0 { 0 } else { value.to_bits() }).hash(into),
        Value::String(text) => text.hash(into),
        Value::Array(items) => {
            items.len().hash(into);
            items.iter().for_each(|item| hash(item, into));
        }
        Value::Object(fields) => {
            let sum = fields.iter().fold(0_u64, |sum, (key, value)| {
                let mut field = SipHasher13::new();
                key.hash(&mut field);
                hash(value, &mut field);
                sum.wrapping_add(field.finish())
            });
            sum.hash(into);
        }
    }
}
