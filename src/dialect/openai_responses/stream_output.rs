//! A message or reasoning item that is written in pieces.

use super::items::own_id;
use super::reasoning::states_status;
use super::stream_texts::PartKind;
use crate::dialect::shared::openai_items::made_id;
use crate::dialect::shared::stream::{Fragments, Members};
use crate::model::Metadata;
use crate::run::{At, Key, Result, Run};
use crate::value::text::quoted;
use crate::value::{Kind, Value, Word};

pub struct Item {
    pub index: u32,
    id: String,
    is_reasoning: bool,
    /// Whether it was an item of this format before.
    is_own: bool,
    /// Further fields of the item.
    rest: Members,
    parts: Vec<OutputPart>,
    /// Whether the last part is open.
    has_open_part: bool,
    /// The encrypted reasoning to send back: JSON text.
    pub state: Option<Vec<u8>>,
}

struct OutputPart {
    block: u32,
    kind: PartKind,
    text: Fragments,
    /// Its fields beside its text.
    rest: Members,
}

impl Item {
    /// A new item. It keeps its original id, if there is one.
    pub fn new(run: &mut Run, index: u32, seed: &str, kind: PartKind, metadata: &Metadata) -> Item {
        let is_reasoning = kind.is_reasoning();
        let made = || made_id(if is_reasoning { "rs" } else { "msg" }, seed, index as usize);
        let id = text_of_id(run, metadata).unwrap_or_else(made);
        let is_own = metadata.own_field(Word::item).is_some();
        let (rest, parts) = (Members::new(&[]), Vec::new());
        Item { index, id, is_reasoning, is_own, rest, parts, has_open_part: false, state: None }
    }

    /// Whether the item can have a part of this kind, and the metadata do not belong to another item.
    pub fn takes(&self, run: &mut Run, kind: PartKind, metadata: &Metadata) -> bool {
        self.is_reasoning == kind.is_reasoning() && text_of_id(run, metadata).is_none_or(|id| id == self.id)
    }

    /// Keeps fields of the item.
    pub fn keep(&mut self, run: &mut Run, metadata: &Metadata) -> Result<()> {
        let Some(item) = metadata.own_field(Word::item) else { return Ok(()) };
        let has_status = self.has_status(run);
        for field in run.members(item) {
            let is_written = WRITTEN.contains(&field.word) || field.word == Word::status && has_status;
            if !is_written {
                self.rest.add(run, Key::from(field), field.value, At::ROOT)?;
            }
        }
        Ok(())
    }

    /// Keeps fields of a part beside its text. The part may be complete already.
    pub fn keep_of_part(&mut self, run: &mut Run, block: u32, metadata: &Metadata) -> Result<()> {
        let rest = metadata.own_field(Word::output_text).filter(|rest| run.store.kind(*rest) == Kind::Object);
        let part = self.parts.iter_mut().rfind(|part| part.block == block);
        rest.zip(part).map_or(Ok(()), |(rest, part)| part.rest.add_object(run, rest, At::ROOT))
    }

    /// Whether the block is a part of the item.
    pub fn has(&self, block: u32) -> bool {
        self.parts.iter().any(|part| part.block == block)
    }

    /// The kind of the open part, if it belongs to the block.
    pub fn kind_of(&self, block: u32) -> Option<PartKind> {
        self.open_part().filter(|part| part.block == block).map(|part| part.kind)
    }

    pub fn is_last(&self, block: u32) -> bool {
        self.parts.last().is_none_or(|last| last.block <= block)
    }

    fn open_part(&self) -> Option<&OutputPart> {
        self.parts.last().filter(|_| self.has_open_part)
    }

    /// The text of the open part.
    pub fn text(&mut self) -> Option<&mut Fragments> {
        self.parts.last_mut().filter(|_| self.has_open_part).map(|part| &mut part.text)
    }

    /// Starts a part. Returns its position and its value.
    pub fn begin_part(&mut self, run: &mut Run, block: u32, kind: PartKind) -> Result<(Vec<u8>, Value)> {
        let part = OutputPart { block, kind, text: Fragments::default(), rest: Members::new(&[]) };
        let begun = part.value(run)?;
        self.parts.push(part);
        self.has_open_part = true;
        Ok((self.place(kind), begun))
    }

    /// Ends the open part. Returns its kind, its position and its value.
    pub fn end_part(&mut self, run: &mut Run) -> Result<Option<(PartKind, Vec<u8>, Value)>> {
        let Some(part) = self.open_part() else { return Ok(None) };
        let ended = (part.kind, self.place(part.kind), part.value(run)?);
        self.has_open_part = false;
        Ok(Some(ended))
    }

    /// The position of the last part, which has this kind, as members of an event.
    pub fn place(&self, kind: PartKind) -> Vec<u8> {
        let list = kind.index();
        let position = self.parts.iter().filter(|part| part.kind.index() == list).count().saturating_sub(1);
        let id = quoted(&self.id);
        format!(",\"item_id\":{id},\"output_index\":{},\"{}\":{position}", self.index, list.text()).into_bytes()
    }

    /// Whether the item states that it is complete: messages do.
    fn has_status(&self, run: &Run) -> bool {
        !self.is_reasoning || states_status(run, self.is_own)
    }

    /// Writes the item so far. At its start it has no parts.
    pub fn put(&self, run: &mut Run, status: Word) -> Result<()> {
        let (mut parts, mut thoughts) = (Vec::new(), Vec::new());
        for part in &self.parts {
            let list = if part.kind == PartKind::Reasoning { &mut thoughts } else { &mut parts };
            list.push(part.value(run)?);
        }
        let state = run.import_option(self.state.as_deref())?;
        let mut object = run.begin();
        object.word(run, Word::r#type, if self.is_reasoning { Word::reasoning } else { Word::message });
        object.text(run, Word::id, &self.id);
        if self.has_status(run) {
            object.word(run, Word::status, status);
        }
        if self.is_reasoning {
            object.key(run, Word::summary);
        } else {
            object.word(run, Word::role, Word::assistant);
            object.key(run, Word::content);
        }
        run.store.put_array(&parts);
        if !thoughts.is_empty() {
            object.list(run, Word::content, &thoughts);
        }
        object.option(run, Word::encrypted_content, state);
        self.rest.put(run)?;
        object.close(run);
        Ok(())
    }
}

impl OutputPart {
    /// The part so far.
    fn value(&self, run: &mut Run) -> Result<Value> {
        let text = self.text.value(run)?;
        let rest = self.rest.object(run)?;
        Ok(run.build(|run| self.kind.put(run, text, Some(rest))))
    }
}

/// Fields that every written item has.
const WRITTEN: &[Word] = &[Word::r#type, Word::id, Word::role, Word::content, Word::summary, Word::encrypted_content];

/// The original id of an item.
fn text_of_id(run: &mut Run, metadata: &Metadata) -> Option<String> {
    let id = own_id(run, metadata).filter(|id| run.store.kind(*id) == Kind::String)?;
    Some(run.store.owned_text(id))
}
