//! Converts Gemma's literals and MiniMax M3's nested tags to JSON.

use super::typed;
use crate::json::{Map, Value, quoted};

const DEPTH: usize = 100;

/// Converts `{key:value,…}`, including the braces.
pub(super) fn pairs(text: &str, quote: &str, parameters: &Map<String, Value>) -> Option<String> {
    let mut parser = Literals { text, at: 0, quote };
    let schema = Value::Object(parameters.clone());
    let json = parser.object(Some(&schema), 0)?;
    (parser.at == text.len()).then_some(json)
}

struct Literals<'a> {
    text: &'a str,
    at: usize,
    quote: &'a str,
}

impl<'a> Literals<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn take(&mut self, token: &str) -> bool {
        let rest = self.rest();
        let found = rest.trim_start().starts_with(token);
        if found {
            self.at += rest.len() - rest.trim_start().len() + token.len();
        }
        found
    }

    fn quoted(&mut self) -> Option<&'a str> {
        if !self.take(self.quote) {
            return None;
        }
        let (text, _) = self.rest().split_once(self.quote)?;
        self.at += text.len() + self.quote.len();
        Some(text)
    }

    fn bare(&mut self, ends: &[char]) -> &'a str {
        let rest = self.rest();
        let text = rest.get(..rest.find(ends).unwrap_or(rest.len())).unwrap_or_default();
        self.at += text.len();
        text.trim()
    }

    fn object(&mut self, schema: Option<&Value>, depth: usize) -> Option<String> {
        if depth > DEPTH || !self.take("{") {
            return None;
        }
        let mut json = String::from("{");
        while !self.take("}") {
            if json.len() > 1 {
                if !self.take(",") {
                    return None;
                }
                if self.take("}") {
                    break;
                }
                json.push(',');
            }
            let key = match self.quoted() {
                Some(key) => key,
                None => self.bare(&[':', ',', '}']).trim_matches('"'),
            };
            if !self.take(":") {
                return None;
            }
            let inner = schema.and_then(|schema| typed::property(schema.as_object()?, key));
            json.push_str(&quoted(key));
            json.push(':');
            json.push_str(&self.value(inner, depth + 1)?);
        }
        json.push('}');
        Some(json)
    }

    fn value(&mut self, schema: Option<&Value>, depth: usize) -> Option<String> {
        let rest = self.rest().trim_start();
        if rest.starts_with(self.quote) {
            let text = self.quoted()?;
            let inner = schema.filter(|schema| !typed::is_text(Some(schema)));
            return Some(typed::value(inner, text));
        }
        if rest.starts_with('{') {
            return self.object(schema, depth);
        }
        if rest.starts_with('[') {
            return self.array(schema, depth);
        }
        let text = self.bare(&[',', '}', ']']);
        let plain = text.strip_prefix('"').and_then(|text| text.strip_suffix('"'));
        if let Some(text) = plain {
            return Some(quoted(text));
        }
        if schema.is_some_and(|schema| typed::is_text(Some(schema)) && schema.get("type").is_some()) {
            return Some(quoted(text));
        }
        let literal = crate::json::from_str::<Value>(text).is_ok() && !text.is_empty();
        Some(if literal { text.to_owned() } else { typed::value(schema, text) })
    }

    fn array(&mut self, schema: Option<&Value>, depth: usize) -> Option<String> {
        if depth > DEPTH || !self.take("[") {
            return None;
        }
        let mut json = String::from("[");
        let mut count = 0;
        while !self.take("]") {
            if json.len() > 1 {
                if !self.take(",") {
                    return None;
                }
                json.push(',');
            }
            json.push_str(&self.value(schema.and_then(|schema| item_at(schema, count)), depth + 1)?);
            count += 1;
        }
        json.push(']');
        Some(json)
    }
}

/// Converts nested tags with a prefix: `<key>…</key>`. Arrays are repeated items.
pub(super) fn nested(text: &str, prefix: &str, item: &str, parameters: &Map<String, Value>) -> Option<String> {
    let schema = Value::Object(parameters.clone());
    let mut parser = Tags { pieces: text.split(prefix), prefix, item, after: "" };
    // the end of the tag with the name
    let first = parser.pieces.next()?.trim_start_matches(['"', '>']);
    parser.element(Some(&schema), None, first, 0)
}

struct Tags<'a> {
    pieces: std::str::Split<'a, &'a str>,
    prefix: &'a str,
    item: &'a str,
    /// The text after the last closing tag.
    after: &'a str,
}

impl<'a> Tags<'a> {
    /// Reads the content of an element up to its closing tag, or up to the end of the text if `name` is `None`.
    fn element(&mut self, schema: Option<&Value>, name: Option<&str>, first: &'a str, depth: usize) -> Option<String> {
        if depth > DEPTH {
            return None;
        }
        let mut children: Vec<(String, Vec<String>)> = Vec::new();
        let mut text = first.to_owned();
        loop {
            let Some(piece) = self.pieces.next() else {
                return name.is_none().then(|| self.object(children, &text));
            };
            let tag = piece.strip_prefix('<').and_then(|rest| rest.split_once('>'));
            let Some((tag, after)) = tag else {
                text.push_str(self.prefix);
                text.push_str(piece);
                continue;
            };
            if let Some(closed) = tag.strip_prefix('/') {
                if Some(closed) != name {
                    return None;
                }
                self.after = after;
                let array = children.first().is_some_and(|(key, _)| key == self.item)
                    && children.len() == 1
                    && text.trim().is_empty();
                let json = if array {
                    children.first().map(|(_, values)| format!("[{}]", values.join(",")))?
                } else if children.is_empty() {
                    typed::value(schema, &text)
                } else {
                    self.object(children, &text)
                };
                return Some(json);
            }
            let earlier = children.iter().find(|(key, _)| key == tag).map_or(0, |(_, values)| values.len());
            let inner = child(schema, tag, self.item, earlier);
            let json = self.element(inner, Some(tag), after, depth + 1)?;
            text.push_str(std::mem::take(&mut self.after));
            match children.iter_mut().find(|(key, _)| key == tag) {
                Some((_, values)) => values.push(json),
                None => children.push((tag.to_owned(), vec![json])),
            }
        }
    }

    /// The fields of an element. Text between them becomes the field `$text`.
    fn object(&self, mut children: Vec<(String, Vec<String>)>, text: &str) -> String {
        if !text.trim().is_empty() {
            children.push(("$text".to_owned(), vec![quoted(text.trim())]));
        }
        let fields = children.iter().map(|(key, values)| {
            let value = match values.as_slice() {
                [one] => one.clone(),
                many => format!("[{}]", many.join(",")),
            };
            format!("{}:{value}", quoted(key))
        });
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    }
}

/// The schema of an array's element.
fn item_at(schema: &Value, index: usize) -> Option<&Value> {
    let first = schema.get("prefixItems").and_then(Value::as_array).and_then(|items| items.get(index));
    first.or_else(|| schema.get("items"))
}

/// The schema of an element with this tag, which so many of the same tag precede.
fn child<'a>(schema: Option<&'a Value>, tag: &str, item: &str, earlier: usize) -> Option<&'a Value> {
    let schema = schema?;
    let own = schema.as_object().and_then(|schema| typed::property(schema, tag));
    let own = own.or_else(|| if tag == item { item_at(schema, earlier) } else { None });
    own.or_else(|| schema.get("additionalProperties").filter(|other| other.is_object())).or_else(|| {
        let branches = ["anyOf", "oneOf", "allOf"].iter().filter_map(|keyword| schema.get(keyword)?.as_array());
        branches.flatten().find_map(|branch| child(Some(branch), tag, item, earlier))
    })
}
