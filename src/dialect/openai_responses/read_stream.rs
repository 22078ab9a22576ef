//! Reads streams (WIRE §2.8): items one after another, each with its own deltas, and the whole response at the end.

use super::response::{FINISH, USAGE};
use super::stream_items::Items;
use super::stream_missing;
use crate::dialect::shared::stream::{Decode, Members, open_event, refuse, state};
use crate::dialect::shared::{finish, usage};
use crate::model::{Add, ChatErrorCode, End, Event, Metadata, Native, Start};
use crate::run::{At, ErrorCode, Leaves, Reading, Result, Run, WarningCode};
use crate::value::{Keys, Value, Word};

pub fn decoder(keeps: bool) -> Option<Box<dyn Decode>> {
    let mut decoder = Decoder::default();
    decoder.items.keeps = keeps;
    Some(Box::new(decoder))
}

#[derive(Default)]
struct Decoder {
    has_started: bool,
    /// JSON text.
    id: Option<Vec<u8>>,
    /// The last version of the response, without its items: JSON text.
    answer: Option<Vec<u8>>,
    /// The emitted fields of the response: each such event repeats all of them.
    latest: Members,
    items: Items,
    /// Fields of events that were reported as lost.
    unplaced: Keys,
    /// The failure that an event reported: its kind, and the message as JSON text.
    failure: Option<(ChatErrorCode, Vec<u8>)>,
    is_done: bool,
    /// Whether the start of the response was supplied, so that nothing about it is known.
    is_supplied: bool,
}

/// Fields of a response that have events of their own or are not emitted.
const MODELLED: &[Word] =
    &[Word::id, Word::object, Word::model, Word::output, Word::usage, Word::status, Word::incomplete_details];

/// Fields that every event has, and fields that the item repeats.
const ENVELOPE: &[Word] = &[
    Word::sequence_number,
    Word::item_id,
    Word::content_index,
    Word::summary_index,
    Word::obfuscation,
    Word::logprobs,
    Word::name,
];

impl Decode for Decoder {
    fn read(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let (mut reading, kind) = open_event(run, event)?;
        match kind {
            Some(Word::error) => self.error(run, event, events),
            Some(Word::keepalive | Word::ping) => Ok(()),
            Some(Word::response_created | Word::response_queued | Word::response_in_progress) => {
                let (answer, at) = reading.require(run, Word::response)?;
                self.report_rest(run, reading);
                if self.start(run, answer, at, kind == Some(Word::response_created), events)? {
                    let answer = run.object(answer, at)?;
                    let news = self.news(run, answer)?;
                    events.extend(state(run, at, news));
                }
                Ok(())
            }
            Some(Word::response_completed | Word::response_incomplete | Word::response_failed) => {
                let (answer, at) = reading.require(run, Word::response)?;
                self.report_rest(run, reading);
                self.start(run, answer, at, false, events)?;
                self.finish(run, answer, at, events)
            }
            Some(word) if self.has_started => {
                if !self.items.read(run, word, &mut reading, events)? {
                    let provider = run.route.source_provider();
                    events.add(Event::Native(Native::new(provider, event, At::ROOT)));
                } else if Items::reads_all(word) {
                    self.report_rest(run, reading);
                } else {
                    self.items.note(run, event)?;
                }
                Ok(())
            }
            _ => refuse(run, (event, &reading), kind, ("a Responses", Word::response_created)),
        }
    }

    fn missing(&mut self, run: &mut Run, event: Value) -> Result<Option<Value>> {
        let word = run.type_of(event);
        if !self.has_started {
            let missing = Items::knows(word).then(|| stream_missing::created(run));
            self.is_supplied |= missing.is_some();
            return missing.transpose();
        }
        let mut reading = run.object(event, At::ROOT)?;
        let index = self.items.missing(run, &mut reading)?;
        Ok(index.and_then(|index| stream_missing::item_added(run, event, index)))
    }

    fn repeat(&mut self, text: &[u8]) {
        self.items.repeat(text);
    }

    fn end(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        self.items.close_all(run, events)
    }

    fn is_done(&self) -> bool {
        self.is_done
    }

    fn body(&mut self, run: &mut Run) -> Result<Value> {
        run.try_build(|run| {
            let mut object = run.begin();
            object.key(run, Word::output);
            self.items.whole.put(run)?;
            if let Some(answer) = &self.answer {
                let answer = run.import(answer)?;
                object.add_rest(run, Some(answer));
            }
            object.close(run);
            Ok(())
        })
    }
}

impl Decoder {
    fn error(&mut self, run: &mut Run, event: Value, events: &mut Vec<Event>) -> Result<()> {
        let event = without_envelope(run, event)?;
        let error = super::error::read(run, event)?;
        self.items.close_all(run, events)?;
        self.failure = Some((error.code, run.export(error.message)?));
        events.add(Event::Error(error));
        Ok(())
    }

    /// Reads the response so far, which several events contain. `is_first`: this is the event that begins one. Returns whether there was one before.
    fn start(&mut self, run: &mut Run, answer: Value, at: At, is_first: bool, events: &mut Vec<Event>) -> Result<bool> {
        let mut reading = run.object(answer, at)?;
        let id = reading.string(run, Word::id)?;
        let new_id = run.export_option(id)?;
        // a supplied response has no id
        if self.has_started && std::mem::take(&mut self.is_supplied) {
            self.id.clone_from(&new_id);
        }
        if self.has_started && new_id != self.id {
            if is_first {
                return run.fail(ErrorCode::InvalidStream, at, "another response starts before this one has ended");
            }
            // GitHub Copilot changes the id from event to event
            self.warn_of_id(run, at);
        }
        if self.items.keeps {
            let mut whole = run.object(answer, at)?;
            whole.take_any(Word::output);
            let members = whole.rest();
            let value = run.family_object(&members);
            self.answer = Some(run.export(value)?);
        }
        if self.has_started {
            return Ok(true);
        }
        self.has_started = true;
        self.id = new_id;
        let model = reading.string(run, Word::model)?;
        let mut metadata = self.news(run, reading)?;
        metadata.add_form(Word::object, run.store.word_value(Word::response));
        events.add(Event::Start(Start { at, id, model, metadata }));
        Ok(false)
    }

    /// Warns, once, that the id of the response changes.
    fn warn_of_id(&mut self, run: &mut Run, at: At) {
        if self.unplaced.add(b"response.id") {
            let at = run.down(at, Word::id);
            run.warn(WarningCode::StateDropped, at, "the id of the response changes: the first one is kept");
        }
    }

    /// Warns about the remaining fields of an event, once for each field: no other format has a place for them.
    fn report_rest(&mut self, run: &mut Run, mut event: Reading) {
        event.skip(ENVELOPE);
        if event.is_empty() {
            return;
        }
        let at = event.at();
        for member in event.rest().family_fields() {
            if !run.is_all_void(member.value) && self.unplaced.add(run.key_text(member.key).as_bytes()) {
                run.warn_member(*member, at);
            }
        }
    }

    /// The unmodelled fields of a response that have new values.
    fn news(&mut self, run: &mut Run, mut reading: Reading) -> Result<Metadata> {
        reading.skip(MODELLED);
        let mut members = reading.rest();
        members.leave(Leaves::Format);
        self.latest.news(run, &members, &[])
    }

    fn finish(&mut self, run: &mut Run, answer: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        self.is_done = true;
        let mut reading = run.object(answer, at)?;
        if let Some((output, at)) = reading.take_at(run, Word::output) {
            self.items.complete(run, output, at, events)?;
        }
        self.items.close_all(run, events)?;
        if let Some((usage, at)) = reading.take_at(run, Word::usage) {
            events.add(Event::Usage(Box::new(usage::read(run, usage, at, USAGE)?)));
        }
        let mut metadata = Metadata::default();
        let (raw, finish_at) = super::response::read_status(run, &mut reading, &mut metadata)?;
        metadata.leave(Leaves::Format);
        if let Some((error, at)) = reading.take_at(run, Word::error) {
            self.failed(run, error, at, events)?;
        }
        let finish = finish::read(run, FINISH, raw, self.items.has_calls).with_refusal(self.items.refuses);
        let news = self.news(run, reading)?;
        run.add_below(&mut metadata, &news, at);
        events.add(Event::Finish(End { at: finish_at, finish, raw, metadata }));
        Ok(())
    }

    /// A failed response may contain the error that an event reported before. Differences are reported as lost.
    fn failed(&mut self, run: &mut Run, error: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        let mut failed = super::error::read(run, error)?;
        failed.at = at;
        let Some((code, message)) = &self.failure else {
            events.add(Event::Error(failed));
            return Ok(());
        };
        let message = run.import(message)?;
        let differing = [(Word::message, !run.store.same(message, failed.message)), (Word::code, *code != failed.code)];
        for (word, _) in differing.into_iter().filter(|(_, differs)| *differs) {
            let at = run.down(at, word);
            run.warn(WarningCode::FieldDropped, at, "another event reported a different error");
        }
        let mut rest = run.object(error, at)?;
        rest.skip(&[Word::message, Word::code, Word::r#type, Word::param]);
        run.warn_fields(&rest.rest(), at);
        Ok(())
    }
}

/// An error in the event itself, without the fields that every event has.
fn without_envelope(run: &mut Run, event: Value) -> Result<Value> {
    let mut reading = run.object(event, At::ROOT)?;
    if reading.has(Word::error) {
        return Ok(event);
    }
    reading.skip(&[Word::r#type, Word::sequence_number]);
    let rest = reading.rest();
    Ok(run.family_object(&rest))
}
