//! One stream under way: bytes → frames → events of the source → events of the target → bytes.

use super::events::{Events, State};
use super::frames::{Failure, Frame, Frames, Outcome, Visit};
use crate::dialect::shared::stream::Output;
use crate::model::StreamFailure;
use crate::run::error::Result;
use crate::run::{Dialect, ErrorCode, Options, ToolwireError, Warning};

/// A source, a target, and all that lives as long as the stream.
pub struct Flow {
    frames: Frames,
    events: Events,
    /// The caller said that no more comes.
    is_over: bool,
}

impl Flow {
    /// `keeps` asks for the whole answer at the end.
    pub fn new(from: Dialect, to: Dialect, options: Options, output: Output, keeps: bool) -> Result<Flow> {
        let frames = Frames::new(options.max_event_bytes());
        Ok(Flow { frames, events: Events::new(from, to, options, output, keeps)?, is_over: false })
    }

    /// Takes a piece of the stream.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.check_open()?;
        let outcome = self.each_frame(|frames, visit| frames.push(bytes, visit));
        self.deliver(outcome)
    }

    /// Takes one event that stands by itself, as JSON text.
    pub fn push_event(&mut self, json: &[u8]) -> Result<Vec<u8>> {
        self.check_open()?;
        let outcome =
            self.events.take(&Frame { name: b"", data: json, around: None, offset: 0, is_bare: false, is_last: false });
        self.deliver(outcome)
    }

    /// No more comes. An error that waits is told by the next call, as always.
    pub fn end(&mut self) -> Result<Vec<u8>> {
        self.is_over = true;
        self.check()?;
        let outcome = self.each_frame(|frames, visit| frames.finish(visit)).and_then(|()| {
            let offset = self.frames.end();
            self.events.close(false, offset)
        });
        self.deliver(outcome)
    }

    /// Takes back the memory of what a push gave.
    pub fn reuse(&mut self, written: Vec<u8>) {
        self.events.reuse(written);
    }

    pub fn has_ended(&self) -> bool {
        self.events.has_ended()
    }

    /// Whether the stream broke its format and the caller has the error: what was complete before it can still be read.
    pub fn is_broken(&self) -> bool {
        matches!(&self.events.state, State::Failed(error) if !matches!(error.code, ErrorCode::Lossy | ErrorCode::Internal))
    }

    /// The response so far as the source would give it whole, as JSON text; and how the stream failed, if it did.
    pub fn body(&mut self) -> Result<(Vec<u8>, Option<StreamFailure>)> {
        self.events.body()
    }

    pub fn options(&self) -> &Options {
        &self.events.options
    }

    pub fn from(&self) -> Dialect {
        self.events.from
    }

    /// All warnings so far, each told once.
    pub fn warnings(&self) -> &[Warning] {
        self.events.warnings()
    }

    fn check(&mut self) -> Result<()> {
        if matches!(self.events.state, State::Open | State::Ended) {
            return Ok(());
        }
        match std::mem::replace(&mut self.events.state, State::Ended) {
            State::Open | State::Ended => {}
            State::Failing(error) => {
                self.events.state = State::Failed(error.clone());
                return Err(error);
            }
            State::Failed(error) => {
                let message = format!("the stream has failed: {}", error.message);
                self.events.state = State::Failed(error);
                return Err(self.events.failure(ErrorCode::StreamFailed, message, None));
            }
        }
        Ok(())
    }

    /// What the source sends after its own end counts as nothing; what comes after the caller's is a mistake of the caller's.
    fn check_open(&mut self) -> Result<()> {
        self.check()?;
        if self.is_over {
            let message = "the stream has ended: nothing may come after that".to_owned();
            return Err(self.events.failure(ErrorCode::StreamFailed, message, None));
        }
        Ok(())
    }

    /// What was written; an error waits for the next call if there is anything to deliver before it.
    fn deliver(&mut self, outcome: Result<()>) -> Result<Vec<u8>> {
        let written = self.events.written();
        match outcome {
            Ok(()) => Ok(written),
            Err(error) if written.is_empty() => {
                self.events.state = State::Failed(error.clone());
                Err(error)
            }
            Err(error) => {
                self.events.state = State::Failing(error);
                Ok(written)
            }
        }
    }

    fn each_frame(&mut self, read: impl FnOnce(&mut Frames, &mut dyn Visit) -> Outcome) -> Result<()> {
        if self.has_ended() {
            return Ok(());
        }
        let mut visit = Visitor { events: &mut self.events, failed: None };
        let outcome = read(&mut self.frames, &mut visit);
        if let Some(error) = visit.failed {
            return Err(error);
        }
        outcome.map_err(|(failure, offset)| self.no_events(failure, offset))
    }

    fn no_events(&self, failure: Failure, offset: u64) -> Box<ToolwireError> {
        let (code, message) = match failure {
            Failure::TooLong { limit } => (ErrorCode::TooLarge, format!("an event of more than {limit} bytes")),
            Failure::NoEvents { what } => (ErrorCode::InvalidStream, format!("this is no event stream: {what}")),
            Failure::Syntax { message } => (ErrorCode::InvalidJson, format!("not JSON: {message}")),
        };
        self.events.failure(code, message, Some(offset))
    }
}

struct Visitor<'a> {
    events: &'a mut Events,
    failed: Option<Box<ToolwireError>>,
}

impl Visit for Visitor<'_> {
    fn event(&mut self, frame: Frame) -> bool {
        self.failed = self.events.take(&frame).err();
        self.failed.is_none() && !self.events.has_ended()
    }

    fn again(&mut self, rest: &[u8], limit: usize) -> usize {
        self.events.again(rest, limit)
    }
}
