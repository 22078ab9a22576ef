//! Converts Gemma's literals to JSON.

use crate::json::{Map, Value, quoted};
use crate::table::Table;
use crate::text::read::{python, typed};
use crate::text::schema;

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
        python::value(&format!("{quote}{text}{quote}"))
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
            let inner = schema.and_then(|schema| schema::property(schema.as_object()?, key));
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
            json.push_str(&self.value(schema.and_then(|schema| schema::item_at(schema, count)), false, depth + 1)?);
            count += 1;
        }
        json.push(']');
        Some(json)
    }
}
