//! Equality as JSON Schema defines it: `1` equals `1.0`, and the order of object fields is irrelevant.

use super::number;
use crate::json::Value;
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

/// The indices of the first two equal items.
pub fn duplicate(items: &[Value]) -> Option<(usize, usize)> {
    // The items per hash bucket.
    let mut alike: Vec<Vec<usize>> = vec![Vec::new(); items.len().next_power_of_two()];
    let mask = alike.len() - 1;
    for (index, item) in items.iter().enumerate() {
        let mut hasher = SipHasher13::new();
        hash(item, &mut hasher);
        let alike = alike.get_mut(hasher.finish() as usize & mask)?;
        if let Some(first) = alike.iter().find(|first| items.get(**first).is_some_and(|first| equal(first, item))) {
            return Some((*first, index));
        }
        alike.push(index);
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
