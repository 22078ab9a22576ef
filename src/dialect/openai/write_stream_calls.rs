//! Writes calls of a stream: the start, fragments of arguments, and at the end the fields that only OpenAI understands.

use super::signatures;
use super::write_messages::{put_call, write_call};
use super::write_stream::Encoder;
use crate::dialect::shared::arguments;
use crate::dialect::shared::freeform;
use crate::dialect::shared::stream::Output;
use crate::model::{Call, CallStart};
use crate::run::{Result, Run, Writing};
use crate::value::{Value, Word};

/// A call that was started.
pub(super) struct StartedCall {
    index: usize,
    /// Freeform calls are written when their input is complete, as the fragments of their arguments are JSON; so are all calls of some formats.
    waits: bool,
    is_empty: bool,
    /// Whether its start has its signature: clients look for it there (`@ai-sdk/openai-compatible` 3.0).
    is_signed: bool,
}

impl Encoder {
    pub(super) fn call_start(&mut self, run: &mut Run, start: &CallStart, output: &mut Output) -> Result<()> {
        let CallStart { block, id, name, ref metadata, .. } = *start;
        let waits = freeform::mark(metadata).is_some() || run.route.to.format().whole_calls;
        if run.route.to.format().whole_calls {
            self.whole.begin(block);
        }
        let index = self.next_index();
        // a signature with a place of its own may be in the function, and follows at the end
        let has_place = metadata.form(Word::thought_signature).is_some();
        let is_signed = !waits && !has_place && metadata.thought_signature().is_some();
        self.calls.begin(block, StartedCall { index, waits, is_empty: true, is_signed });
        self.has_begun_calls = true;
        if waits {
            return Ok(());
        }
        self.call(run, index, output, |run, call| {
            call.put(run, Word::id, id);
            call.word(run, Word::r#type, Word::function);
            call.object(run, Word::function, |run, function| {
                function.put(run, Word::name, name);
                function.text(run, Word::arguments, "");
            });
            if is_signed {
                signatures::write_in_call(run, call, metadata);
            }
        })
    }

    /// Writes a delta of one call.
    fn call(
        &mut self,
        run: &mut Run,
        index: usize,
        output: &mut Output,
        write: impl FnOnce(&mut Run, &mut Writing),
    ) -> Result<()> {
        self.delta(run, output, |run, delta| {
            delta.array(run, Word::tool_calls, |run| {
                let mut call = run.begin();
                call.number(run, Word::index, index as f64);
                write(run, &mut call);
                call.close(run);
            });
        })
    }

    pub(super) fn call_delta(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        let call = self.calls.latest_mut(block);
        let Some(call) = call.filter(|call| !call.waits) else { return Ok(()) };
        if run.store.is_empty(text) {
            return Ok(());
        }
        call.is_empty = false;
        let index = call.index;
        self.arguments(run, index, text, output)
    }

    fn arguments(&mut self, run: &mut Run, index: usize, text: Value, output: &mut Output) -> Result<()> {
        self.call(run, index, output, |run, call| {
            call.object(run, Word::function, |run, function| function.put(run, Word::arguments, text));
        })
    }

    pub(super) fn call_end(&mut self, run: &mut Run, block: u32, call: &Call, output: &mut Output) -> Result<()> {
        let open = self.calls.end_latest(block);
        let Some(StartedCall { index, waits, is_empty, is_signed }) = open else { return Ok(()) };
        if run.route.to.format().whole_calls {
            return self.hold_whole(run, block, (call, index));
        }
        if waits {
            let whole = run.try_build(|run| write_call(run, call))?;
            return self.whole_call(run, index, whole, output);
        }
        if is_empty {
            // there were no arguments; clients parse the text, and an empty one is not JSON
            let text = arguments::text(run, call)?;
            self.arguments(run, index, text, output)?;
        }
        self.call_rest(run, (index, is_signed), call, output)
    }

    /// Ends a call of a format that has calls whole. All of them are written together: Mistral's API sends them in one delta, and clients take
    /// the place of a call there for its number (`https://github.com/comet-ml/opik/pull/7385`, pydantic-ai, LangChain).
    pub(super) fn hold_whole(&mut self, run: &mut Run, block: u32, (call, index): (&Call, usize)) -> Result<()> {
        let call = run.try_build(|run| put_call(run, call, Some(index)))?;
        self.whole.hold(run, block, call)
    }

    pub(super) fn put_whole(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        let calls = self.whole.rest(run)?;
        if calls.is_empty() {
            return Ok(());
        }
        self.delta(run, output, |run, delta| delta.list(run, Word::tool_calls, &calls))
    }

    /// Writes a call's fields that only OpenAI understands in a delta of their own, as they are known at its end.
    fn call_rest(
        &mut self,
        run: &mut Run,
        (index, is_signed): (usize, bool),
        call: &Call,
        output: &mut Output,
    ) -> Result<()> {
        let Call { at, metadata, .. } = call;
        if metadata.is_empty() {
            return Ok(());
        }
        let rest = run.build_with(metadata, *at, |run, object| {
            object.object(run, Word::function, |run, function| {
                // clients expect the field in every delta and append its value
                function.text(run, Word::arguments, "");
                signatures::write_in_function(run, function, metadata);
                function.add_rest(run, metadata.own_field(Word::function));
            });
            if is_signed {
                object.skip(run, Word::thought_signature);
            } else {
                signatures::write_in_call(run, object, metadata);
            }
            // written at the start, or with the arguments
            for word in [Word::id, Word::r#type, Word::arguments, Word::custom] {
                object.skip(run, word);
            }
        });
        let has_fields = metadata.own_fields().iter().any(|member| member.key.word() != Word::custom);
        if has_fields || metadata.thought_signature().is_some_and(|_| !is_signed) {
            self.whole_call(run, index, rest, output)?;
        }
        Ok(())
    }

    pub(super) fn next_index(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    /// Writes a delta with a call, or with the rest of one, that has no index yet.
    pub(super) fn whole_call(&mut self, run: &mut Run, index: usize, call: Value, output: &mut Output) -> Result<()> {
        let members = run.members(call);
        self.call(run, index, output, |run, _| {
            for member in members.into_iter().filter(|member| member.word != Word::index) {
                run.put_key(member.into());
                run.store.put(member.value);
            }
        })
    }
}
