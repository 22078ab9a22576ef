//! Converts nested tags to JSON.

use crate::json::{Map, Value, quoted};
use crate::text::formats::Nested;
use crate::text::read::typed;
use crate::text::schema;

/// Maximum nesting depth of elements.
const DEPTH: usize = 100;

/// Converts nested tags with a prefix: `<key>…</key>`. Arrays are repeated items.
pub(super) fn object(text: &str, spelling: &Nested, parameters: &Map<String, Value>) -> Option<String> {
    let Nested { prefix, item, .. } = *spelling;
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
        // in a string, any tag but the closing one is text, and so is that before more text
        let is_text = depth == 1 && schema.is_some() && typed::is_text(schema) && !typed::is_open(schema);
        loop {
            let Some(piece) = self.pieces.next() else {
                return name.is_none().then(|| self.object(children, &text));
            };
            let is_end = |tag: &str, after: &str| {
                let is_next =
                    || self.pieces.clone().next().is_none_or(|next| next.starts_with('<') && !next.starts_with("</"));
                tag.strip_prefix('/') == name && after.trim().is_empty() && is_next()
            };
            let tag = piece.strip_prefix('<').and_then(|rest| rest.split_once('>'));
            let tag = tag.filter(|(tag, after)| !is_text || is_end(tag, after));
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
            // which value of a parameter was meant is not clear
            if earlier > 0 && name.is_none() && !is_array(inner) {
                return None;
            }
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

/// Whether a schema allows an array.
fn is_array(schema: Option<&Value>) -> bool {
    let mut types = Vec::new();
    schema.into_iter().for_each(|schema| schema::types(schema, &mut types));
    types.contains(&"array")
}

/// The schema of an element with this tag, which so many of the same tag precede.
fn child<'a>(schema: Option<&'a Value>, tag: &str, item: &str, earlier: usize) -> Option<&'a Value> {
    let schema = schema?;
    let own = schema.as_object().and_then(|schema| schema::property(schema, tag));
    own.or_else(|| if tag == item { schema::item_at(schema, earlier) } else { None })
}
