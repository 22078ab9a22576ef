//! What a cleaned schema states: its properties, its fixed values, its types and the pattern of its strings.

use super::pattern::of_format;
use crate::json::{Map, Value};
use crate::table::Table;
use crate::text::schema::type_of;

pub(super) const TYPES: [&str; 6] = ["string", "number", "boolean", "null", "object", "array"];

/// The declared properties in order, then required ones without a declaration, each with name, schema and whether it is required.
pub(super) fn properties(map: &Map<String, Value>) -> Vec<(&str, &Value, bool)> {
    let required = map.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let declared = map.get("properties").and_then(Value::as_object);
    let mut places = Table::new();
    for (place, key) in required.iter().enumerate().filter_map(|(place, key)| Some((place, key.as_str()?))) {
        places.or_insert_with(key.to_owned(), || place);
    }
    let own = declared.into_iter().flat_map(|all| all.iter());
    let own = own.map(|(key, schema)| (key.as_str(), schema, places.contains_key(key)));
    let others = places.values().filter_map(|place| required.get(*place)?.as_str());
    let others = others.filter(|key| declared.is_none_or(|declared| !declared.contains_key(*key)));
    let schema = map.get("additionalProperties").unwrap_or(&Value::Bool(true));
    own.chain(others.map(|key| (key, schema, true))).collect()
}

/// The values that `enum` or `const` allows.
pub(super) fn fixed(map: &Map<String, Value>) -> Option<Vec<Value>> {
    let types = map.get("type").map(|_| types_of(map));
    let fits = |value: &Value| types.as_ref().is_none_or(|types| types.iter().any(|kind| is_type(value, kind)));
    let listed = map.get("const").map(|value| vec![value.clone()]).or_else(|| map.get("enum")?.as_array().cloned())?;
    Some(listed.into_iter().filter(fits).collect())
}

fn is_type(value: &Value, kind: &str) -> bool {
    match kind {
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        "number" => value.is_number(),
        kind => type_of(value) == kind,
    }
}

pub(super) fn types_of(map: &Map<String, Value>) -> Vec<&str> {
    match map.get("type") {
        Some(Value::String(one)) => vec![one],
        Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
        _ => TYPES.to_vec(),
    }
}

pub(super) fn shape(map: &Map<String, Value>) -> Option<&str> {
    let text = |keyword: &str| map.get(keyword).and_then(Value::as_str);
    text("pattern").or_else(|| of_format(text("format")?))
}
