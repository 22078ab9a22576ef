//! Parts of a whole text, as ranges of it. JavaScript has the text, too, so they need neither be copied nor be written as JSON and parsed.

use std::ops::Range;

use crate::bytes::ByteSet;
use crate::json::push_escaped;

/// Text outside of calls.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    Range(Range<usize>),
    /// Text that the model's text does not contain in this form.
    Text(String),
}

/// An argument of the call in a block that is a string. In the arguments, an empty one stands for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    pub block: u32,
    pub key: String,
    pub range: Range<usize>,
}

/// A long string in the arguments of a call that is being read. An empty one stands for it.
pub(super) struct LongString {
    pub key: String,
    /// Its position in the arguments.
    pub at: usize,
    /// Where it is in the text of the call.
    pub range: Range<usize>,
}

/// What was read as ranges.
#[derive(Debug, Default)]
pub struct Ranges {
    pub text: Vec<TextPart>,
    pub slices: Vec<Slice>,
    held: Vec<TextPart>,
    is_ascii: bool,
    /// The address of the text that was not read yet, its length, and the length of what was read before.
    buffer: (usize, usize),
    before: usize,
}

/// The minimum length of a long string. Shorter ones take less time as JSON, and do not keep the text in memory.
pub(super) const LONG: usize = 128;

impl Ranges {
    pub(super) fn new(is_ascii: bool) -> Self {
        Self { is_ascii, ..Self::default() }
    }

    /// This is the text that was not read yet. It stays where it is until [`passes`](Self::passes).
    pub(super) fn reads(&mut self, text: &str) {
        self.buffer = (text.as_ptr().addr(), text.len());
    }

    /// So many bytes of the text were read.
    pub(super) fn passes(&mut self, length: usize) {
        self.before += length;
        self.buffer = (0, 0);
    }

    /// The range of a part of the text that was not read yet. JavaScript may have half of a surrogate pair in place of U+FFFD.
    fn of(&self, part: &str) -> Option<Range<usize>> {
        let (address, length) = self.buffer;
        let start = part.as_ptr().addr().checked_sub(address)?;
        let is_part = start + part.len() <= length && (self.is_ascii || !part.contains('\u{fffd}'));
        is_part.then_some(self.before + start..self.before + start + part.len())
    }

    /// Whitespace that belongs to the text if more of it follows.
    pub(super) fn hold(&mut self, text: &str) {
        let part = self.part(text);
        push(&mut self.held, part);
    }

    pub(super) fn drop_held(&mut self) {
        self.held.clear();
    }

    /// More of the text.
    pub(super) fn push_text(&mut self, text: &str) {
        let part = self.part(text);
        std::mem::take(&mut self.held).into_iter().chain([part]).for_each(|part| push(&mut self.text, part));
    }

    fn part(&self, text: &str) -> TextPart {
        self.of(text).map_or_else(|| TextPart::Text(text.to_owned()), TextPart::Range)
    }

    /// Converts ranges in bytes of this text to UTF-16 code units, the indices of JavaScript's strings.
    pub(super) fn count_units(&mut self, text: &str) {
        let mut units = Units::default();
        for part in &mut self.text {
            if let TextPart::Range(range) = part {
                *range = units.range(text, range);
            }
        }
        let mut units = Units::default();
        self.slices.iter_mut().for_each(|slice| slice.range = units.range(text, &slice.range));
    }

    /// Long strings of a call, which was read from this text. If one is not a part of the whole text, returns false.
    pub(super) fn push_strings(&mut self, block: u32, strings: &[LongString], text: &str) -> bool {
        strings.iter().all(|LongString { key, range, .. }| {
            let range = text.get(range.clone()).and_then(|value| self.of(value));
            let slice = range.map(|range| Slice { block, key: key.clone(), range });
            let is_part = slice.is_some();
            self.slices.extend(slice);
            is_part
        })
    }
}

/// Arguments as JSON with their long strings.
pub(super) fn filled(arguments: &str, strings: &[LongString], text: &str) -> String {
    let mut out = String::new();
    let mut copied = 0;
    for LongString { at, range, .. } in strings {
        out.push_str(arguments.get(copied..*at).unwrap_or_default());
        push_escaped(&mut out, text.get(range.clone()).unwrap_or_default());
        copied = *at;
    }
    out.push_str(arguments.get(copied..).unwrap_or_default());
    out
}

/// Adds a part of a text. It may continue the last one.
fn push(parts: &mut Vec<TextPart>, part: TextPart) {
    match (part, parts.last_mut()) {
        (TextPart::Range(range), Some(TextPart::Range(last))) if last.end == range.start => last.end = range.end,
        (TextPart::Text(text), Some(TextPart::Text(last))) => last.push_str(&text),
        (part, _) => parts.push(part),
    }
}

const OTHERS: ByteSet = ByteSet::of(&[0x80]);

/// Counts the UTF-16 code units of a text up to positions, which count bytes. It goes on from the last one if they are in ascending order.
#[derive(Default)]
struct Units {
    at: usize,
    units: usize,
}

impl Units {
    fn range(&mut self, text: &str, range: &Range<usize>) -> Range<usize> {
        self.to(text, range.start)..self.to(text, range.end)
    }

    fn to(&mut self, text: &str, position: usize) -> usize {
        if position < self.at {
            *self = Self::default();
        }
        while self.at < position {
            let rest = text.get(self.at..position).unwrap_or_default();
            let ascii = OTHERS.before(rest.as_bytes());
            let other = rest.get(ascii..).and_then(|rest| rest.chars().next());
            self.at += ascii + other.map_or(0, char::len_utf8);
            self.units += ascii + other.map_or(0, char::len_utf16);
            if ascii == 0 && other.is_none() {
                break;
            }
        }
        self.units
    }
}
