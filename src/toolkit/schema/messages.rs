//! The messages for models: what was expected, what was received (shortened), and how to fix it.

use super::assertions::Failure;
use super::node::Types;
use super::pattern::MAX_TEXT;
use super::pointer::At;
use crate::json::Value;
use crate::nearest::nearest;
use std::fmt::Write;

/// Maximum length of quoted text, in characters.
const MAX_QUOTED: usize = 40;
/// Maximum number of values or names in a list.
const MAX_LISTED: usize = 20;

/// A message in the form `invalid_<field>: …`.
pub fn of_field(at: &At, message: &str) -> String {
    format!("invalid_{}: {message}", field(at))
}

/// The path of a field in code notation: `items[0].name`.
fn field(at: &At) -> String {
    match at {
        At::Root => "value".to_string(),
        At::Field(At::Root, name) => (*name).to_string(),
        At::Field(parent, name) => format!("{}.{name}", field(parent)),
        At::Item(parent, index) => format!("{}[{index}]", field(parent)),
    }
}

pub fn quoted(text: &str) -> String {
    let mut letters = text.chars();
    let mut start: String = letters.by_ref().take(MAX_QUOTED).collect();
    if letters.next().is_some() {
        start.push('…');
    }
    Value::String(start).to_string()
}

/// A short description of a value. Arrays and objects are described, not quoted.
pub fn received(value: &Value) -> String {
    match value {
        Value::String(text) => format!("the string {}", quoted(text)),
        Value::Number(number) => format!("the number {number}"),
        Value::Bool(_) | Value::Null => value.to_string(),
        Value::Array(items) => format!("an array of {}", plural(items.len() as u64, "item")),
        Value::Object(fields) => {
            let names: Vec<String> = fields.keys().map(|name| quoted(name)).collect();
            if names.is_empty() {
                "an empty object".to_string()
            } else {
                format!("an object with {}", list(&names, "and"))
            }
        }
    }
}

/// A value from a schema, shortened for a message.
pub fn literal(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Array(_) | Value::Object(_) => received(value),
        value => value.to_string(),
    }
}

pub fn list(items: &[String], word: &str) -> String {
    let shown = items.get(..MAX_LISTED).unwrap_or(items);
    match shown {
        [] => String::new(),
        [one] => one.clone(),
        _ if shown.len() < items.len() => format!("{}, …", shown.join(", ")),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

fn plural(count: u64, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// A list of types in words: `a string or null`.
pub fn types(types: Types) -> String {
    let both = Types::INTEGER.and(Types::NUMBER);
    let names = types.names().filter(|name| *name != "integer" || types.0 & both.0 != both.0);
    let words: Vec<String> = names.map(|name| word(name).to_string()).collect();
    list(&words, "or")
}

fn word(name: &str) -> &str {
    match name {
        "boolean" => "true or false",
        "integer" => "an integer",
        "number" => "a number",
        "string" => "a string",
        "array" => "an array",
        "object" => "an object",
        name => name,
    }
}

pub fn one_of(values: &[&Value]) -> String {
    let words: Vec<String> = values.iter().map(|value| literal(value)).collect();
    match words.as_slice() {
        [one] => one.clone(),
        words => format!("one of {}", list(words, "or")),
    }
}

pub fn wrong_type(expected: Types, value: &Value) -> String {
    let containers = Types::ARRAY.and(Types::OBJECT);
    let advice = match value {
        Value::String(text) if expected.meets(containers) && text.trim_start().starts_with(['[', '{']) => {
            "Pass the value as JSON directly, not wrapped in a string.".to_string()
        }
        _ => format!("Pass {}.", types(expected)),
    };
    format!("expected {}, received {}. {advice}", types(expected), received(value))
}

/// The message for a violated keyword.
pub fn failure(failure: &Failure, value: &Value) -> String {
    let got = received(value);
    match failure {
        Failure::Type(types) => wrong_type(*types, value),
        Failure::Enum(values) => not_listed(&values.iter().collect::<Vec<_>>(), value),
        Failure::Const(constant) => not_listed(&[*constant], value),
        Failure::Minimum(bound) => format!("must be at least {bound}, received {got}. Use a larger number."),
        Failure::Maximum(bound) => format!("must be at most {bound}, received {got}. Use a smaller number."),
        Failure::Above(bound) => format!("must be greater than {bound}, received {got}. Use a larger number."),
        Failure::Below(bound) => format!("must be less than {bound}, received {got}. Use a smaller number."),
        Failure::Multiple(divisor) => format!("must be a multiple of {divisor}, received {got}. Use a multiple of it."),
        Failure::MinLength(min) => {
            format!("must have at least {}, received {got}. Use a longer text.", plural(*min, "character"))
        }
        Failure::MaxLength(max) => {
            format!("must have at most {}, received {got}. Shorten it.", plural(*max, "character"))
        }
        Failure::Pattern(pattern) => {
            format!(
                "must match the regular expression {}, received {got}. Change it so that it matches.",
                quoted_pattern(pattern)
            )
        }
        Failure::TooLongForPattern => format!("must have at most {MAX_TEXT} bytes, received {got}. Shorten it."),
        Failure::Format(format) => {
            format!("must be in the format {}, received {got}. Write it like {}.", format.name, format.example)
        }
        Failure::MinItems(min) => format!("must have at least {}, received {got}. Add items.", plural(*min, "item")),
        Failure::MaxItems(max) => format!("must have at most {}, received {got}. Remove items.", plural(*max, "item")),
        Failure::Duplicate(first, second) => format!("items {first} and {second} are equal. Remove one of them."),
        Failure::MinProperties(min) => {
            format!("must have at least {}, received {got}. Add fields.", plural(*min, "field"))
        }
        Failure::MaxProperties(max) => {
            format!("must have at most {}, received {got}. Remove fields.", plural(*max, "field"))
        }
        Failure::Required(_) => "this field is required. Add it.".to_string(),
        Failure::DependentRequired(_, field) => format!("this field is required because `{field}` is present. Add it."),
    }
}

fn quoted_pattern(pattern: &str) -> String {
    let mut letters = pattern.chars();
    let mut start: String = letters.by_ref().take(4 * MAX_QUOTED).collect();
    if letters.next().is_some() {
        start.push('…');
    }
    format!("`{start}`")
}

pub fn not_listed(values: &[&Value], value: &Value) -> String {
    let advice = if values.len() == 1 { "Use this value." } else { "Use one of these values exactly." };
    // A long list is shortened, so that it may lack the nearest value.
    let texts: Vec<&str> = values.iter().filter(|_| values.len() > 1).filter_map(|value| value.as_str()).collect();
    let near = value.as_str().and_then(|text| nearest(text, &texts));
    let question = near.map(|near| format!("Did you mean {}? ", quoted(near))).unwrap_or_default();
    format!("expected {}, received {}. {question}{advice}", one_of(values), received(value))
}

/// The message for a missing field. `expected` describes its value.
pub fn missing(expected: Option<&str>) -> String {
    let mut message = "this field is required, but missing. Add it".to_string();
    if let Some(expected) = expected {
        let _ = write!(message, ": {expected}");
    }
    message.push('.');
    message
}

pub fn unexpected(known: &[String], nearest: Option<&str>) -> String {
    match (nearest, known) {
        (Some(nearest), _) => {
            format!("there is no such field. Did you mean `{nearest}`? Use that name, or remove the field.")
        }
        (None, []) => "there is no such field. Remove it.".to_string(),
        (None, known) => format!("there is no such field. Remove it; the fields are {}.", list(known, "and")),
    }
}
