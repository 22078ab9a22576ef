//! Recovers calls that deviate slightly from the notation of their format: Python literals, doubled braces.

use super::block::Standing;
use super::call::{CallReader, declared};
use super::event::Event;
use super::json_call::{PLAIN, fields_of, is_definition};
use super::out::Out;
use super::python;
use crate::json::Value;
use crate::text::Tool;
use crate::text::formats::{Body, Format, Json};

/// Emits the calls of a text that consists only of calls. Returns false if it does not.
pub(super) fn calls(format: &'static Format, standing: Standing, body: &str, tools: &[Tool], out: &mut Out) -> bool {
    let found = match &format.body {
        Body::Json(json) if !json.exact => objects(body, json),
        Body::Named(_) => objects(body, &PLAIN),
        Body::Pythonic(_) => {
            let inner = body.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(body);
            python::loose_calls(inner, tools)
        }
        _ => None,
    };
    let found = found.filter(|found| !found.iter().any(|(name, arguments)| is_definition(arguments, name, tools)));
    if found.is_some_and(|found| CallReader::emit(format, standing, found, tools, out)) {
        return true;
    }
    let mut others = [loose, in_drift].iter().filter_map(|read| read(format, body, tools));
    let is_call = |(name, arguments): &(String, String)| {
        tools.iter().any(|tool| tool.name == *name) && !is_definition(arguments, name, tools)
    };
    others
        .find(|found| found.iter().all(is_call))
        .is_some_and(|found| CallReader::emit(format, standing, found, tools, out))
}

/// Other notations between the markers of a format: JSON, a name with JSON, Python. They name declared tools.
fn loose(format: &'static Format, body: &str, tools: &[Tool]) -> Option<Vec<(String, String)>> {
    if matches!(&format.body, Body::Json(json) if json.exact) {
        return None;
    }
    let named = |calls: Vec<(String, String)>| {
        calls.into_iter().map(|(name, arguments)| (declared(&name, tools), arguments)).collect()
    };
    objects(body, &PLAIN)
        .or_else(|| Some(vec![with_object(body, tools)?]))
        .or_else(|| python::calls(body, tools))
        .map(named)
}

/// The name of a declared tool, followed by its arguments as JSON.
fn with_object(body: &str, tools: &[Tool]) -> Option<(String, String)> {
    let (head, _) = body.split_once('{')?;
    let name = declared(head.trim_end_matches(|one: char| one.is_whitespace() || "=>(),:".contains(one)), tools);
    let object = body.get(head.len()..)?.trim_end_matches(|one: char| one.is_whitespace() || matches!(one, ')' | ';'));
    let arguments = if crate::json::is_object(object) { Some(object.to_owned()) } else { python::value(object) };
    arguments.filter(|arguments| crate::json::is_object(arguments)).map(|arguments| (name, arguments))
}

/// Calls of a format that models write between the markers of this one.
fn in_drift(format: &'static Format, body: &str, tools: &[Tool]) -> Option<Vec<(String, String)>> {
    format.drifts.iter().find_map(|&drift| {
        let mut calls = Vec::new();
        for event in super::read(drift, tools.to_vec(), "", "", body) {
            match event {
                Event::CallEnd { name, arguments, .. } => calls.push((name, arguments)),
                Event::CallStart { .. } | Event::CallDelta { .. } | Event::Dropped { .. } => {}
                Event::Text { text, .. } if text.trim().is_empty() => {}
                _ => return None,
            }
        }
        (!calls.is_empty()).then_some(calls)
    })
}

/// Parses JSON objects with name and arguments, with Python literals or doubled braces.
fn objects(body: &str, spelling: &Json) -> Option<Vec<(String, String)>> {
    let doubled = body.trim_start_matches('[').trim_start().starts_with("{{");
    let json = if doubled { python::value(&body.replace("{{", "{").replace("}}", "}")) } else { python::value(body) }?;
    let list = match crate::json::from_str(&json).ok()? {
        Value::Array(list) => list,
        one => vec![one],
    };
    let is_object = |arguments: &str| arguments.trim_start().starts_with('{');
    let call = |object: &Value| fields_of(object, spelling).filter(|(_, arguments)| is_object(arguments));
    list.iter().map(call).collect()
}
