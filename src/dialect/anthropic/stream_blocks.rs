//! The blocks of a streamed response, assembled from their deltas (Q155–Q158).

use super::messages::read_assistant_block;
use crate::dialect::shared::arguments;
use crate::dialect::shared::stream::{
    Fragments, Members, Parts, UnderWay, end_block, next_block, reasoning_delta, state,
};
use crate::model::{Add, CallStart, Event, Metadata, Native};
use crate::run::{At, ErrorCode, Key, Leaves, Place, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word, listed};

/// Strings that arrive in pieces.
const GROWING: &[Word] = &[Word::text, Word::thinking];

/// What a type of delta adds to a block.
pub struct DeltaRow {
    /// The type of the block; None for any.
    pub block: Option<Word>,
    pub member: Word,
    /// Of the member: a string is in the delta, of an array it has one element, and of an object it has JSON text.
    pub kind: Kind,
    /// The type of the delta, and the key of what it adds.
    pub delta: Word,
    pub key: Word,
}

const fn piece(block: Option<Word>, (member, kind): (Word, Kind), (delta, key): (Word, Word)) -> DeltaRow {
    DeltaRow { block, member, kind, delta, key }
}

/// The pieces of blocks. Of a block, its content is first.
pub const DELTAS: [DeltaRow; 5] = [
    piece(Some(Word::text), (Word::text, Kind::String), (Word::text_delta, Word::text)),
    piece(Some(Word::text), (Word::citations, Kind::Array), (Word::citations_delta, Word::citation)),
    piece(Some(Word::thinking), (Word::thinking, Kind::String), (Word::thinking_delta, Word::thinking)),
    piece(Some(Word::thinking), (Word::signature, Kind::String), (Word::signature_delta, Word::signature)),
    piece(None, (Word::input, Kind::Object), (Word::input_json_delta, Word::partial_json)),
];

impl DeltaRow {
    /// Whether a block of this type has such pieces.
    pub fn is_of(&self, block: Word) -> bool {
        self.block.is_none_or(|known| known == block)
    }
}

pub struct Blocks {
    /// Whether the whole response is needed at the end.
    keeps: bool,
    /// Number of blocks so far.
    count: u32,
    /// By their indices on the wire, which are reused after results of the provider's own tools (Q157).
    open: UnderWay<OpenBlock>,
    /// The index that the last delta had.
    latest: u32,
    /// The complete blocks.
    pub whole: Parts,
    pub has_calls: bool,
}

struct OpenBlock {
    number: u32,
    /// The position of its start event.
    place: Place,
    kind: Word,
    /// Whether the block is needed at its end. A text was emitted by then.
    is_kept: bool,
    members: Members,
    /// The pieces of `input`, which is not a string.
    input: Fragments,
}

impl Blocks {
    pub fn new(keeps: bool) -> Blocks {
        let (open, whole) = (UnderWay::default(), Parts::default());
        Blocks { keeps, count: 0, open, latest: 0, whole, has_calls: false }
    }

    pub fn is_open(&self, index: u32) -> bool {
        self.open.latest(index).is_some()
    }

    /// Starts a block and emits the content that it already has.
    pub fn open(&mut self, run: &mut Run, index: u32, (value, at): (Value, At), events: &mut Vec<Event>) -> Result<()> {
        let mut reading = run.object(value, at)?;
        let (kind, kind_at) = reading.require(run, Word::r#type)?;
        let kind = run.store.word(run.string(kind, kind_at)?);
        let number = next_block(&mut self.count);
        match kind {
            Word::text => open_text(run, reading, number, events)?,
            Word::thinking => {
                let text = reading.string(run, Word::thinking)?.filter(|text| !run.store.is_empty(*text));
                events.extend(text.map(|text| reasoning_delta(run.route.source_provider(), at, number, text)));
            }
            Word::tool_use => {
                self.has_calls = true;
                open_call(run, reading, number, events)?;
            }
            _ => {}
        }
        let is_kept = self.keeps || kind != Word::text;
        let mut members = Members::new(GROWING);
        if is_kept {
            members.add_object(run, value, at)?;
        }
        let input = Fragments::default();
        self.open.begin(index, OpenBlock { number, place: run.keep_place(at), kind, is_kept, members, input });
        Ok(())
    }

    /// Adds a delta to the latest block with that index.
    pub fn delta(
        &mut self,
        run: &mut Run,
        index: u32,
        (delta, at): (Value, At),
        event: Value,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        self.latest = index;
        let Some(open) = self.open.latest_mut(index) else {
            return run.fail(ErrorCode::InvalidStream, at, "no block with this index is open");
        };
        let mut reading = run.object(delta, at)?;
        let (kind, kind_at) = reading.require(run, Word::r#type)?;
        let kind = run.store.word(run.string(kind, kind_at)?);
        let Some(piece) = DELTAS.iter().find(|piece| piece.delta == kind && piece.is_of(open.kind)) else {
            return open.unknown_delta(run, reading, event, events);
        };
        let (value, value_at) = match piece.kind {
            Kind::Array => {
                let (added, added_at) = reading.require(run, piece.key)?;
                (run.store.array_of(&[added]), added_at)
            }
            // some servers leave out an empty piece
            _ => (reading.string_or_empty(run, piece.key)?, run.down(at, piece.key)),
        };
        open.add(run, piece, value, value_at)?;
        if let Some(event) = open.event(run, piece, (value, value_at), at) {
            run.may_repeat(&[event.text()]);
            events.add(event);
        }
        events.extend(state(run, at, reading.rest()));
        Ok(())
    }

    /// Adds a text to the block of the last delta.
    pub fn repeat(&mut self, text: &[u8]) {
        match self.open.latest_mut(self.latest) {
            Some(open) if open.kind == Word::tool_use => open.input.extend(text),
            Some(open) => open.members.extend(&[open.kind], text),
            None => {}
        }
    }

    /// Ends a block.
    pub fn close(&mut self, run: &mut Run, index: u32, at: At, events: &mut Vec<Event>) -> Result<()> {
        self.open.end_latest(index).map_or(Ok(()), |open| self.complete(run, &open, at, events))
    }

    /// Ends all blocks.
    pub fn close_all(&mut self, run: &mut Run, at: At, events: &mut Vec<Event>) -> Result<()> {
        while let Some(open) = self.open.end_first() {
            self.complete(run, &open, at, events)?;
        }
        Ok(())
    }

    fn complete(&mut self, run: &mut Run, open: &OpenBlock, at: At, events: &mut Vec<Event>) -> Result<()> {
        if !open.is_kept {
            return Ok(());
        }
        let block = open.number;
        let value = run.try_build(|run| open.put(run))?;
        run.warn_notices(at);
        if self.keeps {
            self.whole.add(run, block, value)?;
        }
        if open.kind == Word::text {
            return Ok(());
        }
        let place = run.recall(&open.place);
        let value = read_assistant_block(run, value, place)?;
        end_block(run, (block, value), (place, at), !open.input.is_empty(), events)
    }
}

impl OpenBlock {
    /// Adds a piece of a member.
    fn add(&mut self, run: &mut Run, piece: &DeltaRow, value: Value, at: At) -> Result<()> {
        if piece.kind == Kind::Object {
            self.input.push(run, value, at)
        } else if piece.kind == Kind::String && !GROWING.contains(&piece.member) {
            self.assign(run, Key::Word(piece.member), value, at)
        } else if self.is_kept && !run.is_void(value) {
            self.members.add(run, Key::Word(piece.member), value, at).map(|_| ())
        } else {
            Ok(())
        }
    }

    /// The event for a piece in the delta at `at`; None if it is not emitted before the end of the block.
    fn event(&self, run: &mut Run, piece: &DeltaRow, (value, value_at): (Value, At), at: At) -> Option<Event> {
        let (block, text, mut metadata) = (self.number, value, Metadata::default());
        match piece.member {
            Word::citations => {
                metadata.add_at(Key::Word(piece.member), value, value_at);
                Some(Event::TextDelta { at, block, text: run.store.string(""), metadata })
            }
            _ if run.store.is_empty(text) => None,
            Word::text => Some(Event::TextDelta { at: value_at, block, text, metadata }),
            Word::thinking => Some(reasoning_delta(run.route.source_provider(), value_at, block, text)),
            Word::input if self.kind == Word::tool_use => Some(Event::CallDelta { block, text }),
            _ => None,
        }
    }

    /// Replaces a member.
    fn assign(&mut self, run: &mut Run, key: Key, value: Value, at: At) -> Result<()> {
        if listed::ANTHROPIC.contains(&key.word()) && !GROWING.contains(&key.word()) {
            self.members.remove(key.word());
        }
        self.members.add(run, key, value, at)?;
        Ok(())
    }

    /// Adds the fields of a delta of an unknown type to its block. A block that is emitted whole contains them as well.
    fn unknown_delta(&mut self, run: &mut Run, reading: Reading, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let at = reading.at();
        for member in reading.rest().family_fields() {
            if member.key.word() != Word::r#type {
                self.assign(run, member.key, member.value, at)?;
            }
        }
        if matches!(self.kind, Word::text | Word::thinking | Word::tool_use) {
            events.add(Event::Native(Native::of_source(run, event, At::ROOT)));
        }
        Ok(())
    }

    /// The block as in a whole response.
    fn put(&self, run: &mut Run) -> Result<()> {
        run.store.begin_object();
        if self.input.is_empty() {
            self.members.put(run)?;
        } else {
            self.members.put_but(run, &[Word::input])?;
            let text = self.input.value(run)?;
            // anything but an object stays text, which the reader of whole responses handles
            let parsed = run.store.parse(text).ok().filter(|parsed| run.store.kind(*parsed) == Kind::Object);
            let input = parsed.unwrap_or(text);
            let first = self.members.value(run, Word::input)?;
            if first.is_some_and(|first| !run.is_void(first) && !run.store.same(first, input)) {
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
    let text = reading.string_or_empty(run, Word::text)?;
    let mut metadata = reading.rest();
    metadata.leave(Leaves::Format);
    metadata.retain_family(&mut |member| !run.is_void(member.value));
    if !run.store.is_empty(text) || !metadata.family_fields().is_empty() {
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
