//! A schema as an owned tree. Schemas are small; everything else stays a handle.

use crate::run::{At, Result, Run};
use crate::value::{Fault, Kind, Value, Word};

/// Schemas nest no deeper: rewriting them is recursive, and the smallest stack must hold it.
pub const DEEPEST: usize = 160;

#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    Object(Vec<(String, Tree)>),
    Array(Vec<Tree>),
    Text(String),
    /// A number, boolean or null, as it stands.
    Plain(Value),
    Integer(u64),
    True,
}

/// Reads a whole value. `depth` bounds the recursion.
pub fn read(run: &mut Run, value: Value, at: At, depth: usize) -> Result<Tree> {
    if depth == 0 {
        return Err(run.fault(Fault::Depth { limit: DEEPEST }, at));
    }
    match run.store.kind(value) {
        Kind::Object => {
            let fields = run.store.fields(value, &mut Vec::new()).map_err(|fault| run.fault(fault, at))?;
            let mut members = Vec::with_capacity(fields.len());
            for field in fields {
                let name = run.store.owned_text(field.key);
                members.push((name, read(run, field.value, at, depth - 1)?));
            }
            Ok(Tree::Object(members))
        }
        Kind::Array => {
            let items = run.store.items(value).map_err(|fault| run.fault(fault, at))?;
            let items = items.into_iter().map(|item| read(run, item, at, depth - 1)).collect::<Result<_>>()?;
            Ok(Tree::Array(items))
        }
        Kind::String => Ok(Tree::Text(run.store.owned_text(value))),
        Kind::Number | Kind::Boolean | Kind::Null | Kind::Other => Ok(Tree::Plain(value)),
    }
}

/// Builds the value that a tree stands for.
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
            run.store.begin_array();
            for item in items {
                put(run, item);
            }
            run.store.end_array();
        }
        Tree::Text(text) => run.store.put_text(text),
        Tree::Plain(value) => run.store.put(*value),
        Tree::Integer(number) => run.store.put_number(*number as f64),
        Tree::True => run.store.put_boolean(true),
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
