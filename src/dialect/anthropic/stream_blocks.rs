//! The blocks of a streamed response, assembled from their deltas (Q155–Q158).

use super::messages::read_assistant_block;
use crate::dialect::shared::arguments;
use crate::dialect::shared::stream::{Fragments, Members, state};
use crate::model::{Add, Block, CallStart, Event, Metadata, Native, Reasoning};
use crate::run::{At, ErrorCode, Key, Place, Provider, Reading, Result, Run, WarningCode};
use crate::value::order::in_order;
use crate::value::{Kind, Value, Word, listed};

/// Strings that arrive in pieces.
const GROWING: &[Word] = &[Word::text, Word::thinking];

pub struct Blocks {
    /// Whether the whole response is needed at the end.
    keeps: bool,
    /// Number of blocks so far.
    count: u32,
    open: Vec<Open>,
    /// Index in the list of the block that the last delta belonged to.
    latest: usize,
    /// The complete blocks by number: JSON texts.
    whole: Vec<(u32, Vec<u8>)>,
    has_calls: bool,
}

struct Open {
    /// The index on the wire; None for a block in `message_start`.
    index: Option<u32>,
    number: u32,
    /// The position of its start event.
    place: Place,
    kind: Word,
    members: Members,
    /// The pieces of `input`, which is not a string.
    input: Fragments,
    /// The initial `input`, if it is not empty: JSON text.
    first_input: Option<Vec<u8>>,
}

impl Blocks {
    pub fn new(keeps: bool) -> Blocks {
        Blocks { keeps, count: 0, open: Vec::new(), latest: 0, whole: Vec::new(), has_calls: false }
    }

    pub fn has_calls(&self) -> bool {
        self.has_calls
    }

    pub fn is_open(&self, index: u32) -> bool {
        self.open.iter().any(|open| open.index == Some(index))
    }

    /// Starts a block and emits the content that it already has.
    pub fn open(
        &mut self,
        run: &mut Run,
        index: Option<u32>,
        (value, at): (Value, At),
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let mut reading = run.object(value, at)?;
        let (kind, kind_at) = reading.require(run, Word::r#type)?;
        let kind = run.store.word(run.string(kind, kind_at)?);
        let mut open = Open {
            index,
            number: self.count,
            place: run.keep_place(at),
            kind,
            members: Members::new(GROWING),
            input: Fragments::default(),
            first_input: None,
        };
        self.count += 1;
        if let Some(input) = reading.peek(Word::input).filter(|input| !run.route.stays() && !run.is_void(*input)) {
            open.first_input = Some(run.export(input)?);
        }
        match kind {
            Word::text => open_text(run, reading, open.number, events)?,
            Word::thinking => {
                let text = reading.string(run, Word::thinking)?.filter(|text| !run.store.is_empty(*text));
                if let Some(text) = text {
                    events.add(reasoning(at, open.number, text));
                }
            }
            Word::tool_use => {
                self.has_calls = true;
                open_call(run, reading, open.number, events)?;
            }
            _ => {}
        }
        if self.keeps || kind != Word::text {
            let members = run.object(value, at)?.rest();
            open.members.add_all(run, &members, at)?;
        }
        self.open.push(open);
        Ok(())
    }

    /// Adds a delta to the latest block with that index: indices were reused after results of the provider's own tools (Q157).
    pub fn delta(
        &mut self,
        run: &mut Run,
        index: u32,
        (delta, at): (Value, At),
        event: Value,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let keeps = self.keeps;
        let position = self.open.iter().rposition(|open| open.index == Some(index));
        let Some((position, open)) = position.and_then(|position| Some((position, self.open.get_mut(position)?)))
        else {
            return run.fail(ErrorCode::InvalidStream, at, "no block with this index is open");
        };
        self.latest = position;
        let mut reading = run.object(delta, at)?;
        let (kind, kind_at) = reading.require(run, Word::r#type)?;
        let kind = run.store.word(run.string(kind, kind_at)?);
        // some servers leave out an empty piece
        let mut piece = |run: &mut Run, word| Ok(reading.string(run, word)?.unwrap_or_else(|| run.store.string("")));
        let block = open.number;
        match (kind, open.kind) {
            (Word::text_delta, Word::text) => {
                let text = piece(run, Word::text)?;
                if !run.store.is_empty(text) {
                    let at = run.down(at, Word::text);
                    events.add(Event::TextDelta { at, block, text, metadata: Metadata::default() });
                    open.keep(run, keeps, Word::text, text, at)?;
                    run.may_repeat(&[Some(text)]);
                }
            }
            (Word::thinking_delta, Word::thinking) => {
                let text = piece(run, Word::thinking)?;
                if !run.store.is_empty(text) {
                    let at = run.down(at, Word::thinking);
                    events.add(reasoning(at, block, text));
                    open.keep(run, keeps, Word::thinking, text, at)?;
                    run.may_repeat(&[Some(text)]);
                }
            }
            (Word::signature_delta, Word::thinking) => {
                let signature = piece(run, Word::signature)?;
                open.assign(run, Key::Word(Word::signature), signature, at)?;
            }
            (Word::citations_delta, Word::text) => {
                let (citation, citation_at) = reading.require(run, Word::citation)?;
                let citations = run.store.array_of(&[citation]);
                open.keep(run, keeps, Word::citations, citations, at)?;
                let text = run.store.string("");
                let mut metadata = Metadata::default();
                metadata.add_at(Key::Word(Word::citations), citations, citation_at);
                events.add(Event::TextDelta { at, block, text, metadata });
            }
            (Word::input_json_delta, _) => {
                let text = piece(run, Word::partial_json)?;
                open.input.push(run, text, at)?;
                if open.kind == Word::tool_use && !run.store.is_empty(text) {
                    events.add(Event::CallDelta { block, text });
                    run.may_repeat(&[Some(text)]);
                }
            }
            _ => return open.unknown_delta(run, reading, event, events),
        }
        events.extend(state(run, at, reading.rest()));
        Ok(())
    }

    /// Adds a text to the block of the last delta.
    pub fn repeat(&mut self, text: &[u8]) {
        let Some(open) = self.open.get_mut(self.latest) else { return };
        match open.kind {
            Word::tool_use => open.input.extend(text),
            kind if self.keeps => open.members.extend(&[kind], text),
            _ => {}
        }
    }

    /// Ends a block.
    pub fn close(&mut self, run: &mut Run, index: u32, at: At, events: &mut Vec<Event>) -> Result<()> {
        match self.open.iter().rposition(|open| open.index == Some(index)) {
            Some(position) => {
                let open = self.open.remove(position);
                self.complete(run, &open, at, events)
            }
            None => Ok(()),
        }
    }

    /// Ends all blocks.
    pub fn close_all(&mut self, run: &mut Run, at: At, events: &mut Vec<Event>) -> Result<()> {
        std::mem::take(&mut self.open).iter().try_for_each(|open| self.complete(run, open, at, events))
    }

    fn complete(&mut self, run: &mut Run, open: &Open, at: At, events: &mut Vec<Event>) -> Result<()> {
        let block = open.number;
        if open.kind == Word::text && !self.keeps {
            return Ok(());
        }
        let value = run.try_build(|run| open.put(run))?;
        run.warn_notices(at);
        if self.keeps {
            let json = run.export(value)?;
            self.whole.push((block, json));
        }
        if open.kind == Word::text {
            return Ok(());
        }
        let place = run.recall(&open.place);
        match read_assistant_block(run, value, place)? {
            Block::Reasoning(reasoning) => {
                events.add(Event::ReasoningEnd { block, reasoning: Reasoning { at, text: None, ..reasoning } });
            }
            Block::Call(call) => {
                if open.input.is_empty()
                    && let Some(text) = arguments::text_if_any(run, &call)?
                {
                    events.add(Event::CallDelta { block, text });
                }
                events.add(Event::CallEnd { block, call });
            }
            value => events.add(Event::Block { block, value }),
        }
        Ok(())
    }

    /// Writes the complete blocks as an array.
    pub fn put(&mut self, run: &mut Run) -> Result<()> {
        run.store.begin_array();
        let order = in_order(&self.whole, |(number, _)| *number);
        for (_, json) in order.into_iter().filter_map(|position| self.whole.get(position)) {
            run.put_import(json)?;
        }
        run.store.end_array();
        Ok(())
    }
}

impl Open {
    fn keep(&mut self, run: &mut Run, keeps: bool, word: Word, value: Value, at: At) -> Result<()> {
        if keeps { self.members.add(run, Key::Word(word), value, at) } else { Ok(()) }
    }

    /// Replaces a member.
    fn assign(&mut self, run: &mut Run, key: Key, value: Value, at: At) -> Result<()> {
        if listed::ANTHROPIC.contains(&key.word()) && !GROWING.contains(&key.word()) {
            self.members.remove(key.word());
        }
        self.members.add(run, key, value, at)
    }

    /// Adds the fields of a delta of an unknown type to its block. A block that is emitted whole contains them as well.
    fn unknown_delta(&mut self, run: &mut Run, reading: Reading, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let at = reading.at();
        for member in reading.rest().family() {
            if member.key.word() != Word::r#type {
                self.assign(run, member.key, member.value, at)?;
            }
        }
        if matches!(self.kind, Word::text | Word::thinking | Word::tool_use) {
            events.add(Event::Native(Native::new(Provider::Anthropic, event, At::ROOT)));
        }
        Ok(())
    }

    /// The block as in a whole response.
    fn put(&self, run: &mut Run) -> Result<()> {
        run.store.begin_object();
        if self.input.is_empty() {
            self.members.put(run)?;
        } else {
            self.members.put_but(run, Some(Word::input))?;
            let text = self.input.value(run)?;
            // anything but an object stays text, which the reader of whole responses handles
            let parsed = run.store.parse(text).ok().filter(|parsed| run.store.kind(*parsed) == Kind::Object);
            let input = parsed.unwrap_or(text);
            let first = run.import_option(self.first_input.as_deref())?;
            if first.is_some_and(|first| !run.store.same(first, input)) {
                let at = run.recall(&self.place);
                let at = run.down(at, Word::input);
                run.warn(WarningCode::FieldDropped, at, "the deltas that follow replace it");
            }
            run.store.key(Word::input);
            run.store.put(input);
        }
        run.store.end_object();
        Ok(())
    }
}

fn open_text(run: &mut Run, mut reading: Reading, block: u32, events: &mut Vec<Event>) -> Result<()> {
    let at = reading.at();
    let text = reading.string(run, Word::text)?;
    let mut metadata = reading.rest();
    metadata.leave_format();
    metadata.retain_family(&mut |member| !run.is_void(member.value));
    let text = text.unwrap_or_else(|| run.store.string(""));
    if !run.store.is_empty(text) || !metadata.family().is_empty() {
        events.add(Event::TextDelta { at, block, text, metadata });
    }
    Ok(())
}

fn open_call(run: &mut Run, mut reading: Reading, block: u32, events: &mut Vec<Event>) -> Result<()> {
    let at = reading.at();
    let id = reading.require_string(run, Word::id)?;
    let name = arguments::take_name(run, &mut reading)?;
    reading.take_any(Word::input);
    events.add(Event::CallStart(CallStart { at, block, id, name, metadata: reading.rest() }));
    Ok(())
}

fn reasoning(at: At, block: u32, text: Value) -> Event {
    Event::ReasoningDelta { at, block, text, issuer: Provider::Anthropic, metadata: Metadata::default() }
}
