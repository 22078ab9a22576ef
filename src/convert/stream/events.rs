//! Converts the events of a stream: reads each one, and writes it in the target's format.

use super::frames::Frame;
use super::halves::Half;
use super::repeats::Repeats;
use super::stages::Stages;
use crate::convert::refuse_lossy;
use crate::dialect;
use crate::dialect::shared::stream::Output;
use crate::model::{Finish, StreamFailure};
use crate::run::{
    Dialect, ErrorCode, Lossy, Options, Paths, Result, Run, StreamPlace, ToolwireError, Warning, error, fault_error,
};
use crate::value::text::TextStore;
use crate::value::{Fault, Keys, Store, keyed::pair};

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
        Ok(Events {
            stages: Stages::new((decoder, encoder), output, &options, from == to && from.provider().is_some()),
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

fn placed(mut error: Box<ToolwireError>, place: StreamPlace) -> Box<ToolwireError> {
    error.stream = Some(place);
    error
}

/// The end marker of OpenAI's streams. Some servers send it in other formats too.
const DONE: &[u8] = b"[DONE]";

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
