//! Recovers calls that deviate slightly from the notation of their format: Python literals, doubled braces.

use super::call::{Call, Found, Origin};
use super::event::Event;
use super::kinds::json::{is_definition, objects};
use super::kinds::{self, PLAIN, python_calls};
use super::names::declared;
use super::out::Out;
use super::python;
use crate::text::Tool;
use crate::text::formats::Format;

/// Emits the calls of a text that consists only of calls. Returns false if it does not.
pub(super) fn calls(origin: Origin, body: &str, tools: &[Tool], out: &mut Out) -> bool {
    let found = kinds::of(origin.format).salvage(body, tools);
    let found = found.filter(|found| !found.iter().any(|(name, arguments)| is_definition(arguments, name, tools)));
    if found.is_some_and(|found| Call::emit(origin, found, tools, out)) {
        return true;
    }
    loose(origin.format, body, tools).is_some_and(|found| declared_calls(origin, found, tools, out))
}

/// Emits calls if all of them are of declared tools.
pub(super) fn declared_calls(origin: Origin, found: Vec<Found>, tools: &[Tool], out: &mut Out) -> bool {
    let is_call = |(name, arguments): &Found| {
        tools.iter().any(|tool| tool.name == *name) && !is_definition(arguments, name, tools)
    };
    found.iter().all(is_call) && Call::emit(origin, found, tools, out)
}

/// Emits the calls of a format that models write between the markers of this one. `read` reads the text in a format.
pub(super) fn drifted_calls(
    origin: Origin,
    read: &dyn Fn(&'static Format) -> Vec<Event>,
    tools: &[Tool],
    out: &mut Out,
) -> bool {
    let found = origin.format.drifts.iter().find_map(|&drift| only_calls(read(drift)));
    found.is_some_and(|found| declared_calls(origin, found, tools, out))
}

/// The calls of a text that has nothing else.
fn only_calls(events: Vec<Event>) -> Option<Vec<Found>> {
    let mut calls = Vec::new();
    for event in events {
        match event {
            Event::CallEnd { name, arguments, .. } => calls.push((name, arguments)),
            Event::CallStart { .. } | Event::CallDelta { .. } | Event::Dropped { .. } => {}
            Event::Text { text, .. } if text.trim().is_empty() => {}
            _ => return None,
        }
    }
    (!calls.is_empty()).then_some(calls)
}

/// Other notations between the markers of a format: JSON, a name with JSON, Python. They name declared tools.
fn loose(format: &'static Format, body: &str, tools: &[Tool]) -> Option<Vec<Found>> {
    if kinds::of(format).facts().is_exact {
        return None;
    }
    let named =
        |calls: Vec<Found>| calls.into_iter().map(|(name, arguments)| (declared(&name, tools), arguments)).collect();
    objects(body, &PLAIN)
        .or_else(|| Some(vec![with_object(body, tools)?]))
        .or_else(|| python_calls::calls(body, tools))
        .map(named)
}

/// The name of a declared tool, followed by its arguments as JSON.
fn with_object(body: &str, tools: &[Tool]) -> Option<Found> {
    let (head, _) = body.split_once('{')?;
    let name = declared(head.trim_end_matches(|one: char| one.is_whitespace() || "=>(),:".contains(one)), tools);
    let object = body.get(head.len()..)?.trim_end_matches(|one: char| one.is_whitespace() || matches!(one, ')' | ';'));
    let arguments = if crate::json::is_object(object) { Some(object.to_owned()) } else { python::value(object) };
    arguments.filter(|arguments| crate::json::is_object(arguments)).map(|arguments| (name, arguments))
}
