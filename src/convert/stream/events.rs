//! Converts the events of a stream: reads each one, and writes it in the target's format.

use super::ending::Ending;
use super::fitting::Fitting;
use super::frames::Frame;
use super::halves::Half;
use super::identities::Identities;
use super::repeats::{Again, Repeats};
use crate::convert::{echoes, refuse_lossy, shown};
use crate::dialect;
use crate::dialect::shared::stream::{Decode, Encode, Output, write_error};
use crate::fit::finish;
use crate::model::{Add, ChatError, End, Event, Finish, Start, StreamFailure};
use crate::run::{
    At, Dialect, ErrorCode, Lossy, Options, Paths, Result, Run, StreamPlace, ToolwireError, Warning, WarningCode,
    error, fault_error,
};
use crate::value::text::TextStore;
use crate::value::{Fault, Keys, Store, Value, Word, keyed::pair};

/// The source and target sides of a stream, and the warnings so far.
pub struct Events {
    stages: Stages,
    repeats: Repeats,
    half: Option<Half>,
    store: Store,
    paths: Paths,
    pub options: Options,
    pub from: Dialect,
    to: Dialect,
    warnings: Warnings,
    /// The number of events so far.
    count: u64,
    pub state: StreamState,
}

struct Stages {
    decoder: Box<dyn Decode>,
    encoder: Box<dyn Encode>,
    shown: shown::Streamed,
    identities: Identities,
    fitting: Fitting,
    events: Vec<Event>,
    /// Set if the next event may repeat the last one: the values that may differ, and the one that is its text.
    again: Option<(Vec<Value>, Value)>,
    output: Output,
    ending: Ending,
    /// How the response ended, once the finish was written.
    finish: Option<Finish>,
    has_error: bool,
    /// The first error of the stream, for the whole response: canonical JSON text.
    error: Option<Vec<u8>>,
    /// The stream was cut off within an event.
    is_cut: bool,
    /// Source and target are the same dialect: events are checked and copied.
    copies: bool,
}

pub enum StreamState {
    Open,
    /// The source sent its end marker, or the caller ended the stream.
    Ended,
    /// The error is thrown by the next call: what preceded it was delivered first.
    Failing(Box<ToolwireError>),
    Failed(Box<ToolwireError>),
}

impl Events {
    pub fn new(from: Dialect, to: Dialect, options: Options, output: Output, keeps: bool) -> error::Result<Events> {
        let decoder = (dialect::of(from).decoder)(keeps).ok_or_else(|| unsupported(from))?;
        let encoder = (dialect::of(to).encoder)().ok_or_else(|| unsupported(to))?;
        let identities = Identities::new(&options);
        let events = Vec::new();
        let copies = from == to && from.provider().is_some();
        Ok(Events {
            stages: Stages {
                decoder,
                encoder,
                shown: shown::Streamed::default(),
                identities,
                fitting: Fitting::default(),
                events,
                again: None,
                output,
                ending: Ending::default(),
                finish: None,
                has_error: false,
                error: None,
                is_cut: false,
                copies,
            },
            repeats: Repeats::default(),
            half: None,
            store: TextStore::empty(options.max_depth()).into(),
            paths: Paths::new(),
            options,
            from,
            to,
            warnings: Warnings::default(),
            count: 0,
            state: StreamState::Open,
        })
    }

    pub fn has_ended(&self) -> bool {
        matches!(self.state, StreamState::Ended)
    }

    /// The response so far in the source's format for whole responses, as JSON text; and the failure of the stream, if any.
    pub fn body(&mut self) -> error::Result<(Vec<u8>, Option<StreamFailure>)> {
        if let StreamState::Failed(error) = &self.state {
            let message = error.to_string();
            // discards the text that failed; `null` is always accepted
            let _ = self.store.text.reset(b"null");
            self.run(|run, stages| stages.abandon(run, &message))?;
        }
        let body = self.run(|run, stages| {
            let body = stages.decoder.body(run)?;
            run.export(body)
        })?;
        let has_failed = self.stages.has_error || self.stages.finish == Some(Finish::Error);
        Ok((body, has_failed.then(|| StreamFailure { error: self.stages.error.take() })))
    }

    pub fn warnings(&self) -> &[Warning] {
        &self.warnings.all
    }

    /// The output since the last call.
    pub fn written(&mut self) -> Vec<u8> {
        self.stages.output.take()
    }

    /// Reuses the memory of earlier output.
    pub fn reuse(&mut self, written: Vec<u8>) {
        self.stages.output.reuse(written);
    }

    pub fn failure(&self, code: ErrorCode, message: String, offset: Option<u64>) -> Box<ToolwireError> {
        let stream = offset.map(|offset| StreamPlace { offset, event: self.count });
        Box::new(ToolwireError { code, message, path: String::new(), dialect: Some(self.from), stream })
    }

    /// Converts one event of the source.
    pub fn take(&mut self, frame: &Frame) -> error::Result<()> {
        let Some(half) = self.half.take() else { return self.take_next(frame) };
        let joined = half.join(&mut self.store.text, frame.data);
        let (first, second) = joined.as_ref().map(|(first, second)| (first.as_slice(), second.as_slice())).unzip();
        self.take_next(&half.frame(first))?;
        self.take_next(&Frame { data: second.unwrap_or(frame.data), ..*frame })
    }

    fn take_next(&mut self, frame: &Frame) -> error::Result<()> {
        if self.has_ended() {
            return Ok(());
        }
        let data = frame.data.trim_ascii();
        if data == DONE || frame.is_last && self.count > 0 && DONE.starts_with(data) {
            return self.close(true, frame.offset);
        }
        if !frame.is_last
            && let Some(again) = self.repeats.find(data)
            && again.data.len() == data.len()
        {
            self.count += 1;
            self.stages.repeat(frame.name, &again);
            return Ok(());
        }
        self.read(frame, data)?;
        if !self.stages.is_cut && self.half.is_none() {
            self.count += 1;
        }
        if self.stages.decoder.is_done() { self.close(true, frame.offset) } else { Ok(()) }
    }

    /// Converts the events at the start of `rest` that repeat the last one. Returns the number of bytes consumed.
    pub fn again(&mut self, rest: &[u8], limit: usize) -> usize {
        let mut done = 0;
        while let Some((again, length)) = self.repeats.find_frame(rest.get(done..).unwrap_or_default())
            && length <= limit
        {
            done += length;
            self.count += 1;
            self.stages.repeat(self.repeats.name(), &again);
        }
        done
    }

    fn read(&mut self, frame: &Frame, data: &[u8]) -> error::Result<()> {
        let place = StreamPlace { offset: frame.offset, event: self.count };
        let root = match self.store.text.reset(data) {
            Ok(root) => root,
            // an incomplete event at the end: the stream was cut off
            Err(Fault::Syntax { .. }) if frame.is_last && self.count > 0 => {
                self.stages.is_cut = true;
                return Ok(());
            }
            Err(fault) => return Err(placed(fault_error(fault, String::new(), Some(self.from)), place)),
        };
        self.repeats.forget();
        let framing = self.from.format().framing;
        // logs have such events as lines, too
        let is_alone = frame.is_bare && !framing.lines && !framing.binary;
        if !frame.is_last && !is_alone {
            self.half = Half::find(&self.store.text, frame, data);
            if self.half.is_some() {
                return Ok(());
            }
        }
        let outcome = self.run(|run, stages| {
            if is_alone {
                stages.check_bare(run, root, framing.bare)?;
            }
            stages.read(run, root)?;
            stages.copy(frame.name, data);
            Ok(())
        });
        outcome.map_err(|error| placed(error, place))?;
        if let Some((varying, text)) = self.stages.again.take() {
            self.repeats.remember(&self.store.text, &varying, text);
            self.repeats.remember_frame(frame);
        }
        Ok(())
    }

    /// The source has ended: with its end marker (`is_marked`), or because its bytes ended.
    pub fn close(&mut self, is_marked: bool, offset: u64) -> error::Result<()> {
        if let Some(half) = self.half.take() {
            self.take_next(&half.frame(None))?;
        }
        if matches!(self.state, StreamState::Ended) {
            return Ok(());
        }
        if self.count == 0 {
            return Err(self.failure(ErrorCode::InvalidStream, "the stream contained no events".to_owned(), Some(0)));
        }
        self.state = StreamState::Ended;
        // discards the last event; `null` is always accepted
        let _ = self.store.text.reset(b"null");
        let place = StreamPlace { offset, event: self.count };
        self.run(|run, stages| stages.close(run, is_marked)).map_err(|error| placed(error, place))
    }

    /// Runs one step and collects its warnings.
    fn run<T>(&mut self, step: impl FnOnce(&mut Run, &mut Stages) -> Result<T>) -> error::Result<T> {
        // warnings at the end of a stream refer to its last event
        let event = self.count.saturating_sub(self.has_ended().into());
        let mut paths = std::mem::take(&mut self.paths);
        paths.forget();
        paths.set_event(event);
        let mut run = Run::with_paths(&mut self.store, self.from, self.to, &self.options, paths);
        run.route.is_response = true;
        let written = self.stages.output.len();
        let outcome = step(&mut run, &mut self.stages);
        let mut outcome = run.report.outcome(outcome);
        if outcome.is_ok() && run.options.lossy == Lossy::Error {
            outcome = run.report.outcome(refuse_lossy(&run)).and(outcome);
            // with an error, the event's output is discarded, but not that of the end of the stream
            if outcome.is_err() && !matches!(self.state, StreamState::Ended) {
                self.stages.output.truncate(written);
            }
        }
        self.paths = run.paths;
        self.warnings.add(run.report.warnings, event);
        outcome
    }
}

impl Stages {
    fn read(&mut self, run: &mut Run, event: Value) -> Result<()> {
        if run.options.lenient_streams {
            self.supply(run, event)?;
        }
        let mark = run.report.mark();
        let read = self.decoder.read(run, event, &mut self.events);
        if self.copies {
            // a copy loses nothing
            run.report.forget_after(mark);
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
    fn repeat(&mut self, name: &[u8], again: &Again) {
        self.decoder.repeat(again.text);
        if self.copies {
            self.copy(name, again.data);
        } else {
            self.shown.repeat(again.text);
            self.fitting.repeat(again.text);
            self.encoder.repeat(again.text, &mut self.output);
        }
    }

    fn close(&mut self, run: &mut Run, is_marked: bool) -> Result<()> {
        self.decoder.end(run, &mut self.events)?;
        let has_error = self.has_error || self.events.iter().any(|event| matches!(event, Event::Error(_)));
        let has_finish = self.ending.is_known() || self.events.iter().any(|event| matches!(event, Event::Finish(_)));
        // mocks leave out the end, as they leave out the start
        let is_supplied = run.options.lenient_streams && !self.is_cut && !has_finish && !has_error && !is_marked;
        if is_supplied {
            run.warn(WarningCode::EventSupplied, At::ROOT, "the end of the stream is missing");
        } else if self.is_cut || !has_finish && !has_error && !is_marked {
            run.warn(WarningCode::StreamTruncated, At::ROOT, CUT_OFF);
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
                    self.encoder.write(run, &explanation, &mut self.output)?;
                }
            }
            self.fitting.fit(run, &mut event)?;
            self.encoder.write(run, &event, &mut self.output)?;
            self.encoder.flush(run, &mut self.output)?;
        }
        self.encoder.end(run, &mut self.output)
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
        self.encoder.write(run, &error, &mut self.output)
    }

    /// Handles a stream that violated its format: closes open blocks for the partial response.
    fn abandon(&mut self, run: &mut Run, message: &str) -> Result<()> {
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
    fn check_bare(&mut self, run: &mut Run, body: Value, takes_bare: bool) -> Result<()> {
        let error = run.member(body, crate::value::Word::error);
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

    fn copy(&mut self, name: &[u8], data: &[u8]) {
        if self.copies {
            self.output.begin(&String::from_utf8_lossy(name));
            self.output.raw(data);
            self.output.end();
        }
    }

    /// Writes an error at the end of a copied stream that was cut off.
    fn close_copy(&mut self, run: &mut Run) -> Result<()> {
        for event in std::mem::take(&mut self.events) {
            if let Event::Error(error) = event {
                write_error(run, &error, &mut self.output)?;
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
                self.encoder.write(run, event, &mut self.output)?;
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

fn placed(mut error: Box<ToolwireError>, place: StreamPlace) -> Box<ToolwireError> {
    error.stream = Some(place);
    error
}

/// The end marker of OpenAI's streams. Some servers send it in other formats too.
const DONE: &[u8] = b"[DONE]";

const CUT_OFF: &str = "the stream ended before the response was complete";

/// The error of a stream that was cut off or violated its format.
fn failed(run: &mut Run, message: &str) -> ChatError {
    let message = run.store.string(message);
    ChatError::of_api(At::ROOT, message)
}

fn unsupported(dialect: Dialect) -> Box<ToolwireError> {
    let message = format!("the format {} has no streams", dialect.name());
    let dialect = Some(dialect);
    Box::new(ToolwireError { code: ErrorCode::Unsupported, message, path: String::new(), dialect, stream: None })
}

/// The warnings of all events. A warning that occurs in several events is only reported for the first one.
#[derive(Default)]
struct Warnings {
    all: Vec<Warning>,
    reported: Keys,
}

impl Warnings {
    fn add(&mut self, warnings: Vec<Warning>, event: u64) {
        if warnings.is_empty() {
            return;
        }
        let number = format!("/{event}");
        for warning in warnings {
            let path = warning.path.strip_prefix(&number).unwrap_or(&warning.path);
            if self.reported.add(&pair(warning.code.name(), path)) {
                self.all.push(warning);
            }
        }
    }
}
