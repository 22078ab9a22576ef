//! The map of an output: its ranges with the ranges of the source that they came from.

use super::super::scan::{scalar_end, skip_space};
use super::super::{SIDE, Span, TextStore};
use super::{Origin, Shift};
use crate::escapes::{byte_of, code_point};
use std::ops::Range;

/// How a range of the output came from its range of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum How {
    /// The same bytes.
    Copied,
    /// The content of a part of a string: JSON in a string has become a value.
    Decoded,
    /// The same bytes, in a string that was joined from several.
    Joined,
    /// A value has become a string of JSON.
    Encoded,
    /// Made in place of a value that a warning names.
    Fitted,
    /// Written by the conversion.
    Made,
}

/// A range of the output, and the range of the source that it came from, which is empty if it was made. In bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapped {
    pub output: Range<usize>,
    pub source: Range<usize>,
    pub how: How,
}

impl TextStore {
    /// The map of the written text, in the order of the output. Ranges of the output do not overlap. Each value of it that is neither an object nor an
    /// array has a row, or is in one.
    pub fn map(&self) -> Vec<Mapped> {
        let mut rows = Vec::new();
        let mut shift = Shift::new(&self.pieces);
        for origin in &self.trace.out {
            let start = origin.start + shift.before(origin.start);
            let end = origin.end + shift.before(origin.end);
            self.resolve(origin.from, start as usize..end as usize, origin.how, &mut rows);
        }
        let mut output = Vec::with_capacity(self.output_length());
        self.each_output(|slice| output.extend_from_slice(slice));
        with_made(rows, &output)
    }

    /// Adds rows for a range of the output that was taken from a span.
    fn resolve(&self, from: Span, output: Range<usize>, how: How, rows: &mut Vec<Mapped>) {
        let source = from.range();
        if from.start & SIDE == 0 {
            if !output.is_empty() {
                rows.push(Mapped { output, source, how });
            }
            return;
        }
        let origins = &self.trace.side;
        let first = origins.partition_point(|origin| origin.end as usize <= source.start);
        let within = origins.iter().skip(first).take_while(|origin| (origin.start as usize) < source.end);
        if matches!(how, How::Copied | How::Joined) {
            for origin in within {
                let start = source.start.max(origin.start as usize);
                let end = source.end.min(origin.end as usize);
                let to = output.start + start - source.start;
                self.resolve_part(origin, start..end, to..to + end - start, how, rows);
            }
            return;
        }
        // a made value that was decoded or encoded: only if it is of one origin
        for origin in within.filter(|origin| covers(origin, &source)) {
            if matches!(origin.how, How::Copied | How::Joined) {
                let from = part_of(origin, &source);
                self.resolve(from, output.clone(), how, rows);
            }
        }
    }

    /// The same for a part of the side buffer that has one origin.
    fn resolve_part(
        &self,
        origin: &Origin,
        part: Range<usize>,
        output: Range<usize>,
        how: How,
        rows: &mut Vec<Mapped>,
    ) {
        match origin.how {
            How::Copied | How::Joined => {
                let how = if how == How::Joined { how } else { origin.how };
                self.resolve(part_of(origin, &part), output, how, rows);
            }
            How::Decoded => {
                let [start, end] = [part.start, part.end].map(|position| position - origin.start as usize);
                let raw = self.raw(origin.from);
                let Some([first, last]) = encoded_range(raw, [start, end]) else { return };
                let from =
                    Span { start: origin.from.start + first, end: origin.from.range().start as u32 + last, node: 0 };
                self.resolve(from, output, How::Decoded, rows);
            }
            How::Encoded if covers(origin, &part) && part.len() == (origin.end - origin.start) as usize => {
                self.resolve(origin.from, output, How::Encoded, rows);
            }
            How::Encoded | How::Fitted | How::Made => {}
        }
    }
}

fn covers(origin: &Origin, range: &Range<usize>) -> bool {
    origin.start as usize <= range.start && range.end <= origin.end as usize
}

/// The span of a part of a range that was copied.
fn part_of(origin: &Origin, part: &Range<usize>) -> Span {
    let start = origin.from.start + (part.start - origin.start as usize) as u32;
    Span { start, end: (start & !SIDE) + part.len() as u32, node: 0 }
}

/// The range of the text between the quotes of a string, given a range of its content. None if an escape is cut.
fn encoded_range(raw: &[u8], content: [usize; 2]) -> Option<[u32; 2]> {
    let (mut position, mut decoded) = (0, 0);
    let mut found = [None; 2];
    loop {
        for (found, wanted) in found.iter_mut().zip(content) {
            if decoded == wanted {
                // the first position of an empty range, too
                found.get_or_insert(position as u32);
            }
        }
        let [start, end] = found;
        if let (Some(start), Some(end)) = (start, end) {
            return Some([start, end]);
        }
        let (length, width) = match raw.get(position..)? {
            [b'\\', letter, ..] if byte_of(*letter) != 0 => (2, 1),
            [b'\\', ..] => {
                let (code, length) = code_point(raw, position).unwrap_or((u32::MAX, 6));
                (length, char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER).len_utf8())
            }
            [_, ..] => (1, 1),
            [] => return None,
        };
        position += length;
        decoded += width;
    }
}

/// Position after the closing quote. Smaller than the one of `scan.rs`, which is faster.
fn end_of_string(bytes: &[u8], from: usize) -> usize {
    let mut position = from;
    loop {
        match bytes.get(position) {
            Some(b'\\') => position += 2,
            Some(b'"') => return position + 1,
            Some(_) => position += 1,
            None => return bytes.len(),
        }
    }
}

/// Adds a row for each value that has none: it was made.
fn with_made(rows: Vec<Mapped>, output: &[u8]) -> Vec<Mapped> {
    let mut all = Vec::with_capacity(rows.len());
    let mut known = rows.into_iter().peekable();
    let mut position = 0;
    while position < output.len() {
        let first = skip_space(output, position);
        let end = match output.get(first) {
            None => break,
            Some(b'{' | b'}' | b'[' | b']' | b':' | b',') => first + 1,
            Some(b'"') => end_of_string(output, first + 1),
            Some(_) => scalar_end(output, first).max(first + 1),
        };
        let is_value = !matches!(output.get(first), Some(b'{' | b'}' | b'[' | b']' | b':' | b','));
        let is_key = is_value && output.get(skip_space(output, end)) == Some(&b':');
        // rows that ended before this token
        while let Some(row) = known.next_if(|row| row.output.end <= first) {
            all.push(row);
        }
        let is_covered = known.peek().is_some_and(|row| row.output.start < end);
        if is_value && !is_key && !is_covered {
            all.push(Mapped { output: first..end, source: 0..0, how: How::Made });
        }
        position = end;
    }
    all.extend(known);
    all
}
