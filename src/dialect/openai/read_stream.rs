//! Reading streams (WIRE §1.8): chunks whose deltas are fragments of one message.

use super::messages::read_part;
use super::response::{FINISH, read_usage};
use super::stream_calls::{Calls, Piece};
use crate::dialect::shared::finish;
use crate::dialect::shared::stream::{Decode, Members, state};
use crate::model::{Block, Event, Finish, Metadata};
use crate::run::{At, ErrorCode, Key, Provider, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    Some(Box::new(Decoder::new(keeps)))
}

/// Strings that come in pieces.
const GROWING: &[Word] = &[
    Word::content,
    Word::refusal,
    Word::reasoning_content,
    Word::reasoning,
    Word::data,
    Word::transcript,
];

struct Decoder {
    /// Whether the whole answer is asked for at the end.
    keeps: bool,
    has_started: bool,
    /// Fields of the chunks that were told: those that come again say nothing new.
    told: Vec<(Vec<u8>, Vec<u8>)>,
    /// Whether ids can be made before the arguments are known.
    seeded: bool,
    blocks: u32,
    text: Option<u32>,
    refusal: Option<u32>,
    reasoning: Option<u32>,
    refused: bool,
    calls: Calls,
    has_calls: bool,
    finish: Option<Finish>,
    /// The whole answer so far, without its choices.
    whole: Members,
    choices: Vec<Choice>,
}

/// A choice of the whole answer.
struct Choice {
    index: u32,
    rest: Members,
    message: Members,
    /// Of choices beyond the first, whose calls are not told.
    calls: Calls,
}

impl Decoder {
    fn new(keeps: bool) -> Decoder {
        Decoder {
            keeps,
            has_started: false,
            told: Vec::new(),
            seeded: false,
            blocks: 0,
            text: None,
            refusal: None,
            reasoning: None,
            refused: false,
            calls: Calls::default(),
            has_calls: false,
            finish: None,
            whole: Members::new(&[]),
            choices: Vec::new(),
        }
    }

    fn new_block(&mut self) -> u32 {
        self.blocks += 1;
        self.blocks - 1
    }
}

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let mut chunk = run.object(event, At::ROOT)?;
        let is_error = chunk.peek(Word::error).is_some_and(|error| run.store.kind(error) != Kind::Null);
        if is_error {
            let error = super::error::read(run, event)?;
            self.calls.end(run, events)?;
            events.push(Event::Error(error));
            return Ok(());
        }
        if ![Word::choices, Word::usage].iter().any(|word| chunk.has(*word)) {
            return run.fail(ErrorCode::InvalidStream, At::ROOT, "this is no chunk of Chat Completions");
        }
        self.keep_chunk(run, event)?;
        chunk.take_any(Word::object);
        chunk.take_any(Word::obfuscation);
        let usage = chunk.take_at(run, Word::usage);
        let choices = chunk.take_at(run, Word::choices);
        self.read_head(run, chunk, events)?;
        let mut finish = None;
        if let Some((choices, at)) = choices {
            for (choice, at) in run.elements(choices, at)? {
                finish = self.read_choice(run, choice, at, events)?.or(finish);
            }
        }
        if let Some((usage, at)) = usage {
            events.push(Event::Usage(read_usage(run, usage, at)?));
        }
        if let Some(finish) = finish {
            events.push(finish);
        }
        Ok(())
    }

    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.calls.end(run, events)
    }

    fn body(&mut self, run: &mut Run) -> Result<Value> {
        let choices = std::mem::take(&mut self.choices);
        run.try_build(|run| {
            run.store.begin_object();
            self.whole.put(run)?;
            run.store.key(Word::choices);
            run.store.begin_array();
            for choice in &choices {
                let calls = if choice.index == 0 { &self.calls } else { &choice.calls };
                choice.put(run, calls)?;
            }
            run.store.end_array();
            run.store.end_object();
            Ok(())
        })
    }
}

impl Decoder {
    /// The fields beside the choices: told at the start, and later where they say something new.
    fn read_head(&mut self, run: &mut Run, mut chunk: Reading, events: &mut Vec<Event>) -> Result<()> {
        let (id, model) = (chunk.string(run, Word::id)?, chunk.string(run, Word::model)?);
        let at = chunk.at;
        let mut news = Metadata::default();
        for member in chunk.rest().family() {
            if run.says_nothing(member.value) {
                continue;
            }
            let key = match member.key {
                Key::Word(word) => word.text().as_bytes().to_vec(),
                Key::Text(key) => run.export(key)?,
            };
            let value = run.export(member.value)?;
            match self.told.iter_mut().find(|(known, _)| *known == key) {
                Some((_, told)) if *told == value => continue,
                Some((_, told)) => *told = value,
                None => self.told.push((key, value)),
            }
            news.add_member(*member);
        }
        if !self.has_started {
            self.has_started = true;
            self.seeded = id.is_some_and(|id| !run.store.is_empty(id)) || run.options.id_seed.is_some();
            events.push(Event::Start { at, id, model, metadata: news });
        } else {
            events.extend(state(run, at, news));
        }
        Ok(())
    }

    /// Gives the end of the answer, if the choice says so: it is told last.
    fn read_choice(&mut self, run: &mut Run, choice: Value, at: At, events: &mut Vec<Event>) -> Result<Option<Event>> {
        let mut choice_reading = run.object(choice, at)?;
        let index = choice_reading.number(run, Word::index)?.unwrap_or(0.0) as u32;
        self.keep_choice(run, choice, index, at)?;
        if index > 0 {
            if run.keeps_family() {
                let provider = Provider::OpenAI;
                events.push(Event::Native(crate::model::Native { at, provider, value: choice, metadata: Metadata::default() }));
            } else {
                run.warn(WarningCode::ChoicesDropped, at, "only the first choice was converted");
            }
            return Ok(None);
        }
        if let Some((delta, at)) = choice_reading.take_at(run, Word::delta) {
            let delta = run.object(delta, at)?;
            self.read_delta(run, delta, events)?;
        }
        let raw = choice_reading.string(run, Word::finish_reason)?.filter(|raw| !run.store.is_empty(*raw));
        let mut metadata = Metadata::default();
        choice_reading.rest_into(run, Word::choice, &mut metadata);
        match raw {
            Some(raw) if self.finish.is_none() => {
                self.calls.end(run, events)?;
                let finish = match finish::read(run, FINISH, Some(raw), self.has_calls) {
                    Finish::Stop if self.refused => Finish::Refusal,
                    finish => finish,
                };
                self.finish = Some(finish);
                Ok(Some(Event::Finish { at, finish, raw: Some(raw), metadata }))
            }
            _ => {
                events.extend(state(run, at, metadata));
                Ok(None)
            }
        }
    }

    fn read_delta(&mut self, run: &mut Run, mut delta: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = delta.at;
        delta.take_any(Word::role);
        for word in [Word::reasoning_content, Word::reasoning] {
            let Some(text) = delta.peek(word).filter(|text| run.store.kind(*text) == Kind::String) else { continue };
            delta.take_any(word);
            if !run.store.is_empty(text) {
                let block = self.reasoning_block();
                let at = run.down(at, word);
                events.push(Event::ReasoningDelta { at, block, text, issuer: Provider::OpenAI });
            }
        }
        if let Some((content, at)) = delta.take_at(run, Word::content) {
            self.read_content(run, content, at, events)?;
        }
        if let Some((text, at)) = delta.take_at(run, Word::refusal) {
            let text = run.string(text, at)?;
            if !run.store.is_empty(text) {
                self.close_reasoning(at, events);
                self.refused = true;
                let block = self.refusal.unwrap_or_else(|| self.new_block());
                self.refusal = Some(block);
                events.push(Event::RefusalDelta { at, block, text });
            }
        }
        if let Some((calls, at)) = delta.take_at(run, Word::tool_calls) {
            for (call, at) in run.elements(calls, at)? {
                let piece = Piece::read(run, call, at)?;
                self.add_call(run, piece, at, events)?;
            }
        }
        if let Some((call, at)) = delta.take_at(run, Word::function_call) {
            let piece = Piece::legacy(run, call, at)?;
            self.add_call(run, piece, at, events)?;
        }
        events.extend(state(run, at, delta.rest()));
        Ok(())
    }

    fn add_call(&mut self, run: &mut Run, piece: Piece, at: At, events: &mut Vec<Event>) -> Result<()> {
        self.close_reasoning(at, events);
        self.has_calls = true;
        self.calls.add(run, piece, &mut self.blocks, self.seeded, events)
    }

    /// Content is a string; servers that give parts instead are read too.
    fn read_content(&mut self, run: &mut Run, content: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        match run.store.kind(content) {
            Kind::String => self.add_text(run, content, at, events),
            Kind::Array => {
                for (part, at) in run.elements(content, at)? {
                    match read_part(run, part, at)? {
                        Block::Text { text, .. } => self.add_text(run, text, at, events),
                        value => {
                            let block = self.new_block();
                            events.push(Event::Block { block, value });
                        }
                    }
                }
            }
            _ => return run.wrong_type(content, at, "a string, null or an array of parts"),
        }
        Ok(())
    }

    fn add_text(&mut self, run: &Run, text: Value, at: At, events: &mut Vec<Event>) {
        if run.store.is_empty(text) {
            return;
        }
        self.close_reasoning(at, events);
        let block = self.text.unwrap_or_else(|| self.new_block());
        self.text = Some(block);
        events.push(Event::TextDelta { at, block, text, metadata: Metadata::default() });
    }

    fn reasoning_block(&mut self) -> u32 {
        let block = self.reasoning.unwrap_or_else(|| self.new_block());
        self.reasoning = Some(block);
        block
    }

    /// Reasoning ends where something else begins.
    fn close_reasoning(&mut self, at: At, events: &mut Vec<Event>) {
        if let Some(block) = self.reasoning.take() {
            let metadata = Metadata::default();
            events.push(Event::ReasoningEnd { at, block, signature: None, redacted: None, issuer: Provider::OpenAI, metadata });
        }
    }

    // ── the whole answer ─────────────────────────────────────────────────────────────────────────────────────────

    fn keep_chunk(&mut self, run: &mut Run, chunk: Value) -> Result<()> {
        if !self.keeps {
            return Ok(());
        }
        let mut reading = run.object(chunk, At::ROOT)?;
        reading.take_any(Word::choices);
        reading.take_any(Word::object);
        reading.take_any(Word::obfuscation);
        if reading.peek(Word::usage).is_some_and(|usage| run.store.kind(usage) == Kind::Null) {
            reading.take_any(Word::usage);
        }
        if !self.has_started {
            let object = run.word_value(Word::chat_completion);
            self.whole.add(run, Key::Word(Word::object), object, At::ROOT)?;
        }
        // usage is cumulative where it comes more than once: the last one counts
        if reading.has(Word::usage) {
            self.whole.remove(Word::usage);
        }
        self.whole.add_all(run, &reading.rest(), At::ROOT)
    }

    fn keep_choice(&mut self, run: &mut Run, choice: Value, index: u32, at: At) -> Result<()> {
        if !self.keeps {
            return Ok(());
        }
        let mut reading = run.object(choice, at)?;
        let position = match self.choices.iter().position(|choice| choice.index == index) {
            Some(position) => position,
            None => {
                self.choices.push(Choice::new(index));
                self.choices.sort_by_key(|choice| choice.index);
                self.choices.iter().position(|choice| choice.index == index).unwrap_or_default()
            }
        };
        let Some(kept) = self.choices.get_mut(position) else { return Ok(()) };
        let delta = reading.take_at(run, Word::delta);
        kept.rest.add_all(run, &reading.rest(), at)?;
        let Some((delta, at)) = delta else { return Ok(()) };
        let mut delta = run.object(delta, at)?;
        let calls = delta.take_at(run, Word::tool_calls);
        let legacy = delta.take_at(run, Word::function_call);
        kept.message.add_all(run, &delta.rest(), at)?;
        if index == 0 {
            return Ok(());
        }
        let mut untold = Vec::new();
        if let Some((calls, at)) = calls {
            for (call, at) in run.elements(calls, at)? {
                let piece = Piece::read(run, call, at)?;
                kept.calls.add(run, piece, &mut 0, true, &mut untold)?;
            }
        }
        if let Some((call, at)) = legacy {
            let piece = Piece::legacy(run, call, at)?;
            kept.calls.add(run, piece, &mut 0, true, &mut untold)?;
        }
        Ok(())
    }
}

impl Choice {
    fn new(index: u32) -> Choice {
        Choice { index, rest: Members::new(&[]), message: Members::new(GROWING), calls: Calls::default() }
    }

    fn put(&self, run: &mut Run, calls: &Calls) -> Result<()> {
        run.store.begin_object();
        self.rest.put(run)?;
        run.store.key(Word::message);
        run.store.begin_object();
        // deltas begin with empty content; an answer of calls alone has none
        let only_calls = !calls.is_empty() && self.message.is_blank(Word::content);
        self.message.put_but(run, only_calls.then_some(Word::content))?;
        if only_calls {
            run.store.key(Word::content);
            run.store.put_null();
        }
        calls.put(run)?;
        run.store.end_object();
        run.store.end_object();
        Ok(())
    }
}
