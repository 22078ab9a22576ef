//! Calls in Python syntax: `name(key=value)`.

use super::kind::{Bracket, Facts, Kind, Piece, Spot, is_call};
use super::python_list;
use super::whole::{Notation, Scan, WholeBody};
use crate::json::{Value, quoted};
use crate::table::Table;
use crate::text::Tool;
use crate::text::formats::{Format, Pythonic};
use crate::text::read::call::{Call, CallBody, Found};
use crate::text::read::names::declared;
use crate::text::read::python::{Parser, Quotes};
use crate::text::read::scan::{Match, Text, begins_call};
use crate::text::read::typed;

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

/// Parses calls that are separated by commas or lines. Returns names, and arguments as JSON.
pub(in crate::text::read) fn calls(text: &str, tools: &[Tool]) -> Option<Vec<Found>> {
    all(Calls::new(text, Quotes::Any, tools))
}

fn all(mut calls: Calls) -> Option<Vec<Found>> {
    let mut found = Vec::new();
    while !calls.is_over() {
        found.push(calls.call(false)?);
    }
    Some(found)
}

/// Reads calls, one after the other.
#[derive(Clone)]
pub(super) struct Calls<'a> {
    pub parser: Parser<'a>,
    /// For the types of arguments.
    tools: &'a [Tool],
}

impl<'a> Calls<'a> {
    pub fn new(text: &'a str, quotes: Quotes, tools: &'a [Tool]) -> Self {
        Self { parser: Parser::new(text, quotes, tools), tools }
    }

    /// Skips separators. Returns whether the text ends.
    pub fn is_over(&mut self) -> bool {
        self.parser.spaces();
        while self.parser.take(",") || self.parser.take(";") {
            self.parser.spaces();
        }
        self.parser.is_over()
    }

    /// `is_strict` is whether strings need quotes.
    pub fn call(&mut self, is_strict: bool) -> Option<Found> {
        let name = self.parser.word();
        if name.is_empty() || !self.parser.take("(") {
            return None;
        }
        let known = declared(name, self.tools);
        let tool = self.tools.iter().find(|tool| tool.name == known);
        self.parser.tool = tool;
        let mut keys: Table<String, ()> = Table::new();
        let mut json = String::from("{");
        loop {
            self.parser.spaces();
            if self.parser.take(")") {
                json.push('}');
                return Some((name.to_owned(), json));
            }
            let key = self.parser.keyword()?;
            if keys.insert(key.to_owned(), ()).is_some() {
                return None;
            }
            let schema = tool.and_then(|tool| typed::property(&tool.parameters, key));
            let value = self.argument(schema, is_strict)?;
            let separator = if json.len() > 1 { "," } else { "" };
            json.push_str(&format!("{separator}{}:{value}", quoted(key)));
            self.parser.spaces();
            if !self.parser.take(",") && !self.parser.rest().starts_with(')') {
                return None;
            }
        }
    }

    /// The value of an argument. Models leave out the quotes of strings, and quote other values: the schema shows which.
    fn argument(&mut self, schema: Option<&Value>, is_strict: bool) -> Option<String> {
        let parser = &mut self.parser;
        parser.spaces();
        let start = parser.at;
        let mut found = Vec::new();
        schema.into_iter().for_each(|schema| typed::types(schema, &mut found));
        let is_string = |kind: &&str| typed::is_string(kind);
        let is_text = !found.is_empty() && found.iter().all(is_string);
        let value = parser.value(0);
        parser.spaces();
        let is_number = |json: &str| json.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        match value {
            Some(json) if json.starts_with('"') && !found.is_empty() && !found.iter().any(is_string) => {
                Some(typed::value(schema, &crate::json::from_str::<String>(&json).ok()?))
            }
            Some(json) if parser.rest().starts_with([',', ')']) && !(is_text && is_number(&json)) => Some(json),
            _ if is_strict => None,
            value if !is_text => value,
            _ => {
                parser.at = start;
                parser.bare()
            }
        }
    }
}
