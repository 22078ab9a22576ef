//! Gemini's `Schema`: a subset of OpenAPI with types in upper case (WIRE §10.6, Q2–Q19).

use super::tree::{self, Tree};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Kind, Value};

/// Keywords that the target takes as they are; `type`, the size keywords and those that hold schemas are rewritten.
const KEPT: &[&str] = &[
    "format",
    "title",
    "description",
    "nullable",
    "propertyOrdering",
    "default",
    "example",
    "minimum",
    "maximum",
    "pattern",
];
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

fn to_json_schema(run: &Run, tree: Tree) -> Tree {
    let Tree::Object(members) = tree else { return tree };
    let mut nullable = false;
    let mut rewritten = Vec::with_capacity(members.len());
    for (key, value) in members {
        let value = match (key.as_str(), value) {
            ("type", Tree::Text(name)) => Tree::Text(name.to_ascii_lowercase()),
            ("nullable", Tree::Plain(value)) if run.store.kind(value) == Kind::Boolean && run.store.boolean(value) => {
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
    if nullable {
        make_nullable(&mut rewritten);
    }
    Tree::Object(rewritten)
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
    let tree = read_tree(run, read, At::ROOT)?;
    let mut writer = Writer { root: tree.clone(), told: Vec::new(), refs: Vec::new() };
    let written = writer.schema(run, tree, "");
    let lossless = writer.told.is_empty();
    let written = tree::build(run, &written);
    Ok(lossless && run.store.same(written, wire))
}

/// What stands under `parameters` for a JSON Schema; None for an object without properties, which is refused (Q2).
pub fn write(run: &mut Run, schema: Value, at: At) -> Result<Option<Value>> {
    let tree = read_tree(run, schema, at)?;
    let mut writer = Writer { root: tree.clone(), told: Vec::new(), refs: Vec::new() };
    let written = writer.schema(run, tree, "");
    for (pointer, message) in writer.told {
        run.warn_below(WarningCode::SchemaChanged, at, &pointer, message);
    }
    let has_properties = matches!(written.get("properties"), Some(Tree::Object(properties)) if !properties.is_empty());
    let is_object = written.get("type").and_then(Tree::text) == Some("OBJECT");
    if is_object && !has_properties && written.get("anyOf").is_none() {
        return Ok(None);
    }
    Ok(Some(tree::build(run, &written)))
}

struct Writer {
    root: Tree,
    /// Where something was lost, as a pointer inside the schema.
    told: Vec<(String, &'static str)>,
    /// References being followed.
    refs: Vec<String>,
}

impl Writer {
    fn tell(&mut self, path: &str, key: &str, message: &'static str) {
        let mut pointer = path.to_owned();
        push_step(&mut pointer, key);
        self.told.push((pointer, message));
    }

    fn schema(&mut self, run: &mut Run, tree: Tree, path: &str) -> Tree {
        let members = match tree {
            Tree::Object(members) => members,
            // `true` allows everything; `false` has no counterpart (Q17)
            Tree::Plain(value) if run.store.kind(value) == Kind::Boolean => {
                if !run.store.boolean(value) {
                    self.told.push((path.to_owned(), "the target can't forbid a value"));
                }
                return Tree::Object(Vec::new());
            }
            other => return other,
        };
        let members = self.resolve(run, members, path);
        let mut out = Vec::with_capacity(members.len());
        let mut nullable = false;
        for (key, value) in members {
            self.keyword(run, &key, value, path, &mut out, &mut nullable);
        }
        self.finish(out, nullable)
    }

    /// Puts the target of a local `$ref` in its place (Q6, Q7).
    fn resolve(&mut self, run: &mut Run, mut members: Vec<(String, Tree)>, path: &str) -> Vec<(String, Tree)> {
        let Some(index) = members.iter().position(|(key, value)| key == "$ref" && value.text().is_some()) else {
            return members;
        };
        let (_, reference) = members.remove(index);
        let reference = reference.text().unwrap_or_default().to_owned();
        let target = if self.refs.contains(&reference) { None } else { self.target(&reference) };
        let Some(Tree::Object(target)) = target else {
            self.tell(path, "$ref", "the target can't express this reference");
            return members;
        };
        self.refs.push(reference);
        let Tree::Object(mut inlined) = self.schema(run, Tree::Object(target), path) else { return members };
        self.refs.pop();
        // siblings say more than the target
        inlined.retain(|(key, _)| !members.iter().any(|(own, _)| own == key));
        // the inlined part is written already: mark its type as read
        for (key, value) in &mut inlined {
            if key == "type"
                && let Tree::Text(name) = value
            {
                name.make_ascii_lowercase();
            }
        }
        members.extend(inlined);
        members
    }

    fn target(&self, reference: &str) -> Option<Tree> {
        let mut tree = &self.root;
        for step in reference.strip_prefix("#/")?.split('/') {
            tree = tree.get(&step.replace("~1", "/").replace("~0", "~"))?;
        }
        Some(tree.clone())
    }

    fn keyword(
        &mut self,
        run: &mut Run,
        key: &str,
        value: Tree,
        path: &str,
        out: &mut Vec<(String, Tree)>,
        nullable: &mut bool,
    ) {
        let mut below = path.to_owned();
        push_step(&mut below, key);
        let value = match (key, value) {
            ("type", Tree::Text(name)) => Tree::Text(name.to_ascii_uppercase()),
            ("type", Tree::Array(names)) => return write_types(&names, out, nullable),
            ("properties", Tree::Object(properties)) => {
                let mut each = Vec::with_capacity(properties.len());
                for (name, schema) in properties {
                    let mut below = below.clone();
                    push_step(&mut below, &name);
                    each.push((name, self.schema(run, schema, &below)));
                }
                Tree::Object(each)
            }
            ("items", Tree::Array(tuple)) => self.tuple(run, tuple, &below),
            ("items", items) => self.schema(run, items, &below),
            ("prefixItems", Tree::Array(tuple)) => {
                let items = self.tuple(run, tuple, &below);
                out.push(("items".to_owned(), items));
                return;
            }
            ("anyOf" | "oneOf", Tree::Array(branches)) => {
                return self.branches(run, branches, &below, out, nullable);
            }
            ("const", value) => {
                return self.enumeration(run, vec![value], path, out, nullable);
            }
            ("enum", Tree::Array(values)) => {
                return self.enumeration(run, values, path, out, nullable);
            }
            ("required", required) => required,
            ("$defs" | "definitions", _) => return,
            (size, value) if SIZES.contains(&size) => match value {
                Tree::Integer(number) => Tree::Text(number.to_string()),
                Tree::Plain(number) if run.store.kind(number) == Kind::Number => {
                    Tree::Text(run.store.number(number).to_string())
                }
                other => other,
            },
            (kept, value) if KEPT.contains(&kept) => value,
            (lost, _) => return self.tell(path, lost, "the target does not take this keyword"),
        };
        out.push((key.to_owned(), value));
    }

    /// A tuple becomes a list whose elements are any of its members (Q16).
    fn tuple(&mut self, run: &mut Run, tuple: Vec<Tree>, path: &str) -> Tree {
        self.told.push((path.to_owned(), "a tuple became a list of any of its types"));
        let branches = tuple.into_iter().map(|schema| self.schema(run, schema, path)).collect();
        Tree::Object(vec![("anyOf".to_owned(), Tree::Array(branches))])
    }

    /// `anyOf`; a null branch is `nullable`, and a single branch that is left stands for itself (Q10, Q11).
    fn branches(
        &mut self,
        run: &mut Run,
        branches: Vec<Tree>,
        path: &str,
        out: &mut Vec<(String, Tree)>,
        nullable: &mut bool,
    ) {
        let before = branches.len();
        let branches: Vec<Tree> = branches
            .into_iter()
            .filter(|branch| branch.get("type").and_then(Tree::text) != Some("null"))
            .map(|branch| self.schema(run, branch, path))
            .collect();
        *nullable |= branches.len() < before;
        match <[Tree; 1]>::try_from(branches) {
            Ok([Tree::Object(only)]) => {
                only.into_iter().for_each(|(key, value)| {
                    if !out.iter().any(|(own, _)| *own == key) {
                        out.push((key, value));
                    }
                });
            }
            Ok([other]) => out.push(("anyOf".to_owned(), Tree::Array(vec![other]))),
            Err(branches) => out.push(("anyOf".to_owned(), Tree::Array(branches))),
        }
    }

    /// Values are strings here, whatever their type (Q12, Q13).
    fn enumeration(
        &mut self,
        run: &mut Run,
        values: Vec<Tree>,
        path: &str,
        out: &mut Vec<(String, Tree)>,
        nullable: &mut bool,
    ) {
        let mut texts = Vec::with_capacity(values.len());
        let mut kind = "STRING";
        for value in values {
            match value {
                Tree::Text(text) => texts.push(Tree::Text(text)),
                Tree::Plain(value) if run.store.kind(value) == Kind::Null => *nullable = true,
                Tree::Plain(value) => {
                    kind = match run.store.kind(value) {
                        Kind::Boolean => "BOOLEAN",
                        _ if run.store.number(value).fract() == 0.0 => "INTEGER",
                        _ => "NUMBER",
                    };
                    if let Ok(text) = run.store.stringify(value) {
                        texts.push(Tree::Text(run.store.text(text).into_owned()));
                    }
                }
                _ => self.tell(path, "enum", "the target takes plain values only"),
            }
        }
        if kind != "STRING" {
            out.push(("format".to_owned(), Tree::Text("enum".to_owned())));
        }
        if !out.iter().any(|(key, _)| key == "type") {
            out.push(("type".to_owned(), Tree::Text(kind.to_owned())));
        }
        out.push(("enum".to_owned(), Tree::Array(texts)));
    }

    fn finish(&mut self, mut out: Vec<(String, Tree)>, nullable: bool) -> Tree {
        // a type told twice (by `const` before `type`): the first one said it
        let mut index = 0;
        while let Some((key, _)) = out.get(index).cloned() {
            let first = out.iter().position(|(other, _)| *other == key) == Some(index);
            if first {
                index += 1;
            } else {
                out.remove(index);
            }
        }
        let properties: Vec<String> = match out.iter().find(|(key, _)| key == "properties") {
            Some((_, Tree::Object(properties))) => properties.iter().map(|(name, _)| name.clone()).collect(),
            _ => Vec::new(),
        };
        // `required` must name declared properties only (Q18)
        for (_, value) in out.iter_mut().filter(|(key, _)| key == "required") {
            if let Tree::Array(names) = value {
                names.retain(|name| name.text().is_none_or(|name| properties.iter().any(|known| known == name)));
            }
        }
        out.retain(|(key, value)| {
            let empty = matches!(value, Tree::Array(items) if items.is_empty())
                || matches!(value, Tree::Object(members) if members.is_empty() && key == "properties");
            !(empty && matches!(key.as_str(), "required" | "properties"))
        });
        let is_array = out.iter().any(|(key, value)| key == "type" && value.text() == Some("ARRAY"));
        if is_array && !out.iter().any(|(key, _)| key == "items") {
            // a list must say of what (Q15)
            out.push(("items".to_owned(), Tree::Object(Vec::new())));
        }
        if nullable && !out.iter().any(|(key, _)| key == "nullable") {
            out.push(("nullable".to_owned(), Tree::True));
        }
        Tree::Object(out)
    }
}

/// Several types are branches; null among them is `nullable` (Q9).
fn write_types(names: &[Tree], out: &mut Vec<(String, Tree)>, nullable: &mut bool) {
    let upper = |name: &Tree| Tree::Text(name.text().unwrap_or_default().to_ascii_uppercase());
    let real: Vec<&Tree> = names.iter().filter(|name| name.text() != Some("null")).collect();
    *nullable |= real.len() < names.len() && !real.is_empty();
    match real.as_slice() {
        [] => out.push(("type".to_owned(), Tree::Text("NULL".to_owned()))),
        [one] => out.push(("type".to_owned(), upper(one))),
        many => {
            let branches = many.iter().map(|name| Tree::Object(vec![("type".to_owned(), upper(name))])).collect();
            out.push(("anyOf".to_owned(), Tree::Array(branches)));
        }
    }
}

fn push_step(pointer: &mut String, step: &str) {
    pointer.push('/');
    crate::value::text::push_pointer_step(pointer, step);
}
