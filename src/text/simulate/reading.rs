//! Reads the text of a response, according to the request that was simulated.

use super::carrier::CarrierTool;
use super::response::{self, Answered};
use super::stream::{Stream, TextReader};
use crate::json::Value;
use crate::text::formats::{self, Format};
use crate::text::read::{Event, ObjectReader, Reader};
use crate::text::{Result, TextError, Tool};

/// The settings that [`request`](super::request()) returned for reading the response.
pub struct Reading {
    format: &'static Format,
    tools: Vec<Tool>,
    prefill: String,
    seed: String,
    /// The ids of the calls in the history, if the text has ids.
    ids: Vec<String>,
    /// Whether every response is a JSON object.
    is_object: bool,
    carrier: Option<CarrierTool>,
}

enum Source {
    Text(Box<Reader>),
    Object(Box<ObjectReader>),
}

/// The reader of one text block.
pub struct TextOf {
    source: Source,
    /// The start of a call, if the prefill begins one.
    begun: Vec<Event>,
}

/// Reads a streamed response in the format of its request.
pub type ReadingStream = Stream<Box<dyn FnMut(&str, usize) -> TextOf>, TextOf>;

impl Reading {
    /// # Errors
    /// The value is not the `reading` of a request.
    pub fn of(reading: &Value) -> Result<Self> {
        if reading.get("version").and_then(Value::as_u64) != Some(1) {
            return Err(TextError::new("/reading", "expected the `reading` that `request` returned"));
        }
        let text = |key: &str| reading.get(key).and_then(Value::as_str).unwrap_or_default();
        let within = |error: TextError, path: &str| TextError { path: format!("{path}{}", error.path), ..error };
        let id = text("format");
        let format = formats::by_id(id).ok_or_else(|| within(formats::unknown(id), "/reading"))?;
        let tools = Tool::list(reading.get("tools").unwrap_or(&Value::Null));
        let mut tools = tools.map_err(|error| within(error, "/reading/tools"))?;
        if tools.is_empty() {
            // a reader without tools accepts any tool name, but no tool is declared here
            tools.push(Tool::default());
        }
        let is_object = reading.get("object").and_then(Value::as_bool).unwrap_or_default();
        let carrier = reading.get("carrier").and_then(Value::as_str);
        let carrier = carrier.map(|name| CarrierTool { name: name.to_owned(), gives_id: !format.has_ids() });
        let (prefill, seed) = (text("prefill").to_owned(), text("seed").to_owned());
        let ids = reading.get("ids").and_then(Value::as_array).into_iter().flatten();
        let ids = ids.filter_map(|id| id.as_str().map(str::to_owned)).collect();
        Ok(Self { format, tools, prefill, seed, ids, is_object, carrier })
    }

    /// The reader for one text block of a response. The first block continues the prefill.
    pub fn open(&self, response_id: &str, index: usize) -> TextOf {
        let seed = format!("{}/{response_id}/{index}", self.seed);
        let prefill = if index == 0 { self.prefill.as_str() } else { "" };
        if self.is_object {
            let source = Source::Object(Box::new(ObjectReader::new(self.tools.clone(), &seed)));
            return TextOf { source, begun: Vec::new() };
        }
        // the reader already handles reasoning that is opened only in the prompt and that the model leaves
        let opens = self.format.reasoning.iter().any(|pair| prefill.trim_end().ends_with(pair.opener()));
        if prefill.is_empty() || opens {
            let mut reader = Reader::new(self.format, self.tools.clone(), prefill, &seed);
            self.ids.iter().for_each(|id| reader.reserve(id));
            return TextOf { source: Source::Text(Box::new(reader)), begun: Vec::new() };
        }
        let mut reader = Reader::new(self.format, self.tools.clone(), "", &seed);
        self.ids.iter().for_each(|id| reader.reserve(id));
        let begun = begun(reader.push(prefill));
        TextOf { source: Source::Text(Box::new(reader)), begun }
    }

    /// Reads calls and reasoning from the text of a response.
    ///
    /// # Errors
    /// The value is not a canonical response.
    pub fn response(&self, response: Value) -> Result<Answered> {
        response::response(response, |id, index| self.open(id, index), self.carrier.clone())
    }

    pub fn stream(self) -> ReadingStream {
        let carrier = self.carrier.clone();
        Stream::new(Box::new(move |id, index| self.open(id, index)), carrier)
    }
}

/// Drops the events of the prefill, which is part of the request. Only the events of a call that it leaves open are kept.
fn begun(mut events: Vec<Event>) -> Vec<Event> {
    let start = events.iter().rposition(|event| matches!(event, Event::CallStart { .. }));
    let is_over = |event: &Event| matches!(event, Event::CallEnd { .. } | Event::Invalid { .. });
    match start {
        Some(start) if !events.iter().skip(start).any(is_over) => events.split_off(start),
        _ => Vec::new(),
    }
}

impl TextOf {
    fn canonical(&mut self, events: &[Event]) -> Vec<Value> {
        let begun = std::mem::take(&mut self.begun);
        begun.iter().chain(events).map(Event::to_json).collect()
    }
}

impl TextReader for TextOf {
    fn reserve(&mut self, id: &str) {
        match &mut self.source {
            Source::Text(reader) => reader.reserve(id),
            Source::Object(reader) => reader.reserve(id),
        }
    }

    fn push(&mut self, text: &str) -> Vec<Value> {
        let events = match &mut self.source {
            Source::Text(reader) => reader.push(text),
            Source::Object(reader) => reader.push(text),
        };
        self.canonical(&events)
    }

    fn end(&mut self) -> Vec<Value> {
        let events = match &mut self.source {
            Source::Text(reader) => reader.end(),
            Source::Object(reader) => reader.end(),
        };
        self.canonical(&events)
    }
}
