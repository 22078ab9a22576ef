//! Looks up what the schema of a tool states: targets of references, types, and the schemas of properties and elements.

use crate::json::{Map, Value};
use crate::percent;
use crate::text::Tool;

/// The deepest place where a reference finds a name.
const PLACES: usize = 64;

/// The JSON Pointer of what a reference in a schema refers to, and the target. `None` if it is in no part of the schema.
pub(super) fn target<'a>(root: &'a Value, reference: &str) -> Option<(String, &'a Value)> {
    let (document, fragment) = reference.split_once('#').unwrap_or((reference, ""));
    let is_id = |id: &str| id == document || id.strip_suffix(document).is_some_and(|base| base.ends_with('/'));
    let mut path = if document.is_empty() { String::new() } else { place(root, &["$id"], &is_id, PLACES)? };
    if fragment.is_empty() || fragment.starts_with('/') {
        path.push_str(&String::from_utf8(percent::decoded(fragment.as_bytes())).ok()?);
    } else {
        let is_anchor = |anchor: &str| anchor == fragment;
        path.push_str(&place(root.pointer(&path)?, &["$anchor", "$dynamicAnchor"], &is_anchor, PLACES)?);
    }
    let found = root.pointer(&path)?;
    Some((path, found))
}

/// The JSON Pointer of the first part of a schema that has such a name under one of these keys.
fn place(schema: &Value, keys: &[&str], is_name: &dyn Fn(&str) -> bool, depth: usize) -> Option<String> {
    if keys.iter().filter_map(|key| schema.get(*key)?.as_str()).any(is_name) {
        return Some(String::new());
    }
    let depth = depth.checked_sub(1)?;
    let inner = |key: &str, value: &Value| Some(format!("/{}{}", escaped(key), place(value, keys, is_name, depth)?));
    match schema {
        Value::Object(fields) => fields.iter().find_map(|(key, value)| inner(key, value)),
        Value::Array(items) => items.iter().enumerate().find_map(|(index, value)| inner(&index.to_string(), value)),
        _ => None,
    }
}

/// A key in a JSON Pointer.
pub(super) fn escaped(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

/// The types that a schema allows. Empty if the schema does not restrict them.
pub(super) fn types<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    match schema.get("type") {
        Some(Value::String(one)) => found.push(one),
        Some(Value::Array(many)) => found.extend(many.iter().filter_map(Value::as_str)),
        _ => {}
    }
    if found.is_empty() {
        for value in listed(schema) {
            let kind = type_of(value);
            if !found.contains(&kind) {
                found.push(kind);
            }
        }
    }
    if found.is_empty() {
        let kinds = SHAPES.iter().filter(|(_, keywords)| keywords.iter().any(|keyword| schema.get(keyword).is_some()));
        found.extend(kinds.map(|(kind, _)| *kind));
    }
    if schema.get("nullable") == Some(&Value::Bool(true)) && !found.is_empty() {
        found.push("null");
    }
}

/// Types that only their keywords state.
const SHAPES: [(&str, &[&str]); 2] = [
    ("object", &["properties", "patternProperties", "additionalProperties", "required", "$ref"]),
    ("array", &["items", "prefixItems"]),
];

pub(super) fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// The values of `enum` and `const`.
pub(super) fn listed(schema: &Value) -> impl Iterator<Item = &Value> {
    schema.get("enum").and_then(Value::as_array).into_iter().flatten().chain(schema.get("const"))
}

/// The schema of a parameter.
pub(super) fn property<'a>(parameters: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    let declared = parameters.get("properties").and_then(|properties| properties.get(key));
    let patterns = || parameters.get("patternProperties").and_then(Value::as_object).into_iter().flatten();
    declared
        .or_else(|| patterns().find(|(pattern, _)| may_match(pattern, key)).map(|(_, schema)| schema))
        .or_else(|| OTHERS.iter().filter_map(|keyword| parameters.get(*keyword)).find(|schema| schema.is_object()))
}

/// The keywords of properties that are not declared.
const OTHERS: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];

/// Whether a key begins as a pattern requires. The rest of the pattern is not compared.
fn may_match(pattern: &str, key: &str) -> bool {
    let Some(pattern) = pattern.strip_prefix('^') else { return true };
    let plain = |one: char| one.is_alphanumeric() || "_- /:".contains(one);
    let end = pattern.find(|one| !plain(one)).unwrap_or(pattern.len());
    let (start, rest) = pattern.split_at_checked(end).unwrap_or_default();
    let last = start.chars().next_back().map_or(0, char::len_utf8);
    // what may be repeated may be missing
    let is_certain = !rest.starts_with(['*', '?', '{']) && !rest.contains('|');
    let start = if is_certain { start } else { start.get(..start.len() - last).unwrap_or_default() };
    rest.contains('|') || if rest == "$" { key == start } else { key.starts_with(start) }
}

/// The schema of an array's element.
pub(super) fn item_at(schema: &Value, index: usize) -> Option<&Value> {
    let first = schema.get("prefixItems").and_then(Value::as_array).and_then(|items| items.get(index));
    first.or_else(|| schema.get("items"))
}

/// How deep references and branches are followed, and how many schemas they may become.
const DEPTH: usize = 12;
const NODES: usize = 20_000;

/// Keywords whose schemas, or the schemas in them, describe the same value.
const BRANCHES: [&str; 7] = ["$ref", "allOf", "anyOf", "oneOf", "then", "else", "dependentSchemas"];

/// The tools with schemas that state everything themselves: what references and branches state is part of them.
pub(super) fn resolved(mut tools: Vec<Tool>) -> Vec<Tool> {
    for tool in &mut tools {
        if mentions(&tool.parameters) {
            let root = Value::Object(std::mem::take(&mut tool.parameters));
            let mut nodes = NODES;
            let schema = expanded(&root, &root, DEPTH, &mut nodes);
            tool.parameters = match schema {
                Value::Object(schema) => schema,
                _ => Map::new(),
            };
        }
    }
    tools
}

/// Whether a schema has references or branches.
fn mentions(schema: &Map<String, Value>) -> bool {
    schema.iter().any(|(key, value)| {
        BRANCHES.contains(&key.as_str())
            || match value {
                Value::Object(inner) => mentions(inner),
                Value::Array(items) => items.iter().filter_map(Value::as_object).any(mentions),
                _ => false,
            }
    })
}

fn expanded(root: &Value, schema: &Value, depth: usize, nodes: &mut usize) -> Value {
    let (Some(depth), Some(fields)) = (depth.checked_sub(1), schema.as_object()) else { return schema.clone() };
    let Some(rest) = nodes.checked_sub(1) else { return schema.clone() };
    *nodes = rest;
    let (mut whole, mut branches) = (Map::new(), Vec::new());
    for (key, value) in fields {
        let mut inner = |schema: &Value| expanded(root, schema, depth, nodes);
        let value = match (key.as_str(), value) {
            ("$defs" | "definitions", _) => continue,
            ("$ref", Value::String(reference)) => match target(root, reference) {
                Some((_, target)) => {
                    branches.push((key.as_str(), inner(target)));
                    continue;
                }
                None => value.clone(),
            },
            ("then" | "else", schema) => {
                branches.push((key.as_str(), inner(schema)));
                continue;
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(all)) => {
                branches.extend(all.iter().map(|schema| (key.as_str(), inner(schema))));
                continue;
            }
            ("dependentSchemas", Value::Object(all)) => {
                branches.extend(all.iter().map(|(_, schema)| (key.as_str(), inner(schema))));
                continue;
            }
            ("properties" | "patternProperties", Value::Object(all)) => {
                Value::Object(all.iter().map(|(key, schema)| (key.clone(), inner(schema))).collect())
            }
            ("items" | "additionalProperties" | "unevaluatedProperties", schema) => inner(schema),
            ("prefixItems", Value::Array(all)) => Value::Array(all.iter().map(inner).collect()),
            (_, value) => value.clone(),
        };
        whole.insert(key.clone(), value);
    }
    state_types(&mut whole);
    for (keyword, branch) in branches {
        if let Value::Object(branch) = branch {
            merge(&mut whole, branch, matches!(keyword, "$ref" | "allOf"));
        }
    }
    Value::Object(whole)
}

/// Writes the types of a schema that does not name them.
fn state_types(fields: &mut Map<String, Value>) {
    let schema = Value::Object(std::mem::take(fields));
    let mut found = Vec::new();
    types(&schema, &mut found);
    let found: Vec<Value> = found.into_iter().map(Value::from).collect();
    if let Value::Object(schema) = schema {
        *fields = schema;
    }
    if !found.is_empty() {
        fields.insert("type".to_owned(), Value::Array(found));
    }
}

/// Adds what another schema of the same value states: one of all that apply, or one that may apply.
fn merge(whole: &mut Map<String, Value>, other: Map<String, Value>, applies: bool) {
    for (key, value) in other {
        match (key.as_str(), whole.get_mut(&key), value) {
            ("required", _, _) if !applies => {}
            (_, None, value) => {
                whole.insert(key, value);
            }
            ("type" | "enum" | "required", Some(Value::Array(own)), Value::Array(more)) => {
                let more: Vec<Value> = more.into_iter().filter(|one| !own.contains(one)).collect();
                own.extend(more);
            }
            ("properties" | "patternProperties", Some(Value::Object(own)), Value::Object(more)) => {
                for (key, schema) in more {
                    match (own.get_mut(&key), schema) {
                        (Some(Value::Object(own)), Value::Object(schema)) => merge(own, schema, applies),
                        (Some(own), schema) if !own.is_object() => *own = schema,
                        (Some(_), _) => {}
                        (None, schema) => {
                            own.insert(key, schema);
                        }
                    }
                }
            }
            ("items" | "additionalProperties", Some(Value::Object(own)), Value::Object(more)) => {
                merge(own, more, applies);
            }
            ("items" | "additionalProperties" | "unevaluatedProperties", Some(own), Value::Object(more))
                if !own.is_object() =>
            {
                *own = Value::Object(more);
            }
            _ => {}
        }
    }
}
