//! Calls that are JSON objects with name and arguments.

use super::kind::{Bracket, Facts, Kind, PLAIN, Spot};
use crate::json::{Map, Value};
use crate::text::Tool;
use crate::text::formats::words::{ARGUMENT_KEYS, CALL_KEYS, CALLS_KEY, NAME_KEYS, OTHER_KEYS};
use crate::text::formats::{Format, Json};
use crate::text::read::call::{Call, CallBody, Found, HEAD, Opening, Origin, Progress, Standing};
use crate::text::read::event::Verbatim;
use crate::text::read::guess;
use crate::text::read::names::parameters;
use crate::text::read::out::Out;
use crate::text::read::python;
use crate::text::read::scan::{JsonScan, Match, Text, compare};
use crate::text::schema;

impl Kind for Json {
    fn facts(&'static self) -> Facts {
        Facts {
            openers: if self.bare { ["{", "["] } else { [""; 2] },
            is_common: self.bare,
            is_json: true,
            is_object: true,
            takes_objects: self.bare,
            has_list: !self.list.open.is_empty(),
            is_exact: self.exact,
            ..Facts::default()
        }
    }

    fn start(&'static self, call: &mut Call) -> Box<dyn CallBody> {
        JsonBody::start(call, self)
    }

    fn spelling(&'static self, _opening: Opening) -> &'static Json {
        self
    }

    fn bracket(&'static self, _: &Format, _: Text, _: usize, _: &mut usize, spot: Spot) -> Bracket {
        if self.exact && self.list.open.is_empty() && !spot.in_list { Bracket::Other } else { Bracket::List }
    }

    fn begins(&'static self, _format: &'static Format, text: &str, tools: &[Tool]) -> bool {
        let Some(fields) = text.strip_prefix('{').map(str::trim_start) else { return false };
        if self.name.is_empty() {
            return fields.strip_prefix('"').is_some_and(|key| guess::begins_with_name(key, tools));
        }
        let start = fields
            .get(..fields.floor_char_boundary(HEAD))
            .and_then(|start| start.split('}').next())
            .unwrap_or_default();
        guess::written_name(start, tools).is_some_and(|name| tools.iter().any(|tool| tool.name == name))
    }

    fn salvage(&'static self, body: &str, _tools: &[Tool]) -> Option<Vec<Found>> {
        if self.exact { None } else { objects(body, self) }
    }
}

/// Reads the fields of an object.
pub(in crate::text::read) struct JsonBody {
    spelling: &'static Json,
    facts: Facts,
    /// That of the calls in it.
    origin: Origin,
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

impl CallBody for JsonBody {
    fn step(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        loop {
            let part = if self.key.is_some() { self.value(call, text, tools, out) } else { self.key(call, text) };
            let is_certain = call.origin.standing == Standing::Certain;
            match part {
                FieldStep::More if !text.end => return Progress::More,
                // only closing brackets are missing; where the name is the key of the arguments, nothing else can follow
                FieldStep::More if (!is_certain || self.spelling.name.is_empty()) && self.is_complete(text, tools) => {
                    call.at = text.text.len();
                    return self.end(call, text, tools, out);
                }
                FieldStep::More => return Progress::Cut,
                FieldStep::Broken if is_certain && !is_field(call, text) && self.is_complete(text, tools) => {
                    return self.end(call, text, tools, out);
                }
                FieldStep::Broken => return Progress::Broken,
                FieldStep::Next if self.key.is_some() => self.named_by_key(call, text, out),
                FieldStep::Next => {}
                FieldStep::Cut(end, next) if call.started() => return call.cut_at(text, (end, next), out),
                FieldStep::Cut(..) => return Progress::Broken,
                FieldStep::End => return self.end(call, text, tools, out),
            }
        }
    }

    fn verbatim(&self, call: &Call, length: usize) -> Verbatim {
        let is_sent = call.sent == call.arguments.len();
        let is_inside = is_sent && self.copied == length && self.scan.is_in_string();
        if is_inside { Verbatim::Json } else { Verbatim::None }
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

impl JsonBody {
    pub fn start(call: &mut Call, kind: &'static dyn Kind) -> Box<dyn CallBody> {
        let origin = call.origin;
        let spelling = kind.spelling(origin.opening);
        call.origin = Origin { bare: spelling.bare, is_json: true, ..origin };
        Box::new(Self {
            spelling,
            facts: kind.facts(),
            origin,
            key: None,
            scan: JsonScan::default(),
            opened: false,
            copied: 0,
            name: None,
            arguments: None,
            is_call: false,
            others: Vec::new(),
        })
    }

    /// Whether name and arguments were read, and nothing of another field: only closing brackets are missing, and not within the arguments.
    fn is_complete(&self, text: Text, tools: &[Tool]) -> bool {
        let (None, Some(name), Some((from, to))) = (&self.key, &self.name, self.arguments) else { return false };
        let arguments = crate::json::from_str::<Value>(text.text.get(from..to).unwrap_or_default()).unwrap_or_default();
        match arguments {
            Value::Object(fields) => !is_displaced(&fields, self.spelling.id, parameters(name, tools)),
            Value::String(text) => text.trim_start().starts_with('{'),
            _ => false,
        }
    }

    /// Reads up to the next value.
    fn key(&mut self, call: &mut Call, text: Text) -> FieldStep {
        let at = text.solid(call.at);
        let rest = text.from(at);
        let Some(first) = rest.bytes().next() else { return FieldStep::More };
        match first {
            b'{' if !self.opened => {
                self.opened = true;
                call.at = at + 1;
                FieldStep::Next
            }
            b',' if self.opened => {
                call.at = at + 1;
                FieldStep::Next
            }
            b'}' if self.opened => {
                call.at = at + 1;
                FieldStep::End
            }
            b'"' if self.opened => {
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
                        self.key = Some((key, value));
                        self.scan = JsonScan::default();
                        self.copied = value;
                        (call.at, call.seen) = (value, value);
                        FieldStep::Next
                    }
                    Some(b':') => FieldStep::More,
                    Some(_) => self.damaged(call, text, at),
                }
            }
            _ => self.damaged(call, text, at),
        }
    }

    /// Reads over a key that lacks a quote. If it is that of the name, the text up to the next key shows which tool is called.
    fn damaged(&self, call: &mut Call, text: Text, at: usize) -> FieldStep {
        let rest = text.from(at);
        let key = rest.strip_prefix('"').unwrap_or(rest);
        if self.name.is_some() || self.spelling.name.is_empty() {
            return FieldStep::Broken;
        }
        match compare(key, self.spelling.name, text.end) {
            Match::Maybe => return FieldStep::More,
            Match::No => return FieldStep::Broken,
            Match::Yes => {}
        }
        let end = rest.find([',', '}']);
        if end.is_none() && !text.end && rest.len() <= HEAD {
            return FieldStep::More;
        }
        call.at = at + end.unwrap_or(rest.len());
        FieldStep::Broken
    }

    fn value(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> FieldStep {
        let spelling = self.spelling;
        let Some((key, from)) = self.key.clone() else { return FieldStep::Broken };
        let (end, sure, seam) = call.scan(text, &mut self.scan, from);
        let stop = call.at;
        let so_far = text.text.get(from..stop).unwrap_or_default();
        let arguments = is_arguments(&key, so_far, spelling);
        if arguments && so_far.starts_with('{') {
            if spelling.name.is_empty() && self.name.is_none() {
                self.name = Some(key.clone());
                if !call.begin(&key, tools, out) {
                    return FieldStep::Broken;
                }
            }
            if !self.early(call, tools, out) {
                return FieldStep::Broken;
            }
            self.copy(call, text, sure);
        }
        if let Some(next) = seam {
            call.at = sure;
            return FieldStep::Cut(sure, next);
        }
        if end.is_none() && !(text.end && stop == text.text.len() && crate::json::from_str::<Value>(so_far).is_ok()) {
            return FieldStep::More;
        }
        self.read(call, text, &key, (from, stop), tools, out)
    }

    /// Completes the call whose name is the key of its arguments: each key of the object is a call.
    fn named_by_key(&mut self, call: &mut Call, text: Text, out: &mut Out) {
        if self.spelling.name.is_empty() && self.arguments.take().is_some() {
            (self.name, self.is_call) = (None, true);
            call.finish(text, out);
            call.arguments.clear();
            (call.from, call.name) = (call.at, None);
        }
    }

    /// Starts a call before its arguments are complete, if no later input can change its kind, name or id.
    fn early(&self, call: &mut Call, tools: &[Tool], out: &mut Out) -> bool {
        let Some(name) = self.name.clone().filter(|name| !name.is_empty()) else { return true };
        if call.started() || self.spelling.bare || (!self.spelling.id.is_empty() && call.id.is_none()) {
            return true;
        }
        call.begin(&name, tools, out)
    }

    /// Copies the new part of the arguments, if the call was started.
    fn copy(&mut self, call: &mut Call, text: Text, stop: usize) {
        if !call.started() {
            return;
        }
        if let Some(new) = text.text.get(self.copied..stop) {
            call.arguments.push_str(new);
            self.copied = stop;
        }
    }

    /// Processes a complete field.
    fn read(
        &mut self,
        call: &mut Call,
        text: Text,
        key: &str,
        (from, stop): (usize, usize),
        tools: &[Tool],
        out: &mut Out,
    ) -> FieldStep {
        let spelling = self.spelling;
        let raw = text.text.get(from..stop).unwrap_or_default();
        self.key = None;
        let named = key == spelling.name || NAME_KEYS.contains(&key);
        if named && (!spelling.name.is_empty() || raw.starts_with('"')) {
            let Ok(name) = crate::json::from_str::<String>(raw) else { return FieldStep::Broken };
            // where the name is a key itself, this is the layout of other formats
            self.spelling = if spelling.name.is_empty() { &PLAIN } else { spelling };
            self.name = Some(name);
            return FieldStep::Next;
        }
        if is_arguments(key, raw, spelling) && spelling.name.is_empty() {
            if !crate::json::is_object(raw) {
                return FieldStep::Broken;
            }
            self.arguments = Some((from, stop));
            return FieldStep::Next;
        }
        if is_arguments(key, raw, spelling) {
            self.arguments = Some((from, stop));
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
        if key == CALLS_KEY && self.name.is_none() {
            let list = crate::json::from_str::<Value>(raw).unwrap_or_default();
            let found = list.as_array().and_then(|list| list.iter().map(|one| fields_of(one, spelling)).collect());
            let is_read = found.is_some_and(|found| Call::emit(self.origin, found, tools, out));
            self.is_call = is_read;
            return if is_read { FieldStep::Next } else { FieldStep::Broken };
        }
        if CALL_KEYS.contains(&key) {
            match crate::json::from_str::<Value>(raw) {
                Ok(inner @ Value::Object(_)) => {
                    let Some((name, arguments)) = fields_of(&inner, spelling) else { return FieldStep::Broken };
                    if is_definition(&arguments, &name, tools) || !call.begin(&name, tools, out) {
                        return FieldStep::Broken;
                    }
                    self.name = Some(name);
                    call.arguments = arguments;
                }
                Ok(Value::String(name)) => self.name = Some(name),
                _ => return FieldStep::Broken,
            }
        } else if !OTHER_KEYS.contains(&key) {
            self.others.push((key.to_owned(), from, stop));
        }
        FieldStep::Next
    }

    /// Reports fields that a call does not have.
    fn lose_others(&mut self, text: Text, out: &mut Out) {
        for (key, from, stop) in std::mem::take(&mut self.others) {
            let value = text.text.get(from..stop).unwrap_or_default();
            out.lose("a field that calls do not have was dropped", &format!("{key}: {value}"));
        }
    }

    /// An object without a name is the arguments of a call without a name, in formats that have such calls.
    fn nameless(&self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        let is_call = self.facts.is_optional && call.origin.opening == Opening::Marked;
        if !is_call || call.started() || !call.begin("", tools, out) {
            return Progress::Broken;
        }
        call.arguments = text.text.get(call.from..call.at).unwrap_or_default().to_owned();
        call.finish(text, out);
        Progress::Done(call.at)
    }

    /// Processes the end of the object.
    fn end(&mut self, call: &mut Call, text: Text, tools: &[Tool], out: &mut Out) -> Progress {
        self.named_by_key(call, text, out);
        let name = self.name.clone().filter(|name| !name.is_empty()).or_else(|| call.headed.clone());
        let arguments = self.arguments;
        if self.is_call {
            self.lose_others(text, out);
            return Progress::Done(call.at);
        }
        let Some(name) = name else { return self.nameless(call, text, tools, out) };
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
            let bare = self.facts.is_object && self.facts.takes_objects;
            let is_call = call.origin.standing != Standing::Doubtful && tools.iter().any(|tool| tool.name == name);
            if bare && !is_call && !crate::json::is_object(&call.arguments) {
                return Progress::Broken;
            }
        } else if call.arguments.is_empty() {
            // outside of sentences, the name of a tool is enough
            let is_sure = call.origin.opening == Opening::Marked && call.origin.standing != Standing::Doubtful;
            if !is_sure || !self.others.is_empty() || !tools.iter().any(|tool| tool.name == name) {
                return Progress::Broken;
            }
            call.arguments = "{}".to_owned();
        }
        if !call.started() && (is_definition(&call.arguments, &name, tools) || !call.begin(&name, tools, out)) {
            return Progress::Broken;
        }
        self.lose_others(text, out);
        Progress::Read
    }
}

/// Whether arguments have the id of their call, or an object in them has other arguments: a bracket before these is missing.
fn is_displaced(fields: &Map<String, Value>, id: &str, parameters: &Map<String, Value>) -> bool {
    let takes = |schema: Option<&Map<String, Value>>, key: &str| {
        schema.is_some_and(|schema| schema::property(schema, key).is_some())
    };
    let is_other = |key: &str, inner: &str| {
        let schema = schema::property(parameters, key).and_then(Value::as_object);
        !fields.contains_key(inner) && takes(Some(parameters), inner) && !takes(schema, inner)
    };
    let has_other = |(key, value): (&String, &Value)| {
        value.as_object().is_some_and(|inner| inner.keys().any(|inner| is_other(key, inner)))
    };
    (!id.is_empty() && fields.contains_key(id) && !takes(Some(parameters), id)) || fields.iter().any(has_other)
}

/// Whether a field follows that can't be read, or the rest of one.
fn is_field(call: &Call, text: Text) -> bool {
    let is_next = text.text.get(..call.at).is_some_and(|before| before.ends_with(','));
    let at = if is_next { text.solid(call.at) } else { call.at };
    text.from(at).starts_with(|one: char| one == '"' || one.is_alphanumeric())
}

fn is_arguments(key: &str, value: &str, spelling: &Json) -> bool {
    if spelling.name.is_empty() {
        return value.starts_with('{');
    }
    key == spelling.arguments || ARGUMENT_KEYS.contains(&key)
}

/// The name and the arguments of a call that is known in full.
fn fields_of(object: &Value, spelling: &Json) -> Option<Found> {
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
pub(in crate::text::read) fn is_definition(arguments: &str, name: &str, tools: &[Tool]) -> bool {
    let Ok(fields) = crate::json::from_str::<crate::json::Map<String, Value>>(arguments) else { return false };
    let is_schema = fields.get("type").and_then(Value::as_str) == Some("object")
        && fields.get("properties").is_some_and(Value::is_object);
    let takes_schemas = |tool: &Tool| tool.name == name && schema::property(&tool.parameters, "properties").is_some();
    is_schema && !tools.iter().any(takes_schemas)
}

/// Parses JSON objects with name and arguments, with Python literals or doubled braces.
pub(in crate::text::read) fn objects(body: &str, spelling: &Json) -> Option<Vec<Found>> {
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
