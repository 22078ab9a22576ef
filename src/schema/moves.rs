//! Places that references lead to and that don't stay what they were: they become definitions at the root.

use super::node::{Member, Part, fields_of, object_of};
use super::walk::{Out, TOO_MUCH, Walker};
use crate::run::{At, Key, Result, Run};
use crate::value::text::plain;
use crate::value::{Keys, Kind, Value, Word};

/// What is known of a schema that is written for the second time.
#[derive(Default)]
pub struct Moves {
    /// The places that stay what they are.
    kept: Keys,
    /// The other ones, as they are met, and what each is called now.
    moved: Keys,
    definitions: Vec<(Part, String)>,
    /// Of all definitions at the root.
    names: Keys,
    /// How many names were numbered.
    numbered: usize,
}

impl Walker {
    /// Writes the schema once more if references in what was written don't lead to what they led to. What was told before counts
    /// as `told`.
    pub fn mend(&mut self, run: &mut Run, written: Value, told: usize) -> Result<Value> {
        let before = run.warnings.len();
        let (mut moves, mut places) = (Moves::default(), Keys::default());
        let mut output = Walker::new(self.policy, written, self.root.at);
        places.add(&self.root.value.key());
        moves.kept.add(&self.root.value.key());
        let mut stay = true;
        for reference in output.references_in(run, output.root, true) {
            // what leads nowhere led nowhere before
            let Some(target) = self.target(run, &reference) else { continue };
            if !places.add(&target.value.key()) {
                continue;
            }
            let stays = match output.target(run, &reference) {
                Some(found) => {
                    is_definition(&reference) || {
                        let fitted = self.all_of(run, &[target], false)?;
                        run.store.same(fitted, found.value)
                    }
                }
                None => false,
            };
            stay &= stays && moves.kept.add(&target.value.key());
        }
        // that was for comparison only
        run.warnings.truncate(before);
        self.refused = None;
        if stay {
            return Ok(written);
        }
        for field in run.member(written, Word::defs).map(|known| fields_of(run, known)).unwrap_or_default() {
            moves.names.add(run.store.text(field.key).as_bytes());
        }
        run.warnings.truncate(told);
        let (opened, members) = (std::mem::take(&mut self.opened), std::mem::take(&mut self.members));
        let root = self.root;
        *self = Walker::new(self.policy, root.value, root.at);
        (self.opened, self.members, self.moves) = (opened, members, Some(moves));
        let written = self.all_of(run, &[root], true)?;
        self.define(run, written)
    }

    /// A reference as it is written: to where its target stands then. None if that would be too much.
    pub fn moved(&mut self, run: &mut Run, reference: Value, at: At) -> Result<Option<Value>> {
        if self.moves.is_none() {
            return Ok(Some(reference));
        }
        let text = run.store.owned_text(reference);
        let Some(target) = self.target(run, &text) else { return Ok(Some(reference)) };
        let too_much = self.unfolds_too_much();
        let Some(moves) = self.moves.as_mut().filter(|moves| !moves.kept.has(&target.value.key())) else {
            return Ok(Some(reference));
        };
        let known = moves.moved.place(&target.value.key()).and_then(|place| moves.definitions.get(place));
        if let Some((_, name)) = known {
            return Ok(Some(definition(run, name)));
        }
        if too_much {
            self.refuse(run, at, TOO_MUCH);
            return Ok(None);
        }
        let last = plain(text.rsplit('/').next().unwrap_or_default(), "_-");
        let mut name = last.clone();
        while name.is_empty() || !moves.names.add(name.as_bytes()) {
            moves.numbered += 1;
            name = format!("{last}_{}", moves.numbered);
        }
        let written = definition(run, &name);
        moves.moved.add(&target.value.key());
        moves.definitions.push((target, name));
        self.copy(run, &[Member::new(Word::reference, at, target.value)])?;
        Ok(Some(written))
    }

    /// Adds the places that were moved to the definitions; writing one may move more.
    fn define(&mut self, run: &mut Run, written: Value) -> Result<Value> {
        let members = |run: &mut Run, value| {
            fields_of(run, value).into_iter().map(|field| (Key::from(field), field.value)).collect::<Vec<_>>()
        };
        let mut out = Out { members: members(run, written), ..Out::default() };
        let known = out.get(Word::defs);
        if known.is_some_and(|known| run.store.kind(known) != Kind::Object) {
            let at = run.down(self.root.at, Word::defs);
            self.tell(run, at, "this is no schema");
        }
        let mut definitions = known.map(|known| members(run, known)).unwrap_or_default();
        let mut next = 0;
        while let Some((part, name)) = self.moves.as_ref().and_then(|moves| moves.definitions.get(next)) {
            let (part, key) = (*part, Key::Text(run.store.string(name)));
            definitions.push((key, self.all_of(run, &[part], false)?));
            next += 1;
        }
        if next > 0 {
            out.set(Word::defs, object_of(run, &definitions));
        }
        Ok(object_of(run, &out.members))
    }
}

fn definition(run: &mut Run, name: &str) -> Value {
    run.store.string(&format!("#/{}/{name}", Word::defs.text()))
}

/// Whether a reference leads to a definition at the root: those stay.
fn is_definition(reference: &str) -> bool {
    let mut steps = reference.split('/').skip(1);
    matches!((steps.next(), steps.next(), steps.next()), (Some("$defs" | "definitions"), Some(_), None))
}
