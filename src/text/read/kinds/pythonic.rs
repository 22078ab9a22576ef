//! Calls in Python syntax: `name(key=value)`.

use super::kind::{Bracket, Facts, Kind, Piece, Spot, is_call};
use super::python_calls::{Calls, all, calls};
use super::python_list;
use super::whole::{Notation, Scan, WholeBody};
use crate::text::Tool;
use crate::text::formats::{Format, Pythonic};
use crate::text::read::call::{Call, CallBody, Found};
use crate::text::read::python::Quotes;
use crate::text::read::scan::{Match, Text, begins_call};

impl Kind for Pythonic {
    fn facts(&'static self) -> Facts {
        let openers = if self.bare { ["[", ""] } else { [""; 2] };
        Facts { openers, is_common: true, is_sectioned: true, is_python: true, ..Facts::default() }
    }

    fn start(&'static self, _call: &mut Call) -> Box<dyn CallBody> {
        WholeBody::start(self)
    }

    fn opener(&'static self, spot: Spot) -> &'static str {
        if self.bare && spot.is_first { "[" } else { "" }
    }

    fn starts(&'static self, _rest: &str, _spot: Spot) -> bool {
        true
    }

    /// A list of objects is JSON.
    fn bracket(&'static self, _: &Format, text: Text, at: usize, seen: &mut usize, _: Spot) -> Bracket {
        *seen = text.solid((*seen).max(at + 1));
        match text.from(*seen).chars().next() {
            None if !text.end => Bracket::Unknown,
            Some('{') => Bracket::List,
            _ => Bracket::Other,
        }
    }

    fn salvage(&'static self, body: &str, tools: &[Tool]) -> Option<Vec<Found>> {
        let inner = body.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(body);
        calls(inner, tools).or_else(|| all(Calls::new(inner, Quotes::Argument, tools)))
    }

    fn split<'a>(&'static self, body: &'a str, is_closed: bool, tools: &'a [Tool]) -> Vec<Piece<'a>> {
        python_list::split(body, is_closed || (self.list && body.ends_with(']')), tools)
    }

    fn begins_message(&'static self, _format: &'static Format, start: &str, _prefill: &str) -> bool {
        self.bare && start.strip_prefix('[').is_some_and(|rest| is_call(rest.trim_start(), '('))
    }
}

impl Notation for Pythonic {
    fn shape(&self, start: &str, end: bool) -> Match {
        if !self.list {
            return Match::Yes;
        }
        let inner = start.strip_prefix('[').unwrap_or(start).trim_start();
        begins_call(inner, &['_', '.', '-'], '(', end)
    }

    fn end(&self, scan: &mut Scan, call: &mut Call, text: Text) -> Option<usize> {
        let format = call.format;
        let closes = format.also.iter().map(|pair| pair.close);
        let close = std::iter::once(format.section.close).chain(closes).find(|close| !close.is_empty());
        let in_brackets = self.list && text.from(call.from).trim_start().starts_with('[');
        scan.calls(call, text, close.unwrap_or_default(), in_brackets)
    }

    fn may_stay_open(&self, format: &Format) -> bool {
        !format.section.open.is_empty()
    }

    fn calls(&self, body: &str, tools: &[Tool]) -> Option<Vec<Found>> {
        calls(body.trim().trim_start_matches('[').trim_end_matches(']'), tools)
    }
}
