//! Server-sent events, by the HTML standard: the lines end with CR, LF or both, and a blank line ends an event.

use super::frames::{Failure, Frame};
use std::ops::Range;

/// The event under way. Positions count from the start of the reader's buffer.
#[derive(Default)]
pub struct ServerSentEvents {
    /// Where the line under way starts, and how far it was searched for its end.
    line: usize,
    searched: usize,
    /// The last line ended with CR: an LF right after it belongs to that end.
    after_return: bool,
    name: Vec<u8>,
    data: Data,
    /// Whether any event came yet.
    has_begun: bool,
}

/// The data lines so far: the first stays where it is, as most events have no other.
#[derive(Default)]
enum Data {
    #[default]
    None,
    Line(Range<usize>),
    Lines(Vec<u8>),
}

impl ServerSentEvents {
    /// Reads what is there; gives how much of the buffer is done with.
    pub fn read(
        &mut self,
        buffer: &[u8],
        start: u64,
        ended: bool,
        visit: &mut dyn FnMut(Frame) -> bool,
    ) -> (usize, Result<(), (Failure, usize)>) {
        let mut done = 0;
        while let Some((line, next)) = self.next_line(buffer, ended) {
            if line.is_empty() {
                if !self.dispatch(buffer, start + done as u64, false, visit) {
                    return (next, Ok(()));
                }
                done = next;
            } else if let Err(what) = self.take_line(buffer, line.clone()) {
                return (done, Err((Failure::NoEvents { what }, line.start)));
            }
        }
        if ended {
            self.dispatch(buffer, start + done as u64, true, visit);
            done = buffer.len();
        }
        self.shift(done);
        (done, Ok(()))
    }

    /// The next whole line, and where the one after it starts.
    fn next_line(&mut self, buffer: &[u8], ended: bool) -> Option<(Range<usize>, usize)> {
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
                Some((start..end, self.line))
            }
            None if ended && start < buffer.len() => {
                self.line = buffer.len();
                Some((start..buffer.len(), buffer.len()))
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
        match name {
            b"data" => self.add_data(buffer, value),
            b"event" => {
                self.name.clear();
                self.name.extend_from_slice(buffer.get(value).unwrap_or_default());
            }
            // a comment; where to go on, and when: a conversion does not reconnect
            b"" | b"id" | b"retry" => {}
            // the standard ignores other fields, but a page of HTML or a stray word is no event stream
            _ if is_field_name(name) && (self.has_begun || colon.is_some()) => {}
            _ => return Err("a line that is no field of an event stream"),
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

    /// Gives the event under way to `visit`, if it has data.
    fn dispatch(&mut self, buffer: &[u8], offset: u64, is_last: bool, visit: &mut dyn FnMut(Frame) -> bool) -> bool {
        let data = std::mem::take(&mut self.data);
        let data = match &data {
            Data::None => &[],
            Data::Line(line) => buffer.get(line.clone()).unwrap_or_default(),
            Data::Lines(lines) => lines.as_slice(),
        };
        let goes_on = data.is_empty() || visit(Frame { name: &self.name, data, offset, is_bare: false, is_last });
        self.name.clear();
        goes_on
    }

    /// The first `done` bytes leave the buffer.
    fn shift(&mut self, done: usize) {
        self.line = self.line.saturating_sub(done);
        self.searched = self.searched.saturating_sub(done);
        if let Data::Line(line) = &mut self.data {
            *line = line.start.saturating_sub(done)..line.end.saturating_sub(done);
        }
    }
}

fn is_field_name(name: &[u8]) -> bool {
    name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}
