//! The items of a streamed response, assembled from their deltas (Q169).

use super::stream_mentions::Mentions;
use super::stream_open::{Open, begin_call};
use super::stream_places::Places;
use super::stream_texts::{PartKind, TextHash, text_event};
use crate::dialect::shared::stream::{Fragments, Parts, UnderWay};
use crate::model::{Add, Event};
use crate::run::{At, Reading, Result, Run};
use crate::value::{Value, Word};

pub struct Items {
    /// Whether the whole response is needed at the end.
    pub(super) keeps: bool,
    /// Number of blocks so far.
    pub(super) count: u32,
    /// Open items by position.
    pub(super) open: UnderWay<Open>,
    /// The item and part that the last delta belonged to.
    latest: (usize, usize),
    /// The complete items by position.
    pub whole: Parts,
    pub(super) places: Places,
    pub(super) mentions: Mentions,
    has_calls: bool,
    pub(super) refuses: bool,
}

impl Items {
    pub fn new(keeps: bool) -> Items {
        Items {
            keeps,
            count: 0,
            open: UnderWay::default(),
            latest: (0, 0),
            whole: Parts::default(),
            places: Places::default(),
            mentions: Mentions::default(),
            has_calls: false,
            refuses: false,
        }
    }

    pub fn has_calls(&self) -> bool {
        self.has_calls
    }

    pub fn refuses(&self) -> bool {
        self.refuses
    }

    /// Whether everything in an event of this type is read from it. The content of other events is repeated in the item at its end.
    pub fn reads_all(word: Word) -> bool {
        let is_of_item = matches!(word, Word::output_item_added | Word::output_item_done);
        let is_of_call =
            matches!(word, Word::arguments_delta | Word::arguments_done | Word::input_delta | Word::input_done);
        is_of_item || is_of_call || text_event(word).is_some()
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
                let (item, at) = reading.require(run, Word::item)?;
                self.begin(run, index, item, at, events)?;
            }
            Word::output_item_done => {
                let (item, at) = reading.require(run, Word::item)?;
                self.done(run, index, item, at, events)?;
            }
            Word::arguments_delta | Word::input_delta => self.arguments(run, (index, Word::delta), reading, events)?,
            Word::arguments_done => self.arguments(run, (index, Word::arguments), reading, events)?,
            Word::input_done => self.arguments(run, (index, Word::input), reading, events)?,
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
        item: Value,
        at: At,
        events: &mut Vec<Event>,
    ) -> Result<usize> {
        let kind = run.type_of(run.plain_object(item, at)?);
        self.places.begin(run, index, item);
        let first = self.count;
        self.count += 1;
        let is_call = matches!(kind, Word::function_call | Word::custom_tool_call);
        let open = Open {
            index,
            place: run.keep_place(at),
            kind,
            item: run.export(item)?,
            first,
            parts: Vec::new(),
            arguments: Fragments::default(),
            hash: TextHash::default(),
            is_emitted: false,
            is_announced: false,
        };
        let place = self.open.begin(index, open);
        if is_call {
            self.has_calls = true;
            begin_call(run, item, at, kind, first, events)?;
        }
        // the canonical format has an event for the start of a call
        if !is_call || run.route.is_to_provider() {
            self.mentions.note(run, index, item, at);
        }
        Ok(place)
    }

    /// A fragment of the arguments of a call or of the input of a freeform call; or the whole text, if there were no fragments.
    fn arguments(
        &mut self,
        run: &mut Run,
        (index, key): (u32, Word),
        reading: &mut Reading,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let text = reading.require_string(run, key)?;
        let at = reading.at();
        let Some(place) = self.open.place(index) else { return missing(run, at) };
        let Some(open) = self.open.at_mut(place) else { return Ok(()) };
        let is_piece = key == Word::delta;
        if !is_piece && !open.arguments.is_empty() {
            let at = run.down(at, key);
            return open.compare_arguments(run, text, at);
        }
        open.add_arguments(run, text, at)?;
        if run.store.is_empty(text) || open.kind != Word::function_call {
            return Ok(());
        }
        open.is_emitted = true;
        events.add(Event::CallDelta { block: open.first, text });
        if is_piece {
            self.latest = (place, 0);
            may_repeat(run, text, reading);
        }
        Ok(())
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
        let Some(place) = self.open.place(index) else { return missing(run, at) };
        let Some(open) = self.open.at_mut(place) else { return Ok(()) };
        let part = open.part(&mut self.count, kind, part_index);
        let at = run.down(at, key);
        open.emit_text(run, part, (text, at, is_piece), self.keeps, events)?;
        self.refuses |= kind == PartKind::Refusal && !run.store.is_empty(text);
        // a text with metadata is the first of its item
        if is_piece && kind != PartKind::Refusal && events.last().and_then(Event::text) == Some(text) {
            self.latest = (place, part);
            may_repeat(run, text, reading);
        }
        Ok(())
    }

    /// Handles an event that repeats the last one with another text.
    pub fn repeat(&mut self, text: &[u8]) {
        let Some(open) = self.open.at_mut(self.latest.0) else { return };
        if open.kind == Word::function_call {
            open.arguments.extend(text);
            open.hash.extend(text);
        } else if let Some(part) = open.parts.get_mut(self.latest.1) {
            part.hash.extend(text);
            if self.keeps {
                part.text.extend(text);
            }
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

/// The next event may differ in these values only.
fn may_repeat(run: &mut Run, text: Value, event: &Reading) {
    run.may_repeat(&[Some(text), event.peek(Word::sequence_number), event.peek(Word::obfuscation)]);
}

fn missing(run: &Run, at: At) -> Result<()> {
    run.fail(crate::run::ErrorCode::InvalidStream, at, "no item with this index has started")
}
