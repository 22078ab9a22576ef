//! Writes streams (WIRE §1.8): chunks whose deltas are fragments of one message.

use super::chunks;
use super::details::{self, Thoughts};
use super::messages::write_assistant;
use super::response::{REQUIRED, USAGE};
use super::write_messages::is_content;
use super::write_stream_calls::StartedCall;
use crate::dialect::shared::stream::{Encode, Output, UnderWay, WholeCalls, warn_event, write_error};
use crate::dialect::shared::turns::warn_late;
use crate::dialect::shared::usage;
use crate::fit::responses::missing_start;
use crate::model::{Assistant, Block, Content, End, Event, Metadata, Native, Start, Usage};
use crate::run::{At, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder::default()))
}

/// Fields of the response that are repeated in every chunk.
const REPEATED: &[Word] = &[Word::created, Word::system_fingerprint, Word::service_tier];

#[derive(Default)]
pub(super) struct Encoder {
    /// The start of every chunk, up to its choices, without a closing brace; empty before the response has started.
    head: Vec<u8>,
    /// Open calls by block number; whether there were any.
    pub(super) calls: UnderWay<StartedCall>,
    pub(super) has_begun_calls: bool,
    /// Number of calls, including those that arrived whole.
    pub(super) count: usize,
    has_finished: bool,
    thoughts: Thoughts,
    /// Whether the last event was a piece of reasoning.
    is_thinking: bool,
    /// The last usage so far, as JSON text.
    usage: Option<Vec<u8>>,
    /// Calls of a format that has them whole.
    pub(super) whole: WholeCalls,
    /// The last choice, as JSON text, of a format whose last chunk has the usage, too.
    ending: Option<Vec<u8>>,
}

impl Encode for Encoder {
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()> {
        self.is_thinking = matches!(event, Event::ReasoningDelta { .. });
        match event {
            Event::Start(start) => self.start(run, start, output),
            Event::TextDelta { at, text, metadata, .. } | Event::RefusalDelta { at, text, metadata, .. } => {
                if let Some(citations) = metadata.own_field(Word::annotations) {
                    return self.text(run, Word::annotations, citations, output);
                }
                run.warn_metadata(metadata, *at);
                if run.store.is_empty(*text) {
                    return Ok(());
                }
                if matches!(event, Event::RefusalDelta { .. }) {
                    return self.text(run, Word::refusal, *text, output);
                }
                self.warn_order(run, *at);
                self.text(run, Word::content, *text, output)
            }
            Event::ReasoningDelta { at, block, text, metadata, .. } => {
                run.warn_metadata(metadata, *at);
                if details::is_listed(run, metadata) {
                    return Ok(());
                }
                if run.route.to.format().chunks {
                    let piece = chunks::piece(run, Some(*text), None);
                    return self.text(run, Word::content, piece, output);
                }
                self.thoughts.add(run, *block, *text, *at)?;
                self.text(run, Word::reasoning_content, *text, output)
            }
            Event::CallStart(start) => self.call_start(run, start, output),
            Event::CallDelta { block, text } => self.call_delta(run, *block, *text, output),
            Event::CallEnd { block, call } => self.call_end(run, *block, call, output),
            Event::Block { block, value: Block::Reasoning(part) }
                if !run.route.to.format().chunks && details::is_sealed(run, part) =>
            {
                if let Some(text) = part.text {
                    self.thoughts.add(run, *block, text, part.at)?;
                    self.text(run, Word::reasoning_content, text, output)?;
                }
                let entries = self.thoughts.end(run, *block, part)?;
                entries.map_or(Ok(()), |entries| self.text(run, Word::reasoning_details, entries, output))
            }
            Event::Block { block, value: Block::Call(call) } if run.route.to.format().whole_calls => {
                let index = self.next_index();
                self.has_begun_calls = true;
                self.whole.begin(*block);
                self.hold_whole(run, *block, (call, index))
            }
            Event::Block { value, .. } => self.block(run, value, output),
            Event::Usage(usage) => {
                let usage = run.build(|run| usage::write(run, usage, USAGE));
                self.usage = Some(run.export(usage)?);
                if self.has_finished && self.ending.is_none() { self.write_usage(run, output) } else { Ok(()) }
            }
            Event::Finish(end) => self.finish(run, end, output),
            Event::Error(error) => {
                self.write_ending(run, output)?;
                self.has_finished = true;
                write_error(run, error, output)
            }
            Event::Native(native) if run.route.leads_to(native.provider) && is_of_chunk(run, native) => {
                self.native(run, native, output)
            }
            Event::ReasoningEnd { reasoning, .. } if run.route.to.format().chunks => {
                run.warn_metadata(&reasoning.metadata, reasoning.at);
                let Some(signature) = reasoning.signature.or(reasoning.redacted) else { return Ok(()) };
                let piece = chunks::piece(run, None, Some(signature));
                self.text(run, Word::content, piece, output)
            }
            Event::ReasoningEnd { block, reasoning } => match self.thoughts.end(run, *block, reasoning)? {
                Some(entries) => self.text(run, Word::reasoning_details, entries, output),
                None => {
                    warn_event(run, event);
                    Ok(())
                }
            },
            Event::Native(_) | Event::State { .. } => {
                warn_event(run, event);
                Ok(())
            }
        }
    }

    fn may_repeat(&self, _event: &Event) -> bool {
        true
    }

    fn repeat(&mut self, text: &[u8], output: &mut Output) {
        if self.is_thinking {
            self.thoughts.repeat(text);
        }
        output.repeat(text);
    }

    fn end(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.write_ending(run, output)?;
        self.write_usage(run, output)?;
        output.done();
        Ok(())
    }
}

impl Encoder {
    fn start(&mut self, run: &mut Run, start: &Start, output: &mut Output) -> Result<()> {
        let Start { at, id, model, ref metadata } = *start;
        let head = run.build_object(|run, object| {
            object.option(run, Word::id, id);
            object.text(run, Word::object, Word::chat_completion_chunk.text());
            object.option(run, Word::model, model);
            object.put_made(run, metadata);
            for word in REPEATED {
                if let Some(value) = metadata.own_field(*word) {
                    object.put(run, *word, value);
                }
            }
        });
        self.head = run.export(head)?;
        self.head.pop();
        let members = run.build_with(metadata, at, |run, chunk| {
            put_delta(run, chunk, |run, delta| {
                delta.word(run, Word::role, Word::assistant);
                delta.text(run, Word::content, "");
            });
            REPEATED.iter().for_each(|word| chunk.skip(run, *word));
        });
        self.chunk(run, members, output)
    }

    /// Writes a chunk with these members after its head.
    fn chunk(&mut self, run: &mut Run, members: Value, output: &mut Output) -> Result<()> {
        if self.head.is_empty() {
            let start = missing_start(run, REQUIRED);
            self.start(run, &start, output)?;
        }
        output.begin("");
        output.raw(&self.head);
        output.members(run, members)?;
        output.end_object();
        Ok(())
    }

    /// Writes a chunk with a delta.
    pub(super) fn delta(
        &mut self,
        run: &mut Run,
        output: &mut Output,
        write: impl FnOnce(&mut Run, &mut Writing),
    ) -> Result<()> {
        let members = run.build_object(|run, chunk| put_delta(run, chunk, write));
        self.chunk(run, members, output)
    }

    fn text(&mut self, run: &mut Run, key: Word, text: Value, output: &mut Output) -> Result<()> {
        self.delta(run, output, |run, delta| delta.put(run, key, text))
    }

    /// Writes a native part of a chunk as the reader created it: its fields, or one of its choices.
    fn native(&mut self, run: &mut Run, native: &Native, output: &mut Output) -> Result<()> {
        run.warn_metadata(&native.metadata, native.at);
        let value = run.plain_object(native.value, native.at)?;
        let choices = run.member(value, Word::choices);
        let fields = run.members(value);
        let members = run.build_object(|run, chunk| {
            match choices {
                Some(choices) => chunk.put(run, Word::choices, choices),
                None => chunk.list(run, Word::choices, &[]),
            }
            for field in fields.into_iter().filter(|field| field.word != Word::choices) {
                run.put_key(field.into());
                run.store.put(field.value);
            }
        });
        self.chunk(run, members, output)
    }

    /// Warns about content after a call: clients that assemble the message put content first.
    fn warn_order(&self, run: &mut Run, at: At) {
        if self.has_begun_calls {
            warn_late(run, at);
        }
    }

    /// Writes a whole block as in a whole response.
    fn block(&mut self, run: &mut Run, block: &Block, output: &mut Output) -> Result<()> {
        if is_content(block) {
            self.warn_order(run, block.at());
        }
        let at = block.at();
        let content = Content::Blocks(vec![block.clone()]);
        let assistant = Assistant { at, content, calls: Vec::new(), metadata: Metadata::default() };
        let message = run.try_build(|run| write_assistant(run, &assistant))?;
        for key in [Word::content, Word::refusal, Word::reasoning_content, Word::reasoning] {
            if let Some(content) = run.member(message, key).filter(|content| !run.is_void(*content)) {
                self.text(run, key, content, output)?;
            }
        }
        let Some(calls) = run.member(message, Word::tool_calls) else { return Ok(()) };
        run.list(calls).into_iter().try_for_each(|call| {
            let index = self.next_index();
            self.whole_call(run, index, call, output)
        })
    }

    fn finish(&mut self, run: &mut Run, end: &End, output: &mut Output) -> Result<()> {
        let End { at, finish: _, raw, ref metadata } = *end;
        if std::mem::replace(&mut self.has_finished, true) {
            run.warn_metadata(metadata, at);
            return Ok(());
        }
        let nested = metadata.own_field(Word::choice);
        let has_logprobs = nested.is_some_and(|rest| run.member(rest, Word::logprobs).is_some());
        let choice = run.build_with(metadata, at, |run, choice| {
            choice.number(run, Word::index, 0.0);
            choice.object(run, Word::delta, |_, _| {});
            if !has_logprobs {
                null_logprobs(run, choice);
            }
            choice.put_or_null(run, Word::finish_reason, raw);
            choice.add_nested(run, metadata, Word::choice);
            choice.skip(run, Word::choice);
        });
        if run.route.to.format().always_counts {
            self.ending = Some(run.export(choice)?);
            return Ok(());
        }
        let members = run.build_object(|run, chunk| chunk.list(run, Word::choices, &[choice]));
        self.chunk(run, members, output)?;
        self.write_usage(run, output)
    }

    /// Writes the last chunk, which waited for the usage.
    fn write_ending(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.put_whole(run, output)?;
        let Some(choice) = self.ending.take() else { return Ok(()) };
        let choice = run.import(&choice)?;
        let usage = match self.usage.take() {
            Some(usage) => run.import(&usage)?,
            None => run.build(|run| {
                usage::write(run, &Usage { input: Some(0.0), output: Some(0.0), ..Usage::new(At::ROOT) }, USAGE);
            }),
        };
        let members = run.build_object(|run, chunk| {
            chunk.list(run, Word::choices, &[choice]);
            chunk.put(run, Word::usage, usage);
        });
        self.chunk(run, members, output)
    }

    /// The usage follows the end, in a chunk without choices (Q141). It is only written for clients that asked for it: others read the first choice
    /// of each chunk.
    fn write_usage(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        let Some(usage) = self.usage.take().filter(|_| run.options.includes_usage()) else {
            return Ok(());
        };
        let usage = run.import(&usage)?;
        let members = run.build_object(|run, chunk| {
            chunk.list(run, Word::choices, &[]);
            chunk.put(run, Word::usage, usage);
        });
        self.chunk(run, members, output)
    }
}

/// Writes the only choice of a chunk with a delta.
fn put_delta(run: &mut Run, chunk: &mut Writing, write: impl FnOnce(&mut Run, &mut Writing)) {
    chunk.array(run, Word::choices, |run| {
        let mut choice = run.begin();
        choice.number(run, Word::index, 0.0);
        choice.object(run, Word::delta, write);
        null_logprobs(run, &mut choice);
        choice.null(run, Word::finish_reason);
        choice.close(run);
    });
}

/// Clients of OpenAI require the field.
fn null_logprobs(run: &mut Run, choice: &mut Writing) {
    if !run.route.to.format().is_foreign(Word::logprobs) {
        choice.null(run, Word::logprobs);
    }
}

/// Whether a native event is a part of a chunk. Events of Responses, and those of backends (`codex.rate_limits`), state their type.
fn is_of_chunk(run: &mut Run, native: &Native) -> bool {
    let kind = run.member(native.value, Word::r#type);
    kind.is_none_or(|kind| run.store.kind(kind) != Kind::String)
}
