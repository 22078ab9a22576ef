//! Determines the types of values that are written as plain text, using the tool's schema.

use crate::json::{Value, quoted};
use crate::text::schema::{listed, types};

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

/// Whether text is allowed.
pub(super) fn takes_text(schema: Option<&Value>) -> bool {
    let Some(schema) = schema else { return true };
    let mut found = Vec::new();
    types(schema, &mut found);
    found.is_empty() || found.iter().any(|kind| is_string(kind))
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
    let written = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if let Some(value) = schema.and_then(|schema| listed(schema).find(|value| written(value) == trimmed)) {
        return value.to_string();
    }
    if let Some(json) = of_types(&found, trimmed) {
        return json;
    }
    if found.is_empty() || found.iter().any(|kind| is_string(kind)) {
        return quoted(text);
    }
    // where no string is allowed, the quotation marks are none of the value
    match crate::json::from_str(trimmed) {
        Ok(Value::Null) => "null".to_owned(),
        Ok(Value::String(inner)) => of_types(&found, inner.trim()).unwrap_or_else(|| quoted(&inner)),
        _ => quoted(text),
    }
}

/// The JSON text of a value in the first of these types that can represent it.
fn of_types(kinds: &[&str], text: &str) -> Option<String> {
    let order: [fn(&str, &str) -> Option<String>; 5] = [null, integer, number, boolean, container];
    order.into_iter().find_map(|read| kinds.iter().find_map(|kind| read(kind, text)))
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
