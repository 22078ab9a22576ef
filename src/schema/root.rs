//! The root of a schema: most APIs require a plain object (Q20, Q21).

use super::node::{InputSchema, Member, SchemaNode, has_type, names_of, places};
use super::policy::Rule;
use super::shapes::Shape;
use super::values::those_in;
use super::walk::Walker;
use crate::run::{At, ErrorCode, Result, Run};
use crate::value::{Keys, Value, Word};

const ROOT_IS_OBJECT: &str = "the root must be an object";

impl Walker {
    /// The root of a tool's schema must be an object, and most APIs do not accept alternatives there (Q20, Q21).
    pub fn fit_root(&mut self, run: &mut Run, node: &mut SchemaNode, at: At) -> Result<()> {
        if !self.policy.object_root {
            return Ok(());
        }
        if let Some(member) = node.take(Word::reference)
            && let Some(reference) = member.value()
        {
            self.follow(run, node, reference, member.at, 0)?;
        }
        self.join_alternatives(run, node)?;
        self.fit_names(run, node)?;
        self.forbid_null(run, node);
        let types = node.types(run);
        let object = run.store.word_value(Word::object);
        if types.is_empty() {
            node.take(Word::r#type);
            node.members.insert(0, Member::new(Word::r#type, at, object));
        } else if !has_type(&types, Word::object) {
            if !self.policy.strict {
                return run.fail(ErrorCode::Unsupported, at, "the target accepts only schemas of objects");
            }
            self.refuse(run, at, "the root is not an object");
        } else if types.len() > 1 {
            let at = node.get(Word::r#type).map_or(at, |member| member.at);
            self.warn(run, at, ROOT_IS_OBJECT);
            node.put(Word::r#type, at, object);
        }
        Ok(())
    }

    /// Leaves out properties whose names the target rejects, and adds them to the description, so that the model can still give them.
    fn fit_names(&mut self, run: &mut Run, node: &mut SchemaNode) -> Result<()> {
        let Some(names) = self.policy.names else { return Ok(()) };
        let Some(properties) = node.get_mut(Word::properties).filter(|member| member.shape == Shape::Map) else {
            return Ok(());
        };
        let (mut gone, mut notes) = (Vec::new(), Vec::new());
        for below in std::mem::take(&mut properties.schemas) {
            let name = run.key_text(below.key).into_owned();
            if names.allow(below.key.word(), &name) {
                properties.schemas.push(below);
                continue;
            }
            if self.policy.strict {
                self.refuse(run, below.at, "the target does not accept a property with this name");
            }
            self.warn(
                run,
                below.at,
                "the target does not accept a property with this name: it was moved to the description",
            );
            let mut note = name + ":";
            for part in below.parts {
                let text = run.json_text(part.value, below.at)?;
                note.push(' ');
                note.push_str(&run.store.text(text));
            }
            notes.push(note);
            gone.push(run.key_value(below.key));
        }
        if gone.is_empty() {
            return Ok(());
        }
        properties.whole = None;
        node.notes.append(&mut notes);
        if let Some(required) = node.value(Word::required) {
            let names = names_of(run, Some(required));
            let left = those_in(run, &names, &gone, false);
            if left.is_empty() {
                node.take(Word::required);
            } else {
                let list = run.store.array_of(&left);
                node.put(Word::required, self.root.at, list);
            }
        }
        // additional properties are still allowed
        if node.get(Word::additionalProperties).is_some_and(|member| member.forbidding(run).is_some()) {
            node.take(Word::additionalProperties);
        }
        Ok(())
    }

    /// Null is not an object: the root allows it no longer.
    fn forbid_null(&mut self, run: &mut Run, node: &mut SchemaNode) {
        if self.policy.rule(Word::nullable) == Rule::Null
            && let Some(member) = node.take(Word::nullable)
            && member.value().is_some_and(|value| run.store.boolean(value))
        {
            self.warn(run, member.at, ROOT_IS_OBJECT);
        }
    }

    /// Merges keywords into the root that must not be at the root.
    fn join_alternatives(&mut self, run: &mut Run, node: &mut SchemaNode) -> Result<()> {
        // merging may add such keywords again
        while let Some(member) = self.policy.not_at_root.iter().find_map(|word| node.take(*word)) {
            if member.shape != Shape::List {
                self.describe(run, &member, &mut node.notes)?;
            } else if member.key.word() != Word::allOf {
                self.join_branches(run, node, &member.parts(), member.at)?;
            } else {
                self.gather_all(run, node, &member.parts())?;
            }
        }
        Ok(())
    }

    /// Every property of a branch becomes a property of the object; a property is required if all branches require it.
    fn join_branches(&mut self, run: &mut Run, node: &mut SchemaNode, parts: &[InputSchema], at: At) -> Result<()> {
        self.warn(run, at, "the target does not accept alternatives at the root: their properties were merged");
        let own = node.get(Word::properties).map_or(0, |member| member.schemas.len());
        let mut places = node.get(Word::properties).map_or_else(Keys::default, |member| places(run, &member.schemas));
        let mut shared: Option<Vec<Value>> = None;
        for part in parts {
            let mut branch = SchemaNode::default();
            self.gather(run, &mut branch, *part, true)?;
            self.enter(run, part.at)?;
            self.join_alternatives(run, &mut branch)?;
            self.leave();
            let types = branch.types(run);
            if !types.is_empty() && !has_type(&types, Word::object) {
                continue;
            }
            let required = names_of(run, branch.value(Word::required));
            shared = Some(match shared {
                Some(names) => those_in(run, &names, &required, true),
                None => required,
            });
            if let Some(properties) = branch.take(Word::properties).filter(|member| member.shape == Shape::Map) {
                join_properties(run, node, (own, &mut places), properties);
            }
        }
        if let Some(names) = shared.filter(|names| !names.is_empty()) {
            let list = run.store.array_of(&names);
            self.add(run, node, Member::new(Word::required, at, list));
        }
        Ok(())
    }
}

/// Adds a property of a branch as an alternative to that of another branch, unless the object has its own. `places` indexes all properties so far.
fn join_properties(run: &mut Run, node: &mut SchemaNode, (own, places): (usize, &mut Keys), properties: Member) {
    if !node.has(Word::properties) {
        let Member { key, at, shape, .. } = properties;
        node.members.push(Member { key, at, shape, whole: None, schemas: Vec::new() });
    }
    let Some(known) = node.get_mut(Word::properties).filter(|known| known.shape == Shape::Map) else { return };
    known.whole = None;
    for below in properties.schemas {
        let place = places.place_or_add(run.key_text(below.key).as_bytes());
        match known.schemas.get_mut(place) {
            Some(known) if place >= own && (known.any || known.parts.len() == 1) => {
                known.any = true;
                known.parts.extend(below.parts);
            }
            Some(_) => {}
            None => known.schemas.push(below),
        }
    }
}
