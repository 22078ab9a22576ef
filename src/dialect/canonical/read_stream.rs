//! Reads `StreamEvent`s.

use super::calls::{CANONICAL, read_call};
use super::messages::{Unplaced, read_block};
use super::response::{read_finish, read_usage};
use super::stream_whole::Whole;
use super::tools::{native_of, provider_of};
use super::{end_reading, error, finish, take_metadata};
use crate::dialect::shared::stream::{Decode, UnderWay};
use crate::model::{Add, Block, CallStart, End, Event, Metadata, Native, Reasoning, Start};
use crate::run::{At, ErrorCode, Provider, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    Some(Box::new(Decoder {
        whole: keeps.then(Whole::new),
        open: UnderWay::default(),
        has_failed: false,
        has_finished: false,
    }))
}

struct Decoder {
    /// The whole response so far, if it is needed at the end.
    whole: Option<Whole>,
    /// The start events of the open calls, by block: JSON texts.
    open: UnderWay<Vec<u8>>,
    has_failed: bool,
    has_finished: bool,
}

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, value: Value, events: &mut Vec<Event>) -> Result<()> {
        let mut reading = run.object(value, At::ROOT)?;
        let (kind, kind_at) = reading.require(run, Word::r#type)?;
        let mut event = match run.store.word(kind) {
            Word::native => {
                let native = native_of(run, &mut reading)?;
                Event::Native(Native { metadata: end_reading(run, reading)?, ..native })
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
        if self.has_finished && !self.has_failed && !self.open.is_empty() {
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
            Event::CallStart(CallStart { at, block, .. }) => {
                if self.open.place(*block).is_some() {
                    let at = run.down(*at, Word::block);
                    return run.fail(ErrorCode::InvalidStream, at, "a call of this block has no toolCallEnd yet");
                }
                self.open.begin(*block, run.export(value)?);
            }
            Event::CallDelta { block, .. } | Event::CallEnd { block, .. } if self.open.place(*block).is_none() => {
                let at = run.down(At::ROOT, Word::block);
                return run.fail(ErrorCode::InvalidStream, at, "a call of this block has no toolCallStart");
            }
            Event::CallEnd { block, call } => {
                let Some(start) = self.open.end_latest(*block) else { return Ok(()) };
                let start = run.import(&start)?;
                let [id, metadata] = [Word::id, Word::metadata].map(|word| run.member(start, word));
                if let Some(id) = id.filter(|id| !run.store.same(*id, call.id)) {
                    let at = run.down(call.at, Word::id);
                    let id = run.store.owned_text(id);
                    return run.fail(ErrorCode::InvalidStream, at, &format!("the call started with the id {id}"));
                }
                // if the end of a call has no metadata, those of its start apply
                if let Some(metadata) = metadata.filter(|_| call.metadata.is_empty()) {
                    let start = run.build_object(|run, object| object.put(run, Word::metadata, metadata));
                    let mut start = run.object(start, call.at)?;
                    call.metadata = take_metadata(run, &mut start, Word::metadata)?;
                }
            }
            Event::Error(error) => {
                self.has_failed = true;
                if run.route.to.format().whole_calls && !self.open.is_empty() {
                    run.warn(WarningCode::CallDropped, error.at, "the response broke off before a call ended");
                }
            }
            Event::Finish(_) if std::mem::replace(&mut self.has_finished, true) => {
                return run.fail(ErrorCode::InvalidValue, At::ROOT, "the response has already finished");
            }
            _ => {}
        }
        Ok(())
    }
}

fn read_event(run: &mut Run, kind: Word, reading: &mut Reading) -> Result<Option<Event>> {
    let at = reading.at();
    let block = if BLOCKS.contains(&kind) { block(run, reading)? } else { 0 };
    let text = if DELTAS.contains(&kind) { reading.require_string(run, Word::text)? } else { run.store.string("") };
    Ok(Some(match kind {
        Word::textDelta => Event::TextDelta { at, block, text, metadata: metadata(run, reading)? },
        Word::refusalDelta => Event::RefusalDelta { at, block, text, metadata: metadata(run, reading)? },
        Word::reasoningDelta => {
            let issuer = issuer(run, reading)?;
            Event::ReasoningDelta { at, block, text, issuer, metadata: metadata(run, reading)? }
        }
        Word::reasoningEnd => {
            let mut reasoning = Reasoning::empty(at, issuer(run, reading)?);
            reasoning.signature = reading.string(run, Word::signature)?;
            reasoning.redacted = reading.string(run, Word::redacted)?;
            reasoning.metadata = metadata(run, reading)?;
            Event::ReasoningEnd { block, reasoning }
        }
        Word::start => {
            let (id, model) = (reading.string(run, Word::id)?, reading.string(run, Word::model)?);
            Event::Start(Start { at, id, model, metadata: metadata(run, reading)? })
        }
        Word::toolCallStart => {
            let (id, name) = (reading.require_string(run, Word::id)?, reading.require_string(run, Word::name)?);
            Event::CallStart(CallStart { at, block, id, name, metadata: metadata(run, reading)? })
        }
        Word::toolCallDelta => {
            reading.take_any(Word::id);
            Event::CallDelta { block, text }
        }
        Word::toolCallEnd => {
            let (call, at) = reading.require(run, Word::call)?;
            let is_invalid = run.member(call, Word::rawArguments).is_some();
            Event::CallEnd { block, call: read_call(run, (call, at), &CANONICAL, is_invalid)? }
        }
        Word::block => Event::Block { block, value: read_whole_block(run, reading)? },
        Word::usage => {
            let (usage, at) = reading.require(run, Word::usage)?;
            Event::Usage(Box::new(read_usage(run, usage, at)?))
        }
        Word::finish => {
            let (finish, raw) = (read_finish(run, reading)?.0, reading.string(run, Word::rawFinishReason)?);
            Event::Finish(End { at, finish, raw, metadata: metadata(run, reading)? })
        }
        _ => return Ok(None),
    }))
}

/// The events of a block, and those of them that have a text.
const BLOCKS: [Word; 8] = [
    Word::textDelta,
    Word::refusalDelta,
    Word::reasoningDelta,
    Word::toolCallDelta,
    Word::reasoningEnd,
    Word::toolCallStart,
    Word::toolCallEnd,
    Word::block,
];
const DELTAS: [Word; 4] = [Word::textDelta, Word::refusalDelta, Word::reasoningDelta, Word::toolCallDelta];

fn metadata(run: &mut Run, reading: &mut Reading) -> Result<Metadata> {
    take_metadata(run, reading, Word::metadata)
}

fn read_whole_block(run: &mut Run, reading: &mut Reading) -> Result<Block> {
    let (value, at) = reading.require(run, Word::value)?;
    let block = read_block(run, value, at, &mut Unplaced::default())?;
    block.map_or_else(|| run.fail(ErrorCode::InvalidValue, at, NO_BLOCK), Ok)
}

const NO_BLOCK: &str = "calls have their own events: toolCallStart, toolCallDelta and toolCallEnd";

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
        None => Ok(run.route.to.provider().unwrap_or(Provider::USUAL)),
    }
}

fn read_error(run: &mut Run, mut reading: Reading) -> Result<Event> {
    let (value, at) = reading.require(run, Word::error)?;
    finish(run, reading);
    Ok(Event::Error(error::read_at(run, value, at)?))
}
