//! Calls in Python syntax, one after the other.

use crate::json::{Value, quoted};
use crate::table::Table;
use crate::text::Tool;
use crate::text::read::call::Found;
use crate::text::read::names::declared;
use crate::text::read::python::{Parser, Quotes};
use crate::text::read::typed;
use crate::text::schema;

/// Parses calls that are separated by commas or lines. Returns names, and arguments as JSON.
pub(in crate::text::read) fn calls(text: &str, tools: &[Tool]) -> Option<Vec<Found>> {
    all(Calls::new(text, Quotes::Any, tools))
}

/// The calls of a text that consists of them.
pub(super) fn all(mut calls: Calls) -> Option<Vec<Found>> {
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
            let schema = tool.and_then(|tool| schema::property(&tool.parameters, key));
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
        schema.into_iter().for_each(|schema| schema::types(schema, &mut found));
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
