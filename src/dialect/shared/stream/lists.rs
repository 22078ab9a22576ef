//! Lists of reasoning that arrive in pieces: `reasoning_details` (<https://openrouter.ai/docs/use-cases/reasoning-tokens>) and LiteLLM's
//! `thinking_blocks` (<https://docs.litellm.ai/docs/reasoning_content>). Servers require them back as a whole response has them.

use super::Members;
use crate::model::Metadata;
use crate::run::{At, Result, Run};
use crate::value::{Kind, Value, Word};

pub const LISTS: [Word; 2] = [Word::reasoning_details, Word::thinking_blocks];
/// The texts of an entry, which arrive in pieces.
const GROWING: &[Word] = &[Word::text, Word::summary, Word::thinking];

/// The lists of a message so far, in the order of [`LISTS`].
#[derive(Default)]
pub struct Lists([Option<Vec<Entry>>; LISTS.len()]);

enum Entry {
    /// An object that may go on.
    Open { kind: Word, index: Option<f64>, fields: Members },
    /// JSON text.
    Whole(Vec<u8>),
}

/// The list of this name among the fields of a message or delta.
pub fn list_in(run: &Run, fields: &Metadata, name: Word) -> Option<Value> {
    fields.family_field(name).filter(|list| run.store.kind(*list) == Kind::Array)
}

/// The texts of a list, joined. None if it has none.
pub fn texts(run: &mut Run, list: Value) -> Option<Value> {
    let mut texts = Vec::new();
    for entry in run.list(list) {
        let text = GROWING.iter().find_map(|word| run.field(entry, *word));
        texts.extend(text.filter(|text| run.store.kind(*text) == Kind::String && !run.store.is_empty(*text)));
    }
    if texts.is_empty() { None } else { Some(run.store.join(&texts)) }
}

impl Lists {
    /// Takes the lists of a delta from its fields.
    pub fn take(&mut self, run: &mut Run, delta: &mut Metadata, at: At) -> Result<()> {
        for (word, list) in LISTS.into_iter().zip(&mut self.0) {
            let Some(pieces) = list_in(run, delta, word) else { continue };
            delta.set_family_field(word, None);
            let entries = list.get_or_insert_default();
            let at = run.down(at, word);
            for (piece, at) in run.elements(pieces, at)? {
                add(run, entries, piece, at)?;
            }
        }
        Ok(())
    }

    /// Takes what has arrived of the lists: for each, its name and its JSON text.
    pub fn drain(&mut self, run: &mut Run) -> Result<Vec<(Word, Value)>> {
        let mut drained = Vec::new();
        for (word, list) in LISTS.into_iter().zip(&mut self.0) {
            let Some(entries) = list.take() else { continue };
            let list = run.try_build(|run| run.try_put_each(&entries, |run, entry| entry.put(run)))?;
            drained.push((word, run.json_text(list, At::ROOT)?));
        }
        Ok(drained)
    }

    /// Writes the lists into the message that is open.
    pub fn put(&self, run: &mut Run) -> Result<()> {
        for (word, list) in LISTS.into_iter().zip(&self.0) {
            let Some(entries) = list else { continue };
            run.store.key(word);
            run.try_put_each(entries, |run, entry| entry.put(run))?;
        }
        Ok(())
    }
}

fn add(run: &mut Run, entries: &mut Vec<Entry>, piece: Value, at: At) -> Result<()> {
    let kind = run.type_of(piece);
    let text = GROWING.iter().find_map(|word| run.field(piece, *word));
    // what can't arrive in pieces is complete, such as encrypted reasoning
    let Some(text) = text.or_else(|| run.field(piece, Word::signature)) else {
        entries.push(Entry::Whole(run.export(piece)?));
        return Ok(());
    };
    let index = run.field(piece, Word::index).filter(|index| run.store.kind(*index) == Kind::Number);
    let index = index.map(|index| run.store.number(index));
    let has_text = run.store.kind(text) == Kind::String && !run.store.is_empty(text);
    let goes_on = match entries.last() {
        Some(Entry::Open { kind: known, index: place, fields }) => {
            *known == kind && *place == index && (fields.is_blank(Word::signature) || !has_text)
        }
        Some(Entry::Whole(_)) | None => false,
    };
    if !goes_on {
        entries.push(Entry::Open { kind, index, fields: Members::new(GROWING) });
    }
    match entries.last_mut() {
        Some(Entry::Open { fields, .. }) => fields.add_object(run, piece, at),
        Some(Entry::Whole(_)) | None => Ok(()),
    }
}

impl Entry {
    fn put(&self, run: &mut Run) -> Result<()> {
        match self {
            Entry::Open { fields, .. } => {
                run.store.begin_object();
                let put = fields.put(run);
                run.store.end_object();
                put
            }
            Entry::Whole(json) => run.put_import(json),
        }
    }
}
