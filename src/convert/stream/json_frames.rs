//! JSON without server-sent events: an array whose elements are the events (Gemini, Q167), or an object by itself.

use super::frames::{Failure, Frame};
use crate::value::Fault;

/// Where the reader stands. Only brackets and strings matter here: each event is validated when it is read.
#[derive(Default)]
pub struct JsonFrames {
    /// Position in the buffer up to which it was looked at.
    position: usize,
    /// Where the event under way starts.
    event: Option<usize>,
    depth: usize,
    in_string: bool,
    after_backslash: bool,
    in_array: bool,
    has_ended: bool,
}

impl JsonFrames {
    /// Reads what is there; gives how much of the buffer is done with.
    pub fn read(
        &mut self,
        buffer: &[u8],
        start: u64,
        visit: &mut dyn FnMut(Frame) -> bool,
    ) -> (usize, Result<(), (Failure, usize)>) {
        while let Some(byte) = buffer.get(self.position).copied() {
            let position = self.position;
            self.position += 1;
            match self.event {
                None => {
                    if let Err(message) = self.between(byte, position) {
                        return (position, Err((Failure::Syntax(Fault::Syntax { message, offset: 0 }), position)));
                    }
                }
                Some(event) => {
                    if !self.closes(byte) {
                        continue;
                    }
                    self.event = None;
                    let data = buffer.get(event..self.position).unwrap_or_default();
                    let frame = Frame {
                        name: b"",
                        data,
                        offset: start + event as u64,
                        is_bare: !self.in_array,
                        is_last: false,
                    };
                    if !visit(frame) {
                        break;
                    }
                }
            }
        }
        let done = self.event.unwrap_or(self.position);
        self.position -= done;
        self.event = self.event.map(|_| 0);
        (done, Ok(()))
    }

    /// A byte outside of events.
    fn between(&mut self, byte: u8, position: usize) -> Result<(), &'static str> {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' => {}
            b'{' if !self.has_ended => {
                self.event = Some(position);
                self.depth = 1;
            }
            b'[' if !self.in_array && !self.has_ended => self.in_array = true,
            b',' if self.in_array => {}
            b']' if self.in_array && !self.has_ended => self.has_ended = true,
            _ => return Err("expected an object"),
        }
        Ok(())
    }

    /// A byte inside an event; whether it is the last one.
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
