//! Reads a block of calls: a part of the text between passages of plain text.

use super::call::{CUT, Call, CallBody, HEAD, Opening, Progress, Standing};
use super::event::Verbatim;
use super::kinds::{self, Bracket, Facts, Kind, Spot, json::JsonBody};
use super::out::Out;
use super::salvage;
use super::scan::{FENCE, Match, Text, compare, compare_any};
use crate::text::Tool;
use crate::text::formats::Format;

pub(super) enum Step {
    More,
    /// A call ends at this position, but not the block.
    Called(usize),
    /// The block ends at this position.
    Done(usize),
    /// Not a block: at least up to this position, the input is plain text.
    Broken(usize),
}

/// A call that is being read.
pub(super) struct CallReader {
    pub call: Call,
    body: Box<dyn CallBody>,
}

impl CallReader {
    fn step(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let progress = self.body.step(&mut self.call, text, tools, out);
        self.call.flush(out);
        progress
    }

    /// Which pieces would only continue the arguments. `length` is that of the input so far.
    pub fn verbatim(&self, length: usize) -> Verbatim {
        if self.call.begun.is_none() { Verbatim::None } else { self.body.verbatim(&self.call, length) }
    }
}

/// What a block reads.
pub(super) enum Part {
    /// Markers, separators and whitespace between calls.
    Between,
    Call(CallReader),
    /// Text between the calls of a section.
    Noise,
    /// The rest of a call that can't be read. Its end is searched from this position on.
    Lost(usize, Option<Call>),
}

pub(super) struct BlockReader {
    pub format: &'static Format,
    kind: &'static dyn Kind,
    pub facts: Facts,
    pub standing: Standing,
    pub at: usize,
    pub part: Part,
    /// The start of the input that no call has consumed yet.
    pub from: usize,
    pub calls: usize,
    pub section: bool,
    /// Whether a call's opening marker was read, so that its body follows.
    pub armed: bool,
    pub list: bool,
    /// How the first call starts.
    pub opening: Opening,
    /// The position after the first marker of the block.
    pub first: usize,
    /// Whether a closing marker was read after an opening one.
    pub closed: bool,
    /// Whether a call's opening marker was read, and not its closing one.
    pub open: bool,
    /// The name of the first call in a header before it.
    pub headed: Option<String>,
    /// Positions up to which whitespace was skipped: in general, and after a bracket.
    pub blank: usize,
    pub seen: usize,
}

enum Next {
    More,
    Go,
    Stop,
}

impl BlockReader {
    pub fn new(format: &'static Format, standing: Standing) -> Self {
        let kind = kinds::of(format);
        Self {
            format,
            kind,
            facts: kind.facts(),
            standing,
            at: 0,
            part: Part::Between,
            from: 0,
            calls: 0,
            section: false,
            armed: false,
            list: false,
            opening: Opening::Marked,
            first: 0,
            closed: false,
            open: false,
            headed: None,
            blank: 0,
            seen: 0,
        }
    }

    /// A block without an opening marker.
    pub fn unmarked(format: &'static Format, opening: Opening) -> Self {
        Self { opening, ..Self::new(format, Standing::Doubtful) }
    }

    pub fn step(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        loop {
            match &mut self.part {
                Part::Between => {}
                Part::Lost(..) => return self.lose(text, tools, out),
                Part::Noise => return self.noise(text, out),
                Part::Call(call) => match call.step(text, tools, out) {
                    Progress::More => return Step::More,
                    Progress::Done(at) => return self.called(at),
                    Progress::Broken => return self.broken(text, tools, out),
                    Progress::Cut => return self.cut(text, tools, out),
                },
            }
            match self.between(text, !tools.is_empty(), out) {
                Next::More => return Step::More,
                Next::Go => {}
                Next::Stop if self.may_have_stray_tag(text) => match self.stray_tag(text, out) {
                    Match::Yes => {}
                    Match::Maybe => return Step::More,
                    Match::No => return self.noise(text, out),
                },
                Next::Stop if (self.section || self.is_within()) && self.calls > 0 && self.at < text.text.len() => {
                    return self.noise(text, out);
                }
                // a section may be empty
                Next::Stop if self.calls > 0 || self.closed => return Step::Done(self.at),
                Next::Stop => return self.broken(text, tools, out),
            }
        }
    }

    /// Completes a call. Its input is no longer needed.
    pub(super) fn called(&mut self, end: usize) -> Step {
        self.consume();
        self.calls += 1;
        self.part = Part::Between;
        self.armed = self.list || (self.section && self.format.call.open.is_empty());
        Step::Called(end)
    }

    /// The input up to here is no longer needed.
    pub(super) fn consume(&mut self) {
        (self.at, self.from, self.first, self.blank, self.seen) = (0, 0, 0, 0, 0);
    }

    /// The call that is being read, or was given up.
    pub(super) fn call(&self) -> Option<&Call> {
        match &self.part {
            Part::Call(reader) => Some(&reader.call),
            Part::Lost(_, call) => call.as_ref(),
            Part::Between | Part::Noise => None,
        }
    }

    /// Whether a call that can't be read is plain text.
    pub(super) fn may_be_text(&self) -> bool {
        self.calls == 0 && self.standing != Standing::Certain
    }

    /// The input ends within a call.
    fn cut(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        let end = text.text.len();
        let started = self.call().is_some_and(Call::started);
        let raw = text.from(self.from);
        let body = text.from(self.first.max(self.from)).trim();
        if !started && salvage::calls(self.format, self.standing, body, tools, out) {
            return Step::Done(end);
        }
        if !started && self.may_be_text() && !self.names_declared(raw, tools) {
            return Step::Broken(end);
        }
        self.fail(raw, CUT, tools, out);
        Step::Done(end)
    }

    /// Reads between calls: markers, separators and whitespace.
    fn between(&mut self, text: Text, is_declared: bool, out: &mut Out) -> Next {
        let at = text.solid(self.blank.max(self.at));
        self.blank = at;
        let rest = text.from(at);
        if rest.is_empty() {
            return if text.end { Next::Stop } else { Next::More };
        }
        if self.list && rest.starts_with(']') {
            (self.at, self.list, self.armed) = (at + 1, false, false);
            // after a marker, an empty array is no call, but no text either
            self.closed |= self.first > 0;
            return Next::Go;
        }
        if (self.calls > 0 || self.list) && rest.starts_with([',', ';']) && (self.list || self.facts.takes_objects) {
            (self.at, self.armed) = (at + 1, true);
            return Next::Go;
        }
        if self.is_within() && self.calls > 0 {
            // further objects are calls too
            self.armed |= rest.starts_with('{');
            if rest.starts_with(['}', ']', '`']) && self.closing(rest, text.end) == Match::No {
                out.lose("a bracket or fence after a call was dropped", rest.get(..1).unwrap_or_default());
                self.at = at + 1;
                return Next::Go;
            }
        }
        if self.armed
            && self.calls == 0
            && let Some(next) = self.fence(text, at)
        {
            return next;
        }
        if let Some(next) = self.before_list(text, at, out).or_else(|| self.body(text, at, is_declared)) {
            return next;
        }
        self.marker(text, at)
    }

    /// Whether a closing tag may follow that belongs to no other tag.
    fn may_have_stray_tag(&self, text: Text) -> bool {
        let rest = text.from(self.blank);
        let is_tag = rest.starts_with("</") || (rest == "<" && !text.end);
        is_tag && self.calls > 0 && (self.open || self.section) && !self.closing_marker().is_empty()
    }

    /// Drops a closing tag that belongs to no other tag.
    fn stray_tag(&mut self, text: Text, out: &mut Out) -> Match {
        let rest = text.from(self.blank);
        let name = rest.get(2..).unwrap_or_default();
        let end = name
            .find(|one: char| !(one.is_alphanumeric() || matches!(one, '_' | ':' | '-' | '|' | '｜' | '▁')))
            .unwrap_or(name.len());
        if end > HEAD || (end == name.len() && text.end) {
            return Match::No;
        }
        match name.as_bytes().get(end) {
            None => Match::Maybe,
            Some(b'>') => {
                out.lose(
                    "a closing tag that belongs to no other tag was dropped",
                    rest.get(..end + 3).unwrap_or_default(),
                );
                self.at = self.blank + end + 3;
                Match::Yes
            }
            Some(_) => Match::No,
        }
    }

    /// Whether nothing may precede a closing marker: that of all calls.
    fn may_be_empty(&self, close: &str) -> bool {
        self.facts.has_list || close == self.format.section.close.trim()
    }

    /// Whether a marker around JSON was opened and not closed.
    fn is_within(&self) -> bool {
        self.open && self.facts.is_object && !self.format.call.close.is_empty()
    }

    /// Skips the fence of a block of code between the markers of a call.
    fn fence(&mut self, text: Text, at: usize) -> Option<Next> {
        let rest = text.from(at);
        if !self.is_within() || self.closing(rest, text.end) != Match::No {
            return None;
        }
        match compare_any(rest, ["```json", "```"].into_iter(), text.end) {
            (Match::Yes, 3) if compare(rest, "```json", text.end) == Match::Maybe => Some(Next::More),
            (Match::Yes, size) => {
                self.at = at + size;
                Some(Next::Go)
            }
            (Match::Maybe, _) => Some(Next::More),
            (Match::No, _) => None,
        }
    }

    /// Drops words between a marker and an array of calls.
    fn before_list(&mut self, text: Text, at: usize, out: &mut Out) -> Option<Next> {
        if !self.facts.is_optional || !self.armed || self.list {
            return None;
        }
        let rest = text.from(at);
        let window = rest.char_indices().nth(HEAD).map_or(rest.len(), |(at, _)| at);
        let start = rest.get(..window).unwrap_or_default();
        let Some(object) = start.find('{') else {
            return (window == rest.len() && !text.end).then_some(Next::More);
        };
        let head = start.get(..object).unwrap_or_default().trim_end();
        let words =
            head.strip_suffix('[').filter(|words| !words.is_empty() && !words.contains(self.format.call.open))?;
        out.lose("words between a marker and its calls were dropped", words.trim_end());
        (self.at, self.list) = (at + head.len(), true);
        Some(Next::Go)
    }

    /// Reads the start of a call's body.
    fn body(&mut self, text: Text, at: usize, is_declared: bool) -> Option<Next> {
        let rest = text.from(at);
        if self.opening != Opening::Marked && self.calls == 0 {
            return Some(self.begin(at, false));
        }
        let is_bare = !self.armed && self.facts.takes_objects && self.calls == 0 && rest.starts_with(['{', '[']);
        let armed = self.armed || (is_bare && self.closing(rest, text.end) == Match::No);
        let is_certain = self.section || is_declared || self.format.section.open.is_empty();
        let spot = Spot { is_first: self.calls == 0, is_certain, in_list: self.list, is_bare };
        let own = self.kind.opener(spot);
        if !own.is_empty() {
            match compare_any(rest, self.format.spellings_of(own), text.end).0 {
                Match::Yes => return Some(self.begin(at, false)),
                Match::Maybe => return Some(Next::More),
                Match::No => {}
            }
        }
        if !armed {
            return None;
        }
        if rest.starts_with('[') {
            match self.kind.bracket(self.format, text, at, &mut self.seen, spot) {
                Bracket::List => {
                    (self.at, self.list) = (at + 1, true);
                    return Some(Next::Go);
                }
                Bracket::Call => return Some(self.begin(at, false)),
                Bracket::Unknown => return Some(Next::More),
                Bracket::Other => {}
            }
        }
        if rest.starts_with('{') {
            let is_listed = self.list || !(self.facts.is_exact && self.facts.has_list);
            return is_listed.then(|| self.begin(at, true));
        }
        let starts = self.kind.starts(rest, spot) && self.closing(rest, text.end) == Match::No;
        starts.then(|| self.begin(at, false))
    }

    fn begin(&mut self, at: usize, json: bool) -> Next {
        let is_object = json && self.first == 0 && self.calls == 0 && self.facts.has_head;
        let opening = match self.opening {
            Opening::Marked if is_object => Opening::Object,
            opening if self.calls == 0 => opening,
            _ => Opening::Marked,
        };
        let mut call = Call::new(kinds::origin(self.format, self.standing, opening), at);
        call.headed = self.headed.take();
        let body = if json { JsonBody::start(&mut call, self.kind) } else { self.kind.start(&mut call) };
        self.part = Part::Call(CallReader { call, body });
        Next::Go
    }

    fn marker(&mut self, text: Text, at: usize) -> Next {
        let rest = text.from(at);
        let mut best: Option<(&str, Option<bool>)> = None;
        let (mut size, mut maybe) = (0, false);
        // a fence opens a block, unless there is one that it closes
        let is_start = self.first == 0 && self.calls == 0;
        let closes = |marker: &str| !is_start && (self.open || marker != FENCE);
        for (marker, kind) in self.markers().filter(|(marker, kind)| kind.is_some() || closes(marker)) {
            match compare_any(rest, self.format.spellings_of(marker), text.end) {
                (Match::Yes, length) if length > size => (best, size) = (Some((marker, kind)), length),
                (Match::Maybe, _) => maybe = true,
                _ => {}
            }
        }
        let opened = self.calls > 0 && !self.section;
        match best {
            _ if maybe => Next::More,
            None => Next::Stop,
            // the bracket before did not open a list of calls
            Some((_, Some(_))) if self.calls == 0 && (self.list || (self.first == 0 && self.at > 0)) => Next::Stop,
            // another block starts
            Some((_, Some(_))) if opened => {
                self.open = false;
                Next::Stop
            }
            Some((marker, kind)) => {
                self.at = at + size;
                self.first = if self.first == 0 { self.at } else { self.first };
                match kind {
                    Some(arms) => {
                        (self.armed, self.open) = (arms, true);
                        self.section |= marker == self.format.section.open.trim();
                    }
                    None => {
                        self.closed |= self.may_be_empty(marker);
                        self.open = false;
                        self.section &= marker != self.format.section.close.trim();
                        self.armed = self.section && self.armed;
                        if self.calls > 0 {
                            self.from = self.at;
                        }
                    }
                }
                Next::Go
            }
        }
    }
}
