//! Calls of declared tools, as each format writes them, and what is read.

use super::reading::in_pieces;
use serde_json::{Value, json};
use toolwire::text::Tool;
use toolwire::text::formats::{Body, Format};
use toolwire::text::read::{Event, read};
use toolwire::text::write::{Form, calls_as_text};

pub fn tools() -> Vec<Tool> {
    let write = json!({ "type": "object", "required": ["path"], "properties": {
        "path": { "type": "string" },
        "content": { "type": "string" },
        "count": { "type": "integer" },
        "tags": { "type": "array", "items": { "type": "string" } },
        "opt": { "type": "object", "properties": { "a": { "type": "number" } } },
    } });
    let weather =
        json!({ "type": "object", "properties": { "city": { "type": "string" }, "days": { "type": "integer" } } });
    let list = json!([
        { "name": "write_file", "parameters": write }, { "name": "get_weather", "parameters": weather }, { "name": "get_time" }
    ]);
    Tool::list(&list).unwrap()
}

/// A call with values of each type, without white space or brackets in its strings.
pub fn plain() -> Value {
    json!(["write_file", { "path": "a/b.txt", "content": "one", "count": 123, "tags": ["x", "y"], "opt": { "a": 1.25 } }])
}

pub fn weather() -> Value {
    json!(["get_weather", { "city": "Paris", "days": 12 }])
}

/// The text of these calls. `None` if the format has no calls.
pub fn written(format: &Format, calls: &[Value]) -> Option<String> {
    let list: Vec<Value> =
        calls.iter().map(|call| json!({ "id": "", "name": call[0], "arguments": call[1] })).collect();
    let message = json!({ "role": "assistant", "content": [], "toolCalls": list });
    Some(calls_as_text(&message, Form::of(format.id).ok()?).text).filter(|text| !text.is_empty())
}

/// The text of the next call: what follows a message, if the prompt begins the first one.
pub fn next(format: &Format, call: &Value) -> Option<String> {
    let begin = match &format.body {
        Body::Channels(channels) => channels.next,
        Body::Named(named) if named.lines => format.separator,
        _ => "",
    };
    Some([begin, &written(format, std::slice::from_ref(call))?].concat())
}

/// A call from its name on, if a marker separates the name from the arguments.
pub fn from_name<'a>(format: &Format, call: &'a str) -> Option<&'a str> {
    let at = call.find("get_weather").filter(|_| matches!(&format.body, Body::Named(_) | Body::Tagged(_)))?;
    let in_name = |one: char| one.is_alphanumeric() || "._:".contains(one);
    let (before, rest) = call.split_at(at);
    let after = rest.trim_start_matches(in_name).trim_start();
    let is_marked = ["<|", "<｜", "<arg", "<tool_sep>", "[ARGS]"].iter().any(|marker| after.starts_with(marker));
    is_marked.then(|| &call[before.trim_end_matches(in_name).len()..])
}

/// Calls of a format with JSON between its markers, without the opening one.
pub fn unopened(format: &Format, calls: &[Value]) -> Option<String> {
    let Body::Json(json) = &format.body else { return None };
    let close = [format.call.close, format.section.close].concat();
    let is_closed = !json.bare && format.header.is_empty();
    let text = written(format, calls).filter(|_| is_closed && close.trim().starts_with(['<', '[']))?;
    Some(text[text.find(['{', '['])?..].trim_start_matches(format.call.open).to_owned())
}

/// A call that can't run.
#[derive(Clone, Debug, PartialEq)]
pub struct Invalid {
    pub name: String,
    pub raw: String,
    pub error: String,
}

/// What was read: the text, the valid calls and the invalid ones.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    pub text: String,
    pub calls: Vec<Value>,
    pub invalid: Vec<Invalid>,
}

impl Outcome {
    pub fn of(events: &[Event]) -> Self {
        let mut outcome = Self::default();
        for event in events {
            match event {
                Event::Text { text, .. } => outcome.text.push_str(text),
                Event::CallEnd { name, arguments, .. } => {
                    outcome.calls.push(json!([name, serde_json::from_str::<Value>(arguments).unwrap()]));
                }
                Event::Invalid { name, raw, error, .. } => {
                    let [name, raw, error] = [name, raw, error].map(String::clone);
                    outcome.invalid.push(Invalid { name, raw, error });
                }
                _ => {}
            }
        }
        outcome
    }

    /// Whether a marker of the format is in the text.
    pub fn has_markup(&self, format: &Format) -> bool {
        format.markers().iter().any(|marker| marker.len() > 3 && self.text.contains(marker))
    }
}

/// What a text is read as with [`tools`]: the same whole, and in pieces.
pub fn outcome(format: &'static Format, text: &str) -> Outcome {
    outcome_with(&tools(), format, text)
}

/// What a text is read as with these tools.
pub fn outcome_with(tools: &[Tool], format: &'static Format, text: &str) -> Outcome {
    let whole = Outcome::of(&read(format, tools.to_vec(), "", "", text));
    for sizes in [&[1][..], &[3, 1, 7]] {
        assert_eq!(Outcome::of(&in_pieces(format, tools.to_vec(), text, sizes)), whole, "{}: {text}", format.id);
    }
    whole
}

/// The first marker of a call, unless it is a word or a fence.
pub fn marker(format: &Format) -> Option<&'static str> {
    let tag = match &format.body {
        Body::Tagged(tagged) => tagged.open,
        Body::Channels(channels) => channels.start,
        _ => "",
    };
    let found =
        [format.section.open, format.call.open, tag].into_iter().map(str::trim).find(|open| !open.is_empty())?;
    (found.len() >= SHOWN && !found.starts_with(|one: char| one.is_alphanumeric() || one == '`')).then_some(found)
}

/// A part of this length shows which marker it belongs to.
pub const SHOWN: usize = 5;
