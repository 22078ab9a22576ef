//! JSON Pointers (RFC 6901) for positions in a text.

use super::{SIDE, Span, TextStore};
use crate::value::Kind;

impl TextStore {
    /// The JSON Pointer of the innermost value or key that contains the byte at `position`.
    pub(super) fn pointer_to(&self, root: Span, position: usize) -> String {
        let mut pointer = String::new();
        let mut at = root;
        while matches!(self.kind_at(at), Kind::Object | Kind::Array) {
            let in_object = self.kind_at(at) == Kind::Object;
            let mut index = 0;
            let mut found = None;
            self.each(at, |key, value, _| {
                if position < value.end as usize {
                    found = Some((key, value));
                    return false;
                }
                index += 1;
                true
            });
            let Some((key, value)) = found else { break };
            pointer.push('/');
            if in_object {
                push_pointer_step(&mut pointer, &self.text_at(key));
            } else {
                pointer.push_str(&index.to_string());
            }
            if position < (value.start & !SIDE) as usize {
                break;
            }
            at = value;
        }
        pointer
    }
}

/// Appends one step of a JSON Pointer (RFC 6901), escaped.
pub fn push_pointer_step(pointer: &mut String, step: &str) {
    if memchr::memchr2(b'~', b'/', step.as_bytes()).is_none() {
        pointer.push_str(step);
        return;
    }
    for character in step.chars() {
        match character {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            other => pointer.push(other),
        }
    }
}
