//! Writes streams (WIRE §4.8): each chunk is a piece of the response, in the form of a whole one.

use super::response::write_usage;
use super::write_parts::write_block;
use crate::dialect::shared::stream::{Encode, Output, WholeCalls, warn_event, write_error};
use crate::model::{Block, Call, CallStart, End, Event, Metadata, Reasoning, Start};
use crate::run::{At, Key, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder::default()))
}

#[derive(Default)]
struct Encoder {
    /// The fields at the end of every chunk, as JSON texts.
    model: Option<Vec<u8>>,
    id: Option<Vec<u8>>,
    calls: WholeCalls,
    has_content: bool,
    /// Whether the prompt was blocked: such a response has no candidates.
    is_blocked: bool,
    has_finished: bool,
    /// The last counts as JSON text, and whether no chunk has contained them yet.
    usage: Option<Vec<u8>>,
    is_usage_new: bool,
    /// Whether the last chunk contained them.
    has_usage: bool,
    /// The chunk with the finish, as JSON text. It waits for the counts, which clients look for in it.
    last: Option<Vec<u8>>,
    chunk: Chunk,
}

/// The output for the events of one wire event, written with the last of them.
#[derive(Default)]
struct Chunk {
    parts: Vec<Value>,
    /// A thought whose signature may be the next event, and the number of its block.
    thought: Option<(u32, Reasoning)>,
    /// The reason, at the end of the response.
    finish: Option<Option<Value>>,
    others: Vec<Value>,
    metadata: Metadata,
}

impl Encode for Encoder {
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()> {
        if !matches!(event, Event::ReasoningDelta { .. } | Event::ReasoningEnd { .. }) {
            self.end_thought(run)?;
        }
        match event {
            Event::Start(Start { at: _, id, model, metadata }) => {
                (self.id, self.model) = (run.export_option(*id)?, run.export_option(*model)?);
                self.chunk.metadata.append(metadata.clone());
            }
            Event::TextDelta { at, text, metadata, .. } => {
                if !run.store.is_empty(*text) || !metadata.is_empty() {
                    self.block(run, &Block::Text { at: *at, text: *text, metadata: metadata.clone() })?;
                }
            }
            Event::ReasoningDelta { at, block, text, issuer, metadata } => {
                run.warn_metadata(metadata, *at);
                self.end_thought(run)?;
                self.chunk.thought = Some((*block, Reasoning::of_text(*at, *issuer, *text)));
            }
            Event::ReasoningEnd { block, reasoning } => self.reasoning_end(run, *block, reasoning)?,
            // calls are written whole
            Event::CallStart(CallStart { block, .. }) => self.calls.begin(*block),
            Event::CallDelta { .. } => {}
            Event::CallEnd { block, call } => self.call_end(run, *block, call)?,
            Event::Block { value, .. } => self.block(run, value)?,
            Event::Usage(usage) => {
                let usage = run.build(|run| write_usage(run, usage));
                self.usage = Some(run.export(usage)?);
                self.is_usage_new = true;
            }
            Event::Finish(End { at: _, finish: _, raw, metadata }) => {
                self.release(run)?;
                self.chunk.metadata.append(metadata.clone());
                if !std::mem::replace(&mut self.has_finished, true) {
                    self.chunk.finish = Some(*raw);
                }
            }
            Event::Error(error) => {
                self.release(run)?;
                self.flush(run, output)?;
                self.write_last(run, output)?;
                self.has_finished = true;
                write_error(run, error, output)?;
            }
            Event::Native(native) if run.route.leads_to(native.provider) => {
                run.warn_metadata(&native.metadata, native.at);
                self.native(run, native.value);
            }
            Event::RefusalDelta { .. } | Event::Native(_) => warn_event(run, event),
            Event::State { at: _, metadata } => self.chunk.metadata.append(metadata.clone()),
        }
        Ok(())
    }

    fn flush(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.end_thought(run)?;
        self.has_usage = false;
        let chunk = std::mem::take(&mut self.chunk);
        let has_content = !chunk.parts.is_empty()
            || !chunk.others.is_empty()
            || chunk.finish.is_some()
            || !chunk.metadata.family_fields().is_empty();
        if !has_content {
            run.warn_metadata(&chunk.metadata, At::ROOT);
            return Ok(());
        }
        if self.last.is_some() {
            self.write_last(run, output)?;
        }
        self.is_blocked |= chunk.metadata.family_field(Word::promptFeedback).is_some();
        self.has_content |= !chunk.parts.is_empty();
        let value = run.try_build(|run| self.put(run, &chunk))?;
        if chunk.finish.is_some() {
            self.last = Some(run.export(value)?);
            return Ok(());
        }
        let value = if self.is_usage_new { self.with_usage(run, Some(value))? } else { value };
        output.event(run, "", value)
    }

    fn may_repeat(&self, _event: &Event) -> bool {
        !self.has_usage
    }

    fn end(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.release(run)?;
        self.flush(run, output)?;
        self.write_last(run, output)?;
        output.done();
        Ok(())
    }
}

impl Encoder {
    /// Writes the last chunk with the last counts. If no chunk waits, writes counts that were not written yet.
    fn write_last(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        let last = match self.last.take() {
            Some(last) => Some(run.import(&last)?),
            None if self.is_usage_new => None,
            None => return Ok(()),
        };
        let value = self.with_usage(run, last)?;
        output.event(run, "", value)
    }

    /// Adds the counts to a chunk: Google's chunks have candidates beside them.
    fn with_usage(&mut self, run: &mut Run, chunk: Option<Value>) -> Result<Value> {
        self.is_usage_new = false;
        self.has_usage = true;
        let usage = run.import_option(self.usage.as_deref())?;
        let chunk = match chunk {
            Some(chunk) => chunk,
            None => run.try_build(|run| self.put(run, &Chunk::default()))?,
        };
        Ok(run.build_object(|run, object| {
            object.add_rest(run, Some(chunk));
            object.option(run, Word::usageMetadata, usage);
        }))
    }

    /// Adds the parts that a whole response would have.
    fn block(&mut self, run: &mut Run, block: &Block) -> Result<()> {
        let parts = parts_of(run, block);
        let parts = run.list(parts);
        if !parts.is_empty() && !self.calls.is_empty() {
            run.warn(WarningCode::OrderChanged, block.at(), "a call that is still open is sent after it, complete");
        }
        self.chunk.parts.extend(parts);
        Ok(())
    }

    fn call_end(&mut self, run: &mut Run, block: u32, call: &Call) -> Result<()> {
        let parts = parts_of(run, &Block::Call(call.clone()));
        for parts in self.calls.end(run, block, parts)? {
            self.chunk.parts.extend(run.list(parts));
        }
        Ok(())
    }

    /// Adds the calls that wait, at the end of the response.
    fn release(&mut self, run: &mut Run) -> Result<()> {
        for parts in self.calls.rest(run)? {
            self.chunk.parts.extend(run.list(parts));
        }
        Ok(())
    }

    fn end_thought(&mut self, run: &mut Run) -> Result<()> {
        match self.chunk.thought.take() {
            Some((_, thought)) => self.block(run, &Block::Reasoning(thought)),
            None => Ok(()),
        }
    }

    fn reasoning_end(&mut self, run: &mut Run, block: u32, reasoning: &Reasoning) -> Result<()> {
        if reasoning.signature.is_none() && reasoning.metadata.is_empty() {
            return self.end_thought(run);
        }
        let mut whole = Reasoning { redacted: None, ..reasoning.clone() };
        match self.chunk.thought.take_if(|(open, _)| *open == block) {
            Some((_, thought)) => (whole.at, whole.text) = (thought.at, thought.text),
            None => self.end_thought(run)?,
        }
        self.block(run, &Block::Reasoning(whole))
    }

    /// Adds a further candidate, or fields of the response that came after its start.
    fn native(&mut self, run: &mut Run, value: Value) {
        if run.store.kind(value) != Kind::Object || run.member(value, Word::index).is_some() {
            self.chunk.others.push(value);
            return;
        }
        for field in run.members(value) {
            self.chunk.metadata.add(Key::from(field), field.value);
        }
    }

    fn put(&self, run: &mut Run, chunk: &Chunk) -> Result<()> {
        let mut object = run.begin();
        let fields = chunk.metadata.family_field(Word::candidate).is_some();
        let is_blocked = self.is_blocked && !self.has_content && chunk.finish.flatten().is_none();
        let has_first = !chunk.parts.is_empty() || fields || chunk.finish.is_some() && !is_blocked;
        if has_first || !chunk.others.is_empty() {
            object.key(run, Word::candidates);
            run.store.begin_array();
            if has_first {
                self.put_candidate(run, chunk);
            }
            chunk.others.iter().for_each(|other| run.store.put(*other));
            run.store.end_array();
        }
        for (word, json) in [(Word::modelVersion, &self.model), (Word::responseId, &self.id)] {
            if let Some(json) = json {
                let value = run.import(json)?;
                object.put(run, word, value);
            }
        }
        object.skip(run, Word::candidate);
        object.end(run, &chunk.metadata, At::ROOT);
        Ok(())
    }

    fn put_candidate(&self, run: &mut Run, chunk: &Chunk) {
        let mut candidate = run.begin();
        // Google's last chunk has an empty part if it has no content, and Google's SDK ignores a response without parts
        let empty = chunk.finish.map(|_| run.build_object(|run, part| part.text(run, Word::text, "")));
        let parts = if chunk.parts.is_empty() { empty.as_slice() } else { &chunk.parts };
        if !parts.is_empty() {
            candidate.object(run, Word::content, |run, content| {
                content.list(run, Word::parts, parts);
                content.word(run, Word::role, Word::model);
            });
        }
        candidate.option(run, Word::finishReason, chunk.finish.flatten());
        candidate.number(run, Word::index, 0.0);
        candidate.add_nested(run, &chunk.metadata, Word::candidate);
        candidate.close(run);
    }
}

fn parts_of(run: &mut Run, block: &Block) -> Value {
    run.build(|run| {
        run.store.begin_array();
        write_block(run, block);
        run.store.end_array();
    })
}
