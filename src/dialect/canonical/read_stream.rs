//! Reads `StreamEvent`s.

use super::calls::{CANONICAL, read_call, read_invalid_call};
use super::messages::{Unplaced, read_block};
use super::response::read_usage;
use super::stream_whole::Whole;
use super::tools::{native_of, provider_of};
use super::{error, finish, read_metadata};
use crate::dialect::shared::stream::{Decode, UnderWay};
use crate::model::{Add, CallStart, End, Event, Finish, Reasoning, Start};
use crate::run::{At, ErrorCode, Provider, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    Some(Box::new(Decoder { whole: keeps.then(Whole::new), open: UnderWay::default(), has_finished: false }))
}

struct Decoder {
    /// The whole response so far, if it is needed at the end.
    whole: Option<Whole>,
    /// The open calls, by block.
    open: UnderWay<Begun>,
    has_finished: bool,
}

struct Begun {
    id: String,
    /// The metadata in the start event of the call, as JSON text.
    metadata: Option<Vec<u8>>,
}

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, value: Value, events: &mut Vec<Event>) -> Result<()> {
        let mut reading = run.object(value, At::ROOT)?;
        let (kind, kind_at) = reading.require(run, Word::r#type)?;
        let mut event = match run.store.word(kind) {
            Word::native => {
                let mut native = native_of(run, &mut reading)?;
                native.metadata = read_metadata(run, &mut reading)?;
                finish(run, reading);
                Event::Native(native)
            }
            Word::error => read_error(run, reading)?,
            word => match read_event(run, word, &mut reading)? {
                Some(event) => {
                    finish(run, reading);
                    event
                }
                None => return run.wrong_word(kind, kind_at, "the type of a stream event"),
            },
        };
        self.check(run, &mut event, value)?;
        match &mut self.whole {
            Some(whole) => whole.add(run, &event, value)?,
            None => run.may_repeat(&[event.text()]),
        }
        events.add(event);
        Ok(())
    }

    /// The start of a call that arrives whole. None for pieces of a call, as they do not contain its name.
    fn missing(&mut self, run: &mut Run, event: Value) -> Result<Option<Value>> {
        let (block, call) = (run.member(event, Word::block), run.member(event, Word::call));
        let (Some(number), Some(call)) = (block, call) else { return Ok(None) };
        let is_call = run.type_of(event) == Word::toolCallEnd && run.store.kind(call) == Kind::Object;
        if !is_call || self.open.place(block_number(run, number, At::ROOT)?).is_some() {
            return Ok(None);
        }
        let (id, name) = (run.member(call, Word::id), run.member(call, Word::name));
        Ok(Some(run.build_object(|run, start| {
            start.word(run, Word::r#type, Word::toolCallStart);
            start.put(run, Word::block, number);
            start.option(run, Word::id, id);
            start.option(run, Word::name, name);
        })))
    }

    fn end(&mut self, run: &mut Run, _events: &mut Vec<Event>) -> Result<()> {
        if self.has_finished && !self.open.is_empty() {
            return run.fail(ErrorCode::InvalidStream, At::ROOT, "a call has no toolCallEnd");
        }
        Ok(())
    }

    fn body(&mut self, run: &mut Run) -> Result<Value> {
        let whole = self.whole.take().unwrap_or_else(Whole::new);
        run.try_build(|run| whole.put(run))
    }
}

impl Decoder {
    /// Checks the order of events: calls begin, continue and end, and the response finishes once. `value` is the original event.
    fn check(&mut self, run: &mut Run, event: &mut Event, value: Value) -> Result<()> {
        match event {
            Event::CallStart(CallStart { at, block, id, .. }) => {
                if self.open.place(*block).is_some() {
                    let at = run.down(*at, Word::block);
                    return run.fail(ErrorCode::InvalidStream, at, "a call of this block has no toolCallEnd yet");
                }
                let metadata = run.member(value, Word::metadata);
                let metadata = run.export_option(metadata)?;
                self.open.begin(*block, Begun { id: run.store.owned_text(*id), metadata });
            }
            Event::CallDelta { block, .. } => {
                self.begun(run, *block)?;
            }
            Event::CallEnd { block, call } => {
                let begun = self.begun(run, *block)?;
                let Some(Begun { id, metadata }) = self.open.end(begun) else { return Ok(()) };
                if *run.store.text(call.id) != *id {
                    let at = run.down(call.at, Word::id);
                    return run.fail(ErrorCode::InvalidStream, at, &format!("the call started with the id {id}"));
                }
                // if the end of a call has no metadata, those of its start apply
                if let Some(metadata) = metadata.filter(|_| call.metadata.is_empty()) {
                    let metadata = run.import(&metadata)?;
                    let start = run.build_object(|run, object| object.put(run, Word::metadata, metadata));
                    let mut start = run.object(start, call.at)?;
                    call.metadata = read_metadata(run, &mut start)?;
                }
            }
            Event::Finish(_) if std::mem::replace(&mut self.has_finished, true) => {
                return run.fail(ErrorCode::InvalidValue, At::ROOT, "the response has already finished");
            }
            Event::Start(_)
            | Event::TextDelta { .. }
            | Event::RefusalDelta { .. }
            | Event::ReasoningDelta { .. }
            | Event::ReasoningEnd { .. }
            | Event::Block { .. }
            | Event::Usage(_)
            | Event::Finish(_)
            | Event::Error(_)
            | Event::Native(_)
            | Event::State { .. } => {}
        }
        Ok(())
    }

    fn begun(&self, run: &mut Run, block: u32) -> Result<usize> {
        let Some(place) = self.open.place(block) else {
            let at = run.down(At::ROOT, Word::block);
            return run.fail(ErrorCode::InvalidStream, at, "a call of this block has no toolCallStart");
        };
        Ok(place)
    }
}

fn read_event(run: &mut Run, kind: Word, reading: &mut Reading) -> Result<Option<Event>> {
    let at = reading.at();
    Ok(Some(match kind {
        Word::start => Event::Start(Start {
            at,
            id: reading.string(run, Word::id)?,
            model: reading.string(run, Word::model)?,
            metadata: read_metadata(run, reading)?,
        }),
        Word::textDelta => Event::TextDelta {
            at,
            block: block(run, reading)?,
            text: reading.require_string(run, Word::text)?,
            metadata: read_metadata(run, reading)?,
        },
        Word::refusalDelta => Event::RefusalDelta {
            at,
            block: block(run, reading)?,
            text: reading.require_string(run, Word::text)?,
            metadata: read_metadata(run, reading)?,
        },
        Word::reasoningDelta => Event::ReasoningDelta {
            at,
            block: block(run, reading)?,
            text: reading.require_string(run, Word::text)?,
            issuer: issuer(run, reading)?,
            metadata: read_metadata(run, reading)?,
        },
        Word::reasoningEnd => Event::ReasoningEnd {
            block: block(run, reading)?,
            reasoning: Reasoning {
                signature: reading.string(run, Word::signature)?,
                redacted: reading.string(run, Word::redacted)?,
                metadata: read_metadata(run, reading)?,
                ..Reasoning::empty(at, issuer(run, reading)?)
            },
        },
        Word::toolCallStart => Event::CallStart(CallStart {
            at,
            block: block(run, reading)?,
            id: reading.require_string(run, Word::id)?,
            name: reading.require_string(run, Word::name)?,
            metadata: read_metadata(run, reading)?,
        }),
        Word::toolCallDelta => {
            reading.take_any(Word::id);
            Event::CallDelta { block: block(run, reading)?, text: reading.require_string(run, Word::text)? }
        }
        Word::toolCallEnd => {
            let block = block(run, reading)?;
            let (call, at) = reading.require(run, Word::call)?;
            let is_invalid = run.member(call, Word::rawArguments).is_some();
            let read = if is_invalid { read_invalid_call } else { read_call };
            Event::CallEnd { block, call: read(run, call, at, &CANONICAL)? }
        }
        Word::block => return read_whole_block(run, reading).map(Some),
        Word::usage => {
            let (usage, at) = reading.require(run, Word::usage)?;
            Event::Usage(Box::new(read_usage(run, usage, at)?))
        }
        Word::finish => {
            let (reason, reason_at) = reading.require(run, Word::finishReason)?;
            let Some(finish) = Finish::of(run.store.word(reason)) else {
                return run.wrong_word(reason, reason_at, "a finish reason");
            };
            let raw = reading.string(run, Word::rawFinishReason)?;
            Event::Finish(End { at, finish, raw, metadata: read_metadata(run, reading)? })
        }
        _ => return Ok(None),
    }))
}

fn read_whole_block(run: &mut Run, reading: &mut Reading) -> Result<Event> {
    let number = block(run, reading)?;
    let (value, at) = reading.require(run, Word::value)?;
    match read_block(run, value, at, &mut Unplaced::default())? {
        Some(value) => Ok(Event::Block { block: number, value }),
        None => run.fail(
            ErrorCode::InvalidValue,
            at,
            "calls have their own events: toolCallStart, toolCallDelta and toolCallEnd",
        ),
    }
}

fn block(run: &mut Run, reading: &mut Reading) -> Result<u32> {
    let (value, at) = reading.require(run, Word::block)?;
    block_number(run, value, at)
}

fn block_number(run: &mut Run, value: Value, at: At) -> Result<u32> {
    let number = run.number(value, at)?;
    if number.fract() == 0.0 && (0.0..f64::from(u32::MAX)).contains(&number) {
        return Ok(number as u32);
    }
    run.fail(ErrorCode::InvalidValue, at, "expected the number of a block")
}

/// The issuer of reasoning; by default, the target's provider.
fn issuer(run: &mut Run, reading: &mut Reading) -> Result<Provider> {
    match reading.take_at(run, Word::issuer) {
        Some((issuer, at)) => provider_of(run, issuer, at),
        None => Ok(run.route.to.provider().unwrap_or(Provider::OpenAI)),
    }
}

fn read_error(run: &mut Run, mut reading: Reading) -> Result<Event> {
    let (value, at) = reading.require(run, Word::error)?;
    finish(run, reading);
    Ok(Event::Error(error::read_at(run, value, at)?))
}
