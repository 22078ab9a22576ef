//! Places that references lead to and that don't stay what they were: they become definitions at the root.

use super::node::{Member, Part, object_of, pairs_of};
use super::walk::{Out, TOO_MUCH, Walker};
use crate::run::{At, Key, Result, Run};
use crate::value::{Keyed, Keys, Kind, Value, Word};

/// What is known of a schema that is written for the second time.
#[derive(Default)]
pub struct Moves {
    /// Whether there are any.
    pub are_known: bool,
    /// What leads to each place now.
    references: Keyed<Value>,
    /// The places that were moved.
    definitions: Vec<(Key, Part)>,
    /// How many names were tried.
    tried: usize,
}

impl Walker {
    /// Finds out which places must be moved for the references in what was written to lead to what they led to.
    pub fn find_moves(&mut self, run: &mut Run, written: Value) -> Result<()> {
        let mut seen = Keys::default();
        let output = Part::new(written, self.root.at);
        for reference in self.references_in(run, output, true) {
            // what led nowhere before may do so still
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

    /// A reference as it is written: to where its target stands then. None if that would be too much.
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

    /// Adds the places that were moved to the definitions; writing one may move more.
    pub fn define(&mut self, run: &mut Run, written: Value) -> Result<Value> {
        let mut out = Out { members: pairs_of(run, written), ..Out::default() };
        let mut definitions = match out.get(Word::defs) {
            Some(known) if run.store.kind(known) == Kind::Object => pairs_of(run, known),
            None => Vec::new(),
            Some(_) => {
                let at = run.down(self.root.at, Word::defs);
                self.warn(run, at, "this is no schema");
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

/// Whether a reference leads to another place than the root and the definitions there: those are what they were.
fn is_inside(reference: &str) -> bool {
    let steps = reference.bytes().filter(|byte| *byte == b'/').count();
    let is_definition = reference.starts_with("#/$defs/") || reference.starts_with("#/definitions/");
    steps > 0 && !(steps == 2 && is_definition)
}
