//! One call that is being read: its name, its arguments as JSON, and what was emitted of them. Its body's kind reads it (see [`super::kinds`]).

use super::event::{Event, Verbatim, has_long_number};
use super::fields::{NO_OBJECT, fault};
use super::guess;
use super::names::{declared, parameters};
use super::out::Out;
use super::place::Place;
use super::ranges::{LongString, filled};
use super::scan::{JsonScan, Match, TAG, Text, compare};
use crate::json::{Map, Value};
use crate::table::Table;
use crate::text::Tool;
use crate::text::formats::{Format, Undeclared};
use crate::text_errors::{CUT, UNDECLARED};

pub(super) enum Progress {
    More,
    /// The body ends, and its arguments should be JSON: the call is to be completed.
    Read,
    Done(usize),
    Broken,
    /// The input ends before the call does.
    Cut,
}

/// Reads the body of a call.
pub(super) trait CallBody {
    fn step(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Progress;

    /// Which pieces would only continue the arguments. `length` is that of the input so far. The call was started.
    fn verbatim(&self, _call: &Call, _length: usize) -> Verbatim {
        Verbatim::None
    }
}

/// The name and the arguments of a call that is known in full, as JSON.
pub(super) type Found = (String, String);

/// Whether the text of a block must be a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// A marker opens it where a call may begin. What can't be read is an invalid call.
    Certain,
    /// A bracket or a fence opens it, or the marker is in a sentence. What can't be read is an invalid call if it names a declared tool.
    Possible,
    /// A bracket in a sentence opens it. What can't be read is text.
    Doubtful,
}

impl Standing {
    /// That of a marker at this place. One that is not strong occurs in other texts, too.
    pub fn of(is_strong: bool, place: Place) -> Self {
        match (is_strong, place) {
            (true, Place::Start) => Self::Certain,
            (false, Place::Start) | (true, _) => Self::Possible,
            (false, _) => Self::Doubtful,
        }
    }
}

/// How a call starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opening {
    Marked,
    /// With the marker after its name.
    Head,
    /// With its object, in a format that is not plain JSON.
    Object,
    /// With its name, at the start of a line.
    Line,
    /// With its name, elsewhere.
    Word,
}

impl Opening {
    /// Whether a marker of the format opens the call.
    pub fn is_marked(self) -> bool {
        matches!(self, Self::Marked | Self::Head)
    }
}

/// What decides whether a text is a call.
#[derive(Clone, Copy)]
pub(super) struct Origin {
    pub format: &'static Format,
    pub standing: Standing,
    pub opening: Opening,
    /// Whether other texts look the same, so that only the name of a declared tool makes it a call.
    pub bare: bool,
    /// Whether the arguments are JSON in the text.
    pub is_json: bool,
}

/// The maximum length of a name together with its markers.
pub(super) const HEAD: usize = 512;

pub(super) struct Call {
    pub format: &'static Format,
    pub origin: Origin,
    /// The start of the call in the input, and the position up to which it was read.
    pub from: usize,
    pub at: usize,
    pub name: Option<String>,
    /// The name in a header before the call.
    pub headed: Option<String>,
    pub id: Option<String>,
    pub arguments: String,
    /// Whether the arguments are a JSON object by how they were written.
    pub is_object: bool,
    /// The long strings that the arguments lack.
    pub long: Vec<LongString>,
    /// The argument names so far, for formats with strict parameters.
    pub keys: Table<String, ()>,
    /// The length of the arguments that were emitted.
    pub sent: usize,
    pub begun: Option<(u32, String)>,
    undeclared: bool,
    /// Whether it was not started because no tool of its name was declared.
    pub is_unknown: bool,
    /// Whether the text can't be anything but a call, whatever its name.
    certain: bool,
    /// The position up to which a search has already looked.
    pub seen: usize,
    /// The position up to which no other call begins in the arguments.
    pub whole: usize,
}

/// Whether another call begins within JSON that has not ended.
enum Seam {
    /// Not before this position.
    NotBefore(usize),
    /// The first call ends here. Another one follows its closing marker, which ends at the second position.
    At(usize, usize),
}

impl Call {
    pub fn new(origin: Origin, from: usize) -> Self {
        Self {
            format: origin.format,
            origin,
            from,
            at: from,
            name: None,
            headed: None,
            id: None,
            arguments: String::new(),
            is_object: false,
            long: Vec::new(),
            keys: Table::new(),
            sent: 0,
            begun: None,
            undeclared: false,
            is_unknown: false,
            certain: false,
            seen: from,
            whole: from,
        }
    }

    /// Where a closing marker and the opening marker of another call cut the JSON of this one off. `to` is the position up to which the
    /// JSON was scanned.
    fn seam(&mut self, text: Text, to: usize) -> Seam {
        let (open, close) = (self.format.call.opener(), self.format.call.closer());
        if open.is_empty() || !close.starts_with('<') {
            return Seam::NotBefore(to);
        }
        let bytes = text.text.as_bytes().get(..to).unwrap_or_default();
        while self.whole < to {
            let Some(at) = TAG.next(bytes, self.whole) else {
                self.whole = to;
                break;
            };
            self.whole = at;
            let next = match compare(text.from(self.whole), close, text.end) {
                Match::Maybe => return Seam::NotBefore(self.whole),
                Match::Yes => text.solid(self.whole + close.len()),
                Match::No => {
                    self.whole += 1;
                    continue;
                }
            };
            let rest = text.from(next);
            match compare(rest, open, text.end) {
                Match::Yes => return Seam::At(self.whole, self.whole + close.len()),
                Match::Maybe => return Seam::NotBefore(self.whole),
                Match::No if rest.is_empty() && !text.end => return Seam::NotBefore(self.whole),
                Match::No => self.whole += 1,
            }
        }
        Seam::NotBefore(to)
    }

    /// Scans the JSON that starts at `from`. Returns its end if it was found, the position up to which it belongs to the call, and where
    /// another one begins in it.
    pub(super) fn scan(
        &mut self,
        text: Text,
        scan: &mut JsonScan,
        from: usize,
    ) -> (Option<usize>, usize, Option<usize>) {
        let mut at = self.at;
        let end = scan.run(text.text.as_bytes(), &mut at);
        self.at = end.unwrap_or(at);
        self.whole = self.whole.max(from);
        match self.seam(text, self.at) {
            Seam::At(stop, next) => (end, stop, Some(next)),
            Seam::NotBefore(sure) => (end, sure, None),
        }
    }

    /// The call is cut off at this position, and reading continues at the other one.
    pub(super) fn cut_at(&mut self, text: Text, (end, next): (usize, usize), out: &mut Out) -> Progress {
        self.flush(out);
        self.fail(text.text.get(self.from..end).unwrap_or_default(), CUT, out);
        self.at = next;
        Progress::Done(next)
    }

    pub fn started(&self) -> bool {
        self.begun.is_some() || self.undeclared
    }

    /// Finds `needle` after the current position, without searching any input twice.
    pub fn find(&mut self, text: Text, needle: &str) -> Option<usize> {
        self.seen = text.text.ceil_char_boundary(self.seen.max(self.at));
        let found = text.from(self.seen).find(needle);
        match found {
            Some(at) => Some(self.seen + at),
            None => {
                self.seen = self.seen.max(text.text.len().saturating_sub(needle.len().saturating_sub(1)));
                None
            }
        }
    }

    /// Finds a marker or one of its variants like [`find`](Self::find). Returns its position and its length.
    pub fn find_any(&mut self, text: Text, marker: &'static str) -> Option<(usize, usize)> {
        let start = self.seen;
        let mut nearest: Option<(usize, usize)> = None;
        let mut seen = usize::MAX;
        for spelling in self.format.spellings_of(marker) {
            self.seen = start;
            if let Some(at) = self.find(text, spelling).filter(|at| nearest.is_none_or(|(other, _)| *at < other)) {
                nearest = Some((at, spelling.len()));
            }
            seen = seen.min(self.seen);
        }
        self.seen = seen;
        nearest
    }

    /// Starts the call once its name is known. Returns false if it is not a call.
    pub fn begin(&mut self, name: &str, tools: &[Tool], out: &mut Out) -> bool {
        let name = declared(name, tools);
        // an object alone could be anything
        let known =
            (tools.is_empty() && self.origin.opening != Opening::Object) || tools.iter().any(|tool| tool.name == name);
        let is_doubtful = match self.format.undeclared {
            Undeclared::Text => true,
            Undeclared::Call => self.origin.bare || self.is_in_sentence(),
            Undeclared::Invalid => false,
        };
        if !known && is_doubtful && !self.certain {
            self.is_unknown = true;
            return false;
        }
        self.undeclared = !known && self.format.undeclared != Undeclared::Call;
        if !self.undeclared {
            self.begun = Some(out.start(&name, self.id.as_deref()));
        }
        self.name = Some(name);
        true
    }

    /// Whether a marker in a sentence opens the call.
    fn is_in_sentence(&self) -> bool {
        self.origin.standing != Standing::Certain && self.origin.opening == Opening::Marked
    }

    pub fn flush(&mut self, out: &mut Out) {
        if let Some((block, id)) = &self.begun
            && let Some(text) = self.arguments.get(self.sent..)
        {
            out.delta(*block, id, text);
            self.sent = self.arguments.len();
        }
    }

    /// Completes the call.
    pub fn finish(&mut self, text: Text, out: &mut Out) -> bool {
        self.flush(out);
        let raw = text.text.get(self.from..self.at).unwrap_or_default();
        if self.undeclared {
            self.fail(raw, UNDECLARED, out);
            return true;
        }
        // other notations than JSON compare their parameters while they read them
        let error = if self.origin.is_json {
            fault(&self.arguments)
        } else {
            debug_assert!(!self.is_object || crate::json::is_object(&self.arguments));
            (!self.is_object && !crate::json::is_object(&self.arguments)).then_some(NO_OBJECT)
        };
        if let Some(error) = error {
            self.fail(raw, error, out);
            return true;
        }
        let Some((block, id)) = self.begun.take() else { return false };
        self.sent = 0;
        let name = self.name.clone().unwrap_or_default();
        let arguments = self.take_arguments(block, text.text, out);
        out.events.push(Event::CallEnd { block, id, name, arguments });
        true
    }

    /// The arguments. Their long strings are ranges, unless their JSON is emitted, too, as its numbers have more digits than JavaScript holds.
    fn take_arguments(&mut self, block: u32, text: &str, out: &mut Out) -> String {
        let (arguments, long) = (std::mem::take(&mut self.arguments), std::mem::take(&mut self.long));
        let ranges = out.ranges.as_mut().filter(|_| !has_long_number(&arguments));
        let are_ranges = ranges.is_some_and(|ranges| ranges.push_strings(block, &long, text));
        if long.is_empty() || are_ranges { arguments } else { filled(&arguments, &long, text) }
    }

    /// Emits an invalid call in place of the call that was started.
    pub fn fail(&mut self, raw: &str, error: &str, out: &mut Out) {
        let name = self.name.clone().unwrap_or_default();
        let (block, id) = self.begun.take().unwrap_or_else(|| out.start(&name, self.id.as_deref()));
        let raw = if !self.origin.is_json {
            raw
        } else if !self.arguments.is_empty() {
            &self.arguments
        } else {
            guess::arguments(raw).unwrap_or(raw)
        };
        let raw = raw.to_owned();
        out.events.push(Event::Invalid { block, id, name, raw, error: error.to_owned() });
    }

    pub fn parameters<'a>(&self, tools: &'a [Tool]) -> &'a Map<String, Value> {
        parameters(self.name.as_deref().unwrap_or_default(), tools)
    }

    /// The start of the call, up to the maximum length of a head, and whether nothing follows that could change how it is read.
    pub(super) fn window<'a>(&self, text: Text<'a>) -> (&'a str, bool) {
        let stop = text.text.floor_char_boundary(self.from + HEAD + 1);
        (text.text.get(self.from..stop).unwrap_or_default(), text.end || stop < text.text.len())
    }

    /// Emits calls that are known in full: names, and arguments as JSON. Returns false if they are no calls.
    pub fn emit(origin: Origin, calls: Vec<Found>, tools: &[Tool], out: &mut Out) -> bool {
        let is_declared = |name: &str| tools.iter().any(|tool| tool.name == declared(name, tools));
        // beside the call of a declared tool, the others are calls too
        let certain = calls.iter().any(|(name, _)| is_declared(name));
        !calls.is_empty() && calls.into_iter().all(|found| Self::known(origin, found, certain, tools, out))
    }

    /// Emits a call that is known in full. Returns false if it is none, which a `certain` one can't be.
    pub fn known(origin: Origin, (name, arguments): Found, certain: bool, tools: &[Tool], out: &mut Out) -> bool {
        let mut call = Self { certain, ..Self::new(origin, 0) };
        let raw = format!("{name}({arguments})");
        call.at = raw.len();
        call.arguments = arguments;
        call.begin(&name, tools, out) && call.finish(Text { text: &raw, end: true }, out)
    }
}
