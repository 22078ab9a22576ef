//! Reads streams (WIRE §4.8): each chunk is a piece of the response, in the form of a whole one.

use super::mocks;
use super::partial::{OpenCall, continues, part_of};
use super::parts::read_piece;
use super::response::{FINISH, read_usage};
use super::stream_whole::{Candidate, plain_text};
use crate::dialect::shared::stream::{Decode, Members, emit_call, next_block, reasoning_delta, skip_foreign, state};
use crate::dialect::shared::{choices, finish};
use crate::model::{Add, Block, End, Event, Finish, Metadata, Native, Reasoning, Start};
use crate::run::{At, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    Some(Box::new(Decoder { keeps, ..Decoder::default() }))
}

/// The fields of which a chunk has at least one.
const MARKS: [Word; 5] =
    [Word::candidates, Word::promptFeedback, Word::usageMetadata, Word::responseId, Word::modelVersion];

#[derive(Default)]
struct Decoder {
    /// Whether the whole response is needed at the end.
    keeps: bool,
    has_started: bool,
    /// Fields beside the candidates.
    head: Members,
    /// The first id of the response, as JSON text: call ids are generated from it.
    id: Option<Vec<u8>>,
    /// The usage so far.
    usage: Members,
    /// Whether ids can be generated before the arguments are known.
    seeded: bool,
    blocks: u32,
    text: Option<OpenText>,
    call: Option<OpenCall>,
    /// The candidate that arrived first is the one that is converted. The others are assembled if the whole response is needed.
    candidates: Vec<Candidate>,
    has_calls: bool,
}

/// The candidates of a response that was only an error.
const NO_CANDIDATES: &[u8] = br#"[{"index":0,"content":{"role":"model","parts":[]}}]"#;

/// The open text.
#[derive(Clone, Copy)]
struct OpenText {
    block: u32,
    is_thought: bool,
}

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let is_error = |run: &mut Run, value| {
            run.store.kind(value) == Kind::Object
                && run.member(value, Word::error).is_some_and(|error| run.store.kind(error) != Kind::Null)
        };
        if run.store.kind(event) != Kind::Array {
            if is_error(run, event) {
                return self.read_error(run, event, events);
            }
            return self.read_chunk(run, event, At::ROOT, events);
        }
        let elements = run.elements(event, At::ROOT)?;
        if let Some(first) = elements.first()
            && is_error(run, first)
        {
            return self.read_error(run, event, events);
        }
        for (chunk, at) in elements {
            self.read_chunk(run, chunk, at, events)?;
        }
        Ok(())
    }

    fn repeat(&mut self, text: &[u8]) {
        if let Some(candidate) = self.candidates.first_mut().filter(|_| self.keeps) {
            candidate.repeat(text);
        }
    }

    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.close(run, At::ROOT, events)
    }

    fn body(&mut self, run: &mut Run) -> Result<Value> {
        run.try_build(|run| self.put(run))
    }
}

impl Decoder {
    fn read_error(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let error = super::error::read(run, event)?;
        self.close(run, At::ROOT, events)?;
        events.add(Event::Error(error));
        Ok(())
    }

    fn read_chunk(&mut self, run: &mut Run, value: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        let mut chunk = run.object(value, at)?;
        if !MARKS.iter().any(|word| chunk.has(*word)) {
            return skip_foreign(run, (value, at), "this is not a chunk of a Gemini stream");
        }
        let mut mocked = mocks::content(run, &mut chunk);
        let usage = chunk.take_at(run, Word::usageMetadata);
        let candidates = chunk.take_at(run, Word::candidates);
        let blocked = self.read_head(run, chunk, events)?;
        let mut finish = None;
        let mut has_one_candidate = false;
        if let Some((candidates, at)) = candidates {
            let candidates = run.elements(candidates, at)?;
            has_one_candidate = candidates.len() == 1;
            for (candidate, at) in candidates {
                finish = self.read_candidate(run, (candidate, at), mocked.take(), events)?.or(finish);
            }
        }
        if let Some((usage, at)) = usage
            && let Some(usage) = self.add_usage(run, usage, at)?
        {
            events.add(Event::Usage(Box::new(read_usage(run, usage, at)?)));
        }
        if let Some(at) = blocked.filter(|_| self.candidates.is_empty()) {
            let (finish, metadata) = (Finish::ContentFilter, Metadata::default());
            events.add(Event::Finish(End { at, finish, raw: None, metadata }));
        }
        events.extend(finish);
        if let [event] = events.as_slice()
            && let Some(text) = event.text().filter(|_| has_one_candidate && at == At::ROOT)
        {
            run.may_repeat(&[Some(text)]);
        }
        Ok(())
    }

    /// Reads the fields beside the candidates: emitted at the start, and later when they change. Returns the position of the feedback that the prompt
    /// was blocked, if it was (Q182).
    fn read_head(&mut self, run: &mut Run, mut chunk: Reading, events: &mut Vec<Event>) -> Result<Option<At>> {
        let at = chunk.at();
        let feedback = chunk.peek(Word::promptFeedback).filter(|feedback| run.store.kind(*feedback) == Kind::Object);
        let is_blocked = feedback.and_then(|feedback| run.member(feedback, Word::blockReason)).is_some();
        let blocked = is_blocked.then(|| run.down(at, Word::promptFeedback));
        for word in [Word::responseId, Word::modelVersion] {
            if let Some(value) = chunk.peek(word).filter(|value| run.store.kind(*value) != Kind::Null) {
                let at = run.down(at, word);
                run.string(value, at)?;
            } else {
                chunk.take_any(word);
            }
        }
        if self.id.is_none() {
            self.id = run.export_option(chunk.peek(Word::responseId).filter(|id| !run.store.is_empty(*id)))?;
        }
        let news = self.head.news(run, &chunk.rest(), &[])?;
        if self.has_started {
            events.extend(state(run, at, news));
            return Ok(blocked);
        }
        self.has_started = true;
        let mut metadata = news;
        let [id, model] = [Word::responseId, Word::modelVersion].map(|word| {
            let value = metadata.family_field(word);
            metadata.set_family_field(word, None);
            value
        });
        self.seeded = id.is_some() || run.options.id_seed.is_some();
        events.add(Event::Start(Start { at, id, model, metadata }));
        Ok(blocked)
    }

    /// The usage so far, if the chunk's differs: counts are cumulative, but a chunk may lack some of them. Without a total, an earlier one is outdated.
    fn add_usage(&mut self, run: &mut Run, usage: Value, at: At) -> Result<Option<Value>> {
        let members = run.object(usage, at)?.rest();
        if members.family_fields().is_empty() {
            return Ok(None);
        }
        let is_outdated =
            self.usage.has(Word::totalTokenCount) && members.family_field(Word::totalTokenCount).is_none();
        if is_outdated {
            self.usage.remove(Word::totalTokenCount);
        }
        let mut is_new = is_outdated;
        for member in members.family_fields() {
            is_new |= self.usage.add(run, member.key, member.value, at)?;
        }
        let is_whole = self.usage.len() == members.family_fields().len();
        match is_new {
            false => Ok(None),
            true if is_whole => Ok(Some(usage)),
            true => self.usage.object(run).map(Some),
        }
    }

    /// Reads a candidate. Returns the finish of the response, if the candidate has one.
    fn read_candidate(
        &mut self,
        run: &mut Run,
        (value, at): (Value, At),
        mocked: Option<(Value, At)>,
        events: &mut Vec<Event>,
    ) -> Result<Option<Event>> {
        let mut candidate = run.object(value, at)?;
        let index = choices::index_of(run, &candidate)?;
        let place = choices::place(&mut self.candidates, index, |candidate| candidate.index, Candidate::new);
        if place > 0 {
            events.extend(choices::keep_other(run, at, |run| Event::Native(Native::of_source(run, value, at))));
            if !self.keeps {
                return Ok(None);
            }
        }
        choices::take_first_index(run, &mut candidate);
        if let Some((content, at)) = candidate.take_at(run, Word::content).or(mocked) {
            self.read_content(run, place, (content, at), events)?;
        }
        let Some(kept) = self.candidates.get_mut(place) else { return Ok(None) };
        let mut news = kept.fields.news(run, &candidate.rest(), &[])?;
        if self.keeps {
            kept.add_fields(run, &news, at)?;
        }
        if place > 0 {
            return Ok(None);
        }
        let raw = match news.family_field(Word::finishReason) {
            Some(raw) => {
                let at = run.down(at, Word::finishReason);
                Some(run.string(raw, at)?).filter(|raw| run.store.word(*raw) != Word::FINISH_REASON_UNSPECIFIED)
            }
            None => None,
        };
        let Some(raw) = raw else {
            let news = inside(run, &news, at);
            events.extend(state(run, at, news));
            return Ok(None);
        };
        // not the end: content and other reasons may follow, and the last reason counts
        news.set_family_field(Word::finishReason, None);
        let finish = finish::read(run, FINISH, Some(raw), self.has_calls);
        let metadata = inside(run, &news, at);
        Ok(Some(Event::Finish(End { at, finish, raw: Some(raw), metadata })))
    }

    /// Reads the content of a candidate. Events are only for the first one.
    fn read_content(
        &mut self,
        run: &mut Run,
        place: usize,
        (content, at): (Value, At),
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let mut content = run.object(content, at)?;
        let parts = content.take_at(run, Word::parts);
        let mut rest = content.rest();
        if let Some(kept) = self.candidates.get_mut(place).filter(|_| self.keeps) {
            kept.add_content(run, &rest, parts.is_some())?;
        }
        if let Some((parts, at)) = parts {
            for (part, at) in run.elements(parts, at)? {
                let plain = plain_text(run, part, at)?;
                if let Some(kept) = self.candidates.get_mut(place).filter(|_| self.keeps) {
                    kept.add_part(run, (part, at), plain)?;
                }
                if place == 0 {
                    self.read_part(run, (part, at), plain, events)?;
                }
            }
        }
        if place == 0 {
            rest.set_family_field(Word::role, None);
            events.extend(state(run, at, rest));
        }
        Ok(())
    }

    fn read_part(
        &mut self,
        run: &mut Run,
        (part, at): (Value, At),
        plain: Option<(Value, bool)>,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        if let Some((text, is_thought)) = plain {
            if !run.store.is_empty(text) {
                self.add_text(run, (text, is_thought), at, events)?;
            }
            return Ok(());
        }
        let block = read_piece(run, part, at)?.by_model(part, run.route.source_provider());
        if part_of(run, &block).is_some() {
            return self.add_piece(run, part, at, events);
        }
        self.close(run, at, events)?;
        let number = next_block(&mut self.blocks);
        match block {
            Block::Text { at, text, metadata } => events.add(Event::TextDelta { at, block: number, text, metadata }),
            Block::Reasoning(reasoning) => emit_reasoning(run, number, reasoning, events),
            Block::Call(call) => {
                self.has_calls = true;
                emit_call(run, number, call, events)?;
            }
            value => events.add(Event::Block { block: number, value }),
        }
        Ok(())
    }

    fn add_text(
        &mut self,
        run: &mut Run,
        (text, is_thought): (Value, bool),
        at: At,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let block = match self.text.filter(|open| open.is_thought == is_thought) {
            Some(open) => open.block,
            None => {
                self.close(run, at, events)?;
                let block = next_block(&mut self.blocks);
                self.text = Some(OpenText { block, is_thought });
                block
            }
        };
        events.add(if is_thought {
            reasoning_delta(run.route.source_provider(), at, block, text)
        } else {
            Event::TextDelta { at, block, text, metadata: Metadata::default() }
        });
        Ok(())
    }

    /// Adds a piece of a call.
    fn add_piece(&mut self, run: &mut Run, part: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        let mut call = match self.call.take() {
            Some(call) if continues(run, part) => call,
            other => {
                self.call = other;
                self.close(run, at, events)?;
                self.has_calls = true;
                let block = next_block(&mut self.blocks);
                OpenCall::begin(run, (part, at), block, self.seeded, events)?
            }
        };
        if call.add(run, (part, at))? {
            call.emit(run, events);
            self.call = Some(call);
            return Ok(());
        }
        call.end(run, events)
    }

    /// Ends what is open, because other content begins or the stream ends.
    fn close(&mut self, run: &mut Run, at: At, events: &mut Vec<Event>) -> Result<()> {
        if let Some(OpenText { block, is_thought: true }) = self.text.take() {
            events.add(Event::ReasoningEnd { block, reasoning: Reasoning::empty(at, run.route.source_provider()) });
        }
        match self.call.take() {
            Some(call) => call.end(run, events),
            None => Ok(()),
        }
    }

    /// Writes the response in the format of whole responses.
    fn put(&self, run: &mut Run) -> Result<()> {
        run.store.begin_object();
        if !self.candidates.is_empty() {
            run.store.key(Word::candidates);
            run.try_put_each(&self.candidates, |run, candidate| candidate.put(run))?;
        } else if self.usage.is_empty() && self.head.is_empty() {
            run.store.key(Word::candidates);
            run.put_import(NO_CANDIDATES)?;
        }
        if !self.usage.is_empty() {
            let usage = self.usage.object(run)?;
            run.store.key(Word::usageMetadata);
            run.store.put(usage);
        }
        if let Some(id) = &self.id {
            run.store.key(Word::responseId);
            run.put_import(id)?;
        }
        self.head.put_but(run, &[Word::responseId])?;
        run.store.end_object();
        Ok(())
    }
}

/// Emits reasoning that is complete.
fn emit_reasoning(run: &Run, block: u32, reasoning: Reasoning, events: &mut Vec<Event>) {
    let Reasoning { at, text, issuer, .. } = reasoning;
    if let Some(text) = text.filter(|text| !run.store.is_empty(*text)) {
        events.add(reasoning_delta(issuer, at, block, text));
    }
    events.add(Event::ReasoningEnd { block, reasoning: Reasoning { text: None, ..reasoning } });
}

/// Nests fields of the candidate as in a whole response.
fn inside(run: &mut Run, fields: &Metadata, at: At) -> Metadata {
    let mut metadata = Metadata::default();
    run.nest(Word::candidate, fields, at, &mut metadata);
    metadata
}
