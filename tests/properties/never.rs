//! Every input gives output or an error: arbitrary JSON, and damaged bodies.

use crate::generate;
use crate::runner::{check, text};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;
use serde_json::Value;
use toolwire::{Dialect, ErrorCode, Options, Subject, convert_text};

const KINDS: [Subject; 5] = [Subject::Request, Subject::Response, Subject::Error, Subject::Tools, Subject::Messages];

/// The kind and position of the damage.
#[derive(Clone, Debug)]
enum Damage {
    Replaced(Value),
    Removed,
    Doubled,
    Emptied,
}

fn damage() -> impl Strategy<Value = (prop::sample::Index, Damage)> {
    let kind = prop_oneof![
        3 => generate::anything().prop_map(Damage::Replaced),
        1 => Just(Damage::Removed),
        1 => Just(Damage::Doubled),
        1 => Just(Damage::Emptied),
    ];
    (any::<prop::sample::Index>(), kind)
}

/// The pointers to all values in a value.
fn places(value: &Value, at: &str, found: &mut Vec<String>) {
    found.push(at.to_owned());
    match value {
        Value::Object(fields) => {
            let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
            fields.iter().for_each(|(key, value)| places(value, &format!("{at}/{}", escaped(key)), found));
        }
        Value::Array(elements) => {
            elements.iter().enumerate().for_each(|(index, value)| places(value, &format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

fn broken(body: &mut Value, index: prop::sample::Index, damage: Damage) {
    let mut found = Vec::new();
    places(body, "", &mut found);
    let Some(place) = body.pointer_mut(&found[index.index(found.len())]) else { return };
    match damage {
        Damage::Replaced(value) => *place = value,
        Damage::Removed => match place {
            Value::Object(fields) => {
                let first = fields.keys().next().cloned();
                first.map(|key| fields.shift_remove(&key));
            }
            Value::Array(elements) => {
                elements.pop();
            }
            other => *other = Value::Null,
        },
        Damage::Doubled => *place = Value::Array(vec![place.clone(), place.clone()]),
        Damage::Emptied => {
            *place = match place {
                Value::Object(_) => Value::Object(serde_json::Map::new()),
                Value::Array(_) => Value::Array(Vec::new()),
                _ => "".into(),
            }
        }
    }
}

/// Whether a conversion returns valid JSON, or an error that is not an internal one.
fn survives(body: &Value, kind: Subject, from: Dialect, to: Dialect) -> TestCaseResult {
    let fail =
        |why: String| TestCaseError::fail(format!("{} to {}, {kind:?}: {why}\nfor {body}", from.name(), to.name()));
    match convert_text(text(body), kind, from, to, Options { bookkeeping: true, ..Options::default() }) {
        Ok(converted) => match serde_json::from_slice::<&serde_json::value::RawValue>(&converted.body) {
            Ok(_) => Ok(()),
            Err(error) => Err(fail(format!("{error}: {}", String::from_utf8_lossy(&converted.body)))),
        },
        Err(error) if error.code == ErrorCode::Internal => Err(fail(error.to_string())),
        Err(_) => Ok(()),
    }
}

#[test]
fn anything_is_read_or_refused() {
    check(2, (generate::anything(), any::<prop::sample::Index>()), 0.3, |(body, index)| {
        let kind = KINDS[index.index(KINDS.len())];
        let to = Dialect::ALL[index.index(Dialect::ALL.len())];
        Dialect::ALL.iter().try_for_each(|from| survives(&body, kind, *from, to))
    });
}

#[test]
fn broken_bodies_are_read_or_refused() {
    let damages = prop::collection::vec(damage(), 1..4);
    check(3, (generate::request(), damages, any::<prop::sample::Index>()), 0.2, |(request, damages, index)| {
        let other = Dialect::ALL[index.index(Dialect::ALL.len())];
        for from in Dialect::ALL {
            let written = convert_text(
                text(&request),
                Subject::Request,
                Dialect::Canonical,
                *from,
                Options { bookkeeping: true, ..Options::default() },
            );
            let Ok(written) = written else { continue };
            let mut body = serde_json::from_slice(&written.body).unwrap_or_default();
            damages.iter().for_each(|(index, damage)| broken(&mut body, *index, damage.clone()));
            survives(&body, Subject::Request, *from, Dialect::Canonical)?;
            survives(&body, Subject::Request, *from, other)?;
        }
        Ok(())
    });
}
