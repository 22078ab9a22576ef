//! Incremental scanning: no byte is scanned twice.

use crate::bytes::{Byte, ByteSet};
use crate::text::formats::Format;

/// Opens a block of code, which is a call in some formats.
pub(super) const FENCE: &str = "```";
/// The same with the name of its language, and without.
pub(super) const FENCES: [&str; 2] = ["```json", FENCE];

/// The text that has arrived so far. `end` is whether it is complete.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    pub text: &'a str,
    pub end: bool,
}

impl<'a> Text<'a> {
    pub fn from(&self, at: usize) -> &'a str {
        self.text.get(at..).unwrap_or_default()
    }

    /// The position of the next byte that is not whitespace, or the end of the text.
    pub fn solid(&self, mut at: usize) -> usize {
        while self.text.as_bytes().get(at).is_some_and(|&byte| space(byte)) {
            at += 1;
        }
        at
    }
}

/// Begins a tag.
pub(super) const TAG: Byte = Byte(b'<');

/// In JSON strings: quotes and backslashes.
const ENDS: ByteSet = ByteSet::of(b"\"\\");

/// The position after the closing quote of the string whose opening quote is before these bytes, or the end.
pub(super) fn string_end(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        at += ENDS.before(bytes.get(at..).unwrap_or_default());
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(_) => at += 2,
            None => return bytes.len(),
        }
    }
}

/// The lines of a text, with their ends.
pub(super) fn lines(mut text: &str) -> impl Iterator<Item = &str> {
    const LINE_END: Byte = Byte(b'\n');
    std::iter::from_fn(move || {
        let end = LINE_END.next(text.as_bytes(), 0).map_or(text.len(), |at| at + 1);
        let (line, rest) = text.split_at_checked(end)?;
        text = rest;
        (!line.is_empty()).then_some(line)
    })
}

/// Finds the end of a JSON value by its brackets and quotes, without validating it.
#[derive(Debug, Default)]
pub(super) struct JsonScan {
    depth: usize,
    string: bool,
    escaped: bool,
    begun: bool,
}

impl JsonScan {
    /// Whether the next byte belongs to a string, and is not escaped.
    pub fn is_in_string(&self) -> bool {
        self.string && !self.escaped
    }

    /// Scans `bytes` from `at` on, and advances `at`. Returns the end of the value once it is found.
    pub fn run(&mut self, bytes: &[u8], at: &mut usize) -> Option<usize> {
        loop {
            if self.is_in_string() {
                *at += ENDS.before(bytes.get(*at..).unwrap_or_default());
            }
            let &byte = bytes.get(*at)?;
            *at += 1;
            if self.string {
                if self.escaped {
                    self.escaped = false;
                } else if byte == b'\\' {
                    self.escaped = true;
                } else if byte == b'"' {
                    self.string = false;
                    if self.depth == 0 {
                        return Some(*at);
                    }
                }
                continue;
            }
            match byte {
                b'"' => self.string = true,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' | b',' if self.depth == 0 => return Some(*at - 1),
                b'}' | b']' => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Some(*at);
                    }
                }
                b' ' | b'\n' | b'\r' | b'\t' if self.depth == 0 && self.begun => return Some(*at - 1),
                _ => {}
            }
            self.begun = true;
        }
    }
}

/// Whether a JSON text, read in pieces, is inside a string.
#[derive(Debug, Default)]
pub(super) struct Quotes {
    string: bool,
    escaped: bool,
}

impl Quotes {
    pub fn inside(&self) -> bool {
        self.string
    }

    pub fn read(&mut self, piece: &str) {
        piece.bytes().for_each(|byte| self.byte(byte));
    }

    pub fn byte(&mut self, byte: u8) {
        match byte {
            _ if self.escaped => self.escaped = false,
            b'\\' => self.escaped = self.string,
            b'"' => self.string = !self.string,
            _ => {}
        }
    }
}

/// How the start of a text compares with a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Match {
    Yes,
    No,
    /// The text ends within the marker.
    Maybe,
}

impl Match {
    /// That of another marker, if this one is not there.
    pub fn or(self, other: impl FnOnce() -> Self) -> Self {
        if self == Self::No { other() } else { self }
    }

    /// The opposite.
    pub fn not(self) -> Self {
        match self {
            Self::Yes => Self::No,
            Self::No => Self::Yes,
            Self::Maybe => Self::Maybe,
        }
    }
}

pub(super) fn compare(rest: &str, marker: &str, end: bool) -> Match {
    if rest.starts_with(marker) {
        Match::Yes
    } else if !end && rest.len() < marker.len() && marker.starts_with(rest) {
        Match::Maybe
    } else {
        Match::No
    }
}

/// How the start of a text compares with some markers, and the length of the one that is there.
pub(super) fn compare_any(rest: &str, markers: &[&str], end: bool) -> (Match, usize) {
    let mut result = (Match::No, 0);
    for marker in markers {
        match compare(rest, marker, end) {
            Match::Yes => return (Match::Yes, marker.len()),
            Match::Maybe => result = (Match::Maybe, 0),
            Match::No => {}
        }
    }
    result
}

/// How the start of a text compares with a marker of a format or one of its variants, and the length of the one that is there.
pub(super) fn compare_marker(format: &Format, rest: &str, marker: &str, end: bool) -> (Match, usize) {
    let mut result = compare_any(rest, &[marker], end);
    for (variant, of) in format.spellings {
        if result.0 == Match::Yes {
            break;
        }
        if *of == marker && compare(rest, variant, end) != Match::No {
            result = compare_any(rest, &[variant], end);
        }
    }
    result
}

/// How the start of a text compares with these markers of a format and their variants. Empty ones do not count.
pub(super) fn compare_markers(format: &Format, rest: &str, markers: &[&str], end: bool) -> (Match, usize) {
    let mut result = (Match::No, 0);
    for marker in markers.iter().filter(|marker| !marker.is_empty()) {
        match compare_marker(format, rest, marker, end) {
            (Match::No, _) => {}
            (Match::Maybe, _) => result = (Match::Maybe, 0),
            found => return found,
        }
    }
    result
}

/// Whether a text begins with a name and this bracket.
pub(super) fn begins_call(text: &str, others: &[char], bracket: char, end: bool) -> Match {
    let name = text.find(|one: char| !(one.is_alphanumeric() || others.contains(&one))).unwrap_or(text.len());
    let rest = text.get(name..).unwrap_or_default().trim_start();
    match rest.chars().next() {
        None if !end => Match::Maybe,
        Some(next) if next == bracket && name > 0 => Match::Yes,
        _ => Match::No,
    }
}

/// The first marker in the text, with its position. All markers must begin with the same byte.
pub(super) fn first_of<'a>(text: &str, markers: &[&'a str]) -> Option<(usize, &'a str)> {
    let first = Byte(markers.iter().find_map(|marker| marker.bytes().next())?);
    let mut from = 0;
    loop {
        let at = first.next(text.as_bytes(), from)?;
        let rest = text.get(at..).unwrap_or_default();
        if let Some(marker) = markers.iter().find(|marker| rest.starts_with(**marker)) {
            return Some((at, marker));
        }
        from = at + 1;
    }
}

/// The length of the longest end of `text` that is a prefix of `marker`.
pub(super) fn overlap(text: &str, marker: &str) -> usize {
    let longest = marker.len().saturating_sub(1).min(text.len());
    (1..=longest)
        .rev()
        .find(|&size| text.as_bytes().get(text.len() - size..) == marker.as_bytes().get(..size))
        .unwrap_or(0)
}

pub(super) fn space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// Sorts by descending length; stable, for few items. The sort of the standard library adds 6 kB of wasm.
pub fn longest_first<T>(items: &mut [T], length: impl Fn(&T) -> usize) {
    for end in 1..items.len() {
        let mut at = end;
        while at > 0 && items.get(at - 1).map(&length) < items.get(at).map(&length) {
            items.swap(at - 1, at);
            at -= 1;
        }
    }
}
