//! Calls of the form `call:name{key:value}` (Gemma).

use super::kind::{Facts, Kind, Spot, is_call};
use super::literals;
use super::whole::{Notation, Scan, WholeBody};
use crate::text::Tool;
use crate::text::formats::{Format, Literal};
use crate::text::read::call::{Call, CallBody, Found};
use crate::text::read::guess;
use crate::text::read::names::{declared, parameters};
use crate::text::read::scan::{Match, Text, begins_call};

impl Kind for Literal {
    fn facts(&'static self) -> Facts {
        Facts { openers: [self.open, ""], begins_text: true, ..Facts::default() }
    }

    fn start(&'static self, _call: &mut Call) -> Box<dyn CallBody> {
        WholeBody::start(self)
    }

    fn opener(&'static self, _spot: Spot) -> &'static str {
        self.open
    }

    fn starts(&'static self, _rest: &str, _spot: Spot) -> bool {
        true
    }

    fn begins(&'static self, format: &'static Format, text: &str, tools: &[Tool]) -> bool {
        let after = text.strip_prefix(format.call.open).and_then(|after| after.trim_start().strip_prefix(self.open));
        after.is_some_and(|name| guess::begins_with_name(name, tools))
    }

    fn begins_message(&'static self, _format: &'static Format, start: &str, _prefill: &str) -> bool {
        start.strip_prefix(self.open).is_some_and(|rest| is_call(rest, '{'))
    }
}

impl Notation for Literal {
    fn shape(&self, start: &str, end: bool) -> Match {
        let name = start.strip_prefix(self.open).unwrap_or(start).trim_start_matches([':', ' ', '\n']);
        begins_call(name, &['_', '.', '-', ':', '/'], '{', end)
    }

    fn end(&self, scan: &mut Scan, call: &mut Call, text: Text) -> Option<usize> {
        scan.literal(call, text, self.quote)
    }

    fn calls(&self, body: &str, tools: &[Tool]) -> Option<Vec<Found>> {
        let (head, _) = body.split_once('{')?;
        let name = head.trim();
        // the word may be missing before its colon
        let name = name.strip_prefix(self.open).unwrap_or(name).trim_start_matches(':');
        let name = declared(name.trim(), tools);
        let arguments = literals::pairs(body.get(head.len()..)?, self.quote, parameters(&name, tools))?;
        Some(vec![(name, arguments)])
    }
}
