//! Most events of a stream are like the one before, but for a piece of text. Such an event is not read again: decoder and encoder are
//! only given the text.

use crate::value::Value;
use crate::value::text::{TextStore, plain_string_end, starts_with};
use smallvec::SmallVec;
use std::ops::Range;

/// The last event that was read, if the next one may be like it.
#[derive(Default)]
pub struct Repeats {
    /// Its JSON text; empty if there is none.
    event: Vec<u8>,
    /// Where in it stands what may be another string or number the next time, in order; and which of these is the text.
    varying: SmallVec<[Range<usize>; 4]>,
    text: usize,
}

impl Repeats {
    pub fn forget(&mut self) {
        self.event.clear();
    }

    /// Remembers what the store has read: the next event may be like it, if it differs in nothing but the values in `varying`.
    pub fn remember(&mut self, store: &TextStore, varying: &[Value], text: Value) {
        self.forget();
        self.varying.clear();
        for value in varying {
            // what was made of the event does not stand in it
            let Some(place) = store.place(*value) else { return };
            let before = self.varying.iter().take_while(|other| other.start < place.start).count();
            self.varying.insert(before, place);
        }
        let Some(place) = store.place(text) else { return };
        self.text = self.varying.iter().take_while(|other| **other != place).count();
        self.event.extend_from_slice(store.source());
    }

    /// What stands between the quotes of the text in `json`, if that is like the event before. Only strings that are not empty and
    /// whole numbers may be others.
    pub fn text_of<'a>(&self, json: &'a [u8]) -> Option<&'a [u8]> {
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
        let (rest, known) = (json.get(position..)?, self.event.get(known..)?);
        text.filter(|_| rest.len() == known.len() && starts_with(rest, known))
    }
}

/// Position after the digits at `from`, if they are a number.
fn whole_number_end(bytes: &[u8], from: usize) -> Option<usize> {
    let digits = bytes.get(from..)?.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let has_leading_zero = digits > 1 && bytes.get(from) == Some(&b'0');
    (digits > 0 && !has_leading_zero).then_some(from + digits)
}
