//! The fields of JSON objects as raw text, and what arguments can't be.

use super::scan::JsonScan;
use crate::json::Value;
use crate::table::Table;

pub(super) const NO_OBJECT: &str = "the arguments are not a JSON object";

/// Why JSON can't be the arguments of a call.
pub(super) fn fault(arguments: &str) -> Option<&'static str> {
    if !crate::json::is_object(arguments) {
        return Some(NO_OBJECT);
    }
    is_ambiguous(arguments).then_some("an argument has two values")
}

/// Whether a key occurs twice in an object, with different values.
pub(super) fn is_ambiguous(object: &str) -> bool {
    let mut known: Table<String, &str> = Table::new();
    fields(object.trim_start()).into_iter().any(|(key, value)| {
        let is_same = |other: &str| other == value || parsed(other) == parsed(value);
        known.insert(key, value).is_some_and(|other| !is_same(other))
    })
}

fn parsed(value: &str) -> Value {
    crate::json::from_str(value).unwrap_or_default()
}

/// The fields of an object, with their values as raw text. The last value may be truncated.
pub(super) fn fields(raw: &str) -> Vec<(String, &str)> {
    let mut fields = Vec::new();
    let mut rest = raw.trim_start_matches('{');
    loop {
        rest = rest.trim_start_matches(|one: char| one.is_whitespace() || one == ',');
        let mut close = 0;
        if !rest.starts_with('"') || JsonScan::default().run(rest.as_bytes(), &mut close).is_none() {
            return fields;
        }
        let (key, after) = rest.split_at(close);
        let Some(value) = after.trim_start().strip_prefix(':').map(str::trim_start) else { return fields };
        let mut stop = 0;
        let stop = JsonScan::default().run(value.as_bytes(), &mut stop).unwrap_or(value.len());
        fields.push((crate::json::from_str(key).unwrap_or_default(), value.get(..stop).unwrap_or_default()));
        rest = value.get(stop..).unwrap_or_default();
    }
}
