//! Reads what is between the calls of a block, up to the start of the next call.

use super::{BlockReader, CUT_MARKER};
use crate::text::read::call::{Call, HEAD, Opening};
use crate::text::read::kinds::{self, Bracket, Facts, Spot, json::JsonBody};
use crate::text::read::markers::Role;
use crate::text::read::noise;
use crate::text::read::out::Out;
use crate::text::read::part::{CallReader, Next, Part};
use crate::text::read::progress::{Expected, Within};
use crate::text::read::scan::{FENCE, Match, Text, compare_marker};

/// The maximum length of nested empty arrays that are recognised.
const EMPTY: usize = 64;

impl BlockReader {
    /// Reads between calls: markers, separators and whitespace.
    pub(super) fn between(&mut self, text: Text, is_declared: bool, out: &mut Out) -> Next {
        let at = text.solid(self.blank.max(self.at));
        self.blank = at;
        let rest = text.from(at);
        if rest.is_empty() {
            return if text.end { Next::Stop } else { Next::More };
        }
        if self.expected.in_list() && rest.starts_with(']') {
            (self.at, self.expected) = (at + 1, Expected::Nothing);
            // after a marker, an empty array is no call, but no text either
            self.end_content(self.first > 0);
            return Next::Go;
        }
        if self.expected.in_list() && self.has_calls() && self.markers.opens(rest, '[') {
            self.expected = Expected::Nothing;
        }
        let may_separate = self.expected.in_list() || (self.has_calls() && self.markers.facts.takes_objects);
        if may_separate && rest.starts_with([',', ';']) {
            (self.at, self.expected) = (at + 1, self.expected.body(true));
            return Next::Go;
        }
        let is_marked = self.markers.facts.is_object || self.within.is_open();
        let is_after = is_marked && self.expected == Expected::Nothing && rest.starts_with('}');
        if (self.is_within() || self.expected.in_list() || is_after) && self.has_calls() {
            // further objects are calls too
            self.expected = self.expected.body(self.expected.is_body() || rest.starts_with('{'));
            if rest.starts_with(['}', ']', '`']) && self.markers.compare(rest, text.end) == Match::No {
                out.lose("a bracket or fence after a call was dropped", rest.get(..1).unwrap_or_default());
                self.at = at + 1;
                return Next::Go;
            }
        }
        let is_first = self.expected.is_body() && !self.has_calls() && self.is_within();
        if is_first && self.markers.compare(rest, text.end) == Match::No {
            match noise::fence(rest, text.end) {
                (Match::No, _) => {}
                (Match::Maybe, _) => return Next::More,
                (Match::Yes, size) => {
                    self.at = at + size;
                    return Next::Go;
                }
            }
        }
        if let Some(next) = self.before_list(text, at, out).or_else(|| self.body(text, at, is_declared)) {
            return next;
        }
        let is_break = rest == self.format().line_break;
        if text.end && self.has_calls() && !is_break && noise::opener(self.markers, rest, false) == Match::Maybe {
            out.lose(CUT_MARKER, rest);
            self.at = text.text.len();
            return Next::Go;
        }
        self.marker(text, at)
    }

    /// Drops words between a marker and an array of calls.
    fn before_list(&mut self, text: Text, at: usize, out: &mut Out) -> Option<Next> {
        if !self.markers.facts.is_optional || self.expected != Expected::Body {
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
            head.strip_suffix('[').filter(|words| !words.is_empty() && !words.contains(self.format().call.open))?;
        out.lose("words between a marker and its calls were dropped", words.trim_end());
        (self.at, self.expected) = (at + head.len(), Expected::Element);
        Some(Next::Go)
    }

    /// Reads the start of a call's body.
    fn body(&mut self, text: Text, at: usize, is_declared: bool) -> Option<Next> {
        let rest = text.from(at);
        if self.opening != Opening::Marked && !self.has_calls() {
            return Some(self.begin(at, false));
        }
        let is_bare = !self.expected.is_body()
            && self.markers.facts.takes_objects
            && !self.has_calls()
            && rest.starts_with(['{', '[']);
        let armed = self.expected.is_body() || (is_bare && self.markers.compare(rest, text.end) == Match::No);
        let is_unwrapped = self.is_beginning || self.format().section.open.is_empty();
        let is_certain = self.within.is_section() || is_declared || is_unwrapped;
        let spot = Spot { is_first: !self.has_calls(), is_certain, in_list: self.expected.in_list(), is_bare };
        let own = self.kind.opener(spot);
        if !own.is_empty() {
            match compare_marker(self.format(), rest, own, text.end).0 {
                Match::Yes => return Some(self.begin(at, false)),
                Match::Maybe => return Some(Next::More),
                Match::No => {}
            }
        }
        if !armed {
            return None;
        }
        if rest.starts_with('[') {
            match self.has_only_brackets(rest, text.end) {
                Match::Yes => return None,
                Match::Maybe => return Some(Next::More),
                Match::No => {}
            }
            match self.kind.bracket(self.format(), text, at, &mut self.seen, spot) {
                Bracket::List => {
                    (self.at, self.expected) = (at + 1, self.expected.listed(true));
                    return Some(Next::Go);
                }
                Bracket::Call => return Some(self.begin(at, false)),
                Bracket::Unknown => return Some(Next::More),
                Bracket::Other => {}
            }
        }
        if rest.starts_with('{') {
            let Facts { has_list, is_exact, .. } = self.markers.facts;
            let is_listed = self.expected.in_list() || !(is_exact && has_list);
            // the bracket before the first call may be missing
            self.expected = self.expected.listed(self.expected.in_list() || (has_list && spot.is_first && !is_bare));
            return is_listed.then(|| self.begin(at, true));
        }
        let starts = self.kind.starts(rest, spot) && self.markers.compare(rest, text.end) == Match::No;
        starts.then(|| self.begin(at, false))
    }

    /// Whether an array in the array of calls is empty, but for other arrays.
    fn has_only_brackets(&self, rest: &str, end: bool) -> Match {
        if !self.expected.in_list() {
            return Match::No;
        }
        let start = rest.get(..rest.floor_char_boundary(EMPTY)).unwrap_or_default();
        match start.chars().find(|one| *one != '[' && !one.is_whitespace()) {
            Some(']') => Match::Yes,
            None if start.len() == rest.len() && !end => Match::Maybe,
            _ => Match::No,
        }
    }

    fn begin(&mut self, at: usize, json: bool) -> Next {
        let is_object = json && self.first == 0 && !self.has_calls() && self.markers.facts.has_head;
        let opening = match self.opening {
            Opening::Marked if is_object => Opening::Object,
            opening if !self.has_calls() => opening,
            _ => Opening::Marked,
        };
        let mut call = Call::new(kinds::origin(self.format(), self.standing, opening), at);
        call.headed = self.headed.take();
        let body = if json { JsonBody::start(&mut call, self.kind) } else { self.kind.start(&mut call) };
        self.part = Part::Call(CallReader { call, body });
        Next::Go
    }

    fn marker(&mut self, text: Text, at: usize) -> Next {
        let rest = text.from(at);
        // a fence opens a block, unless there is one that it closes
        let is_start = self.first == 0 && !self.has_calls();
        let closes = |marker: &str| !is_start && (self.within.is_open() || marker != FENCE);
        let (may_be_longer, best) = self.markers.at_start(rest, text.end, closes);
        let is_other = self.has_calls() && !self.within.is_section();
        match best {
            _ if may_be_longer => Next::More,
            None => Next::Stop,
            // the bracket before did not open a list of calls
            Some((_, role, _))
                if role != Role::Closes
                    && !self.has_calls()
                    && (self.expected.in_list() || (self.first == 0 && self.at > 0)) =>
            {
                Next::Stop
            }
            // another block starts
            Some((_, role, _)) if role != Role::Closes && is_other => {
                self.within = Within::Nothing;
                Next::Stop
            }
            Some((marker, role, size)) => {
                self.at = at + size;
                self.first = if self.first == 0 { self.at } else { self.first };
                if role == Role::Closes {
                    self.end_content(self.markers.may_be_empty(marker));
                    let is_section = self.markers.closes_section(marker);
                    self.within = if is_section { Within::Nothing } else { self.within.closed() };
                    self.expected = self.expected.body(self.within.is_section() && self.expected.is_body());
                    if self.has_calls() {
                        self.from = self.at;
                    }
                } else {
                    self.expected = self.expected.body(role == Role::OpensCall);
                    self.within = self.within.opened(marker == self.format().section.opener());
                }
                Next::Go
            }
        }
    }
}
