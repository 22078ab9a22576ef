//! Converts single keywords, and applies what the target requires of a complete schema.

use super::node::{
    Member, fields_of, has_type, list_of, member_of, names_of, object_of, of_type, pairs_of, places, type_names,
    type_value, types_of, without,
};
use super::policy::{Rule, SomeRequired, Typing};
use super::shapes::{Shape, is_annotation};
use super::values::{Values, those_in};
use super::walk::{Out, Walker, built};
use crate::number::javascript;
use crate::run::{At, Key, Result, Run};
use crate::value::{Kind, Value, Word};

impl Walker {
    pub fn keyword(&mut self, run: &mut Run, member: Member, types: &[Key], out: &mut Out) -> Result<()> {
        let (word, at) = (member.key.word(), member.at);
        let value = match self.policy.rule(word) {
            Rule::Keep => {
                let forbidding = member.forbidding(run).filter(|_| word == Word::additionalProperties);
                let value = if let Some(no) = forbidding { no } else { self.fitted(run, &member)? };
                if word == Word::r#enum && self.policy.google_types && run.store.kind(value) == Kind::Array {
                    let values = run.list(value);
                    return self.write_enum(run, &values, Some(value), at, types, out);
                }
                if word == Word::properties {
                    out.properties = member.schemas;
                }
                if word == Word::reference {
                    let Some(moved) = self.moved(run, value, at)? else { return Ok(()) };
                    moved
                } else {
                    value
                }
            }
            Rule::Only => {
                let value = self.fitted(run, &member)?;
                if !self.takes(run, word, value, at)? {
                    return self.describe(run, &member, &mut out.notes);
                }
                value
            }
            Rule::Pattern => {
                let value = self.fitted(run, &member)?;
                let pattern = run.store.text(value);
                if has_lookaround(&pattern) || self.policy.no_anchors && has_anchor(&pattern) {
                    return self.describe(run, &member, &mut out.notes);
                }
                value
            }
            Rule::Size => {
                let value = self.fitted(run, &member)?;
                // an integer without a fraction, however it was spelled
                let digits = javascript(run.store.number(value));
                run.store.string(&digits)
            }
            Rule::Closed => match member.forbidding(run) {
                Some(no) => no,
                None => {
                    self.refuse(run, at, "strict mode does not accept objects with undeclared properties");
                    member.value().unwrap_or_else(|| run.store.boolean_value(false))
                }
            },
            Rule::Enum => {
                let Some(value) = member.value() else { return Ok(()) };
                return self.write_enum(run, &[value], None, at, types, out);
            }
            Rule::Single => {
                if let Some(value) = member.value() {
                    out.set(Word::r#enum, run.store.array_of(&[value]));
                }
                return Ok(());
            }
            Rule::Example => {
                self.write_example(run, &member, out);
                return Ok(());
            }
            Rule::Refuse if self.policy.strict => {
                self.refuse(run, at, "strict mode does not support this keyword");
                return Ok(());
            }
            Rule::Describe | Rule::Refuse => return self.describe(run, &member, &mut out.notes),
            Rule::Omit | Rule::Null => return Ok(()),
            // those of the right shape were converted earlier
            Rule::Drop | Rule::AnyOf | Rule::Merge | Rule::Items | Rule::Inclusive => {
                if !is_void_member(run, &member) && !is_no_condition(run, &member) {
                    self.warn(run, at, "the target does not accept this keyword");
                }
                return Ok(());
            }
        };
        out.set_key(member.key, value);
        Ok(())
    }

    /// Whether the target accepts this value of a keyword.
    fn takes(&self, run: &mut Run, word: Word, value: Value, at: At) -> Result<bool> {
        let text = if run.store.kind(value) == Kind::String { value } else { run.json_text(value, at)? };
        let text = run.store.text(text);
        Ok(self.policy.allowed.iter().any(|(known, values)| *known == word && values.contains(&&*text)))
    }

    /// Leaves a keyword out and adds it to the description as text.
    pub fn describe(&mut self, run: &mut Run, member: &Member, notes: &mut Vec<String>) -> Result<()> {
        if is_void_member(run, member) {
            return Ok(());
        }
        self.warn(run, member.at, "the target does not accept this keyword: it was moved to the description");
        if let Some(whole) = member.whole {
            let text = run.json_text(whole, member.at)?;
            notes.push(format!("{}: {}", run.key_text(member.key), run.store.text(text)));
        }
        Ok(())
    }

    /// Google's enums are strings, regardless of the type (Q12, Q13).
    fn write_enum(
        &mut self,
        run: &mut Run,
        values: &[Value],
        whole: Option<Value>,
        at: At,
        types: &[Key],
        out: &mut Out,
    ) -> Result<()> {
        let mut texts = Vec::with_capacity(values.len());
        for value in values {
            match run.store.kind(*value) {
                Kind::String if run.store.is_empty(*value) => {
                    self.warn(run, at, "the target does not accept empty values")
                }
                Kind::String => texts.push(*value),
                Kind::Boolean | Kind::Number => texts.push(run.json_text(*value, at)?),
                Kind::Null => {}
                Kind::Array | Kind::Object | Kind::Other => {
                    self.warn(run, at, "the target accepts only strings, numbers and booleans")
                }
            }
        }
        let found = types_of(run, values);
        if let ([Key::Word(Word::null)], []) = (found.as_slice(), types) {
            out.take(Word::nullable);
            out.set(Word::r#type, run.store.word_value(Word::null));
            return Ok(());
        }
        if types.is_empty() && has_type(&found, Word::null) {
            out.set(Word::nullable, run.store.boolean_value(true));
        }
        if texts.is_empty() {
            return Ok(());
        }
        let kind = match without(&found, &[Word::null, Word::array, Word::object]).as_slice() {
            [only] => only.word(),
            [_, _] if has_type(&found, Word::integer) && has_type(&found, Word::number) => Word::number,
            _ => {
                self.warn(run, at, "values of several types were converted to strings");
                Word::string
            }
        };
        if types.is_empty() {
            out.set(Word::r#type, run.store.word_value(kind));
        }
        let is_plain = |kind: &Key| matches!(kind.word(), Word::integer | Word::number | Word::boolean);
        if kind != Word::string && (types.is_empty() || types.iter().any(is_plain)) {
            out.set(Word::format, run.store.word_value(Word::r#enum));
        }
        let list = match whole {
            Some(whole) if texts == values => whole,
            _ => run.store.array_of(&texts),
        };
        out.set(Word::r#enum, list);
        Ok(())
    }

    fn write_example(&mut self, run: &mut Run, member: &Member, out: &mut Out) {
        let values = member.value().map(|value| list_of(run, value)).unwrap_or_default();
        if values.len() > 1 {
            self.warn(run, member.at, "the target accepts only one example");
        }
        if let (Some(first), false) = (values.first(), out.has(Word::example)) {
            out.set(Word::example, *first);
        }
    }

    /// Applies what the target requires of every schema.
    pub fn finish(&mut self, run: &mut Run, out: &mut Out, at: At, is_root: bool) {
        let is_typed = out.has(Word::r#type);
        if self.policy.typing != Typing::Free {
            self.add_type(run, out, at);
        }
        self.fit_to_type(run, out, at);
        let types = type_names(run, out.get(Word::r#type));
        if let Some(values) = out.get(Word::r#enum).filter(|_| self.policy.typed_values) {
            let typed = values_of(run, values, &types);
            if typed != values && !is_typed {
                let at = run.down(at, Word::r#enum);
                self.warn(run, at, "some values are not of the type that the other keywords are about");
            }
            out.set(Word::r#enum, typed);
        }
        if self.policy.lone_values && types.len() > 1 && (out.has(Word::r#enum) || out.has(Word::r#const)) {
            out.take(Word::r#type);
        }
        if self.policy.needs_items && has_type(&types, Word::array) && !out.has(Word::items) {
            if self.policy.typing == Typing::Demanded {
                self.refuse(run, at, "strict mode does not accept arrays without a type of their items");
            } else {
                out.set(Word::items, run.store.empty_object());
            }
        }
        if is_root && self.policy.root_properties && !out.has(Word::properties) {
            out.set(Word::properties, run.store.empty_object());
        }
        let is_object = has_type(&types, Word::object) || out.has(Word::properties);
        if self.policy.closed && is_object && !out.has(Word::additionalProperties) {
            if !out.has(Word::properties) && !is_root {
                self.refuse(run, at, "strict mode does not accept objects with undeclared properties");
            }
            out.set(Word::additionalProperties, run.store.boolean_value(false));
        }
        self.fit_required(run, out, at, is_object.then_some(is_root));
        if self.policy.omits_empty {
            for word in [Word::properties, Word::required] {
                if out.get(word).is_some_and(|value| run.is_void(value)) {
                    out.take(word);
                }
            }
        }
        if !out.notes.is_empty() {
            let mut text = out.notes.join(", ");
            let known = out.get(Word::description).filter(|known| run.store.kind(*known) == Kind::String);
            if let Some(known) = known {
                text = format!("{} ({text})", run.store.text(known));
            }
            out.set(Word::description, run.store.string(&text));
        }
    }

    /// Adds the type that the other keywords imply.
    fn add_type(&mut self, run: &mut Run, out: &mut Out, at: At) {
        if out.has(Word::r#type) || out.has(Word::anyOf) || out.has(Word::reference) {
            return;
        }
        let is_demanded = self.policy.typing == Typing::Demanded;
        let of_values = match (out.get(Word::r#enum), out.get(Word::r#const)) {
            (Some(values), _) => {
                let values = list_of(run, values);
                types_of(run, &values)
            }
            (None, Some(value)) => types_of(run, &[value]),
            (None, None) => Vec::new(),
        };
        let holder = match (out.has(Word::properties), out.has(Word::items)) {
            (true, _) => Some(Word::object),
            (false, true) => Some(Word::array),
            (false, false) => None,
        };
        let types = match holder {
            // both keywords say nothing about null
            Some(word) if has_type(&of_values, Word::null) => vec![Key::Word(word), Key::Word(Word::null)],
            Some(word) => vec![Key::Word(word)],
            None if is_demanded => of_values,
            None => Vec::new(),
        };
        if !types.is_empty() {
            out.members.insert(0, (Key::Word(Word::r#type), type_value(run, &types)));
        } else if is_demanded {
            self.refuse(run, at, "strict mode does not accept a schema without a type");
        }
    }

    /// `required` lists declared properties only (Q18); in strict mode, all of them (Q23). `object`: whether the object is the root.
    fn fit_required(&mut self, run: &mut Run, out: &mut Out, at: At, object: Option<bool>) {
        let mut keys = Vec::with_capacity(out.properties.len());
        for property in &out.properties {
            keys.push(run.key_value(property.key));
        }
        let required = out.get(Word::required);
        let mut names = names_of(run, required);
        if self.policy.declared_required {
            let declared = those_in(run, &names, &keys, true);
            if declared.len() < names.len() {
                names = declared;
                let at = run.down(at, Word::required);
                self.warn(run, at, "only declared properties can be required");
                out.set(Word::required, run.store.array_of(&names));
            }
        }
        let lacking = object.filter(|_| names.is_empty());
        let Some(why) = self.why_all_required(run, lacking, !keys.is_empty(), at) else { return };
        let Some(properties) = out.get(Word::properties) else { return };
        let mut known = Values::default();
        for name in names {
            known.add(run, name);
        }
        if required.is_some() && keys.iter().all(|key| known.has(run, *key)) {
            return;
        }
        let places = places(run, &out.properties);
        let mut written = Vec::with_capacity(keys.len());
        for field in fields_of(run, properties) {
            let key = Key::from(field);
            let mut value = field.value;
            if !known.has(run, field.key) {
                let place = places.place(run.key_text(key).as_bytes());
                if let Some(property) = place.and_then(|place| out.properties.get(place)) {
                    self.warn(run, property.at, why);
                }
                value = with_null(run, value);
            }
            written.push((key, value));
        }
        out.set(Word::required, run.store.array_of(&keys));
        out.set(Word::properties, object_of(run, &written));
    }

    /// Why all properties become required, if they do. `lacking`: whether an object that requires none is the root.
    fn why_all_required(
        &mut self,
        run: &mut Run,
        lacking: Option<bool>,
        has_properties: bool,
        at: At,
    ) -> Option<&'static str> {
        match (self.policy.some_required, lacking) {
            (SomeRequired::AtRoot, Some(true)) if has_properties => {
                self.refuse(run, at, "strict mode requires at least one required property");
            }
            (SomeRequired::Everywhere, Some(_)) if has_properties => {
                return Some("the target requires at least one property of each object: null means that it is absent");
            }
            (SomeRequired::Everywhere, Some(_)) => {
                self.warn(run, at, "the target may reject an object without a required property");
            }
            _ => {}
        }
        self.policy.all_required.then_some("strict mode requires every property: null means that it is absent")
    }
}

/// Whether the keyword only states which further properties there may be: without it, models do not add any either.
fn is_no_condition(run: &Run, member: &Member) -> bool {
    let is_flag = member.whole.is_some_and(|whole| run.store.kind(whole) == Kind::Boolean);
    member.key.word() == Word::additionalProperties && is_flag
}

/// Whether a keyword only states the default.
fn is_void_member(run: &mut Run, member: &Member) -> bool {
    if matches!(member.shape, Shape::Map | Shape::List) {
        return member.schemas.is_empty();
    }
    let is_one = member.schemas.iter().all(|below| below.parts.len() == 1);
    let Some(value) = member.whole.filter(|_| is_one) else { return false };
    match (member.key.word(), run.store.kind(value)) {
        // an empty schema is significant there
        (Word::not | Word::contains | Word::r#const, _) => false,
        (Word::uniqueItems | Word::deprecated | Word::readOnly | Word::writeOnly | Word::nullable, Kind::Boolean) => {
            !run.store.boolean(value)
        }
        (_, Kind::Boolean) => member.shape == Shape::Schema && run.store.boolean(value),
        // property names are always strings
        (Word::propertyNames, Kind::Object) => is_of_strings(run, value),
        (_, Kind::Object) => run.is_void(value),
        (Word::minItems | Word::minLength | Word::minProperties, Kind::Number) => run.store.number(value) == 0.0,
        _ => false,
    }
}

/// The values of an `enum` that match the types beside it: the schema allows no others.
fn values_of(run: &mut Run, whole: Value, types: &[Key]) -> Value {
    let values = list_of(run, whole);
    let is_typed = |kind: &Key| {
        let is_whole = kind.word() == Word::integer && has_type(types, Word::number);
        is_whole || has_type(types, kind.word())
    };
    let typed: Vec<Value> =
        values.iter().copied().filter(|value| types_of(run, &[*value]).iter().all(is_typed)).collect();
    let is_same = types.is_empty() || typed.is_empty() || typed.len() == values.len();
    if is_same { whole } else { run.store.array_of(&typed) }
}

/// Whether a schema requires a string and nothing else.
fn is_of_strings(run: &mut Run, schema: Value) -> bool {
    let members = run.members(schema);
    members.iter().all(|member| member.word == Word::r#type && run.store.word(member.value) == Word::string)
}

/// Whether a regular expression has a lookahead or lookbehind, apart from escaped characters and character classes.
fn has_lookaround(pattern: &str) -> bool {
    const LOOKS: &[&str] = &["(?=", "(?!", "(?<=", "(?<!"];
    has_operator(pattern, |rest| LOOKS.iter().any(|look| rest.starts_with(look)))
}

fn has_anchor(pattern: &str) -> bool {
    has_operator(pattern, |rest| rest.starts_with(['^', '$']))
}

/// Whether an operator begins anywhere outside of escapes and classes.
fn has_operator(pattern: &str, begins: impl Fn(&str) -> bool) -> bool {
    let (mut is_escaped, mut is_class) = (false, false);
    pattern.char_indices().any(|(place, character)| {
        let counts = !is_escaped;
        is_escaped = counts && character == '\\';
        match character {
            '[' if counts => is_class = true,
            ']' if counts => is_class = false,
            _ => {}
        }
        counts && !is_class && pattern.get(place..).is_some_and(&begins)
    })
}

/// The schema, with null as another allowed value.
fn with_null(run: &mut Run, schema: Value) -> Value {
    if run.store.kind(schema) != Kind::Object {
        return schema;
    }
    let mut out = Out { members: pairs_of(run, schema), ..Out::default() };
    allow_null(run, &mut out, Some(schema));
    built(run, &out.members, Some(schema))
}

/// Makes null an allowed value of the written schema. `original` is the schema if it was not changed.
pub fn allow_null(run: &mut Run, out: &mut Out, original: Option<Value>) {
    if out.members.iter().all(|(key, _)| is_annotation(key.word())) {
        // what allows every value allows null
        return;
    }
    let mut types = type_names(run, out.get(Word::r#type));
    let is_list = |value: &Value| value.kind() == Kind::Array;
    let values = out.get(Word::r#enum);
    let lists_null =
        values.filter(is_list).is_none_or(|values| run.list(values).iter().any(|value| value.kind() == Kind::Null));
    let is_constant = out.has(Word::r#const);
    if !is_constant && lists_null && has_type(&types, Word::null) {
        return;
    }
    let any_of = out.get(Word::anyOf).filter(is_list);
    if is_constant || values.is_some() || any_of.is_some() == out.has(Word::r#type) {
        // definitions stay at the root, where references expect them
        let definitions = [Word::defs, Word::definitions].map(|word| (Key::Word(word), out.take(word)));
        let whole = built(run, &out.members, original);
        let branches = [whole, of_type(run, Key::Word(Word::null))];
        out.members = vec![(Key::Word(Word::anyOf), run.store.array_of(&branches))];
        for (key, known) in definitions {
            out.members.extend(known.map(|known| (key, known)));
        }
    } else if let Some(any_of) = any_of {
        let mut branches = run.list(any_of);
        for branch in &branches {
            let kind = member_of(run, *branch, Key::Word(Word::r#type));
            if has_type(&type_names(run, kind), Word::null) {
                return;
            }
        }
        branches.push(of_type(run, Key::Word(Word::null)));
        out.set(Word::anyOf, run.store.array_of(&branches));
    } else {
        types.push(Key::Word(Word::null));
        out.set(Word::r#type, type_value(run, &types));
    }
}
