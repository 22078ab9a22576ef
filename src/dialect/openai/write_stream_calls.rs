//! Writes calls of a stream: the start, fragments of arguments, and at the end the fields that only OpenAI understands.

use super::signatures;
use super::write_stream::{Encoder, end_delta};
use crate::dialect::shared::arguments;
use crate::dialect::shared::freeform;
use crate::dialect::shared::stream::Output;
use crate::model::{Arguments, Call, CallStart};
use crate::run::{Result, Run, Writing};
use crate::value::{Value, Word};

/// A call that was started.
pub(super) struct Open {
    index: usize,
    /// Freeform calls are written when their input is complete: the fragments of their arguments are JSON.
    waits: bool,
    is_empty: bool,
}

impl Encoder {
    pub(super) fn call_start(&mut self, run: &mut Run, start: &CallStart, output: &mut Output) -> Result<()> {
        let CallStart { block, id, name, ref metadata, .. } = *start;
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
            call.object(run, Word::function, |run, function| {
                function.put(run, Word::name, name);
                function.text(run, Word::arguments, "");
            });
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
        let delta = delta_of(run, index, |run, mut call| {
            write(run, &mut call);
            call.close(run);
        });
        self.delta(run, delta, output)
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
        self.begin_delta(run, output)?;
        output.raw(b"{\"tool_calls\":[{\"index\":");
        output.number(index as u32);
        output.raw(b",\"function\":{\"arguments\":");
        output.put(run, text)?;
        output.raw(b"}}]}");
        end_delta(output);
        Ok(())
    }

    pub(super) fn call_end(&mut self, run: &mut Run, block: u32, call: &Call, output: &mut Output) -> Result<()> {
        let open = self.calls.end_latest(block);
        let Some(Open { index, waits, is_empty }) = open else { return Ok(()) };
        if waits {
            self.freeform_call(run, index, call, output)?;
        } else if is_empty {
            // there were no arguments; clients parse the text, and an empty one is not JSON
            let text = arguments::text(run, call)?;
            self.arguments(run, index, text, output)?;
        }
        self.call_rest(run, index, call, output)
    }

    /// Writes a call's fields that only OpenAI understands in a delta of their own, as they are known at its end.
    fn call_rest(&mut self, run: &mut Run, index: usize, call: &Call, output: &mut Output) -> Result<()> {
        let Call { at, metadata, .. } = call;
        let mut has_rest = metadata.thought_signature().is_some();
        let delta = delta_of(run, index, |run, mut object| {
            // written at the start, or with the arguments
            for word in [Word::id, Word::r#type, Word::arguments, Word::custom, Word::function] {
                object.skip(run, word);
            }
            let inner = metadata.own_field(Word::function);
            let is_function = freeform::mark(metadata).is_none();
            let in_function = run.build_if(|run| {
                let mut function = run.begin();
                if is_function {
                    // clients expect the field in every delta and append its value
                    function.text(run, Word::arguments, "");
                }
                signatures::write_in_function(run, &mut function, metadata);
                function.add_rest(run, inner);
                let has_content = function.has_any(run) || inner.is_some();
                function.close(run);
                has_content
            });
            if let Some(function) = in_function {
                object.put(run, Word::function, function);
            }
            signatures::write_in_call(run, &mut object, metadata);
            has_rest |= metadata.own_fields().iter().any(|member| member.key.word() != Word::custom);
            object.end(run, metadata, *at);
        });
        if has_rest { self.delta(run, delta, output) } else { Ok(()) }
    }

    /// Writes a freeform call, whole. If its arguments are not a single input text, it is written as an ordinary call.
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
            object.object(run, kind, |run, inner| {
                inner.put(run, Word::name, call.name);
                inner.put(run, key, text);
                inner.add_rest(run, call.metadata.own_field(Word::custom));
            });
        })
    }

    fn next_index(&mut self) -> usize {
        self.count += 1;
        self.count - 1
    }

    /// Writes a call of a type that only OpenAI understands.
    pub(super) fn native_call(&mut self, run: &mut Run, call: Value, output: &mut Output) -> Result<()> {
        let index = self.next_index();
        let members = run.members(call);
        self.call(run, index, output, |run, object| {
            for member in members {
                if member.word != Word::index {
                    run.put_key(member.into());
                    run.store.put(member.value);
                }
            }
            object.skip(run, Word::id);
        })
    }
}

/// A delta with one call. `write` ends the object of the call.
fn delta_of(run: &mut Run, index: usize, write: impl FnOnce(&mut Run, Writing)) -> Value {
    run.build_object(|run, delta| {
        delta.key(run, Word::tool_calls);
        run.store.begin_array();
        let mut call = run.begin();
        call.number(run, Word::index, index as f64);
        write(run, call);
        run.store.end_array();
    })
}
