//! Reads a complete response exactly like its stream.

use super::carrier::CarrierTool;
use super::stream::{Stream, TextReader};
use crate::json::{Map, Value, json};
use crate::text::{Result, TextError};

/// A response, and what was dropped of the text that the model wrote.
#[derive(Clone, Debug)]
pub struct Answered {
    pub response: Value,
    pub dropped: Vec<String>,
}

/// Reads calls, invalid calls and reasoning from the text of a response. All other fields are kept. `open` and `carrier` are those of
/// [`Stream`].
///
/// # Errors
/// The value is not a canonical response.
pub fn response<Reader: TextReader>(
    mut response: Value,
    open: impl FnMut(&str, usize) -> Reader,
    carrier: Option<CarrierTool>,
) -> Result<Answered> {
    let Some(fields) = response.as_object_mut() else {
        return Err(TextError::new("", "the response must be a canonical response, an object"));
    };
    let Some(Value::Object(message)) = fields.get("message") else {
        return Err(TextError::new("/message", "a canonical response has a `message`"));
    };
    let carried = calls_of(message, carrier.as_ref());
    let mut stream = Stream::new(open, carrier);
    let mut read = Read::of(message, &carried);
    read.take(stream.push(start_of(fields)));
    for event in events_of(message, &carried) {
        read.take(stream.push(event));
    }
    read.take(stream.end());

    let reason = fields.get("finishReason").and_then(Value::as_str).unwrap_or_default();
    if let Some(reason) = stream.finish_reason(reason) {
        fields.insert("finishReason".into(), json!(reason));
        fields.shift_remove("rawFinishReason");
    }
    let dropped = std::mem::take(&mut read.dropped);
    read.write_to(fields);
    Ok(Answered { response, dropped })
}

fn start_of(fields: &Map<String, Value>) -> Value {
    let mut start = Map::from_iter([("type".to_owned(), json!("start"))]);
    if let Some(id) = fields.get("id") {
        start.insert("id".into(), id.clone());
    }
    Value::Object(start)
}

/// The calls of the tool that carries calls, valid or not.
fn calls_of(message: &Map<String, Value>, carrier: Option<&CarrierTool>) -> Vec<Value> {
    let Some(carrier) = carrier else { return Vec::new() };
    let lists = ["toolCalls", "invalidToolCalls"].into_iter().filter_map(|key| message.get(key)?.as_array());
    lists.flatten().filter(|call| call.get("name").is_some_and(|name| *name == *carrier.name)).cloned().collect()
}

/// The events of the message's blocks. Each block is a single delta. Calls without a mark of their position follow.
fn events_of(message: &Map<String, Value>, carried: &[Value]) -> Vec<Value> {
    let mut events: Vec<Value> = match message.get("content") {
        Some(Value::String(text)) => vec![json!({ "type": "textDelta", "block": 0, "text": text })],
        Some(Value::Array(blocks)) => {
            blocks.iter().enumerate().map(|(index, block)| event_of(index, block, carried)).collect()
        }
        _ => Vec::new(),
    };
    for call in carried {
        if !events.iter().any(|event| event.get("call") == Some(call)) {
            events.push(json!({ "type": "toolCallEnd", "block": events.len(), "call": call }));
        }
    }
    events
}

fn event_of(index: usize, block: &Value, carried: &[Value]) -> Value {
    if is(block, "toolCall")
        && let Some(call) = carried.iter().find(|call| call.get("id") == block.get("id"))
    {
        return json!({ "type": "toolCallEnd", "block": index, "call": call });
    }
    if block.get("type").and_then(Value::as_str) != Some("text") {
        return json!({ "type": "block", "block": index, "value": block });
    }
    let mut event = json!({ "type": "textDelta", "block": index, "text": block.get("text") });
    if let (Some(metadata), Some(fields)) = (block.get("metadata"), event.as_object_mut()) {
        fields.insert("metadata".into(), metadata.clone());
    }
    event
}

/// A message that is assembled from events.
struct Read {
    content: Vec<(u64, Value)>,
    calls: Vec<Value>,
    invalid: Vec<Value>,
    dropped: Vec<String>,
}

impl Read {
    fn of(message: &Map<String, Value>, carried: &[Value]) -> Self {
        let list = |key| {
            let calls = message.get(key).and_then(Value::as_array).into_iter().flatten();
            calls.filter(|call| !carried.contains(call)).cloned().collect()
        };
        Self { content: Vec::new(), calls: list("toolCalls"), invalid: list("invalidToolCalls"), dropped: Vec::new() }
    }

    fn take(&mut self, events: Vec<Value>) {
        for event in events {
            let number = event.get("block").and_then(Value::as_u64).unwrap_or_default();
            match event.get("type").and_then(Value::as_str) {
                Some("textDelta") => self.append(number, &event, "text"),
                Some("reasoningDelta") => self.append(number, &event, "reasoning"),
                Some("block") => self.content.push((number, event.get("value").cloned().unwrap_or_default())),
                Some("toolCallEnd") => self.call(number, event.get("call")),
                Some("dropped") => self.dropped.extend(event.get("message").and_then(Value::as_str).map(str::to_owned)),
                _ => {}
            }
        }
    }

    fn append(&mut self, number: u64, event: &Value, kind: &str) {
        let text = event.get("text").and_then(Value::as_str).unwrap_or_default();
        if let Some((_, block)) = self.content.iter_mut().find(|(known, _)| *known == number) {
            if let Some(Value::String(whole)) = block.get_mut("text") {
                whole.push_str(text);
            }
            return;
        }
        let mut block = json!({ "type": kind, "text": text });
        if let Some(fields) = block.as_object_mut() {
            if kind == "reasoning" {
                let issuer = event.get("issuer").cloned().unwrap_or_else(|| json!("openai"));
                fields.insert("issuer".into(), issuer);
            }
            if let Some(metadata) = event.get("metadata") {
                fields.insert("metadata".into(), metadata.clone());
            }
        }
        self.content.push((number, block));
    }

    fn call(&mut self, number: u64, call: Option<&Value>) {
        let Some(call) = call else { return };
        self.content.push((number, json!({ "type": "toolCall", "id": call.get("id") })));
        let list = if call.get("rawArguments").is_some() { &mut self.invalid } else { &mut self.calls };
        list.push(call.clone());
    }

    fn write_to(mut self, response: &mut Map<String, Value>) {
        // trailing `toolCall` blocks are redundant: they only mark the position of a call within the content
        while self.content.last().is_some_and(|(_, block)| is(block, "toolCall")) {
            self.content.pop();
        }
        let joined = |kind| {
            let texts = self.content.iter().filter(|(_, block)| is(block, kind));
            texts.filter_map(|(_, block)| block.get("text").and_then(Value::as_str)).collect::<String>()
        };
        let (text, reasoning) = (joined("text"), joined("reasoning"));
        response.insert("text".into(), json!(text));
        if !reasoning.is_empty() {
            response.insert("reasoningText".into(), json!(reasoning));
        }
        let content: Vec<Value> = self.content.into_iter().map(|(_, block)| block).collect();
        if let Some(Value::Object(message)) = response.get_mut("message") {
            message.insert("content".into(), Value::Array(content));
            for (key, list) in [("toolCalls", &self.calls), ("invalidToolCalls", &self.invalid)] {
                if list.is_empty() {
                    message.shift_remove(key);
                } else {
                    message.insert(key.into(), json!(list));
                }
            }
        }
        response.insert("toolCalls".into(), Value::Array(self.calls));
        response.insert("invalidToolCalls".into(), Value::Array(self.invalid));
    }
}

fn is(block: &Value, kind: &str) -> bool {
    block.get("type").and_then(Value::as_str) == Some(kind)
}
