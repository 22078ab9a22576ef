//! JSON equality for vectors: numbers are compared by value, `«id:N»` and `«text»` are variables.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// Everything in which `found` differs from `expected`, each with its JSON pointer.
pub fn differences(expected: &Value, found: &Value) -> Vec<String> {
    let mut comparison = Comparison::default();
    comparison.values(expected, found, "");
    comparison.differences
}

#[derive(Default)]
struct Comparison {
    /// The values of the variables.
    known: HashMap<String, String>,
    differences: Vec<String>,
}

impl Comparison {
    fn values(&mut self, expected: &Value, found: &Value, path: &str) {
        match (expected, found) {
            (Value::Object(expected), Value::Object(found)) => self.objects(expected, found, path),
            (Value::Array(expected), Value::Array(found)) => {
                for index in 0..expected.len().max(found.len()) {
                    self.entries(expected.get(index), found.get(index), &format!("{path}/{index}"));
                }
            }
            (Value::String(expected), Value::String(found)) => {
                if let Some(difference) = self.text_difference(expected, found) {
                    self.differences.push(format!("{path}: {difference}"));
                }
            }
            (Value::Number(expected), Value::Number(found)) if expected.as_f64() == found.as_f64() => {}
            _ if expected == found => {}
            _ => self.differences.push(format!("{path}: expected {expected}, found {found}")),
        }
    }

    fn objects(&mut self, expected: &Map<String, Value>, found: &Map<String, Value>, path: &str) {
        let more = found.keys().filter(|key| !expected.contains_key(*key));
        for key in expected.keys().chain(more) {
            self.entries(expected.get(key), found.get(key), &format!("{path}/{}", escaped(key)));
        }
    }

    fn entries(&mut self, expected: Option<&Value>, found: Option<&Value>, path: &str) {
        match (expected, found) {
            (Some(expected), Some(found)) => self.values(expected, found, path),
            (Some(expected), None) => self.differences.push(format!("{path}: missing, expected {expected}")),
            (None, Some(found)) => self.differences.push(format!("{path}: not expected, found {found}")),
            (None, None) => {}
        }
    }

    fn text_difference(&mut self, expected: &str, found: &str) -> Option<String> {
        if expected == "«text»" {
            return found.is_empty().then(|| "expected some text".to_owned());
        }
        let Some(start) = expected.find("«id:") else {
            return (expected != found).then(|| format!("expected {expected:?}, found {found:?}"));
        };
        let length = expected[start..].find('»').map_or(expected.len() - start, |end| end + '»'.len_utf8());
        let (before, variable, after) =
            (&expected[..start], &expected[start..start + length], &expected[start + length..]);
        let value = found.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        let Some(value) = value else { return Some(format!("expected {expected:?}, found {found:?}")) };
        let legal = (1..=40).contains(&value.len())
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        if !legal {
            return Some(format!("{value:?} is no id that every target takes"));
        }
        let known = self.known.get(variable).cloned();
        match known {
            Some(known) => (known != value).then(|| format!("{variable} is {known}, found {value}")),
            None if self.known.values().any(|other| other == value) => Some(format!("{value} stands for two ids")),
            None => {
                self.known.insert(variable.to_owned(), value.to_owned());
                None
            }
        }
    }
}

/// A key as a part of a JSON pointer.
pub fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}
