//! Reads a block of calls: a part of the text between passages of plain text.

mod between;

use super::call::{Call, Opening, Progress, Standing};
use super::event::Verbatim;
use super::kinds::{self, Kind, Piece};
use super::lost::{self, End, Lost};
use super::markers::Markers;
use super::names;
use super::next_call::RESUMES;
use super::noise;
use super::out::Out;
use super::part::{Next, Part, Step, Unread};
use super::progress::{Content, Expected, Within};
use super::resume::{self, Seam};
use super::scan::{Match, Text, compare};
use crate::text::Tool;
use crate::text::formats::Format;
use crate::text_errors::{CUT, UNDECLARED};

/// Why the end of a text was dropped.
pub(super) const CUT_MARKER: &str = "a marker that the end of the text cuts off was dropped";

pub(super) struct BlockReader {
    pub markers: Markers,
    kind: &'static dyn Kind,
    pub standing: Standing,
    at: usize,
    part: Part,
    /// Up to here, calls have consumed the input.
    pub from: usize,
    content: Content,
    within: Within,
    expected: Expected,
    /// How the first call starts.
    opening: Opening,
    /// Whether no text precedes the block.
    pub is_beginning: bool,
    /// The position after the first marker of the block.
    first: usize,
    /// The name of the first call in a header before it.
    pub headed: Option<String>,
    /// Positions up to which whitespace was skipped: in general, and after a bracket.
    blank: usize,
    seen: usize,
    /// How often reading resumed within a call that can't be read, before the end of the text.
    resumed: usize,
}

impl BlockReader {
    pub fn new(format: &'static Format, standing: Standing) -> Self {
        Self {
            markers: Markers::of(format),
            kind: kinds::of(format),
            standing,
            at: 0,
            part: Part::Between,
            from: 0,
            content: Content::Nothing,
            within: Within::Nothing,
            expected: Expected::Nothing,
            opening: Opening::Marked,
            is_beginning: false,
            first: 0,
            headed: None,
            blank: 0,
            seen: 0,
            resumed: 0,
        }
    }

    /// A block without an opening marker.
    pub fn unmarked(format: &'static Format, opening: Opening) -> Self {
        Self { opening, ..Self::new(format, Standing::Doubtful) }
    }

    /// A block that begins with the marker after this name.
    pub fn headed(format: &'static Format, name: Option<&str>) -> Self {
        let headed = name.map(str::to_owned);
        Self { opening: Opening::Head, headed, within: Within::Call, ..Self::new(format, Standing::Certain) }
    }

    /// A block whose opening marker is missing.
    pub fn closed(format: &'static Format, standing: Standing) -> Self {
        let within = Within::Nothing.opened(format.call.close.is_empty());
        Self { within, expected: Expected::Body, ..Self::new(format, standing) }
    }

    pub fn step(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        loop {
            match &mut self.part {
                Part::Between => {}
                Part::Lost(lost) => {
                    return match lost.end(self.markers, text) {
                        Some(end) => self.lose(end, text, tools, out),
                        None => Step::More,
                    };
                }
                Part::Noise => return self.noise(text, out),
                Part::Call(call) => match call.step(text, tools, out) {
                    Progress::More => return Step::More,
                    Progress::Read => {
                        return match call.complete(text, tools, out) {
                            Some(at) => self.called(at),
                            None => self.broken(text, tools, out),
                        };
                    }
                    Progress::Done(at) => return self.called(at),
                    Progress::Broken => return self.broken(text, tools, out),
                    Progress::Cut => {
                        let at = text.text.len();
                        return self.lose(End { at, next: at, is_closed: false }, text, tools, out);
                    }
                },
            }
            match self.between(text, !tools.is_empty(), out) {
                Next::More => return Step::More,
                Next::Go => {}
                Next::Stop if self.may_have_stray_tag(text) => match noise::stray_tag(text, self.blank) {
                    (Match::Yes, end) => {
                        let tag = text.text.get(self.blank..end).unwrap_or_default();
                        out.lose("a closing tag that belongs to no other tag was dropped", tag);
                        self.at = end;
                    }
                    (Match::Maybe, _) => return Step::More,
                    (Match::No, _) if self.is_opened() => return self.broken(text, tools, out),
                    (Match::No, _) => return self.noise(text, out),
                },
                Next::Stop => match self.begins_fields(text) {
                    Match::Yes => return self.broken(text, tools, out),
                    Match::Maybe => return Step::More,
                    Match::No if self.is_around_calls() && self.at < text.text.len() => {
                        return if self.is_opened() { self.broken(text, tools, out) } else { self.noise(text, out) };
                    }
                    Match::No if self.content == Content::Nothing => return self.broken(text, tools, out),
                    Match::No => return Step::Done(self.at),
                },
            }
        }
    }

    /// Completes a call. Its input is no longer needed.
    fn called(&mut self, end: usize) -> Step {
        self.consume();
        self.content = Content::Calls;
        self.part = Part::Between;
        let in_list = self.expected.in_list();
        let is_body = in_list || (self.within.is_section() && self.format().call.open.is_empty());
        self.expected = self.expected.body(is_body);
        Step::Called(end)
    }

    /// The input up to here is no longer needed.
    fn consume(&mut self) {
        (self.at, self.from, self.first, self.blank, self.seen) = (0, 0, 0, 0, 0);
    }

    pub fn format(&self) -> &'static Format {
        self.markers.format
    }

    /// Which pieces would only continue the arguments. `length` is that of the input so far.
    pub fn verbatim(&self, length: usize) -> Verbatim {
        self.part.verbatim(length)
    }

    /// Whether a text that can't be read is plain text.
    fn is_text(&self, raw: &str, text: Text, tools: &[Tool]) -> bool {
        let is_cut = || text.end && lost::cuts_name(text.from(self.from), self.markers, tools);
        let is_named = || lost::names_declared(raw, self.markers, tools) || is_cut();
        let names = || self.standing != Standing::Doubtful && is_named();
        let is_started = self.part.call().is_some_and(Call::started);
        !is_started && !self.has_calls() && self.standing != Standing::Certain && !names()
    }

    /// The input after a marker can't be read as a call.
    fn broken(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        let facts = self.markers.facts;
        let is_marked = self.first > 0 && !self.markers.close().is_empty();
        // other notations begin with the same brackets
        let begins =
            |brackets: &[char]| self.expected.in_list() || text.from(text.solid(self.at)).starts_with(brackets);
        let is_other = is_marked && (facts.is_python || (facts.is_object && begins(&['{', '['])));
        let read = self.part.call().map_or(self.at, |call| call.at);
        let raw = text.text.get(self.from..read).unwrap_or_default();
        if !is_other && self.is_text(raw, text, tools) {
            let at = if text.end { text.text.len() } else { self.first };
            return Step::Broken(at.max(self.from));
        }
        // skip an opening marker that belongs to the call itself
        let at = read.max(self.first).max(self.from + 1).min(text.text.len());
        let mut lost = Lost { at, call: self.part.take_call() };
        let end = lost.end(self.markers, text);
        self.part = Part::Lost(lost);
        end.map_or(Step::More, |end| self.lose(end, text, tools, out))
    }

    /// Gives up on a call that can't be read. If nothing was emitted of it, it may have another notation.
    fn lose(&mut self, end: End, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        let end = match self.before_next(&end, text, tools, out) {
            Some(end) => end,
            None => {
                self.expected = self.expected.listed(false);
                end
            }
        };
        if end.is_closed {
            let is_section = self.markers.closes_section(self.markers.close());
            self.within = if is_section { self.within.without_section() } else { self.within.closed() };
        }
        let raw = text.text.get(self.first.max(self.from)..end.at).unwrap_or_default().trim_start();
        let open = self.format().call.opener();
        let body = raw.strip_prefix(open).filter(|_| !self.format().section.open.is_empty()).unwrap_or(raw);
        let unread = Unread { from: end.at - body.len(), end: end.at, next: end.next };
        let is_started = self.part.call().is_some_and(Call::started);
        if is_started { self.settle(&unread, false, text, tools, out) } else { Step::Unread(unread) }
    }

    /// The end of a call that can't be read, if the text up to the end that was found contains the next call.
    fn before_next(&mut self, end: &End, text: Text, tools: &[Tool], out: &mut Out) -> Option<End> {
        let is_end = text.end && end.at == text.text.len();
        let count = if is_end { &mut out.searches } else { &mut self.resumed };
        if *count >= RESUMES || tools.is_empty() {
            return None;
        }
        let from = self.first.max(self.from);
        let takes_separators = self.expected.in_list() || self.markers.facts.takes_objects;
        let raw = text.text.get(from..end.at)?;
        let Seam { end, next, is_marked } = resume::seam(self.markers, raw, tools, takes_separators)?;
        *count += 1;
        self.expected = self.expected.listed(self.expected.in_list() && !is_marked);
        if let Some(call) = self.part.call_mut() {
            // what was read of the arguments includes the next call
            let own = raw.get(..end).unwrap_or_default();
            let is_head = self.markers.facts.has_head;
            call.arguments =
                own.find('{').filter(|_| is_head).and_then(|at| own.get(at..)).unwrap_or_default().to_owned();
        }
        Some(End { at: from + end, next: from + next, is_closed: false })
    }

    /// Continues after a call that does not follow its format: it was read in another notation, is plain text or invalid.
    pub fn settle(&mut self, unread: &Unread, is_read: bool, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        let &Unread { end, next, .. } = unread;
        if is_read {
            return self.called(next);
        }
        let raw = text.text.get(self.from..end).unwrap_or_default();
        if self.is_text(raw, text, tools) {
            return Step::Broken(next.max(self.from));
        }
        let is_cut = text.end && end == text.text.len() && !lost::is_whole(raw, self.markers);
        let has_name = || self.kind.spelling(self.opening).name.is_empty() || lost::has_name(raw, tools);
        if self.has_calls() && self.part.call().is_none() && !has_name() {
            out.lose("the rest of a damaged call was dropped", raw);
            return self.called(next);
        }
        let origin = kinds::origin(self.format(), self.standing, Opening::Marked);
        let pieces = self.kind.split(unread.body(text), next > end, tools);
        let error = match is_cut {
            true => CUT.to_owned(),
            false if self.is_refused(&pieces, tools) => UNDECLARED.to_owned(),
            false => lost::mismatch(self.format()),
        };
        let mut call = self.part.take_call().unwrap_or_else(|| Call::new(origin, self.from));
        call.headed = call.headed.or(self.headed.take());
        if pieces.len() < 2 {
            lost::fail(call, raw, &error, tools, out);
        } else {
            lost::pieces(call.origin, pieces, &error, tools, out);
        }
        self.called(next)
    }

    /// Whether a call can be read, but no tool of its name was declared.
    fn is_refused(&self, pieces: &[Piece], tools: &[Tool]) -> bool {
        match pieces {
            [(_, Some((name, _)))] => tools.iter().all(|tool| tool.name != names::declared(name, tools)),
            _ => self.part.call().is_some_and(|call| call.is_unknown),
        }
    }

    /// Reads text between the calls of a section, up to a marker.
    fn noise(&mut self, text: Text, out: &mut Out) -> Step {
        let mut start = self.at;
        let mut at = start;
        if !matches!(self.part, Part::Noise) {
            // a bracket that opened no list of calls is text too
            let bracket =
                text.text.get(..start).and_then(|before| before.rfind('[')).filter(|_| self.expected.in_list());
            start = bracket.unwrap_or(start);
            self.expected = self.expected.listed(false);
            at = text.solid(at);
            at += text.from(at).chars().next().map_or(0, char::len_utf8);
        }
        let (end, is_open) = noise::end(self.markers, text, at, &mut self.blank);
        out.text(text.text.get(start..end).unwrap_or_default());
        self.part = if is_open { Part::Noise } else { Part::Between };
        if is_open && end == 0 {
            return if text.end { Step::Done(text.text.len()) } else { Step::More };
        }
        self.consume();
        Step::Called(end)
    }

    /// Whether a closing tag may follow that belongs to no other tag.
    fn may_have_stray_tag(&self, text: Text) -> bool {
        let rest = text.from(self.blank);
        let is_tag = rest.starts_with("</") || (rest == "<" && !text.end);
        is_tag && self.has_calls() && self.within != Within::Nothing && !self.markers.close().is_empty()
    }

    /// Whether the fields of a call without its opening bracket follow a separator.
    fn begins_fields(&self, text: Text) -> Match {
        let rest = text.from(self.blank);
        let is_object = self.expected.in_list() || self.markers.facts.is_object;
        let may_follow = self.has_calls() && is_object && self.expected.is_body();
        let key = rest.strip_prefix('"').filter(|_| may_follow);
        let name = self.kind.spelling(self.opening).name;
        key.map_or(Match::No, |key| if self.expected.in_list() { Match::Yes } else { compare(key, name, text.end) })
    }

    /// Whether a marker around JSON was opened and not closed.
    fn is_within(&self) -> bool {
        self.within.is_open() && self.markers.facts.is_object && !self.format().call.close.is_empty()
    }

    /// Whether calls were read, and the marker around them was not closed.
    fn is_around_calls(&self) -> bool {
        self.has_calls() && (self.within.is_section() || self.is_within())
    }

    /// Whether the marker of one more call precedes, so that what follows belongs to it.
    fn is_opened(&self) -> bool {
        self.first > 0 && self.expected == Expected::Body && !self.format().call.open.is_empty()
    }

    fn has_calls(&self) -> bool {
        self.content == Content::Calls
    }

    /// Without a call so far, `may_be_empty` is whether there need not be any.
    fn end_content(&mut self, may_be_empty: bool) {
        if may_be_empty && self.content == Content::Nothing {
            self.content = Content::Empty;
        }
    }
}
