//! Unknown fields in events of items. If the item does not repeat them at its end, they are reported as lost.

use crate::run::{At, Key, Place, Run, WarningCode};
use crate::value::{Keys, Kind, Value, listed};

#[derive(Default)]
pub struct Mentions {
    /// Names of fields, with the index of their item and their position.
    open: Vec<(u32, String, Place)>,
    /// Names of fields that were recorded.
    noted: Keys,
    /// Names of fields that items repeated at their end, or that were reported.
    seen: Keys,
}

impl Mentions {
    /// Records the unknown fields in an event of an item.
    pub fn note(&mut self, run: &mut Run, index: u32, value: Value, at: At) {
        for (key, at) in unknown(run, value, at) {
            let name = run.store.owned_text(key);
            if !self.seen.has(name.as_bytes()) && self.noted.add(name.as_bytes()) {
                self.open.push((index, name, run.keep_place(at)));
            }
        }
    }

    /// Reports recorded fields that the complete item does not contain.
    pub fn report(&mut self, run: &mut Run, index: u32, item: Option<Value>) {
        if let Some(item) = item {
            for (key, _) in unknown(run, item, At::ROOT) {
                self.seen.add(run.store.text(key).as_bytes());
            }
        }
        for (of, name, place) in std::mem::take(&mut self.open) {
            if of != index {
                self.open.push((of, name, place));
            } else if self.seen.add(name.as_bytes()) {
                let at = run.recall(&place);
                run.warn(WarningCode::FieldDropped, at, "the finished item does not contain this field");
            }
        }
    }
}

/// The keys of non-empty fields, at any depth, that this format's list of words does not contain.
fn unknown(run: &mut Run, value: Value, at: At) -> Vec<(Value, At)> {
    let mut found = Vec::new();
    let mut values = vec![(value, at)];
    while let Some((value, at)) = values.pop() {
        match run.store.kind(value) {
            Kind::Object => {
                for field in run.members(value) {
                    let at = run.down_key(at, Key::from(field));
                    values.push((field.value, at));
                    if !listed::OPENAI_RESPONSES.contains(&field.word) && !run.is_void(field.value) {
                        found.push((field.key, at));
                    }
                }
            }
            Kind::Array => {
                values.extend(run.list(value).into_iter().enumerate().map(|(index, item)| (item, run.nth(at, index))))
            }
            Kind::Null | Kind::Boolean | Kind::Number | Kind::String | Kind::Other => {}
        }
    }
    found
}
