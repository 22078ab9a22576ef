//! Reads responses that are one JSON object, `{"text": …, "calls": […]}`, for servers that enforce JSON.
//!
//! Any other response is read in the format `json`.

use super::event::Event;
use super::fields::{fault, fields};
use super::out::Out;
use super::reader::Reader;
use super::scan::{FENCE, JsonScan, space};
use crate::escapes::{byte_of, code_point, low_surrogate, unit};
use crate::text::Tool;
use crate::text::formats::{THINK, by_id};

/// Reads one response incrementally.
pub struct ObjectReader {
    out: Out,
    tools: Vec<Tool>,
    seed: String,
    text: String,
    /// The start of the part that is being read, and the position up to which it was scanned.
    start: usize,
    at: usize,
    state: ObjectState,
}

enum ObjectState {
    /// It is still open whether the response is such an object.
    Undecided,
    /// Before a key of the object.
    Key,
    /// In the string value of `text`.
    Text,
    /// In the value of another key.
    Value(String, JsonScan),
    /// Between calls.
    Calls,
    /// In a call.
    Call(JsonScan),
    /// After the object, or after an error in it.
    After,
    Plain(Box<Reader>),
}

/// What a response was recognized as.
enum Detected<'a> {
    Unknown,
    Plain,
    /// An object that starts at this position, after this reasoning.
    Object(usize, &'a str),
}

/// The keys by which an object is recognized as a response.
const KEYS: [&str; 3] = ["text", "calls", "reasoning"];

impl ObjectReader {
    /// Another call of the conversation has this id.
    pub fn reserve(&mut self, id: &str) {
        self.out.reserve(id);
    }

    pub fn new(tools: Vec<Tool>, seed: &str) -> Self {
        let (out, seed) = (Out::new(seed, false), seed.to_owned());
        Self { out, tools, seed, text: String::new(), start: 0, at: 0, state: ObjectState::Undecided }
    }

    pub fn push(&mut self, piece: &str) -> Vec<Event> {
        if let ObjectState::Plain(reader) = &mut self.state {
            return reader.push(piece);
        }
        self.text.push_str(piece);
        self.run(false)
    }

    /// The text has ended.
    pub fn end(&mut self) -> Vec<Event> {
        let mut events = self.run(true);
        match &mut self.state {
            ObjectState::Plain(reader) => events.append(&mut reader.end()),
            ObjectState::Call(_) => {
                let raw = self.rest().to_owned();
                self.call(&raw);
            }
            ObjectState::After => {
                let rest = self.rest().trim_matches(|one: char| one.is_whitespace() || one == '`').to_owned();
                self.out.text(&rest);
            }
            ObjectState::Text | ObjectState::Undecided | ObjectState::Key | ObjectState::Calls => {}
            ObjectState::Value(key, _) => {
                let (key, raw) = (key.clone(), self.rest().to_owned());
                self.value(&key, &raw);
            }
        }
        self.text.clear();
        (self.start, self.at) = (0, 0);
        self.out.close();
        events.append(&mut self.out.events);
        events
    }

    fn run(&mut self, end: bool) -> Vec<Event> {
        let mut events = Vec::new();
        while self.step(end, &mut events) {}
        self.text.drain(..self.start);
        self.at -= self.start;
        self.start = 0;
        events.append(&mut self.out.events);
        events
    }

    fn rest(&self) -> &str {
        self.text.get(self.start..).unwrap_or_default()
    }

    /// Continues with the next part at this position.
    fn go_on(&mut self, at: usize, state: ObjectState) -> bool {
        (self.start, self.at) = (at, at);
        self.state = state;
        true
    }

    /// Returns whether to continue.
    fn step(&mut self, end: bool, events: &mut Vec<Event>) -> bool {
        match &mut self.state {
            ObjectState::Undecided => self.decide(end, events),
            ObjectState::Key => self.key(),
            ObjectState::Text => self.passage(),
            ObjectState::Calls => {
                let at = self.solid(self.start, b",");
                match self.text.as_bytes().get(at) {
                    None => false,
                    Some(b']') => self.go_on(at + 1, ObjectState::Key),
                    Some(b'{') => self.go_on(at, ObjectState::Call(JsonScan::default())),
                    Some(_) => self.go_on(at, ObjectState::After),
                }
            }
            ObjectState::Call(scan) => {
                let Some(stop) = scan.run(self.text.as_bytes(), &mut self.at) else { return false };
                let raw = self.text.get(self.start..stop).unwrap_or_default().to_owned();
                self.call(&raw);
                self.go_on(stop, ObjectState::Calls)
            }
            ObjectState::Value(key, scan) => {
                let Some(stop) = scan.run(self.text.as_bytes(), &mut self.at) else { return false };
                let (key, raw) = (key.clone(), self.text.get(self.start..stop).unwrap_or_default().to_owned());
                self.value(&key, &raw);
                self.go_on(stop, ObjectState::Key)
            }
            ObjectState::After | ObjectState::Plain(_) => false,
        }
    }

    fn decide(&mut self, end: bool, events: &mut Vec<Event>) -> bool {
        match recognize(&self.text, &mut self.at) {
            Detected::Unknown if !end => false,
            Detected::Unknown | Detected::Plain => {
                let Some(format) = by_id("json") else { return false };
                let mut reader = Reader::new(format, std::mem::take(&mut self.tools), "", &self.seed);
                events.append(&mut reader.push(&std::mem::take(&mut self.text)));
                self.go_on(0, ObjectState::Plain(Box::new(reader)))
            }
            Detected::Object(at, reasoning) => {
                self.out.reasoning(reasoning);
                self.go_on(at + 1, ObjectState::Key)
            }
        }
    }

    /// The position of the next byte that is neither whitespace nor one of `also`.
    fn solid(&self, at: usize, also: &[u8]) -> usize {
        let rest = self.text.as_bytes().get(at..).unwrap_or_default();
        at + rest.iter().position(|byte| !space(*byte) && !also.contains(byte)).unwrap_or(rest.len())
    }

    fn key(&mut self) -> bool {
        let at = self.solid(self.start, b",");
        match self.text.as_bytes().get(at) {
            None => return false,
            Some(b'"') => {}
            Some(b'}') => return self.go_on(at + 1, ObjectState::After),
            Some(_) => return self.go_on(at, ObjectState::After),
        }
        let mut close = at;
        if JsonScan::default().run(self.text.as_bytes(), &mut close).is_none() {
            return false;
        }
        let colon = self.solid(close, b"");
        let value = self.solid(colon + 1, b"");
        let (Some(b':'), Some(first)) = (self.text.as_bytes().get(colon), self.text.as_bytes().get(value)) else {
            return false;
        };
        let key = crate::json::from_str::<String>(self.text.get(at..close).unwrap_or_default()).unwrap_or_default();
        match (key.as_str(), first) {
            ("text", b'"') => self.go_on(value + 1, ObjectState::Text),
            ("calls", b'[') => self.go_on(value + 1, ObjectState::Calls),
            _ => self.go_on(value, ObjectState::Value(key, JsonScan::default())),
        }
    }

    /// Emits the part of `text` that has arrived.
    fn passage(&mut self) -> bool {
        let (text, read, is_over) = decoded(self.rest());
        self.out.text(&text);
        let at = self.start + read;
        if is_over {
            return self.go_on(at, ObjectState::Key);
        }
        (self.start, self.at) = (at, at);
        false
    }

    /// Handles a complete value. Values of unknown keys count as reasoning.
    fn value(&mut self, key: &str, raw: &str) {
        let text = crate::json::from_str::<String>(raw).unwrap_or_else(|_| raw.to_owned());
        match key {
            _ if raw == "null" => {}
            "text" => self.out.text(&text),
            "calls" if raw.starts_with('{') => self.call(raw),
            _ => self.out.reasoning(&text),
        }
    }

    fn call(&mut self, raw: &str) {
        let fields = fields(raw);
        let of = |keys: &[&str]| fields.iter().find(|(key, _)| keys.contains(&key.as_str())).map(|(_, value)| *value);
        let Some(name) = of(&["name"]).and_then(|name| crate::json::from_str::<String>(name).ok()) else {
            return self.out.text(raw);
        };
        let (block, id) = self.out.start(&name, None);
        let arguments = arguments_of(of(&["arguments", "parameters", "args"]));
        match fault(&arguments) {
            None => {
                self.out.delta(block, &id, &arguments);
                self.out.events.push(Event::CallEnd { block, id, name, arguments });
            }
            Some(error) => {
                let error = error.to_owned();
                self.out.events.push(Event::Invalid { block, id, name, raw: arguments, error });
            }
        }
    }
}

/// The arguments as text. They may be JSON encoded in a string.
fn arguments_of(raw: Option<&str>) -> String {
    let raw = raw.unwrap_or("null");
    match crate::json::from_str::<Option<String>>(raw) {
        Ok(text) if text.as_deref().unwrap_or_default().trim().is_empty() => "{}".to_owned(),
        Ok(text) => text.unwrap_or_default(),
        Err(_) => raw.to_owned(),
    }
}

/// Determines what a response is. `at` is the position up to which the reasoning was scanned.
fn recognize<'a>(text: &'a str, at: &mut usize) -> Detected<'a> {
    let mut rest = text.trim_start();
    let mut reasoning = "";
    let (open, close) = (THINK.opener(), THINK.closer());
    if rest.len() < open.len() && open.starts_with(rest) {
        return Detected::Unknown;
    }
    if let Some(inner) = rest.strip_prefix(open) {
        let begin = text.len() - inner.len();
        let from = text.floor_char_boundary((*at).max(begin + close.len()) - close.len()).max(begin);
        let Some(size) = text.get(from..).unwrap_or_default().find(close) else {
            *at = text.len();
            return Detected::Unknown;
        };
        *at = from + size + close.len();
        reasoning = text.get(begin..from + size).unwrap_or_default().trim();
        rest = text.get(from + size + close.len()..).unwrap_or_default().trim_start();
    }
    if rest.len() < FENCE.len() && FENCE.starts_with(rest) {
        return Detected::Unknown;
    }
    if let Some(fenced) = rest.strip_prefix(FENCE) {
        let Some((line, after)) = fenced.split_once('\n') else {
            return if "json".starts_with(fenced.trim_end()) { Detected::Unknown } else { Detected::Plain };
        };
        if !matches!(line.trim(), "" | "json") {
            return Detected::Plain;
        }
        rest = after.trim_start();
    }
    let Some(inner) = rest.strip_prefix('{').map(str::trim_start) else {
        return if rest.is_empty() { Detected::Unknown } else { Detected::Plain };
    };
    let Some(key) = inner.strip_prefix('"') else {
        return if inner.is_empty() { Detected::Unknown } else { Detected::Plain };
    };
    match key.split_once('"') {
        Some((key, _)) if KEYS.contains(&key) => Detected::Object(text.len() - rest.len(), reasoning),
        None if KEYS.iter().any(|known| known.starts_with(key)) => Detected::Unknown,
        _ => Detected::Plain,
    }
}

/// Decodes the start of a JSON string, without its opening quote: the decoded text, the bytes read, and whether the string is complete.
/// A truncated escape is left for later.
pub(in crate::text) fn decoded(text: &str) -> (String, usize, bool) {
    let mut out = String::new();
    let mut at = 0;
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let plain = rest.find(['"', '\\']).unwrap_or(rest.len());
        out.push_str(rest.get(..plain).unwrap_or_default());
        at += plain;
        let rest = rest.get(plain..).unwrap_or_default();
        let Some(first) = rest.bytes().next() else { return (out, at, false) };
        if first == b'"' {
            return (out, at + 1, true);
        }
        let Some(size) = escape_size(rest) else { return (out, at, false) };
        let escape = rest.get(..size).unwrap_or_default();
        match unescaped(escape) {
            Some(letter) => out.push(letter),
            None => out.push_str(escape),
        }
        at += size;
    }
}

/// The character of an escape; U+FFFD for an unpaired surrogate. `None` if the escape is invalid.
fn unescaped(escape: &str) -> Option<char> {
    match escape.as_bytes().get(1).copied()? {
        b'u' => code_point(escape.as_bytes(), 0).and_then(|(code, _)| char::from_u32(code)).or(Some('\u{fffd}')),
        letter => Some(byte_of(letter)).filter(|byte| *byte != 0).map(char::from),
    }
}

/// The length of the escape at the start; a surrogate pair counts as one. `None` if it is not complete.
fn escape_size(rest: &str) -> Option<usize> {
    let second = rest.chars().nth(1)?;
    if second != 'u' {
        return Some(1 + second.len_utf8());
    }
    let Some(first) = unit(rest.as_bytes(), 2) else { return if rest.len() < 6 { None } else { Some(2) } };
    if !(0xd800..0xdc00).contains(&first) {
        return Some(6);
    }
    match rest.as_bytes().get(6..8) {
        Some(b"\\u") if rest.len() < 12 => None,
        Some(b"\\u") => Some(low_surrogate(rest.as_bytes(), 6).map_or(6, |_| 12)),
        Some(_) => Some(6),
        None => None,
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::ObjectReader;
    use crate::text::Tool;
    use serde_json::{Value, json};

    fn read(pieces: &[&str]) -> Vec<Value> {
        let tool = Tool { name: "f".into(), ..Tool::default() };
        let mut reader = ObjectReader::new(vec![tool], "s");
        let mut events: Vec<_> = pieces.iter().flat_map(|piece| reader.push(piece)).collect();
        events.extend(reader.end());
        events.iter().map(super::Event::to_json).collect()
    }

    /// Collects text, reasoning and calls.
    fn parts_of(events: &[Value]) -> (String, String, Vec<Value>) {
        let of = |kind: &str| {
            let texts = events.iter().filter(|event| event["type"] == kind);
            texts.filter_map(|event| event["text"].as_str()).collect::<String>()
        };
        let mut calls: Vec<Value> = events.iter().filter_map(|event| event.get("call").cloned()).collect();
        calls.iter_mut().for_each(|call| {
            call.as_object_mut().map(|call| call.shift_remove("id"));
        });
        (of("textDelta"), of("reasoningDelta"), calls)
    }

    fn call(arguments: Value) -> Value {
        json!({ "name": "f", "arguments": arguments })
    }

    #[test]
    fn objects_are_read_whole_and_in_pieces() {
        let one = call(json!({ "a": "}\"]" }));
        for (text, expected) in [
            (r#"{"text": "Hi \"you\" \u00e9 \ud83d\ude00\n", "calls": []}"#, ("Hi \"you\" é 😀\n", "", vec![])),
            (
                r#" {"text":"","calls":[{"name":"f","arguments":{"a":"}\"]"}} , {"arguments":{},"name":"f"}]} "#,
                ("", "", vec![one.clone(), call(json!({}))]),
            ),
            (
                "```json\n{\"reasoning\": \"hm\", \"text\": \"So\", \"calls\": [{\"name\": \"f\"}]}\n```",
                ("So", "hm", vec![call(json!({}))]),
            ),
            (
                "<think>a < b</think>\n{\"calls\": [{\"name\": \"f\", \"arguments\": \"{\\\"a\\\": 1}\"}]}",
                ("", "a < b", vec![call(json!({ "a": 1 }))]),
            ),
            (r#"{"text": null, "calls": {"name": "f", "parameters": {}}}"#, ("", "", vec![call(json!({}))])),
            (r#"{"text": {"celsius": 20}, "calls": null}"#, (r#"{"celsius": 20}"#, "", vec![])),
            (r#"{"text": "a"} b"#, ("ab", "", vec![])),
            (r#"{"text": "\ud83d x", "calls": []}"#, ("\u{fffd} x", "", vec![])),
            ("Just text.", ("Just text.", "", vec![])),
            (r#"{"city": "Paris"}"#, (r#"{"city": "Paris"}"#, "", vec![])),
            ("```json:toolCall\n{\"name\": \"f\", \"arguments\": {}}\n```", ("", "", vec![call(json!({}))])),
            ("", ("", "", vec![])),
        ] {
            let whole = parts_of(&read(&[text]));
            assert_eq!((whole.0.as_str(), whole.1.as_str(), whole.2.clone()), expected, "{text}");
            let letters: Vec<&str> = text.split_inclusive(|_| true).collect();
            assert_eq!(parts_of(&read(&letters)), whole, "{text}");
            for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
                let (first, second) = text.split_at(at);
                assert_eq!(parts_of(&read(&[first, second])), whole, "{first}|{second}");
            }
        }
    }

    #[test]
    fn text_is_emitted_as_it_arrives() {
        let tool = Tool { name: "f".into(), ..Tool::default() };
        let mut reader = ObjectReader::new(vec![tool], "s");
        assert!(reader.push("{\"text\": \"On").iter().any(|event| event.to_json()["text"] == "On"));
        assert!(reader.push("ce \\u00e").iter().any(|event| event.to_json()["text"] == "ce "));
        assert!(reader.push("9").iter().any(|event| event.to_json()["text"] == "é"));
    }

    #[test]
    fn arguments_that_are_truncated_or_not_an_object_are_an_invalid_call() {
        for (text, raw) in [
            (r#"{"text": "", "calls": [{"name": "f", "arguments": {"a": "b"#, r#"{"a": "b"#),
            (r#"{"calls": [{"name": "f", "arguments": [1]}]}"#, "[1]"),
            (r#"{"calls": [{"name": "f", "arguments": {"a": 1, "a": 2}}]}"#, r#"{"a": 1, "a": 2}"#),
        ] {
            let (_, _, calls) = parts_of(&read(&[text]));
            assert_eq!((&calls[0]["name"], &calls[0]["rawArguments"]), (&json!("f"), &json!(raw)), "{text}");
        }
        assert_eq!(parts_of(&read(&[r#"{"text": "It is su"#])).0, "It is su");
    }

    #[test]
    fn digits_of_numbers_are_kept() {
        let events = read(&[r#"{"calls": [{"name": "f", "arguments": {"n": 12345678901234567890.5}}]}"#]);
        assert_eq!(parts_of(&events).2[0]["metadata"]["rawArguments"], r#"{"n": 12345678901234567890.5}"#);
    }
}
