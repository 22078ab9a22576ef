//! Gemini's `Schema`: a subset of OpenAPI with types in upper case (WIRE §10.6, Q2–Q19), and JSON Schema of it.

use super::policy;
use super::tree::{self, Tree};
use super::walk::Walker;
use crate::run::{At, Result, Run};
use crate::value::text::lowercase;
use crate::value::{Kind, Value, Word};

/// Sizes: integers in JSON Schema, decimal strings on Google's wire (Q44).
const SIZES: &[&str] = &["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];

/// JSON Schema for what stands under `parameters`.
pub fn read(run: &mut Run, schema: Value, at: At) -> Result<Value> {
    let tree = read_tree(run, schema, at)?;
    let tree = to_json_schema(run, tree);
    Ok(tree::build(run, &tree))
}

fn read_tree(run: &mut Run, schema: Value, at: At) -> Result<Tree> {
    tree::read(run, schema, at, tree::DEEPEST)
}

fn to_json_schema(run: &mut Run, tree: Tree) -> Tree {
    let Tree::Object(members) = tree else { return tree };
    let mut nullable = false;
    let mut rewritten = Vec::with_capacity(members.len());
    for (key, value) in members {
        let value = match (key.as_str(), value) {
            ("type", Tree::Text(name)) if name == "TYPE_UNSPECIFIED" => continue,
            ("type", Tree::Text(name)) => Tree::Text(lowercase(&name)),
            ("format", Tree::Text(name)) if name == "enum" => continue,
            ("example", value) => {
                rewritten.push(("examples".to_owned(), Tree::Array(vec![value])));
                continue;
            }
            ("nullable", Tree::Plain(value)) if run.store.boolean(value) => {
                nullable = true;
                continue;
            }
            ("properties", Tree::Object(properties)) => {
                let each = properties.into_iter().map(|(name, schema)| (name, to_json_schema(run, schema)));
                Tree::Object(each.collect())
            }
            ("anyOf", Tree::Array(branches)) => {
                Tree::Array(branches.into_iter().map(|branch| to_json_schema(run, branch)).collect())
            }
            ("items", items) => to_json_schema(run, items),
            (size, Tree::Text(text)) if SIZES.contains(&size) => match text.parse() {
                Ok(number) => Tree::Integer(number),
                Err(_) => Tree::Text(text),
            },
            (_, value) => value,
        };
        rewritten.push((key, value));
    }
    read_enum(run, &mut rewritten, nullable);
    if nullable {
        make_nullable(&mut rewritten);
    }
    Tree::Object(rewritten)
}

/// Enums are strings on Google's wire, whatever their type (Q13).
fn read_enum(run: &mut Run, members: &mut [(String, Tree)], nullable: bool) {
    let is_plain = |(key, kind): &(String, Tree)| {
        key == "type" && matches!(kind, Tree::Text(name) if matches!(name.as_str(), "integer" | "number" | "boolean"))
    };
    let plain = members.iter().any(is_plain);
    let Some((_, Tree::Array(values))) = members.iter_mut().find(|(key, _)| key == "enum") else { return };
    if plain {
        for value in values.iter_mut() {
            let Tree::Text(text) = value else { continue };
            let text = run.store.string(text);
            if let Ok(parsed) = run.store.parse(text)
                && matches!(run.store.kind(parsed), Kind::Number | Kind::Boolean)
            {
                *value = Tree::Plain(parsed);
            }
        }
    }
    if nullable {
        values.push(Tree::Plain(run.build(|run| run.store.put_null())));
    }
}

/// `nullable` is a second type in JSON Schema.
fn make_nullable(members: &mut Vec<(String, Tree)>) {
    let null = || Tree::Text("null".to_owned());
    match members.iter_mut().find(|(key, _)| key == "type") {
        Some((_, kind @ Tree::Text(_))) => {
            let name = std::mem::replace(kind, Tree::True);
            *kind = Tree::Array(vec![name, null()]);
        }
        _ => match members.iter_mut().find(|(key, _)| key == "anyOf") {
            Some((_, Tree::Array(branches))) => branches.push(Tree::Object(vec![("type".to_owned(), null())])),
            _ => members.push(("nullable".to_owned(), Tree::True)),
        },
    }
}

/// Whether writing `read` again gives what stood on the wire.
pub fn restores(run: &mut Run, read: Value, wire: Value) -> Result<bool> {
    let told = run.warnings.len();
    let written = write(run, read, At::ROOT);
    let lossless = run.warnings.len() == told;
    run.warnings.truncate(told);
    Ok(lossless && written?.is_some_and(|written| run.store.same(written, wire)))
}

/// What stands under `parameters` for a JSON Schema; None for an object without properties, which is refused (Q2).
pub fn write(run: &mut Run, schema: Value, at: At) -> Result<Option<Value>> {
    let written = Walker::new(&policy::GOOGLE, schema, at).walk(run)?;
    let says = |run: &mut Run, word: Word| run.member(written, word).is_some();
    Ok((says(run, Word::properties) || says(run, Word::anyOf)).then_some(written))
}

/// What stands under `responseSchema` for a JSON Schema.
pub fn write_format(run: &mut Run, schema: Value, at: At) -> Result<Value> {
    Walker::new(&policy::GOOGLE_FORMAT, schema, at).walk(run)
}
