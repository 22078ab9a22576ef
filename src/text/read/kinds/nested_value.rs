//! Objects and arrays whose members are tags like that of the argument, with a type: `dict`, `list`, `raw` or `json`.

use super::tags::{named, unescaped};
use crate::json::{Value, quoted};
use crate::text::formats::Tagged;
use crate::text::read::call::HEAD;
use crate::text::read::scan::{TAG, Text};

/// The maximum number of nested values.
const DEPTH: usize = 128;

/// The values that are open, from the outermost to the innermost: whether each contains other values.
pub(super) struct Levels(Vec<bool>);

/// Whether a type is that of an object or array.
pub(super) fn is_container(kind: &str) -> bool {
    matches!(kind, "dict" | "list")
}

fn name_of(spelling: &Tagged) -> &'static str {
    spelling.key.split(' ').next().unwrap_or(spelling.key)
}

impl Levels {
    pub fn of(kind: &str) -> Option<Self> {
        is_container(kind).then(|| Self(vec![true]))
    }

    /// Reads on from `at`, which advances. Returns the position of the closing tag of the outermost value.
    pub fn end(&mut self, spelling: &Tagged, text: Text, at: &mut usize) -> Option<usize> {
        let tag = name_of(spelling);
        while let Some(next) = TAG.next(text.text.as_bytes(), *at) {
            *at = next;
            let rest = text.from(*at);
            if rest.starts_with(spelling.value_close) {
                self.0.pop();
                if self.0.is_empty() {
                    return Some(*at);
                }
            } else if self.0.last() == Some(&true) && rest.starts_with(tag) {
                let head = rest.as_bytes().get(..rest.len().min(HEAD)).unwrap_or_default();
                match head.iter().position(|&byte| byte == b'>') {
                    Some(end) => {
                        let kind = rest.get(..end).and_then(|head| named(head, "type")).unwrap_or_default();
                        self.0.push(is_container(kind));
                    }
                    None if rest.len() < HEAD => return None,
                    None => {}
                }
            } else if rest.len() < spelling.value_close.len().max(tag.len()) {
                return None;
            }
            *at += 1;
        }
        *at = text.text.len();
        None
    }
}

/// The JSON of a value with this type. `None` if the text does not have that form.
pub(super) fn json(kind: &str, text: &str, spelling: &Tagged) -> Option<String> {
    let mut reader = Members { rest: text, spelling };
    let value = reader.value(kind, DEPTH)?;
    reader.rest.trim().is_empty().then_some(value)
}

struct Members<'a> {
    rest: &'a str,
    spelling: &'a Tagged,
}

impl Members<'_> {
    fn value(&mut self, kind: &str, depth: usize) -> Option<String> {
        let is_object = kind == "dict";
        if !is_container(kind) {
            let end = self.rest.find(self.spelling.value_close)?;
            let (text, rest) = self.rest.split_at_checked(end)?;
            self.rest = rest;
            let is_json = kind != "raw" && crate::json::from_str::<Value>(text).is_ok();
            return Some(if is_json { text.trim().to_owned() } else { quoted(text) });
        }
        let mut members = Vec::new();
        while let Some(member) = self.rest.trim_start().strip_prefix(name_of(self.spelling)) {
            let (head, rest) = member.split_once('>')?;
            self.rest = rest;
            let kind = named(head, "type").unwrap_or_default();
            let value = self.value(kind, depth.checked_sub(1)?)?;
            self.rest = self.rest.trim_start().strip_prefix(self.spelling.value_close)?;
            let key = named(head, "name").map(unescaped);
            members.push(if is_object { format!("{}:{value}", quoted(&key?)) } else { value });
        }
        let members = members.join(",");
        Some(if is_object { format!("{{{members}}}") } else { format!("[{members}]") })
    }
}
