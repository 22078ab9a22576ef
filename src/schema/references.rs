//! References: inlined if the target accepts none, on their own if it accepts nothing beside them, and cut off if they are recursive and the target
//! does not accept recursion (Q6–Q8).

use super::cycles::on_cycles;
use super::node::{InputSchema, Member, SchemaNode, Trail, fields_of, list_of, object_of, open};
use super::policy::References;
use super::shapes::is_annotation;
use super::walk::{TOO_MUCH, Walker};
use crate::percent;
use crate::run::{At, Key, Result, Run};
use crate::value::{Kind, Value, Word};

impl Walker {
    /// Inlines the target of a reference (Q6); a recursive one is cut off (Q7).
    pub fn follow(
        &mut self,
        run: &mut Run,
        node: &mut SchemaNode,
        reference: Value,
        at: At,
        trail: Trail,
    ) -> Result<()> {
        let text = run.store.owned_text(reference);
        let Some(mut target) = self.target(run, &text) else {
            self.refuse(run, at, "this reference can't be resolved");
            return Ok(());
        };
        if self.is_followed(trail, &text) {
            return self.cut_off(run, node, target, at, "the target can't express this recursion");
        }
        if self.unfolds_too_much() {
            return self.cut_off(run, node, target, at, TOO_MUCH);
        }
        if !self.followed.add(text.as_bytes()) {
            self.copy(run, &[Member::new(Word::reference, at, target.value)])?;
        }
        self.trails.push((trail, text));
        target.trail = self.trails.len();
        self.enter(run, at)?;
        self.gather(run, node, target, true)?;
        self.leave();
        Ok(())
    }

    /// Keeps only the type, title and description of the target.
    fn cut_off(
        &mut self,
        run: &mut Run,
        node: &mut SchemaNode,
        target: InputSchema,
        at: At,
        why: &'static str,
    ) -> Result<()> {
        self.refuse(run, at, why);
        for member in open(run, target)? {
            if matches!(member.key.word(), Word::r#type | Word::title | Word::description)
                && let Some(member) = self.checked(run, member)
            {
                self.add(run, node, member);
            }
        }
        Ok(())
    }

    fn is_followed(&self, trail: Trail, reference: &str) -> bool {
        let mut trail = trail;
        while let Some((before, known)) = trail.checked_sub(1).and_then(|index| self.trails.get(index)) {
            if known == reference {
                return true;
            }
            trail = *before;
        }
        false
    }

    /// The target of a local reference (RFC 6901, as a URI fragment).
    pub fn target(&mut self, run: &mut Run, reference: &str) -> Option<InputSchema> {
        self.target_in(run, self.root, reference)
    }

    pub fn target_in(&mut self, run: &mut Run, root: InputSchema, reference: &str) -> Option<InputSchema> {
        let mut part = root;
        let mut steps = reference.strip_prefix('#')?.as_bytes().split(|byte| *byte == b'/');
        if steps.next() != Some(b"") {
            return None;
        }
        for step in steps {
            let step = pointer_decoded(&percent::decoded(step));
            let (value, key) = self.member(run, part.value, &step)?;
            part = InputSchema::new(value, run.down_key(part.at, key));
        }
        matches!(run.store.kind(part.value), Kind::Object | Kind::Boolean).then_some(part)
    }

    /// A member of an object on the way to a target. Cached, as there may be many definitions, each with references.
    fn member(&mut self, run: &mut Run, whole: Value, name: &[u8]) -> Option<(Value, Key)> {
        let whole_key = whole.key();
        if self.opened.add(&whole_key) {
            for field in fields_of(run, whole) {
                let key = [&whole_key, run.store.text(field.key).as_bytes()].concat();
                self.members.insert(&key, (field.value, Key::from(field)));
            }
            for (index, value) in list_of(run, whole).into_iter().enumerate() {
                let index = index.to_string();
                let key = [&whole_key, index.as_bytes()].concat();
                self.members.insert(&key, (value, Key::Text(run.store.string(&index))));
            }
        }
        self.members.get(&[&whole_key, name].concat()).copied()
    }

    /// Turns a reference that must not have keywords beside it into a union with one branch, or inlines it.
    pub fn fit_reference(&mut self, run: &mut Run, node: &mut SchemaNode) -> Result<()> {
        let Some(member) = node.get(Word::reference) else { return Ok(()) };
        let (at, Some(reference)) = (member.at, member.value()) else { return Ok(()) };
        if run.store.kind(reference) != Kind::String {
            return Ok(());
        }
        let text = run.store.owned_text(reference);
        if !self.is_lax() {
            let Some(target) = self.target(run, &text) else {
                node.take(Word::reference);
                self.refuse(run, at, "this reference can't be resolved");
                return Ok(());
            };
            if !self.policy.recursion && self.is_recursive(run, &text) {
                node.take(Word::reference);
                return self.cut_off(run, node, target, at, "the target does not accept recursion");
            }
        }
        let References::Alone(allowed) = self.policy.references else { return Ok(()) };
        let is_free = |run: &Run, key: Key| allowed.contains(&key.word()) || run.key_text(key).starts_with('$');
        let (mut is_alone, mut has_more) = (true, node.has(Word::anyOf));
        for member in node.members.iter().filter(|member| !is_free(run, member.key)) {
            let word = member.key.word();
            is_alone = false;
            has_more |= !is_annotation(word) && word != Word::nullable;
        }
        if is_alone {
            return Ok(());
        }
        if !has_more {
            let alone = object_of(run, &[(Key::Word(Word::reference), reference)]);
            node.put_at(Word::reference, Member::list(Word::anyOf, at, &[InputSchema::new(alone, at)]));
            return Ok(());
        }
        if !self.is_followed(node.trail, &text) {
            node.take(Word::reference);
            return self.follow(run, node, reference, at, node.trail);
        }
        // a recursive reference can't be inlined
        for member in node.take_all() {
            if is_free(run, member.key) {
                self.add(run, node, member);
            } else if !is_annotation(member.key.word()) {
                self.refuse(run, member.at, "this keyword can't be combined with a recursive reference");
            }
        }
        Ok(())
    }

    /// Whether a reference is recursive, directly or through others.
    fn is_recursive(&mut self, run: &mut Run, reference: &str) -> bool {
        let number = self.known.place(reference.as_bytes()).unwrap_or_else(|| self.find_recursion(run, reference));
        self.are_recursive.get(number).is_some_and(|is_recursive| *is_recursive)
    }

    /// Determines recursion for all references that can be reached from this one. Returns its number. Doing this for each reference alone would be
    /// quadratic for a chain of definitions.
    fn find_recursion(&mut self, run: &mut Run, reference: &str) -> usize {
        let known = self.are_recursive.len();
        self.known.add(reference.as_bytes());
        let mut names = vec![reference.to_owned()];
        let mut edges = Vec::new();
        while let Some(name) = names.get(edges.len()).cloned() {
            let mut leads_to = Vec::new();
            for other in self.references_below(run, &name) {
                let number = self.known.place_or_add(other.as_bytes());
                if number == known + names.len() {
                    names.push(other);
                }
                // references that were examined before lead to no new ones
                leads_to.extend(number.checked_sub(known));
            }
            edges.push(leads_to);
        }
        self.are_recursive.extend(on_cycles(&edges));
        known
    }

    /// The references in the target of a reference.
    fn references_below(&mut self, run: &mut Run, reference: &str) -> Vec<String> {
        // definitions count only if they are referred to
        self.target(run, reference).map(|part| self.references_in(run, part, false)).unwrap_or_default()
    }

    /// The references in a schema; with `all`, including those in definitions.
    pub fn references_in(&self, run: &mut Run, part: InputSchema, all: bool) -> Vec<String> {
        let mut references = Vec::new();
        let mut waiting = vec![part];
        while let Some(part) = waiting.pop() {
            // unreadable values fail when they are walked
            let Ok(members) = open(run, part) else { continue };
            for member in members {
                match (member.key.word(), member.value()) {
                    (Word::reference, Some(value)) if run.store.kind(value) == Kind::String => {
                        references.push(run.store.owned_text(value));
                    }
                    (Word::defs | Word::definitions, _) if !all => {}
                    _ => waiting.extend(member.parts()),
                }
            }
        }
        references
    }
}

/// A step of a JSON pointer: `~1` is a slash, `~0` a tilde (RFC 6901).
fn pointer_decoded(step: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(step.len());
    let mut rest = step;
    while let [first, after @ ..] = rest {
        let (byte, after) = match (first, after) {
            (b'~', [b'0', after @ ..]) => (b'~', after),
            (b'~', [b'1', after @ ..]) => (b'/', after),
            _ => (*first, after),
        };
        decoded.push(byte);
        rest = after;
    }
    decoded
}
