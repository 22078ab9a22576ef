//! What the events of one source event go through: reading, identities, fitting, writing.

use super::ending::Ending;
use super::fitting::Fitting;
use super::identities::Identities;
use super::repeats::Again;
use crate::convert::{echoes, shown};
use crate::dialect;
use crate::dialect::shared::stream::{Decode, Encode, Output, warn_too_late, write_error};
use crate::fit::finish;
use crate::model::{Add, ChatError, End, Event, Finish, Start};
use crate::run::{At, ErrorCode, Options, Result, Run, WarningCode};
use crate::value::{Value, Word};

pub struct Stages {
    pub decoder: Box<dyn Decode>,
    encoder: Box<dyn Encode>,
    shown: shown::Streamed,
    identities: Identities,
    fitting: Fitting,
    events: Vec<Event>,
    /// Set if the next event may repeat the last one: the values that may differ, and the one that is its text.
    pub again: Option<(Vec<Value>, Value)>,
    pub output: Output,
    ending: Ending,
    /// How the response ended, once the finish was written.
    pub finish: Option<Finish>,
    pub has_error: bool,
    /// The first error of the stream, for the whole response: canonical JSON text.
    pub error: Option<Vec<u8>>,
    /// The stream was cut off within an event.
    pub is_cut: bool,
    /// Source and target are the same dialect: events are checked and copied.
    copies: bool,
}

impl Stages {
    pub fn new(
        (decoder, encoder): (Box<dyn Decode>, Box<dyn Encode>),
        output: Output,
        options: &Options,
        copies: bool,
    ) -> Stages {
        Stages {
            decoder,
            encoder,
            shown: shown::Streamed::default(),
            identities: Identities::new(options),
            fitting: Fitting::default(),
            events: Vec::new(),
            again: None,
            output,
            ending: Ending::default(),
            finish: None,
            has_error: false,
            error: None,
            is_cut: false,
            copies,
        }
    }

    pub fn read(&mut self, run: &mut Run, event: Value) -> Result<()> {
        if run.options.lenient_streams {
            self.supply(run, event)?;
        }
        let mark = run.report.mark();
        let read = self.decoder.read(run, event, &mut self.events);
        if self.copies {
            // a copy loses nothing
            run.report.forget_after(mark);
        }
        if self.events.iter().any(|event| matches!(event, Event::Error(_))) {
            self.drop_open_calls(run, 0);
        }
        self.write(run)?;
        read
    }

    /// Supplies events that are missing before this one.
    fn supply(&mut self, run: &mut Run, event: Value) -> Result<()> {
        // the start of the response, then the start of a block
        const LEVELS: usize = 2;
        for _ in 0..LEVELS {
            let Some(missing) = self.decoder.missing(run, event)? else { break };
            let name = run.type_of(missing).text();
            run.warn(WarningCode::EventSupplied, At::ROOT, &format!("{name} is missing before this event"));
            self.decoder.read(run, missing, &mut self.events)?;
            let json = match dialect::required(run).opening {
                Some((kind, json)) if run.type_of(missing) == kind => json.to_vec(),
                _ => run.export(missing)?,
            };
            self.copy(name.as_bytes(), &json);
        }
        Ok(())
    }

    /// Converts an event that repeats the last one with another text.
    pub fn repeat(&mut self, name: &[u8], again: &Again) {
        self.decoder.repeat(again.text);
        if self.copies {
            self.copy(name, again.data);
        } else {
            self.shown.repeat(again.text);
            self.fitting.repeat(again.text);
            self.encoder.repeat(again.text, &mut self.output);
        }
    }

    pub fn close(&mut self, run: &mut Run, is_marked: bool) -> Result<()> {
        let known = self.events.len();
        self.decoder.end(run, &mut self.events)?;
        let has_error = self.has_error || self.events.iter().any(|event| matches!(event, Event::Error(_)));
        let has_finish = self.ending.is_known() || self.events.iter().any(|event| matches!(event, Event::Finish(_)));
        // mocks leave out the end, as they leave out the start
        let is_supplied = run.options.lenient_streams && !self.is_cut && !has_finish && !has_error && !is_marked;
        if is_supplied {
            run.warn(WarningCode::EventSupplied, At::ROOT, "the end of the stream is missing");
        } else if self.is_cut || !has_finish && !has_error && !is_marked {
            run.warn(WarningCode::StreamTruncated, At::ROOT, CUT_OFF);
            if !has_finish {
                self.drop_open_calls(run, known);
            }
        }
        if !has_finish {
            let is_marked = is_marked || is_supplied;
            if !has_error && !is_marked {
                let error = failed(run, CUT_OFF);
                self.events.add(Event::Error(error));
            }
            let finish = if is_marked && !has_error { Finish::Other } else { Finish::Error };
            self.events.add(Event::Finish(End::missing(finish)));
        }
        if self.copies {
            return self.close_copy(run);
        }
        self.write(run)?;
        if let Some(mut event) = self.ending.release(run, self.has_error)? {
            if let Event::Finish(end) = &mut event {
                self.finish = Some(end.finish);
                self.state_failure(run, end)?;
                if let Some(mut explanation) = self.fitting.explain(run, end) {
                    self.fitting.fit(run, &mut explanation)?;
                    self.encode(run, &explanation)?;
                }
            }
            self.fitting.fit(run, &mut event)?;
            self.encode(run, &event)?;
            self.encoder.flush(run, &mut self.output)?;
        }
        if self.encoder.has_failed() { Ok(()) } else { self.encoder.end(run, &mut self.output) }
    }

    /// Drops the calls that were open when the response broke off, for targets that have calls in one piece: clients would run them with the arguments
    /// that arrived. The events from the position `known` on are those of its end, and of an error.
    fn drop_open_calls(&mut self, run: &mut Run, known: usize) {
        if self.copies || !run.route.to.format().whole_calls {
            return;
        }
        let mut place = 0;
        self.events.retain(|event| {
            place += 1;
            match event {
                Event::CallEnd { call, .. } if place > known => {
                    run.warn(WarningCode::CallDropped, call.at, "the response broke off before the call ended");
                    false
                }
                _ => true,
            }
        });
    }

    fn encode(&mut self, run: &mut Run, event: &Event) -> Result<()> {
        if !self.encoder.has_failed() {
            return self.encoder.write(run, event, &mut self.output);
        }
        warn_too_late(run, event);
        Ok(())
    }

    /// Writes an error if the response failed without one, and the target has no reason for that.
    fn state_failure(&mut self, run: &mut Run, end: &mut End) -> Result<()> {
        let End { at, finish, raw, metadata } = end;
        let reasons = dialect::required(run).reasons.filter(|_| !self.has_error);
        let why = reasons.and_then(|reasons| finish::failure(run, reasons, *finish, *raw, metadata));
        let Some(why) = why else { return Ok(()) };
        metadata.set_family_field(Word::finishMessage, None);
        let message = run.store.string(&why);
        let mut error = Event::Error(ChatError::of_api(*at, message));
        self.has_error = true;
        self.fitting.fit(run, &mut error)?;
        self.encode(run, &error)
    }

    /// Handles a stream that violated its format: closes open blocks for the partial response.
    pub fn abandon(&mut self, run: &mut Run, message: &str) -> Result<()> {
        // errors while closing only follow from the first error
        let _ = run.attempt(|run| self.decoder.end(run, &mut self.events));
        self.events.clear();
        self.has_error = true;
        if self.error.is_some() {
            return Ok(());
        }
        let error = failed(run, message);
        self.keep_error(run, &error)
    }

    fn keep_error(&mut self, run: &mut Run, error: &ChatError) -> Result<()> {
        if self.error.is_none() && !run.route.is_to_provider() {
            let error = run.try_build(|run| dialect::canonical::error::write(run, error))?;
            self.error = Some(run.export(error)?);
        }
        Ok(())
    }

    /// Fails if a bare JSON object is not an event: an error, or a whole response.
    pub fn check_bare(&mut self, run: &mut Run, body: Value, takes_bare: bool) -> Result<()> {
        let error = run.member(body, Word::error);
        let message = match error {
            Some(_) => {
                let error = (dialect::source(run).read_error)(run, body)?;
                self.keep_error(run, &error)?;
                let start: String = run.store.text(error.message).chars().take(200).collect();
                format!("this is an error, not an event stream: {start}")
            }
            None if takes_bare => return Ok(()),
            None => "this is JSON, not an event stream".to_owned(),
        };
        run.fail(ErrorCode::InvalidStream, At::ROOT, &message)
    }

    pub fn copy(&mut self, name: &[u8], data: &[u8]) {
        if self.copies {
            self.output.begin(&String::from_utf8_lossy(name));
            self.output.raw(data);
            self.output.end();
        }
    }

    /// Writes an error at the end of a copied stream that was cut off.
    fn close_copy(&mut self, run: &mut Run) -> Result<()> {
        let has_own = run.route.to.format().framing.errors;
        for event in std::mem::take(&mut self.events) {
            let Event::Error(error) = &event else { continue };
            match (dialect::target(run).encoder)().filter(|_| has_own) {
                Some(mut encoder) => encoder.write(run, &event, &mut self.output)?,
                None => write_error(run, error, &mut self.output)?,
            }
        }
        self.output.done();
        Ok(())
    }

    fn write(&mut self, run: &mut Run) -> Result<()> {
        let mut events = std::mem::take(&mut self.events);
        let (mut start, mut is_written) = (0, false);
        if !self.copies {
            self.shown.show(run, &mut events)?;
            self.identities.apply(run, &mut events);
        }
        for event in &mut events {
            if let Event::Start(Start { metadata, .. }) | Event::Finish(End { metadata, .. }) = event {
                echoes::forget(run, metadata);
            }
            if let Event::Error(error) = event {
                self.has_error = true;
                self.keep_error(run, error)?;
            }
            start = self.output.len();
            is_written = self.copies;
            if self.ending.note(run, event)? && !self.copies && self.fitting.fit(run, event)? {
                self.encode(run, event)?;
                is_written = true;
            }
        }
        if !self.copies {
            self.encoder.flush(run, &mut self.output)?;
        }
        self.again = match events.split_last() {
            // a call starts only once, so its start event may precede the delta
            Some((event, before)) if is_written && before.iter().all(|event| matches!(event, Event::CallStart(_))) => {
                self.repeatable(run, event, start)?
            }
            _ => None,
        };
        events.clear();
        self.events = events;
        Ok(())
    }

    /// Whether the next event may repeat this one, whose output follows the first `start` bytes.
    fn repeatable(&mut self, run: &mut Run, event: &Event, start: usize) -> Result<Option<(Vec<Value>, Value)>> {
        let Some(text) = event.text().filter(|text| run.varying.contains(text)) else { return Ok(None) };
        let json = run.export(text)?;
        let may_repeat = self.copies || self.encoder.may_repeat(event) && self.output.remember(start, &json);
        Ok(may_repeat.then(|| (std::mem::take(&mut run.varying), text)))
    }
}

const CUT_OFF: &str = "the stream ended before the response was complete";

/// The error of a stream that was cut off or violated its format.
fn failed(run: &mut Run, message: &str) -> ChatError {
    let message = run.store.string(message);
    ChatError::of_api(At::ROOT, message)
}
