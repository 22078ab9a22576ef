//! The bounds of grammars: an engine could not use larger ones, and a schema may come from a stranger.

use crate::json::{Map, Value};
use crate::text::schema::{escaped, target};
use crate::text::{Result, TextError};

/// The maximum number of nested objects and arrays in a schema.
pub(super) const NESTING: usize = 127;
/// The maximum number of nested subschemas, with references and `allOf` followed.
pub(super) const LEVELS: usize = 64;
/// The number of items of a tuple that count as one level: each item that may be missing is nested in the one before it.
pub(super) const TUPLE: usize = 4;
/// Definitions are written where they are first used up to this depth.
pub(super) const EARLY: usize = 12;
/// The maximum number of subschemas of one schema. Those that a reference, `allOf` or a union repeats count each time.
pub(super) const SUBSCHEMAS: usize = 100_000;
/// The maximum size of a grammar whose parts have no names, in bytes.
pub(super) const SIZE: usize = 4_000_000;
/// The maximum length of a declared name that the names of undeclared properties are kept from, in characters.
pub(super) const NAME: usize = 128;

/// Refuses a value that is nested too deeply, which is at this path.
pub(super) fn check_nesting(value: &Value, path: &str) -> Result<()> {
    let Some(inner) = too_deep(value, 0) else { return Ok(()) };
    let message = format!("the schema is nested more than {NESTING} levels deep, which is too deep for a grammar");
    Err(TextError::new(format!("{path}{inner}"), message))
}

/// The path of the first part that is nested too deeply.
fn too_deep(value: &Value, depth: usize) -> Option<String> {
    let nested = matches!(value, Value::Object(_) | Value::Array(_));
    if nested && depth >= NESTING {
        return Some(String::new());
    }
    let inner = |key: &str, value: &Value| too_deep(value, depth + 1).map(|path| format!("/{}{path}", escaped(key)));
    match value {
        Value::Object(fields) => fields.iter().find_map(|(key, value)| inner(key, value)),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, value)| inner(&index.to_string(), value)),
        _ => None,
    }
}

/// The error for a grammar that becomes too large. The path is that of the schema from which it does.
pub(super) fn too_large(path: &str) -> TextError {
    let message = format!(
        "the grammar would be larger than {SIZE} bytes, as this syntax repeats what is used several times: use gbnf, or a smaller schema"
    );
    TextError::new(path, message)
}

/// The location of a path in which references were replaced by their targets: it begins at the last of these.
pub(super) fn located(root: &Value, path: &str) -> String {
    let (mut at, mut schema) = (String::new(), root);
    let mut steps = path.split('/').skip(1);
    loop {
        // references that only lead to each other have no target
        for _ in 0..LEVELS {
            let reference = schema.get("$ref").and_then(Value::as_str);
            let Some(found) = reference.and_then(|reference| target(root, reference)) else { break };
            (at, schema) = found;
        }
        let Some(step) = steps.next() else { return at };
        let Some(next) = schema.pointer(&format!("/{step}")) else { return at };
        at = format!("{at}/{step}");
        schema = next;
    }
}

/// The number of values in the keywords of a schema.
pub(super) fn parts_of(map: &Map<String, Value>) -> usize {
    map.iter()
        .map(|(_, value)| match value {
            Value::Object(map) => 1 + parts_of(map),
            Value::Array(list) => list.iter().map(|one| 1 + one.as_object().map_or(0, parts_of)).sum(),
            _ => 1,
        })
        .sum()
}
