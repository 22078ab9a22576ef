//! The items of a streamed response, assembled from their deltas (Q169).

use super::stream_mentions::Mentions;
use super::stream_open::{OpenItem, begin_call};
use super::stream_places::Places;
use super::stream_texts::{PartKind, text_event};
use crate::dialect::shared::stream::{Parts, UnderWay};
use crate::model::Event;
use crate::run::{At, ErrorCode, Reading, Result, Run};
use crate::value::{Value, Word};

#[derive(Default)]
pub struct Items {
    /// Whether the whole response is needed at the end.
    pub keeps: bool,
    /// Number of blocks so far.
    pub(super) count: u32,
    /// Open items by position.
    pub(super) open: UnderWay<OpenItem>,
    /// The item and part that the last delta belonged to.
    latest: (usize, usize),
    /// The complete items by position.
    pub whole: Parts,
    pub(super) places: Places,
    pub(super) mentions: Mentions,
    pub has_calls: bool,
    pub refuses: bool,
}

impl Items {
    /// Whether everything in an event of this type is read from it. The content of other events is repeated in the item at its end.
    pub fn reads_all(word: Word) -> bool {
        matches!(word, Word::output_item_added | Word::output_item_done) || text_event(word).is_some()
    }

    /// Whether this is an event of an item.
    pub fn knows(word: Word) -> bool {
        Items::reads_all(word) || is_of_part(word)
    }

    /// The position of the item that an event refers to, if the item has not begun.
    pub fn missing(&self, run: &mut Run, event: &mut Reading) -> Result<Option<u32>> {
        let is_nameless = !event.has(Word::output_index) && !event.has(Word::item_id);
        Ok(match self.index(run, event)? {
            Some(index) if self.open.place(index).is_some() => None,
            Some(index) if !is_nameless => (!self.places.has(index)).then_some(index),
            _ => Some(self.places.next()),
        })
    }

    /// Records fields of an event that the item should repeat at its end, so that they can be reported if it does not.
    pub fn note(&mut self, run: &mut Run, event: Value) -> Result<()> {
        let mut reading = run.object(event, At::ROOT)?;
        if let Some(index) = self.index(run, &mut reading)? {
            self.mentions.note(run, index, event, At::ROOT);
        }
        Ok(())
    }

    /// The position of the item that an event refers to, if it does.
    fn index(&self, run: &mut Run, event: &mut Reading) -> Result<Option<u32>> {
        match event.take_at(run, Word::output_index) {
            Some((index, at)) => Ok(Some(run.number(index, at)? as u32)),
            None => Ok(self.places.of_event(run, event).or_else(|| {
                // an event without an item id refers to the latest item
                let is_nameless = run.options.lenient_streams && !event.has(Word::item_id);
                self.places.next().checked_sub(1).filter(|_| is_nameless)
            })),
        }
    }

    /// Reads an event of an item; false if it is another event.
    pub fn read(&mut self, run: &mut Run, word: Word, reading: &mut Reading, events: &mut Vec<Event>) -> Result<bool> {
        let Some(index) = self.index(run, reading)? else { return Ok(false) };
        match word {
            Word::output_item_added => {
                let item = reading.require(run, Word::item)?;
                self.begin(run, index, item, events)?;
            }
            Word::output_item_done => {
                let item = reading.require(run, Word::item)?;
                self.done(run, index, item, events)?;
            }
            _ => match text_event(word) {
                Some((kind, is_piece)) => self.text(run, (index, kind), is_piece, reading, events)?,
                // at its end, an item repeats all content of its other events
                None => return Ok(is_of_part(word) || self.open.place(index).is_some()),
            },
        }
        Ok(true)
    }

    /// Starts an item. Returns its index among the open ones.
    pub(super) fn begin(
        &mut self,
        run: &mut Run,
        index: u32,
        (item, at): (Value, At),
        events: &mut Vec<Event>,
    ) -> Result<usize> {
        let kind = run.type_of(run.plain_object(item, at)?);
        self.places.begin(run, index, item);
        let first = self.count;
        self.count += 1;
        let is_call = matches!(kind, Word::function_call | Word::custom_tool_call);
        let open = OpenItem {
            index,
            place: run.keep_place(at),
            kind,
            item: run.export(item)?,
            first,
            parts: Vec::new(),
            // the start of a call has all its fields
            is_announced: is_call,
        };
        let place = self.open.begin(index, open);
        if is_call {
            self.has_calls = true;
            begin_call(run, item, at, kind, first, events)?;
        }
        // a target that keeps metadata has the fields that a call starts with
        if !is_call || !run.route.keeps_family() {
            self.mentions.note(run, index, item, at);
        }
        Ok(place)
    }

    /// A piece of a text, or the complete text.
    fn text(
        &mut self,
        run: &mut Run,
        (index, kind): (u32, PartKind),
        is_piece: bool,
        reading: &mut Reading,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let at = reading.at();
        let part_index = reading.number(run, kind.index())?.unwrap_or_default() as u32;
        let key = if is_piece { Word::delta } else { kind.row().key };
        let text = reading.require_string(run, key)?;
        let Some(place) = self.open.place(index) else {
            return run.fail(ErrorCode::InvalidStream, at, "no item with this index has started");
        };
        let Some(open) = self.open.at_mut(place) else { return Ok(()) };
        let (kind, part_index) = match open.kind {
            Word::function_call if kind.is_call() => (PartKind::Arguments, 0),
            _ if kind.is_call() => (PartKind::Input, 0),
            _ => (kind, part_index),
        };
        let part = open.part(&mut self.count, self.keeps, kind, part_index);
        let at = run.down(at, key);
        open.emit_text(run, part, (text, at, is_piece), events)?;
        self.refuses |= kind == PartKind::Refusal && !run.store.is_empty(text);
        // a text with metadata is the first of its item
        if is_piece && kind != PartKind::Refusal && events.last().and_then(Event::text) == Some(text) {
            self.latest = (place, part);
            // the next event may differ in these values only
            run.may_repeat(&[Some(text), reading.peek(Word::sequence_number), reading.peek(Word::obfuscation)]);
        }
        Ok(())
    }

    /// Handles an event that repeats the last one with another text.
    pub fn repeat(&mut self, text: &[u8]) {
        let open = self.open.at_mut(self.latest.0);
        if let Some(part) = open.and_then(|open| open.parts.get_mut(self.latest.1)) {
            part.text.extend(text);
        }
    }
}

/// Events of a part that repeat its deltas and its item.
fn is_of_part(word: Word) -> bool {
    matches!(
        word,
        Word::content_part_added
            | Word::content_part_done
            | Word::summary_part_added
            | Word::summary_part_done
            | Word::annotation_added
    )
}
