//! JSON values whose numbers keep their digits.

use super::markers::mask_json;
use crate::json::Value;

/// A JSON value. Numbers are kept as text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum JsonValue {
    /// `null`, `true`, `false` or a number.
    Bare(String),
    String(String),
    Array(Vec<JsonValue>),
    Object(Vec<(String, JsonValue)>),
}

impl JsonValue {
    /// The value with the digits of `raw`, if `raw` is equivalent JSON.
    pub(super) fn with_digits(value: &Value, raw: Option<&str>) -> Self {
        raw.filter(|raw| crate::json::from_str::<Value>(raw).is_ok_and(|read| read == *value))
            .and_then(|raw| Parser { rest: raw }.value())
            .unwrap_or_else(|| Self::from(value))
    }

    /// JSON with a space after commas and colons, as models write it. Markers in strings are escaped.
    pub(super) fn json(&self) -> String {
        let mut out = String::new();
        self.write_json(&mut out);
        out
    }

    fn write_json(&self, out: &mut String) {
        match self {
            Self::Bare(text) => out.push_str(text),
            Self::String(text) => out.push_str(&quote(text)),
            Self::Array(items) => join(out, ('[', ']'), items, |item, out| item.write_json(out)),
            Self::Object(entries) => join(out, ('{', '}'), entries, |(key, value), out| {
                out.push_str(&quote(key));
                out.push_str(": ");
                value.write_json(out);
            }),
        }
    }

    /// A Python literal.
    pub(super) fn python(&self) -> String {
        let mut out = String::new();
        self.write_python(&mut out);
        out
    }

    fn write_python(&self, out: &mut String) {
        match self {
            Self::Bare(text) => out.push_str(match text.as_str() {
                "null" => "None",
                "true" => "True",
                "false" => "False",
                number => number,
            }),
            Self::String(text) => out.push_str(&quote(text)),
            Self::Array(items) => join(out, ('[', ']'), items, |item, out| item.write_python(out)),
            Self::Object(entries) => join(out, ('{', '}'), entries, |(key, value), out| {
                out.push_str(&quote(key));
                out.push_str(": ");
                value.write_python(out);
            }),
        }
    }
}

/// A JSON string in which markers are escaped.
pub(in crate::text) fn quote(text: &str) -> String {
    mask_json(&Value::from(text).to_string())
}

pub(super) fn join<T>(out: &mut String, brackets: (char, char), items: &[T], write: impl Fn(&T, &mut String)) {
    out.push(brackets.0);
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push_str(", ");
        }
        write(item, out);
    }
    out.push(brackets.1);
}

impl From<&Value> for JsonValue {
    fn from(value: &Value) -> Self {
        match value {
            Value::String(text) => Self::String(text.clone()),
            Value::Array(items) => Self::Array(items.iter().map(Self::from).collect()),
            Value::Object(entries) => {
                Self::Object(entries.iter().map(|(key, value)| (key.clone(), Self::from(value))).collect())
            }
            bare => Self::Bare(bare.to_string()),
        }
    }
}

/// Parses JSON text that is known to be valid.
struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn value(&mut self) -> Option<JsonValue> {
        self.skip();
        match self.rest.chars().next()? {
            '"' => self.string().map(JsonValue::String),
            '[' => self.items(']', Self::value).map(JsonValue::Array),
            '{' => self.items('}', Self::entry).map(JsonValue::Object),
            _ => {
                let end = self.rest.find([',', ']', '}', ' ', '\t', '\n', '\r']).unwrap_or(self.rest.len());
                self.take(end).map(|text| JsonValue::Bare(text.to_owned()))
            }
        }
    }

    fn entry(&mut self) -> Option<(String, JsonValue)> {
        self.skip();
        let key = self.string()?;
        self.skip();
        self.take(1)?;
        Some((key, self.value()?))
    }

    fn items<T>(&mut self, close: char, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.take(1)?;
        let mut items = Vec::new();
        loop {
            self.skip();
            match self.rest.chars().next()? {
                next if next == close => return self.take(1).map(|_| items),
                ',' => self.take(1).map(drop)?,
                _ => items.push(read(self)?),
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        let mut escaped = false;
        let end = self.rest.char_indices().skip(1).find(|&(_, c)| {
            let ends = c == '"' && !escaped;
            escaped = c == '\\' && !escaped;
            ends
        })?;
        crate::json::from_str(self.take(end.0 + 1)?).ok()
    }

    fn take(&mut self, length: usize) -> Option<&str> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }

    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }
}
