//! The items of a streamed response, assembled from their deltas (Q169).

use super::stream_mentions::Mentions;
use super::stream_open::{Open, Part, begin_call};
use super::stream_places::Places;
use super::stream_texts::{TextHash, mark, piece, text_event};
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
            Word::arguments_delta | Word::input_delta => self.arguments(run, index, reading, events)?,
            Word::arguments_done | Word::input_done => self.arguments_done(run, index, word, reading, events)?,
            _ => match text_event(word) {
                Some((list, kind, is_delta)) => self.text(run, (index, list, kind), is_delta, reading, events)?,
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

    /// A fragment of the arguments of a call, or of the input of a freeform call.
    fn arguments(&mut self, run: &mut Run, index: u32, reading: &mut Reading, events: &mut Vec<Event>) -> Result<()> {
        let text = reading.require_string(run, Word::delta)?;
        let at = reading.at();
        let Some(position) = self.open.place(index) else { return missing(run, at) };
        let Some(open) = self.open.at_mut(position) else { return Ok(()) };
        open.add_arguments(run, text, at)?;
        if run.store.is_empty(text) || open.kind != Word::function_call {
            return Ok(());
        }
        open.is_emitted = true;
        events.add(Event::CallDelta { block: open.first, text });
        self.latest = (position, 0);
        run.may_repeat(&[Some(text), reading.peek(Word::sequence_number), reading.peek(Word::obfuscation)]);
        Ok(())
    }

    /// The complete arguments: the part that was not emitted yet is emitted now.
    fn arguments_done(
        &mut self,
        run: &mut Run,
        index: u32,
        word: Word,
        reading: &mut Reading,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let key = if word == Word::arguments_done { Word::arguments } else { Word::input };
        let text = reading.require_string(run, key)?;
        let at = reading.at();
        let Some(open) = self.open.place(index).and_then(|position| self.open.at_mut(position)) else {
            return missing(run, at);
        };
        if !open.arguments.is_empty() {
            let at = run.down(at, key);
            return open.compare_arguments(run, text, at);
        }
        open.add_arguments(run, text, at)?;
        if open.kind == Word::function_call && !run.store.is_empty(text) {
            open.is_emitted = true;
            events.add(Event::CallDelta { block: open.first, text });
        }
        Ok(())
    }

    /// A fragment of a text, or the complete text, of which the part that was not emitted yet is emitted.
    fn text(
        &mut self,
        run: &mut Run,
        (index, list, kind): (u32, Word, Word),
        is_delta: bool,
        reading: &mut Reading,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let at = reading.at();
        let part_index = part_index(run, reading, list)?;
        let key = match (is_delta, kind) {
            (true, _) => Word::delta,
            (false, Word::refusal) => Word::refusal,
            (false, _) => Word::text,
        };
        let text = reading.require_string(run, key)?;
        let Some(position) = self.open.place(index) else { return missing(run, at) };
        let part = self.part(position, (list, part_index, kind));
        let keeps = self.keeps;
        let Some(open) = self.open.at_mut(position) else { return Ok(()) };
        let at = run.down(at, key);
        let Some(known) = open.parts.get_mut(part) else { return Ok(()) };
        let is_emitted = known.has_text;
        if !is_delta && is_emitted {
            known.hash.compare(run, text, at);
            return Ok(());
        }
        if run.store.is_empty(text) {
            return Ok(());
        }
        known.hash.add(run, text);
        let mut metadata = open.announce(run)?;
        if !is_emitted {
            mark(run, kind, &mut metadata);
        }
        let is_repeatable = metadata.is_empty();
        let Some(open) = open.parts.get_mut(part) else { return Ok(()) };
        open.has_text = true;
        if keeps {
            open.text.push(run, text, at)?;
        }
        let block = open.number;
        events.add(piece(at, block, kind, (text, metadata)));
        self.refuses |= kind == Word::refusal;
        if is_delta && is_repeatable {
            self.latest = (position, part);
            if kind == Word::output_text || kind == Word::summary_text || kind == Word::reasoning_text {
                run.may_repeat(&[Some(text), reading.peek(Word::sequence_number), reading.peek(Word::obfuscation)]);
            }
        }
        Ok(())
    }

    /// The index of a part of an item. A new part starts a block.
    pub(super) fn part(&mut self, position: usize, (list, index, kind): (Word, u32, Word)) -> usize {
        let count = self.count;
        let Some(open) = self.open.at_mut(position) else { return 0 };
        let known = open.parts.iter().position(|part| part.list == list && part.index == index);
        if let Some(known) = known {
            return known;
        }
        let number = if open.parts.is_empty() { open.first } else { count };
        if !open.parts.is_empty() {
            self.count += 1;
        }
        open.parts.push(Part {
            list,
            index,
            number,
            kind,
            text: Fragments::default(),
            hash: TextHash::default(),
            has_text: false,
        });
        open.parts.len() - 1
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

fn part_index(run: &mut Run, reading: &mut Reading, list: Word) -> Result<u32> {
    let word = if list == Word::summary { Word::summary_index } else { Word::content_index };
    match reading.take_at(run, word) {
        Some((index, at)) => Ok(run.number(index, at)? as u32),
        None => Ok(0),
    }
}

fn missing(run: &Run, at: At) -> Result<()> {
    run.fail(crate::run::ErrorCode::InvalidStream, at, "no item with this index has started")
}
