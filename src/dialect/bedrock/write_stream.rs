//! Writes streams (WIRE §5.8): the message, its blocks one after another, its end, and the counts.

use super::error::streamed;
use super::read_stream::is_of_response;
use super::response::write_usage;
use crate::dialect::shared::stream::{BlockEvents, Encode, Order, Output, Stage, Waiting, WriteCalls, warn_event};
use crate::fit::native;
use crate::model::{ChatError, Event, Native, Start, Usage};
use crate::run::{At, Result, Run};
use crate::value::Word;

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder {
        stage: Stage::default(),
        order: Order::new(EVENTS),
        waiting: Waiting::default(),
        delta: Vec::new(),
    }))
}

pub(super) struct Encoder {
    stage: Stage,
    pub(super) order: Order,
    /// What is written at the end of the stream.
    waiting: Waiting,
    /// A buffer for the JSON text of the current delta.
    pub(super) delta: Vec<u8>,
}

/// The events of a block. Texts and reasoning have no start.
const EVENTS: &BlockEvents = &BlockEvents {
    start: |output, index, start| {
        if start != b"null" {
            write(output, index, Word::contentBlockStart, &[b"\"start\":", start, b","]);
        }
    },
    delta: |output, index, delta| write(output, index, Word::contentBlockDelta, &[b"\"delta\":", delta, b","]),
    stop: |output, index| write(output, index, Word::contentBlockStop, &[]),
    unsigned: None,
    arguments_are_text: false,
};

/// The fields of a response beside its message, reason and usage.
const STATE: [Word; 5] =
    [Word::metrics, Word::trace, Word::performanceConfig, Word::serviceTier, Word::additionalModelResponseFields];

/// Writes an event of a block: a member in pieces, and the index.
fn write(output: &mut Output, index: &str, event: Word, member: &[&[u8]]) {
    let place: [&[u8]; 4] = [b"\"contentBlockIndex\":", index.as_bytes(), b"", b""];
    let pieces = [b"{".as_slice()].into_iter().chain(member.iter().copied()).chain(place).chain([b"}".as_slice()]);
    output.keyed(event.text(), pieces);
}

impl Encode for Encoder {
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()> {
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
            Event::Finish(end) => {
                self.waiting.keep_finish(run, end, |run, stop, raw| stop.option(run, Word::stopReason, raw))
            }
            Event::Error(error) => self.error(run, error, output),
            Event::State { at, metadata } => self.waiting.keep_state(run, metadata, *at),
            Event::Native(native) if run.route.leads_to(native.provider) => self.native(run, native, output),
            Event::RefusalDelta { .. } | Event::Native(_) => {
                warn_event(run, event);
                Ok(())
            }
        }
    }

    fn may_repeat(&self, event: &Event) -> bool {
        self.order.may_repeat(event)
    }

    fn repeat(&mut self, text: &[u8], output: &mut Output) {
        if output.repeat(text) {
            self.order.repeat(text);
        }
    }

    fn has_failed(&self) -> bool {
        self.stage == Stage::Failed
    }

    fn end(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.begin(output);
        self.order.end_all(output);
        let finish = self.waiting.finish.take().unwrap_or_else(|| b"{\"stopReason\":\"end_turn\"}".to_vec());
        output.keyed(Word::messageStop.text(), [finish.as_slice()]);
        if self.waiting.usage.is_none() {
            let nothing = Usage { input: Some(0.0), output: Some(0.0), ..Usage::new(At::ROOT) };
            self.waiting.keep_usage(run, &nothing, write_usage)?;
        }
        let usage = self.waiting.usage.take().unwrap_or_default();
        let has_metrics = self.waiting.has(Word::metrics);
        let metrics: &[u8] = if has_metrics { b"" } else { b",\"metrics\":{\"latencyMs\":0}" };
        let rest = self.waiting.members();
        output.keyed(Word::metadata.text(), [b"{\"usage\":".as_slice(), &usage, metrics, &rest, b"}"]);
        Ok(())
    }
}

impl Encoder {
    fn start(&mut self, run: &mut Run, start: &Start, output: &mut Output) -> Result<()> {
        let Start { at, id: _, model: _, metadata } = start;
        if !self.stage.is_unbegun(run, *at) {
            return Ok(());
        }
        if metadata.form(Word::messageStart).is_some() {
            self.stage = Stage::Begun;
        }
        self.begin(output);
        self.waiting.keep_state(run, metadata, *at)
    }

    /// Writes the start of the message, if that was not written.
    pub(super) fn begin(&mut self, output: &mut Output) {
        if self.stage == Stage::Unbegun {
            self.stage = Stage::Begun;
            output.keyed(Word::messageStart.text(), [b"{\"role\":\"assistant\"}".as_slice()]);
        }
    }

    // ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────

    fn error(&mut self, run: &mut Run, error: &ChatError, output: &mut Output) -> Result<()> {
        self.order.lose(run, error.at);
        self.waiting.lose(run);
        self.stage = Stage::Failed;
        write_exception(run, error, output)
    }

    /// Writes a native event. Events that make up the response are skipped, as they are written from its content.
    fn native(&mut self, run: &mut Run, native: &Native, output: &mut Output) -> Result<()> {
        run.warn_metadata(&native.metadata, native.at);
        let members = run.members(native.value);
        if !members.is_empty() && members.iter().all(|member| STATE.contains(&member.word)) {
            return self.waiting.keep(run, native.value, native.at);
        }
        match members.as_slice() {
            [only] if !is_of_response(only.word) => {
                self.begin(output);
                let name = run.key_text(crate::run::Key::from(*only)).into_owned();
                output.event(run, &name, native.value)
            }
            _ => {
                native::warn_event(run, native.at);
                Ok(())
            }
        }
    }
}

/// Writes an error as the exception that a stream has for it.
fn write_exception(run: &mut Run, error: &ChatError, output: &mut Output) -> Result<()> {
    let body = run.try_build(|run| super::error::write(run, error))?;
    let inner = run.build_object(|run, object| {
        object.skip(run, Word::__type);
        object.add_rest(run, Some(body));
    });
    let json = run.export(inner)?;
    output.keyed(streamed(error).text(), [json.as_slice()]);
    Ok(())
}
