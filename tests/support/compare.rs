//! JSON equality for vectors: numbers are compared by value, `«id:N»` and `«text»` are variables.

use serde_json::Value;
use std::collections::HashMap;

/// The values of the variables of one case.
#[derive(Default)]
pub struct Variables(HashMap<String, String>);

impl Variables {
    /// The first position at which `found` differs from `expected`, if any.
    pub fn difference(&mut self, expected: &Value, found: &Value, path: &str) -> Option<String> {
        match (expected, found) {
            (Value::Object(expected_members), Value::Object(found_members)) => {
                for (key, value) in expected_members {
                    let Some(other) = found_members.get(key) else {
                        return Some(format!("{path}/{key}: missing (expected {value})"));
                    };
                    let difference = self.difference(value, other, &format!("{path}/{key}"));
                    if difference.is_some() {
                        return difference;
                    }
                }
                let extra = found_members.iter().find(|(key, _)| !expected_members.contains_key(*key));
                extra.map(|(key, value)| format!("{path}/{key}: not expected, found {value}"))
            }
            (Value::Array(expected_items), Value::Array(found_items)) => {
                for (index, (value, other)) in expected_items.iter().zip(found_items).enumerate() {
                    let difference = self.difference(value, other, &format!("{path}/{index}"));
                    if difference.is_some() {
                        return difference;
                    }
                }
                (expected_items.len() != found_items.len()).then(|| {
                    format!("{path}: {} elements expected, {} found: {found}", expected_items.len(), found_items.len())
                })
            }
            (Value::String(expected), Value::String(found)) => self.text_difference(expected, found, path),
            (Value::Number(expected), Value::Number(found)) if expected.as_f64() == found.as_f64() => None,
            _ if expected == found => None,
            _ => Some(format!("{path}: expected {expected}, found {found}")),
        }
    }

    fn text_difference(&mut self, expected: &str, found: &str, path: &str) -> Option<String> {
        if expected == "«text»" {
            return found.is_empty().then(|| format!("{path}: expected some text"));
        }
        let Some(start) = expected.find("«id:") else {
            return (expected != found).then(|| format!("{path}: expected {expected:?}, found {found:?}"));
        };
        let length = expected[start..].find('»').map_or(expected.len() - start, |end| end + '»'.len_utf8());
        let (before, variable, after) =
            (&expected[..start], &expected[start..start + length], &expected[start + length..]);
        let value = found.strip_prefix(before).and_then(|rest| rest.strip_suffix(after));
        let Some(value) = value else { return Some(format!("{path}: expected {expected:?}, found {found:?}")) };
        let legal = (1..=40).contains(&value.len())
            && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        if !legal {
            return Some(format!("{path}: {value:?} is no id that every target takes"));
        }
        let known = self.0.get(variable).cloned();
        match known {
            Some(known) => (known != value).then(|| format!("{path}: {variable} is {known}, found {value}")),
            None if self.0.values().any(|other| other == value) => Some(format!("{path}: {value} stands for two ids")),
            None => {
                self.0.insert(variable.to_owned(), value.to_owned());
                None
            }
        }
    }
}
