//! Writes streams (WIRE §8.8): each line is a piece of the response, in the form of a whole one.

use super::response::{REQUIRED, write_counts};
use super::write_messages::{MessageContent, gather, write_call, write_content};
use crate::dialect::shared::stream::{Encode, Output, Waiting, WholeCalls, warn_event, write_error};
use crate::dialect::shared::turns::warn_late;
use crate::fit::responses::missing_start;
use crate::model::{Block, Call, CallStart, Event, Metadata, Start};
use crate::run::{At, Result, Run, Writing};
use crate::value::{Keyed, Value, Word};

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder::default()))
}

#[derive(Default)]
struct Encoder {
    /// The start of every line: the JSON text of an object that is not closed.
    head: Vec<u8>,
    /// The numbers of the calls that have begun, by block.
    begun: Keyed<usize>,
    count: usize,
    calls: WholeCalls,
    /// What is written in the last line: the JSON texts of objects, of which it contains the members.
    waiting: Waiting,
    has_failed: bool,
}

impl Encode for Encoder {
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()> {
        match event {
            Event::Start(Start { at, id: _, model, metadata }) => self.start(run, *at, *model, metadata, output),
            Event::TextDelta { at, text, metadata, .. } => {
                let block = Block::Text { at: *at, text: *text, metadata: metadata.clone() };
                self.block(run, &block, output)
            }
            Event::ReasoningDelta { at, text, metadata, .. } => {
                run.warn_metadata(metadata, *at);
                self.message(run, output, |run, message| {
                    put_no_content(run, message);
                    message.put(run, Word::thinking, *text);
                })
            }
            // calls are written whole
            Event::CallStart(CallStart { block, .. }) => {
                self.begun.insert(&block.to_le_bytes(), self.count);
                self.count += 1;
                self.calls.begin(*block);
                Ok(())
            }
            Event::CallDelta { .. } => Ok(()),
            Event::CallEnd { block, call } => self.call(run, *block, call, output),
            Event::Block { value, .. } => self.block(run, value, output),
            Event::Usage(usage) => self.waiting.keep_usage(run, usage, |run, usage| {
                let mut counts = run.begin();
                write_counts(run, &mut counts, usage);
                counts.close(run);
            }),
            Event::Finish(end) if !self.has_failed => {
                self.waiting.keep_finish(run, end, |run, line, raw| line.option(run, Word::done_reason, raw))
            }
            Event::Error(error) => {
                let calls = self.calls.rest(run)?;
                self.put_calls(run, &calls, output)?;
                self.has_failed = true;
                self.waiting.lose(run);
                write_error(run, error, output)
            }
            Event::State { at, metadata } => self.state(run, *at, metadata, output),
            Event::RefusalDelta { .. } | Event::ReasoningEnd { .. } | Event::Finish(_) | Event::Native(_) => {
                warn_event(run, event);
                Ok(())
            }
        }
    }

    fn may_repeat(&self, _event: &Event) -> bool {
        true
    }

    fn end(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        if self.has_failed {
            return Ok(());
        }
        let calls = self.calls.rest(run)?;
        self.put_calls(run, &calls, output)?;
        let mut parts = vec![run.build_object(|run, line| put_message(run, line, true, put_no_content))];
        for json in [self.waiting.finish.take(), self.waiting.usage.take()].into_iter().flatten() {
            parts.push(run.import(&json)?);
        }
        self.line(run, &parts, output)
    }
}

impl Encoder {
    fn start(
        &mut self,
        run: &mut Run,
        at: At,
        model: Option<Value>,
        metadata: &Metadata,
        output: &mut Output,
    ) -> Result<()> {
        let created = metadata.own_field(Word::created_at);
        let head = run.build_object(|run, object| {
            object.option(run, Word::model, model);
            object.option(run, Word::created_at, created);
            object.put_made(run, metadata);
        });
        self.head = run.export(head)?;
        self.head.pop();
        let mut rest = metadata.clone();
        rest.retain_family(&mut |member| member.key.word() != Word::created_at);
        self.state(run, at, &rest, output)
    }

    /// Writes a line with the members of these objects after its head.
    fn line(&mut self, run: &mut Run, parts: &[Value], output: &mut Output) -> Result<()> {
        if self.head.is_empty() {
            let Start { at, model, metadata, .. } = missing_start(run, REQUIRED);
            self.start(run, at, model, &metadata, output)?;
        }
        output.begin("");
        output.raw(&self.head);
        parts.iter().try_for_each(|part| output.members(run, *part))?;
        output.end_object();
        Ok(())
    }

    /// Writes a line whose message contains the role and what `write` writes.
    fn message(
        &mut self,
        run: &mut Run,
        output: &mut Output,
        write: impl FnOnce(&mut Run, &mut Writing),
    ) -> Result<()> {
        let line = run.build_object(|run, line| put_message(run, line, false, write));
        self.line(run, &[line], output)
    }

    fn block(&mut self, run: &mut Run, block: &Block, output: &mut Output) -> Result<()> {
        let mut gathered = MessageContent::default();
        gather(run, block, &mut gathered);
        if gathered.is_empty(run) {
            return Ok(());
        }
        // in the assembled message, content precedes calls, regardless of the order of lines
        if !self.begun.is_empty() {
            warn_late(run, block.at());
        }
        self.message(run, output, |run, message| {
            write_content(run, message, &gathered, &Metadata::default());
        })
    }

    fn call(&mut self, run: &mut Run, block: u32, call: &Call, output: &mut Output) -> Result<()> {
        let index = self.begun.get(&block.to_le_bytes()).copied().unwrap_or_default();
        let call = run.try_build(|run| write_call(run, call, index))?;
        let calls = self.calls.end(run, block, call)?;
        self.put_calls(run, &calls, output)
    }

    fn put_calls(&mut self, run: &mut Run, calls: &[Value], output: &mut Output) -> Result<()> {
        for call in calls {
            self.message(run, output, |run, message| {
                put_no_content(run, message);
                message.list(run, Word::tool_calls, &[*call]);
            })?;
        }
        Ok(())
    }

    /// Fields of the response: a line of their own.
    fn state(&mut self, run: &mut Run, at: At, metadata: &Metadata, output: &mut Output) -> Result<()> {
        if !metadata.has_family() {
            run.warn_metadata(metadata, at);
            return Ok(());
        }
        let line = run.build_with(metadata, at, |run, line| put_message(run, line, false, put_no_content));
        self.line(run, &[line], output)
    }
}

/// Writes the message of a line, and whether the line is the last one.
fn put_message(run: &mut Run, line: &mut Writing, is_last: bool, write: impl FnOnce(&mut Run, &mut Writing)) {
    line.object(run, Word::message, |run, message| {
        message.word(run, Word::role, Word::assistant);
        write(run, message);
    });
    line.boolean(run, Word::done, is_last);
}

fn put_no_content(run: &mut Run, message: &mut Writing) {
    message.text(run, Word::content, "");
}
