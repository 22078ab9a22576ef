//! Reads streams (WIRE §8.8): each line is a piece of the response, in the form of a whole one. Calls arrive whole.

use super::messages::{read_call, read_images};
use super::response::{FINISH, read_usage};
use crate::dialect::shared::finish;
use crate::dialect::shared::stream::{Decode, Members, emit_call, next_block, reasoning_delta, skip_foreign, state};
use crate::model::{Add, End, Event, Metadata, Reasoning, Start};
use crate::run::{At, Key, Reading, Result, Run};
use crate::value::{Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    let answer = keeps.then(|| Members::new(&[Word::content, Word::thinking]));
    Some(Box::new(Decoder { answer, ..Decoder::default() }))
}

#[derive(Default)]
struct Decoder {
    /// Set if the whole response is needed at the end.
    answer: Option<Members>,
    has_started: bool,
    blocks: u32,
    /// The block of the open text or thinking.
    text: Option<u32>,
    thinking: Option<u32>,
    calls: usize,
    is_done: bool,
}

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let mut line = run.object(event, At::ROOT)?;
        if line.holds(run, Word::error) && !line.has(Word::message) {
            let error = super::error::read(run, event)?;
            self.close(run, At::ROOT, events);
            events.add(Event::Error(error));
            return Ok(());
        }
        if !line.has(Word::done) {
            return skip_foreign(run, (event, At::ROOT), "this is not a line of an Ollama chat stream");
        }
        let created = line.peek(Word::created_at);
        self.start(run, &mut line, events)?;
        if let Some((message, at)) = line.take_at(run, Word::message) {
            self.read_message(run, message, at, events)?;
        }
        self.read_end(run, line, events)?;
        if let [only] = events.as_slice()
            && let Some(text) = only.text()
        {
            run.may_repeat(&[Some(text), created]);
        }
        match &mut self.answer {
            Some(answer) => answer.add_object(run, event, At::ROOT),
            None => Ok(()),
        }
    }

    fn repeat(&mut self, text: &[u8]) {
        if let Some(answer) = &mut self.answer {
            let word = if self.thinking.is_some() { Word::thinking } else { Word::content };
            answer.extend(&[Word::message, word], text);
        }
    }

    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.close(run, At::ROOT, events);
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn body(&mut self, run: &mut Run) -> Result<Value> {
        let answer = self.answer.take().unwrap_or_default();
        run.try_build(|run| {
            run.store.begin_object();
            let written = answer.put(run);
            if !answer.has(Word::message) {
                run.store.key(Word::message);
                run.put_import(NO_MESSAGE)?;
            }
            run.store.end_object();
            written
        })
    }
}

/// The message of a response that was only an error.
const NO_MESSAGE: &[u8] = br#"{"role":"assistant","content":""}"#;

impl Decoder {
    /// Every line has a model and a time: those of the first line are emitted.
    fn start(&mut self, run: &mut Run, line: &mut Reading, events: &mut Vec<Event>) -> Result<()> {
        let model = line.string(run, Word::model)?;
        let created = line.take_any(Word::created_at);
        if std::mem::replace(&mut self.has_started, true) {
            return Ok(());
        }
        let mut metadata = Metadata::default();
        if let Some(created) = created {
            metadata.add(Key::Word(Word::created_at), created);
        }
        events.add(Event::Start(Start { at: line.at(), id: None, model, metadata }));
        Ok(())
    }

    fn read_message(&mut self, run: &mut Run, message: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        let mut message = run.object(message, at)?;
        message.take_any(Word::role);
        if let Some((text, at)) = message.take_at(run, Word::thinking)
            && !run.store.is_empty(run.string(text, at)?)
        {
            self.text = None;
            let block = *self.thinking.get_or_insert_with(|| next_block(&mut self.blocks));
            events.add(reasoning_delta(run.route.source_provider(), at, block, text));
        }
        if let Some((text, at)) = message.take_at(run, Word::content)
            && !run.store.is_empty(run.string(text, at)?)
        {
            self.end_thinking(run, at, events);
            let block = *self.text.get_or_insert_with(|| next_block(&mut self.blocks));
            events.add(Event::TextDelta { at, block, text, metadata: Metadata::default() });
        }
        for value in read_images(run, &mut message)? {
            self.close(run, at, events);
            events.add(Event::Block { block: next_block(&mut self.blocks), value });
        }
        for (call, at) in message.elements(run, Word::tool_calls)? {
            self.close(run, at, events);
            let call = read_call(run, call, at, self.calls)?;
            self.calls += 1;
            emit_call(run, next_block(&mut self.blocks), call, events)?;
        }
        events.extend(state(run, at, message.rest()));
        Ok(())
    }

    /// Reads the counts and the finish reason from the last line.
    fn read_end(&mut self, run: &mut Run, mut line: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = line.at();
        let is_last = line.boolean(run, Word::done)?.unwrap_or(false);
        if let Some(usage) = read_usage(run, &mut line)? {
            events.add(Event::Usage(Box::new(usage)));
        }
        if !is_last {
            events.extend(state(run, at, line.rest()));
            return Ok(());
        }
        self.is_done = true;
        self.close(run, at, events);
        let raw = line.string(run, Word::done_reason)?;
        let finish = finish::read(run, FINISH, raw, self.calls > 0);
        let mut metadata = Metadata::default();
        run.add_below(&mut metadata, &line.rest(), at);
        let at = run.down(at, Word::done_reason);
        events.add(Event::Finish(End { at, finish, raw, metadata }));
        Ok(())
    }

    /// Ends what is open, because other content begins or the stream ends.
    fn close(&mut self, run: &Run, at: At, events: &mut Vec<Event>) {
        self.text = None;
        self.end_thinking(run, at, events);
    }

    fn end_thinking(&mut self, run: &Run, at: At, events: &mut Vec<Event>) {
        let Some(block) = self.thinking.take() else { return };
        events.add(Event::ReasoningEnd { block, reasoning: Reasoning::empty(at, run.route.source_provider()) });
    }
}
