//! One stream: bytes → frames → events of the source → events of the target → bytes.

use super::events::{Events, StreamState};
use super::frames::{Failure, Frame, Frames, Split, Visit};
use crate::dialect::shared::stream::Output;
use crate::model::StreamFailure;
use crate::run::error::Result;
use crate::run::{Dialect, ErrorCode, Options, ToolwireError, Warning};

/// The state of one stream: its source, target, events and output.
pub struct Flow {
    frames: Frames,
    events: Events,
    /// The caller ended the stream.
    is_over: bool,
}

impl Flow {
    /// `keeps`: the whole response is needed at the end.
    pub fn new(from: Dialect, to: Dialect, options: Options, output: Output, keeps: bool) -> Result<Flow> {
        let frames = Frames::new(options.max_event_bytes(), from.format().framing.binary);
        Ok(Flow { frames, events: Events::new(from, to, options, output, keeps)?, is_over: false })
    }

    /// Converts a piece of the stream.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        self.check_open()?;
        let outcome = self.each_frame(|frames, visit| frames.push(bytes, visit));
        self.deliver(outcome)
    }

    /// Converts a single event, given as JSON text.
    pub fn push_event(&mut self, json: &[u8]) -> Result<Vec<u8>> {
        self.check_open()?;
        let outcome = self.events.take(&Frame {
            name: b"",
            data: json,
            framing: None,
            offset: 0,
            is_bare: false,
            is_last: false,
        });
        self.deliver(outcome)
    }

    /// Ends the stream. A pending error is returned by the next call.
    pub fn end(&mut self) -> Result<Vec<u8>> {
        self.is_over = true;
        self.check()?;
        let outcome = self.each_frame(|frames, visit| frames.finish(visit)).and_then(|()| {
            let offset = self.frames.end();
            self.events.close(false, offset)
        });
        self.deliver(outcome)
    }

    /// Reuses the memory of output that `push` returned.
    pub fn reuse(&mut self, written: Vec<u8>) {
        self.events.reuse(written);
    }

    pub fn has_ended(&self) -> bool {
        self.events.has_ended()
    }

    /// Whether the stream violated its format and the caller got the error. What was complete before can still be read.
    pub fn is_broken(&self) -> bool {
        matches!(&self.events.state, StreamState::Failed(error) if !matches!(error.code, ErrorCode::Lossy | ErrorCode::Internal))
    }

    /// The response so far in the source's format for whole responses, as JSON text; and the failure of the stream, if any.
    pub fn body(&mut self) -> Result<(Vec<u8>, Option<StreamFailure>)> {
        self.events.body()
    }

    pub fn options(&self) -> &Options {
        &self.events.options
    }

    pub fn from(&self) -> Dialect {
        self.events.from
    }

    /// All warnings so far, each once.
    pub fn warnings(&self) -> &[Warning] {
        self.events.warnings()
    }

    fn check(&mut self) -> Result<()> {
        if matches!(self.events.state, StreamState::Open | StreamState::Ended) {
            return Ok(());
        }
        match std::mem::replace(&mut self.events.state, StreamState::Ended) {
            StreamState::Open | StreamState::Ended => {}
            StreamState::Failing(error) => {
                self.events.state = StreamState::Failed(error.clone());
                return Err(error);
            }
            StreamState::Failed(error) => {
                let message = format!("the stream has failed: {}", error.message);
                self.events.state = StreamState::Failed(error);
                return Err(self.events.failure(ErrorCode::StreamFailed, message, None));
            }
        }
        Ok(())
    }

    /// Data after the source's end marker are ignored; data after the caller ended the stream are an error.
    fn check_open(&mut self) -> Result<()> {
        self.check()?;
        if self.is_over {
            let message = "the stream has ended: it accepts no more data".to_owned();
            return Err(self.events.failure(ErrorCode::StreamFailed, message, None));
        }
        Ok(())
    }

    /// Returns the output. If there is any, an error is kept for the next call.
    fn deliver(&mut self, outcome: Result<()>) -> Result<Vec<u8>> {
        let written = self.events.written();
        match outcome {
            Ok(()) => Ok(written),
            Err(error) if written.is_empty() => {
                self.events.state = StreamState::Failed(error.clone());
                Err(error)
            }
            Err(error) => {
                self.events.state = StreamState::Failing(error);
                Ok(written)
            }
        }
    }

    fn each_frame(&mut self, read: impl FnOnce(&mut Frames, &mut dyn Visit) -> Split) -> Result<()> {
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
            Failure::TooLong { limit } => (ErrorCode::TooLarge, format!("an event is longer than {limit} bytes")),
            Failure::NoEvents { what } => (ErrorCode::InvalidStream, format!("this is not an event stream: {what}")),
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
