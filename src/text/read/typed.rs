//! Determines the types of values that are written as plain text, using the tool's schema.

use crate::json::{Map, Value, json, quoted};
use crate::text::Tool;

/// The types that a schema allows. Empty if the schema does not restrict them.
pub(super) fn types<'a>(schema: &'a Value, found: &mut Vec<&'a str>) {
    types_in(schema, found, DEPTH);
}

fn types_in<'a>(schema: &'a Value, found: &mut Vec<&'a str>, depth: usize) {
    let Some(depth) = depth.checked_sub(1) else { return };
    let before = found.len();
    match schema.get("type") {
        Some(Value::String(one)) => found.push(one),
        Some(Value::Array(many)) => found.extend(many.iter().filter_map(Value::as_str)),
        _ => {}
    }
    for keyword in BRANCHES {
        for branch in schema.get(keyword).and_then(Value::as_array).into_iter().flatten() {
            types_in(branch, found, depth);
        }
    }
    if found.len() == before {
        let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten().chain(schema.get("const"));
        found.extend(values.map(|value| match value {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }));
        if schema.get("$ref").is_some() || schema.get("properties").is_some() {
            found.push("object");
        }
    }
}

/// The schema of a parameter.
pub(super) fn property<'a>(parameters: &'a Map<String, Value>, key: &str) -> Option<&'a Value> {
    let declared = parameters.get("properties").and_then(|properties| properties.get(key));
    declared.or_else(|| parameters.get("additionalProperties").filter(|schema| schema.is_object()))
}

/// The schema of an array's element.
pub(super) fn item_at(schema: &Value, index: usize) -> Option<&Value> {
    let first = schema.get("prefixItems").and_then(Value::as_array).and_then(|items| items.get(index));
    first.or_else(|| schema.get("items"))
}

const BRANCHES: [&str; 3] = ["allOf", "anyOf", "oneOf"];
/// How deep references and branches are followed, and how many schemas they may become.
const DEPTH: usize = 12;
const NODES: usize = 20_000;

/// The tools with references replaced by what they refer to, and with the properties of branches among those of the schema.
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
    let is_keyword = |key: &str| key == "$ref" || BRANCHES.contains(&key);
    schema.iter().any(|(key, value)| {
        is_keyword(key)
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
    let target = fields.get("$ref").and_then(Value::as_str).and_then(|path| root.pointer(path.strip_prefix('#')?));
    let mut whole = match target.map(|target| expanded(root, target, depth, nodes)) {
        Some(Value::Object(target)) => target,
        _ => Map::new(),
    };
    for (key, value) in fields {
        let value = match (key.as_str(), value) {
            ("$ref", _) if target.is_some() => continue,
            ("$defs" | "definitions", _) => continue,
            ("properties", Value::Object(properties)) => {
                let own = properties.iter().map(|(key, schema)| (key.clone(), expanded(root, schema, depth, nodes)));
                Value::Object(own.collect())
            }
            ("items" | "additionalProperties", schema) => expanded(root, schema, depth, nodes),
            ("allOf" | "anyOf" | "oneOf" | "prefixItems", Value::Array(branches)) => {
                Value::Array(branches.iter().map(|schema| expanded(root, schema, depth, nodes)).collect())
            }
            (_, value) => value.clone(),
        };
        whole.insert(key.clone(), value);
    }
    let branches = BRANCHES.iter().filter_map(|keyword| whole.get(*keyword)?.as_array()).flatten();
    let inner: Vec<(String, Value)> = branches
        .filter_map(|branch| branch.get("properties")?.as_object())
        .flat_map(|properties| properties.iter().map(|(key, schema)| (key.clone(), schema.clone())))
        .collect();
    if !inner.is_empty() {
        let mut properties = whole.get("properties").and_then(Value::as_object).cloned().unwrap_or_default();
        for (key, schema) in inner {
            let both = properties.get(&key).filter(|known| **known != schema).cloned();
            // the same property of several branches
            let schema = both.map_or(schema.clone(), |known| json!({ "anyOf": [known, schema] }));
            properties.insert(key, schema);
        }
        whole.insert("properties".to_owned(), Value::Object(properties));
    }
    Value::Object(whole)
}

/// Whether any value is allowed: the schema does not restrict the types.
pub(super) fn is_open(schema: Option<&Value>) -> bool {
    let mut found = Vec::new();
    schema.into_iter().for_each(|schema| types(schema, &mut found));
    found.is_empty()
}

/// Whether the text is used verbatim: no type, or only `string`, is declared.
pub(super) fn is_text(schema: Option<&Value>) -> bool {
    let Some(schema) = schema else { return true };
    let mut found = Vec::new();
    types(schema, &mut found);
    found.is_empty() || found.iter().all(|kind| is_string(kind))
}

pub(super) fn is_string(kind: &str) -> bool {
    matches!(kind, "string" | "str" | "text" | "varchar" | "char" | "enum")
}

/// The JSON text of a value: the first declared type that can represent the text, or else a string.
pub(super) fn value(schema: Option<&Value>, text: &str) -> String {
    let mut found = Vec::new();
    if let Some(schema) = schema {
        types(schema, &mut found);
    }
    let trimmed = text.trim();
    let order: [fn(&str, &str) -> Option<String>; 5] = [null, integer, number, boolean, container];
    for read in order {
        for kind in &found {
            if let Some(json) = read(kind, trimmed) {
                return json;
            }
        }
    }
    quoted(text)
}

fn null(kind: &str, text: &str) -> Option<String> {
    (matches!(kind, "null" | "None") && matches!(text, "null" | "None" | "NULL")).then(|| "null".to_owned())
}

fn integer(kind: &str, text: &str) -> Option<String> {
    if !(kind.starts_with("int") || kind.starts_with("uint") || kind == "long" || kind == "short") {
        return None;
    }
    let whole = text.strip_suffix(".0").unwrap_or(text);
    let digits = whole.strip_prefix('-').unwrap_or(whole);
    let plain = !digits.is_empty()
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && (digits == "0" || !digits.starts_with('0'));
    if plain { Some(whole.to_owned()) } else { number("number", text) }
}

fn number(kind: &str, text: &str) -> Option<String> {
    if !matches!(kind, "number" | "float" | "double" | "decimal") && !kind.starts_with("num") {
        return None;
    }
    let fits = text.starts_with(|first: char| first == '-' || first.is_ascii_digit());
    (fits && crate::json::from_str::<crate::json::Number>(text).is_ok()).then(|| text.to_owned())
}

fn boolean(kind: &str, text: &str) -> Option<String> {
    if !kind.starts_with("bool") {
        return None;
    }
    let lower = text.to_ascii_lowercase();
    matches!(lower.as_str(), "true" | "false").then_some(lower)
}

fn container(kind: &str, text: &str) -> Option<String> {
    let open = match kind {
        "array" | "list" | "tuple" => '[',
        "object" | "dict" | "map" => '{',
        _ => return None,
    };
    if text.is_empty() {
        return Some(if open == '[' { "[]" } else { "{}" }.to_owned());
    }
    if !text.starts_with(open) {
        return None;
    }
    if crate::json::from_str::<Value>(text).is_ok() {
        return Some(text.to_owned());
    }
    let unescaped: String = crate::json::from_str(&format!("\"{text}\"")).ok()?;
    if crate::json::from_str::<Value>(&unescaped).is_ok() {
        return Some(unescaped);
    }
    super::python::value(text).filter(|json| json.starts_with(open))
}
