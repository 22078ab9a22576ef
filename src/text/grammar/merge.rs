//! Merges schemas that must hold together, and detects schemas that exclude each other.

use crate::json::{Map, Value, json};
use crate::table::Table;

/// The schema of values that satisfy both schemas. Also returns the keywords that are lost because they can't be combined.
pub(super) fn merge(one: Map<String, Value>, other: Map<String, Value>) -> (Value, Vec<String>) {
    let mut out = one;
    let mut lost = Vec::new();
    let closes = |map: &Map<String, Value>| map.get("additionalProperties") == Some(&Value::Bool(false));
    if (closes(&out) && has_others(&other, &out)) || (closes(&other) && has_others(&out, &other)) {
        lost.push("additionalProperties".to_owned());
    }
    for (keyword, new) in other {
        let Some(old) = out.get(&keyword).cloned() else {
            out.insert(keyword, new);
            continue;
        };
        if old == new {
            continue;
        }
        let merged = match keyword.as_str() {
            "type" => types_of(&old, &new),
            "enum" => Some(common(&old, &new)),
            "required" => Some(joined(&old, &new)),
            "properties" | "patternProperties" | "$defs" | "definitions" => Some(properties(&old, &new)),
            "items" | "additionalProperties" => Some(both(&old, &new)),
            "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => greater(&old, &new, true),
            "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => greater(&old, &new, false),
            "const" => return (Value::Bool(false), lost),
            _ => None,
        };
        match merged {
            Some(Value::Array(values)) if values.is_empty() && matches!(keyword.as_str(), "type" | "enum") => {
                return (Value::Bool(false), lost);
            }
            Some(value) => drop(out.insert(keyword, value)),
            None => lost.push(keyword),
        }
    }
    (Value::Object(out), lost)
}

/// Whether a schema has properties that the other does not have.
fn has_others(map: &Map<String, Value>, closed: &Map<String, Value>) -> bool {
    let known = closed.get("properties").and_then(Value::as_object);
    let own = map.get("properties").and_then(Value::as_object);
    own.into_iter().flatten().any(|(key, _)| known.is_none_or(|known| !known.contains_key(key)))
}

pub(super) fn both(old: &Value, new: &Value) -> Value {
    match (old, new) {
        (Value::Bool(true), other) | (other, Value::Bool(true)) => other.clone(),
        (Value::Bool(false), _) | (_, Value::Bool(false)) => Value::Bool(false),
        _ => json!({ "allOf": [old, new] }),
    }
}

fn properties(old: &Value, new: &Value) -> Value {
    let (Value::Object(old), Value::Object(new)) = (old, new) else { return old.clone() };
    let mut out = old.clone();
    for (key, schema) in new {
        let merged = out.get(key).map_or_else(|| schema.clone(), |known| both(known, schema));
        out.insert(key.clone(), merged);
    }
    Value::Object(out)
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_else(|| vec![value.clone()])
}

fn types_of(old: &Value, new: &Value) -> Option<Value> {
    let (old, new) = (list(old), list(new));
    let fits = |one: &Value, all: &[Value]| all.contains(one) || (one == "integer" && all.contains(&json!("number")));
    let mut out: Vec<Value> = old.iter().filter(|one| fits(one, &new)).cloned().collect();
    out.extend(new.iter().filter(|one| !old.contains(one) && fits(one, &old)).cloned());
    Some(Value::Array(out))
}

fn common(old: &Value, new: &Value) -> Value {
    let new = keys(&list(new));
    Value::Array(list(old).into_iter().filter(|value| new.contains_key(&value.to_string())).collect())
}

fn joined(old: &Value, new: &Value) -> Value {
    let old = list(old);
    let known = keys(&old);
    let others = list(new).into_iter().filter(|name| !known.contains_key(&name.to_string()));
    Value::Array(old.iter().cloned().chain(others).collect())
}

/// Values as the keys of a table: there may be thousands.
fn keys(values: &[Value]) -> Table<String, ()> {
    let mut keys = Table::new();
    values.iter().for_each(|value| {
        keys.insert(value.to_string(), ());
    });
    keys
}

/// The greater or the lesser of two numbers.
fn greater(old: &Value, new: &Value, greater: bool) -> Option<Value> {
    let (a, b) = (old.as_f64()?, new.as_f64()?);
    Some(if (a > b) == greater { old.clone() } else { new.clone() })
}

/// Whether no value satisfies both schemas. Only types and fixed values are compared.
pub(super) fn disjoint(one: &Value, other: &Value) -> bool {
    let types = |schema: &Value| schema.get("type").map(list);
    if let (Some(one), Some(other)) = (types(one), types(other))
        && types_of(&Value::Array(one), &Value::Array(other)).is_some_and(|both| both == json!([]))
    {
        return true;
    }
    if let (Some(one), Some(other)) = (fixed(one), fixed(other)) {
        return one.iter().all(|value| !other.contains(value));
    }
    let is_object = |schema: &Value| schema.get("type") == Some(&json!("object"));
    let required = one.get("required").map(list).unwrap_or_default();
    let also = other.get("required").map(list).unwrap_or_default();
    let property = |schema: &'_ Value, name: &Value| schema.get("properties")?.get(name.as_str()?).cloned();
    is_object(one)
        && is_object(other)
        && required.iter().filter(|name| also.contains(name)).any(|name| {
            let (Some(one), Some(other)) = (property(one, name), property(other, name)) else { return false };
            fixed(&one).zip(fixed(&other)).is_some_and(|(one, other)| one.iter().all(|value| !other.contains(value)))
        })
}

fn fixed(schema: &Value) -> Option<Vec<Value>> {
    schema.get("const").map(|value| vec![value.clone()]).or_else(|| schema.get("enum")?.as_array().cloned())
}
