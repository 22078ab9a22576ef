//! Reads a call that is a JSON object with name and arguments.

use super::block::{Standing, Text};
use super::call::{CallReader, CallState, Progress, Seam};
use super::out::Out;
use super::scan::JsonScan;
use super::unmarked::Opening;
use crate::json::Value;
use crate::text::Tool;
use crate::text::formats::{Body, Json, NONE, Named};

#[derive(Default)]
pub(super) struct Fields {
    /// The key of the value that is being read, and the position of the value.
    key: Option<(String, usize)>,
    scan: JsonScan,
    opened: bool,
    /// The position up to which the arguments were copied.
    copied: usize,
    name: Option<String>,
    arguments: Option<(usize, usize)>,
    /// Whether a call was read that ended before the object.
    is_call: bool,
    /// Fields that a call does not have: keys, and positions of values.
    others: Vec<(String, usize, usize)>,
}

impl Fields {
    /// Whether all of the input, which has this length, was copied, and more would belong to a string in the arguments.
    pub fn is_in_string(&self, length: usize) -> bool {
        self.copied == length && self.scan.is_in_string()
    }
}

enum FieldStep {
    More,
    Next,
    End,
    Broken,
    /// Another call begins: the end of this one, and the position where reading continues.
    Cut(usize, usize),
}

pub(super) const PLAIN: Json =
    Json { list: NONE, name: "name", arguments: "arguments", id: "id", id_first: false, bare: false, exact: false };
const BARE: Json = Json { bare: true, ..PLAIN };

pub(super) fn spelling(call: &CallReader) -> &'static Json {
    match &call.format.body {
        Body::Json(json) => json,
        Body::Named(Named { bare: true, .. }) if call.opening == Opening::Object => &BARE,
        _ => &PLAIN,
    }
}

pub(super) fn step(call: &mut CallReader, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
    loop {
        let part = match &call.state {
            CallState::Json(fields) if fields.key.is_some() => value(call, text, tools, out),
            _ => key(call, text),
        };
        match part {
            FieldStep::More if !text.end => return Progress::More,
            // only closing brackets are missing
            FieldStep::More if call.standing != Standing::Certain && is_complete(call) => {
                call.at = text.text.len();
                return end(call, text, tools, out);
            }
            FieldStep::More => return Progress::Cut,
            FieldStep::Broken if call.standing == Standing::Certain && is_complete(call) => {
                return end(call, text, tools, out);
            }
            FieldStep::Broken => return Progress::Broken,
            FieldStep::Next => {}
            FieldStep::Cut(end, next) if call.started() => return call.cut_at(text, (end, next), out),
            FieldStep::Cut(..) => return Progress::Broken,
            FieldStep::End => return end(call, text, tools, out),
        }
    }
}

/// Whether name and arguments were read, and nothing of another field.
fn is_complete(call: &CallReader) -> bool {
    let CallState::Json(fields) = &call.state else { return false };
    fields.key.is_none() && fields.name.is_some() && fields.arguments.is_some()
}

/// Reads up to the next value.
fn key(call: &mut CallReader, text: Text) -> FieldStep {
    let at = text.solid(call.at);
    let CallState::Json(fields) = &mut call.state else { return FieldStep::Broken };
    let rest = text.from(at);
    let Some(first) = rest.bytes().next() else { return FieldStep::More };
    match first {
        b'{' if !fields.opened => {
            fields.opened = true;
            call.at = at + 1;
            FieldStep::Next
        }
        b',' if fields.opened => {
            call.at = at + 1;
            FieldStep::Next
        }
        b'}' if fields.opened => {
            call.at = at + 1;
            FieldStep::End
        }
        b'"' if fields.opened => {
            let mut scanned = at;
            let Some(close) = JsonScan::default().run(text.text.as_bytes(), &mut scanned) else {
                return if rest.len() > 300 { FieldStep::Broken } else { FieldStep::More };
            };
            let Ok(key) = crate::json::from_str::<String>(text.text.get(at..close).unwrap_or_default()) else {
                return FieldStep::Broken;
            };
            let colon = text.solid(close);
            let value = text.solid(colon + 1);
            match text.text.as_bytes().get(colon) {
                None => FieldStep::More,
                Some(b':') if text.text.len() > value => {
                    fields.key = Some((key, value));
                    fields.scan = JsonScan::default();
                    fields.copied = value;
                    (call.at, call.seen) = (value, value);
                    FieldStep::Next
                }
                Some(b':') => FieldStep::More,
                Some(_) => FieldStep::Broken,
            }
        }
        _ => FieldStep::Broken,
    }
}

fn is_arguments(key: &str, value: &str, spelling: &Json) -> bool {
    if spelling.name.is_empty() {
        return value.starts_with('{');
    }
    key == spelling.arguments || matches!(key, "arguments" | "parameters" | "args")
}

fn value(call: &mut CallReader, text: Text, tools: &[Tool], out: &mut Out) -> FieldStep {
    let spelling = spelling(call);
    let CallState::Json(fields) = &mut call.state else { return FieldStep::Broken };
    let Some((key, from)) = fields.key.clone() else { return FieldStep::Broken };
    let mut at = call.at;
    let end = fields.scan.run(text.text.as_bytes(), &mut at);
    let stop = end.unwrap_or(at);
    call.at = stop;
    call.whole = call.whole.max(from);
    let (sure, seam) = match call.seam(text, stop) {
        Seam::At(end, next) => (end, Some(next)),
        Seam::NotBefore(sure) => (sure, None),
    };
    let so_far = text.text.get(from..stop).unwrap_or_default();
    let arguments = is_arguments(&key, so_far, spelling);
    let CallState::Json(fields) = &mut call.state else { return FieldStep::Broken };
    if arguments && so_far.starts_with('{') {
        if spelling.name.is_empty() && fields.name.is_none() {
            fields.name = Some(key.clone());
            if !call.begin(&key, tools, out) {
                return FieldStep::Broken;
            }
        }
        if !early(call, spelling, tools, out) {
            return FieldStep::Broken;
        }
        copy(call, text, sure);
    }
    if let Some(next) = seam {
        call.at = sure;
        return FieldStep::Cut(sure, next);
    }
    if end.is_none() && !(text.end && stop == text.text.len() && crate::json::from_str::<Value>(so_far).is_ok()) {
        return FieldStep::More;
    }
    read(call, text, &key, (from, stop), tools, out)
}

/// Starts a call before its arguments are complete, if no later input can change its kind, name or id.
fn early(call: &mut CallReader, spelling: &Json, tools: &[Tool], out: &mut Out) -> bool {
    let CallState::Json(fields) = &call.state else { return true };
    let Some(name) = fields.name.clone().filter(|name| !name.is_empty()) else { return true };
    if call.started() || spelling.bare || (!spelling.id.is_empty() && call.id.is_none()) {
        return true;
    }
    call.begin(&name, tools, out)
}

/// Copies the new part of the arguments, if the call was started.
fn copy(call: &mut CallReader, text: Text, stop: usize) {
    if !call.started() {
        return;
    }
    let CallState::Json(fields) = &mut call.state else { return };
    if let Some(new) = text.text.get(fields.copied..stop) {
        call.arguments.push_str(new);
        fields.copied = stop;
    }
}

/// Processes a complete field.
fn read(
    call: &mut CallReader,
    text: Text,
    key: &str,
    (from, stop): (usize, usize),
    tools: &[Tool],
    out: &mut Out,
) -> FieldStep {
    let spelling = spelling(call);
    let raw = text.text.get(from..stop).unwrap_or_default();
    let CallState::Json(fields) = &mut call.state else { return FieldStep::Broken };
    fields.key = None;
    let named = key == spelling.name || matches!(key, "name" | "tool_name");
    if named && !spelling.name.is_empty() {
        let Ok(name) = crate::json::from_str::<String>(raw) else { return FieldStep::Broken };
        fields.name = Some(name);
        return FieldStep::Next;
    }
    if is_arguments(key, raw, spelling) && spelling.name.is_empty() {
        // each key of the object is a call
        fields.name = None;
        fields.is_call = true;
        call.at = stop;
        call.finish(text, out);
        call.arguments.clear();
        (call.from, call.name) = (stop, None);
        return FieldStep::Next;
    }
    if is_arguments(key, raw, spelling) {
        fields.arguments = Some((from, stop));
        return FieldStep::Next;
    }
    if !spelling.id.is_empty() && key == spelling.id {
        call.id = match crate::json::from_str::<Value>(raw) {
            Ok(Value::String(id)) => Some(id),
            Ok(Value::Number(id)) => Some(id.to_string()),
            _ => None,
        };
        return FieldStep::Next;
    }
    if key == "tool_calls" && fields.name.is_none() {
        let list = crate::json::from_str::<Value>(raw).unwrap_or_default();
        let found = list.as_array().and_then(|list| list.iter().map(|one| fields_of(one, spelling)).collect());
        let is_read = found.is_some_and(|found| CallReader::emit(call.format, call.standing, found, tools, out));
        if let CallState::Json(fields) = &mut call.state {
            fields.is_call = is_read;
        }
        return if is_read { FieldStep::Next } else { FieldStep::Broken };
    }
    if matches!(key, "function" | "tool" | "tool_call") {
        match crate::json::from_str::<Value>(raw) {
            Ok(inner @ Value::Object(_)) => {
                let Some((name, arguments)) = fields_of(&inner, spelling) else { return FieldStep::Broken };
                if is_definition(&arguments, &name, tools) || !call.begin(&name, tools, out) {
                    return FieldStep::Broken;
                }
                let CallState::Json(fields) = &mut call.state else { return FieldStep::Broken };
                fields.name = Some(name);
                call.arguments = arguments;
            }
            Ok(Value::String(name)) => fields.name = Some(name),
            _ => return FieldStep::Broken,
        }
    } else if !matches!(key, "id" | "type" | "index") {
        fields.others.push((key.to_owned(), from, stop));
    }
    FieldStep::Next
}

/// The name and the arguments of a call that is known in full.
pub(super) fn fields_of(object: &Value, spelling: &Json) -> Option<(String, String)> {
    let inner = object.get("function").filter(|inner| inner.is_object()).unwrap_or(object);
    let name = inner.get(spelling.name).or_else(|| inner.get("name"))?.as_str()?.to_owned();
    if name.is_empty() {
        return None;
    }
    let keys = [spelling.arguments, "arguments", "parameters", "args"];
    let arguments = keys.iter().find_map(|key| inner.get(*key).or_else(|| object.get(*key)))?;
    Some((name, arguments.as_str().map_or_else(|| arguments.to_string(), str::to_owned)))
}

/// Whether the arguments are a schema, so that the object is the definition of a tool.
pub(super) fn is_definition(arguments: &str, name: &str, tools: &[Tool]) -> bool {
    let Ok(fields) = crate::json::from_str::<crate::json::Map<String, Value>>(arguments) else { return false };
    let is_schema = fields.get("type").and_then(Value::as_str) == Some("object")
        && fields.get("properties").is_some_and(Value::is_object);
    let takes_schemas =
        |tool: &Tool| tool.name == name && super::typed::property(&tool.parameters, "properties").is_some();
    is_schema && !tools.iter().any(takes_schemas)
}

/// Reports fields that a call does not have.
fn lose_others(call: &mut CallReader, text: Text, out: &mut Out) {
    let CallState::Json(fields) = &mut call.state else { return };
    for (key, from, stop) in std::mem::take(&mut fields.others) {
        let value = text.text.get(from..stop).unwrap_or_default();
        out.lose("a field that calls do not have was dropped", &format!("{key}: {value}"));
    }
}

/// An object without a name is the arguments of a call without a name, in formats that have such calls.
fn nameless(call: &mut CallReader, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
    let is_call = matches!(&call.format.body, Body::Named(named) if named.optional) && call.opening == Opening::Marked;
    if !is_call || call.started() || !call.begin("", tools, out) {
        return Progress::Broken;
    }
    call.arguments = text.text.get(call.from..call.at).unwrap_or_default().to_owned();
    call.finish(text, out);
    Progress::Done(call.at)
}

/// Processes the end of the object.
fn end(call: &mut CallReader, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
    let CallState::Json(fields) = &call.state else { return Progress::Broken };
    let name = fields.name.clone().filter(|name| !name.is_empty()).or_else(|| call.headed.clone());
    let arguments = fields.arguments;
    if fields.is_call {
        lose_others(call, text, out);
        return Progress::Done(call.at);
    }
    let Some(name) = name else { return nameless(call, text, tools, out) };
    if let Some((from, stop)) = arguments
        && call.arguments.is_empty()
    {
        let raw = text.text.get(from..stop).unwrap_or_default();
        let decoded = crate::json::from_str::<String>(raw).ok();
        call.arguments = match decoded {
            Some(text) if text.trim().is_empty() => "{}".to_owned(),
            Some(text) => text,
            None if raw == "null" => "{}".to_owned(),
            None => raw.to_owned(),
        };
        let bare = matches!(&call.format.body, Body::Json(Json { bare: true, .. }));
        let is_call = call.standing != Standing::Doubtful && tools.iter().any(|tool| tool.name == name);
        if bare && !is_call && !crate::json::is_object(&call.arguments) {
            return Progress::Broken;
        }
    } else if call.arguments.is_empty() {
        // outside of sentences, the name of a tool is enough
        let is_sure = call.opening == Opening::Marked && call.standing != Standing::Doubtful;
        if !is_sure || !fields.others.is_empty() || !tools.iter().any(|tool| tool.name == name) {
            return Progress::Broken;
        }
        call.arguments = "{}".to_owned();
    }
    if !call.started() && (is_definition(&call.arguments, &name, tools) || !call.begin(&name, tools, out)) {
        return Progress::Broken;
    }
    lose_others(call, text, out);
    call.finish(text, out);
    Progress::Done(call.at)
}
