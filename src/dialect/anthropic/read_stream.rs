//! Reads streams (WIRE §3.8): the message, its blocks one after another, and its end.

use super::response::{FINISH, read_usage};
use super::stream_blocks::Blocks;
use super::stream_missing::{block_start, message_start};
use crate::dialect::shared::finish;
use crate::dialect::shared::stream::{Decode, Members, open_event, refuse, state};
use crate::model::{Add, End, Event, Metadata, Native, Start};
use crate::run::{At, ErrorCode, Key, Reading, Result, Run};
use crate::value::{Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    Some(Box::new(Decoder {
        has_started: false,
        id: None,
        message: Members::default(),
        usage: Members::default(),
        blocks: Blocks::new(keeps),
        reason: None,
        has_finished: false,
        is_done: false,
    }))
}

struct Decoder {
    has_started: bool,
    /// JSON text.
    id: Option<Vec<u8>>,
    /// The fields of the response. Some servers send `message_start` twice.
    message: Members,
    usage: Members,
    blocks: Blocks,
    /// The stop reason, once it is known: JSON text.
    reason: Option<Vec<u8>>,
    has_finished: bool,
    is_done: bool,
}

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let (mut reading, kind) = open_event(run, event)?;
        let at = reading.at();
        match kind {
            Some(Word::error) => return self.error(run, event, events),
            Some(Word::message_start) => return self.start(run, reading, events),
            Some(Word::ping) => {}
            kind if !self.has_started || kind.is_none() => {
                return refuse(run, (event, &reading), kind, ("an Anthropic", Word::message_start));
            }
            Some(Word::content_block_start) => {
                let index = index(run, &mut reading)?;
                let block = reading.require(run, Word::content_block)?;
                self.blocks.open(run, index, block, events)?;
            }
            Some(Word::content_block_delta) => {
                let index = index(run, &mut reading)?;
                let delta = reading.require(run, Word::delta)?;
                self.blocks.delta(run, index, delta, event, events)?;
            }
            Some(Word::content_block_stop) => {
                let index = index(run, &mut reading)?;
                self.blocks.close(run, index, at, events)?;
            }
            Some(Word::message_delta) => return self.message_delta(run, reading, events),
            Some(Word::message_stop) => return self.message_stop(run, reading, events),
            _ => {
                events.add(Event::Native(Native::of_source(run, event, at)));
                return Ok(());
            }
        }
        events.extend(state(run, at, reading.rest()));
        Ok(())
    }

    fn missing(&mut self, run: &mut Run, event: Value) -> Result<Option<Value>> {
        if !self.has_started {
            return message_start(run, event);
        }
        if run.type_of(event) != Word::content_block_delta {
            return Ok(None);
        }
        let mut reading = run.object(event, At::ROOT)?;
        let index = index(run, &mut reading)?;
        Ok(if self.blocks.is_open(index) { None } else { block_start(run, event, index) })
    }

    fn repeat(&mut self, text: &[u8]) {
        self.blocks.repeat(text);
    }

    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.blocks.close_all(run, At::ROOT, events)
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn body(&mut self, run: &mut Run) -> Result<Value> {
        run.try_build(|run| {
            run.store.begin_object();
            self.message.put_but(run, &[Word::content, Word::usage, Word::stop_reason])?;
            run.store.key(Word::content);
            self.blocks.whole.put(run)?;
            run.store.key(Word::stop_reason);
            match &self.reason {
                Some(reason) => run.put_import(reason)?,
                None => run.store.put_null(),
            }
            if !self.usage.is_empty() {
                run.store.key(Word::usage);
                let usage = self.usage.object(run)?;
                run.store.put(usage);
            }
            run.store.end_object();
            Ok(())
        })
    }
}

impl Decoder {
    fn error(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let error = super::error::read(run, event)?;
        self.blocks.close_all(run, At::ROOT, events)?;
        events.add(Event::Error(error));
        Ok(())
    }

    fn start(&mut self, run: &mut Run, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let (value, at) = reading.require(run, Word::message)?;
        let mut message = run.object(value, at)?;
        let id = message.string(run, Word::id)?;
        let new_id = run.export_option(id)?;
        let is_again = std::mem::replace(&mut self.has_started, true);
        if is_again && new_id != self.id {
            return run.fail(ErrorCode::InvalidStream, at, "another message starts before this one has ended");
        }
        self.id = new_id;
        message.skip(&[Word::r#type, Word::role]);
        let mut news = self.message.news(run, &message.rest(), &[])?;
        self.message.add_object(run, value, at)?;
        let [content, usage, model, reason] = HEAD.map(|word| news.family_field(word));
        // from a second `message_start`, only new fields are emitted
        for word in HEAD.into_iter().take(if is_again { 2 } else { HEAD.len() }) {
            news.set_family_field(word, None);
        }
        if is_again {
            events.extend(state(run, at, news));
        } else {
            let [model, reason] = [(model, Word::model), (reason, Word::stop_reason)].map(|(value, word)| {
                let at = run.down(at, word);
                value.map(|value| run.string(value, at)).transpose()
            });
            self.reason = run.export_option(reason?)?;
            events.add(Event::Start(Start { at, id, model: model?, metadata: news }));
        }
        if let Some(usage) = usage {
            let at = run.down(at, Word::usage);
            self.emit_usage(run, usage, at, events)?;
        }
        if let Some(content) = content {
            let at = run.down(at, Word::content);
            for (block, at) in run.elements(content, at)? {
                self.blocks.open(run, 0, (block, at), events)?;
                self.blocks.close_all(run, at, events)?;
            }
        }
        let at = reading.at();
        events.extend(state(run, at, reading.rest()));
        Ok(())
    }

    /// Emits the usage. Counts are cumulative: later counts replace earlier ones (Q140).
    fn emit_usage(&mut self, run: &mut Run, usage: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        let members = run.object(usage, at)?.rest();
        let is_first = self.usage.is_empty();
        self.usage.add_all(run, &members, at)?;
        let whole = if is_first { usage } else { self.usage.object(run)? };
        let usage = read_usage(run, whole, at)?;
        events.add(Event::Usage(Box::new(usage)));
        Ok(())
    }

    fn message_delta(&mut self, run: &mut Run, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let usage = reading.take_at(run, Word::usage);
        let mut at = reading.at();
        let mut reason = None;
        let mut metadata = Metadata::default();
        if let Some((delta, delta_at)) = reading.take_at(run, Word::delta) {
            at = delta_at;
            let mut delta = run.object(delta, at)?;
            reason = delta.string(run, Word::stop_reason)?.filter(|reason| !run.store.is_empty(*reason));
            metadata.append(delta.rest());
        }
        let outer = reading.at();
        run.add_below(&mut metadata, &reading.rest(), outer);
        self.message.add_all(run, &metadata, at)?;
        if let Some((usage, at)) = usage {
            self.emit_usage(run, usage, at, events)?;
        }
        let Some(raw) = reason else {
            events.extend(state(run, at, metadata));
            return Ok(());
        };
        self.blocks.close_all(run, at, events)?;
        let exported = run.export(raw)?;
        if self.has_finished {
            // a response has one end: the first (Q133)
            if self.reason.as_ref() != Some(&exported) {
                metadata.add(Key::Word(Word::stop_reason), raw);
            }
            events.extend(state(run, at, metadata));
            return Ok(());
        }
        self.reason = Some(exported);
        self.finish(run, at, raw, metadata, events);
        Ok(())
    }

    fn finish(&mut self, run: &mut Run, at: At, raw: Value, metadata: Metadata, events: &mut Vec<Event>) {
        self.has_finished = true;
        let finish = finish::read(run, FINISH, Some(raw), self.blocks.has_calls);
        events.add(Event::Finish(End { at, finish, raw: Some(raw), metadata }));
    }

    fn message_stop(&mut self, run: &mut Run, reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        self.is_done = true;
        let at = reading.at();
        self.blocks.close_all(run, at, events)?;
        // a response that was whole in its start event has its stop reason there
        if !self.has_finished
            && let Some(reason) = &self.reason
        {
            let raw = run.import(reason)?;
            self.finish(run, at, raw, Metadata::default(), events);
        }
        let rest = reading.rest();
        self.message.add_all(run, &rest, at)?;
        events.extend(state(run, at, rest));
        Ok(())
    }
}

/// Fields of `message_start` that are emitted in events of their own.
const HEAD: [Word; 4] = [Word::content, Word::usage, Word::model, Word::stop_reason];

/// Some servers leave out an index of 0.
fn index(run: &mut Run, reading: &mut Reading) -> Result<u32> {
    Ok(reading.number(run, Word::index)?.unwrap_or_default() as u32)
}
