//! The size of a schema, as servers limit it.

use crate::run::Run;
use crate::value::{Kind, Value, Word};

/// The properties of a schema and of all schemas within it.
pub fn properties(run: &mut Run, schema: Value) -> usize {
    /// Keywords whose values are no schemas.
    const VALUES: &[Word] = &[Word::r#enum, Word::r#const, Word::default];
    let mut count = 0;
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        if run.store.kind(value) == Kind::Array {
            open.extend(run.list(value));
            continue;
        }
        if run.store.kind(value) != Kind::Object {
            continue;
        }
        for member in run.members(value) {
            if member.word == Word::properties && run.store.kind(member.value) == Kind::Object {
                let named = run.members(member.value);
                count += named.len();
                open.extend(named.iter().map(|property| property.value));
            } else if !VALUES.contains(&member.word) {
                open.push(member.value);
            }
        }
    }
    count
}
