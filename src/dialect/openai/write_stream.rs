//! Writing streams (WIRE §1.8): chunks whose deltas are fragments of one message.

use super::messages::{Setting, write_assistant};
use super::response::{FINISH, finish_word, write_usage};
use super::signatures;
use super::write_messages::{is_part, warn_late};
use crate::dialect::shared::arguments;
use crate::dialect::shared::finish::{self, Ending};
use crate::dialect::shared::freeform;
use crate::dialect::shared::openai_items::put_time;
use crate::dialect::shared::stream::{Encode, Output, UnderWay, write_error};
use crate::model::{Arguments, Assistant, Block, Call, Content, Event, Finish, Metadata, Native};
use crate::run::{At, Provider, Result, Run};
use crate::value::{Value, Word};

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder::default()))
}

/// Fields of the answer that every chunk repeats.
const REPEATED: &[Word] = &[Word::created, Word::system_fingerprint, Word::service_tier];

#[derive(Default)]
struct Encoder {
    /// What every chunk says first, up to its choices, without its end; empty before the start.
    head: Vec<u8>,
    /// Those under way, by their blocks; whether there ever were any.
    calls: UnderWay<Open>,
    has_begun_calls: bool,
    /// How many calls there are, with those that came whole.
    count: usize,
    has_finished: bool,
    has_refused: bool,
    /// Usage that was told before the end, as JSON text: the last one counts.
    usage: Option<Vec<u8>>,
}

/// A call that was begun.
struct Open {
    index: usize,
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
                if run.store.is_empty(*text) {
                    return Ok(());
                }
                self.warn_order(run, *at);
                self.text(run, Word::content, *text, output)
            }
            Event::RefusalDelta { at, text, metadata, .. } => {
                run.warn_metadata(metadata, *at);
                self.has_refused = true;
                self.text(run, Word::refusal, *text, output)
            }
            Event::ReasoningDelta { at, text, issuer: Provider::OpenAI, metadata, .. } => {
                run.warn_metadata(metadata, *at);
                self.text(run, Word::reasoning_content, *text, output)
            }
            Event::ReasoningDelta { at, text, metadata, .. } => {
                run.warn_reasoning_delta(*text, metadata, *at);
                Ok(())
            }
            Event::ReasoningEnd { at, signature, redacted, metadata, .. } => {
                run.warn_reasoning_end(*at, (*signature, *redacted), metadata);
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
            Event::Native(native) if native.provider == Provider::OpenAI => self.native(run, native, output),
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

    fn may_repeat(&self, _event: &Event) -> bool {
        true
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
        let mut is_told = false;
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
                put_time(run, &mut object, metadata, Word::created, Word::created_at);
                is_told = object.has(Word::created_at);
            }
            for word in REPEATED {
                if let Some(value) = metadata.family_field(*word).filter(|_| run.keeps_family()) {
                    object.put(run, *word, value);
                }
            }
            object.close(run);
        });
        self.head = run.export(head)?;
        self.head.pop();
        let rest = run.build(|run| {
            let mut object = run.begin();
            REPEATED.iter().for_each(|word| object.skip(*word));
            if is_told {
                object.skip(Word::created_at);
            }
            object.end(run, metadata, at);
        });
        let delta = run.build(|run| {
            let mut delta = run.begin();
            delta.word(run, Word::role, Word::assistant);
            delta.text(run, Word::content, "");
            delta.close(run);
        });
        output.begin("");
        output.raw(&self.head);
        output.raw(BEFORE_DELTA);
        output.put(run, delta)?;
        output.raw(AFTER_DELTA);
        put_rest(run, rest, output)?;
        output.end();
        Ok(())
    }

    fn ensure_started(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        if !self.head.is_empty() {
            return Ok(());
        }
        self.start(run, At::ROOT, (None, None), &Metadata::default(), output)
    }

    /// Writes a chunk with one choice.
    fn choice(&mut self, run: &mut Run, choice: Value, output: &mut Output) -> Result<()> {
        output.begin("");
        output.raw(&self.head);
        output.raw(b",\"choices\":[");
        output.put(run, choice)?;
        output.raw(b"]}");
        output.end();
        Ok(())
    }

    /// Writes a chunk with a delta.
    fn delta(&mut self, run: &mut Run, delta: Value, output: &mut Output) -> Result<()> {
        self.begin_delta(run, output)?;
        output.put(run, delta)?;
        end_delta(output);
        Ok(())
    }

    fn begin_delta(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.ensure_started(run, output)?;
        output.begin("");
        output.raw(&self.head);
        output.raw(BEFORE_DELTA);
        Ok(())
    }

    /// Writes a part of a chunk that only OpenAI knows, as the reader gave it: its fields, or one of its choices.
    fn native(&mut self, run: &mut Run, native: &Native, output: &mut Output) -> Result<()> {
        self.ensure_started(run, output)?;
        run.warn_metadata(&native.metadata, native.at);
        let mut fields = run.plain_object(native.value, native.at).map(|value| run.members(value))?;
        let choices =
            fields.iter().position(|field| field.word == Word::choices).map(|index| fields.remove(index).value);
        let rest = run.build(|run| {
            run.store.begin_object();
            for field in fields {
                run.put_key(field.into());
                run.store.put(field.value);
            }
            run.store.end_object();
        });
        output.begin("");
        output.raw(&self.head);
        output.raw(b",\"choices\":");
        match choices {
            Some(choices) => output.put(run, choices)?,
            None => output.raw(b"[]"),
        }
        put_rest(run, rest, output)?;
        output.end();
        Ok(())
    }

    fn text(&mut self, run: &mut Run, key: Word, text: Value, output: &mut Output) -> Result<()> {
        self.begin_delta(run, output)?;
        ["{\"", key.text(), "\":"].iter().for_each(|part| output.raw(part.as_bytes()));
        output.put(run, text)?;
        output.raw(b"}");
        end_delta(output);
        Ok(())
    }

    fn call_start(
        &mut self,
        run: &mut Run,
        block: u32,
        (id, name): (Value, Value),
        metadata: &Metadata,
        output: &mut Output,
    ) -> Result<()> {
        let waits = freeform::mark(metadata).is_some();
        let index = self.next_index();
        self.calls.begin(block, Open { index, waits, is_empty: true });
        self.has_begun_calls = true;
        if waits {
            return Ok(());
        }
        self.call(run, index, output, |run, call| {
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
        let call = self.calls.place(block).and_then(|place| self.calls.at_mut(place));
        let Some(call) = call.filter(|call| !call.waits) else { return Ok(()) };
        if run.store.is_empty(text) {
            return Ok(());
        }
        call.is_empty = false;
        let index = call.index;
        self.arguments(run, index, text, output)
    }

    fn arguments(&mut self, run: &mut Run, index: usize, text: Value, output: &mut Output) -> Result<()> {
        self.begin_delta(run, output)?;
        output.raw(b"{\"tool_calls\":[{\"index\":");
        output.number(index as u32);
        output.raw(b",\"function\":{\"arguments\":");
        output.put(run, text)?;
        output.raw(b"}}]}");
        end_delta(output);
        Ok(())
    }

    fn call_end(&mut self, run: &mut Run, block: u32, call: &Call, output: &mut Output) -> Result<()> {
        let open = self.calls.place(block).and_then(|place| self.calls.end(place));
        let Some(Open { index, waits, is_empty }) = open else { return Ok(()) };
        if waits {
            self.freeform_call(run, index, call, output)?;
        } else if is_empty {
            // nothing was told of them: a client parses the text, and nothing is no JSON
            let text = arguments::text(run, call)?;
            self.arguments(run, index, text, output)?;
        }
        self.call_rest(run, index, call, output)
    }

    /// What only OpenAI knows of a call, as a delta of its own: it is known at the call's end.
    fn call_rest(&mut self, run: &mut Run, index: usize, call: &Call, output: &mut Output) -> Result<()> {
        let Call { at, metadata, .. } = call;
        let mut has_rest = metadata.thought_signature().is_some();
        let delta = run.build(|run| {
            let mut delta = run.begin();
            delta.key(run, Word::tool_calls);
            run.store.begin_array();
            let mut object = run.begin();
            object.number(run, Word::index, index as f64);
            // told when it started, or as its arguments came
            for word in [Word::id, Word::r#type, Word::arguments, Word::custom, Word::function] {
                object.skip(word);
            }
            let inner = run.keeps_family().then(|| metadata.family_field(Word::function)).flatten();
            let is_function = freeform::mark(metadata).is_none();
            let in_function = run.build_if(|run| {
                let mut function = run.begin();
                if is_function {
                    // clients look for it in every delta, and add what they find to what they have
                    function.text(run, Word::arguments, "");
                }
                signatures::write_in_function(run, &mut function, metadata);
                function.add_rest(run, inner);
                let says_something = function.has_any() || inner.is_some();
                function.close(run);
                says_something
            });
            if let Some(function) = in_function {
                object.put(run, Word::function, function);
            }
            signatures::write_in_call(run, &mut object, metadata);
            has_rest |= run.keeps_family() && metadata.family().iter().any(|member| member.key.word() != Word::custom);
            object.end(run, metadata, *at);
            run.store.end_array();
            delta.close(run);
        });
        if has_rest { self.delta(run, delta, output) } else { Ok(()) }
    }

    /// A call of a freeform tool, whole; one whose arguments are no input is an ordinary call.
    fn freeform_call(&mut self, run: &mut Run, index: usize, call: &Call, output: &mut Output) -> Result<()> {
        let input = match &call.arguments {
            Arguments::Object { value, .. } => freeform::text_of(run, *value),
            Arguments::Invalid { .. } => None,
        };
        let text = match (input, &call.arguments) {
            (Some(input), _) => input,
            (None, Arguments::Invalid { raw, .. }) => *raw,
            (None, Arguments::Object { value, .. }) => run.json_text(*value, call.at)?,
        };
        let (kind, key) = if input.is_some() { (Word::custom, Word::input) } else { (Word::function, Word::arguments) };
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

    fn next_index(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    /// Who puts the message together has its content before its calls.
    fn warn_order(&self, run: &mut Run, at: At) {
        if self.has_begun_calls {
            warn_late(run, at);
        }
    }

    /// A block that comes whole is told as a whole answer would tell it.
    fn block(&mut self, run: &mut Run, block: &Block, output: &mut Output) -> Result<()> {
        if is_part(block) {
            self.warn_order(run, block.at());
        }
        let content = Content::Blocks(vec![block.clone()]);
        let assistant = Assistant { at: block.at(), content, calls: Vec::new(), metadata: Metadata::default() };
        let message = run.try_build(|run| write_assistant(run, &assistant, Setting::Response))?;
        for key in [Word::content, Word::refusal, Word::reasoning_content, Word::reasoning] {
            if let Some(said) = run.member(message, key).filter(|said| !run.says_nothing(*said)) {
                self.has_refused |= key == Word::refusal;
                self.text(run, key, said, output)?;
            }
        }
        let Some(calls) = run.member(message, Word::tool_calls) else { return Ok(()) };
        run.list(calls).into_iter().try_for_each(|call| self.native_call(run, call, output))
    }

    /// A call of a type that only OpenAI knows.
    fn native_call(&mut self, run: &mut Run, call: Value, output: &mut Output) -> Result<()> {
        let index = self.next_index();
        let members = run.members(call);
        self.call(run, index, output, |run, object| {
            for member in members {
                if member.word != Word::index {
                    run.put_key(member.into());
                    run.store.put(member.value);
                }
            }
            object.skip(Word::id);
        })
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
        let has_calls = self.count > 0;
        let nested = metadata.family_field(Word::choice).filter(|_| run.keeps_family());
        let has_logprobs = nested.is_some_and(|rest| run.member(rest, Word::logprobs).is_some());
        let choice = run.build(|run| {
            let mut choice = run.begin();
            choice.number(run, Word::index, 0.0);
            choice.key(run, Word::delta);
            run.begin().close(run);
            if !has_logprobs {
                choice.null(run, Word::logprobs);
            }
            choice.key(run, Word::finish_reason);
            let is_own = run.keeps_family() && metadata.is_own();
            finish::put(run, FINISH, &Ending { finish, raw, at, has_calls, is_own }, finish_word(finish));
            choice.add_nested(run, metadata, Word::choice);
            choice.skip(Word::choice);
            choice.end(run, metadata, at);
        });
        self.choice(run, choice, output)?;
        self.write_usage(run, output)
    }

    /// Usage comes after the end, in a chunk of its own (Q141).
    fn write_usage(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        let Some(usage) = self.usage.take() else { return Ok(()) };
        self.ensure_started(run, output)?;
        output.begin("");
        output.raw(&self.head);
        output.raw(b",\"choices\":[],\"usage\":");
        output.raw(&usage);
        output.raw(b"}");
        output.end();
        Ok(())
    }
}

/// What stands around the delta of the one choice that a chunk has.
const BEFORE_DELTA: &[u8] = b",\"choices\":[{\"index\":0,\"delta\":";
const AFTER_DELTA: &[u8] = b",\"logprobs\":null,\"finish_reason\":null}]";

fn end_delta(output: &mut Output) {
    output.raw(AFTER_DELTA);
    output.raw(b"}");
    output.end();
}

/// Writes further fields of a chunk, and its end.
fn put_rest(run: &mut Run, rest: Value, output: &mut Output) -> Result<()> {
    let json = run.export(rest)?;
    match json.get(1..) {
        Some(b"}") | None => output.raw(b"}"),
        Some(members) => {
            output.raw(b",");
            output.raw(members);
        }
    }
    Ok(())
}
