//! Converts what concerns a schema as a whole before its keywords are written: alternatives, tuples, bounds.

use super::node::{
    Below, InputSchema, Member, SchemaNode, fields_of, has_type, list_of, member_of, names_of, of_type, shared_type,
    type_names, types_of, without,
};
use super::policy::Rule;
use super::shapes::{Shape, is_annotation, type_of_keyword};
use super::values::Values;
use super::walk::{TOO_MUCH, Walker};
use crate::run::{At, Key, Result, Run};
use crate::value::{Keyed, Keys, Kind, Value, Word};

const NO_VALUE: &str = "no value satisfies the rest of the schema";

impl Walker {
    /// Writes alternatives as the target accepts them: `anyOf`, types, null (Q9–Q11).
    pub fn fit_unions(&mut self, run: &mut Run, node: &mut SchemaNode, at: At) -> Result<()> {
        if self.policy.rule(Word::oneOf) == Rule::AnyOf {
            self.fit_one_of(run, node);
        }
        if self.policy.rule(Word::nullable) == Rule::Null
            && let Some(member) = node.take(Word::nullable)
        {
            node.nullable |= member.value().is_some_and(|value| run.store.boolean(value));
        }
        if self.policy.google_types { self.fit_null(run, node, at) } else { Ok(()) }
    }

    /// Removes null from the alternatives of a target that has `nullable` instead. A single remaining alternative replaces the union (Q10).
    fn fit_null(&mut self, run: &mut Run, node: &mut SchemaNode, at: At) -> Result<()> {
        let Some((place, mut rest)) = node.list(Word::anyOf) else {
            self.fit_types(run, node);
            return Ok(());
        };
        let types = self.fit_listed(run, node);
        let takes_null = types.is_empty() || has_type(&types, Word::null);
        let before = rest.len();
        rest.retain(|part| !is_null(run, *part));
        node.nullable |= rest.len() < before && takes_null;
        match rest.as_slice() {
            [] => {
                if !takes_null {
                    self.warn(run, place, NO_VALUE);
                }
                node.take(Word::anyOf);
                node.take(Word::r#enum);
                node.nullable = false;
                node.put(Word::r#type, at, run.store.word_value(Word::null));
            }
            [only] => {
                node.take(Word::anyOf);
                self.gather(run, node, *only, true)?;
                // the branch may contain alternatives itself
                self.enter(run, at)?;
                self.fit_unions(run, node, at)?;
                self.leave();
            }
            rest if rest.len() < before => node.put_at(Word::anyOf, Member::list(Word::anyOf, place, rest)),
            _ => {}
        }
        Ok(())
    }

    fn fit_one_of(&mut self, run: &mut Run, node: &mut SchemaNode) {
        let Some((at, parts)) = node.list(Word::oneOf) else { return };
        if node.has(Word::anyOf) {
            // it is moved into the branches of the other one
            return;
        }
        let types = node.types(run);
        if !self.is_exclusive(run, &parts, is_object(&types)) {
            self.warn(run, at, "\"exactly one of\" was replaced by \"any of\"");
        }
        if let Some(member) = node.get_mut(Word::oneOf) {
            member.key = Key::Word(Word::anyOf);
        }
    }

    /// Whether no value matches two of the branches: their types differ, or their constants of one required property do.
    fn is_exclusive(&mut self, run: &mut Run, parts: &[InputSchema], are_objects: bool) -> bool {
        let branches: Vec<Value> = parts.iter().map(|part| self.resolved(run, *part)).collect();
        let Some(first) = branches.first() else { return true };
        if have_other_types(run, &branches) {
            return true;
        }
        // properties do not constrain values that are not objects
        let holds_objects = |branch: &Value| {
            let kind = member_of(run, *branch, Key::Word(Word::r#type));
            is_object(&type_names(run, kind))
        };
        if !are_objects && !branches.iter().all(holds_objects) {
            return false;
        }
        let tags = Tags::of(run, *first);
        let others: Vec<Tags> = branches.iter().skip(1).map(|branch| Tags::of(run, *branch)).collect();
        tags.properties.iter().any(|(tag, _)| {
            let mut constants = Values::default();
            [&tags].into_iter().chain(&others).all(|branch| {
                let constant = branch.constant(run, tag);
                constant.is_some_and(|value| constants.add(run, value))
            })
        })
    }

    fn resolved(&mut self, run: &mut Run, part: InputSchema) -> Value {
        let reference = member_of(run, part.value, Key::Word(Word::reference));
        let reference = reference.map(|value| run.store.owned_text(value));
        reference.and_then(|reference| self.target(run, &reference)).map_or(part.value, |target| target.value)
    }

    /// Writes several types as alternatives, and null among them as `nullable` (Q9).
    fn fit_types(&mut self, run: &mut Run, node: &mut SchemaNode) {
        let Some(member) = node.get(Word::r#type) else { return };
        let (at, Some(value)) = (member.at, member.value()) else { return };
        let all = self.fit_listed(run, node);
        if run.store.kind(value) != Kind::Array {
            return;
        }
        let types = without(&all, &[Word::null]);
        node.nullable |= types.len() < all.len() && !types.is_empty();
        match types.as_slice() {
            [] if !all.is_empty() => node.put(Word::r#type, at, run.store.word_value(Word::null)),
            [only] => node.put(Word::r#type, at, run.key_value(*only)),
            [_, ..] => {
                let mut parts = Vec::with_capacity(types.len());
                for name in types {
                    parts.push(InputSchema::new(of_type(run, name), at));
                }
                node.put_at(Word::r#type, Member::list(Word::anyOf, at, &parts));
            }
            [] => {
                node.take(Word::r#type);
            }
        }
    }

    /// Removes values from an `enum` that do not match the types beside it. Returns the types that remain.
    fn fit_listed(&mut self, run: &mut Run, node: &mut SchemaNode) -> Vec<Key> {
        let types = node.types(run);
        let Some(member) = node.get(Word::r#enum).or_else(|| node.get(Word::r#const)) else { return types };
        let (word, at, Some(value)) = (member.key.word(), member.at, member.value()) else { return types };
        let all = if word == Word::r#enum { list_of(run, value) } else { vec![value] };
        let (mut values, mut used) = (Vec::new(), Vec::new());
        for value in &all {
            for kind in types_of(run, &[*value]) {
                if types.is_empty() || shared_type(run, kind, &types).is_some() {
                    values.push(*value);
                    used.push(kind);
                }
            }
        }
        if values.is_empty() {
            if !types.is_empty() {
                self.warn(run, at, NO_VALUE);
            }
            return types;
        }
        if values.len() < all.len() {
            node.put(word, at, run.store.array_of(&values));
        }
        if types.is_empty() {
            return used;
        }
        types.into_iter().filter(|name| shared_type(run, *name, &used).is_some()).collect()
    }

    /// Turns a tuple into a list of any of its types (Q16).
    pub fn fit_tuple(&mut self, run: &mut Run, node: &mut SchemaNode) {
        if self.policy.rule(Word::prefixItems) != Rule::Items {
            return;
        }
        let (word, rest) = match node.list(Word::prefixItems) {
            Some(_) => (Word::prefixItems, Word::items),
            None => (Word::items, Word::additionalItems),
        };
        let Some((at, mut parts)) = node.list(word) else { return };
        self.warn(run, at, "a tuple was replaced by an array of any of its types");
        let length = run.build(|run| run.store.put_number(parts.len() as f64));
        let rest = node.take(rest).filter(|member| member.shape == Shape::Schema);
        let mut open = rest.map(|member| member.parts()).unwrap_or_default();
        open.retain(|part| run.store.kind(part.value) == Kind::Object);
        if !node.has(Word::minItems) {
            node.put(Word::minItems, at, length);
        }
        if open.is_empty() && !node.has(Word::maxItems) {
            node.put(Word::maxItems, at, length);
        }
        parts.extend(open);
        if parts.is_empty() {
            node.take(word);
        } else if let Some(member) = node.get_mut(word) {
            let key = Key::Word(Word::items);
            let schemas = vec![Below { key, at, parts, any: true }];
            *member = Member { key, at, shape: Shape::Schema, whole: None, schemas };
        }
    }

    /// Turns exclusive bounds into inclusive ones: exactly for integers, otherwise with a warning.
    pub fn fit_bounds(&mut self, run: &mut Run, node: &mut SchemaNode) {
        for (exclusive, inclusive, step) in
            [(Word::exclusiveMinimum, Word::minimum, 1.0), (Word::exclusiveMaximum, Word::maximum, -1.0)]
        {
            if self.policy.rule(exclusive) != Rule::Inclusive {
                continue;
            }
            let Some(member) = node.take(exclusive) else { continue };
            let (at, Some(bound)) = (member.at, member.value()) else { continue };
            // in draft 4, a flag that makes the inclusive bound exclusive
            let bound = match run.store.kind(bound) {
                Kind::Number => bound,
                Kind::Boolean if !run.store.boolean(bound) => continue,
                Kind::Boolean => match node.value(inclusive) {
                    Some(bound) if run.store.kind(bound) == Kind::Number => bound,
                    Some(_) | None => continue,
                },
                Kind::Null | Kind::String | Kind::Array | Kind::Object | Kind::Other => {
                    self.warn(run, at, "this is not a bound");
                    continue;
                }
            };
            let types = without(&node.types(run), &[Word::null]);
            let is_whole = types.iter().all(|name| name.word() == Word::integer) && !types.is_empty();
            let number = run.store.number(bound);
            const EXACT: f64 = 9_007_199_254_740_991.0;
            let written = if is_whole && number.abs() < EXACT {
                let next = if step > 0.0 { number.floor() } else { number.ceil() } + step;
                run.build(|run| run.store.put_number(next))
            } else {
                self.warn(run, at, "the bound itself is now allowed");
                bound
            };
            let known = node.value(inclusive).filter(|known| run.store.kind(*known) == Kind::Number);
            let is_tighter =
                known.is_none_or(|known| (run.store.number(written) - run.store.number(known)) * step > 0.0);
            if is_tighter {
                node.put(inclusive, at, written);
            }
        }
    }

    /// Whether keywords beside `anyOf` must be moved into its branches: Google accepts none there, a closed object accepts only its own properties,
    /// and a schema has only one list of alternatives.
    pub fn distributes(&self, node: &SchemaNode) -> bool {
        let beside =
            |member: &Member| member.key.word() != Word::anyOf && self.policy.rule(member.key.word()) != Rule::Omit;
        node.get(Word::anyOf).is_some_and(|member| member.shape == Shape::List)
            && (self.policy.lone_any_of && (node.nullable || node.members.iter().any(beside))
                || self.policy.closed && node.has(Word::properties)
                || node.members.iter().filter(|member| self.policy.is_alternatives(member)).count() > 1)
    }

    /// Writes each branch together with the keywords beside the union.
    pub fn distribute(&mut self, run: &mut Run, mut node: SchemaNode, at: At) -> Result<Value> {
        let Some(any_of) = node.take(Word::anyOf) else { return self.write(run, node, None, at, false) };
        if self.policy.lone_any_of
            && let Some(member) = node.take(Word::default)
        {
            self.warn(run, member.at, "the target does not accept other keywords next to alternatives");
        }
        let (mut outside, mut beside) = (Vec::new(), Vec::new());
        for member in std::mem::take(&mut node.members) {
            let word = member.key.word();
            let stays = is_annotation(word) && (!self.policy.lone_any_of || word.text().starts_with('$'));
            if stays { outside.push(member) } else { beside.push(member) }
        }
        let mut branches = Vec::new();
        for part in any_of.parts() {
            if self.unfolds_too_much() {
                self.refuse(run, any_of.at, TOO_MUCH);
                node.members = outside;
                node.members.append(&mut beside);
                return self.write(run, node, None, at, false);
            }
            let mut branch = SchemaNode {
                nullable: node.nullable,
                notes: node.notes.clone(),
                closings: node.closings.clone(),
                ..SchemaNode::default()
            };
            self.gather(run, &mut branch, part, true)?;
            let types = branch.types(run);
            for member in &beside {
                let concerns = type_of_keyword(member.key.word()).is_none_or(|name| has_type(&types, name));
                if types.is_empty() || concerns {
                    self.add(run, &mut branch, member.clone());
                }
            }
            self.copy(run, &beside)?;
            branches.push(self.write(run, branch, None, part.at, false)?);
        }
        let mut outer = SchemaNode { members: outside, ..SchemaNode::default() };
        outer.put(Word::anyOf, at, run.store.array_of(&branches));
        self.write(run, outer, None, at, false)
    }
}

fn is_object(types: &[Key]) -> bool {
    matches!(types, [Key::Word(Word::object)])
}

/// Whether each branch has a single type that no other branch has.
fn have_other_types(run: &mut Run, branches: &[Value]) -> bool {
    let mut known = Keys::default();
    for branch in branches {
        let types = match member_of(run, *branch, Key::Word(Word::r#type)) {
            None => {
                let constant = member_of(run, *branch, Key::Word(Word::r#const));
                types_of(run, constant.as_slice())
            }
            kind => type_names(run, kind),
        };
        let [only] = types.as_slice() else { return false };
        let mut only = *only;
        if only.word() == Word::integer {
            only = Key::Word(Word::number);
        }
        if !known.add(run.key_text(only).as_bytes()) {
            return false;
        }
    }
    true
}

/// Whether a branch allows only null.
fn is_null(run: &mut Run, part: InputSchema) -> bool {
    let kind = member_of(run, part.value, Key::Word(Word::r#type));
    let constant = member_of(run, part.value, Key::Word(Word::r#const));
    matches!(type_names(run, kind).as_slice(), [Key::Word(Word::null)])
        || constant.is_some_and(|value| run.store.kind(value) == Kind::Null)
}

/// The required properties of a branch, and the properties with their schemas.
#[derive(Default)]
struct Tags {
    required: Keys,
    properties: Keyed<Value>,
}

impl Tags {
    fn of(run: &mut Run, branch: Value) -> Tags {
        let mut tags = Tags::default();
        let required = member_of(run, branch, Key::Word(Word::required));
        for name in names_of(run, required) {
            tags.required.add(run.store.text(name).as_bytes());
        }
        let properties = member_of(run, branch, Key::Word(Word::properties));
        for field in properties.map(|properties| fields_of(run, properties)).unwrap_or_default() {
            tags.properties.insert(run.store.text(field.key).as_bytes(), field.value);
        }
        tags
    }

    /// The single value that the branch allows for a required property.
    fn constant(&self, run: &mut Run, tag: &[u8]) -> Option<Value> {
        let property = *self.properties.get(tag).filter(|_| self.required.has(tag))?;
        if let Some(value) = member_of(run, property, Key::Word(Word::r#const)) {
            return Some(value);
        }
        let values = member_of(run, property, Key::Word(Word::r#enum))?;
        match list_of(run, values).as_slice() {
            [one] => Some(*one),
            _ => None,
        }
    }
}
