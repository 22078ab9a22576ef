//! Characters that are split across two events: some servers split texts between the halves of a surrogate pair (Q211).

use super::frames::Frame;
use crate::value::text::TextStore;

/// An event with a string that ends with a high surrogate. It is held back until the next event, which may have the low one.
pub struct Half {
    name: Vec<u8>,
    data: Vec<u8>,
    offset: u64,
    /// Position of the surrogate in the data, and a JSON Pointer to its string.
    position: usize,
    pointer: String,
}

/// The length of an escaped surrogate: `\ud83d`.
const LENGTH: usize = 6;

impl Half {
    /// The high surrogate at the end of a string in the last event, if there is one.
    pub fn find(store: &TextStore, frame: &Frame, data: &[u8]) -> Option<Half> {
        let is_end = |position: usize| {
            let is_high =
                data.get(position + 3).is_some_and(|digit| matches!(digit, b'8' | b'9' | b'a' | b'b' | b'A' | b'B'));
            is_high && data.get(position + LENGTH) == Some(&b'"')
        };
        let (position, pointer) = store.lone_surrogates(data).find(|(position, _)| is_end(*position))?;
        Some(Half {
            name: frame.name.to_vec(),
            data: data.to_vec(),
            offset: frame.offset,
            position,
            pointer: pointer.to_owned(),
        })
    }

    /// If the next event starts the same string with the low surrogate: the data of both events, with the whole character in the second one.
    pub fn join(&self, store: &mut TextStore, next: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
        store.reset(next).ok()?;
        let is_start = |position: usize| {
            let is_low = next.get(position + 3).is_some_and(|digit| matches!(digit, b'c'..=b'f' | b'C'..=b'F'));
            is_low && position.checked_sub(1).and_then(|before| next.get(before)) == Some(&b'"')
        };
        let mut starts = store.lone_surrogates(next).filter(|(position, _)| is_start(*position));
        let (position, _) = starts.find(|(_, pointer)| *pointer == self.pointer)?;
        let (before, rest) = self.data.split_at_checked(self.position)?;
        let (half, after) = rest.split_at_checked(LENGTH)?;
        let (start, end) = next.split_at_checked(position)?;
        Some(([before, after].concat(), [start, half, end].concat()))
    }

    /// The held event as a frame, with these data if given.
    pub fn frame<'a>(&'a self, data: Option<&'a [u8]>) -> Frame<'a> {
        let data = data.unwrap_or(&self.data);
        Frame { name: &self.name, data, framing: None, offset: self.offset, is_bare: false, is_last: true }
    }
}
