//! An item of a streamed response while it is open, and what was emitted of it.

use super::stream_texts::{PartKind, TextHash, piece};
use crate::dialect::shared::stream::Fragments;
use crate::dialect::shared::{arguments, freeform};
use crate::model::{Add, CallStart, Event, Metadata};
use crate::run::{At, Key, Place, Result, Run};
use crate::value::{Kind, Value, Word};

/// An open item.
pub struct Open {
    /// Its position in the response.
    pub index: u32,
    pub place: Place,
    pub kind: Word,
    /// The item in its start event: JSON text.
    pub item: Vec<u8>,
    /// The number of its first block.
    pub first: u32,
    pub parts: Vec<Part>,
    /// The arguments or the input of a call.
    pub arguments: Fragments,
    pub hash: TextHash,
    /// Whether any of them were emitted.
    pub is_emitted: bool,
    /// Whether the fields of the item in its start event were emitted.
    pub is_announced: bool,
}

/// Fields of an item that are in its start event and repeated at its end. They are emitted with its first text, so that writers have them in time.
const ANNOUNCED: &[Word] = &[Word::id, Word::phase];

/// A part of a message or of reasoning.
pub struct Part {
    pub kind: PartKind,
    pub index: u32,
    pub number: u32,
    pub text: Fragments,
    pub hash: TextHash,
    pub has_text: bool,
}

impl Open {
    /// The key of a call's text.
    fn text_key(&self) -> Word {
        if self.kind == Word::function_call { Word::arguments } else { Word::input }
    }

    pub fn add_arguments(&mut self, run: &mut Run, text: Value, at: At) -> Result<()> {
        self.hash.add(run, text);
        self.arguments.push(run, text, at)
    }

    /// Compares the emitted text of a call with the complete one, ignoring white space.
    pub fn compare_arguments(&mut self, run: &mut Run, whole: Value, at: At) -> Result<()> {
        if run.store.is_empty(whole) || self.hash.is(run, whole) {
            return Ok(());
        }
        let emitted = self.arguments.value(run)?;
        let is_same = match (run.store.parse(emitted), run.store.parse(whole)) {
            (Ok(emitted), Ok(whole)) => self.kind == Word::function_call && run.store.same(emitted, whole),
            _ => false,
        };
        // notices about the text are reported where the call is read
        drop(run.store.take_notices());
        if !is_same {
            self.hash.dispute(run, at);
        }
        Ok(())
    }

    /// Compares the emitted text of a call with its item at the end.
    pub fn compare_call(&mut self, run: &mut Run, item: Value, at: At) -> Result<()> {
        let key = self.text_key();
        let whole = run.member(item, key).filter(|whole| run.store.kind(*whole) == Kind::String);
        match whole.filter(|_| !self.arguments.is_empty()) {
            Some(whole) => {
                let at = run.down(at, key);
                self.compare_arguments(run, whole, at)
            }
            None => Ok(()),
        }
    }

    /// The fields of the item that are emitted with its first text.
    pub fn announce(&mut self, run: &mut Run) -> Result<Metadata> {
        let mut metadata = Metadata::default();
        if std::mem::replace(&mut self.is_announced, true) {
            return Ok(metadata);
        }
        let item = run.import(&self.item)?;
        let at = run.recall(&self.place);
        let announced = self.announced(run, item);
        let mut fields = Metadata::default();
        announced.into_iter().for_each(|(word, value)| fields.add(Key::Word(word), value));
        run.nest(Word::item, &fields, at, &mut metadata);
        Ok(metadata)
    }

    fn announced(&self, run: &mut Run, item: Value) -> Vec<(Word, Value)> {
        let members = ANNOUNCED.iter().filter_map(|word| run.member(item, *word).map(|value| (*word, value)));
        members.collect::<Vec<_>>().into_iter().filter(|(_, value)| run.store.kind(*value) == Kind::String).collect()
    }

    /// Removes the fields that were emitted at the start of an item from those at its end.
    pub fn forget_announced(&self, run: &mut Run, metadata: &mut Metadata) -> Result<()> {
        if !self.is_announced || metadata.family().is_empty() {
            return Ok(());
        }
        let begun = run.import(&self.item)?;
        let mut emitted = Vec::new();
        for (word, value) in self.announced(run, begun) {
            emitted.push((word, run.store.owned_text(value)));
        }
        let was_emitted = |run: &Run, word: Word, value: Value| {
            run.store.kind(value) == Kind::String
                && emitted.iter().any(|(known, text)| *known == word && *text == run.store.text(value))
        };
        if let Some(item) = metadata.family_field(Word::item) {
            let rest = run.build_object(|run, object| {
                for field in run.members(item) {
                    if was_emitted(run, field.word, field.value) {
                        object.skip(run, field.word);
                    }
                }
                object.add_rest(run, Some(item));
            });
            let rest = Some(rest).filter(|rest| !run.is_void(*rest));
            metadata.set_family_field(Word::item, rest);
        } else {
            metadata
                .retain_family(&mut |member| member.at.is_none() || !was_emitted(run, member.key.word(), member.value));
        }
        Ok(())
    }

    /// The place of a part among the parts. A new part starts a block; `count` is the number of blocks so far.
    pub fn part(&mut self, count: &mut u32, kind: PartKind, index: u32) -> usize {
        let list = kind.row().list;
        let known = self.parts.iter().position(|part| part.kind.row().list == list && part.index == index);
        known.unwrap_or_else(|| {
            let is_first = self.parts.is_empty();
            let number = if is_first { self.first } else { *count };
            *count += u32::from(!is_first);
            let (text, hash) = (Fragments::default(), TextHash::default());
            self.parts.push(Part { kind, index, number, text, hash, has_text: false });
            self.parts.len() - 1
        })
    }

    /// Emits a piece of the text of a part; or the whole text, if there were no pieces. Otherwise the two are compared.
    pub fn emit_text(
        &mut self,
        run: &mut Run,
        part: usize,
        (text, at, is_piece): (Value, At, bool),
        keeps: bool,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let Some(part) = self.parts.get_mut(part) else { return Ok(()) };
        let begins = !part.has_text;
        if !is_piece && !begins {
            part.hash.compare(run, text, at);
            return Ok(());
        }
        if run.store.is_empty(text) {
            return Ok(());
        }
        part.hash.add(run, text);
        part.has_text = true;
        if keeps {
            part.text.push(run, text, at)?;
        }
        let said = (part.number, part.kind, begins);
        let metadata = self.announce(run)?;
        events.add(piece(run, at, said, (text, metadata)));
        Ok(())
    }

    /// Writes the item as assembled from its deltas.
    pub fn put(&self, run: &mut Run) -> Result<()> {
        let item = run.import(&self.item)?;
        let mut object = run.begin();
        for list in [Word::summary, Word::content] {
            let parts: Vec<&Part> = self.parts.iter().filter(|part| part.kind.row().list == list).collect();
            if !parts.is_empty() {
                object.key(run, list);
                run.try_put_each(parts, |run, part| {
                    let text = part.text.value(run)?;
                    write_part(run, part.kind, text);
                    Ok(())
                })?;
            }
        }
        if !self.arguments.is_empty() {
            let text = self.arguments.value(run)?;
            object.put(run, self.text_key(), text);
        }
        object.add_rest(run, Some(item));
        object.close(run);
        Ok(())
    }
}

/// Writes a part of a message or of reasoning that has only a text.
pub fn write_part(run: &mut Run, kind: PartKind, text: Value) {
    let row = kind.row();
    let mut object = run.begin();
    object.word(run, Word::r#type, row.part);
    object.put(run, row.key, text);
    if kind == PartKind::Text {
        for word in [Word::annotations, Word::logprobs] {
            object.list(run, word, &[]);
        }
    }
    object.close(run);
}

/// Emits the start of a call: everything but its arguments and status.
pub fn begin_call(run: &mut Run, item: Value, at: At, kind: Word, block: u32, events: &mut Vec<Event>) -> Result<()> {
    let mut reading = run.object(item, at)?;
    reading.skip(&[Word::r#type, Word::status, Word::arguments, Word::input]);
    let id = reading.take_any(Word::call_id).filter(|id| run.store.kind(*id) == Kind::String);
    let id = id.unwrap_or_else(|| run.store.string(""));
    let name = arguments::take_name(run, &mut reading)?;
    let mut metadata = reading.rest_in(run, Word::item);
    metadata.leave_format();
    if kind == Word::custom_tool_call {
        freeform::mark_call(run, &mut metadata);
    }
    events.add(Event::CallStart(CallStart { at, block, id, name, metadata }));
    Ok(())
}
