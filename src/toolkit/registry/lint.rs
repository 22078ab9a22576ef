//! Reports tool definitions that are likely to cause failures of models or providers.

use super::super::schema::{Schema, SchemaOptions, join};
use super::Entry;
use super::words::words;
use crate::json::Value;
use crate::nearest::{distance, folded};
use crate::table::Table;
#[cfg(not(target_arch = "wasm32"))]
use serde::Serialize;

/// A likely problem of a tool definition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Lint {
    pub tool: String,
    /// JSON Pointer into the tool.
    pub path: String,
    pub code: String,
    pub message: String,
}

/// Minimum number of words in a description.
const MIN_WORDS: usize = 3;
/// Maximum similarity of the words of two descriptions.
const MAX_ALIKE: f64 = 0.8;
/// Maximum depth to which schemas are inspected.
const MAX_DEPTH: usize = 16;
/// Maximum number of tools that are compared with each other.
const MAX_COMPARED: usize = 200;

pub fn lint<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<Lint> {
    let entries: Vec<&Entry> = entries.collect();
    let mut lints = Vec::new();
    for entry in &entries {
        lint_tool(entry, &mut lints);
    }
    for (place, one) in entries.iter().enumerate().take(MAX_COMPARED) {
        for other in entries.iter().take(place) {
            compare(one, other, &mut lints);
        }
    }
    lints
}

fn add(lints: &mut Vec<Lint>, entry: &Entry, path: &str, code: &str, message: impl Into<String>) {
    lints.push(Lint { tool: entry.tool.name.clone(), path: path.into(), code: code.into(), message: message.into() });
}

fn lint_tool(entry: &Entry, lints: &mut Vec<Lint>) {
    let tool = &entry.tool;
    let portable = tool.name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'));
    if !portable || tool.name.len() > 64 {
        add(
            lints,
            entry,
            "/name",
            "name_not_portable",
            "some providers only take letters, digits, `_` and `-`, at most 64",
        );
    }
    match tool.description.as_deref().map(str::trim) {
        None | Some("") => {
            add(lints, entry, "/description", "missing_description", "describe what the tool does and when to use it");
        }
        Some(text) if text.split_whitespace().count() < MIN_WORDS && words(text).len() < MIN_WORDS => {
            add(
                lints,
                entry,
                "/description",
                "short_description",
                "describe in more detail what the tool does and when to use it",
            );
        }
        Some(_) => {}
    }
    let Some(schema) = &entry.parameters else { return };
    if !schema.get("type").is_none_or(|kind| kind == "object") {
        add(
            lints,
            entry,
            "/parameters/type",
            "root_not_object",
            "arguments are objects, so providers require `\"type\": \"object\"`",
        );
    }
    for keyword in ["anyOf", "oneOf", "allOf", "enum", "not"] {
        if schema.get(keyword).is_some() {
            let message =
                format!("some providers reject `{keyword}` at the root of the parameters: put it inside of a field");
            add(lints, entry, &format!("/parameters/{keyword}"), "unsupported_keyword", message);
        }
    }
    lint_schema(entry, schema, "/parameters", 0, lints);
}

fn lint_schema(entry: &Entry, schema: &Value, path: &str, depth: usize, lints: &mut Vec<Lint>) {
    if depth > MAX_DEPTH {
        add(lints, entry, path, "deep_schema", "some providers reject schemas that are nested so deeply");
        return;
    }
    lint_default(entry, schema, path, lints);
    if let Some(pattern) = schema
        .get("pattern")
        .and_then(Value::as_str)
        .filter(|pattern| ["(?=", "(?!", "(?<"].iter().any(|mark| pattern.contains(mark)))
    {
        let message = format!("some providers reject lookarounds and named groups in patterns, as in `{pattern}`");
        add(lints, entry, &join(path.to_string(), "pattern"), "unsupported_pattern", message);
    }
    let names: Vec<&str> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = schema.get("properties").and_then(Value::as_object);
    for name in names.iter().filter(|name| properties.is_none_or(|properties| !properties.contains_key(**name))) {
        let message = format!("`{name}` is required, but not among the properties");
        add(lints, entry, &join(path.to_string(), "required"), "undeclared_required", message);
    }
    for (name, field) in properties.into_iter().flatten() {
        let path = join(join(path.to_string(), "properties"), name);
        let described = field.get("description").and_then(Value::as_str).is_some_and(|text| !text.trim().is_empty());
        if field.is_object() && !described && field.get("$ref").is_none() {
            add(lints, entry, &path, "parameter_without_description", format!("describe what `{name}` is"));
        }
        lint_schema(entry, field, &path, depth + 1, lints);
    }
    if let Some(items) = schema.get("items").filter(|items| items.is_object()) {
        lint_schema(entry, items, &join(path.to_string(), "items"), depth + 1, lints);
    }
    if schema.get("type") == Some(&Value::from("array"))
        && schema.get("items").is_none()
        && schema.get("prefixItems").is_none()
    {
        add(lints, entry, path, "array_without_items", "some providers reject arrays without `items`");
    }
}

fn lint_default(entry: &Entry, schema: &Value, path: &str, lints: &mut Vec<Lint>) {
    let (Some(default), None) = (schema.get("default"), schema.get("$ref")) else { return };
    // A subschema with references can't be compiled separately.
    let Ok(compiled) = Schema::new(schema, &SchemaOptions::default()) else { return };
    if !compiled.accepts(default, true) {
        add(
            lints,
            entry,
            &join(path.to_string(), "default"),
            "invalid_default",
            "the default is not valid, so it is not used",
        );
    }
}

fn compare(one: &Entry, other: &Entry, lints: &mut Vec<Lint>) {
    let letters = |entry: &Entry| folded(&entry.tool.name).chars().collect::<Vec<char>>();
    let (name, other_name) = (letters(one), letters(other));
    let difference = distance(&name, &other_name);
    if difference <= 1 && name.len().min(other_name.len()) > 2 {
        let message = format!("the name differs little from that of `{}`: models mix them up", other.tool.name);
        add(lints, one, "/name", "names_alike", message);
    }
    let described = |entry: &Entry| {
        let words = words(entry.tool.description.as_deref().unwrap_or(""));
        words.into_iter().map(|word| (word, ())).collect::<Table<String, ()>>()
    };
    let (words, other_words) = (described(one), described(other));
    let common = words.keys().filter(|word| other_words.contains_key(word)).count() as f64;
    let all = (words.len() + other_words.len()) as f64 - common;
    if all >= MIN_WORDS as f64 && common / all >= MAX_ALIKE {
        let message = format!("the description reads like that of `{}`: state how they differ", other.tool.name);
        add(lints, one, "/description", "descriptions_alike", message);
    }
}
