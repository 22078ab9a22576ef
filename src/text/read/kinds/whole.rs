//! Bodies that are parsed once they are complete.

use crate::text::Tool;
use crate::text::formats::{Format, Nested};
use crate::text::read::call::{Call, CallBody, Found, HEAD, Progress};
use crate::text::read::out::Out;
use crate::text::read::scan::{Match, Text, compare, compare_any, space};

/// A notation whose calls are parsed as a whole.
pub(super) trait Notation: Sync {
    /// Whether the start looks like a call. Text that does not is not held back until its brackets are closed. `end` is whether nothing
    /// follows that could change that.
    fn shape(&self, _start: &str, _end: bool) -> Match {
        Match::Yes
    }

    /// The position after the calls.
    fn end(&self, scan: &mut Scan, call: &mut Call, text: Text) -> Option<usize>;

    /// Whether complete calls need no closing bracket at the end of the text.
    fn may_stay_open(&self, _format: &Format) -> bool {
        false
    }

    fn calls(&self, body: &str, tools: &[Tool]) -> Option<Vec<Found>>;
}

pub(super) struct WholeBody {
    notation: &'static dyn Notation,
    scan: Scan,
}

impl WholeBody {
    pub fn start(notation: &'static dyn Notation) -> Box<dyn CallBody> {
        Box::new(Self { notation, scan: Scan::default() })
    }
}

impl CallBody for WholeBody {
    fn step(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let (start, is_over) = call.window(text);
        match self.notation.shape(start, is_over) {
            Match::Yes => {}
            Match::No => return Progress::Broken,
            Match::Maybe => return Progress::More,
        }
        let end = match self.notation.end(&mut self.scan, call, text) {
            Some(end) => end,
            None if !text.end => return Progress::More,
            None if self.notation.may_stay_open(call.format) => text.text.len(),
            None => return Progress::Cut,
        };
        call.at = end;
        let body = text.text.get(call.from..end).unwrap_or_default();
        let found = self.notation.calls(body, tools);
        let is_read = found.is_some_and(|found| Call::emit(call.origin, found, tools, out));
        if is_read { Progress::Done(end) } else { Progress::Broken }
    }
}

/// Brackets and strings up to a position.
#[derive(Default)]
pub(super) struct Scan {
    depth: usize,
    quote: Option<u8>,
    /// Whether it is in a string that a marker delimits.
    inside: bool,
    escaped: bool,
    /// The last byte outside of strings that is no whitespace.
    last: u8,
    /// The end of the first closing tag, which may belong to a value.
    closer: Option<usize>,
}

impl Scan {
    /// Whether this byte belongs to a string, in Python syntax. Quotes that can't be its end do. `None` if that depends on further text.
    /// `seen` is the position up to which whitespace was skipped.
    fn string(&mut self, text: Text, at: usize, seen: &mut usize) -> Option<bool> {
        let bytes = text.text.as_bytes();
        let byte = bytes.get(at).copied()?;
        let Some(open) = self.quote else {
            self.quote = matches!(byte, b'"' | b'\'').then_some(byte);
            return Some(self.quote.is_some());
        };
        if self.escaped {
            self.escaped = false;
        } else if byte == b'\\' {
            self.escaped = true;
        } else if byte == open {
            *seen = text.solid((*seen).max(at + 1));
            match bytes.get(*seen) {
                None if !text.end => return None,
                None | Some(b',' | b')' | b']' | b'}' | b':') => self.quote = None,
                Some(_) => {}
            }
        }
        Some(true)
    }

    /// Whether this byte, outside of strings, closes the first bracket.
    fn closes(&mut self, byte: u8) -> bool {
        match byte {
            b'{' | b'[' | b'(' => self.depth += 1,
            b'}' | b']' | b')' => {
                self.depth = self.depth.saturating_sub(1);
                return self.depth == 0;
            }
            _ => {}
        }
        false
    }

    /// The end of calls in Python syntax: the closing bracket, if they are `in_brackets`, or a marker outside of strings. If there is none,
    /// that of any marker, or else the end of the text.
    pub fn calls(&mut self, call: &mut Call, text: Text, marker: &str, in_brackets: bool) -> Option<usize> {
        while let Some(&byte) = text.text.as_bytes().get(call.at) {
            if marker.as_bytes().first() == Some(&byte) {
                match self.ends(call, text, marker) {
                    Match::Yes => return Some(call.at),
                    Match::Maybe => return None,
                    Match::No => {}
                }
            }
            let is_string = self.string(text, call.at, &mut call.seen)?;
            call.at += 1;
            if in_brackets && !is_string && self.closes(byte) {
                return Some(call.at);
            }
        }
        let any = || text.from(call.from).find(marker).map(|at| call.from + at);
        if text.end && !marker.is_empty() { any() } else { None }
    }

    /// Whether the marker is here. In a string, it is one if other calls begin after it.
    fn ends(&self, call: &Call, text: Text, marker: &str) -> Match {
        let found = compare(text.from(call.at), marker, text.end);
        if found != Match::Yes || self.quote.is_none() {
            return found;
        }
        let next = text.solid(call.at + marker.len());
        compare(text.from(next), call.format.section.opener(), text.end || next - call.at > HEAD)
    }

    /// The position after the closing tag that another call or the end follows, or else after the first one before the next call.
    pub fn tags(&mut self, call: &mut Call, text: Text, spelling: &Nested) -> Option<usize> {
        while let Some(at) = call.find(text, spelling.prefix) {
            let rest = text.from(at);
            match compare(rest, spelling.close, text.end) {
                Match::Maybe => break,
                Match::Yes => {
                    let end = at + spelling.close.len();
                    let solid = text.solid(end);
                    let next = [spelling.open, call.format.section.closer()];
                    match compare_any(text.from(solid), &next, text.end).0 {
                        Match::Yes => return Some(end),
                        _ if solid == text.text.len() && text.end => return Some(end),
                        Match::Maybe if solid - end <= HEAD => break,
                        _ => self.closer = self.closer.or(Some(end)),
                    }
                }
                Match::No => {}
            }
            match compare(rest, spelling.open, text.end) {
                Match::Yes if self.closer.is_some() => return self.closer,
                Match::Maybe => break,
                _ => {}
            }
            call.seen = at + spelling.prefix.len();
        }
        self.closer.filter(|_| text.end)
    }

    /// The position after the closing bracket, or of the call's closing marker outside of strings. Strings are delimited by `quote`, or as
    /// in Python where a value begins.
    pub fn literal(&mut self, call: &mut Call, text: Text, quote: &str) -> Option<usize> {
        let close = call.format.call.closer();
        while let Some(&byte) = text.text.as_bytes().get(call.at) {
            let marker = |marker: &str| {
                let begins = marker.as_bytes().first() == Some(&byte);
                if begins { compare(text.from(call.at), marker, text.end) } else { Match::No }
            };
            let begins_value = matches!(self.last, b':' | b',' | b'[' | b'{');
            if self.quote.is_some() || (!self.inside && begins_value && matches!(byte, b'"' | b'\'')) {
                match compare(text.from(call.at), close, text.end) {
                    Match::Yes => return Some(call.at),
                    Match::Maybe => return None,
                    Match::No => {}
                }
                self.string(text, call.at, &mut call.seen)?;
                self.last = byte;
                call.at += 1;
                continue;
            }
            match (marker(quote), marker(close)) {
                (Match::Yes, _) => {
                    // a marker after a value ends a string whose opening marker is missing
                    self.inside = !self.inside && begins_value;
                    self.last = b'"';
                    call.at += quote.len();
                    continue;
                }
                (_, Match::Yes) if !self.inside => return Some(call.at),
                (Match::Maybe, _) | (_, Match::Maybe) => return None,
                _ => {}
            }
            call.at += 1;
            if self.inside {
                continue;
            }
            if self.closes(byte) {
                return Some(call.at);
            }
            if !space(byte) {
                self.last = byte;
            }
        }
        None
    }
}
