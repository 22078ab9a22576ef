//! Generates a sample value of a schema, for examples.

use crate::json::{Map, Value, json};

/// Maximum depth of samples, because schemas may be recursive.
const DEPTH: usize = 6;

/// A sample of a schema. Uses the examples in the schema, or else generates the required properties.
#[must_use]
pub fn sample(schema: &Value) -> Value {
    Sampler { root: schema }.value(schema, DEPTH)
}

/// The properties in display order: required ones first.
pub(super) fn properties(schema: &Value) -> Vec<(&String, &Value, bool)> {
    let required = schema.get("required").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_required = |name: &str| required.iter().any(|item| item == name);
    let all = schema.get("properties").and_then(Value::as_object);
    let list = all.into_iter().flatten().map(|(name, schema)| (name, schema, is_required(name)));
    let (mut first, rest): (Vec<_>, Vec<_>) = list.partition(|(_, _, required)| *required);
    first.extend(rest);
    first
}

/// Resolves `$ref` if it refers to the same document.
pub(super) fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let target = schema.get("$ref").and_then(Value::as_str).and_then(|to| to.strip_prefix('#'));
    target.and_then(|pointer| root.pointer(pointer)).unwrap_or(schema)
}

struct Sampler<'a> {
    root: &'a Value,
}

impl Sampler<'_> {
    fn value(&self, schema: &Value, depth: usize) -> Value {
        let schema = resolved(self.root, schema);
        if let Some(given) = given(schema) {
            return given;
        }
        if depth == 0 {
            return Value::Null;
        }
        for union in ["anyOf", "oneOf", "allOf"] {
            if let Some(first) = schema.get(union).and_then(|list| list.as_array()?.first()) {
                return self.value(first, depth - 1);
            }
        }
        match type_of(schema) {
            "object" => self.object(schema, depth),
            "array" => match schema.get("items").filter(|items| items.is_object()) {
                Some(items) => json!([self.value(items, depth - 1)]),
                None => json!([]),
            },
            "integer" | "number" => {
                schema.get("minimum").filter(|least| least.is_number()).cloned().unwrap_or(json!(1))
            }
            "boolean" => json!(true),
            "null" => Value::Null,
            _ => Value::from(text(schema)),
        }
    }

    fn object(&self, schema: &Value, depth: usize) -> Value {
        let list = properties(schema);
        let has_required = list.iter().any(|(_, _, required)| *required);
        let shown = list.iter().filter(|(_, _, required)| *required || !has_required);
        let count = if has_required { list.len() } else { 1 };
        let entries = shown.take(count).map(|(name, schema, _)| ((*name).clone(), self.value(schema, depth - 1)));
        Value::Object(entries.collect::<Map<_, _>>())
    }
}

/// A value that the schema itself provides.
fn given(schema: &Value) -> Option<Value> {
    let listed = |key| schema.get(key).and_then(|list: &Value| list.as_array()?.first()).cloned();
    schema
        .get("const")
        .cloned()
        .or_else(|| listed("examples"))
        .or_else(|| schema.get("default").cloned())
        .or_else(|| listed("enum"))
}

pub(super) fn type_of(schema: &Value) -> &str {
    let named = match schema.get("type") {
        Some(Value::Array(types)) => types.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        other => other.and_then(Value::as_str),
    };
    named.unwrap_or(if schema.get("properties").is_some() { "object" } else { "string" })
}

fn text(schema: &Value) -> &'static str {
    match schema.get("format").and_then(Value::as_str).unwrap_or_default() {
        "date" => "2026-01-31",
        "time" => "07:30:00Z",
        "date-time" => "2026-01-31T07:30:00Z",
        "email" => "name@example.com",
        "uri" | "url" => "https://example.com/",
        "uuid" => "123e4567-e89b-12d3-a456-426614174000",
        _ => "text",
    }
}
