//! Writes streams (WIRE §3.8): the message, its blocks one after another, and its end.

use super::response::{REQUIRED, USAGE, write_usage};
use super::stream_missing::AFTER_START;
use super::stream_order::EVENTS;
use crate::dialect::shared::stream::{
    Added, Encode, Order, Output, Stage, Waiting, WriteCalls, warn_event, write_error,
};
use crate::fit::native;
use crate::fit::responses::{make, missing_start};
use crate::model::{Event, Native, Start, Usage};
use crate::run::{At, Fields, Made, Result, Run};
use crate::value::{Kind, Word};

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder {
        stage: Stage::default(),
        head: Vec::new(),
        order: Order::new(EVENTS),
        usage: None,
        waiting: Waiting::default(),
        delta: Vec::new(),
    }))
}

pub(super) struct Encoder {
    stage: Stage,
    /// The message up to its usage, which may follow immediately: JSON text. Empty once it was written.
    head: Vec<u8>,
    pub(super) order: Order,
    /// The usage for `message_start`, until that is written, and for `message_delta`: JSON texts.
    usage: Option<(Vec<u8>, Vec<u8>)>,
    /// What is written at the end of the stream, apart from the usage.
    waiting: Waiting,
    /// A buffer for the JSON text of the current delta.
    pub(super) delta: Vec<u8>,
}

impl Encode for Encoder {
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()> {
        match event {
            Event::Start(start) => self.start(run, start),
            Event::Usage(usage) => self.keep_usage(run, usage),
            Event::TextDelta { at, block, text, metadata } => self.text(run, *at, (*block, *text), metadata, output),
            Event::ReasoningDelta { at, block, text, issuer: _, metadata } => {
                run.warn_metadata(metadata, *at);
                self.thinking(run, *block, *text, output)
            }
            Event::ReasoningEnd { block, reasoning } => self.reasoning_end(run, *block, reasoning, output),
            Event::CallStart(start) => self.call_start(run, start, output),
            Event::CallDelta { block, text } => self.call_delta(run, *block, *text, output),
            Event::CallEnd { block, call } => self.call_end(run, *block, call, output),
            Event::Block { block, value } => self.block(run, *block, value, output),
            Event::Finish(end) => {
                self.waiting.keep_finish(run, end, |run, delta, raw| delta.put_or_null(run, Word::stop_reason, raw))
            }
            Event::Error(error) => {
                self.begin(run, output, false)?;
                self.order.lose(run, error.at);
                self.waiting.lose(run);
                self.stage = Stage::Failed;
                write_error(run, error, output)
            }
            Event::Native(native) if run.route.leads_to(native.provider) => self.native(run, native, output),
            Event::RefusalDelta { .. } | Event::Native(_) | Event::State { .. } => {
                warn_event(run, event);
                Ok(())
            }
        }
    }

    fn flush(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.begin(run, output, false)
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
        self.begin(run, output, true)?;
        self.order.end_all(output);
        let finish = self.waiting.finish.as_deref().unwrap_or(b"{}");
        let usage = self.usage.as_ref().map_or(b"{}".as_slice(), |(_, usage)| usage);
        output.typed(Word::message_delta, [b",\"delta\":", finish, b",\"usage\":", usage]);
        output.typed(Word::message_stop, [self.waiting.members().as_slice()]);
        Ok(())
    }
}

impl Encoder {
    fn start(&mut self, run: &mut Run, start: &Start) -> Result<()> {
        let Start { at, id, model, ref metadata } = *start;
        if !self.stage.is_unbegun(run, at) {
            return Ok(());
        }
        let message = run.build_with(metadata, at, |run, message| {
            message.option(run, Word::id, id);
            message.word(run, Word::r#type, Word::message);
            message.word(run, Word::role, Word::assistant);
            message.option(run, Word::model, model);
            message.list(run, Word::content, &[]);
            message.null(run, Word::stop_reason);
            message.skip(run, Word::usage);
        });
        self.head = run.export(message)?;
        self.head.pop();
        self.stage = Stage::Begun;
        Ok(())
    }

    /// Writes the start of the message if there was one; with `is_content`, also if there was none.
    pub(super) fn begin(&mut self, run: &mut Run, output: &mut Output, is_content: bool) -> Result<()> {
        if is_content && self.stage == Stage::Unbegun {
            let start = missing_start(run, REQUIRED);
            self.start(run, &start)?;
        }
        if self.usage.is_none() {
            self.keep_usage(run, &Usage::new(At::ROOT))?;
        }
        if let Some((usage, _)) = self.usage.as_ref().filter(|_| !self.head.is_empty()) {
            let head = std::mem::take(&mut self.head);
            output.typed(Word::message_start, [b",\"message\":", head.as_slice(), b",\"usage\":", usage, b"}"]);
        }
        Ok(())
    }

    fn keep_usage(&mut self, run: &mut Run, usage: &Usage) -> Result<()> {
        let is_late = self.stage == Stage::Begun && self.head.is_empty();
        let first = if is_late { Vec::new() } else { usage_json(run, usage.clone(), USAGE)? };
        self.usage = Some((first, usage_json(run, usage.clone(), LAST_USAGE)?));
        Ok(())
    }

    // ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Writes a native event. Events that make up the response are skipped, as they are written from its content.
    fn native(&mut self, run: &mut Run, native: &Native, output: &mut Output) -> Result<()> {
        run.warn_metadata(&native.metadata, native.at);
        let is_object = run.store.kind(native.value) == Kind::Object;
        let kind = if is_object { run.member(native.value, Word::r#type) } else { None };
        let kind = kind.filter(|kind| run.store.kind(*kind) == Kind::String);
        match (kind, kind.map(|kind| run.store.word(kind))) {
            (None, _) if is_object => self.waiting.keep(run, native.value, native.at)?,
            (Some(_), Some(Word::content_block_delta)) => {
                let delta = run.member(native.value, Word::delta);
                match (run.export_option(delta)?, self.order.open()) {
                    (Some(delta), Some(block)) => self.order.add(run, block, Added::Other, &delta, output),
                    _ => native::warn_event(run, native.at),
                }
            }
            (Some(kind), Some(word)) if !is_of_response(word) => {
                self.begin(run, output, true)?;
                let name = run.store.owned_text(kind);
                output.event(run, &name, native.value)?;
            }
            _ => native::warn_event(run, native.at),
        }
        Ok(())
    }
}

/// Whether events of this type make up a response: they are written from its content.
fn is_of_response(kind: Word) -> bool {
    AFTER_START.contains(&kind) || matches!(kind, Word::message_start | Word::ping | Word::error)
}

/// Counts that the client's types require at the end of a streamed response.
const LAST_USAGE: &Fields = &[
    (Word::cache_creation_input_tokens, Made::Null),
    (Word::cache_read_input_tokens, Made::Null),
    (Word::output_tokens_details, Made::Null),
    (Word::server_tool_use, Made::Null),
];

fn usage_json(run: &mut Run, mut usage: Usage, required: &Fields) -> Result<Vec<u8>> {
    make(run, &mut usage.metadata, required);
    let value = run.build(|run| write_usage(run, &usage));
    run.export(value)
}
