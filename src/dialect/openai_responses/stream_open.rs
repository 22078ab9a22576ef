//! An item of a streamed response while it is open, and what was emitted of it.

use super::stream_texts::{PartKind, Text, piece};
use crate::dialect::shared::{arguments, freeform};
use crate::model::{Add, CallStart, Event, Metadata};
use crate::run::{At, Key, Leaves, Place, Result, Run};
use crate::value::{Kind, Value, Word};

/// An open item.
pub struct OpenItem {
    /// Its position in the response.
    pub index: u32,
    pub place: Place,
    pub kind: Word,
    /// The item in its start event: JSON text.
    pub item: Vec<u8>,
    /// The number of its first block.
    pub first: u32,
    pub parts: Vec<ItemPart>,
    /// Whether the fields of the item in its start event were emitted.
    pub is_announced: bool,
}

/// Fields of an item that are in its start event and repeated at its end. They are emitted with its first text, so that writers have them in time.
const ANNOUNCED: &[Word] = &[Word::id, Word::phase];

/// A part of a message or of reasoning, or the text of a call.
pub struct ItemPart {
    pub kind: PartKind,
    pub index: u32,
    pub number: u32,
    pub text: Text,
}

impl OpenItem {
    /// The fields of the item that are emitted with its first text.
    fn announced(&self, run: &mut Run) -> Result<Metadata> {
        let item = run.import(&self.item)?;
        let mut fields = Metadata::default();
        for word in ANNOUNCED {
            if let Some(value) = run.member(item, *word).filter(|value| run.store.kind(*value) == Kind::String) {
                fields.add(Key::Word(*word), value);
            }
        }
        Ok(fields)
    }

    fn announce(&mut self, run: &mut Run) -> Result<Metadata> {
        let mut metadata = Metadata::default();
        if !std::mem::replace(&mut self.is_announced, true) {
            let fields = self.announced(run)?;
            let at = run.recall(&self.place);
            run.nest(Word::item, &fields, at, &mut metadata);
        }
        Ok(metadata)
    }

    /// Removes the fields that were emitted at the start of an item from those at its end.
    pub fn forget_announced(&self, run: &mut Run, metadata: &mut Metadata) -> Result<()> {
        if !self.is_announced || metadata.family_fields().is_empty() {
            return Ok(());
        }
        let emitted = self.announced(run)?;
        let was_emitted = |run: &mut Run, word: Word, value: Value| {
            emitted.family_field(word).is_some_and(|emitted| run.store.same(emitted, value))
        };
        let Some(item) = metadata.family_field(Word::item) else {
            metadata
                .retain_family(&mut |member| member.at.is_none() || !was_emitted(run, member.key.word(), member.value));
            return Ok(());
        };
        let rest = run.build_object(|run, object| {
            for field in run.members(item) {
                if was_emitted(run, field.word, field.value) {
                    object.skip(run, field.word);
                }
            }
            object.add_rest(run, Some(item));
        });
        metadata.set_family_field(Word::item, Some(rest).filter(|rest| !run.is_void(*rest)));
        Ok(())
    }

    /// The place of a part among the parts. A new part starts a block; `count` is the number of blocks so far. With `keeps`, its text is needed.
    pub fn part(&mut self, count: &mut u32, keeps: bool, kind: PartKind, index: u32) -> usize {
        let list = kind.row().list;
        let known = self.parts.iter().position(|part| part.kind.row().list == list && part.index == index);
        known.unwrap_or_else(|| {
            let is_first = self.parts.is_empty();
            let number = if is_first { self.first } else { *count };
            *count += u32::from(!is_first);
            let text = Text::new(keeps || kind.is_call());
            self.parts.push(ItemPart { kind, index, number, text });
            self.parts.len() - 1
        })
    }

    /// Emits a piece of the text of a part; or the whole text, if there were no pieces. Otherwise the two are compared.
    pub fn emit_text(
        &mut self,
        run: &mut Run,
        part: usize,
        (text, at, is_piece): (Value, At, bool),
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let Some(part) = self.parts.get_mut(part) else { return Ok(()) };
        let begins = part.text.is_empty;
        if !is_piece && !begins {
            return part.text.compare(run, text, part.kind == PartKind::Arguments, at);
        }
        if run.store.is_empty(text) {
            return Ok(());
        }
        part.text.add(run, text, at)?;
        let place = (part.number, part.kind, begins);
        let metadata = self.announce(run)?;
        events.extend(piece(run, at, place, (text, metadata)));
        Ok(())
    }

    /// Writes the item as assembled from its deltas.
    pub fn put(&self, run: &mut Run) -> Result<()> {
        let item = run.import(&self.item)?;
        let mut object = run.begin();
        for list in [Word::summary, Word::content] {
            let parts: Vec<&ItemPart> = self.parts.iter().filter(|part| part.kind.row().list == list).collect();
            if !parts.is_empty() {
                object.key(run, list);
                run.try_put_each(parts, |run, part| {
                    let text = part.text.pieces.value(run)?;
                    part.kind.put(run, text, None);
                    Ok(())
                })?;
            }
        }
        for part in self.parts.iter().filter(|part| part.kind.is_call()) {
            let text = part.text.pieces.value(run)?;
            object.put(run, part.kind.row().key, text);
        }
        object.add_rest(run, Some(item));
        object.close(run);
        Ok(())
    }
}

/// Emits the start of a call: everything but its arguments and status.
pub fn begin_call(run: &mut Run, item: Value, at: At, kind: Word, block: u32, events: &mut Vec<Event>) -> Result<()> {
    let mut reading = run.object(item, at)?;
    reading.skip(&[Word::r#type, Word::status, Word::arguments, Word::input]);
    let id = reading.take_any(Word::call_id).filter(|id| run.store.kind(*id) == Kind::String);
    let id = id.unwrap_or_else(|| run.store.string(""));
    let name = arguments::take_name(run, &mut reading)?;
    let mut metadata = reading.rest_in(run, Word::item);
    metadata.leave(Leaves::Format);
    if kind == Word::custom_tool_call {
        freeform::mark_call(run, &mut metadata);
    }
    events.add(Event::CallStart(CallStart { at, block, id, name, metadata }));
    Ok(())
}
