//! The arguments of a call that arrives in pieces, as an owned tree.

use crate::run::{At, Result, Run};
use crate::value::{Fault, Kind, Value, Word};

#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Object(Vec<(String, Tree)>),
    Array(Vec<Tree>),
    Text(String),
    /// A number, boolean or null, unchanged.
    Plain(Value),
}

/// Reads a whole value. `depth` bounds the recursion.
pub fn read(run: &mut Run, value: Value, at: At, depth: usize) -> Result<Tree> {
    if depth == 0 {
        return Err(run.fault(Fault::Depth { limit: run.options.max_depth() }, at));
    }
    match run.store.kind(value) {
        Kind::Object => {
            let fields = run.fields(value, at)?;
            let mut members = Vec::with_capacity(fields.len());
            for field in fields {
                let name = run.store.owned_text(field.key);
                members.push((name, read(run, field.value, at, depth - 1)?));
            }
            Ok(Tree::Object(members))
        }
        Kind::Array => {
            let mut items = Vec::new();
            for item in run.array(value, at)? {
                items.push(read(run, item, at, depth - 1)?);
            }
            Ok(Tree::Array(items))
        }
        Kind::String => Ok(Tree::Text(run.store.owned_text(value))),
        Kind::Number | Kind::Boolean | Kind::Null | Kind::Other => Ok(Tree::Plain(value)),
    }
}

/// Builds the value of a tree.
pub fn build(run: &mut Run, tree: &Tree) -> Value {
    run.build(|run| put(run, tree))
}

fn put(run: &mut Run, tree: &Tree) {
    match tree {
        Tree::Object(members) => {
            run.store.begin_object();
            for (name, value) in members {
                put_name(run, name);
                put(run, value);
            }
            run.store.end_object();
        }
        Tree::Array(items) => {
            run.put_each(items, |run, item| put(run, item));
        }
        Tree::Text(text) => run.store.put_text(text),
        Tree::Plain(value) => run.store.put(*value),
    }
}

/// Writes a key that may be a control word.
fn put_name(run: &mut Run, name: &str) {
    let word = Word::of(name.as_bytes());
    if word == Word::Unknown {
        let key = run.store.string(name);
        run.store.key_of(key);
    } else {
        run.store.key(word);
    }
}
