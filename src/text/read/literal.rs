//! Converts Gemma's literals and MiniMax M3's nested tags to JSON.

use super::typed;
use crate::json::{Map, Value, quoted};
use crate::table::Table;

const DEPTH: usize = 100;

/// Converts `{key:value,…}`, including the braces. Closing brackets at the end may be missing. Strings may be enclosed in the marker or in
/// quotes, or have none: such a value ends where another key or a closing bracket follows.
pub(super) fn pairs(text: &str, quote: &str, parameters: &Map<String, Value>) -> Option<String> {
    let mut parser = Literals { text: text.trim_end(), at: 0, quote };
    let schema = Value::Object(parameters.clone());
    let json = parser.object(Some(&schema), 0)?;
    (parser.at == parser.text.len()).then_some(json)
}

struct Literals<'a> {
    text: &'a str,
    at: usize,
    quote: &'a str,
}

/// The key at the start of a text, and the text after its colon.
fn key_at(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let (key, rest) = match text.chars().next()? {
        quote @ ('"' | '\'') => text.get(1..)?.split_once(quote)?,
        _ => text.split_at_checked(text.find(|one: char| !(one.is_alphanumeric() || "_-.$".contains(one)))?)?,
    };
    let rest = rest.trim_start().strip_prefix(':')?;
    (!key.is_empty()).then_some((key, rest))
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

    /// Whether a bracket closes here: it does at the end of the text, too.
    fn closes(&mut self, bracket: &str) -> bool {
        self.take(bracket) || self.rest().trim_start().is_empty()
    }

    fn quoted(&mut self) -> Option<&'a str> {
        if !self.take(self.quote) {
            return None;
        }
        let (text, _) = self.rest().split_once(self.quote)?;
        self.at += text.len() + self.quote.len();
        Some(text)
    }

    /// A string in quotes, which ends where a next part follows.
    fn string(&mut self) -> Option<String> {
        let rest = self.rest();
        let start = rest.trim_start();
        let quote = start.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
        let inner = start.get(1..)?;
        let mut escaped = false;
        let end = inner.char_indices().find_map(|(at, one)| {
            let is_end = one == quote && !escaped && {
                let next = inner.get(at + 1..).unwrap_or_default().trim_start();
                next.is_empty() || next.starts_with([',', '}', ']', ':']) || key_at(next).is_some()
            };
            escaped = one == '\\' && !escaped;
            is_end.then_some(at)
        })?;
        let text = inner.get(..end)?;
        self.at += rest.len() - start.len() + end + 2;
        super::python::value(&format!("{quote}{text}{quote}"))
            .filter(|json| json.starts_with('"'))
            .or_else(|| Some(quoted(text)))
    }

    fn object(&mut self, schema: Option<&Value>, depth: usize) -> Option<String> {
        if depth > DEPTH || !self.take("{") {
            return None;
        }
        let mut keys: Table<String, ()> = Table::new();
        let mut json = String::from("{");
        while !self.closes("}") {
            if json.len() > 1 {
                // the comma may be missing
                let is_next =
                    self.take(",") || self.rest().trim_start().starts_with(self.quote) || key_at(self.rest()).is_some();
                if !is_next {
                    return None;
                }
                if self.closes("}") {
                    break;
                }
                json.push(',');
            }
            let key = match self.quoted() {
                Some(key) => key,
                None if self.rest().trim_start().starts_with(['"', '\'']) => {
                    let (key, after) = key_at(self.rest())?;
                    self.at = self.text.len() - after.len() - 1;
                    key
                }
                None => self.bare_key(),
            };
            if !self.take(":") || keys.insert(key.to_owned(), ()).is_some() {
                return None;
            }
            let inner = schema.and_then(|schema| typed::property(schema.as_object()?, key));
            json.push_str(&quoted(key));
            json.push(':');
            json.push_str(&self.value(inner, true, depth + 1)?);
        }
        json.push('}');
        Some(json)
    }

    fn bare_key(&mut self) -> &'a str {
        let rest = self.rest();
        let text = rest.get(..rest.find([':', ',', '}']).unwrap_or(rest.len())).unwrap_or_default();
        self.at += text.len();
        text.trim()
    }

    /// A value without quotes, in an object or in an array. The marker after it is that of a string whose opening one is missing.
    fn bare(&mut self, in_object: bool) -> &'a str {
        let rest = self.rest();
        let is_end = |at: usize, one: char| match one {
            '}' | ']' => true,
            ',' if in_object => {
                let next = rest.get(at + 1..).unwrap_or_default().trim_start();
                next.is_empty() || next.starts_with('}') || next.starts_with(self.quote) || key_at(next).is_some()
            }
            ',' => true,
            _ => rest.get(at..).is_some_and(|rest| rest.starts_with(self.quote)),
        };
        let end = rest.char_indices().find(|(at, one)| is_end(*at, *one)).map_or(rest.len(), |(at, _)| at);
        let text = rest.get(..end).unwrap_or_default();
        self.at += end;
        if self.rest().starts_with(self.quote) {
            self.at += self.quote.len();
        }
        text.trim()
    }

    fn value(&mut self, schema: Option<&Value>, in_object: bool, depth: usize) -> Option<String> {
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
        if rest.starts_with(['"', '\''])
            && let Some(json) = self.string()
        {
            return Some(json);
        }
        let text = self.bare(in_object);
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
        while !self.closes("]") {
            if json.len() > 1 {
                if !self.take(",") {
                    return None;
                }
                json.push(',');
            }
            json.push_str(&self.value(schema.and_then(|schema| item_at(schema, count)), false, depth + 1)?);
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
