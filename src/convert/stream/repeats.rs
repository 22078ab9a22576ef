//! Fast path: an event that differs from the previous one only in its text is not parsed again. The decoder and encoder only get the text.

use super::frames::Frame;
use crate::value::Value;
use crate::value::text::{TextStore, plain_string_end, starts_with};
use std::ops::Range;

/// The last event, if the next one may repeat it.
#[derive(Default)]
pub struct Repeats {
    /// Its JSON text; empty if there is none.
    event: Vec<u8>,
    /// The ranges of the strings and numbers that may differ, in order; and which of them is the text.
    varying: Vec<Range<usize>>,
    text: usize,
    /// Its frame: the name, and the bytes before and after its data.
    name: Vec<u8>,
    before: Vec<u8>,
    after: Vec<u8>,
}

/// An event that repeats the last one.
pub struct Again<'a> {
    /// Its JSON text; and the text that differs, without quotes.
    pub data: &'a [u8],
    pub text: &'a [u8],
}

impl Repeats {
    pub fn forget(&mut self) {
        self.event.clear();
    }

    /// Remembers the event in the store. The next event may repeat it if it differs only in the values in `varying`.
    pub fn remember(&mut self, store: &TextStore, varying: &[Value], text: Value) {
        self.forget();
        self.varying.clear();
        for value in varying {
            // a value that was made is not part of the event's text
            let Some(place) = store.place(*value) else { return };
            let before = self.varying.iter().take_while(|other| other.start < place.start).count();
            self.varying.insert(before, place);
        }
        let Some(place) = store.place(text) else { return };
        self.text = self.varying.iter().take_while(|other| **other != place).count();
        self.event.extend_from_slice(store.source());
    }

    /// Remembers the frame of the same event, if the same bytes always have the same meaning.
    pub fn remember_frame(&mut self, frame: &Frame) {
        let framing = frame.framing.filter(|_| frame.data.len() == self.event.len());
        let (before, after) = framing.unwrap_or_default();
        for (part, other) in [(&mut self.name, frame.name), (&mut self.before, before), (&mut self.after, after)] {
            part.clear();
            part.extend_from_slice(other);
        }
    }

    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// The event at the start of `rest` and the length of its frame, if both repeat the previous ones.
    pub fn find_frame<'a>(&self, rest: &'a [u8]) -> Option<(Again<'a>, usize)> {
        if self.before.is_empty() || !starts_with(rest, &self.before) {
            return None;
        }
        let again = self.find(rest.get(self.before.len()..)?)?;
        let end = self.before.len() + again.data.len();
        starts_with(rest.get(end..)?, &self.after).then_some((again, end + self.after.len()))
    }

    /// The event at the start of `json`, if it repeats the previous one. Only non-empty strings and integers may differ.
    pub fn find<'a>(&self, json: &'a [u8]) -> Option<Again<'a>> {
        let mut text = None;
        let (mut known, mut position) = (0, 0);
        for (number, place) in self.varying.iter().enumerate() {
            let before = self.event.get(known..place.start)?;
            if !starts_with(json.get(position..)?, before) {
                return None;
            }
            let start = position + before.len();
            position = match self.event.get(place.start)? {
                b'"' if place.len() > 2 => plain_string_end(json, start)?,
                b'0'..=b'9' => whole_number_end(json, start)?,
                _ => return None,
            };
            known = place.end;
            if number == self.text {
                text = json.get(start + 1..position - 1);
            }
        }
        let known = self.event.get(known..)?;
        let data = json.get(..position + known.len())?;
        text.filter(|_| starts_with(json.get(position..).unwrap_or_default(), known)).map(|text| Again { data, text })
    }
}

/// Position after the integer at `from`.
fn whole_number_end(bytes: &[u8], from: usize) -> Option<usize> {
    let digits = bytes.get(from..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let has_leading_zero = digits > 1 && bytes.get(from) == Some(&b'0');
    (digits > 0 && !has_leading_zero).then_some(from + digits)
}
