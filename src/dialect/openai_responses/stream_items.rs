//! The items of a streamed answer, put together from their deltas (Q169).

use super::messages::read_output_item;
use super::reasoning::is_content;
use super::stream_mentions::Mentions;
use super::stream_open::{Open, Part, begin_call};
use super::stream_places::Places;
use super::stream_texts::{Said, mark, piece, text_event};
use crate::dialect::shared::arguments;
use crate::dialect::shared::stream::{Fragments, UnderWay};
use crate::model::{Add, Block, Call, Event, Metadata};
use crate::run::{At, Reading, Result, Run};
use crate::value::order::in_order;
use crate::value::{Value, Word};

pub struct Items {
    /// Whether the whole answer is asked for at the end.
    keeps: bool,
    /// How many blocks have begun.
    count: u32,
    /// By their places.
    open: UnderWay<Open>,
    /// Which item and part the last delta belonged to.
    latest: (usize, usize),
    /// Those that are complete, by their places: JSON texts.
    whole: Vec<(u32, Vec<u8>)>,
    places: Places,
    mentions: Mentions,
    has_calls: bool,
    refuses: bool,
}

impl Items {
    pub fn new(keeps: bool) -> Items {
        Items {
            keeps,
            count: 0,
            open: UnderWay::default(),
            latest: (0, 0),
            whole: Vec::new(),
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

    /// Whether all that an event of this type says is read from it: what other events say, an item says once more at its end.
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

    /// The place of the item that an event is about, if that has not begun.
    pub fn missing(&self, run: &mut Run, event: &mut Reading) -> Result<Option<u32>> {
        let is_nameless = !event.has(Word::output_index) && !event.has(Word::item_id);
        Ok(match self.index(run, event)? {
            Some(index) if self.open.place(index).is_some() => None,
            Some(index) if !is_nameless => (!self.places.has(index)).then_some(index),
            _ => Some(self.places.next()),
        })
    }

    /// An event says of an item what the item says at its end: notes what may be said nowhere else.
    pub fn note(&mut self, run: &mut Run, event: Value) -> Result<()> {
        let mut reading = run.object(event, At::ROOT)?;
        if let Some(index) = self.index(run, &mut reading)? {
            self.mentions.note(run, index, event, At::ROOT);
        }
        Ok(())
    }

    /// The place of the item that an event is about, if it is about one.
    fn index(&self, run: &mut Run, event: &mut Reading) -> Result<Option<u32>> {
        match event.take_at(run, Word::output_index) {
            Some((index, at)) => Ok(Some(run.number(index, at)? as u32)),
            None => Ok(self.places.of_event(run, event).or_else(|| {
                // an event that names no item is about the latest
                let is_nameless = run.options.lenient_streams && !event.has(Word::item_id);
                self.places.next().checked_sub(1).filter(|_| is_nameless)
            })),
        }
    }

    /// Reads an event of an item; false if it is none.
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
                // an item says at its end all that its own events say on the way
                None => return Ok(is_of_part(word) || self.open.place(index).is_some()),
            },
        }
        Ok(true)
    }

    /// An item begins; gives its place among those under way.
    fn begin(&mut self, run: &mut Run, index: u32, item: Value, at: At, events: &mut Vec<Event>) -> Result<usize> {
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
            said: Said::default(),
            told: false,
            is_announced: false,
        };
        let place = self.open.begin(index, open);
        if is_call {
            self.has_calls = true;
            begin_call(run, item, at, kind, first, events)?;
        }
        // the canonical format has an event for the start of a call
        if !is_call || run.to.provider().is_some() {
            self.mentions.note(run, index, item, at);
        }
        Ok(place)
    }

    /// A piece of the arguments of a call, or of the input of a freeform one.
    fn arguments(&mut self, run: &mut Run, index: u32, reading: &mut Reading, events: &mut Vec<Event>) -> Result<()> {
        let text = reading.require_string(run, Word::delta)?;
        let at = reading.at();
        let Some(position) = self.open.place(index) else { return missing(run, at) };
        let Some(open) = self.open.at_mut(position) else { return Ok(()) };
        open.add_arguments(run, text, at)?;
        if run.store.is_empty(text) || open.kind != Word::function_call {
            return Ok(());
        }
        open.told = true;
        events.add(Event::CallDelta { block: open.first, text });
        self.latest = (position, 0);
        run.may_repeat(&[Some(text), reading.peek(Word::sequence_number), reading.peek(Word::obfuscation)]);
        Ok(())
    }

    /// All of them once more; what was not told yet is.
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
            open.told = true;
            events.add(Event::CallDelta { block: open.first, text });
        }
        Ok(())
    }

    /// A piece of a text, or all of it: then only what was not told yet counts.
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
        let is_told = known.has_text;
        if !is_delta && is_told {
            known.said.compare(run, text, at);
            return Ok(());
        }
        if run.store.is_empty(text) {
            return Ok(());
        }
        known.said.add(run, text);
        let mut metadata = open.announce(run)?;
        if !is_told {
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

    /// The part of an item; its block begins with it.
    fn part(&mut self, position: usize, (list, index, kind): (Word, u32, Word)) -> usize {
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
            said: Said::default(),
            has_text: false,
        });
        open.parts.len() - 1
    }

    /// A text that is like the one before, but for what it says.
    pub fn repeat(&mut self, text: &[u8]) {
        let Some(open) = self.open.at_mut(self.latest.0) else { return };
        if open.kind == Word::function_call {
            open.arguments.extend(text);
            open.said.extend(text);
        } else if let Some(part) = open.parts.get_mut(self.latest.1) {
            part.said.extend(text);
            if self.keeps {
                part.text.extend(text);
            }
        }
    }

    /// An item is complete: it comes again, whole.
    fn done(&mut self, run: &mut Run, index: u32, item: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        let position = match self.open.place(index) {
            Some(position) => position,
            None if self.places.has(index) => return Ok(()),
            None => self.begin(run, index, item, at, events)?,
        };
        if let Some(open) = self.open.at_mut(position) {
            open.compare_call(run, item, at)?;
        }
        self.close(run, position, Some((item, at)), events)
    }

    /// The items of the whole answer: those that no event told are told now.
    pub fn complete(&mut self, run: &mut Run, output: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        for (index, (item, at)) in run.elements(output, at)?.enumerate() {
            let index = self.places.of_item(run, item).unwrap_or(index as u32);
            if !self.places.has(index) || self.open.place(index).is_some() {
                self.done(run, index, item, at, events)?;
            } else {
                self.mentions.note(run, index, item, at);
                self.mentions.tell(run, index, None);
            }
        }
        Ok(())
    }

    /// Nothing more comes of any item.
    pub fn close_all(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        while let Some(position) = self.open.first() {
            self.close(run, position, None, events)?;
        }
        Ok(())
    }

    fn close(
        &mut self,
        run: &mut Run,
        position: usize,
        item: Option<(Value, At)>,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let open = self.open.at(position);
        let (item, at) = match (item, open) {
            (Some(item), _) => item,
            // of a message that broke off before its first part nothing is known
            (None, Some(open)) if open.kind == Word::message && open.parts.is_empty() => {
                self.open.end(position);
                return Ok(());
            }
            (None, Some(open)) => {
                let item = run.try_build(|run| open.put(run))?;
                run.tell_notices(At::ROOT);
                (item, run.recall(&open.place))
            }
            (None, None) => return Ok(()),
        };
        if let Some(open) = open {
            if self.keeps {
                let json = run.export(item)?;
                self.whole.push((open.index, json));
            }
            self.mentions.tell(run, open.index, Some(item));
        }
        for (offset, block) in read_output_item(run, item, at)?.into_iter().enumerate() {
            self.end_block(run, position, offset, block, events)?;
        }
        self.open.end(position);
        Ok(())
    }

    /// Tells what is known of a block at its end.
    fn end_block(
        &mut self,
        run: &mut Run,
        position: usize,
        offset: usize,
        block: Block,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let is_refusal = matches!(block, Block::Refusal { .. });
        match block {
            Block::Text { at, text, mut metadata } | Block::Refusal { at, text, mut metadata } => {
                self.refuses |= is_refusal;
                let kind = if is_refusal { Word::refusal } else { Word::output_text };
                let block = self.tell(run, position, (offset, Word::content, kind), Some(text), at, events)?;
                self.forget_announced(run, position, &mut metadata)?;
                if !metadata.is_empty() {
                    let text = run.store.string("");
                    events.add(match is_refusal {
                        true => Event::RefusalDelta { at, block, text, metadata },
                        false => Event::TextDelta { at, block, text, metadata },
                    });
                }
            }
            Block::Reasoning(mut reasoning) => {
                let kind = if is_content(run, &reasoning.metadata) { Word::reasoning_text } else { Word::summary_text };
                let number = self.tell_reasoning(run, position, offset, kind, reasoning.text, reasoning.at, events)?;
                self.forget_announced(run, position, &mut reasoning.metadata)?;
                events.add(Event::ReasoningEnd {
                    at: reasoning.at,
                    block: number,
                    signature: reasoning.signature,
                    redacted: reasoning.redacted,
                    issuer: reasoning.issuer,
                    metadata: reasoning.metadata,
                });
            }
            Block::Call(call) => self.end_call(run, position, call, events)?,
            value => {
                let number = self.number(position, offset);
                events.add(Event::Block { block: number, value });
            }
        }
        Ok(())
    }

    fn end_call(&mut self, run: &mut Run, position: usize, call: Call, events: &mut Vec<Event>) -> Result<()> {
        let Some(open) = self.open.at(position) else { return Ok(()) };
        let block = open.first;
        if !open.told
            && let Some(text) = arguments::text_if_any(run, &call)?
        {
            events.add(Event::CallDelta { block, text });
        }
        events.add(Event::CallEnd { block, call });
        Ok(())
    }

    /// The number of a block that is told whole.
    fn number(&mut self, position: usize, offset: usize) -> u32 {
        let part = self.part(position, (Word::content, offset as u32, Word::Unknown));
        self.open.at(position).and_then(|open| open.parts.get(part)).map_or(0, |part| part.number)
    }

    /// Tells the text of a part that came without deltas; gives the number of its block.
    fn tell(
        &mut self,
        run: &mut Run,
        position: usize,
        (index, list, kind): (usize, Word, Word),
        text: Option<Value>,
        at: At,
        events: &mut Vec<Event>,
    ) -> Result<u32> {
        let part = self.part(position, (list, index as u32, kind));
        let Some(open) = self.open.at_mut(position) else { return Ok(0) };
        let Some(known) = open.parts.get_mut(part) else { return Ok(0) };
        let number = known.number;
        let text = text.filter(|text| !run.store.is_empty(*text));
        if let Some(text) = text.filter(|_| known.has_text) {
            known.said.compare(run, text, at);
        } else if let Some(text) = text {
            let mut metadata = open.announce(run)?;
            mark(run, kind, &mut metadata);
            open.parts.get_mut(part).into_iter().for_each(|part| part.has_text = true);
            events.add(piece(at, number, kind, (text, metadata)));
        }
        Ok(number)
    }

    fn forget_announced(&self, run: &mut Run, position: usize, metadata: &mut Metadata) -> Result<()> {
        self.open.at(position).map_or(Ok(()), |open| open.forget_announced(run, metadata))
    }

    /// The same for reasoning, whose parts stand in two lists.
    #[allow(clippy::too_many_arguments)]
    fn tell_reasoning(
        &mut self,
        run: &mut Run,
        position: usize,
        offset: usize,
        kind: Word,
        text: Option<Value>,
        at: At,
        events: &mut Vec<Event>,
    ) -> Result<u32> {
        let summaries = self
            .open
            .at(position)
            .map_or(0, |open| open.parts.iter().filter(|part| part.list == Word::summary).count());
        let (list, index) = match kind {
            Word::reasoning_text => (Word::content, offset.saturating_sub(summaries)),
            _ => (Word::summary, offset),
        };
        self.tell(run, position, (index, list, kind), text, at, events)
    }

    /// Writes the items that are complete as an array.
    pub fn put(&mut self, run: &mut Run) -> Result<()> {
        run.store.begin_array();
        let order = in_order(&self.whole, |(index, _)| *index);
        for (_, json) in order.into_iter().filter_map(|position| self.whole.get(position)) {
            let item = run.import(json)?;
            run.store.put(item);
        }
        run.store.end_array();
        Ok(())
    }
}

/// Events that say of a part what its deltas and its item say.
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
    run.fail(crate::run::ErrorCode::InvalidStream, at, "no item of this index has begun")
}
