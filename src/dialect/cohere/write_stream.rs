//! Writes streams (WIRE §7.8): the message, parts of its content one after another, calls one after another, and its end with the usage.

use super::response::{REQUIRED, write_usage};
use super::stream_events::is_of_response;
use super::write_messages::write_part;
use crate::dialect::shared::stream::{
    Added, BlockEvents, Encode, Order, Output, Stage, Waiting, WriteCalls, warn_event,
};
use crate::dialect::shared::turns::warn_late;
use crate::fit::native;
use crate::fit::responses::missing_start;
use crate::model::{Block, CallStart, ChatError, ChatErrorCode, Event, Native, Start};
use crate::run::{At, Result, Run};
use crate::value::{Keys, Value, Word};

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder {
        stage: Stage::default(),
        id: None,
        parts: 0,
        part: None,
        has_calls: false,
        order: Order::new(CALL_EVENTS),
        waiting: Waiting::default(),
    }))
}

/// The events of a call. Clients know one call at a time, so each is complete before the next one begins.
const CALL_EVENTS: &BlockEvents = &BlockEvents {
    start: |output, index, call| put_call(Word::tool_call_start_event, index, call, output),
    delta: |output, index, call| put_call(Word::tool_call_delta_event, index, call, output),
    stop: |output, index| output.typed(Word::tool_call_end_event, [b",\"index\":", index.as_bytes()]),
    unsigned: None,
    arguments_are_text: true,
};

struct Encoder {
    stage: Stage,
    /// JSON text of the response's id.
    id: Option<Vec<u8>>,
    /// The number of parts so far.
    parts: u32,
    part: Option<OpenPart>,
    has_calls: bool,
    /// The order of the calls.
    order: Order,
    /// What is written at the end of the stream.
    waiting: Waiting,
}

/// The part of the content that is open on the wire.
struct OpenPart {
    block: u32,
    index: String,
}

impl Encode for Encoder {
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()> {
        match event {
            Event::Start(start) => self.start(run, start, output),
            Event::Usage(usage) => self.waiting.keep_usage(run, usage, write_usage),
            Event::TextDelta { at, block, text, metadata } => {
                run.warn_metadata(metadata, *at);
                self.piece(run, (*block, *at), (Word::text, *text), output)
            }
            Event::ReasoningDelta { at, text, metadata, .. } if metadata.form(Word::tool_plan).is_some() => {
                run.warn_metadata(metadata, *at);
                self.plan(run, *text, output)
            }
            Event::ReasoningDelta { at, block, text, issuer: _, metadata } => {
                run.warn_metadata(metadata, *at);
                self.piece(run, (*block, *at), (Word::thinking, *text), output)
            }
            Event::ReasoningEnd { block, .. } => {
                warn_event(run, event);
                if self.part.as_ref().is_some_and(|part| part.block == *block) {
                    self.end_part(output);
                }
                Ok(())
            }
            Event::CallStart(start) => self.call_start(run, start, output),
            Event::CallDelta { block, text } => self.call_delta(run, *block, *text, output),
            Event::CallEnd { block, call } => self.call_end(run, *block, call, output),
            Event::Block { block, value } => self.block(run, *block, value, output),
            Event::Finish(end) => {
                self.waiting.keep_finish(run, end, |run, end, raw| end.option(run, Word::finish_reason, raw))
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
        match event {
            Event::TextDelta { block, .. } | Event::ReasoningDelta { block, .. } => {
                self.part.as_ref().is_some_and(|part| part.block == *block)
            }
            event => self.order.may_repeat(event),
        }
    }

    fn repeat(&mut self, text: &[u8], output: &mut Output) {
        if output.repeat(text) && self.part.is_none() {
            self.order.repeat(text);
        }
    }

    fn has_failed(&self) -> bool {
        self.stage == Stage::Failed
    }

    fn end(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.begin(run, output)?;
        self.end_part(output);
        self.order.end_all(output);
        let mut end = self.waiting.finish.take().unwrap_or_else(|| b"{\"finish_reason\":\"COMPLETE\"}".to_vec());
        if let Some(usage) = self.waiting.usage.take() {
            end.pop();
            end.extend([if end.len() > 1 { b",".as_slice() } else { b"" }, b"\"usage\":", &usage, b"}"].concat());
        }
        self.put_end(&end, output);
        output.done();
        Ok(())
    }
}

impl Encoder {
    fn start(&mut self, run: &mut Run, start: &Start, output: &mut Output) -> Result<()> {
        let Start { at, id, model: _, metadata } = start;
        if !self.stage.is_unbegun(run, *at) {
            return Ok(());
        }
        self.stage = Stage::Begun;
        self.id = run.export_option(*id)?;
        let id = self.id.clone().map(|id| [b",\"id\":", id.as_slice()].concat()).unwrap_or_default();
        output.typed(Word::message_start_event, [id.as_slice(), MESSAGE]);
        self.waiting.keep_state(run, metadata, *at)
    }

    /// Writes the start of the message, if that was not written.
    fn begin(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        if self.stage != Stage::Unbegun {
            return Ok(());
        }
        let start = missing_start(run, REQUIRED);
        self.start(run, &start, output)
    }

    // ── content ──────────────────────────────────────────────────────────────────────────────────────────────────

    /// Begins a part of the content: `start` is the JSON text of the part without its pieces.
    fn open_part(&mut self, run: &mut Run, (block, at): (u32, At), start: &[u8], output: &mut Output) -> Result<()> {
        self.begin(run, output)?;
        self.end_part(output);
        // in the assembled message, content precedes calls, regardless of the order of events
        if self.has_calls {
            warn_late(run, at);
        }
        let index = self.parts.to_string();
        self.parts += 1;
        put_content(Word::content_start_event, &index, [b"", start, b""], output);
        self.part = Some(OpenPart { block, index });
        Ok(())
    }

    fn end_part(&mut self, output: &mut Output) {
        if let Some(OpenPart { index, .. }) = self.part.take() {
            output.typed(Word::content_end_event, [b",\"index\":", index.as_bytes()]);
        }
    }

    /// Writes a piece of a text or of thinking.
    fn piece(
        &mut self,
        run: &mut Run,
        (block, at): (u32, At),
        (word, text): (Word, Value),
        output: &mut Output,
    ) -> Result<()> {
        if run.store.is_empty(text) {
            return Ok(());
        }
        if self.part.as_ref().is_none_or(|part| part.block != block) {
            let start = ["{\"type\":\"", word.text(), "\",\"", word.text(), "\":\"\"}"].concat();
            self.open_part(run, (block, at), start.as_bytes(), output)?;
        }
        let Some(part) = &self.part else { return Ok(()) };
        let json = run.export(text)?;
        let before = ["{\"", word.text(), "\":"].concat();
        put_content(Word::content_delta_event, &part.index, [before.as_bytes(), &json, b"}"], output);
        Ok(())
    }

    fn plan(&mut self, run: &mut Run, text: Value, output: &mut Output) -> Result<()> {
        self.begin(run, output)?;
        self.end_part(output);
        let json = run.export(text)?;
        let pieces: [&[u8]; 3] = [b",\"delta\":{\"message\":{\"tool_plan\":", &json, b"}}"];
        output.typed(Word::tool_plan_delta_event, pieces);
        Ok(())
    }

    /// Writes a part that arrives whole.
    fn block(&mut self, run: &mut Run, number: u32, block: &Block, output: &mut Output) -> Result<()> {
        if let Block::Text { at, text, metadata } = block {
            run.warn_metadata(metadata, *at);
            self.piece(run, (number, *at), (Word::text, *text), output)?;
            self.end_part(output);
            return Ok(());
        }
        let list = run.build(|run| run.put_each([block], write_part));
        for part in run.list(list) {
            let json = run.export(part)?;
            self.open_part(run, (number, block.at()), &json, output)?;
            self.end_part(output);
        }
        Ok(())
    }

    // ── the rest ─────────────────────────────────────────────────────────────────────────────────────────────────

    /// Writes the end of the message: `delta` is its JSON text.
    fn put_end(&mut self, delta: &[u8], output: &mut Output) {
        let id = self.id.clone().map(|id| [b",\"id\":", id.as_slice()].concat()).unwrap_or_default();
        output.typed(Word::message_end_event, [id.as_slice(), b",\"delta\":", delta, &self.waiting.members()]);
    }

    /// Writes an error: the message ends with it.
    fn error(&mut self, run: &mut Run, error: &ChatError, output: &mut Output) -> Result<()> {
        self.begin(run, output)?;
        self.end_part(output);
        self.order.lose(run, error.at);
        self.waiting.lose(run);
        self.stage = Stage::Failed;
        let reason = if error.code == ChatErrorCode::Timeout { Word::TIMEOUT } else { Word::ERROR };
        let delta = run.build_with(&error.metadata, error.at, |run, delta| {
            delta.word(run, Word::finish_reason, reason);
            delta.put(run, Word::error, error.message);
        });
        let json = run.export(delta)?;
        self.put_end(&json, output);
        output.done();
        Ok(())
    }

    /// Writes a native event. Events that make up the response are skipped, as they are written from its content.
    fn native(&mut self, run: &mut Run, native: &Native, output: &mut Output) -> Result<()> {
        run.warn_metadata(&native.metadata, native.at);
        let kind = run.field(native.value, Word::r#type).map(|kind| (run.store.word(kind), run.store.owned_text(kind)));
        match kind {
            Some((word, name)) if !is_of_response(word) => {
                self.begin(run, output)?;
                output.event(run, &name, native.value)
            }
            _ => {
                native::warn_event(run, native.at);
                Ok(())
            }
        }
    }
}

impl WriteCalls for Encoder {
    fn order(&mut self) -> &mut Order {
        &mut self.order
    }

    fn call_start(&mut self, run: &mut Run, start: &CallStart, output: &mut Output) -> Result<()> {
        let CallStart { at: _, block, id, name, ref metadata } = *start;
        self.begin(run, output)?;
        self.end_part(output);
        // other fields are reported at its end
        let mut keys = Keys::default();
        let call = run.build_object(|run, call| {
            call.put(run, Word::id, id);
            call.word(run, Word::r#type, Word::function);
            call.object_with_rest(run, metadata, Word::function, |run, function| {
                function.put(run, Word::name, name);
                function.text(run, Word::arguments, "");
            });
        });
        if metadata.own_field(Word::function).is_some() {
            keys.add(Word::function.text().as_bytes());
        }
        self.has_calls = true;
        self.order.begin_call(run, block, (call, keys), output)
    }

    fn arguments(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        let json = run.export(text)?;
        let delta = [b"{\"function\":{\"arguments\":", json.as_slice(), b"}}"].concat();
        self.order.add(run, block, Added::Arguments(text), &delta, output);
        Ok(())
    }
}

const MESSAGE: &[u8] =
    br#","delta":{"message":{"role":"assistant","content":[],"tool_plan":"","tool_calls":[],"citations":[]}}"#;

/// Writes an event about a part of the content: its JSON text in pieces.
fn put_content(kind: Word, index: &str, content: [&[u8]; 3], output: &mut Output) {
    put_message(kind, index, b",\"delta\":{\"message\":{\"content\":", content, output);
}

/// Writes an event about a call: its JSON text.
fn put_call(kind: Word, index: &str, call: &[u8], output: &mut Output) {
    put_message(kind, index, b",\"delta\":{\"message\":{\"tool_calls\":", [b"", call, b""], output);
}

fn put_message(kind: Word, index: &str, before: &[u8], value: [&[u8]; 3], output: &mut Output) {
    let place: [&[u8]; 3] = [b",\"index\":", index.as_bytes(), before];
    output.typed(kind, place.into_iter().chain(value).chain([b"}}".as_slice()]));
}
