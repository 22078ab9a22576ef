//! Writes the arguments of one call in the encoding of a format.

use super::Report;
use super::forms::{Arguments, Form};
use super::node::JsonValue;
use super::template::fill;

/// The arguments as text. Reports what can't be expressed.
pub(super) fn write(node: &JsonValue, form: &Form, path: &str, report: &mut Report) -> String {
    let JsonValue::Object(entries) = node else { return node.json() };
    let items = entries.iter().map(|(key, value)| {
        let path = format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
        check_key(key, &form.arguments, &path, report);
        let mut item = Item { key, value, form, path: &path, report };
        item.write()
    });
    let items: Vec<String> = items.collect();
    match form.arguments {
        Arguments::Json => node.json(),
        Arguments::Python => items.join(", "),
        Arguments::Gemma(_) | Arguments::Delimited(_) => items.join(","),
        Arguments::Tagged(_) | Arguments::Cdata(_) | Arguments::Nested(_) => items.concat(),
    }
}

struct Item<'a> {
    key: &'a str,
    value: &'a JsonValue,
    form: &'a Form,
    path: &'a str,
    report: &'a mut Report,
}

impl Item<'_> {
    fn write(&mut self) -> String {
        let key = self.key;
        match &self.form.arguments {
            Arguments::Json => String::new(),
            Arguments::Tagged(item) => {
                let value = self.bare();
                self.check_edges(item);
                self.tagged(item, &value)
            }
            Arguments::Cdata(item) => {
                let value = self.cdata();
                self.tagged(item, &value)
            }
            Arguments::Python => format!("{key}={}", self.value.python()),
            Arguments::Gemma(mark) => format!("{}:{}", gemma_key(key, mark), self.gemma(self.value, mark)),
            Arguments::Delimited(mark) => {
                let value = self.bare();
                format!("{key}:{mark}{value}{mark}")
            }
            Arguments::Nested(prefix) => self.nested(key, self.value, prefix),
        }
    }

    fn tagged(&self, item: &str, value: &str) -> String {
        let escaped = self.key.replace('&', "&amp;").replace('"', "&quot;");
        let key = if item.contains("type=") { escaped.as_str() } else { self.key };
        let is_string = if matches!(self.value, JsonValue::String(_)) { "true" } else { "false" };
        let form = if is_string == "true" { "raw" } else { "json" };
        fill(item, &[('k', key), ('v', value), ('s', is_string), ('w', form), ('y', type_of(self.value))])
    }

    /// A string verbatim, any other value as JSON.
    fn bare(&mut self) -> String {
        match self.value {
            JsonValue::String(text) => {
                self.check_text(text);
                text.clone()
            }
            value => value.json(),
        }
    }

    fn check_text(&mut self, text: &str) {
        if let Some(mark) = self.form.delimiters().find(|mark| text.contains(mark)) {
            self.report
                .add(self.path, format!("the text contains `{mark}`, which ends or begins a value in this format"));
        }
    }

    /// Reports a line break at the start or end of a string, because readers remove one.
    fn check_edges(&mut self, item: &str) {
        if let JsonValue::String(text) = self.value
            && !item.contains("\n%v\n")
            && (text.starts_with('\n') || text.ends_with('\n'))
        {
            self.report
                .add(self.path, "a line break at the beginning or end of a value may be lost in this format".into());
        }
    }

    fn cdata(&mut self) -> String {
        let JsonValue::String(text) = self.value else { return self.value.json() };
        if text.contains("]]>") {
            self.report.add(self.path, "the text contains `]]>`, which ends a CDATA section".into());
        }
        let needs = text.contains(['<', '&', '\n']) || text.trim() != text;
        if needs { format!("<![CDATA[{text}]]>") } else { text.clone() }
    }

    fn gemma(&mut self, value: &JsonValue, mark: &str) -> String {
        match value {
            JsonValue::Bare(text) => text.clone(),
            JsonValue::String(text) => {
                self.check_text(text);
                format!("{mark}{text}{mark}")
            }
            JsonValue::Array(items) => {
                format!("[{}]", items.iter().map(|item| self.gemma(item, mark)).collect::<Vec<_>>().join(","))
            }
            JsonValue::Object(entries) => {
                let pairs = entries.iter().map(|(key, value)| {
                    check_key(key, &self.form.arguments, self.path, self.report);
                    format!("{}:{}", gemma_key(key, mark), self.gemma(value, mark))
                });
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
            }
        }
    }

    fn nested(&mut self, key: &str, value: &JsonValue, prefix: &str) -> String {
        let inner = match value {
            JsonValue::Bare(text) => text.clone(),
            JsonValue::String(text) => {
                self.check_text(text);
                text.clone()
            }
            JsonValue::Array(items) => items.iter().map(|item| self.nested("item", item, prefix)).collect(),
            JsonValue::Object(entries) => entries
                .iter()
                .map(|(key, value)| {
                    check_key(key, &Arguments::Nested(""), self.path, self.report);
                    self.nested(key, value, prefix)
                })
                .collect(),
        };
        let is_empty = inner.is_empty() && !matches!(value, JsonValue::String(_));
        if is_empty || matches!(value, JsonValue::Bare(text) if text == "null") {
            self.report
                .add(self.path, "null and empty objects and arrays have no form of their own in this format".into());
        }
        format!("{prefix}<{key}>{inner}{prefix}</{key}>")
    }
}

fn type_of(node: &JsonValue) -> &'static str {
    match node {
        JsonValue::String(_) => "string",
        JsonValue::Array(_) => "array",
        JsonValue::Object(_) => "object",
        JsonValue::Bare(text) => match text.as_str() {
            "null" => "null",
            "true" | "false" => "boolean",
            _ => "number",
        },
    }
}

fn is_word(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '$'))
}

pub(in crate::text) fn gemma_key(key: &str, mark: &str) -> String {
    if is_word(key) { key.to_owned() } else { format!("{mark}{key}{mark}") }
}

/// Reports a key that the encoding can't express.
fn check_key(key: &str, arguments: &Arguments, path: &str, report: &mut Report) {
    let fits = match arguments {
        Arguments::Json => true,
        Arguments::Python => {
            key.chars().all(|c| c.is_alphanumeric() || c == '_')
                && !key.starts_with(|c: char| c.is_numeric())
                && !key.is_empty()
        }
        Arguments::Gemma(mark) => mark.is_empty() || !key.contains(*mark),
        Arguments::Delimited(_) | Arguments::Nested(_) => is_word(key),
        Arguments::Tagged(_) | Arguments::Cdata(_) => {
            !key.is_empty() && key.trim() == key && !key.contains(['<', '>', '"', '\n', '\r'])
        }
    };
    if !fits {
        report.add(path, format!("the name `{key}` can't be written in this format"));
    }
}
