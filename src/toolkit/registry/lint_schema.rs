//! Reports parts of schemas that are likely to cause failures of models or providers.

use super::super::schema::{Schema, SchemaOptions, join};
use super::Entry;
use super::lint::{Lint, add};
use crate::json::{Map, Value};

/// Maximum depth to which schemas are inspected.
const MAX_DEPTH: usize = 16;
/// Keywords whose value is a schema, an array of schemas, or an object of schemas by name.
const OF_SCHEMA: [&str; 4] = ["items", "additionalProperties", "contains", "then"];
const OF_SCHEMAS: [&str; 4] = ["anyOf", "oneOf", "allOf", "prefixItems"];
const OF_NAMED_SCHEMAS: [&str; 4] = ["properties", "patternProperties", "$defs", "definitions"];

pub fn lint_schema(entry: &Entry, schema: &Value, path: &str, depth: usize, lints: &mut Vec<Lint>) {
    let Some(fields) = schema.as_object() else { return };
    if depth > MAX_DEPTH {
        add(lints, entry, path, "deep_schema", "some providers reject schemas that are nested so deeply");
        return;
    }
    lint_values(entry, schema, path, lints);
    lint_pattern(entry, schema, path, lints);
    lint_fields(entry, fields, path, lints);
    if schema.get("type") == Some(&Value::from("array"))
        && schema.get("items").is_none()
        && schema.get("prefixItems").is_none()
    {
        add(lints, entry, path, "array_without_items", "some providers reject arrays without `items`");
    }
    for (keyword, value) in fields {
        let inner = |key: &str| join(join(path.to_string(), keyword), key);
        match value {
            Value::Object(_) if OF_SCHEMA.contains(&keyword.as_str()) => {
                lint_schema(entry, value, &join(path.to_string(), keyword), depth + 1, lints);
            }
            Value::Array(schemas) if OF_SCHEMAS.contains(&keyword.as_str()) => {
                for (index, schema) in schemas.iter().enumerate() {
                    lint_schema(entry, schema, &inner(&index.to_string()), depth + 1, lints);
                }
            }
            Value::Object(schemas) if OF_NAMED_SCHEMAS.contains(&keyword.as_str()) => {
                for (name, schema) in schemas {
                    lint_schema(entry, schema, &inner(name), depth + 1, lints);
                }
            }
            _ => {}
        }
    }
}

/// Reports fields without a description, and required fields that are not declared.
fn lint_fields(entry: &Entry, schema: &Map<String, Value>, path: &str, lints: &mut Vec<Lint>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str);
    for name in names.filter(|name| properties.is_none_or(|properties| !properties.contains_key(*name))) {
        // A branch may require what the schema around it declares.
        if schema.contains_key("type") || properties.is_some() {
            let message = format!("`{name}` is required, but not among the properties");
            add(lints, entry, &join(path.to_string(), "required"), "undeclared_required", message);
        }
    }
    for (name, field) in properties.into_iter().flatten() {
        let described = field.get("description").and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
        // A constant needs no description. A reference may lead to one.
        if field.is_object() && !described && field.get("$ref").is_none() && field.get("const").is_none() {
            let path = join(join(path.to_string(), "properties"), name);
            add(lints, entry, &path, "parameter_without_description", format!("describe what `{name}` is"));
        }
    }
}

fn lint_pattern(entry: &Entry, schema: &Value, path: &str, lints: &mut Vec<Lint>) {
    let Some(pattern) = schema.get("pattern").and_then(Value::as_str) else { return };
    if ["(?=", "(?!", "(?<"].iter().any(|mark| pattern.contains(mark)) {
        let message = format!("some providers reject lookarounds and named groups in patterns, as in `{pattern}`");
        add(lints, entry, &join(path.to_string(), "pattern"), "unsupported_pattern", message);
    }
}

/// Reports defaults and listed values that the schema itself rejects, and bounds that exclude each other.
fn lint_values(entry: &Entry, schema: &Value, path: &str, lints: &mut Vec<Lint>) {
    for (low, high) in [("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems")] {
        let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
        if bound(low).zip(bound(high)).is_some_and(|(low, high)| low > high) {
            let message = format!("`{low}` is greater than `{high}`, so no value is valid");
            add(lints, entry, &join(path.to_string(), low), "no_valid_value", message);
        }
    }
    let values = schema.get("enum").and_then(Value::as_array);
    let default = schema.get("default");
    if values.is_none() && default.is_none() || schema.get("$ref").is_some() {
        return;
    }
    // A subschema with references can't be compiled separately.
    let Ok(compiled) = Schema::new(schema, &SchemaOptions::default()) else { return };
    if default.is_some_and(|default| !compiled.accepts(default, true)) {
        let message = "the default is not valid, so it is not used";
        add(lints, entry, &join(path.to_string(), "default"), "invalid_default", message);
    }
    if values.is_some_and(Vec::is_empty) {
        let message = "no value is listed, so no value is valid";
        add(lints, entry, &join(path.to_string(), "enum"), "no_valid_value", message);
    }
    for (index, _) in values.into_iter().flatten().enumerate().filter(|(_, value)| !compiled.accepts(value, true)) {
        let path = join(join(path.to_string(), "enum"), &index.to_string());
        add(
            lints,
            entry,
            &path,
            "invalid_enum_value",
            "the rest of the schema rejects this value, and so do providers",
        );
    }
}
