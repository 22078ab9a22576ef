//! Reads streams (WIRE §7.8): typed events, whose deltas contain pieces of the message. Content and calls are numbered apart.

use super::messages::{CALL_ID, plan, read_call, read_part};
use super::response::{FINISH, keep_reason, read_usage};
use super::stream_events::{EVENTS, MESSAGE_START, OPENING, take_piece};
use crate::dialect::shared::stream::{
    Decode, Members, Parts, UnderWay, next_block, open_event, reasoning_delta, refuse, state,
};
use crate::dialect::shared::{arguments, finish};
use crate::model::{Add, CallStart, ChatError, ChatErrorCode, End, Event, Metadata, Native, Reasoning, Start};
use crate::run::{At, ErrorCode, Key, Place, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    let message = Members::new(GROWING);
    Some(Box::new(Decoder { keeps, message, ..Decoder::default() }))
}

/// Strings that arrive in pieces.
const GROWING: &[Word] = &[Word::text, Word::thinking, Word::tool_plan, Word::arguments];

#[derive(Default)]
struct Decoder {
    /// Whether the whole response is needed at the end.
    keeps: bool,
    has_started: bool,
    /// The id in the first event, which the last one repeats.
    id: Option<String>,
    is_done: bool,
    has_calls: bool,
    /// Number of blocks so far.
    blocks: u32,
    /// The fields of the response apart from its message.
    fields: Members,
    /// The fields of the message apart from content and calls.
    message: Members,
    /// The open parts of the content and the open calls, by their indices on the wire.
    content: UnderWay<OpenBlock>,
    calls: UnderWay<OpenBlock>,
    plan: Option<u32>,
    /// What is complete.
    parts: Parts,
    whole_calls: Parts,
    latest: Latest,
}

struct OpenBlock {
    number: u32,
    /// The position of its first event.
    place: Place,
    members: Members,
}

/// The string that the last event appended to.
#[derive(Clone, Copy, Default)]
enum Latest {
    #[default]
    None,
    Content(u32, Word),
    Call(u32),
}

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let (reading, kind) = open_event(run, event)?;
        let is_error = reading.peek(Word::message).is_some_and(|message| run.store.kind(message) == Kind::String);
        if is_error && kind.is_none() || kind == Some(Word::error) {
            let error = super::error::read(run, event)?;
            self.close(run, At::ROOT, events)?;
            events.add(Event::Error(error));
            return Ok(());
        }
        let Some(kind) = kind.filter(|kind| EVENTS.contains(kind)) else {
            if !self.has_started {
                return refuse(run, (event, &reading), kind, ("a Cohere", OPENING));
            }
            events.add(Event::Native(Native::of_source(run, event, At::ROOT)));
            return Ok(());
        };
        if !self.has_started && kind != OPENING {
            return run.fail(ErrorCode::InvalidStream, At::ROOT, "a stream of Cohere begins with message-start");
        }
        self.latest = Latest::None;
        match kind {
            OPENING => self.start(run, reading, events),
            Word::tool_plan_delta_event => self.plan(run, reading, events),
            Word::message_end_event => self.finish(run, reading, events),
            Word::citation_start_event | Word::citation_end_event => self.citation(run, (event, kind), reading, events),
            Word::content_start_event | Word::content_delta_event | Word::content_end_event => {
                self.part(run, kind, reading, events)
            }
            _ => self.call(run, kind, reading, events),
        }
    }

    fn missing(&mut self, run: &mut Run, event: Value) -> Result<Option<Value>> {
        let kind = run.type_of(event);
        let is_later = !self.has_started && kind != OPENING && EVENTS.contains(&kind);
        is_later.then(|| run.import(MESSAGE_START)).transpose()
    }

    fn repeat(&mut self, text: &[u8]) {
        match self.latest {
            Latest::Content(index, word) => {
                if let Some(open) = self.content.latest_mut(index) {
                    open.members.extend(&[word], text);
                }
            }
            Latest::Call(index) => {
                if let Some(open) = self.calls.latest_mut(index) {
                    open.members.extend(&[Word::function, Word::arguments], text);
                }
            }
            Latest::None => {}
        }
    }

    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.close(run, At::ROOT, events)
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn body(&mut self, run: &mut Run) -> Result<Value> {
        run.try_build(|run| {
            run.store.begin_object();
            self.fields.put(run)?;
            run.store.key(Word::message);
            run.store.begin_object();
            self.message.put(run)?;
            if self.parts.next() > 0 {
                run.store.key(Word::content);
                self.parts.put(run)?;
            }
            if self.has_calls {
                run.store.key(Word::tool_calls);
                self.whole_calls.put(run)?;
            }
            run.store.end_object();
            run.store.end_object();
            Ok(())
        })
    }
}

impl Decoder {
    fn start(&mut self, run: &mut Run, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = reading.at();
        if std::mem::replace(&mut self.has_started, true) {
            return run.fail(ErrorCode::InvalidStream, at, "another message starts before this one has ended");
        }
        let id = reading.string(run, Word::id)?;
        if let Some(id) = id {
            self.id = Some(run.store.owned_text(id));
            self.fields.add(run, Key::Word(Word::id), id, at)?;
        }
        let mut metadata = Metadata::default();
        if let Some(mut delta) = reading.object(run, Word::delta)? {
            if let Some(mut message) = delta.object(run, Word::message)? {
                if let Some(role) = message.take_any(Word::role) {
                    self.message.add(run, Key::Word(Word::role), role, at)?;
                }
                for word in [Word::content, Word::tool_plan, Word::tool_calls, Word::citations] {
                    if message.peek(word).is_some_and(|value| run.is_void(value)) {
                        message.take_any(word);
                    }
                }
                message.rest_into(run, Word::message, &mut metadata);
            }
            delta.rest_into(run, Word::delta, &mut metadata);
        }
        metadata.append(reading.rest());
        self.keep(run, &metadata, at)?;
        events.add(Event::Start(Start { at, id, model: None, metadata }));
        Ok(())
    }

    /// Keeps fields of the response.
    fn keep(&mut self, run: &mut Run, metadata: &Metadata, at: At) -> Result<()> {
        if self.keeps { self.fields.add_all(run, metadata, at) } else { Ok(()) }
    }

    fn rest(&mut self, run: &mut Run, at: At, rest: Metadata, events: &mut Vec<Event>) -> Result<()> {
        self.keep(run, &rest, at)?;
        events.extend(state(run, at, rest));
        Ok(())
    }

    fn open(&mut self, run: &Run, at: At) -> OpenBlock {
        OpenBlock { number: next_block(&mut self.blocks), place: run.keep_place(at), members: Members::new(GROWING) }
    }

    // ── texts and reasoning ──────────────────────────────────────────────────────────────────────────────────────

    fn part(&mut self, run: &mut Run, kind: Word, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = reading.at();
        let index = reading.number(run, Word::index)?.unwrap_or_default() as u32;
        if kind == Word::content_start_event {
            self.close_part(run, index, at, events)?;
        }
        let (piece, rest) = take_piece(run, reading, Word::content)?;
        if kind != Word::content_end_event || piece.is_some() {
            self.close_plan(run, at, events);
            if self.content.latest(index).is_none() {
                let open = self.open(run, at);
                self.content.begin(index, open);
            }
        }
        let alone = rest.is_empty();
        self.rest(run, at, rest, events)?;
        if let Some(piece) = piece {
            self.grow(run, index, piece, alone && kind == Word::content_delta_event, events)?;
        }
        if kind == Word::content_end_event {
            self.close_part(run, index, at, events)?;
        }
        Ok(())
    }

    /// Adds a piece to a part. `alone`: the event has nothing else.
    fn grow(
        &mut self,
        run: &mut Run,
        index: u32,
        (piece, at): (Value, At),
        alone: bool,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let Some(open) = self.content.latest_mut(index) else { return Ok(()) };
        let block = open.number;
        open.members.add_object(run, piece, at)?;
        let mut reading = run.object(piece, at)?;
        let kind = reading.take_any(Word::r#type).map(|kind| run.store.word(kind));
        if kind.is_some_and(|kind| !matches!(kind, Word::text | Word::thinking)) {
            return Ok(());
        }
        let [text, thinking] = [Word::text, Word::thinking].map(|word| reading.take_at(run, word));
        let mut metadata = reading.rest();
        run.place(&mut metadata, at);
        let is_text = thinking.is_none();
        let Some((text, at)) = thinking.or(text) else { return Ok(()) };
        let text = run.string(text, at)?;
        if run.store.is_empty(text) && metadata.is_empty() {
            return Ok(());
        }
        if alone && metadata.is_empty() && kind.is_none() {
            self.latest = Latest::Content(index, if is_text { Word::text } else { Word::thinking });
            run.may_repeat(&[Some(text)]);
        }
        events.add(match is_text {
            true => Event::TextDelta { at, block, text, metadata },
            false => Event::ReasoningDelta { at, block, text, issuer: run.route.source_provider(), metadata },
        });
        Ok(())
    }

    fn close_part(&mut self, run: &mut Run, index: u32, at: At, events: &mut Vec<Event>) -> Result<()> {
        self.content.end_latest(index).map_or(Ok(()), |open| self.complete(run, &open, at, events))
    }

    fn complete(&mut self, run: &mut Run, open: &OpenBlock, at: At, events: &mut Vec<Event>) -> Result<()> {
        let (block, provider) = (open.number, run.route.source_provider());
        let is_thinking = open.members.has(Word::thinking);
        let value = run.try_build(|run| {
            run.store.begin_object();
            if !open.members.has(Word::r#type) {
                run.store.key(Word::r#type);
                run.store.put_word(if is_thinking { Word::thinking } else { Word::text });
            }
            let put = open.members.put(run);
            run.store.end_object();
            put
        })?;
        if self.keeps {
            self.parts.add(run, block, value)?;
        }
        if is_thinking {
            events.add(Event::ReasoningEnd { block, reasoning: Reasoning::empty(at, provider) });
        } else if !matches!(run.type_of(value), Word::text | Word::thinking) {
            let place = run.recall(&open.place);
            let value = read_part(run, value, place)?;
            events.add(Event::Block { block, value });
        }
        Ok(())
    }

    fn plan(&mut self, run: &mut Run, reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = reading.at();
        let (piece, rest) = take_piece(run, reading, Word::tool_plan)?;
        if let Some((text, at)) = piece {
            let text = run.string(text, at)?;
            self.message.add(run, Key::Word(Word::tool_plan), text, at)?;
            if !run.store.is_empty(text) {
                let block = *self.plan.get_or_insert_with(|| next_block(&mut self.blocks));
                let Reasoning { issuer, metadata, .. } = plan(run, at, None);
                events.add(match reasoning_delta(issuer, at, block, text) {
                    Event::ReasoningDelta { at, block, text, issuer, .. } => {
                        Event::ReasoningDelta { at, block, text, issuer, metadata }
                    }
                    other => other,
                });
            }
        }
        self.rest(run, at, rest, events)
    }

    fn close_plan(&mut self, run: &mut Run, at: At, events: &mut Vec<Event>) {
        if let Some(block) = self.plan.take() {
            events.add(Event::ReasoningEnd { block, reasoning: plan(run, at, None) });
        }
    }

    // ── calls ────────────────────────────────────────────────────────────────────────────────────────────────────

    fn call(&mut self, run: &mut Run, kind: Word, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = reading.at();
        let index = reading.number(run, Word::index)?.unwrap_or_default() as u32;
        let (piece, rest) = take_piece(run, reading, Word::tool_calls)?;
        let alone = rest.is_empty();
        self.rest(run, at, rest, events)?;
        self.close_plan(run, at, events);
        match kind {
            Word::tool_call_end_event => {
                if let Some(piece) = piece {
                    self.grow_call(run, index, piece, false, events)?;
                }
                self.calls.end_latest(index).map_or(Ok(()), |open| self.complete_call(run, &open, events))
            }
            Word::tool_call_start_event => {
                if let Some(open) = self.calls.end_latest(index) {
                    self.complete_call(run, &open, events)?;
                }
                let Some(piece) = piece else {
                    return run.fail(ErrorCode::InvalidStream, at, "the event has no call");
                };
                self.open_call(run, index, piece, events)
            }
            _ => piece.map_or(Ok(()), |piece| self.grow_call(run, index, piece, alone, events)),
        }
    }

    fn open_call(&mut self, run: &mut Run, index: u32, (call, at): (Value, At), events: &mut Vec<Event>) -> Result<()> {
        let mut open = self.open(run, at);
        open.members.add_object(run, call, at)?;
        self.has_calls = true;
        let block = open.number;
        self.calls.begin(index, open);
        let mut reading = run.object(call, at)?;
        reading.take_any(Word::r#type);
        let id = CALL_ID.take(run, &mut reading)?;
        let mut function = reading.require_object(run, Word::function)?;
        let name = arguments::take_name(run, &mut function)?;
        let text = function.string_or_empty(run, Word::arguments)?;
        let mut metadata = reading.rest();
        function.rest_into(run, Word::function, &mut metadata);
        events.add(Event::CallStart(CallStart { at, block, id, name, metadata }));
        if !run.store.is_empty(text) {
            events.add(Event::CallDelta { block, text });
        }
        Ok(())
    }

    fn grow_call(
        &mut self,
        run: &mut Run,
        index: u32,
        (piece, at): (Value, At),
        alone: bool,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let Some(open) = self.calls.latest_mut(index) else {
            return run.fail(ErrorCode::InvalidStream, at, "the call has not begun");
        };
        let block = open.number;
        open.members.add_object(run, piece, at)?;
        let function = run.field(piece, Word::function);
        let text = function.and_then(|function| run.field(function, Word::arguments));
        if let Some(text) = text.filter(|text| run.store.kind(*text) == Kind::String && !run.store.is_empty(*text)) {
            if alone {
                self.latest = Latest::Call(index);
                run.may_repeat(&[Some(text)]);
            }
            events.add(Event::CallDelta { block, text });
        }
        Ok(())
    }

    fn complete_call(&mut self, run: &mut Run, open: &OpenBlock, events: &mut Vec<Event>) -> Result<()> {
        let value = open.members.object(run)?;
        let place = run.recall(&open.place);
        if self.keeps {
            self.whole_calls.add(run, open.number, value)?;
        }
        let call = read_call(run, value, place)?;
        run.warn_notices(place);
        events.add(Event::CallEnd { block: open.number, call });
        Ok(())
    }

    // ── citations and the end ────────────────────────────────────────────────────────────────────────────────────

    /// A citation, which only Cohere understands.
    fn citation(
        &mut self,
        run: &mut Run,
        (event, kind): (Value, Word),
        reading: Reading,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let (citation, _) = take_piece(run, reading, Word::citations)?;
        if let Some((citation, at)) = citation.filter(|_| self.keeps && kind == Word::citation_start_event) {
            let list = match run.store.kind(citation) {
                Kind::Array => citation,
                _ => run.store.array_of(&[citation]),
            };
            self.message.add(run, Key::Word(Word::citations), list, at)?;
        }
        events.add(Event::Native(Native::of_source(run, event, At::ROOT)));
        Ok(())
    }

    /// Ends what is open.
    fn close(&mut self, run: &mut Run, at: At, events: &mut Vec<Event>) -> Result<()> {
        self.close_plan(run, at, events);
        while let Some(open) = self.content.end_first() {
            self.complete(run, &open, at, events)?;
        }
        while let Some(open) = self.calls.end_first() {
            self.complete_call(run, &open, events)?;
        }
        Ok(())
    }

    fn finish(&mut self, run: &mut Run, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        self.close(run, reading.at(), events)?;
        let id = reading.peek(Word::id).filter(|id| run.store.kind(*id) == Kind::String);
        if id.is_none_or(|id| Some(run.store.owned_text(id)) == self.id) {
            reading.take_any(Word::id);
        }
        let Some(mut delta) = reading.object(run, Word::delta)? else {
            let (at, rest) = (reading.at(), reading.rest());
            return self.rest(run, at, rest, events);
        };
        let (end_at, at) = (reading.at(), delta.at());
        if let Some((usage, at)) = delta.take_at(run, Word::usage) {
            self.fields.add(run, Key::Word(Word::usage), usage, at)?;
            events.add(Event::Usage(Box::new(read_usage(run, usage, at)?)));
        }
        let raw = delta.string(run, Word::finish_reason)?;
        if let Some(raw) = raw {
            self.fields.add(run, Key::Word(Word::finish_reason), raw, at)?;
        }
        let error = delta.string_at(run, Word::error)?;
        let mut metadata = Metadata::default();
        run.add_below(&mut metadata, &delta.rest(), at);
        self.rest(run, end_at, reading.rest(), events)?;
        if let Some((message, at)) = error {
            self.keep(run, &metadata, at)?;
            let mut failure = ChatError { metadata, ..ChatError::of_api(at, message) };
            if raw.is_some_and(|raw| run.store.word(raw) == Word::TIMEOUT) {
                failure.code = ChatErrorCode::Timeout;
            }
            events.add(Event::Error(failure));
            return Ok(());
        }
        if std::mem::replace(&mut self.is_done, true) {
            return self.rest(run, at, metadata, events);
        }
        self.keep(run, &metadata, at)?;
        let finish = finish::read(run, FINISH, raw, self.has_calls);
        keep_reason(run, raw, self.has_calls, &mut metadata);
        let at = run.down(at, Word::finish_reason);
        events.add(Event::Finish(End { at, finish, raw, metadata }));
        Ok(())
    }
}
