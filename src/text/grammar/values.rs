//! Grammars of values that match a schema, in the notation of each text format.

use super::bounds::EARLY;
use super::names::{except, other_than, plain_key};
use super::number;
use super::pattern::{in_json, pattern, raw};
use super::rule::{Expression, Rules, any_number, optional, or, repeat, seq, text};
use super::schema::Clean;
use super::stated::{TYPES, fixed, properties, shape, types_of};
use crate::chars::Chars;
use crate::json::{Map, Value, json};
use crate::table::Table;
use crate::text::schema::escaped;
use crate::text::write::{gemma_key, quote};

/// An item of more parts than this is a rule.
const REPEATED: usize = 100;

/// The notation of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Notation {
    Json,
    /// Python literals.
    Python,
    /// The notation of Gemma: unquoted keys, and strings enclosed in this mark.
    Marked(&'static str),
}

/// Builds the grammars of values. The rules of definitions are shared.
pub(super) struct Values<'a> {
    pub rules: &'a mut Rules,
    pub notation: Notation,
    /// Whether the engine itself handles JSON values.
    pub native: bool,
    /// Whether recursion is not allowed.
    pub flat: bool,
    pub definitions: &'a Map<String, Value>,
    /// The paths of the definitions, by name.
    paths: &'a Table<String, String>,
    /// The rules of definitions and of undeclared names.
    pub known: &'a mut Table<String, usize>,
    /// Where the schema is that is written.
    pub path: String,
    /// The number of schemas around it, with those that refer to it.
    pub depth: usize,
    /// The definitions that are written later, each with its rule.
    pub pending: Vec<(usize, String)>,
}

impl Values<'_> {
    /// The grammar of a value, and of the definitions that it refers to.
    pub fn whole(&mut self, schema: &Value, name: &str) -> Expression {
        let value = self.value(schema, name);
        self.finish();
        value
    }

    /// Writes the definitions that are left.
    pub fn finish(&mut self) {
        while let Some((rule, name)) = self.pending.pop() {
            self.define(rule, &name);
        }
    }

    pub fn value(&mut self, schema: &Value, name: &str) -> Expression {
        self.depth += 1;
        let value = self.of_schema(schema, name);
        self.depth -= 1;
        value
    }

    /// The grammar of a schema inside this one. `step` is how its path continues.
    fn inner(&mut self, step: &str, key: &str, schema: &Value, name: &str) -> Expression {
        let length = self.enter(step, key);
        let value = self.value(schema, name);
        self.path.truncate(length);
        value
    }

    /// Extends the path, and returns its length before.
    pub fn enter(&mut self, step: &str, key: &str) -> usize {
        let length = self.path.len();
        self.path.push('/');
        self.path.push_str(step);
        if !key.is_empty() {
            self.path.push('/');
            self.path.push_str(&escaped(key));
        }
        length
    }

    fn of_schema(&mut self, schema: &Value, name: &str) -> Expression {
        if self.native && self.notation == Notation::Json {
            return Expression::Json(self.standing_alone(schema));
        }
        let Value::Object(map) = schema else {
            return if *schema == Value::Bool(false) { or([]) } else { self.any() };
        };
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            return self.reference(reference);
        }
        if let Some(branches) = map.get("anyOf").and_then(Value::as_array) {
            let branches = branches.iter().enumerate();
            return or(branches.map(|(at, one)| self.inner("anyOf", &at.to_string(), one, name)).collect::<Vec<_>>());
        }
        if let Some(values) = fixed(map) {
            return or(values.iter().map(|value| self.literal(value)).collect::<Vec<_>>());
        }
        let types = types_of(map);
        or(types.into_iter().map(|kind| self.typed(kind, map, name)).collect::<Vec<_>>())
    }

    /// The schema together with all definitions that it may refer to.
    fn standing_alone(&self, schema: &Value) -> Value {
        let mut schema = if *schema == Value::Bool(true) { json!({}) } else { schema.clone() };
        if let Value::Object(map) = &mut schema
            && !self.definitions.is_empty()
        {
            map.insert("$defs".to_owned(), Value::Object(self.definitions.clone()));
        }
        schema
    }

    fn reference(&mut self, reference: &str) -> Expression {
        let name = reference.rsplit('/').next().unwrap_or_default();
        if let Some(rule) = self.known.get(name) {
            return Expression::Rule(*rule);
        }
        let rule = self.rules.declare(&format!("def-{name}"));
        self.known.insert(name.to_owned(), rule);
        if self.writes_now() {
            self.define(rule, name);
        } else {
            self.pending.push((rule, name.to_owned()));
        }
        Expression::Rule(rule)
    }

    /// Whether a definition is written where it is first used. Later, if it is deep: they may refer to each other in a chain of any length.
    pub fn writes_now(&self) -> bool {
        self.depth < EARLY
    }

    fn define(&mut self, rule: usize, name: &str) {
        let own = self.path_of(name);
        let path = std::mem::replace(&mut self.path, own);
        let definitions = self.definitions;
        let node = self.value(definitions.get(name).unwrap_or(&Value::Bool(true)), name);
        self.path = path;
        self.rules.define(rule, node);
    }

    /// The path of a definition.
    pub fn path_of(&self, name: &str) -> String {
        self.paths.get(name).cloned().unwrap_or_default()
    }

    fn typed(&mut self, kind: &str, map: &Map<String, Value>, name: &str) -> Expression {
        let bound = |keyword: &str| map.get(keyword).and_then(Value::as_i64);
        let (least, most) = (bound("minimum"), bound("maximum"));
        let is_bounded = least.is_some() || most.is_some();
        match kind {
            "null" if self.notation == Notation::Python => text("None"),
            "null" => text("null"),
            "boolean" if self.notation == Notation::Python => or([text("True"), text("False")]),
            "boolean" => or([text("true"), text("false")]),
            "integer" if is_bounded => number::integers(least, most),
            "integer" => self.rules.shared("integer", |_| number::integers(None, None)),
            "number" if is_bounded => number::numbers(least, most),
            "number" => self.rules.shared("number", |_| number::any()),
            "string" => self.string(map),
            "array" => self.array(map, name),
            "object" => {
                let object = self.object(map, name);
                let rule = self.rules.add(&format!("in-{name}"), object);
                self.rules.locate(&rule, &self.path);
                rule
            }
            _ => or([]),
        }
    }

    pub fn any(&mut self) -> Expression {
        let (native, notation, flat) = (self.native, self.notation, self.flat);
        self.rules.shared("value", |rules| {
            let (clean, mut known) = (Clean::default(), Table::new());
            let mut values = Values { native, flat, ..Values::of(rules, notation, &clean, &mut known, "") };
            let map = Map::new();
            or(TYPES.map(|kind| match kind {
                "object" if flat => values.nested(("{", "}")),
                "array" if flat => values.nested(("[", "]")),
                kind => values.typed(kind, &map, "value"),
            }))
        })
    }

    /// Anything in brackets, with complete strings: regular expressions can't match nested brackets.
    fn nested(&self, brackets: (&str, &str)) -> Expression {
        let inside = match self.notation {
            Notation::Marked(mark) => [
                Expression::Chars(Chars::of("<").not()),
                seq([text(mark), Expression::Until(vec![mark.to_owned()]), text(mark)]),
            ],
            _ => {
                let escape = seq([text("\\"), Expression::Chars(Chars::any())]);
                let char = or([Expression::Chars(Chars::of("\"\\").not()), escape]);
                [
                    Expression::Chars(Chars::between("09azAZ").or(&Chars::of("[]{},:.+- \t\n\r"))),
                    seq([text("\""), any_number(char), text("\"")]),
                ]
            }
        };
        seq([text(brackets.0), any_number(or(inside)), text(brackets.1)])
    }

    /// One character inside quotes.
    pub fn char(&mut self) -> Expression {
        self.rules.shared("char", |_| {
            let plain = Expression::Chars(special().not());
            let hex = |count| repeat(Expression::Chars(Chars::between("09afAF")), count, Some(count));
            let class = |pairs: &str| Expression::Chars(Chars::between(pairs));
            let second = || Expression::Chars(Chars::of("dD"));
            // surrogates are only valid in pairs
            let units = or([
                seq([class("09acefACEF"), hex(3)]),
                seq([second(), class("07"), hex(2)]),
                seq([second(), class("89abAB"), hex(2), text("\\u"), second(), class("cfCF"), hex(2)]),
            ]);
            let escapes = or([Expression::Chars(Chars::of("\"\\/bfnrt")), seq([text("u"), units])]);
            or([plain, seq([text("\\"), escapes])])
        })
    }

    fn string(&mut self, map: &Map<String, Value>) -> Expression {
        if let Notation::Marked(mark) = self.notation {
            return seq([text(mark), raw_string(map, &[mark]), text(mark)]);
        }
        if let Some(shaped) = shape(map).and_then(|source| pattern(source, in_json)) {
            return seq([text("\""), shaped, text("\"")]);
        }
        let count = |keyword: &str| map.get(keyword).and_then(Value::as_u64);
        let (least, most) = (count("minLength").unwrap_or(0), count("maxLength"));
        let char = self.char();
        let of = move |least, most| seq([text("\""), repeat(char, least, most), text("\"")]);
        if least == 0 && most.is_none() { self.rules.shared("string", |_| of(0, None)) } else { of(least, most) }
    }

    /// Exactly this value.
    fn literal(&mut self, value: &Value) -> Expression {
        match value {
            Value::String(content) => self.fixed_string(content),
            Value::Array(items) => {
                let items: Vec<Expression> = items.iter().map(|item| self.literal(item)).collect();
                self.enclosed(("[", "]"), self.joined(items))
            }
            Value::Object(entries) => {
                let entries: Vec<Expression> = entries
                    .iter()
                    .map(|(key, value)| {
                        let value = self.literal(value);
                        self.pair(self.key(key), value)
                    })
                    .collect();
                self.enclosed(("{", "}"), self.joined(entries))
            }
            Value::Null => self.typed("null", &Map::new(), ""),
            Value::Bool(yes) if self.notation == Notation::Python => text(if *yes { "True" } else { "False" }),
            bare => text(bare.to_string()),
        }
    }

    fn fixed_string(&self, content: &str) -> Expression {
        match self.notation {
            Notation::Marked(mark) => text(format!("{mark}{content}{mark}")),
            _ => or([text(quote(content)), text(Value::from(content).to_string())]),
        }
    }

    fn key(&self, key: &str) -> Expression {
        match self.notation {
            Notation::Marked(mark) => text(gemma_key(key, mark)),
            _ => self.fixed_string(key),
        }
    }

    fn pair(&self, key: Expression, value: Expression) -> Expression {
        match self.notation {
            Notation::Marked(_) => seq([key, text(":"), value]),
            _ => seq([key, Expression::Space, text(":"), Expression::Space, value]),
        }
    }

    pub fn comma(&self) -> Expression {
        match self.notation {
            Notation::Marked(_) => text(","),
            _ => seq([Expression::Space, text(","), Expression::Space]),
        }
    }

    fn joined(&self, items: Vec<Expression>) -> Expression {
        members(items.into_iter().map(|item| (item, true)).collect(), None, &self.comma(), None)
    }

    fn enclosed(&self, brackets: (&str, &str), inside: Expression) -> Expression {
        let space = || if matches!(self.notation, Notation::Marked(_)) { seq([]) } else { Expression::Space };
        seq([text(brackets.0), space(), inside, space(), text(brackets.1)])
    }

    fn array(&mut self, map: &Map<String, Value>, name: &str) -> Expression {
        if map.keys().all(|keyword| !matches!(keyword.as_str(), "items" | "prefixItems" | "minItems" | "maxItems")) {
            if self.flat {
                return self.nested(("[", "]"));
            }
            let item = self.any();
            let items = self.items(Vec::new(), item, 0, None);
            let array = self.enclosed(("[", "]"), items);
            return self.rules.shared("array", |_| array);
        }
        let count = |keyword: &str| map.get(keyword).and_then(Value::as_u64);
        let prefix = map.get("prefixItems").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        let prefix = prefix.iter().enumerate();
        let prefix: Vec<Expression> =
            prefix.map(|(at, item)| self.inner("prefixItems", &at.to_string(), item, name)).collect();
        let item = match map.get("items") {
            Some(schema) => self.inner("items", "", schema, name),
            None => self.any(),
        };
        // it is repeated in this array, and with it in each array around
        let item = if item.parts() > REPEATED {
            let rule = self.rules.add(&format!("item-{name}"), item);
            self.rules.locate(&rule, &self.path);
            rule
        } else {
            item
        };
        let items = self.items(prefix, item, count("minItems").unwrap_or(0), count("maxItems"));
        self.enclosed(("[", "]"), items)
    }

    fn items(&self, prefix: Vec<Expression>, item: Expression, least: u64, most: Option<u64>) -> Expression {
        let comma = self.comma();
        let length = prefix.len() as u64;
        let most = most.map(|most| most.saturating_sub(length));
        let beyond = least.saturating_sub(length);
        let mut tail = if length == 0 {
            let more =
                |least: u64| repeat(seq([comma.clone(), item.clone()]), least, most.map(|most| most.saturating_sub(1)));
            let some = seq([item.clone(), more(beyond.saturating_sub(1))]);
            if most == Some(0) {
                seq([])
            } else if beyond == 0 {
                optional(some)
            } else {
                some
            }
        } else {
            repeat(seq([comma.clone(), item]), beyond, most)
        };
        for (index, node) in prefix.into_iter().enumerate().rev() {
            let lead = if index == 0 { seq([]) } else { comma.clone() };
            tail = seq([lead, node, tail]);
            if index as u64 >= least {
                tail = optional(tail);
            }
        }
        tail
    }

    fn object(&mut self, map: &Map<String, Value>, name: &str) -> Expression {
        if self.flat
            && !map.contains_key("properties")
            && !map.contains_key("required")
            && !map.contains_key("additionalProperties")
        {
            return self.nested(("{", "}"));
        }
        let mut list = Vec::new();
        for (key, schema, required) in properties(map) {
            let value = self.inner("properties", key, schema, key);
            list.push((self.pair(self.key(key), value), required));
        }
        let extra = self.extra(map, name).map(|value| {
            let key = self.other_key(map);
            self.pair(key, value)
        });
        let comma = self.comma();
        let inside = members(list, extra, &comma, Some((&mut *self.rules, name)));
        self.enclosed(("{", "}"), inside)
    }

    /// The value of an undeclared property, if such properties are allowed.
    fn extra(&mut self, map: &Map<String, Value>, name: &str) -> Option<Expression> {
        match map.get("additionalProperties") {
            Some(Value::Bool(false)) => None,
            Some(schema) => Some(self.inner("additionalProperties", "", schema, name)),
            None => Some(self.any()),
        }
    }

    /// Any undeclared key.
    fn other_key(&mut self, map: &Map<String, Value>) -> Expression {
        let keys: Vec<&str> = properties(map).into_iter().map(|(key, _, _)| key).collect();
        if let Notation::Marked(_) = self.notation {
            return except(&keys, &plain_key(), raw);
        }
        if keys.is_empty() {
            return self.string(&Map::new());
        }
        // the rule depends only on the declared names, which several tools often share
        let known = format!("other {}", keys.iter().copied().map(Value::from).collect::<Value>());
        if let Some(rule) = self.known.get(&known) {
            return Expression::Rule(*rule);
        }
        let rest = any_number(self.char());
        let specials = special();
        let escaped = self.rules.shared("escaped", |_| in_json(&special()));
        let encode = |chars: &Chars| {
            let all = specials.without(chars).is_empty();
            if all { or([Expression::Chars(chars.without(&specials)), escaped.clone()]) } else { in_json(chars) }
        };
        let other = other_than(&keys, &Chars::any(), &encode, rest);
        let rule = self.rules.declare("other");
        self.rules.define(rule, seq([text("\""), other, text("\"")]));
        self.known.insert(known, rule);
        Expression::Rule(rule)
    }
}

/// The characters that JSON strings can't contain as they are.
fn special() -> Chars {
    Chars::new([(0, 0x1f)]).or(&Chars::of("\"\\"))
}

/// Items in order, with commas between those that are present. Some are optional. `extra` may follow any number of times.
pub(super) fn members(
    list: Vec<(Expression, bool)>,
    extra: Option<Expression>,
    comma: &Expression,
    rules: Option<(&mut Rules, &str)>,
) -> Expression {
    let more = |node: &Expression| seq([comma.clone(), node.clone()]);
    let extras = extra.as_ref().map_or(seq([]), |extra| any_number(more(extra)));
    if let Some(first) = list.iter().position(|(_, required)| *required) {
        let mut parts: Vec<Expression> = Vec::new();
        for (index, (node, required)) in list.into_iter().enumerate() {
            let part = match index.cmp(&first) {
                std::cmp::Ordering::Less => seq([node, comma.clone()]),
                std::cmp::Ordering::Equal => node,
                std::cmp::Ordering::Greater => more(&node),
            };
            parts.push(if required { part } else { optional(part) });
        }
        parts.push(extras);
        return seq(parts);
    }
    // any optional item may come first
    let mut starts = Vec::new();
    if let Some(extra) = extra {
        starts.push(seq([extra, extras.clone()]));
    }
    let mut tail = extras;
    let mut rules = rules;
    for (node, _) in list.into_iter().rev() {
        starts.push(seq([node.clone(), tail.clone()]));
        tail = seq([optional(more(&node)), tail]);
        if let (Some((rules, name)), true) = (&mut rules, starts.len() > 2) {
            tail = rules.add(&format!("more-{name}"), tail);
        }
    }
    starts.reverse();
    optional(or(starts))
}

/// An unquoted string, up to one of these markers.
pub(super) fn raw_string(map: &Map<String, Value>, ends: &[&str]) -> Expression {
    let any = || Expression::Until(ends.iter().map(|&end| end.to_owned()).collect());
    shape(map).and_then(|source| pattern(source, raw)).unwrap_or_else(any)
}

impl<'a> Values<'a> {
    pub fn of(
        rules: &'a mut Rules,
        notation: Notation,
        clean: &'a Clean,
        known: &'a mut Table<String, usize>,
        path: &str,
    ) -> Self {
        let Clean { definitions, paths, .. } = clean;
        let (path, pending) = (path.to_owned(), Vec::new());
        Self { rules, notation, native: false, flat: false, definitions, paths, known, path, depth: 0, pending }
    }
}
