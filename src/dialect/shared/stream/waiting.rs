//! Fields that are written at the end of a stream, and lost if an error ends it.

use crate::model::{End, Metadata, Usage};
use crate::run::{At, Place, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

/// What waits for the end.
#[derive(Default)]
pub struct Waiting {
    places: Vec<Place>,
    /// Keys, and members as JSON with a comma before each.
    members: Vec<(String, Vec<u8>)>,
    /// How the response ended: JSON text. The usage may come later (Q141), and older Gemini models send a finish reason in every chunk (Q133).
    pub finish: Option<Vec<u8>>,
    /// JSON text.
    pub usage: Option<Vec<u8>>,
}

impl Waiting {
    pub fn add(&mut self, run: &Run, at: At) {
        self.places.push(run.keep_place(at));
    }

    /// Keeps how the response ended: `put` writes the reason. Of several ends, the first one counts.
    pub fn keep_finish(
        &mut self,
        run: &mut Run,
        end: &End,
        put: impl FnOnce(&mut Run, &mut Writing, Option<Value>),
    ) -> Result<()> {
        let End { at, finish: _, raw, ref metadata } = *end;
        if self.finish.is_some() {
            run.warn_metadata(metadata, at);
            return Ok(());
        }
        self.add_family(run, metadata, at);
        let finish = run.build_with(metadata, at, |run, object| put(run, object, raw));
        self.finish = Some(run.export(finish)?);
        Ok(())
    }

    /// Keeps the usage, of which the last one counts.
    pub fn keep_usage(&mut self, run: &mut Run, usage: &Usage, write: fn(&mut Run, &Usage)) -> Result<()> {
        let usage = run.build(|run| write(run, usage));
        self.usage = Some(run.export(usage)?);
        Ok(())
    }

    /// Adds the fields of the family, if they have content.
    pub fn add_family(&mut self, run: &mut Run, metadata: &Metadata, at: At) {
        let has_content = metadata.family_fields().iter().any(|member| !run.is_all_void(member.value));
        if has_content {
            let at = run.family_at(at);
            self.add(run, at);
        }
    }

    /// Keeps fields of the response for its end.
    pub fn keep_state(&mut self, run: &mut Run, metadata: &Metadata, at: At) -> Result<()> {
        if metadata.own_fields().is_empty() {
            run.warn_metadata(metadata, at);
            return Ok(());
        }
        self.add_family(run, metadata, at);
        let rest = run.build_with(metadata, at, |_, _| {});
        let at = run.family_at(at);
        self.keep_members(run, rest, at)
    }

    /// Keeps the members of an object at this position.
    pub fn keep(&mut self, run: &mut Run, object: Value, at: At) -> Result<()> {
        self.add(run, at);
        self.keep_members(run, object, at)
    }

    /// Of different values of a key, the first one counts.
    fn keep_members(&mut self, run: &mut Run, object: Value, at: At) -> Result<()> {
        for member in run.object(object, At::ROOT)?.rest().family_fields() {
            let (text, key) = (run.key_text(member.key).into_owned(), run.key_value(member.key));
            let (key, value) = (run.export(key)?, run.export(member.value)?);
            let json = [b",", key.as_slice(), b":", &value].concat();
            match self.members.iter().find(|(known, _)| *known == text) {
                None => self.members.push((text, json)),
                Some((_, known)) if *known != json => {
                    let lost = "the stream already has another value of one of these fields";
                    run.warn(WarningCode::FieldDropped, at, lost);
                }
                Some(_) => {}
            }
        }
        Ok(())
    }

    /// What was kept as JSON, each member with a comma before it.
    pub fn members(&self) -> Vec<u8> {
        self.members.iter().flat_map(|(_, json)| json.iter().copied()).collect()
    }

    pub fn has(&self, key: Word) -> bool {
        self.members.iter().any(|(known, _)| known == key.text())
    }

    /// Warns about the fields that were lost.
    pub fn lose(&mut self, run: &mut Run) {
        for place in std::mem::take(self).places {
            let at = run.recall(&place);
            run.warn(WarningCode::FieldDropped, at, "this field is sent at the end, and an error occurred before");
        }
    }
}
