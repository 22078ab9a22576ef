//! Simplifies schemas for grammars: references are resolved or hoisted, `allOf` is merged, unions move to the top, and only keywords that
//! the syntax enforces are kept. Dropping a keyword only accepts more values, and is reported.

mod limits;

use super::bounds::{EARLY, LEVELS, NAME, SUBSCHEMAS, TUPLE, parts_of};
use super::keywords::{ENFORCED, OTHERS, Policy, subject};
use super::merge::{disjoint, merge};
use super::pattern::{self, in_json, pattern, raw};
use super::regex::plain;
use super::rule::Expression;
use super::unique::Names;
use crate::json::{Map, Value, json};
use crate::table::Table;
use crate::text::schema::{escaped, target};
use crate::text::write::Report;
use crate::text::{Result, TextError};

/// llama.cpp rejects repetition counts from this number on.
const REPETITIONS: u64 = 2_000;
/// The first characters of markers that end unquoted strings.
const MARKS: [char; 2] = ['<', ']'];
/// Maximum number of `anyOf` and `oneOf` combinations that are written out.
const COMBINATIONS: usize = 64;
/// Maximum number of branches of a `oneOf` that are compared with each other.
const COMPARED: usize = 128;

/// Where strings are written verbatim, without quotes. Their length can't be restricted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Raw {
    Nowhere,
    /// In the values of arguments.
    Arguments,
    Everywhere,
}

/// Simplifies the schemas of one grammar.
pub(super) struct Cleaner<'a> {
    pub policy: &'static Policy,
    pub raw: Raw,
    pub report: &'a mut Report,
    /// The names of definitions, unique across all schemas of the grammar.
    pub names: Names,
}

/// A simplified schema and the definitions that it refers to.
#[derive(Debug, Default)]
pub(super) struct Clean {
    pub schema: Value,
    pub definitions: Map<String, Value>,
    /// The paths of the definitions, by name.
    pub paths: Table<String, String>,
}

impl Cleaner<'_> {
    /// `name` is the name for references to the whole schema, `path` is its location.
    ///
    /// # Errors
    /// The schema is nested too deeply or has too many parts, once references are followed.
    pub fn clean(&mut self, root: &Value, schema: &Value, name: &str, path: &str) -> Result<Clean> {
        let mut document = Document {
            cleaner: self,
            root,
            name,
            path,
            known: Table::new(),
            definitions: Map::new(),
            paths: Table::new(),
            pending: Vec::new(),
            active: Vec::new(),
            level: 0,
            depth: 0,
            left: SUBSCHEMAS,
            failure: None,
        };
        let schema = document.schema(schema.clone(), path);
        while let Some((name, target, at)) = document.pending.pop() {
            document.definition(name, target, &at);
        }
        let Document { definitions, paths, failure, .. } = document;
        failure.map_or(Ok(Clean { schema, definitions, paths }), Err)
    }
}

struct Document<'a, 'b> {
    cleaner: &'a mut Cleaner<'b>,
    root: &'a Value,
    name: &'a str,
    path: &'a str,
    /// The names of definitions, by JSON Pointers.
    known: Table<String, String>,
    definitions: Map<String, Value>,
    paths: Table<String, String>,
    /// The definitions that are read later: name, schema, path.
    pending: Vec<(String, Value, String)>,
    /// References that are currently being inlined.
    active: Vec<String>,
    /// Nesting depth of values. The arguments of a tool are at depth 1.
    level: usize,
    /// The number of subschemas around this one, with references followed.
    depth: usize,
    /// How many subschemas there may still be.
    left: usize,
    failure: Option<TextError>,
}

impl Document<'_, '_> {
    fn widened(&mut self, path: &str, message: &str) {
        self.cleaner.report.once(path, message);
    }

    fn schema(&mut self, schema: Value, path: &str) -> Value {
        self.within(path, |document| match schema {
            Value::Bool(false) => Value::Bool(false),
            Value::Object(map) => document.object(map, path),
            Value::Bool(true) => document.object(Map::new(), path),
            _ => {
                document.widened(path, "this is not a JSON Schema; any value is accepted");
                Value::Bool(true)
            }
        })
    }

    /// Reads one subschema, unless there are too many or too many around it.
    fn within(&mut self, path: &str, read: impl FnOnce(&mut Self) -> Value) -> Value {
        if self.depth >= LEVELS {
            let message = format!(
                "the schema has more than {LEVELS} levels here, once references are followed; {TUPLE} items of a tuple count as one"
            );
            self.fail(path, message);
        }
        self.spend(path, 1);
        if self.failure.is_some() {
            return Value::Bool(true);
        }
        self.depth += 1;
        let schema = read(self);
        self.depth -= 1;
        schema
    }

    fn spend(&mut self, path: &str, subschemas: usize) {
        if subschemas > self.left {
            let message = format!(
                "the schema has more than {SUBSCHEMAS} parts, once references, `allOf` and unions are followed"
            );
            self.fail(path, message);
        }
        self.left = self.left.saturating_sub(subschemas);
    }

    fn fail(&mut self, path: &str, message: String) {
        self.failure.get_or_insert_with(|| TextError::new(path, message));
    }

    fn object(&mut self, mut map: Map<String, Value>, path: &str) -> Value {
        if map.get("items").is_some_and(Value::is_array) {
            let rest = map.shift_remove("additionalItems");
            let items = std::mem::replace(&mut map, Map::new());
            map = items
                .into_iter()
                .map(|(key, value)| (if key == "items" { "prefixItems".to_owned() } else { key }, value))
                .collect();
            map.extend(rest.map(|rest| ("items".to_owned(), rest)));
        }
        map.retain(|keyword, _| is_constraint(keyword));
        if map.len() == 1 {
            if let Some(Value::String(reference)) = map.get("$ref") {
                return self.reference(reference, path);
            }
            if let Some([only]) = map.get("allOf").and_then(Value::as_array).map(Vec::as_slice) {
                return self.schema(only.clone(), &format!("{path}/allOf/0"));
            }
        }
        let depth = self.active.len();
        let result = match self.combined(map, path) {
            Value::Object(map) => self.union(map, path),
            other => other,
        };
        self.active.truncate(depth);
        result
    }

    /// Merges `allOf`, and the keywords beside a reference.
    fn combined(&mut self, mut map: Map<String, Value>, path: &str) -> Value {
        let mut parts = Vec::new();
        if let Some(Value::String(reference)) = map.shift_remove("$ref") {
            match self.target(&reference, path) {
                Some(_) if self.active.contains(&reference) => {
                    self.widened(path, "a recursive reference is not combined with other keywords; it is left out");
                }
                Some(target) => {
                    self.active.push(reference);
                    parts.push((target, format!("{path}/$ref")));
                }
                None => {}
            }
        }
        if let Some(Value::Array(all)) = map.shift_remove("allOf") {
            parts.extend(all.into_iter().enumerate().map(|(index, part)| (part, format!("{path}/allOf/{index}"))));
        }
        let mut whole = map;
        for (part, at) in parts {
            let part = match part {
                Value::Object(mut part) => {
                    part.retain(|keyword, _| is_constraint(keyword));
                    self.within(&at, |document| document.combined(part, &at))
                }
                other => other,
            };
            let Value::Object(part) = part else {
                if part == Value::Bool(false) {
                    return part;
                }
                continue;
            };
            let (merged, lost) = merge(whole, part);
            for keyword in lost {
                self.widened(&format!("{path}/{keyword}"), "this can't be combined with the other schemas of `allOf`");
            }
            match merged {
                Value::Object(merged) => whole = merged,
                other => return other,
            }
        }
        Value::Object(whole)
    }

    /// Distributes the keywords beside `anyOf` and `oneOf` over their branches.
    fn union(&mut self, mut map: Map<String, Value>, path: &str) -> Value {
        let size = |map: &Map<String, Value>, keyword| map.get(keyword).and_then(Value::as_array).map_or(0, Vec::len);
        if size(&map, "anyOf") * size(&map, "oneOf") > COMBINATIONS {
            map.shift_remove("oneOf");
            self.widened(&format!("{path}/oneOf"), "there are too many combinations with `anyOf`");
        }
        let Some(keyword) = ["anyOf", "oneOf"].into_iter().find(|keyword| map.contains_key(*keyword)) else {
            return self.keywords(map, path);
        };
        let branches = match map.shift_remove(keyword) {
            Some(Value::Array(branches)) if !branches.is_empty() => branches,
            _ => return self.union(map, path),
        };
        if keyword == "oneOf" && !self.are_disjoint(&branches, path) {
            self.widened(&format!("{path}/oneOf"), "values that match several branches are accepted");
        }
        let mut out: Vec<Value> = Vec::new();
        let size = if map.is_empty() { 0 } else { parts_of(&map) };
        for (index, branch) in branches.into_iter().enumerate() {
            self.spend(path, size);
            if self.failure.is_some() {
                return Value::Bool(true);
            }
            let at = format!("{path}/{keyword}/{index}");
            let clean = match branch {
                Value::Object(branch) if !map.is_empty() => {
                    let mut whole = map.clone();
                    let both = json!([branch]);
                    match whole.get_mut("allOf") {
                        Some(Value::Array(all)) => all.push(Value::Object(branch)),
                        _ => drop(whole.insert("allOf".to_owned(), both)),
                    }
                    self.object(whole, &at)
                }
                Value::Bool(true) if !map.is_empty() => self.object(map.clone(), &at),
                branch => self.schema(branch, &at),
            };
            match clean {
                Value::Bool(false) => {}
                Value::Bool(true) => return clean,
                clean => out.push(clean),
            }
        }
        match out.len() {
            0 => Value::Bool(false),
            1 => out.remove(0),
            _ => json!({ "anyOf": out }),
        }
    }

    fn are_disjoint(&mut self, branches: &[Value], path: &str) -> bool {
        // each is compared with each
        if branches.len() > COMPARED {
            return false;
        }
        let mut resolved: Vec<Value> = Vec::new();
        for branch in branches {
            let target = branch.get("$ref").and_then(Value::as_str).and_then(|to| self.target(to, path));
            resolved.push(target.unwrap_or_else(|| branch.clone()));
        }
        let pairs = resolved.iter().enumerate();
        pairs
            .flat_map(|(at, one)| resolved.iter().skip(at + 1).map(move |other| (one, other)))
            .all(|(a, b)| disjoint(a, b))
    }

    fn target(&mut self, reference: &str, path: &str) -> Option<Value> {
        let found = target(self.root, reference).map(|(_, found)| found.clone());
        if found.is_none() {
            self.widened(path, &format!("the reference `{reference}` can't be resolved; any value is accepted"));
        }
        found
    }

    fn reference(&mut self, reference: &str, path: &str) -> Value {
        let inlined = self.cleaner.policy.flat || (self.cleaner.raw != Raw::Nowhere && self.level <= 1);
        // read before: a copy of the target would be for nothing
        if let (false, Some(name)) = (inlined, self.known.get(reference)) {
            return json!({ "$ref": format!("#/$defs/{name}") });
        }
        let Some(target) = self.target(reference, path) else { return Value::Bool(true) };
        let at = format!("{}{}", self.path, reference.trim_start_matches('#'));
        let recursive = self.active.iter().any(|active| active == reference);
        if recursive && self.cleaner.policy.flat {
            self.widened(path, "a regular expression has no recursion; any value is accepted");
            return Value::Bool(true);
        }
        if inlined && !recursive {
            self.active.push(reference.to_owned());
            let clean = self.schema(target, &at);
            self.active.pop();
            return clean;
        }
        let known = self.known.get(reference).cloned();
        let name = known.unwrap_or_else(|| {
            let name = self.new_name(reference);
            self.known.insert(reference.to_owned(), name.clone());
            // definitions may refer to each other in a chain of any length
            if self.depth < EARLY {
                self.definition(name.clone(), target, &at);
            } else {
                self.pending.push((name.clone(), target, at));
            }
            name
        });
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    fn definition(&mut self, name: String, target: Value, at: &str) {
        // values in a definition count as nested
        let level = std::mem::replace(&mut self.level, 2);
        let clean = self.schema(target, at);
        self.level = level;
        self.paths.insert(name.clone(), at.to_owned());
        self.definitions.insert(name, clean);
    }

    fn new_name(&mut self, reference: &str) -> String {
        let last = reference.rsplit('/').next().filter(|last| !last.is_empty() && *last != "#").unwrap_or(self.name);
        self.cleaner.names.unique(last)
    }

    fn keywords(&mut self, map: Map<String, Value>, path: &str) -> Value {
        let mut out = Map::new();
        let policy = self.cleaner.policy;
        let types = map.get("type").cloned();
        let drops = map.iter().filter(|(keyword, value)| (policy.drops)(keyword, value, &map));
        let dropped: Vec<String> = drops.map(|(keyword, _)| keyword.clone()).collect();
        let is_about = |keyword: &str| {
            let typed = |subject: &str| match &types {
                Some(Value::String(one)) => one == subject || (one == "integer" && subject == "number"),
                Some(Value::Array(all)) => {
                    all.iter().any(|one| one == subject || (one == "integer" && subject == "number"))
                }
                _ => true,
            };
            subject(keyword).is_none_or(typed)
        };
        let open = map.contains_key("patternProperties") && !policy.more.contains(&"patternProperties");
        for (keyword, value) in map {
            let at = format!("{path}/{keyword}");
            if !is_about(&keyword) || (open && keyword == "additionalProperties") {
                continue;
            }
            let enforced = ENFORCED.contains(&keyword.as_str()) || policy.more.contains(&keyword.as_str());
            let is_dropped = enforced && dropped.contains(&keyword);
            if !enforced || is_dropped {
                if is_dropped || OTHERS.contains(&keyword.as_str()) {
                    self.widened(&at, &format!("`{keyword}` is not enforced"));
                }
                continue;
            }
            if let Some(value) = self.keyword(&keyword, value, &at) {
                out.insert(keyword, value);
            }
        }
        self.lengths(&mut out, path);
        if !policy.native {
            self.bounds(&mut out, path);
        }
        if policy.flat {
            self.nested(&out, path);
        }
        if policy.closed && out.contains_key("properties") && !out.contains_key("additionalProperties") {
            out.insert("additionalProperties".to_owned(), Value::Bool(true));
        }
        if policy.closed && out.contains_key("prefixItems") && !out.contains_key("items") {
            out.insert("items".to_owned(), Value::Bool(true));
        }
        if out.is_empty() { Value::Bool(true) } else { Value::Object(out) }
    }

    fn keyword(&mut self, keyword: &str, value: Value, path: &str) -> Option<Value> {
        match keyword {
            "properties" | "patternProperties" => {
                let Value::Object(properties) = value else { return None };
                self.level += 1;
                let clean = properties.into_iter().map(|(key, schema)| {
                    let at = format!("{path}/{}", escaped(&key));
                    if !self.cleaner.policy.native && key.chars().nth(NAME).is_some() {
                        self.widened(&at, "so long a name is also accepted with any value, if other properties are");
                    }
                    let clean = self.schema(schema, &at);
                    (key, clean)
                });
                let clean = clean.collect();
                self.level -= 1;
                Some(Value::Object(clean))
            }
            "items" | "additionalProperties" => {
                if keyword == "additionalProperties" && (value == Value::Bool(true) || value == json!({})) {
                    return None;
                }
                self.level += 1;
                let clean = self.schema(value, path);
                self.level -= 1;
                Some(clean)
            }
            "prefixItems" => {
                let Value::Array(items) = value else { return None };
                let levels = if self.cleaner.policy.native { 0 } else { items.len() / TUPLE };
                self.level += 1;
                self.depth += levels;
                let clean =
                    items.into_iter().enumerate().map(|(index, item)| self.schema(item, &format!("{path}/{index}")));
                let clean = clean.collect();
                self.level -= 1;
                self.depth -= levels;
                Some(Value::Array(clean))
            }
            "pattern" => {
                let Some(node) = value.as_str().and_then(|source| pattern(source, raw)) else {
                    self.widened(path, "this pattern can't be part of a grammar");
                    return None;
                };
                let whole = value.as_str().is_some_and(|source| source.starts_with('^') && source.ends_with('$'));
                if self.cleaner.policy.closed && !whole && !self.is_raw() {
                    self.widened(path, "a pattern without `^` and `$` is not enforced by XGrammar");
                    return None;
                }
                let open = |node: &Expression| match node {
                    Expression::Text(text) => text.contains(MARKS),
                    Expression::Chars(chars) => MARKS.iter().any(|mark| chars.has(*mark)),
                    _ => false,
                };
                if self.is_raw() && node.any(&open) {
                    self.widened(
                        path,
                        "this pattern is not enforced where strings have no quotes: it admits `<` or `]`",
                    );
                    return None;
                }
                if self.cleaner.policy.rewrites {
                    return value.as_str().and_then(|source| pattern(source, in_json)).map(|node| plain(&node).into());
                }
                Some(value)
            }
            "format" => {
                let name = value.as_str().unwrap_or_default();
                let known = pattern::of_format(name).is_some() || self.cleaner.policy.formats.contains(&name);
                if !known {
                    self.widened(path, &format!("the format `{name}` is not enforced"));
                }
                known.then_some(value)
            }
            "enum" | "required" => value.is_array().then_some(value),
            "type" => (value.is_string() || value.is_array()).then_some(value),
            "minItems" | "maxItems" | "minLength" | "maxLength" => {
                let count = value.as_f64().filter(|count| *count >= 0.0 && count.fract() == 0.0)?;
                if count >= REPETITIONS as f64 && !self.cleaner.policy.native {
                    self.widened(path, "numbers of repetitions from 2000 on are not enforced");
                    return None;
                }
                Some(json!(count as u64))
            }
            _ => Some(value),
        }
    }
}

fn is_constraint(keyword: &str) -> bool {
    ENFORCED.contains(&keyword) || OTHERS.contains(&keyword) || matches!(keyword, "$ref" | "allOf" | "anyOf" | "oneOf")
}
