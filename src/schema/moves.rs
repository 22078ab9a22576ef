//! Targets of references that were changed or moved by the conversion: they become definitions at the root.

use super::node::{InputSchema, Member, object_of, pairs_of};
use super::walk::{Out, TOO_MUCH, Walker};
use crate::run::{At, Key, Result, Run};
use crate::value::{Keyed, Keys, Kind, Value, Word};

/// State for the second pass over a schema.
#[derive(Default)]
pub struct Moves {
    /// Whether there are any moved targets.
    pub are_known: bool,
    /// The reference to write for each target.
    references: Keyed<Value>,
    /// The targets that were moved.
    definitions: Vec<(Key, InputSchema)>,
    /// The last number that was tried for a name.
    tried: usize,
}

impl Walker {
    /// Finds the targets that must be moved, so that the references in the written schema keep their meaning.
    pub fn find_moves(&mut self, run: &mut Run, written: Value) -> Result<()> {
        let mut seen = Keys::default();
        let output = InputSchema::new(written, self.root.at);
        for reference in self.references_in(run, output, true) {
            // a reference without a target stays as it is
            let Some(target) = self.target(run, &reference) else { continue };
            if !seen.add(&target.value.key()) {
                continue;
            }
            if let Some(found) = self.target_in(run, output, &reference) {
                let mut is_same = !is_inside(&reference);
                if !is_same && !self.unfolds_too_much() {
                    self.copy(run, &[Member::new(Word::reference, target.at, target.value)])?;
                    let fitted = self.all_of(run, &[target], false)?;
                    is_same = run.store.same(fitted, found.value);
                }
                if is_same {
                    self.moves.references.insert(&target.value.key(), run.store.string(&reference));
                    continue;
                }
            }
            self.moves.are_known = true;
        }
        Ok(())
    }

    /// The reference to write instead. None if the schema would become too large.
    pub fn moved(&mut self, run: &mut Run, reference: Value, at: At) -> Result<Option<Value>> {
        if !self.moves.are_known {
            return Ok(Some(reference));
        }
        let text = run.store.owned_text(reference);
        let Some(target) = self.target(run, &text) else { return Ok(Some(reference)) };
        if let Some(known) = self.moves.references.get(&target.value.key()) {
            return Ok(Some(*known));
        }
        if self.unfolds_too_much() {
            self.refuse(run, at, TOO_MUCH);
            return Ok(None);
        }
        let mut taken = Some(target);
        let (mut name, mut text) = (String::new(), String::new());
        while taken.is_some() {
            self.moves.tried += 1;
            name = format!("part{}", self.moves.tried);
            text = format!("#/$defs/{name}");
            taken = self.target(run, &text);
        }
        let moved = run.store.string(&text);
        self.moves.definitions.push((Key::Text(run.store.string(&name)), target));
        self.moves.references.insert(&target.value.key(), moved);
        self.copy(run, &[Member::new(Word::reference, at, target.value)])?;
        Ok(Some(moved))
    }

    /// Adds the moved targets to the definitions. Writing one may move more.
    pub fn define(&mut self, run: &mut Run, written: Value) -> Result<Value> {
        let mut out = Out { members: pairs_of(run, written), ..Out::default() };
        let mut definitions = match out.get(Word::defs) {
            Some(known) if run.store.kind(known) == Kind::Object => pairs_of(run, known),
            None => Vec::new(),
            Some(_) => {
                let at = run.down(self.root.at, Word::defs);
                self.warn(run, at, "this is not a schema");
                Vec::new()
            }
        };
        let mut next = 0;
        while let Some((key, part)) = self.moves.definitions.get(next).copied() {
            definitions.push((key, self.all_of(run, &[part], false)?));
            next += 1;
        }
        out.set(Word::defs, object_of(run, &definitions));
        Ok(object_of(run, &out.members))
    }
}

/// Whether a reference has a target other than the root or a definition: those are not moved.
fn is_inside(reference: &str) -> bool {
    let steps = reference.bytes().filter(|byte| *byte == b'/').count();
    let is_definition = reference.starts_with("#/$defs/") || reference.starts_with("#/definitions/");
    steps > 0 && !(steps == 2 && is_definition)
}
