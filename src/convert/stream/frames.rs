//! Wire events out of bytes: server-sent events by the standard (Q170b), and JSON that stands there without them.

use super::json_frames::JsonFrames;
use super::sse::ServerSentEvents;

/// Gets the events of a stream.
pub trait Visit {
    /// Whether it goes on after this one.
    fn event(&mut self, frame: Frame) -> bool;

    /// Takes the events at the start of `rest` that are like the last one, of at most `limit` bytes each; gives how many bytes they
    /// were. Nothing has begun there yet.
    fn again(&mut self, _rest: &[u8], _limit: usize) -> usize {
        0
    }
}

/// One event as it stood in the stream.
pub struct Frame<'a> {
    /// The SSE `event` field; empty where there is none.
    pub name: &'a [u8],
    pub data: &'a [u8],
    /// What stood before its data and after them, where the same bytes can only be the same event.
    pub around: Option<(&'a [u8], &'a [u8])>,
    /// Where its text starts, in bytes from the start of the stream.
    pub offset: u64,
    /// Whether it stood there bare: an object that is no element of an array and no server-sent event.
    pub is_bare: bool,
    /// Whether the stream ended before the event did: without the blank line, maybe within its data.
    pub is_last: bool,
}

/// What is there of a stream, and how to read it.
pub struct Piece<'a> {
    pub buffer: &'a [u8],
    /// Where the buffer stands in the stream.
    pub start: u64,
    /// How long an event may be.
    pub limit: usize,
    /// Whether nothing follows.
    pub ended: bool,
}

/// Why bytes are no events.
#[derive(Debug, PartialEq)]
pub enum Failure {
    /// Longer than an event may be.
    TooLong { limit: usize },
    /// Neither server-sent events nor JSON.
    NoEvents { what: &'static str },
    /// JSON that breaks off, or that is no list of events.
    Syntax { message: &'static str },
}

/// What a failure is and where, in bytes from the start of the stream.
pub type Outcome = Result<(), (Failure, u64)>;

/// Splits a stream into frames, whatever pieces it comes in.
pub struct Frames {
    /// What is not yet done with; `start` is where it stands in the stream.
    buffer: Vec<u8>,
    start: u64,
    limit: usize,
    format: Format,
}

enum Format {
    /// Not enough has come to tell.
    Unknown,
    Sse(ServerSentEvents),
    Json(JsonFrames),
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Frames {
    pub fn new(limit: usize) -> Frames {
        Frames { buffer: Vec::new(), start: 0, limit, format: Format::Unknown }
    }

    /// Takes a piece of the stream; `visit` gets each event that it completes, until it says no.
    pub fn push(&mut self, bytes: &[u8], visit: &mut dyn Visit) -> Outcome {
        if self.buffer.is_empty() && !matches!(self.format, Format::Unknown) {
            let again = self.again(bytes, visit);
            if again == bytes.len() {
                return Ok(());
            }
            let bytes = bytes.get(again..).unwrap_or_default();
            let used = self.read(bytes, false, visit)?;
            // engines take as long to copy nothing as to copy little
            if let Some(rest) = bytes.get(used..).filter(|rest| !rest.is_empty()) {
                self.buffer.extend_from_slice(rest);
            }
            return Ok(());
        }
        self.buffer.extend_from_slice(bytes);
        self.advance(false, visit)
    }

    /// The stream ended: what stands at its end without a blank line counts.
    pub fn finish(&mut self, visit: &mut dyn Visit) -> Outcome {
        self.advance(true, visit)
    }

    /// Where what came so far ends, in bytes from the start of the stream.
    pub fn end(&self) -> u64 {
        self.start + self.buffer.len() as u64
    }

    /// Most pieces are one event that is like the last: that is looked at before anything else. Gives how many bytes were such.
    fn again(&mut self, bytes: &[u8], visit: &mut dyn Visit) -> usize {
        let is_between = matches!(&self.format, Format::Sse(events) if events.is_between());
        let used = if is_between { visit.again(bytes, self.limit) } else { 0 };
        self.start += used as u64;
        used
    }

    fn advance(&mut self, ended: bool, visit: &mut dyn Visit) -> Outcome {
        if matches!(self.format, Format::Unknown) && !self.recognise(ended) {
            return Ok(());
        }
        let buffer = std::mem::take(&mut self.buffer);
        let outcome = self.read(&buffer, ended, visit);
        self.buffer = buffer;
        self.buffer.drain(..outcome?);
        Ok(())
    }

    /// Reads what is there; gives how much of it is done with.
    fn read(&mut self, buffer: &[u8], ended: bool, visit: &mut dyn Visit) -> Result<usize, (Failure, u64)> {
        let piece = Piece { buffer, start: self.start, limit: self.limit, ended };
        let (used, outcome) = match &mut self.format {
            Format::Unknown => (0, Ok(())),
            Format::Sse(events) => events.read(&piece, visit),
            Format::Json(values) => values.read(&piece, visit),
        };
        outcome.map_err(|(failure, position)| (failure, self.start + position as u64))?;
        self.start += used as u64;
        Ok(used)
    }

    /// Looks at the first byte that says something; false while there is none.
    fn recognise(&mut self, ended: bool) -> bool {
        if self.start == 0 {
            if self.buffer.starts_with(BYTE_ORDER_MARK) {
                self.skip(BYTE_ORDER_MARK.len());
            } else if !ended && BYTE_ORDER_MARK.starts_with(&self.buffer) {
                return false;
            }
        }
        let blank = self.buffer.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n')).count();
        match self.buffer.get(blank) {
            Some(b'{' | b'[') => self.format = Format::Json(JsonFrames::default()),
            Some(_) => self.format = Format::Sse(ServerSentEvents::default()),
            None => {}
        }
        self.skip(blank);
        !matches!(self.format, Format::Unknown)
    }

    fn skip(&mut self, count: usize) {
        self.buffer.drain(..count);
        self.start += count as u64;
    }
}

#[cfg(test)]
mod tests;
