//! Generates a sample value of a schema, for examples.

use crate::json::{Map, Value, json};
use crate::table::Table;
use crate::text::schema::target;
use std::cell::Cell;

/// Maximum depth of samples, because schemas may be recursive.
const DEPTH: usize = 6;
/// Maximum number of values in a sample, and of schemas that are read for the properties of one object: those of a stranger may branch.
const VALUES: usize = 200;
const SCHEMAS: usize = 100;

/// A sample of a schema. Uses the examples in the schema, or else generates the required properties.
#[must_use]
pub fn sample(schema: &Value) -> Value {
    Sampler { root: schema, left: Cell::new(VALUES) }.value(schema, DEPTH)
}

/// A property: its name, its schema, and whether it is required.
type Property<'a> = (&'a String, &'a Value, bool);

/// The properties in display order: required ones first. References and branches state some, too.
pub(super) fn properties<'a>(root: &'a Value, schema: &'a Value) -> Vec<Property<'a>> {
    let mut stated = Stated { left: SCHEMAS, ..Stated::default() };
    stated.gather(root, schema, true);
    ordered(stated.list.values().copied(), &stated.required)
}

/// The properties that the schema itself states, in display order.
pub(super) fn own_properties(schema: &Value) -> Vec<Property<'_>> {
    let list = schema.get("properties").and_then(Value::as_object).into_iter().flatten();
    ordered(list, &required_in(schema).map(|name| (name.to_owned(), ())).collect())
}

fn ordered<'a>(list: impl Iterator<Item = (&'a String, &'a Value)>, required: &Table<String, ()>) -> Vec<Property<'a>> {
    let list = list.map(|(name, schema)| (name, schema, required.contains_key(name)));
    let (mut first, rest): (Vec<_>, Vec<_>) = list.partition(|(_, _, required)| *required);
    first.extend(rest);
    first
}

fn required_in(schema: &Value) -> impl Iterator<Item = &str> {
    schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
}

/// What a schema states of an object.
#[derive(Default)]
struct Stated<'a> {
    /// The properties, by name.
    list: Table<String, (&'a String, &'a Value)>,
    required: Table<String, ()>,
    /// How many schemas may still be read.
    left: usize,
}

impl<'a> Stated<'a> {
    /// Collects the properties of a schema and, if all of it applies, the names of the required ones.
    fn gather(&mut self, root: &'a Value, schema: &'a Value, applies: bool) {
        let Some(left) = self.left.checked_sub(1) else { return };
        self.left = left;
        for (name, schema) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            if !self.list.contains_key(name) {
                self.list.insert(name.clone(), (name, schema));
            }
        }
        for name in required_in(schema).filter(|_| applies) {
            self.required.insert(name.to_owned(), ());
        }
        let target = resolved(root, schema);
        if !std::ptr::eq(target, schema) {
            self.gather(root, target, applies);
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            for branch in schema.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.gather(root, branch, applies && keyword == "allOf");
            }
        }
    }
}

/// Resolves `$ref` if it refers to a part of the schema.
pub(super) fn resolved<'a>(root: &'a Value, schema: &'a Value) -> &'a Value {
    let reference = schema.get("$ref").and_then(Value::as_str);
    reference.and_then(|reference| target(root, reference)).map_or(schema, |(_, found)| found)
}

struct Sampler<'a> {
    root: &'a Value,
    /// The number of values that the sample may still have.
    left: Cell<usize>,
}

impl Sampler<'_> {
    fn value(&self, schema: &Value, depth: usize) -> Value {
        let Some(left) = self.left.get().checked_sub(1) else { return Value::Null };
        self.left.set(left);
        let schema = resolved(self.root, schema);
        if let Some(given) = given(schema) {
            return given;
        }
        if depth == 0 {
            return Value::Null;
        }
        let properties = properties(self.root, schema);
        if !properties.is_empty() {
            return self.object(properties, depth);
        }
        for union in ["anyOf", "oneOf", "allOf"] {
            if let Some(first) = schema.get(union).and_then(|list| list.as_array()?.first()) {
                return self.value(first, depth - 1);
            }
        }
        match type_of(schema) {
            "object" => json!({}),
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

    fn object(&self, list: Vec<Property>, depth: usize) -> Value {
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
