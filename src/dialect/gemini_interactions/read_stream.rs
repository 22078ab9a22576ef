//! Reads streams (WIRE §15.8): events that state their type in `event_type`.

use super::response::{FINISH, read_usage};
use super::stream_steps::Steps;
use crate::dialect::shared::finish;
use crate::dialect::shared::stream::{Decode, Members, state};
use crate::format::is_unfinished;
use crate::model::{Add, End, Event, Metadata, Native, Start};
use crate::run::{At, ErrorCode, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    Some(Box::new(Decoder {
        has_started: false,
        has_finished: false,
        has_failed: false,
        status: None,
        fields: Members::default(),
        steps: Steps::new(keeps),
    }))
}

/// The status and the usage of an event.
type Head = (Option<Value>, Option<(Value, At)>);

struct Decoder {
    has_started: bool,
    has_finished: bool,
    has_failed: bool,
    /// The last status: JSON text.
    status: Option<Vec<u8>>,
    /// The fields of the interaction, apart from its status and steps.
    fields: Members,
    steps: Steps,
}

/// Events of the first version of the API, and what they are called now.
const FIRST_VERSION: [(Word, Word); 5] = [
    (Word::interaction_start, Word::interaction_created),
    (Word::content_start, Word::step_start),
    (Word::content_delta, Word::step_delta),
    (Word::content_stop, Word::step_stop),
    (Word::interaction_complete, Word::interaction_completed),
];

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let mut reading = run.object(event, At::ROOT)?;
        let kind = reading.take_any(Word::event_type).map(|kind| run.store.word(kind));
        let kind = kind.or(reading.has(Word::error).then_some(Word::error));
        reading.skip(&[Word::event_id]);
        if kind == Some(Word::error) {
            return self.error(run, event, events);
        }
        let now = FIRST_VERSION.iter().find(|(then, _)| Some(*then) == kind).map(|(_, now)| *now);
        let kind = now.or(kind);
        if !self.has_started && kind != Some(Word::interaction_created) {
            return run.fail(
                ErrorCode::InvalidStream,
                At::ROOT,
                "a stream of an interaction begins with interaction.created",
            );
        }
        match kind {
            Some(Word::interaction_created) => self.start(run, reading, events),
            Some(Word::interaction_status_update) => self.update(run, reading, events),
            Some(Word::interaction_completed) => self.complete(run, reading, events),
            Some(Word::step_start) => {
                let index = index_of(run, &mut reading)?;
                match reading.take_at(run, Word::content) {
                    Some(content) => self.steps.open_content(run, index, content, events)?,
                    None => {
                        let step = reading.require(run, Word::step)?;
                        self.steps.open(run, index, step, events)?;
                    }
                }
                events.extend(state(run, At::ROOT, reading.rest()));
                Ok(())
            }
            Some(Word::step_delta) => {
                let index = index_of(run, &mut reading)?;
                let delta = reading.require(run, Word::delta)?;
                // the usage so far
                reading.skip(&[Word::metadata]);
                self.steps.delta(run, index, delta, events)?;
                events.extend(state(run, At::ROOT, reading.rest()));
                Ok(())
            }
            Some(Word::step_stop) => {
                let index = index_of(run, &mut reading)?;
                self.steps.close(run, index, events)?;
                events.extend(state(run, At::ROOT, reading.rest()));
                Ok(())
            }
            _ => {
                events.add(Event::Native(Native::of_source(run, event, At::ROOT)));
                Ok(())
            }
        }
    }

    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.steps.close_all(run, events)?;
        if !self.has_finished
            && let Some(status) = self.status.clone()
        {
            let raw = run.import(&status)?;
            // without a status of its end, the stream broke off
            if !is_unfinished(run.store.word(raw)) {
                self.finish(run, Some(raw), At::ROOT, Metadata::default(), events);
            }
        }
        Ok(())
    }

    fn is_done(&self) -> bool {
        self.has_finished
    }

    fn body(&mut self, run: &mut Run) -> Result<Value> {
        run.try_build(|run| {
            run.store.begin_object();
            self.fields.put(run)?;
            // every response has one
            run.store.key(Word::status);
            match &self.status {
                Some(status) if !self.has_failed => run.put_import(status)?,
                _ => run.store.put_word(if self.has_failed { Word::failed } else { Word::in_progress }),
            }
            run.store.key(Word::steps);
            self.steps.whole.put(run)?;
            run.store.end_object();
            Ok(())
        })
    }
}

fn index_of(run: &mut Run, reading: &mut Reading) -> Result<u32> {
    Ok(reading.number(run, Word::index)?.unwrap_or_default() as u32)
}

impl Decoder {
    /// Keeps the fields of the interaction, and returns its status and usage. Its steps are those of the stream.
    fn head(&mut self, run: &mut Run, reading: &mut Reading) -> Result<Head> {
        let status = reading.string(run, Word::status)?;
        if status.is_some() {
            self.status = run.export_option(status)?;
        }
        reading.skip(&[Word::steps, Word::outputs]);
        let usage = reading.take_at(run, Word::usage);
        if let Some((usage, at)) = usage {
            self.fields.remove(Word::usage);
            self.fields.add(run, crate::run::Key::Word(Word::usage), usage, at)?;
        }
        Ok((status, usage))
    }

    fn start(&mut self, run: &mut Run, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        if std::mem::replace(&mut self.has_started, true) {
            return run.fail(
                ErrorCode::InvalidStream,
                At::ROOT,
                "another interaction starts before this one has ended",
            );
        }
        let mut inner = reading.require_object(run, Word::interaction)?;
        let at = inner.at();
        let (_, usage) = self.head(run, &mut inner)?;
        let all: Metadata = inner.rest();
        self.fields.add_all(run, &all, at)?;
        let whole = run.family_object(&all);
        let mut rest = run.object(whole, at)?;
        let [id, model] = [rest.string(run, Word::id)?, rest.string(run, Word::model)?];
        let mut metadata = rest.rest();
        run.place(&mut metadata, at);
        events.add(Event::Start(Start { at, id, model, metadata }));
        self.count(run, usage, events)?;
        events.extend(state(run, At::ROOT, reading.rest()));
        Ok(())
    }

    fn count(&mut self, run: &mut Run, usage: Option<(Value, At)>, events: &mut Vec<Event>) -> Result<()> {
        if let Some((usage, at)) = usage {
            let usage = read_usage(run, usage, at)?;
            events.add(Event::Usage(Box::new(usage)));
        }
        Ok(())
    }

    fn update(&mut self, run: &mut Run, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        reading.skip(&[Word::interaction_id]);
        let (_, usage) = self.head(run, &mut reading)?;
        self.count(run, usage, events)?;
        let rest = reading.rest();
        self.fields.add_all(run, &rest, At::ROOT)?;
        events.extend(state(run, At::ROOT, rest));
        Ok(())
    }

    fn complete(&mut self, run: &mut Run, mut reading: Reading, events: &mut Vec<Event>) -> Result<()> {
        let mut inner = reading.require_object(run, Word::interaction)?;
        let at = inner.at();
        let (status, usage) = self.head(run, &mut inner)?;
        // they are known since the start
        inner.skip(&[Word::id, Word::model]);
        let rest = inner.rest();
        self.fields.add_all(run, &rest, at)?;
        self.steps.close_all(run, events)?;
        self.count(run, usage, events)?;
        let known = self.status.clone();
        let raw = match (status, known) {
            (None, Some(known)) => Some(run.import(&known)?),
            (status, _) => status,
        };
        self.finish(run, raw, at, rest, events);
        events.extend(state(run, At::ROOT, reading.rest()));
        Ok(())
    }

    fn finish(&mut self, run: &mut Run, raw: Option<Value>, at: At, metadata: Metadata, events: &mut Vec<Event>) {
        if std::mem::replace(&mut self.has_finished, true) {
            events.extend(state(run, at, metadata));
            return;
        }
        let finish = finish::read(run, FINISH, raw, self.steps.has_calls);
        events.add(Event::Finish(End { at, finish, raw, metadata }));
    }

    fn error(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let inner = run.field(event, Word::error).filter(|error| run.store.kind(*error) == Kind::Object);
        let body = match inner {
            Some(error) => run.build_object(|run, object| object.put(run, Word::error, error)),
            None => event,
        };
        let error = super::error::read(run, body)?;
        self.has_failed = true;
        self.steps.close_all(run, events)?;
        events.add(Event::Error(error));
        Ok(())
    }
}
