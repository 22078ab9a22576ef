//! A message or reasoning item that is written in pieces.

use super::items::own_id;
use super::stream_open::write_part;
pub use super::stream_texts::PartKind;
use super::stream_texts::Row;
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
    /// Further fields of the item.
    rest: Members,
    /// The complete parts, by block: JSON texts.
    parts: Vec<(u32, PartKind, Vec<u8>)>,
    /// The block and the kind of the open part.
    under_way: Option<(u32, PartKind)>,
    text: Fragments,
    /// Fields of the open part beside its text: JSON text.
    part_rest: Option<Vec<u8>>,
    last_block: Option<u32>,
    /// The encrypted reasoning to send back: JSON text.
    pub state: Option<Vec<u8>>,
}

impl Item {
    /// A new item. It keeps its original id, if there is one.
    pub fn new(run: &mut Run, index: u32, seed: &str, kind: PartKind, metadata: &Metadata) -> Item {
        let is_reasoning = kind.is_reasoning();
        let made = || made_id(if is_reasoning { "rs" } else { "msg" }, seed, index as usize);
        Item {
            index,
            id: text_of_id(run, metadata).unwrap_or_else(made),
            is_reasoning,
            rest: Members::new(&[]),
            parts: Vec::new(),
            under_way: None,
            text: Fragments::default(),
            part_rest: None,
            last_block: None,
            state: None,
        }
    }

    /// Whether the item can have a part of this kind, and the metadata do not belong to another item.
    pub fn takes(&self, run: &mut Run, kind: PartKind, metadata: &Metadata) -> bool {
        self.is_reasoning == kind.is_reasoning() && text_of_id(run, metadata).is_none_or(|id| id == self.id)
    }

    /// Keeps fields of the item.
    pub fn keep(&mut self, run: &mut Run, metadata: &Metadata) -> Result<()> {
        let Some(item) = metadata.own_field(Word::item) else { return Ok(()) };
        for field in run.members(item) {
            let is_written = WRITTEN.contains(&field.word) || field.word == Word::status && !self.is_reasoning;
            if !is_written {
                self.rest.add(run, Key::from(field), field.value, At::ROOT)?;
            }
        }
        Ok(())
    }

    /// Keeps fields of a part beside its text. The part may be complete already. False if there is no such part.
    pub fn keep_of_part(&mut self, run: &mut Run, block: u32, metadata: &Metadata) -> Result<bool> {
        let is_under_way = self.under_way.is_some_and(|(open, _)| open == block);
        let rest = metadata.own_field(Word::output_text).filter(|rest| run.store.kind(*rest) == Kind::Object);
        let Some(rest) = rest else { return Ok(true) };
        if is_under_way {
            self.part_rest = Some(run.export(rest)?);
            return Ok(true);
        }
        let Some((_, _, part)) = self.parts.iter_mut().find(|(whole, _, _)| *whole == block) else { return Ok(false) };
        let whole = run.import(part)?;
        let whole = with_rest(run, whole, rest);
        *part = run.export(whole)?;
        Ok(true)
    }

    /// Whether the block is a part of the item.
    pub fn has(&self, block: u32) -> bool {
        self.under_way.is_some_and(|(open, _)| open == block) || self.parts.iter().any(|(whole, _, _)| *whole == block)
    }

    /// The kind of the open part, if it belongs to the block.
    pub fn kind_of(&self, block: u32) -> Option<PartKind> {
        self.under_way.filter(|(open, _)| *open == block).map(|(_, kind)| kind)
    }

    pub fn is_last(&self, block: u32) -> bool {
        self.last_block.is_none_or(|last| last <= block)
    }

    pub fn has_part(&self) -> bool {
        self.under_way.is_some()
    }

    pub fn begin_part(&mut self, block: u32, kind: PartKind) {
        self.under_way = Some((block, kind));
        self.last_block = Some(block);
        self.text = Fragments::default();
    }

    /// Appends to the text of the open part: the content of a JSON string, without quotes.
    pub fn add(&mut self, text: &[u8]) {
        self.text.extend(text);
    }

    pub fn text(&self, run: &mut Run) -> Result<Value> {
        self.text.value(run)
    }

    pub fn end_part(&mut self, run: &mut Run, part: Value) -> Result<()> {
        let json = run.export(part)?;
        self.parts.extend(self.under_way.take().map(|(block, kind)| (block, kind, json)));
        self.part_rest = None;
        Ok(())
    }

    fn kind(&self) -> PartKind {
        self.under_way.map_or(PartKind::Text, |(_, kind)| kind)
    }

    /// What the text of the open part is in events.
    pub fn row(&self) -> Row {
        self.kind().row()
    }

    pub fn part_added(&self) -> Word {
        if self.kind() == PartKind::Summary { Word::summary_part_added } else { Word::content_part_added }
    }

    pub fn part_done(&self) -> Word {
        if self.kind() == PartKind::Summary { Word::summary_part_done } else { Word::content_part_done }
    }

    /// The position of the open part, as members of an event.
    pub fn place(&self) -> Vec<u8> {
        let is_summary = self.kind() == PartKind::Summary;
        let key = self.kind().index().text();
        let before = self.parts.iter().filter(|(_, kind, _)| (*kind == PartKind::Summary) == is_summary).count();
        let id = quoted(&self.id);
        format!(",\"item_id\":{id},\"output_index\":{},\"{key}\":{before}", self.index).into_bytes()
    }

    /// Writes the open part: with its text, or as at its start.
    pub fn write_part(&self, run: &mut Run, has_begun: bool) -> Result<()> {
        let text = if has_begun { run.store.string("") } else { self.text.value(run)? };
        write_part(run, self.kind(), text);
        Ok(())
    }

    /// The complete version of the open part.
    pub fn whole_part(&self, run: &mut Run) -> Result<Value> {
        let part = run.try_build(|run| self.write_part(run, false))?;
        let rest = run.import_option(self.part_rest.as_deref())?;
        Ok(rest.map_or(part, |rest| with_rest(run, part, rest)))
    }

    /// Writes the item so far. At its start it has no parts.
    pub fn write(&self, run: &mut Run, status: Word) -> Result<()> {
        let (mut parts, mut thoughts) = (Vec::new(), Vec::new());
        for (_, kind, part) in &self.parts {
            let part = run.import(part)?;
            if *kind == PartKind::Reasoning { thoughts.push(part) } else { parts.push(part) }
        }
        let state = run.import_option(self.state.as_deref())?;
        let mut object = run.begin();
        object.word(run, Word::r#type, if self.is_reasoning { Word::reasoning } else { Word::message });
        object.text(run, Word::id, &self.id);
        if self.is_reasoning {
            object.key(run, Word::summary);
        } else {
            object.word(run, Word::status, status);
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

/// Fields that every written item has.
const WRITTEN: &[Word] = &[Word::r#type, Word::id, Word::role, Word::content, Word::summary, Word::encrypted_content];

/// The original id of an item.
fn text_of_id(run: &mut Run, metadata: &Metadata) -> Option<String> {
    let id = own_id(run, metadata).filter(|id| run.store.kind(*id) == Kind::String)?;
    Some(run.store.owned_text(id))
}

/// A part together with its other fields.
fn with_rest(run: &mut Run, part: Value, rest: Value) -> Value {
    run.build_object(|run, object| {
        for field in run.members(part) {
            let of_rest = run.member(rest, field.word);
            object.put(run, field.word, of_rest.unwrap_or(field.value));
        }
        object.add_rest(run, Some(rest));
    })
}
