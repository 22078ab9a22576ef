//! The output of a stream.

use crate::binary_frames::{begin, seal, unsealed};
use crate::format::Framing;
use crate::run::{Result, Run};
use crate::value::text::{members, number, starts_with};
use crate::value::{Value, Word};
use std::ops::Range;

/// The events written so far.
pub struct Output {
    bytes: Vec<u8>,
    /// None: elements of a JSON array, separated by commas.
    framing: Option<Framing>,
    /// Start of the current event, and of its data.
    event: usize,
    data: usize,
    /// The output of the event that may be repeated, and the range of its text; empty if there is no output.
    pattern: Vec<u8>,
    text: Option<Range<usize>>,
    /// The length of the last output that was taken, which predicts the next one.
    expected: usize,
}

impl Output {
    pub fn new(framing: Option<Framing>) -> Output {
        Output { bytes: Vec::new(), framing, event: 0, data: 0, pattern: Vec::new(), text: None, expected: 0 }
    }

    /// Writes an event. `name` is used if the dialect names its events.
    pub fn event(&mut self, run: &mut Run, name: &str, json: Value) -> Result<()> {
        self.begin(name);
        self.put(run, json)?;
        self.end();
        Ok(())
    }

    /// Starts an event whose JSON text is written in pieces.
    pub fn begin(&mut self, name: &str) {
        self.separate();
        self.event = self.bytes.len();
        match self.framing {
            None | Some(Framing { lines: true, .. } | Framing { binary: true, .. }) => {}
            Some(framing) => {
                if framing.named && !name.is_empty() {
                    for part in ["event: ", name, "\n"] {
                        self.bytes.extend_from_slice(part.as_bytes());
                    }
                }
                self.bytes.extend_from_slice(b"data: ");
            }
        }
        self.data = self.bytes.len();
    }

    /// Writes the separator between two events.
    fn separate(&mut self) {
        if self.bytes.is_empty() {
            self.bytes.reserve(self.expected + self.expected / 4);
        } else if self.framing.is_none() {
            self.bytes.push(b',');
        }
    }

    /// Remembers the output after the first `start` bytes: the last event, which contains this JSON text, or nothing. False if the text occurs more
    /// than once, or not at all.
    pub fn remember(&mut self, start: usize, text: &[u8]) -> bool {
        self.pattern.clear();
        self.text = None;
        if self.bytes.len() == start {
            return true;
        }
        let event = self.bytes.get(self.event..).unwrap_or_default();
        let event = if self.is_binary() { unsealed(event) } else { event };
        let quotes = event.iter().enumerate().filter(|(_, byte)| **byte == b'"').map(|(place, _)| place);
        let mut places = quotes.filter(|place| starts_with(event.get(*place..).unwrap_or_default(), text));
        let (Some(place), None) = (places.next(), places.next()) else { return false };
        self.text = Some(place + 1..place + text.len().saturating_sub(1));
        self.pattern.extend_from_slice(event);
        true
    }

    /// Writes the remembered event with another text. Returns whether there was any output.
    pub fn repeat(&mut self, text: &[u8]) -> bool {
        let Some(place) = self.text.clone() else { return false };
        self.separate();
        let start = self.bytes.len();
        for part in [self.pattern.get(..place.start), Some(text), self.pattern.get(place.end..)] {
            self.bytes.extend_from_slice(part.unwrap_or_default());
        }
        if self.is_binary() {
            seal(&mut self.bytes, start);
        }
        true
    }

    /// Whether events are binary messages.
    fn is_binary(&self) -> bool {
        self.framing.is_some_and(|framing| framing.binary)
    }

    /// Makes the JSON text of an event a binary message, named by the only key. Other events have no name, and are written whole. A body of an
    /// error is an exception with its name.
    fn end_message(&mut self) {
        let json = self.bytes.split_off(self.event);
        let mut fields = members(&json);
        let only = fields.next().zip(fields.next().is_none().then_some(()));
        let named = only.and_then(|((key, place), ())| std::str::from_utf8(key).ok().zip(json.get(place)));
        let tag = || members(&json).find(|(key, _)| *key == b"__type").and_then(|(_, place)| json.get(place));
        let (name, payload) = match (named, tag()) {
            (Some((name, payload)), _) => (name, payload),
            (None, Some(kind)) => (std::str::from_utf8(kind).unwrap_or_default().trim_matches('"'), json.as_slice()),
            (None, None) => ("", json.as_slice()),
        };
        let is_error = named.is_none() && !name.is_empty() || name.ends_with("Exception");
        let (header, kind) = if is_error { (":exception-type", "exception") } else { (":event-type", "event") };
        let content = (":content-type", "application/json");
        begin(&mut self.bytes, &[(header, name), content, (":message-type", kind)]);
        self.bytes.extend_from_slice(payload);
        seal(&mut self.bytes, self.event);
    }

    /// Writes a piece of the event's JSON text.
    pub fn raw(&mut self, json: &[u8]) {
        self.bytes.extend_from_slice(json);
    }

    /// Writes an event that is an object with its name as the type. `rest` is the rest of its JSON text, in pieces.
    pub fn typed<'a>(&mut self, kind: Word, rest: impl IntoIterator<Item = &'a [u8]>) {
        self.begin(kind.text());
        for part in ["{\"type\":\"", kind.text(), "\""] {
            self.raw(part.as_bytes());
        }
        rest.into_iter().for_each(|part| self.raw(part));
        self.end_object();
    }

    /// Writes an event that is an object with one key, its name. `value` is the JSON text under the key, in pieces.
    pub fn keyed<'a>(&mut self, name: &str, value: impl IntoIterator<Item = &'a [u8]>) {
        self.begin(name);
        for part in ["{\"", name, "\":"] {
            self.raw(part.as_bytes());
        }
        value.into_iter().for_each(|part| self.raw(part));
        self.end_object();
    }

    /// Writes a number into the event.
    pub fn number(&mut self, number: u32) {
        number::put(&mut self.bytes, f64::from(number));
    }

    /// Writes a value into the event.
    pub fn put(&mut self, run: &mut Run, value: Value) -> Result<()> {
        run.store.append_json(value, &mut self.bytes).map_err(|fault| run.fault(fault, crate::run::At::ROOT))
    }

    /// Writes the members of an object that was built here into the event, after those before them.
    pub fn members(&mut self, run: &mut Run, object: Value) -> Result<()> {
        let start = self.bytes.len();
        self.put(run, object)?;
        self.bytes.pop();
        if self.bytes.len() == start + 1 {
            self.bytes.pop();
        } else if let Some(brace) = self.bytes.get_mut(start) {
            *brace = b',';
        }
        Ok(())
    }

    /// Ends an event that is an object.
    pub fn end_object(&mut self) {
        self.raw(b"}");
        self.end();
    }

    pub fn end(&mut self) {
        let Some(framing) = self.framing else { return };
        if self.is_binary() {
            self.end_message();
            return;
        }
        // line breaks can only be white space between JSON tokens, but would end the event
        let data = self.bytes.get_mut(self.data..).unwrap_or_default();
        if memchr::memchr2(b'\n', b'\r', data).is_some() {
            for byte in data.iter_mut().filter(|byte| matches!(byte, b'\n' | b'\r')) {
                *byte = b' ';
            }
        }
        self.bytes.extend_from_slice(if framing.lines { b"\n" } else { b"\n\n" });
    }

    /// Writes the end marker of the stream, if the dialect has one.
    pub fn done(&mut self) {
        if self.framing.is_some_and(|framing| framing.done) {
            self.bytes.extend_from_slice(b"data: [DONE]\n\n");
        }
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Discards the output after the first `length` bytes.
    pub fn truncate(&mut self, length: usize) {
        self.bytes.truncate(length);
    }

    /// Reuses the memory of output that was taken.
    pub fn reuse(&mut self, mut taken: Vec<u8>) {
        if self.bytes.is_empty() {
            taken.clear();
            self.bytes = taken;
        }
    }

    /// The output since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        self.expected = self.bytes.len();
        std::mem::take(&mut self.bytes)
    }
}
