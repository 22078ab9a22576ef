//! Reads a block of calls: a part of the text between passages of plain text.

use super::call::{Call, Progress};
use super::out::Out;
use super::salvage;
use super::scan::{Match, compare, compare_any, longest_first, space};
use crate::text::Tool;
use crate::text::formats::{Body, Broken, Format, Pair};

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

pub(super) struct Block {
    format: &'static Format,
    at: usize,
    call: Option<Call>,
    /// The start of the input that no call has consumed yet.
    pub from: usize,
    calls: usize,
    section: bool,
    /// Whether a call's opening marker was read, so that its body follows.
    armed: bool,
    list: bool,
    /// Whether text follows that is neither call nor marker.
    noisy: bool,
    /// The position after the first marker of the block.
    first: usize,
    /// Whether tools were declared.
    declared: bool,
    /// Whether a closing marker was read after an opening one.
    closed: bool,
    /// The position from which to search for the end of a call that can't be read.
    lost: Option<usize>,
    /// Positions up to which whitespace was skipped: in general, and after a bracket.
    blank: usize,
    seen: usize,
}

/// The markers of a format that open a block.
pub(super) fn openers(format: &'static Format) -> Vec<&'static str> {
    let mut found = vec![format.section.open.trim(), format.call.open.trim()];
    found.extend(format.also.iter().map(|pair| pair.open.trim()));
    match &format.body {
        Body::Tagged(tagged) => found.push(tagged.open),
        Body::Json(json) if json.bare => found.extend(["{", "["]),
        Body::Pythonic(pythonic) if pythonic.bare => found.push("["),
        Body::Literal(_) => found.push("call:"),
        Body::Nested(nested) => found.push(nested.prefix),
        _ => {}
    }
    found.retain(|marker| !marker.is_empty());
    found = found.into_iter().flat_map(|marker| format.spellings_of(marker)).collect();
    longest_first(&mut found, |marker| marker.len());
    found.dedup();
    found
}

enum Next {
    More,
    Go,
    Stop,
}

impl Block {
    pub fn new(format: &'static Format) -> Self {
        Self {
            format,
            at: 0,
            call: None,
            from: 0,
            calls: 0,
            section: false,
            armed: false,
            list: false,
            noisy: false,
            first: 0,
            declared: false,
            closed: false,
            lost: None,
            blank: 0,
            seen: 0,
        }
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
                    Progress::Cut => return self.cut(text, out),
                }
            }
            match self.between(text) {
                Next::More => return Step::More,
                Next::Go => {}
                Next::Stop if self.section && self.calls > 0 && self.at < text.text.len() => {
                    return self.noise(text, out);
                }
                // a section may be empty
                Next::Stop if self.calls > 0 || self.closed => return Step::Done(self.at),
                Next::Stop => return self.broken(text, tools, out),
            }
        }
    }

    /// Completes a call. Its input is no longer needed.
    fn called(&mut self, end: usize) -> Step {
        self.consume();
        self.calls += 1;
        self.call = None;
        self.armed = self.list || (self.section && self.format.call.open.is_empty());
        Step::Called(end)
    }

    /// Reads text between the calls of a section, up to a marker. Whitespace before the marker is no text.
    fn noise(&mut self, text: Text, out: &mut Out) -> Step {
        let mut start = self.at;
        let mut at = start;
        if !std::mem::replace(&mut self.noisy, true) {
            // a bracket that opened no list of calls is text too
            let bracket = text.text.get(..start).and_then(|before| before.rfind('[')).filter(|_| self.list);
            start = bracket.unwrap_or(start);
            self.list = false;
            at = text.solid(at);
            at += text.from(at).chars().next().map_or(0, char::len_utf8);
        }
        loop {
            let solid = text.solid(self.blank.max(at));
            self.blank = solid;
            let rest = text.from(solid);
            let found = if rest.is_empty() { Match::Maybe } else { self.opener(rest, text.end) };
            if found == Match::No {
                at = solid + self.plain(rest);
                continue;
            }
            out.text(text.text.get(start..at).unwrap_or_default());
            self.noisy = found == Match::Maybe;
            if self.noisy && at == 0 {
                return if text.end { Step::Done(text.text.len()) } else { Step::More };
            }
            self.consume();
            return Step::Called(at);
        }
    }

    /// How the text compares with what can follow text between calls.
    fn opener(&self, rest: &str, end: bool) -> Match {
        match (self.closing(rest, end), &self.format.body) {
            (Match::Yes, _) => Match::Yes,
            (found, Body::Tagged(tagged)) if !tagged.open.is_empty() => {
                match compare_any(rest, self.format.spellings_of(tagged.open), end).0 {
                    Match::No => found,
                    own => own,
                }
            }
            (found, _) => found,
        }
    }

    /// The length of the text up to a character that could begin a marker.
    fn plain(&self, rest: &str) -> usize {
        let own = match &self.format.body {
            Body::Tagged(tagged) => tagged.open,
            _ => "",
        };
        let firsts =
            || self.markers().map(|(marker, _)| marker).chain([own]).filter_map(|marker| marker.chars().next());
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let found = rest.get(first..).and_then(|rest| rest.find(|one| firsts().any(|first| first == one)));
        // whitespace belongs to what follows it
        rest.get(..found.map_or(rest.len(), |at| first + at))
            .map_or(first, |plain| plain.trim_end_matches([' ', '\n', '\r', '\t']).len())
    }

    /// The input up to here is no longer needed.
    fn consume(&mut self) {
        (self.at, self.from, self.first, self.blank, self.seen) = (0, 0, 0, 0, 0);
    }

    /// The input ends within a call.
    fn cut(&mut self, text: Text, out: &mut Out) -> Step {
        let end = text.text.len();
        let Some(mut call) = self.call.take().filter(|call| call.started() || self.format.broken == Broken::Invalid)
        else {
            return Step::Broken(end);
        };
        call.fail(text.from(self.from), "the text ends before the call does", out);
        Step::Done(end)
    }

    /// The input after a marker can't be read as a call.
    fn broken(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        let started = self.call.as_ref().is_some_and(Call::started);
        let marked = self.first > 0 && !self.closing_marker().is_empty();
        // other notations begin with the same brackets
        let begins = |brackets: &[char]| self.list || text.from(text.solid(self.at)).starts_with(brackets);
        let other = match &self.format.body {
            Body::Json(_) => marked && begins(&['{', '[']),
            Body::Pythonic(_) => marked,
            _ => false,
        };
        if !started && !other && self.format.broken == Broken::Text {
            let at = if text.end { text.text.len() } else { self.first.max(self.from) };
            return Step::Broken(at.max(self.from));
        }
        // skip an opening marker that belongs to the call itself
        let begins = self.call.as_ref().map_or(self.at, |call| call.at.max(call.from + 1));
        self.lost = Some(begins.min(text.text.len()));
        self.list = false;
        self.lose(text, tools, out)
    }

    /// The closing marker of a call, or else that of the section.
    fn closing_marker(&self) -> &'static str {
        let own = match &self.format.body {
            Body::Tagged(tagged) => tagged.close,
            _ => "",
        };
        let markers = [self.format.call.close.trim(), own, self.format.section.close.trim()];
        markers.into_iter().find(|marker| !marker.is_empty()).unwrap_or_default()
    }

    /// Gives up on a call that can't be read: it ends at its closing marker or at the next call. First tries other notations.
    fn lose(&mut self, text: Text, tools: &[Tool], out: &mut Out) -> Step {
        let Some((end, next)) = self.lost_end(text) else { return Step::More };
        self.lost = None;
        let started = self.call.as_ref().is_some_and(Call::started);
        let body = text.text.get(self.first.max(self.from)..end).unwrap_or_default().trim();
        if !started && salvage::calls(self.format, body, tools, out) {
            return self.called(next);
        }
        if !started && self.format.broken == Broken::Text {
            return Step::Broken(next.max(self.from));
        }
        let error = if text.end && next == text.text.len() {
            "the text ends before the call does"
        } else {
            "the call does not follow its format"
        };
        let mut call = self.call.take().unwrap_or_else(|| Call::new(self.format, self.from, false));
        call.fail(text.text.get(self.from..end).unwrap_or_default(), error, out);
        self.called(next)
    }

    /// The end of a call that can't be read, and the position where reading continues.
    fn lost_end(&mut self, text: Text) -> Option<(usize, usize)> {
        let close = self.closing_marker();
        let format = self.format;
        let own = match &format.body {
            Body::Tagged(tagged) => tagged.open,
            _ => "",
        };
        let others = [format.section.close, format.call.open, format.section.open, own].map(str::trim);
        let markers = || {
            let all = others.into_iter().chain([close]).filter(|marker| !marker.is_empty());
            all.flat_map(|marker| format.spellings_of(marker))
        };
        let mut at = self.lost.unwrap_or_default();
        while let Some(&byte) = text.text.as_bytes().get(at) {
            if !text.text.is_char_boundary(at) {
                at += 1;
                continue;
            }
            let mut found: Option<&str> = None;
            for marker in markers().filter(|marker| marker.as_bytes().first() == Some(&byte)) {
                match compare(text.from(at), marker, text.end) {
                    Match::Maybe => {
                        self.lost = Some(at);
                        return None;
                    }
                    Match::Yes if found.is_none_or(|other| other.len() < marker.len()) => found = Some(marker),
                    _ => {}
                }
            }
            match found {
                Some(marker) if format.spellings_of(close).any(|close| close == marker) => {
                    return Some((at, at + marker.len()));
                }
                Some(_) => return Some((at, at)),
                None => at += 1,
            }
        }
        self.lost = Some(at);
        text.end.then_some((at, at))
    }

    /// Reads between calls: markers, separators and whitespace.
    fn between(&mut self, text: Text) -> Next {
        let at = text.solid(self.blank.max(self.at));
        self.blank = at;
        let rest = text.from(at);
        if rest.is_empty() {
            return if text.end { Next::Stop } else { Next::More };
        }
        if self.list && rest.starts_with(']') {
            (self.at, self.list, self.armed) = (at + 1, false, false);
            return Next::Go;
        }
        if (self.calls > 0 || self.list) && rest.starts_with([',', ';']) && (self.list || self.bare()) {
            (self.at, self.armed) = (at + 1, true);
            return Next::Go;
        }
        if let Some(next) = self.body(text, at) {
            return next;
        }
        self.marker(text, at)
    }

    fn bare(&self) -> bool {
        matches!(&self.format.body, Body::Json(json) if json.bare)
    }

    /// Reads the start of a call's body.
    fn body(&mut self, text: Text, at: usize) -> Option<Next> {
        let rest = text.from(at);
        let armed = self.armed || (self.bare() && self.calls == 0);
        // outside a section, the text may only quote a call, so the call must name a declared tool
        let sectioned = self.section || self.declared || self.format.section.open.is_empty();
        let own = match &self.format.body {
            Body::Tagged(tagged) if sectioned => tagged.open,
            Body::Literal(_) => "call:",
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
            if !named {
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
        if rest.starts_with('{') && (self.list || !named) {
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
            Body::Pythonic(_) => match self.closing(rest, text.end) {
                Match::No => Some(self.begin(at, false)),
                _ => None,
            },
            Body::Nested(nested) if rest.len() > nested.prefix.len() => {
                let tag = format!("{}<invoke", nested.prefix);
                match compare(rest, &tag, text.end) {
                    Match::Yes => Some(self.begin(at, false)),
                    Match::Maybe => Some(Next::More),
                    Match::No => None,
                }
            }
            _ => None,
        }
    }

    fn begin(&mut self, at: usize, json: bool) -> Next {
        self.call = Some(Call::new(self.format, at, json));
        Next::Go
    }

    fn closing(&self, rest: &str, end: bool) -> Match {
        let mut result = Match::No;
        for (marker, _) in self.markers() {
            match compare_any(rest, self.format.spellings_of(marker), end).0 {
                Match::Yes => return Match::Yes,
                Match::Maybe => result = Match::Maybe,
                Match::No => {}
            }
        }
        result
    }

    /// The markers around calls. The flag is whether a call's body follows.
    fn markers(&self) -> impl Iterator<Item = (&'static str, Option<bool>)> {
        let format = self.format;
        let nested = match format.body {
            Body::Nested(_) | Body::Pythonic(_) | Body::Tagged(_) => true,
            Body::Json(_) => format.call.open.is_empty(),
            _ => false,
        };
        let calls = std::iter::once(&format.call).chain(format.also).map(|pair: &Pair| (pair, true));
        let all = calls.chain(std::iter::once((&format.section, nested)));
        let after = match &format.body {
            Body::Named(named) => named.after.trim(),
            _ => "",
        };
        all.flat_map(|(pair, arms)| [(pair.open.trim(), Some(arms)), (pair.close.trim(), None)])
            .chain(std::iter::once((after, None)))
            .filter(|(marker, _)| !marker.is_empty())
    }

    fn marker(&mut self, text: Text, at: usize) -> Next {
        let rest = text.from(at);
        let mut best: Option<(&str, Option<bool>)> = None;
        let (mut size, mut maybe) = (0, false);
        // at the start, a fence opens a block, even if another one closes it
        let is_start = self.first == 0 && self.calls == 0;
        for (marker, kind) in self.markers().filter(|(_, kind)| kind.is_some() || !is_start) {
            match compare_any(rest, self.format.spellings_of(marker), text.end) {
                (Match::Yes, length) if length > size => (best, size) = (Some((marker, kind)), length),
                (Match::Maybe, _) => maybe = true,
                _ => {}
            }
        }
        let opened = self.calls > 0 && !self.section && matches!(self.format.body, Body::Json(_));
        match best {
            _ if maybe => Next::More,
            None => Next::Stop,
            // the bracket before did not open a list of calls
            Some((_, Some(_))) if self.calls == 0 && (self.list || (self.first == 0 && self.at > 0)) => Next::Stop,
            // another block starts
            Some((marker, Some(_))) if opened && marker != self.format.call.open.trim() => Next::Stop,
            Some((marker, kind)) => {
                self.at = at + size;
                self.first = if self.first == 0 { self.at } else { self.first };
                match kind {
                    Some(arms) => {
                        self.armed = arms;
                        self.section |= marker == self.format.section.open.trim();
                    }
                    None => {
                        self.closed = true;
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
