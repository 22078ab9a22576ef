//! Writes values as JSON text.

use super::{Value, plain};
use crate::escapes::letter_of;
use std::fmt;

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, f)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write(self, f)
    }
}

fn write(value: &Value, out: &mut dyn fmt::Write) -> fmt::Result {
    match value {
        Value::Null => out.write_str("null"),
        Value::Bool(true) => out.write_str("true"),
        Value::Bool(false) => out.write_str("false"),
        Value::Number(number) => write!(out, "{number}"),
        Value::String(text) => write_text(text, out),
        Value::Array(items) => {
            let mut before = "[";
            for item in items {
                out.write_str(before)?;
                before = ",";
                write(item, out)?;
            }
            out.write_str(if items.is_empty() { "[]" } else { "]" })
        }
        Value::Object(fields) => {
            let mut before = "{";
            for (key, field) in fields {
                out.write_str(before)?;
                before = ",";
                write_text(key, out)?;
                out.write_str(":")?;
                write(field, out)?;
            }
            out.write_str(if fields.is_empty() { "{}" } else { "}" })
        }
    }
}

fn write_text(text: &str, out: &mut dyn fmt::Write) -> fmt::Result {
    out.write_str(&quoted(text))
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    push_escaped(&mut out, text);
    out.push('"');
    out
}

/// Appends a text as the content of a JSON string.
pub fn push_escaped(out: &mut String, text: &str) {
    let mut rest = text;
    loop {
        let (before, special) = rest.split_at_checked(plain(rest.as_bytes())).unwrap_or((rest, ""));
        out.push_str(before);
        let Some(byte) = special.bytes().next() else { return };
        // one string is faster than two characters
        match letter_of(byte) {
            b'n' => out.push_str("\\n"),
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'u' => out.push_str(&format!("\\u{byte:04x}")),
            letter => out.extend(['\\', letter.into()]),
        }
        rest = special.get(1..).unwrap_or_default();
    }
}
