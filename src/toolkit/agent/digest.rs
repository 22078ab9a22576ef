//! Digests of JSON values that do not depend on the order of keys.

use crate::json::Value;
use siphasher::sip128::{Hasher128, SipHasher13};
use std::collections::BinaryHeap;
use std::hash::Hasher;

/// Values nested more deeply are not distinguished.
const MAX_DEPTH: usize = 200;

/// A digest of 32 hexadecimal digits. Values that differ only in the order of keys have the same digest.
pub fn of(values: &[&Value]) -> String {
    let mut hasher = SipHasher13::new();
    for value in values {
        add(&mut hasher, value, 0);
    }
    let digest = hasher.finish128();
    format!("{:016x}{:016x}", digest.h1, digest.h2)
}

fn add(hasher: &mut SipHasher13, value: &Value, depth: usize) {
    if depth > MAX_DEPTH {
        return hasher.write_u8(6);
    }
    match value {
        Value::Null => hasher.write_u8(0),
        Value::Bool(value) => hasher.write(&[1, u8::from(*value)]),
        Value::Number(number) => text(hasher, 2, &number_text(number)),
        Value::String(string) => text(hasher, 3, string),
        Value::Array(elements) => {
            hasher.write_u8(4);
            hasher.write_u64(elements.len() as u64);
            elements.iter().for_each(|element| add(hasher, element, depth + 1));
        }
        Value::Object(members) => {
            hasher.write_u8(5);
            hasher.write_u64(members.len() as u64);
            // A heap sorts with less code size than the sort of the standard library.
            let keys: BinaryHeap<&String> = members.keys().collect();
            for key in keys.into_sorted_vec() {
                text(hasher, 3, key);
                add(hasher, members.get(key).unwrap_or(&Value::Null), depth + 1);
            }
        }
    }
}

/// JavaScript has only one number type, so `5` and `5.0` are equal.
fn number_text(number: &crate::json::Number) -> String {
    match number.as_f64() {
        Some(float) if float.fract() == 0.0 && float.abs() < 9e15 => format!("{}", float as i64),
        _ => number.to_string(),
    }
}

fn text(hasher: &mut SipHasher13, kind: u8, text: &str) {
    hasher.write_u8(kind);
    hasher.write_u64(text.len() as u64);
    hasher.write(text.as_bytes());
}
