//! Splits bytes into wire events: server-sent events by the standard (Q170b), plain JSON, or AWS's binary messages.

use super::binary::BinaryMessages;
use super::json_frames::JsonFrames;
use super::sse::ServerSentEvents;

/// Receives the events of a stream.
pub trait Visit {
    /// Receives an event. Returns whether to continue.
    fn event(&mut self, frame: Frame) -> bool;

    /// Handles the events at the start of `rest` that repeat the last one and are at most `limit` bytes long. Returns the number of bytes consumed.
    /// Only called between events.
    fn again(&mut self, _rest: &[u8], _limit: usize) -> usize {
        0
    }
}

/// One event as received.
pub struct Frame<'a> {
    /// The SSE `event` field; empty if there is none.
    pub name: &'a [u8],
    pub data: &'a [u8],
    /// The bytes before and after its data, if the same bytes always have the same meaning.
    pub framing: Option<(&'a [u8], &'a [u8])>,
    /// Where the event starts, in bytes from the start of the stream.
    pub offset: u64,
    /// Whether it is a bare object: neither an element of an array nor a server-sent event.
    pub is_bare: bool,
    /// Whether the stream ended before the event was terminated. Its data may be incomplete.
    pub is_last: bool,
}

/// The buffered bytes of a stream, and how to read them.
pub struct Window<'a> {
    pub buffer: &'a [u8],
    /// Position of the buffer in the stream.
    pub start: u64,
    /// Maximum length of an event.
    pub limit: usize,
    /// Whether this is the end of the stream.
    pub ended: bool,
}

/// Why bytes could not be split into events.
#[derive(Debug, PartialEq)]
pub enum Failure {
    /// An event is too long.
    TooLong { limit: usize },
    /// Neither server-sent events nor JSON.
    NoEvents { what: &'static str },
    /// JSON that is cut off or not a list of events.
    Syntax { message: &'static str },
}

/// A failure, and its position in bytes from the start of the stream.
pub type Split = Result<(), (Failure, u64)>;

/// Splits a stream into frames, regardless of how it is split into pieces.
pub struct Frames {
    /// Bytes that were not consumed yet; `start` is their position in the stream.
    buffer: Vec<u8>,
    start: u64,
    limit: usize,
    /// Whether binary messages are named by their keys.
    is_keyed: bool,
    format: Format,
}

enum Format {
    /// Not enough bytes to decide.
    Unknown,
    Sse(ServerSentEvents),
    Json(JsonFrames),
    Binary(BinaryMessages),
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Frames {
    pub fn new(limit: usize, is_keyed: bool) -> Frames {
        Frames { buffer: Vec::new(), start: 0, limit, is_keyed, format: Format::Unknown }
    }

    /// Reads a piece of the stream. `visit` receives each completed event until it returns false.
    pub fn push(&mut self, bytes: &[u8], visit: &mut dyn Visit) -> Split {
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

    /// Ends the stream. An event without a terminating blank line counts too.
    pub fn finish(&mut self, visit: &mut dyn Visit) -> Split {
        self.advance(true, visit)
    }

    /// The number of bytes received so far.
    pub fn end(&self) -> u64 {
        self.start + self.buffer.len() as u64
    }

    /// Fast path: most pieces are a single event that repeats the last one. Returns the number of bytes consumed.
    fn again(&mut self, bytes: &[u8], visit: &mut dyn Visit) -> usize {
        let is_between = matches!(&self.format, Format::Sse(events) if events.is_between());
        let used = if is_between { visit.again(bytes, self.limit) } else { 0 };
        self.start += used as u64;
        used
    }

    fn advance(&mut self, ended: bool, visit: &mut dyn Visit) -> Split {
        if matches!(self.format, Format::Unknown) && !self.recognise(ended) {
            return Ok(());
        }
        let buffer = std::mem::take(&mut self.buffer);
        let outcome = self.read(&buffer, ended, visit);
        self.buffer = buffer;
        self.buffer.drain(..outcome?);
        Ok(())
    }

    /// Reads the buffer. Returns the number of bytes consumed.
    fn read(&mut self, buffer: &[u8], ended: bool, visit: &mut dyn Visit) -> Result<usize, (Failure, u64)> {
        let piece = Window { buffer, start: self.start, limit: self.limit, ended };
        let (used, outcome) = match &mut self.format {
            Format::Unknown => (0, Ok(())),
            Format::Sse(events) => events.read(&piece, visit),
            Format::Json(values) => values.read(&piece, visit),
            Format::Binary(messages) => messages.read(&piece, visit),
        };
        outcome.map_err(|(failure, position)| (failure, self.start + position as u64))?;
        self.start += used as u64;
        let Format::Sse(events) = &mut self.format else { return Ok(used) };
        if !events.meets_json() {
            return Ok(used);
        }
        self.format = Format::Json(JsonFrames::after_events(events.take_error()));
        Ok(used + self.read(buffer.get(used..).unwrap_or_default(), ended, visit)?)
    }

    /// Determines the framing by the first significant byte; false if there is none yet.
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
            // the highest byte of a length
            Some(0..=8) => self.format = Format::Binary(BinaryMessages::new(self.is_keyed)),
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
