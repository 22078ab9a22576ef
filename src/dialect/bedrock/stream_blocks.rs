//! The blocks of a streamed response, assembled from their deltas (WIRE §5.8).

use super::blocks::{is_of_server, read_assistant_block};
use crate::dialect::shared::arguments;
use crate::dialect::shared::stream::{
    Fragments, Members, Parts, UnderWay, end_block, next_block, reasoning_delta, state,
};
use crate::model::{Add, CallStart, Event, Metadata};
use crate::run::{At, Key, Place, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

/// Strings that arrive in pieces.
const GROWING: &[Word] = &[Word::text];

pub struct Blocks {
    /// Whether the whole response is needed at the end.
    keeps: bool,
    /// Number of blocks so far.
    count: u32,
    /// By their indices on the wire.
    open: UnderWay<OpenBlock>,
    /// The index that the last delta had.
    latest: u32,
    /// The complete blocks.
    pub whole: Parts,
    pub has_calls: bool,
}

struct OpenBlock {
    number: u32,
    /// The position of its first event.
    place: Place,
    /// The key of the block; texts have none at first.
    kind: Word,
    members: Members,
    /// Whether it is a call that the client runs.
    is_call: bool,
    /// The pieces of `input`.
    input: Fragments,
}

impl Blocks {
    pub fn new(keeps: bool) -> Blocks {
        let (open, whole) = (UnderWay::default(), Parts::default());
        Blocks { keeps, count: 0, open, latest: 0, whole, has_calls: false }
    }

    fn begin(&mut self, run: &Run, index: u32, kind: Word, at: At) -> u32 {
        let number = next_block(&mut self.count);
        let (members, input) = (Members::new(GROWING), Fragments::default());
        self.open.begin(index, OpenBlock { number, place: run.keep_place(at), kind, is_call: false, members, input });
        number
    }

    /// Begins a block that states what it is: a call, a result, an image.
    pub fn open(&mut self, run: &mut Run, index: u32, (start, at): (Value, At), events: &mut Vec<Event>) -> Result<()> {
        self.close(run, index, at, events)?;
        let members = run.object(start, at)?.rest();
        let Some(first) = members.family_fields().first().copied() else { return Ok(()) };
        let mut others = members.clone();
        others.retain_family(&mut |member| member.key.word() != first.key.word());
        events.extend(state(run, at, others));
        let kind = first.key.word();
        let inner_at = run.down_key(at, first.key);
        let number = self.begin(run, index, kind, at);
        if kind == Word::toolUse && !is_of_server(run, first.value) {
            self.has_calls = true;
            open_call(run, (first.value, inner_at), (number, at), events)?;
        }
        let is_call = kind == Word::toolUse && !is_of_server(run, first.value);
        let Some(open) = self.open.latest_mut(index) else { return Ok(()) };
        open.is_call = is_call;
        if run.store.kind(first.value) == Kind::Object {
            open.members.add_object(run, first.value, inner_at)?;
        }
        Ok(())
    }

    /// Adds a delta. A text or reasoning begins with its first one.
    pub fn delta(
        &mut self,
        run: &mut Run,
        index: u32,
        (delta, at): (Value, At),
        events: &mut Vec<Event>,
    ) -> Result<()> {
        self.latest = index;
        let mut reading = run.object(delta, at)?;
        let key = [Word::text, Word::citation, Word::toolUse, Word::reasoningContent, Word::toolResult, Word::image];
        let key = key.into_iter().find(|key| reading.holds(run, *key)).unwrap_or(Word::Unknown);
        let usual = match key {
            Word::citation => Word::text,
            key => key,
        };
        if self.open.latest(index).is_none() {
            self.begin(run, index, usual, at);
        }
        let keeps = self.keeps;
        let Some(open) = self.open.latest_mut(index) else { return Ok(()) };
        let block = open.number;
        match key {
            Word::text => {
                let text = reading.require_string(run, Word::text)?;
                let at = run.down(at, Word::text);
                if keeps {
                    open.members.add(run, Key::Word(Word::text), text, at)?;
                }
                if !run.store.is_empty(text) {
                    run.may_repeat(&[Some(text)]);
                    events.add(Event::TextDelta { at, block, text, metadata: Metadata::default() });
                }
            }
            Word::citation => {
                let (citation, at) = reading.require(run, Word::citation)?;
                open.cite(run, citation, at, keeps, events)?;
            }
            Word::toolUse => {
                let mut inner = reading.require_object(run, Word::toolUse)?;
                let text = inner.string_or_empty(run, Word::input)?;
                open.input.push(run, text, at)?;
                let inner_at = inner.at();
                let rest = inner.rest();
                events.extend(state(run, inner_at, rest));
                if !run.store.is_empty(text) && open.is_call {
                    run.may_repeat(&[Some(text)]);
                    events.add(Event::CallDelta { block, text });
                }
            }
            Word::reasoningContent => {
                let (inner, at) = reading.require(run, Word::reasoningContent)?;
                open.reason(run, inner, at, events)?;
            }
            Word::toolResult => {
                let (pieces, at) = reading.require(run, Word::toolResult)?;
                let pieces = if run.store.kind(pieces) == Kind::Array { pieces } else { run.store.array_of(&[pieces]) };
                open.members.add(run, Key::Word(Word::content), pieces, at)?;
            }
            Word::image => {
                let (inner, at) = reading.require(run, Word::image)?;
                open.members.add_object(run, inner, at)?;
            }
            _ => {
                open.members.add_object(run, delta, at)?;
                return Ok(());
            }
        }
        events.extend(state(run, at, reading.rest()));
        Ok(())
    }

    /// Adds a text to the block of the last delta.
    pub fn repeat(&mut self, text: &[u8]) {
        match self.open.latest_mut(self.latest) {
            Some(open) if open.kind == Word::toolUse => open.input.extend(text),
            Some(open) => open.members.extend(&[Word::text], text),
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
        let is_text = open.kind == Word::text;
        if is_text && !self.keeps {
            return Ok(());
        }
        let block = open.number;
        let value = run.try_build(|run| open.put(run))?;
        run.warn_notices(at);
        if self.keeps {
            self.whole.add(run, block, value)?;
        }
        if is_text {
            return Ok(());
        }
        let place = run.recall(&open.place);
        let value = read_assistant_block(run, value, place)?;
        end_block(run, (block, value), (place, at), !open.input.is_empty(), events)
    }
}

impl OpenBlock {
    /// Adds a citation of a text.
    fn cite(&mut self, run: &mut Run, citation: Value, at: At, keeps: bool, events: &mut Vec<Event>) -> Result<()> {
        let list = run.store.array_of(&[citation]);
        if keeps {
            self.members.add(run, Key::Word(Word::citations), list, at)?;
        }
        let cited = run.build_object(|run, object| object.put(run, Word::citations, list));
        let mut metadata = Metadata::default();
        metadata.add_at(Key::Word(Word::citationsContent), cited, at);
        events.add(Event::TextDelta { at, block: self.number, text: run.store.string(""), metadata });
        Ok(())
    }

    /// Adds a piece of reasoning: a text, the signature, or what only its issuer can read.
    fn reason(&mut self, run: &mut Run, piece: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        let mut inner = run.object(piece, at)?;
        if let Some(text) = inner.string(run, Word::text)? {
            let at = run.down(at, Word::text);
            self.members.add(run, Key::Word(Word::text), text, at)?;
            if !run.store.is_empty(text) {
                run.may_repeat(&[Some(text)]);
                events.add(reasoning_delta(run.source_signer(), at, self.number, text));
            }
        }
        for word in [Word::signature, Word::redactedContent] {
            if let Some(value) = inner.string(run, word)? {
                self.members.remove(word);
                self.members.add(run, Key::Word(word), value, at)?;
            }
        }
        events.extend(state(run, at, inner.rest()));
        Ok(())
    }

    /// The block as in a whole response.
    fn put(&self, run: &mut Run) -> Result<()> {
        run.store.begin_object();
        match self.kind {
            Word::text if self.members.has(Word::citations) => {
                run.store.key(Word::citationsContent);
                self.put_cited(run)?;
            }
            Word::text if !self.members.has(Word::text) => {
                run.store.key(Word::text);
                run.store.put_text("");
            }
            Word::text | Word::Unknown => self.members.put(run)?,
            Word::reasoningContent => {
                run.store.key(Word::reasoningContent);
                self.put_reasoning(run)?;
            }
            kind => {
                run.store.key(kind);
                run.store.begin_object();
                self.put_inner(run)?;
                run.store.end_object();
            }
        }
        run.store.end_object();
        Ok(())
    }

    fn put_cited(&self, run: &mut Run) -> Result<()> {
        run.store.begin_object();
        run.store.key(Word::content);
        run.store.begin_array();
        run.store.begin_object();
        run.store.key(Word::text);
        match self.members.value(run, Word::text)? {
            Some(text) => run.store.put(text),
            None => run.store.put_text(""),
        }
        run.store.end_object();
        run.store.end_array();
        self.members.put_but(run, &[Word::text])?;
        run.store.end_object();
        Ok(())
    }

    fn put_reasoning(&self, run: &mut Run) -> Result<()> {
        let is_redacted = self.members.has(Word::redactedContent);
        let has_text = self.members.has(Word::text) || self.members.has(Word::signature);
        run.store.begin_object();
        if has_text {
            run.store.key(Word::reasoningText);
            run.store.begin_object();
            if !self.members.has(Word::text) {
                run.store.key(Word::text);
                run.store.put_text("");
            }
            self.members.put_but(run, &[Word::redactedContent])?;
            run.store.end_object();
        } else if !is_redacted {
            self.members.put(run)?;
        }
        if is_redacted && let Some(redacted) = self.members.value(run, Word::redactedContent)? {
            run.store.key(Word::redactedContent);
            run.store.put(redacted);
        }
        run.store.end_object();
        Ok(())
    }

    fn put_inner(&self, run: &mut Run) -> Result<()> {
        if self.kind != Word::toolUse {
            return self.members.put(run);
        }
        self.members.put_but(run, &[Word::input])?;
        run.store.key(Word::input);
        if self.input.is_empty() {
            run.store.begin_object();
            run.store.end_object();
            return Ok(());
        }
        let text = self.input.value(run)?;
        // anything but an object stays text, which the reader of whole responses handles
        let parsed = run.store.parse(text).ok().filter(|parsed| run.store.kind(*parsed) == Kind::Object);
        run.store.put(parsed.unwrap_or(text));
        Ok(())
    }
}

fn open_call(
    run: &mut Run,
    (start, start_at): (Value, At),
    (block, at): (u32, At),
    events: &mut Vec<Event>,
) -> Result<()> {
    let mut reading: Reading = run.object(start, start_at)?;
    let id = reading.require_string(run, Word::toolUseId)?;
    let name = arguments::take_name(run, &mut reading)?;
    if let Some(kind) = reading.peek(Word::r#type).filter(|kind| run.store.word(*kind) == Word::tool_use) {
        reading.take_any(Word::r#type);
        reading.note(Word::r#type, kind);
    }
    let mut metadata = Metadata::default();
    reading.rest_into(run, Word::toolUse, &mut metadata);
    events.add(Event::CallStart(CallStart { at, block, id, name, metadata }));
    Ok(())
}
