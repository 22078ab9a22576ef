//! Writes streams (WIRE §15.8): the interaction, its steps one after another, and its end with the counts.

use super::response::write_usage;
use super::thoughts;
use super::write_steps::write_blocks;
use crate::dialect::shared::stream::{
    Added, BlockEvents, Closing, Encode, Order, Output, Stage, Waiting, WriteCalls, warn_event,
};
use crate::model::{Block, CallStart, ChatError, End, Event, Metadata, Reasoning, Start};
use crate::run::{At, Result, Run};
use crate::value::{Keys, Kind, Value, Word};

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder {
        stage: Stage::default(),
        order: Order::new(EVENTS),
        head: Vec::new(),
        finish: None,
        waiting: Waiting::default(),
        thought: None,
    }))
}

struct Encoder {
    stage: Stage,
    order: Order,
    /// The id and the model, which the end repeats: members as JSON text, each with a comma after it.
    head: Vec<u8>,
    /// The status: a member as JSON text.
    finish: Option<Vec<u8>>,
    /// What is written at the end of the stream.
    waiting: Waiting,
    /// The block of a thought that ended without a signature: the next text may have it.
    thought: Option<u32>,
}

/// The number of a step that is the signature of a text, which `generateContent` has in the part itself.
const SIGNATURE: u32 = u32::MAX;

const EVENTS: &BlockEvents = &BlockEvents {
    start: |output, index, start| write(output, Word::step_start, index, &[b",\"step\":", start]),
    delta: |output, index, delta| write(output, Word::step_delta, index, &[b",\"delta\":", delta]),
    stop: |output, index| write(output, Word::step_stop, index, &[]),
    unsigned: None,
    arguments_are_text: false,
};

/// Writes an event of a step: its index, and a member in pieces.
fn write(output: &mut Output, event: Word, index: &str, member: &[&[u8]]) {
    let place: [&[u8]; 2] = [b"\"index\":", index.as_bytes()];
    put_event(output, event, place.into_iter().chain(member.iter().copied()));
}

/// Writes an event with its type and other members, in pieces.
fn put_event<'a>(output: &mut Output, event: Word, members: impl IntoIterator<Item = &'a [u8]>) {
    output.begin(event.text());
    for part in ["{\"event_type\":\"", event.text(), "\","] {
        output.raw(part.as_bytes());
    }
    members.into_iter().for_each(|part| output.raw(part));
    output.end_object();
}

/// The error as streams have it: its code is a text.
fn with_text_code(run: &mut Run, body: Value) -> Value {
    let Some(inner) = run.field(body, Word::error) else { return body };
    let code = run.field(inner, Word::code).filter(|code| run.store.kind(*code) == Kind::String);
    let code = code.or_else(|| run.field(inner, Word::status));
    run.build_object(|run, object| {
        object.object(run, Word::error, |run, object| {
            object.option(run, Word::code, code);
            object.skip(run, Word::status);
            object.add_rest(run, Some(inner));
        });
        object.add_rest(run, Some(body));
    })
}

impl Encode for Encoder {
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()> {
        self.end_thought(run, event, output);
        match event {
            Event::Start(start) => self.start(run, start, output),
            Event::Usage(usage) => self.waiting.keep_usage(run, usage, write_usage),
            Event::TextDelta { at, block, text, metadata } => self.text(run, *at, (*block, *text), metadata, output),
            Event::ReasoningDelta { at, block, text, issuer: _, metadata } => {
                run.warn_metadata(metadata, *at);
                self.reasoning(run, *block, *text, output)
            }
            Event::ReasoningEnd { block, reasoning } => self.reasoning_end(run, *block, reasoning, output),
            Event::CallStart(start) => self.call_start(run, start, output),
            Event::CallDelta { block, text } => self.call_delta(run, *block, *text, output),
            Event::CallEnd { block, call } => self.call_end(run, *block, call, output),
            Event::Block { block, value } => self.block(run, *block, value, output),
            Event::Finish(end) => self.finish(run, end),
            Event::Error(error) => self.error(run, error, output),
            Event::State { at, metadata } => self.waiting.keep_state(run, metadata, *at),
            Event::Native(native) if run.route.stays() => {
                self.begin(output);
                let kind = run.member(native.value, Word::event_type);
                let name = kind.map(|kind| run.store.owned_text(kind)).unwrap_or_default();
                output.event(run, &name, native.value)
            }
            Event::RefusalDelta { .. } | Event::Native(_) => {
                warn_event(run, event);
                Ok(())
            }
        }
    }

    fn has_failed(&self) -> bool {
        self.stage == Stage::Failed
    }

    fn end(&mut self, _run: &mut Run, output: &mut Output) -> Result<()> {
        self.begin(output);
        self.order.end_all(output);
        let finish = self.finish.take().unwrap_or_else(|| b"\"status\":\"completed\"".to_vec());
        let mut members: Vec<&[u8]> = vec![b"\"interaction\":{", &self.head, &finish];
        let usage = self.waiting.usage.take();
        if let Some(usage) = &usage {
            members.extend([b",\"usage\":".as_slice(), usage]);
        }
        let rest = self.waiting.members();
        members.extend([rest.as_slice(), b"}"]);
        put_event(output, Word::interaction_completed, members);
        Ok(())
    }
}

impl Encoder {
    fn start(&mut self, run: &mut Run, start: &Start, output: &mut Output) -> Result<()> {
        let Start { at, id, model, metadata } = start;
        if !self.stage.is_unbegun(run, *at) {
            return Ok(());
        }
        for (key, value) in [("\"id\":", id), ("\"model\":", model)] {
            if let Some(value) = value {
                let json = run.export(*value)?;
                self.head.extend([key.as_bytes(), &json, b","].concat());
            }
        }
        self.begin(output);
        self.waiting.keep_state(run, metadata, *at)
    }

    /// Writes the start of the interaction, if that was not written.
    fn begin(&mut self, output: &mut Output) {
        if self.stage == Stage::Unbegun {
            self.stage = Stage::Begun;
            let members: [&[u8]; 3] = [b"\"interaction\":{", &self.head, b"\"status\":\"in_progress\"}"];
            put_event(output, Word::interaction_created, members);
        }
    }

    fn finish(&mut self, run: &mut Run, end: &End) -> Result<()> {
        let End { at, finish: _, raw, ref metadata } = *end;
        if self.finish.is_some() {
            run.warn_metadata(metadata, at);
            return Ok(());
        }
        let status = run.build_object(|run, object| object.option(run, Word::status, raw));
        let status = run.export(status)?;
        let members = status.get(1..status.len().saturating_sub(1)).unwrap_or_default();
        self.finish = Some(members.to_vec()).filter(|members| !members.is_empty());
        self.waiting.keep_state(run, metadata, at)
    }

    fn error(&mut self, run: &mut Run, error: &ChatError, output: &mut Output) -> Result<()> {
        self.order.lose(run, error.at);
        self.waiting.lose(run);
        self.stage = Stage::Failed;
        let body = run.try_build(|run| super::error::write(run, error))?;
        let body = with_text_code(run, body);
        output.begin(Word::error.text());
        output.raw(b"{\"event_type\":\"error\"");
        output.members(run, body)?;
        output.end_object();
        Ok(())
    }

    // ── steps ────────────────────────────────────────────────────────────────────────────────────────────────────

    /// Begins the step of a block, if it is not open.
    fn require(&mut self, run: &mut Run, block: u32, step: (Word, Closing), output: &mut Output) -> Result<()> {
        if self.order.takes(block) {
            return Ok(());
        }
        let (kind, closing) = step;
        let start = run.build_object(|run, object| object.word(run, Word::r#type, kind));
        self.begin(output);
        self.order.begin(run, block, closing, start, output)
    }

    fn add(&mut self, run: &mut Run, block: u32, (delta, added): (Value, Added), output: &mut Output) -> Result<()> {
        let json = run.export(delta)?;
        self.order.add(run, block, added, &json, output);
        Ok(())
    }

    fn text(
        &mut self,
        run: &mut Run,
        at: At,
        (block, text): (u32, Value),
        metadata: &Metadata,
        output: &mut Output,
    ) -> Result<()> {
        if let Some(signature) = thoughts::signature(run, metadata) {
            let step = self.thought.take().unwrap_or(SIGNATURE);
            self.sign(run, step, signature, output)?;
            self.order.end(step, output);
        }
        let annotations = metadata.own_field(Word::annotations);
        let mut rest = metadata.clone();
        if annotations.is_some() {
            rest.set_family_field(Word::annotations, None);
        }
        if rest.own_fields().is_empty() && run.store.is_empty(text) {
            run.warn_metadata(&rest, at);
        } else {
            self.require(run, block, (Word::model_output, Closing::Text), output)?;
            let delta = run.build(|run| super::contents::write_text(run, text, &rest, at));
            self.add(run, block, (delta, Added::Other), output)?;
        }
        if let Some(annotations) = annotations {
            self.require(run, block, (Word::model_output, Closing::Text), output)?;
            let delta = run.build_object(|run, delta| {
                delta.word(run, Word::r#type, Word::text_annotation_delta);
                delta.put(run, Word::annotations, annotations);
            });
            self.add(run, block, (delta, Added::Other), output)?;
        }
        Ok(())
    }

    fn reasoning(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        if run.store.is_empty(text) {
            return Ok(());
        }
        self.require(run, block, (Word::thought, Closing::Thinking { is_signed: false }), output)?;
        let delta = run.build_object(|run, delta| {
            delta.word(run, Word::r#type, Word::thought_summary);
            delta.object(run, Word::content, |run, content| {
                content.word(run, Word::r#type, Word::text);
                content.put(run, Word::text, text);
            });
        });
        self.add(run, block, (delta, Added::Other), output)
    }

    fn reasoning_end(&mut self, run: &mut Run, block: u32, reasoning: &Reasoning, output: &mut Output) -> Result<()> {
        let Reasoning { at, signature, metadata, .. } = reasoning;
        run.warn_metadata(metadata, *at);
        match signature {
            Some(signature) => {
                self.sign(run, block, *signature, output)?;
                self.order.end(block, output);
            }
            None => self.thought = Some(block),
        }
        Ok(())
    }

    /// Ends a thought without a signature, unless the event has that: `generateContent` has it in the next part.
    fn end_thought(&mut self, run: &Run, event: &Event, output: &mut Output) {
        let signs = matches!(event, Event::TextDelta { metadata, .. } if thoughts::signature(run, metadata).is_some());
        if let Some(block) = self.thought.take_if(|_| !signs) {
            self.order.end(block, output);
        }
    }

    fn sign(&mut self, run: &mut Run, block: u32, signature: Value, output: &mut Output) -> Result<()> {
        self.require(run, block, (Word::thought, Closing::Thinking { is_signed: false }), output)?;
        let delta = run.build_object(|run, delta| {
            delta.word(run, Word::r#type, Word::thought_signature);
            delta.put(run, Word::signature, signature);
        });
        self.add(run, block, (delta, Added::Signature), output)
    }

    /// A block that comes whole: a content is a delta of its step, and a step needs none.
    fn block(&mut self, run: &mut Run, number: u32, block: &Block, output: &mut Output) -> Result<()> {
        let list = run.build(|run| {
            run.store.begin_array();
            write_blocks(run, [block].into_iter());
            run.store.end_array();
        });
        for step in run.list(list) {
            let contents = run.field(step, Word::content).filter(|list| run.store.kind(*list) == Kind::Array);
            match contents.filter(|_| run.type_of(step) == Word::model_output) {
                Some(contents) => {
                    self.require(run, number, (Word::model_output, Closing::Text), output)?;
                    for content in run.list(contents) {
                        self.add(run, number, (content, Added::Other), output)?;
                    }
                }
                None => {
                    self.begin(output);
                    self.order.begin(run, number, Closing::Text, step, output)?;
                }
            }
            self.order.end(number, output);
        }
        Ok(())
    }
}

impl WriteCalls for Encoder {
    fn order(&mut self) -> &mut Order {
        &mut self.order
    }

    fn call_start(&mut self, run: &mut Run, start: &CallStart, output: &mut Output) -> Result<()> {
        let CallStart { at: _, block, id, name, ref metadata } = *start;
        let signature = thoughts::signature(run, metadata);
        let step = run.build_object(|run, step| {
            step.word(run, Word::r#type, Word::function_call);
            step.put(run, Word::id, id);
            step.put(run, Word::name, name);
            step.object(run, Word::arguments, |_, _| {});
            step.option(run, Word::signature, signature);
            step.add_nested(run, metadata, Word::step);
        });
        let mut keys = Keys::default();
        if metadata.own_field(Word::step).is_some() {
            keys.add(Word::step.text().as_bytes());
        }
        self.begin(output);
        self.order.begin_call(run, block, (step, keys), output)
    }

    fn arguments(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        let delta = run.build_object(|run, delta| {
            delta.word(run, Word::r#type, Word::arguments_piece);
            delta.put(run, Word::arguments, text);
        });
        self.add(run, block, (delta, Added::Arguments(text)), output)
    }
}
