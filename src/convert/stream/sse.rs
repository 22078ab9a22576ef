//! Server-sent events by the HTML standard: lines end with CR, LF or CRLF, and a blank line ends an event.

use super::frames::{Failure, Frame, Visit, Window};
use std::ops::Range;

/// The state of the reader. Positions are relative to the start of the reader's buffer.
#[derive(Default)]
pub struct ServerSentEvents {
    /// Start of the current line, and the position up to which its end was searched for.
    line: usize,
    searched: usize,
    /// The last line ended with CR: an LF right after it belongs to the same line end.
    after_return: bool,
    /// Start of the current event: its first line that is not a comment.
    event: Option<usize>,
    name: Vec<u8>,
    data: Data,
    /// Whether there was any event.
    has_begun: bool,
    /// Whether JSON that is no event follows.
    meets_json: bool,
    /// The data of the last event, if it is an error.
    error: Vec<u8>,
}

/// The data lines so far. The first one is not copied, as most events have only one.
#[derive(Default)]
enum Data {
    #[default]
    None,
    Line(Range<usize>),
    Lines(Vec<u8>),
}

impl ServerSentEvents {
    /// Reads the buffer. Returns the number of bytes consumed.
    pub fn read(&mut self, piece: &Window, visit: &mut dyn Visit) -> (usize, Result<(), (Failure, usize)>) {
        let Window { buffer, limit, ended, .. } = *piece;
        loop {
            if self.is_between() {
                self.line += visit.again(buffer.get(self.line..).unwrap_or_default(), limit);
            }
            let Some(line) = self.next_line(buffer, ended) else { break };
            if line.is_empty() {
                if !self.dispatch(piece, false, visit) {
                    return (self.line, Ok(()));
                }
                continue;
            }
            if self.has_begun && begins_json(buffer, line.clone()) {
                (self.line, self.meets_json) = (line.start, true);
                self.dispatch(piece, false, visit);
                return (line.start, Ok(()));
            }
            // counted without line ends, so that the result does not depend on how the bytes are split
            if let Err(failure) = self.check_length(line.clone(), limit) {
                return (0, Err(failure));
            }
            if let Err(what) = self.take_line(buffer, line.clone()) {
                return (0, Err((Failure::NoEvents { what }, line.start)));
            }
        }
        if ended {
            self.dispatch(piece, true, visit);
            return (buffer.len(), Ok(()));
        }
        if let Err(failure) = self.check_length(self.line..buffer.len(), limit) {
            return (0, Err(failure));
        }
        let done = self.event.unwrap_or(self.line).min(buffer.len());
        self.shift(done);
        (done, Ok(()))
    }

    /// Whether the reader is between two events.
    pub fn is_between(&self) -> bool {
        self.event.is_none() && !self.after_return
    }

    /// Whether the last bytes that were read are followed by JSON outside of events: Google's servers send an error so, in one or more lines, as the
    /// clients in `@google/genai` 3.3.0 and `google-genai` 3.6.1 read it.
    pub fn meets_json(&self) -> bool {
        self.meets_json
    }

    /// The data of the last event, if it is an error.
    pub fn take_error(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.error)
    }

    /// Limits the length of incomplete events and comments.
    fn check_length(&self, line: Range<usize>, limit: usize) -> Result<(), (Failure, usize)> {
        let start = self.event.unwrap_or(line.start);
        if !line.is_empty() && line.end - start > limit {
            return Err((Failure::TooLong { limit }, start));
        }
        Ok(())
    }

    /// The next complete line.
    fn next_line(&mut self, buffer: &[u8], ended: bool) -> Option<Range<usize>> {
        if self.after_return && self.line < buffer.len() {
            self.after_return = false;
            if buffer.get(self.line) == Some(&b'\n') {
                self.line += 1;
            }
        }
        let start = self.line;
        let from = self.searched.max(start);
        let rest = buffer.get(from..).unwrap_or_default();
        match memchr::memchr2(b'\n', b'\r', rest) {
            Some(length) => {
                let end = from + length;
                self.after_return = buffer.get(end) == Some(&b'\r');
                self.line = end + 1;
                self.searched = self.line;
                Some(start..end)
            }
            None if ended && start < buffer.len() => {
                self.line = buffer.len();
                Some(start..buffer.len())
            }
            None => {
                self.searched = buffer.len();
                None
            }
        }
    }

    fn take_line(&mut self, buffer: &[u8], line: Range<usize>) -> Result<(), &'static str> {
        let text = buffer.get(line.clone()).unwrap_or_default();
        let colon = memchr::memchr(b':', text);
        let name = text.get(..colon.unwrap_or(text.len())).unwrap_or_default();
        let mut value = colon.map_or(line.end, |colon| line.start + colon + 1)..line.end;
        if buffer.get(value.start) == Some(&b' ') && !value.is_empty() {
            value.start += 1;
        }
        if !name.is_empty() {
            self.event.get_or_insert(line.start);
        }
        match name {
            b"data" => self.add_data(buffer, value),
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(buffer.get(value).unwrap_or_default());
            }
            // comments, ids and retry intervals are ignored: a conversion does not reconnect
            b"" | b"id" | b"retry" => {}
            // the standard ignores unknown fields, but an HTML page or arbitrary text is not an event stream
            _ if is_field_name(name) && (self.has_begun || colon.is_some()) => {}
            _ => return Err("a line that is not a field of an event stream"),
        }
        self.has_begun |= matches!(name, b"data" | b"event");
        Ok(())
    }

    fn add_data(&mut self, buffer: &[u8], value: Range<usize>) {
        let line = buffer.get(value.clone()).unwrap_or_default();
        self.data = match std::mem::take(&mut self.data) {
            Data::None => Data::Line(value),
            Data::Line(first) => {
                let first = buffer.get(first).unwrap_or_default();
                Data::Lines([first, b"\n", line].concat())
            }
            Data::Lines(mut lines) => {
                lines.push(b'\n');
                lines.extend_from_slice(line);
                Data::Lines(lines)
            }
        };
    }

    /// Passes the current event to `visit`, if it has data.
    fn dispatch(&mut self, piece: &Window, is_last: bool, visit: &mut dyn Visit) -> bool {
        let data = std::mem::take(&mut self.data);
        let start = self.event.take().unwrap_or_default();
        let mut framing = None;
        let data = match &data {
            Data::None => &[],
            Data::Line(line) => {
                let ends = piece.buffer.get(start..line.start).zip(piece.buffer.get(line.end..self.line));
                // half of a line end may follow
                framing = ends.filter(|_| !self.after_return && !is_last);
                piece.buffer.get(line.clone()).unwrap_or_default()
            }
            Data::Lines(lines) => lines.as_slice(),
        };
        if data.starts_with(b"{\"error\":") {
            self.error = data.to_vec();
        }
        let offset = piece.start + start as u64;
        let frame = Frame { name: &self.name, data, framing, offset, is_bare: false, is_last };
        let goes_on = data.trim_ascii().is_empty() || visit.event(frame);
        self.name.clear();
        goes_on
    }

    /// Adjusts positions after the first `done` bytes were removed from the buffer.
    fn shift(&mut self, done: usize) {
        self.line = self.line.saturating_sub(done);
        self.event = self.event.map(|event| event.saturating_sub(done));
        self.searched = self.searched.saturating_sub(done);
        if let Data::Line(line) = &mut self.data {
            *line = line.start.saturating_sub(done)..line.end.saturating_sub(done);
        }
    }
}

fn begins_json(buffer: &[u8], line: Range<usize>) -> bool {
    let line = buffer.get(line).unwrap_or_default().trim_ascii_start();
    matches!(line.first(), Some(b'{' | b'['))
}

fn is_field_name(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
