//! JSON without server-sent events: an array of events (Gemini, Q167), or a single object.

use super::frames::{Failure, Frame, Visit, Window};
use crate::value::text::string_run_end;

/// The state of the reader. It only looks at brackets and strings: each event is validated when it is read.
#[derive(Default)]
pub struct JsonFrames {
    /// Position in the buffer up to which it was read.
    position: usize,
    /// Start of the current event.
    event: Option<usize>,
    depth: usize,
    in_string: bool,
    after_backslash: bool,
    array: Array,
    /// Whether server-sent events came before it.
    follows_events: bool,
    /// The data of the last of these events, if it was an error.
    error: Vec<u8>,
}

/// The state of the enclosing array.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Array {
    /// Nothing was read yet.
    #[default]
    None,
    /// There is no array: a single object.
    Bare,
    Opening,
    Element,
    Comma,
    Closed,
}

impl JsonFrames {
    /// For JSON after server-sent events. Its objects are events, too, unless one repeats the error that the last event was: gateways send it in both
    /// forms.
    pub fn after_events(error: Vec<u8>) -> JsonFrames {
        JsonFrames { follows_events: true, error, ..JsonFrames::default() }
    }

    fn is_bare(&self) -> bool {
        self.array == Array::Bare && !self.follows_events
    }

    /// Reads the buffer. Returns the number of bytes consumed.
    pub fn read(&mut self, piece: &Window, visit: &mut dyn Visit) -> (usize, Result<(), (Failure, usize)>) {
        let Window { buffer, start, limit, ended } = *piece;
        while let Some(byte) = buffer.get(self.position).copied() {
            let position = self.position;
            self.position += 1;
            let Some(event) = self.event else {
                if let Err(message) = self.between(byte, position) {
                    return (0, Err((Failure::Syntax { message }, position)));
                }
                continue;
            };
            let closes = self.closes(byte);
            if self.in_string && !self.after_backslash {
                self.position = string_run_end(buffer, self.position);
            }
            if self.position - event > limit {
                return (0, Err((Failure::TooLong { limit }, event)));
            }
            if !closes {
                continue;
            }
            self.event = None;
            let data = buffer.get(event..self.position).unwrap_or_default();
            if !self.error.is_empty() && data == self.error.as_slice() {
                continue;
            }
            let is_bare = self.is_bare();
            if !visit.event(Frame {
                name: b"",
                data,
                framing: None,
                offset: start + event as u64,
                is_bare,
                is_last: false,
            }) {
                break;
            }
        }
        if let Some(event) = self.event.filter(|_| ended) {
            let data = buffer.get(event..).unwrap_or_default();
            visit.event(Frame {
                name: b"",
                data,
                framing: None,
                offset: start + event as u64,
                is_bare: self.is_bare(),
                is_last: true,
            });
            return (buffer.len(), Ok(()));
        }
        let done = self.event.unwrap_or(self.position);
        self.position -= done;
        self.event = self.event.map(|_| 0);
        (done, Ok(()))
    }

    /// Handles a byte between events.
    fn between(&mut self, byte: u8, position: usize) -> Result<(), &'static str> {
        self.array = match (byte, self.array) {
            (b' ' | b'\t' | b'\r' | b'\n', array) => array,
            (b'{', Array::None | Array::Bare | Array::Opening | Array::Comma) => {
                self.event = Some(position);
                self.depth = 1;
                if matches!(self.array, Array::None | Array::Bare) { Array::Bare } else { Array::Element }
            }
            (b'[', Array::None) => Array::Opening,
            (b',', Array::Element) => Array::Comma,
            (b']', Array::Opening | Array::Element) => Array::Closed,
            (_, Array::Element) => return Err("expected a comma or the end of the array"),
            (_, Array::Closed) => return Err("there is text after the end of the array"),
            _ => return Err("expected an object"),
        };
        Ok(())
    }

    /// Handles a byte inside an event. Returns whether it is the last one.
    fn closes(&mut self, byte: u8) -> bool {
        if self.after_backslash {
            self.after_backslash = false;
            return false;
        }
        match byte {
            b'\\' => self.after_backslash = self.in_string,
            b'"' => self.in_string = !self.in_string,
            b'{' | b'[' if !self.in_string => self.depth += 1,
            b'}' | b']' if !self.in_string => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.depth == 0
    }
}
