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
    out.write_str("\"")?;
    write_escaped(text, out)?;
    out.write_str("\"")
}

/// A text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    // writing into a string does not fail
    let _ = write_text(text, &mut out);
    out
}

/// Appends a text as the content of a JSON string.
#[cfg(feature = "text")]
pub fn push_escaped(out: &mut String, text: &str) {
    let _ = write_escaped(text, out);
}

fn write_escaped(text: &str, out: &mut dyn fmt::Write) -> fmt::Result {
    let mut rest = text;
    loop {
        let (before, special) = rest.split_at_checked(plain(rest.as_bytes())).unwrap_or((rest, ""));
        out.write_str(before)?;
        let Some(byte) = special.bytes().next() else { return Ok(()) };
        match letter_of(byte) {
            b'u' => write!(out, "\\u{byte:04x}")?,
            letter => {
                out.write_str("\\")?;
                out.write_char(letter.into())?;
            }
        }
        rest = special.get(1..).unwrap_or_default();
    }
}
