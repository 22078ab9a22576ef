//! Reads a block of calls: a part of the text between passages of plain text.

use super::FENCE;
use super::call::{CallReader, HEAD, Progress};
use super::lost::CUT;
use super::out::Out;
use super::salvage;
use super::scan::{Match, compare, compare_any, space};
use super::unmarked::Opening;
use crate::text::Tool;
use crate::text::formats::{Body, Format, Named};

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

pub(super) enum Step {
    More,
    /// A call ends at this position, but not the block.
    Called(usize),
    /// The block ends at this position.
    Done(usize),
    /// Not a block: at least up to this position, the input is plain text.
    Broken(usize),
}

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

pub(super) struct BlockReader {
    pub format: &'static Format,
    pub standing: Standing,
    pub at: usize,
    pub call: Option<CallReader>,
    /// The start of the input that no call has consumed yet.
    pub from: usize,
    pub calls: usize,
    pub section: bool,
    /// Whether a call's opening marker was read, so that its body follows.
    pub armed: bool,
    pub list: bool,
    /// How the first call starts.
    pub opening: Opening,
    /// Whether text follows that is neither call nor marker.
    pub noisy: bool,
    /// The position after the first marker of the block.
    pub first: usize,
    /// Whether tools were declared.
    pub declared: bool,
    /// Whether a closing marker was read after an opening one.
    pub closed: bool,
    /// Whether a call's opening marker was read, and not its closing one.
    pub open: bool,
    /// The position from which to search for the end of a call that can't be read.
    pub lost: Option<usize>,
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
        Self {
            format,
            standing,
            at: 0,
            call: None,
            from: 0,
            calls: 0,
            section: false,
            armed: false,
            list: false,
            opening: Opening::Marked,
            noisy: false,
            first: 0,
            declared: false,
            closed: false,
            open: false,
            lost: None,
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
        self.declared = !tools.is_empty();
        if self.lost.is_some() {
            return self.lose(text, tools, out);
        }
        if self.noisy {
            return self.noise(text, out);
        }
        loop {
            if let Some(call) = &mut self.call {
                match call.step(text, tools, out) {
                    Progress::More => return Step::More,
                    Progress::Done(at) => return self.called(at),
                    Progress::Broken => return self.broken(text, tools, out),
                    Progress::Cut => return self.cut(text, tools, out),
                }
            }
            match self.between(text, out) {
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
        self.call = None;
        self.armed = self.list || (self.section && self.format.call.open.is_empty());
        Step::Called(end)
    }

    /// The input up to here is no longer needed.
    pub(super) fn consume(&mut self) {
        (self.at, self.from, self.first, self.blank, self.seen) = (0, 0, 0, 0, 0);
    }

    /// Whether a call that can't be read is plain text.
    pub(super) fn may_be_text(&self) -> bool {
        self.calls == 0 && self.standing != Standing::Certain
    }

    /// The input ends within a call.
    fn cut(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        let end = text.text.len();
        let started = self.call.as_ref().is_some_and(CallReader::started);
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
    fn between(&mut self, text: Text, out: &mut Out) -> Next {
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
        if (self.calls > 0 || self.list) && rest.starts_with([',', ';']) && (self.list || self.bare()) {
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
        if let Some(next) = self.before_list(text, at, out).or_else(|| self.body(text, at)) {
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
        let has_list = matches!(&self.format.body, Body::Json(json) if !json.list.open.is_empty());
        has_list || close == self.format.section.close.trim()
    }

    fn bare(&self) -> bool {
        match &self.format.body {
            Body::Json(json) => json.bare,
            Body::Named(named) => named.bare,
            _ => false,
        }
    }

    /// Whether a marker around JSON was opened and not closed.
    fn is_within(&self) -> bool {
        self.open && matches!(self.format.body, Body::Json(_)) && !self.format.call.close.is_empty()
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
        let nameless = matches!(self.format.body, Body::Named(Named { optional: true, .. }));
        if !nameless || !self.armed || self.list {
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
    fn body(&mut self, text: Text, at: usize) -> Option<Next> {
        let rest = text.from(at);
        if self.opening != Opening::Marked && self.calls == 0 {
            return Some(self.begin(at, false));
        }
        let is_bare = !self.armed && self.bare() && self.calls == 0 && rest.starts_with(['{', '[']);
        let armed = self.armed || (is_bare && self.closing(rest, text.end) == Match::No);
        // outside a section, the text may only quote a call, so the call must name a declared tool
        let sectioned = self.section || self.declared || self.format.section.open.is_empty();
        let own = match &self.format.body {
            Body::Tagged(tagged) if sectioned => tagged.open,
            Body::Literal(_) => "call:",
            Body::Nested(nested) => nested.open,
            Body::Pythonic(python) if python.bare && self.calls == 0 => "[",
            _ => "",
        };
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
        let named = matches!(self.format.body, Body::Named(_));
        if let Body::Json(json) = &self.format.body
            && json.exact
            && !self.list
            && rest.starts_with(if json.list.open.is_empty() { '[' } else { '{' })
        {
            return None;
        }
        if rest.starts_with('[') && matches!(self.format.body, Body::Pythonic(_)) {
            self.seen = text.solid(self.seen.max(at + 1));
            let inner = text.from(self.seen);
            if inner.is_empty() && !text.end {
                return Some(Next::More);
            }
            if inner.starts_with('{') {
                (self.at, self.list) = (at + 1, true);
                return Some(Next::Go);
            }
        }
        if rest.starts_with('[') && !matches!(self.format.body, Body::Pythonic(_)) {
            if !named || is_bare {
                (self.at, self.list) = (at + 1, true);
                return Some(Next::Go);
            }
            for marker in ["[TOOL_CALLS]", "[ARGS]", "[CALL_ID]"] {
                if compare(rest, marker, text.end) != Match::No {
                    return if rest.len() < marker.len() { Some(Next::More) } else { Some(self.begin(at, false)) };
                }
            }
            (self.at, self.list) = (at + 1, true);
            return Some(Next::Go);
        }
        if rest.starts_with('{') {
            return Some(self.begin(at, true));
        }
        match &self.format.body {
            Body::Named(_) if !self.list => match self.closing(rest, text.end) {
                Match::No => Some(self.begin(at, false)),
                _ => None,
            },
            Body::Tagged(tagged) if tagged.open.is_empty() => match self.closing(rest, text.end) {
                Match::No if !rest.starts_with('<') => Some(self.begin(at, false)),
                _ => None,
            },
            Body::Pythonic(_) | Body::Literal(_) => match self.closing(rest, text.end) {
                Match::No => Some(self.begin(at, false)),
                _ => None,
            },
            _ => None,
        }
    }

    fn begin(&mut self, at: usize, json: bool) -> Next {
        let mut call = CallReader::new(self.format, at, json);
        call.standing = self.standing;
        call.headed = self.headed.take();
        let is_object = json && self.first == 0 && self.calls == 0 && matches!(self.format.body, Body::Named(_));
        call.opening = match self.opening {
            Opening::Marked if is_object => Opening::Object,
            opening if self.calls == 0 => opening,
            _ => Opening::Marked,
        };
        self.call = Some(call);
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
