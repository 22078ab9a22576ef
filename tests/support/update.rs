//! Writes the outcomes of checks to the cases that state them.

use crate::support::cases::{Outcome, Place};
use crate::support::compare::differences;
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// The text of a vector file with these outcomes. Other cases stay as they are written.
pub fn updated<'a>(file: &str, outcomes: impl Iterator<Item = (&'a Place, &'a Outcome)>) -> String {
    let mut cases: Vec<Box<RawValue>> = serde_json::from_str(file).unwrap();
    for (place, outcome) in outcomes {
        let mut case: Value = serde_json::from_str(cases[place.case].get()).unwrap();
        match outcome {
            Ok((text, warnings)) => {
                if !is_input(&case, &place.body) {
                    set_body(&mut case, &place.body, text);
                }
                let warnings = warnings.as_array().is_some_and(|all| !all.is_empty()).then(|| warnings.clone());
                set(&mut case, &place.warnings, warnings);
                set(&mut case, &place.error, None);
            }
            Err(error) => {
                set(&mut case, &place.error, Some(json!({ "code": error["code"], "path": error["path"] })));
                set(&mut case, &place.warnings, None);
                if !is_input(&case, &place.body) {
                    set(&mut case, &place.body, None);
                }
            }
        }
        cases[place.case] = RawValue::from_string(serde_json::to_string_pretty(&case).unwrap()).unwrap();
    }
    let cases: Vec<&str> = cases.iter().map(|case| case.get()).collect();
    format!("[\n  {}\n]\n", cases.join(",\n  "))
}

/// Whether a body is the canonical value that other checks of the case begin with.
fn is_input(case: &Value, body: &str) -> bool {
    body == "/canonical" && (case.get("both").is_some() || case.get("writes").is_some())
}

/// Sets the body where the case states one: as a value, or as exact text.
fn set_body(case: &mut Value, at: &str, text: &str) {
    let exact = format!("{at}Text");
    match serde_json::from_str::<Value>(text) {
        Ok(found) if case.pointer(&exact).is_none() => {
            let found = match case.pointer(at) {
                Some(expected) => merged(expected, found),
                None => found,
            };
            set(case, at, Some(found));
        }
        _ => set(case, &exact, Some(Value::from(text))),
    }
}

/// What was found, with the variables, the spelling of numbers and the order of the expected value.
fn merged(expected: &Value, found: Value) -> Value {
    match (expected, found) {
        (Value::Object(expected), Value::Object(mut found)) => {
            let mut all = Map::new();
            for (key, value) in expected {
                if let Some(other) = found.shift_remove(key) {
                    all.insert(key.clone(), merged(value, other));
                }
            }
            all.extend(found);
            Value::Object(all)
        }
        (Value::Array(expected), Value::Array(found)) => {
            let merge = |(index, value)| match expected.get(index) {
                Some(expected) => merged(expected, value),
                None => value,
            };
            Value::Array(found.into_iter().enumerate().map(merge).collect())
        }
        (expected, found) => {
            if differences(expected, &found).is_empty() {
                expected.clone()
            } else {
                found
            }
        }
    }
}

/// Sets the member at a JSON pointer, or removes it.
fn set(case: &mut Value, pointer: &str, value: Option<Value>) {
    let (parent, key) = pointer.rsplit_once('/').unwrap();
    let members = case.pointer_mut(parent).and_then(Value::as_object_mut).unwrap();
    match value {
        Some(value) => _ = members.insert(key.to_owned(), value),
        None => _ = members.shift_remove(key),
    }
}
