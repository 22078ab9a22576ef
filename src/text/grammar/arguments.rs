//! The arguments of one tool, as a format encodes them.

use super::names::{except, plain_key};
use super::pattern::raw;
use super::rule::{Expression, any_number, optional, or, repeat, seq, text};
use super::stated::{fixed, properties, types_of};
use super::template::{TemplatePart, parts};
use super::values::{Notation, Values, members, raw_string};
use crate::chars::Chars;
use crate::json::{Map, Value, json};
use crate::text::schema::type_of;
use crate::text::write::{Arguments, gemma_key};

/// Maximum number of references that are followed to find the type of a value.
const DEPTH: usize = 8;

/// The grammar of `%a` in a template: all arguments of one call.
pub(super) fn arguments(encoding: &'static Arguments, schema: &Value, values: &mut Values, name: &str) -> Expression {
    if *encoding == Arguments::Json {
        return values.whole(schema, name);
    }
    let mut writer = Writer { encoding, values };
    let written = writer.arguments(schema, name);
    if let Arguments::Nested(prefix) = encoding {
        while let Some((rule, name)) = writer.values.pending.pop() {
            writer.define(rule, prefix, &name);
        }
    }
    writer.values.finish();
    written
}

/// The notation in which the format writes argument values.
pub(super) fn notation(encoding: &'static Arguments) -> Notation {
    match encoding {
        Arguments::Python => Notation::Python,
        Arguments::Gemma(mark) => Notation::Marked(mark),
        _ => Notation::Json,
    }
}

struct Writer<'a, 'b> {
    encoding: &'static Arguments,
    values: &'a mut Values<'b>,
}

impl Writer<'_, '_> {
    fn arguments(&mut self, schema: &Value, name: &str) -> Expression {
        let empty = Map::new();
        let map = schema.as_object().unwrap_or(&empty);
        if *schema == Value::Bool(false) {
            return or([]);
        }
        if let Some(branches) = map.get("anyOf").and_then(Value::as_array) {
            return or(branches.iter().map(|branch| self.arguments(branch, name)).collect::<Vec<_>>());
        }
        let mut list: Vec<(Expression, bool)> = Vec::new();
        for (key, schema, required) in properties(map) {
            let length = self.values.enter("properties", key);
            list.push((self.item(self.key(key), schema, key), required));
            self.values.path.truncate(length);
        }
        let open = map.get("additionalProperties").unwrap_or(&Value::Bool(true)).clone();
        let extra = (open != Value::Bool(false)).then(|| {
            let key = self.other_key(map);
            self.item(key, &open, name)
        });
        if matches!(self.encoding, Arguments::Tagged(_) | Arguments::Cdata(_) | Arguments::Nested(_)) {
            let each = list.into_iter().map(|(node, required)| if required { node } else { optional(node) });
            return seq(each.chain(extra.map(any_number)));
        }
        let comma = match self.encoding {
            Arguments::Delimited(_) => text(","),
            _ => self.values.comma(),
        };
        members(list, extra, &comma, Some((&mut *self.values.rules, name)))
    }

    fn key(&self, key: &str) -> Expression {
        match self.encoding {
            Arguments::Gemma(mark) => text(gemma_key(key, mark)),
            Arguments::Tagged(item) | Arguments::Cdata(item) if item.contains("type=") => {
                text(key.replace('&', "&amp;").replace('"', "&quot;"))
            }
            _ => text(key),
        }
    }

    fn other_key(&self, map: &Map<String, Value>) -> Expression {
        let keys: Vec<&str> = properties(map).into_iter().map(|(key, _, _)| key).collect();
        let chars = match self.encoding {
            Arguments::Tagged(_) | Arguments::Cdata(_) => Chars::of("<>\"&\n\r\t =").not(),
            Arguments::Python => Chars::between("azAZ09__").or(&Chars::between("\u{c0}\u{ffff}")),
            _ => plain_key(),
        };
        except(&keys, &chars, raw)
    }

    fn item(&mut self, key: Expression, schema: &Value, name: &str) -> Expression {
        match self.encoding {
            Arguments::Json => seq([]),
            Arguments::Tagged(item) | Arguments::Cdata(item) => self.tagged(item, &key, schema, name),
            Arguments::Python => seq([key, text("="), self.values.value(schema, name)]),
            Arguments::Gemma(_) => seq([key, text(":"), self.values.value(schema, name)]),
            Arguments::Delimited(mark) => {
                let value = self.bare(schema, mark, name);
                seq([key, text(format!(":{mark}")), value, text(*mark)])
            }
            Arguments::Nested(prefix) => self.nested(prefix, &key, schema, name),
        }
    }

    fn tagged(&mut self, item: &'static str, key: &Expression, schema: &Value, name: &str) -> Expression {
        let close = item.rsplit("%v").next().unwrap_or_default().trim();
        let fill = |value: Expression, kind: &str| {
            let is_string = kind == "string";
            seq(parts(item).map(|part| match part {
                TemplatePart::Fixed(fixed) => text(fixed),
                TemplatePart::Value('k') => key.clone(),
                TemplatePart::Value('v') => value.clone(),
                TemplatePart::Value('s') => text(if is_string { "true" } else { "false" }),
                TemplatePart::Value('w') => text(if is_string { "raw" } else { "json" }),
                TemplatePart::Value(_) => text(kind),
            }))
        };
        let typed = |letter| parts(item).any(|part| part == TemplatePart::Value(letter));
        if !(typed('s') || typed('w') || typed('y')) {
            let value = self.bare(schema, close, name);
            return fill(value, "");
        }
        let mut others: Vec<(&str, Vec<Expression>)> = Vec::new();
        for (kind, branch) in self.branches(schema, 0) {
            let kind = if typed('y') || kind == "string" { kind } else { "json" };
            let value = if kind == "string" { self.raw(&branch, close) } else { self.values.value(&branch, name) };
            match others.iter_mut().find(|(known, _)| *known == kind) {
                Some((_, nodes)) => nodes.push(value),
                None => others.push((kind, vec![value])),
            }
        }
        or(others.into_iter().map(|(kind, values)| fill(or(values), kind)).collect::<Vec<_>>())
    }

    /// The string verbatim, any other value as JSON. In formats without types, all values are strings.
    fn bare(&mut self, schema: &Value, close: &str, name: &str) -> Expression {
        let branches = match schema.as_object() {
            Some(map)
                if ["type", "enum", "const", "anyOf", "$ref"].iter().any(|keyword| map.contains_key(*keyword)) =>
            {
                self.branches(schema, 0)
            }
            _ => vec![("string", schema.clone())],
        };
        let mut nodes = Vec::new();
        for (kind, branch) in branches {
            nodes.push(if kind == "string" { self.raw(&branch, close) } else { self.values.value(&branch, name) });
        }
        let any = Expression::Until(vec![close.to_owned()]);
        if nodes.contains(&any) { any } else { or(nodes) }
    }

    fn raw(&self, schema: &Value, close: &str) -> Expression {
        let empty = Map::new();
        let map = schema.as_object().unwrap_or(&empty);
        let cdata = matches!(self.encoding, Arguments::Cdata(_));
        if let Some(values) = fixed(map) {
            return or(values
                .iter()
                .filter_map(Value::as_str)
                .map(|value| text(in_cdata(value, cdata)))
                .collect::<Vec<_>>());
        }
        if !cdata {
            return raw_string(map, &[close]);
        }
        let close = ["]]>"];
        let plain = match raw_string(map, &close) {
            Expression::Until(_) => any_number(Expression::Chars(Chars::of("<&\n").not())),
            shaped => shaped,
        };
        or([seq([text("<![CDATA["), raw_string(map, &close), text("]]>")]), plain])
    }

    /// The types that the schema allows, each with its own schema.
    fn branches(&self, schema: &Value, depth: usize) -> Vec<(&'static str, Value)> {
        let all =
            || ["string", "number", "boolean", "null", "object", "array"].map(|kind| (kind, json!({ "type": kind })));
        let Some(map) = schema.as_object().filter(|_| depth < DEPTH) else { return all().to_vec() };
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            let name = reference.rsplit('/').next().unwrap_or_default();
            let target = self.values.definitions.get(name).cloned().unwrap_or(Value::Bool(true));
            let branches = self.branches(&target, depth + 1);
            // an unresolved reference keeps using the shared rule
            return match branches.as_slice() {
                [(kind, _)] if *kind != "string" => vec![(*kind, schema.clone())],
                _ => branches,
            };
        }
        if let Some(list) = map.get("anyOf").and_then(Value::as_array) {
            return list.iter().flat_map(|branch| self.branches(branch, depth + 1)).collect();
        }
        if let Some(values) = fixed(map) {
            return values.iter().map(|value| (type_of(value), json!({ "enum": [value] }))).collect();
        }
        let types = types_of(map).into_iter().map(|kind| {
            let mut one = map.clone();
            one.insert("type".to_owned(), kind.into());
            (label(kind), Value::Object(one))
        });
        types.collect()
    }

    fn nested(&mut self, prefix: &'static str, key: &Expression, schema: &Value, name: &str) -> Expression {
        let inner = self.inner(prefix, schema, name);
        element(prefix, key.clone(), inner, key.clone())
    }

    /// The content of an element.
    fn inner(&mut self, prefix: &'static str, schema: &Value, name: &str) -> Expression {
        self.values.depth += 1;
        let inner = self.content(prefix, schema, name);
        self.values.depth -= 1;
        inner
    }

    fn content(&mut self, prefix: &'static str, schema: &Value, name: &str) -> Expression {
        if *schema == Value::Bool(false) {
            return or([]);
        }
        let empty = Map::new();
        let map = schema.as_object().unwrap_or(&empty);
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            return self.reference(prefix, reference);
        }
        if let Some(branches) = map.get("anyOf").and_then(Value::as_array) {
            return or(branches.iter().map(|branch| self.inner(prefix, branch, name)).collect::<Vec<_>>());
        }
        if let Some(values) = fixed(map) {
            return or(values
                .iter()
                .map(|value| text(value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
                .collect::<Vec<_>>());
        }
        let kinds = types_of(map).into_iter().map(|kind| match kind {
            "string" => raw_string(map, &[prefix]),
            "array" => self.elements(prefix, map, name),
            "object" => self.entries(prefix, map),
            kind => {
                let mut one = map.clone();
                one.insert("type".to_owned(), kind.into());
                self.values.value(&Value::Object(one), name)
            }
        });
        or(kinds.collect::<Vec<_>>())
    }

    fn reference(&mut self, prefix: &'static str, reference: &str) -> Expression {
        let name = reference.rsplit('/').next().unwrap_or_default().to_owned();
        let nested = format!("nested {name}");
        if let Some(rule) = self.values.known.get(&nested) {
            return Expression::Rule(*rule);
        }
        let rule = self.values.rules.declare(&format!("def-{name}"));
        self.values.known.insert(nested, rule);
        if self.values.writes_now() {
            self.define(rule, prefix, &name);
        } else {
            self.values.pending.push((rule, name));
        }
        Expression::Rule(rule)
    }

    fn define(&mut self, rule: usize, prefix: &'static str, name: &str) {
        let definitions = self.values.definitions;
        let node = self.inner(prefix, definitions.get(name).unwrap_or(&Value::Bool(true)), name);
        self.values.rules.define(rule, node);
        self.values.rules.locate(&Expression::Rule(rule), &self.values.path_of(name));
    }

    fn elements(&mut self, prefix: &'static str, map: &Map<String, Value>, name: &str) -> Expression {
        let count = |keyword: &str| map.get(keyword).and_then(Value::as_u64);
        let (least, most) = (count("minItems").unwrap_or(0), count("maxItems"));
        let first = map.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let length = first.len() as u64;
        let item = match map.get("items") {
            None => return self.any_nested(prefix),
            Some(items) => self.nested(prefix, &text("item"), items, name),
        };
        let mut tail = repeat(item, least.saturating_sub(length), most.map(|most| most.saturating_sub(length)));
        for (index, schema) in first.iter().enumerate().rev() {
            tail = seq([self.nested(prefix, &text("item"), schema, name), tail]);
            if index as u64 >= least {
                tail = optional(tail);
            }
        }
        tail
    }

    fn entries(&mut self, prefix: &'static str, map: &Map<String, Value>) -> Expression {
        let mut all = Vec::new();
        for (key, schema, required) in properties(map) {
            let node = self.nested(prefix, &text(key), schema, key);
            all.push(if required { node } else { optional(node) });
        }
        let others = map.get("additionalProperties");
        if others != Some(&Value::Bool(false)) {
            let inner = match others {
                Some(schema) => self.inner(prefix, schema, "others"),
                None => self.any_nested(prefix),
            };
            all.push(any_number(element(prefix, self.other_key(map), inner, except(&[], &plain_key(), raw))));
        }
        seq(all)
    }

    /// Text, or nested elements with any names.
    fn any_nested(&mut self, prefix: &'static str) -> Expression {
        if self.values.flat {
            // the content could contain the closing marker itself, so no marker can end it
            return Expression::Until(Vec::new());
        }
        let content = |one| or([Expression::Until(vec![prefix.to_owned()]), repeat(one, 1, None)]);
        let key = || except(&[], &plain_key(), raw);
        let one = self.values.rules.shared("element", |rules| {
            let inner = content(rules.shared("element", |_| seq([])));
            element(prefix, key(), inner, key())
        });
        content(one)
    }
}

/// An element. Each alternative of the content includes the closing marker: lexers take text only together with what ends it.
fn element(prefix: &str, key: Expression, inner: Expression, closing: Expression) -> Expression {
    let close = seq([text(format!("{prefix}</")), closing, text(">")]);
    let inner = match inner {
        Expression::Or(parts) => or(parts.into_iter().map(|part| seq([part, close.clone()])).collect::<Vec<_>>()),
        one => seq([one, close]),
    };
    seq([text(format!("{prefix}<")), key, text(">"), inner])
}

fn in_cdata(value: &str, cdata: bool) -> String {
    let needs = cdata && (value.contains(['<', '&', '\n']) || value.trim() != value);
    if needs { format!("<![CDATA[{value}]]>") } else { value.to_owned() }
}

fn label(kind: &str) -> &'static str {
    match kind {
        "string" => "string",
        "boolean" => "boolean",
        "null" => "null",
        "object" => "object",
        "array" => "array",
        _ => "number",
    }
}
