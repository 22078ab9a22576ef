//! Writing streams (WIRE §1.8): chunks whose deltas are fragments of one message.

use super::messages::{Setting, write_assistant};
use super::response::{FINISH, finish_word, write_usage};
use super::write_messages::freeform_input;
use crate::dialect::shared::finish::{self, Ending};
use crate::dialect::shared::stream::{Encode, Output, write_error};
use crate::model::{Arguments, Assistant, Block, Call, Content, Event, Finish, Metadata};
use crate::run::{At, Provider, Result, Run};
use crate::value::{Value, Word};

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder::default()))
}

#[derive(Default)]
struct Encoder {
    /// What every chunk says first, up to its choices; empty before the start.
    head: Vec<u8>,
    calls: Vec<Open>,
    has_finished: bool,
    has_refused: bool,
    /// Usage that was told before the end, as JSON text: the last one counts.
    usage: Option<Vec<u8>>,
}

/// A call that was begun.
struct Open {
    block: u32,
    /// Freeform calls wait for the whole of their input: what is told of their arguments is JSON.
    waits: bool,
    is_empty: bool,
}

impl Encode for Encoder {
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()> {
        match event {
            Event::Start { at, id, model, metadata } => self.start(run, *at, (*id, *model), metadata, output),
            Event::TextDelta { at, text, metadata, .. } => {
                run.warn_metadata(metadata, *at);
                if run.store.is_empty(*text) { Ok(()) } else { self.text(run, Word::content, *text, output) }
            }
            Event::RefusalDelta { text, .. } => {
                self.has_refused = true;
                self.text(run, Word::refusal, *text, output)
            }
            Event::ReasoningDelta { text, issuer: Provider::OpenAI, .. } => {
                self.text(run, Word::reasoning_content, *text, output)
            }
            Event::ReasoningDelta { at, .. } => {
                run.warn_reasoning(*at);
                Ok(())
            }
            Event::ReasoningEnd { at, signature, redacted, metadata, .. } => {
                if signature.is_some() || redacted.is_some() {
                    run.warn_reasoning(*at);
                }
                run.warn_metadata(metadata, *at);
                Ok(())
            }
            Event::CallStart { block, id, name, metadata, .. } => {
                self.call_start(run, *block, (*id, *name), metadata, output)
            }
            Event::CallDelta { block, text } => self.call_delta(run, *block, *text, output),
            Event::CallEnd { block, call } => self.call_end(run, *block, call, output),
            Event::Block { value, .. } => self.block(run, value, output),
            Event::Usage(usage) => {
                let usage = run.build(|run| write_usage(run, usage));
                self.usage = Some(run.export(usage)?);
                if self.has_finished { self.write_usage(run, output) } else { Ok(()) }
            }
            Event::Finish { at, finish, raw, metadata } => self.finish(run, *at, (*finish, *raw), metadata, output),
            Event::Error(error) => {
                self.has_finished = true;
                write_error(run, error, output, super::error::write)
            }
            Event::Native(native) if native.provider == Provider::OpenAI => {
                self.ensure_started(run, output)?;
                self.choice(run, native.value, output)
            }
            Event::Native(native) => {
                run.warn_native_event(native.at);
                Ok(())
            }
            Event::State { at, metadata } => {
                run.warn_metadata(metadata, *at);
                Ok(())
            }
        }
    }

    fn end(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.write_usage(run, output)?;
        output.done();
        Ok(())
    }
}

impl Encoder {
    fn start(
        &mut self,
        run: &mut Run,
        at: At,
        (id, model): (Option<Value>, Option<Value>),
        metadata: &Metadata,
        output: &mut Output,
    ) -> Result<()> {
        let head = run.build(|run| {
            let mut object = run.begin();
            match id {
                Some(id) => object.put(run, Word::id, id),
                None => object.text(run, Word::id, "chatcmpl-toolwire"),
            }
            object.text(run, Word::object, Word::chat_completion_chunk.text());
            match model {
                Some(model) => object.put(run, Word::model, model),
                None => object.text(run, Word::model, ""),
            }
            if metadata.family_field(Word::created).is_none() || !run.keeps_family() {
                // a conversion has no clock
                object.number(run, Word::created, 0.0);
            }
            object.end(run, metadata, at);
        });
        self.head = run.export(head)?;
        self.head.pop();
        self.head.extend_from_slice(b",\"choices\":[");
        let delta = run.build(|run| {
            let mut delta = run.begin();
            delta.word(run, Word::role, Word::assistant);
            delta.text(run, Word::content, "");
            delta.close(run);
        });
        self.delta(run, delta, output)
    }

    fn ensure_started(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        if self.head.is_empty() { self.start(run, At::ROOT, (None, None), &Metadata::default(), output) } else { Ok(()) }
    }

    /// Writes a chunk with one choice.
    fn choice(&mut self, run: &mut Run, choice: Value, output: &mut Output) -> Result<()> {
        output.begin("");
        output.raw(&self.head);
        output.put(run, choice)?;
        output.raw(b"]}");
        output.end();
        Ok(())
    }

    /// Writes a chunk with a delta.
    fn delta(&mut self, run: &mut Run, delta: Value, output: &mut Output) -> Result<()> {
        self.ensure_started(run, output)?;
        output.begin("");
        output.raw(&self.head);
        output.raw(b"{\"index\":0,\"delta\":");
        output.put(run, delta)?;
        output.raw(b",\"logprobs\":null,\"finish_reason\":null}]}");
        output.end();
        Ok(())
    }

    fn text(&mut self, run: &mut Run, key: Word, text: Value, output: &mut Output) -> Result<()> {
        let delta = run.build(|run| {
            let mut delta = run.begin();
            delta.put(run, key, text);
            delta.close(run);
        });
        self.delta(run, delta, output)
    }

    fn call_start(
        &mut self,
        run: &mut Run,
        block: u32,
        (id, name): (Value, Value),
        metadata: &Metadata,
        output: &mut Output,
    ) -> Result<()> {
        let waits = super::tools::custom(metadata).is_some();
        self.calls.push(Open { block, waits, is_empty: true });
        if waits {
            return Ok(());
        }
        self.call(run, self.calls.len() - 1, output, |run, call| {
            call.put(run, Word::id, id);
            call.word(run, Word::r#type, Word::function);
            call.key(run, Word::function);
            let mut function = run.begin();
            function.put(run, Word::name, name);
            function.text(run, Word::arguments, "");
            function.close(run);
        })
    }

    /// Writes a delta of one call.
    fn call(
        &mut self,
        run: &mut Run,
        index: usize,
        output: &mut Output,
        write: impl FnOnce(&mut Run, &mut crate::run::Writing),
    ) -> Result<()> {
        let delta = run.build(|run| {
            let mut delta = run.begin();
            delta.key(run, Word::tool_calls);
            run.store.begin_array();
            let mut call = run.begin();
            call.number(run, Word::index, index as f64);
            write(run, &mut call);
            call.close(run);
            run.store.end_array();
            delta.close(run);
        });
        self.delta(run, delta, output)
    }

    fn call_delta(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        let open = self.calls.iter_mut().enumerate().rfind(|(_, call)| call.block == block);
        let Some((index, call)) = open.filter(|(_, call)| !call.waits) else { return Ok(()) };
        if run.store.is_empty(text) {
            return Ok(());
        }
        call.is_empty = false;
        self.arguments(run, index, text, output)
    }

    fn arguments(&mut self, run: &mut Run, index: usize, text: Value, output: &mut Output) -> Result<()> {
        self.call(run, index, output, |run, call| {
            call.key(run, Word::function);
            let mut function = run.begin();
            function.put(run, Word::arguments, text);
            function.close(run);
        })
    }

    fn call_end(&mut self, run: &mut Run, block: u32, call: &Call, output: &mut Output) -> Result<()> {
        run.warn_metadata(&call.metadata, call.at);
        let open = self.calls.iter_mut().enumerate().rfind(|(_, call)| call.block == block);
        let Some((index, open)) = open else { return Ok(()) };
        if open.waits {
            open.waits = false;
            return self.freeform(run, index, call, output);
        }
        // clients parse the text: nothing is no JSON
        if open.is_empty {
            let none = run.store.string("{}");
            return self.arguments(run, index, none, output);
        }
        Ok(())
    }

    /// A call of a freeform tool, whole; one whose arguments are no input is an ordinary call.
    fn freeform(&mut self, run: &mut Run, index: usize, call: &Call, output: &mut Output) -> Result<()> {
        let input = match &call.arguments {
            Arguments::Object { value, .. } => freeform_input(run, *value),
            Arguments::Invalid { .. } => None,
        };
        let text = match (input, &call.arguments) {
            (Some(input), _) => input,
            (None, Arguments::Invalid { raw, .. }) => *raw,
            (None, Arguments::Object { value, .. }) => run.json_text(*value, call.at)?,
        };
        let (kind, key) =
            if input.is_some() { (Word::custom, Word::input) } else { (Word::function, Word::arguments) };
        self.call(run, index, output, |run, object| {
            object.put(run, Word::id, call.id);
            object.word(run, Word::r#type, kind);
            object.key(run, kind);
            let mut inner = run.begin();
            inner.put(run, Word::name, call.name);
            inner.put(run, key, text);
            inner.close(run);
        })
    }

    /// A block that comes whole is told as a whole answer would tell it.
    fn block(&mut self, run: &mut Run, block: &Block, output: &mut Output) -> Result<()> {
        let content = Content::Blocks(vec![block.clone()]);
        let assistant = Assistant { at: block.at(), content, calls: Vec::new(), metadata: Metadata::default() };
        let message = run.try_build(|run| write_assistant(run, &assistant, Setting::Response))?;
        for key in [Word::content, Word::refusal, Word::reasoning_content] {
            let text = run.member(message, key);
            if let Some(text) = text.filter(|text| run.store.kind(*text) == crate::value::Kind::String)
                && !run.store.is_empty(text)
            {
                self.text(run, key, text, output)?;
            }
        }
        Ok(())
    }

    fn finish(
        &mut self,
        run: &mut Run,
        at: At,
        (finish, raw): (Finish, Option<Value>),
        metadata: &Metadata,
        output: &mut Output,
    ) -> Result<()> {
        if std::mem::replace(&mut self.has_finished, true) {
            return Ok(());
        }
        self.ensure_started(run, output)?;
        let finish = if finish == Finish::Refusal && self.has_refused { Finish::Stop } else { finish };
        let has_calls = !self.calls.is_empty();
        let choice = run.build(|run| {
            let mut choice = run.begin();
            choice.number(run, Word::index, 0.0);
            choice.key(run, Word::delta);
            run.begin().close(run);
            choice.null(run, Word::logprobs);
            choice.key(run, Word::finish_reason);
            let is_own = run.keeps_family() && metadata.is_own();
            finish::put(run, FINISH, &Ending { finish, raw, at, has_calls, is_own }, finish_word(finish));
            choice.close(run);
        });
        run.warn_metadata(metadata, at);
        self.choice(run, choice, output)?;
        self.write_usage(run, output)
    }

    /// Usage comes after the end, in a chunk of its own (Q141).
    fn write_usage(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        let Some(usage) = self.usage.take() else { return Ok(()) };
        self.ensure_started(run, output)?;
        output.begin("");
        output.raw(&self.head);
        output.raw(b"],\"usage\":");
        output.raw(&usage);
        output.raw(b"}");
        output.end();
        Ok(())
    }
}
