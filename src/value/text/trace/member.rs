//! Finds values of the source.

use super::super::{Span, TextStore, UNINDEXED, kind_of, push_pointer_step};
use crate::value::Kind;
use std::ops::Range;

impl TextStore {
    /// The range of a member or an element of a container of the source, given the step of a JSON Pointer that leads to it. Of members with the same
    /// key, the last one counts.
    pub fn member(&self, container: Range<usize>, step: &str) -> Option<Range<usize>> {
        let is_object = match kind_of(self.source.get(container.start)) {
            Kind::Object => true,
            Kind::Array => false,
            _ => return None,
        };
        let span = Span { start: container.start as u32, end: container.end as u32, node: UNINDEXED };
        let (mut found, mut index) = (None, 0);
        let mut own = String::new();
        self.each(span, |key, value, _| {
            own.clear();
            if is_object {
                push_pointer_step(&mut own, &self.text_at(key));
            } else {
                own.push_str(&index.to_string());
            }
            if own == step {
                found = Some(value.range());
            }
            index += 1;
            true
        });
        found
    }
}
