//! Recovers calls that deviate slightly from the notation of their format: Python literals, doubled braces.

use super::block::Standing;
use super::call::CallReader;
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
        Body::Named(named) if named.bare => objects(body, &PLAIN),
        Body::Pythonic(_) => {
            let inner = body.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(body);
            python::loose_calls(inner, tools)
        }
        _ => None,
    };
    let found = found.filter(|found| !found.iter().any(|(name, arguments)| is_definition(arguments, name, tools)));
    found.is_some_and(|found| CallReader::emit(format, standing, found, tools, out))
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
