//! The walker that makes a schema what a target accepts. It reads one level at a time and passes unchanged parts on as they are.

use super::keywords::allow_null;
use super::moves::Moves;
use super::node::{Below, InputSchema, Member, SchemaNode, Trail, add, is_type, list_of, names_of, object_of, open};
use super::policy::{Policy, References, Rule};
use super::values::those_in;
use crate::run::{At, Key, Result, Run, WarningCode};
use crate::value::{Fault, Keyed, Keys, Kind, Value, Word};

/// Maximum nesting of schemas: rewriting them is recursive, and must fit into the smallest stack.
pub const DEEPEST: usize = 160;

/// Maximum number of bytes of a schema that are written more than once: a few definitions can unfold to more than fits into memory.
const MOST_COPIED: usize = 1 << 18;
const NOT_JOINED: &str = "this can't be merged with the rest of the schema";
pub const TOO_MUCH: &str = "the schema becomes too large when it is rewritten";

pub struct Walker {
    pub policy: &'static Policy,
    pub root: InputSchema,
    /// The references that were followed, each with the trail before it.
    pub trails: Vec<(Trail, String)>,
    pub followed: Keys,
    /// The references that were examined, and whether each is recursive.
    pub known: Keys,
    pub are_recursive: Vec<bool>,
    /// Objects on the way to targets of references, and their members.
    pub opened: Keys,
    pub members: Keyed<(Value, Key)>,
    /// The new targets of references whose targets were changed.
    pub moves: Moves,
    reported: Keys,
    /// Why strict mode was given up.
    pub refused: Option<(At, &'static str)>,
    depth: usize,
    copied: usize,
}

/// The written form of one schema.
#[derive(Default)]
pub struct Out {
    pub members: Vec<(Key, Value)>,
    pub properties: Vec<Below>,
    pub notes: Vec<String>,
}

impl Out {
    pub fn get(&self, word: Word) -> Option<Value> {
        Some(self.members.get(self.place(word)?)?.1)
    }

    pub fn has(&self, word: Word) -> bool {
        self.place(word).is_some()
    }

    fn place(&self, word: Word) -> Option<usize> {
        self.members.iter().position(|(key, _)| key.word() == word)
    }

    pub fn set(&mut self, word: Word, value: Value) {
        self.set_key(Key::Word(word), value);
    }

    pub fn set_key(&mut self, key: Key, value: Value) {
        let place = if let Key::Word(word) = key { self.place(word) } else { None };
        match place.and_then(|place| self.members.get_mut(place)) {
            Some((_, known)) => *known = value,
            None => self.members.push((key, value)),
        }
    }

    pub fn take(&mut self, word: Word) -> Option<Value> {
        let place = self.place(word)?;
        Some(self.members.remove(place).1)
    }

    /// Moves a keyword after another one, or to the end. Schemas are written in a fixed order, so that reading them back gives the same one.
    fn put_after(&mut self, word: Word, other: Word) {
        let Some(moved) = self.take(word) else { return };
        let to = self.place(other).map_or(self.members.len(), |before| before + 1);
        self.members.insert(to, (Key::Word(word), moved));
    }
}

impl Walker {
    pub fn new(policy: &'static Policy, schema: Value, at: At) -> Walker {
        Walker {
            policy,
            root: InputSchema::new(schema, at),
            trails: Vec::new(),
            followed: Keys::default(),
            known: Keys::default(),
            are_recursive: Vec::new(),
            opened: Keys::default(),
            members: Keyed::default(),
            moves: Moves::default(),
            reported: Keys::default(),
            refused: None,
            depth: 0,
            copied: 0,
        }
    }

    /// Warns at most once about each position, even if a definition is inlined repeatedly.
    pub fn warn(&mut self, run: &mut Run, at: At, message: &str) {
        if self.reported.add(run.pointer(at).as_bytes()) {
            run.warn(WarningCode::SchemaChanged, at, message);
        }
    }

    /// Gives strict mode up. If there is no other mode, this is a loss.
    pub fn refuse(&mut self, run: &mut Run, at: At, why: &'static str) {
        if self.policy.strict {
            self.refused.get_or_insert((at, why));
        } else {
            self.warn(run, at, why);
        }
    }

    /// The whole schema as the target accepts it.
    pub fn walk(&mut self, run: &mut Run) -> Result<Value> {
        let (root, mark) = (self.root, run.report.mark());
        let written = self.all_of(run, &[root], true)?;
        let is_same = written == root.value || self.refused.is_some();
        if is_same || !run.store.mentions(written, &[Word::reference]) {
            return Ok(written);
        }
        self.copied = 0;
        self.find_moves(run, written)?;
        if !self.moves.are_known {
            return Ok(written);
        }
        // second pass, from the start
        run.report.forget_after(mark);
        self.refused = None;
        self.reported.clear();
        self.followed.clear();
        self.copied = 0;
        let written = self.all_of(run, &[root], true)?;
        self.define(run, written)
    }

    /// Whether the schema may be passed on unchanged if nothing must change.
    pub fn is_lax(&self) -> bool {
        self.policy.others == Rule::Keep
    }

    /// A schema that is the conjunction of the parts.
    pub fn all_of(&mut self, run: &mut Run, parts: &[InputSchema], is_root: bool) -> Result<Value> {
        let [first, rest @ ..] = parts else { return Ok(run.store.empty_object()) };
        let single = rest.is_empty().then_some(first.value);
        if let Some(value) = single {
            let passes = match run.store.kind(value) {
                Kind::Object => !self.policy.deep && !is_root && !self.moves.are_known,
                Kind::Boolean | Kind::Null | Kind::Number | Kind::String | Kind::Array | Kind::Other => self.is_lax(),
            };
            // a refused schema is not written
            if passes || self.refused.is_some() {
                return Ok(value);
            }
        }
        if self.depth >= DEEPEST {
            return match single {
                Some(value) if self.is_lax() && !self.moves.are_known => Ok(value),
                _ => Err(run.fault(Fault::Depth { limit: DEEPEST }, first.at)),
            };
        }
        self.depth += 1;
        let mut node = SchemaNode::default();
        let inline = self.policy.references == References::Inline;
        for part in parts {
            self.gather(run, &mut node, *part, inline)?;
        }
        let written = self.write(run, node, single, first.at, is_root);
        self.depth -= 1;
        written
    }

    /// A schema that is the disjunction of the parts.
    fn any_of(&mut self, run: &mut Run, parts: &[InputSchema], at: At) -> Result<Value> {
        // duplicate alternatives are harmless, so a long list is not searched for them
        const COMPARED: usize = 16;
        let mut distinct: Vec<InputSchema> = Vec::new();
        for part in parts {
            if !distinct.iter().take(COMPARED).any(|known| run.store.same(known.value, part.value)) {
                distinct.push(*part);
            }
        }
        if distinct.len() < 2 {
            return self.all_of(run, &distinct, false);
        }
        let node = SchemaNode { members: vec![Member::list(Word::anyOf, at, &distinct)], ..SchemaNode::default() };
        self.write(run, node, None, at, false)
    }

    /// Adds the keywords of a schema and of the schemas in its `allOf`; with `inline`, also of the target of its `$ref`.
    pub fn gather(&mut self, run: &mut Run, node: &mut SchemaNode, part: InputSchema, inline: bool) -> Result<()> {
        match run.store.kind(part.value) {
            Kind::Object => {}
            Kind::Boolean if !run.store.boolean(part.value) => {
                self.refuse(run, part.at, "the target can't express that a value is forbidden");
                return Ok(());
            }
            // `true` allows everything (Q17)
            Kind::Boolean => return Ok(()),
            Kind::Null | Kind::Number | Kind::String | Kind::Array | Kind::Other => {
                self.warn(run, part.at, "this is not a schema");
                return Ok(());
            }
        }
        let mut reference = None;
        let mut conjunction = Vec::new();
        let merges = self.policy.rule(Word::allOf) == Rule::Merge;
        let members = open(run, part)?;
        let own = members.iter().find(|member| member.key.word() == Word::properties);
        let own = own.map_or(0, |member| member.schemas.len());
        for member in members {
            let Some(member) = self.checked(run, member) else { continue };
            if member.forbidding(run).is_some() && member.key.word() == Word::additionalProperties {
                node.closings.push((member.at, own));
            }
            match (member.key.word(), member.value()) {
                (Word::reference, Some(value)) if run.store.kind(value) != Kind::String => {
                    self.warn(run, member.at, "this is not a reference");
                }
                (Word::reference, Some(value)) if inline => reference = Some((value, member.at)),
                (Word::allOf, None) if merges => conjunction = member.parts(),
                (word, _) => {
                    if word == Word::reference {
                        node.trail = part.trail;
                    }
                    self.add(run, node, member);
                }
            }
        }
        self.gather_all(run, node, &conjunction)?;
        if let Some((value, at)) = reference {
            self.follow(run, node, value, at, part.trail)?;
        }
        Ok(())
    }

    /// The keyword, if the target takes its value. Of a list of types, the names are kept.
    pub fn checked(&mut self, run: &mut Run, member: Member) -> Option<Member> {
        let member = if self.is_lax() { member } else { self.sound(run, member)? };
        let Some(value) = member.value().filter(|_| member.key.word() == Word::r#type) else { return Some(member) };
        if is_type(run, value) {
            return Some(member);
        }
        self.warn(run, member.at, "this is not a type");
        let names = names_of(run, Some(value));
        let names = (!names.is_empty()).then(|| run.store.array_of(&names))?;
        Some(Member::new(Word::r#type, member.at, names))
    }

    /// Adds the keywords of all parts. Many parts are joined by halves, as joining them one by one would be quadratic.
    pub fn gather_all(&mut self, run: &mut Run, node: &mut SchemaNode, parts: &[InputSchema]) -> Result<()> {
        const FEW: usize = 8;
        if parts.len() <= FEW {
            for part in parts {
                self.enter(run, part.at)?;
                self.gather(run, node, *part, true)?;
                self.leave();
            }
            return Ok(());
        }
        for half in parts.chunks(parts.len().div_ceil(2)) {
            let mut joined = SchemaNode::default();
            self.gather_all(run, &mut joined, half)?;
            if joined.has(Word::reference) {
                node.trail = joined.trail;
            }
            // the other fields concern keywords that are only examined when all are gathered
            let SchemaNode { members, closings, unknown: _, nullable: _, notes: _, trail: _ } = joined;
            node.closings.extend(closings);
            for member in members {
                self.add(run, node, member);
            }
        }
        Ok(())
    }

    /// Accounts for members that are written again.
    pub fn copy(&mut self, run: &mut Run, members: &[Member]) -> Result<()> {
        for member in members {
            let mut values = Vec::from_iter(member.whole);
            if values.is_empty() {
                values.extend(member.parts().iter().map(|part| part.value));
            }
            for value in values {
                let text = run.json_text(value, member.at)?;
                self.copied += run.store.text(text).len();
            }
        }
        Ok(())
    }

    pub fn unfolds_too_much(&self) -> bool {
        self.copied > MOST_COPIED
    }

    /// Goes one level down; fails at the maximum nesting.
    pub fn enter(&mut self, run: &mut Run, at: At) -> Result<()> {
        if self.depth >= DEEPEST {
            return Err(run.fault(Fault::Depth { limit: DEEPEST }, at));
        }
        self.depth += 1;
        Ok(())
    }

    pub fn leave(&mut self) {
        self.depth -= 1;
    }

    pub fn add(&mut self, run: &mut Run, node: &mut SchemaNode, member: Member) {
        let at = member.at;
        if self.policy.is_alternatives(&member) {
            node.members.push(member);
        } else if !add(run, node, member) {
            self.warn(run, at, NOT_JOINED);
        }
    }

    /// Writes a gathered schema. Returns `original` if nothing changed.
    pub fn write(
        &mut self,
        run: &mut Run,
        mut node: SchemaNode,
        original: Option<Value>,
        at: At,
        is_root: bool,
    ) -> Result<Value> {
        if is_root {
            self.fit_root(run, &mut node, at)?;
        }
        if self.policy.deep {
            self.fit_reference(run, &mut node)?;
            self.fit_unions(run, &mut node, at)?;
            self.fit_tuple(run, &mut node);
            self.fit_bounds(run, &mut node);
            if self.distributes(&node) {
                self.enter(run, at)?;
                let written = self.distribute(run, node, at);
                self.leave();
                return written;
            }
        }
        self.fit_constant(run, &mut node);
        self.emit_closings(run, &mut node);
        let mut out = Out { notes: std::mem::take(&mut node.notes), ..Out::default() };
        let nullable = node.nullable;
        let types = node.types(run);
        for member in node.members {
            self.keyword(run, member, &types, &mut out)?;
        }
        self.finish(run, &mut out, at, is_root);
        if nullable && is_root && self.policy.object_root {
            self.warn(run, at, "the root must be an object");
        } else if nullable && !self.policy.google_types {
            allow_null(run, &mut out, None);
        } else if nullable && !out.has(Word::nullable) {
            out.set(Word::nullable, run.store.boolean_value(true));
        }
        if self.policy.google_types {
            self.write_as_google(run, &mut out);
        }
        Ok(built(run, &out.members, original))
    }

    /// If both a constant and an enum are written as `enum`, keeps the constant, which is the only value that both allow.
    fn fit_constant(&mut self, run: &mut Run, node: &mut SchemaNode) {
        if matches!(self.policy.rule(Word::r#const), Rule::Enum | Rule::Single)
            && let Some(constant) = node.value(Word::r#const)
            && let Some(member) = node.take(Word::r#enum)
            && let Some(values) = member.value()
        {
            let values = list_of(run, values);
            if those_in(run, &[constant], &values, true).is_empty() {
                self.warn(run, member.at, NOT_JOINED);
            }
        }
    }

    /// Warns about objects that forbid what another part of the schema declares.
    fn emit_closings(&mut self, run: &mut Run, node: &mut SchemaNode) {
        let declared = node.get(Word::properties).map_or(0, |member| member.schemas.len());
        for (at, own) in std::mem::take(&mut node.closings) {
            if own < declared && self.policy.rule(Word::additionalProperties) != Rule::Drop {
                self.warn(run, at, "other parts of the schema declare more properties");
            }
        }
    }

    /// Writes types in upper case, and `nullable` after them.
    fn write_as_google(&self, run: &mut Run, out: &mut Out) {
        out.put_after(Word::nullable, Word::r#type);
        let Some(kind) = out.get(Word::r#type).filter(|kind| run.store.kind(*kind) == Kind::String) else { return };
        let name = run.store.text(kind).to_ascii_uppercase();
        if run.store.text(kind) != name {
            out.set(Word::r#type, run.store.string(&name));
        }
    }

    /// The value of a keyword, with its schemas as the target accepts them.
    pub fn fitted(&mut self, run: &mut Run, member: &Member) -> Result<Value> {
        let mut values = Vec::with_capacity(member.schemas.len());
        let mut is_same = true;
        for Below { key, at, parts, any } in &member.schemas {
            let value = if *any { self.any_of(run, parts, *at)? } else { self.all_of(run, parts, false)? };
            is_same &= matches!(parts.as_slice(), [part] if part.value == value);
            values.push((*key, value));
        }
        Ok(match member.whole {
            Some(whole) if is_same => whole,
            _ => member.shape.holding(run, &values),
        })
    }
}

/// The written schema as a value; `original` if it is the same.
pub fn built(run: &mut Run, members: &[(Key, Value)], original: Option<Value>) -> Value {
    if let Some(original) = original.filter(|original| run.store.kind(*original) == Kind::Object) {
        let fields = run.members(original);
        let mut pairs = fields.iter().zip(members);
        if fields.len() == members.len()
            && pairs.all(|(field, (key, value))| field.value == *value && run.is_same_key(Key::from(*field), *key))
        {
            return original;
        }
    }
    object_of(run, members)
}
