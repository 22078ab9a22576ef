//! Reads streams (WIRE §5.8): objects with one key, which states what they are.

use super::error::{is_exception, read, read_streamed};
use super::response::{FINISH, read_usage};
use super::stream_blocks::Blocks;
use crate::dialect::shared::finish;
use crate::dialect::shared::stream::{Decode, Members, skip_foreign, state};
use crate::model::{Add, End, Event, Metadata, Native, Start};
use crate::run::{At, ErrorCode, Member, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    Some(Box::new(Decoder {
        has_started: false,
        role: None,
        message: Members::default(),
        usage: Members::default(),
        blocks: Blocks::new(keeps),
        reason: None,
    }))
}

struct Decoder {
    has_started: bool,
    /// JSON text.
    role: Option<Vec<u8>>,
    /// The fields of the response, apart from its message.
    message: Members,
    usage: Members,
    blocks: Blocks,
    /// The stop reason, once it is known: JSON text.
    reason: Option<Vec<u8>>,
}

/// The events of a response.
const EVENTS: [Word; 6] = [
    Word::messageStart,
    Word::contentBlockStart,
    Word::contentBlockDelta,
    Word::contentBlockStop,
    Word::messageStop,
    Word::metadata,
];

/// Whether events with this key make up a response.
pub fn is_of_response(key: Word) -> bool {
    EVENTS.contains(&key) || is_exception(key)
}

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let Some(Member { key, value, .. }) = only(run, event)? else {
            return self.flat(run, event, events);
        };
        let at = run.down_key(At::ROOT, key);
        let word = key.word();
        if run.store.kind(value) == Kind::Object
            && let Some(mut error) = read_streamed(run, key, value)?
        {
            run.place(&mut error.metadata, at);
            error.at = at;
            self.blocks.close_all(run, At::ROOT, events)?;
            events.add(Event::Error(error));
            return Ok(());
        }
        if !EVENTS.contains(&word) {
            if !self.has_started {
                return refuse(run, event);
            }
            events.add(Event::Native(Native::of_source(run, event, At::ROOT)));
            return Ok(());
        }
        if !self.has_started && word != Word::messageStart {
            self.start_unmarked(run, events);
        }
        let mut reading = run.object(value, at)?;
        // padding, which hides the length of the content
        reading.skip(&[Word::p]);
        match word {
            Word::messageStart => self.start(run, reading, events),
            Word::messageStop => self.stop(run, reading, events),
            Word::metadata => self.metadata(run, reading, events),
            _ => self.block(run, word, reading, events),
        }
    }

    fn repeat(&mut self, text: &[u8]) {
        self.blocks.repeat(text);
    }

    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.blocks.close_all(run, At::ROOT, events)
    }

    fn body(&mut self, run: &mut Run) -> Result<Value> {
        run.try_build(|run| {
            run.store.begin_object();
            run.store.key(Word::output);
            run.store.begin_object();
            run.store.key(Word::message);
            run.store.begin_object();
            if let Some(role) = &self.role {
                run.store.key(Word::role);
                run.put_import(role)?;
            }
            run.store.key(Word::content);
            self.blocks.whole.put(run)?;
            run.store.end_object();
            run.store.end_object();
            if let Some(reason) = &self.reason {
                run.store.key(Word::stopReason);
                run.put_import(reason)?;
            }
            if !self.usage.is_empty() {
                run.store.key(Word::usage);
                let usage = self.usage.object(run)?;
                run.store.put(usage);
            }
            self.message.put(run)?;
            run.store.end_object();
            Ok(())
        })
    }
}

/// The only member of an event.
fn only(run: &mut Run, event: Value) -> Result<Option<Member>> {
    let members = run.object(event, At::ROOT)?.rest();
    Ok(match members.family_fields() {
        [only] => Some(*only),
        _ => None,
    })
}

fn refuse(run: &mut Run, event: Value) -> Result<()> {
    skip_foreign(run, (event, At::ROOT), "this is not an event of a Converse stream")
}

impl Decoder {
    /// Reads the body of an error, which stands for an error that is none of the exceptions of a stream.
    fn flat(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let name = run.field(event, Word::__type);
        if !name.is_some_and(|name| run.store.kind(name) == Kind::String) {
            return refuse(run, event);
        }
        let error = read(run, event)?;
        self.blocks.close_all(run, At::ROOT, events)?;
        events.add(Event::Error(error));
        Ok(())
    }

    fn start(&mut self, run: &mut Run, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = reading.at();
        if std::mem::replace(&mut self.has_started, true) {
            return run.fail(ErrorCode::InvalidStream, at, "another message starts before this one has ended");
        }
        let role = reading.take_any(Word::role);
        self.role = run.export_option(role)?;
        let metadata = reading.rest();
        self.message.add_all(run, &metadata, at)?;
        events.add(Event::Start(Start { at, id: None, model: None, metadata }));
        Ok(())
    }

    /// Starts the message of a stream without `messageStart`, which has only the role: clients do not need it.
    fn start_unmarked(&mut self, run: &mut Run, events: &mut Vec<Event>) {
        self.has_started = true;
        let mut metadata = Metadata::default();
        metadata.add_form(Word::messageStart, run.build(|run| run.store.put_null()));
        events.add(Event::Start(Start { at: At::ROOT, id: None, model: None, metadata }));
    }

    fn block(&mut self, run: &mut Run, word: Word, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = reading.at();
        let (index, place) = reading.require(run, Word::contentBlockIndex)?;
        let index = run.number(index, place)? as u32;
        match word {
            Word::contentBlockStart => {
                if let Some(start) = reading.take_at(run, Word::start) {
                    self.blocks.open(run, index, start, events)?;
                }
            }
            Word::contentBlockDelta => {
                let delta = reading.require(run, Word::delta)?;
                self.blocks.delta(run, index, delta, events)?;
            }
            _ => self.blocks.close(run, index, at, events)?,
        }
        events.extend(state(run, at, reading.rest()));
        Ok(())
    }

    fn stop(&mut self, run: &mut Run, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = reading.at();
        let raw = reading.string(run, Word::stopReason)?;
        let metadata = reading.rest();
        self.message.add_all(run, &metadata, at)?;
        self.blocks.close_all(run, at, events)?;
        let exported = run.export_option(raw)?;
        if self.reason.is_some() {
            // a response has one end: the first (Q133)
            events.extend(state(run, at, metadata));
            return Ok(());
        }
        self.reason = exported;
        let finish = finish::read(run, FINISH, raw, self.blocks.has_calls);
        events.add(Event::Finish(End { at, finish, raw, metadata }));
        Ok(())
    }

    /// The usage, and other fields of the response.
    fn metadata(&mut self, run: &mut Run, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let at = reading.at();
        if let Some((usage, at)) = reading.take_at(run, Word::usage) {
            let members: Metadata = run.object(usage, at)?.rest();
            self.usage.add_all(run, &members, at)?;
            let usage = read_usage(run, usage, at)?;
            events.add(Event::Usage(Box::new(usage)));
        }
        let mut rest = Metadata::default();
        for member in reading.rest().family_fields() {
            rest.add_at(member.key, member.value, member.at.unwrap_or(run.down_key(at, member.key)));
        }
        self.message.add_all(run, &rest, at)?;
        events.extend(state(run, at, rest));
        Ok(())
    }
}
