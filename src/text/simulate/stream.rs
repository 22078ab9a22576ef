//! Streamed responses: converts canonical events with text into canonical events with calls.

use super::carrier::{CarrierTool, Input};
use crate::json::{Value, json};
use crate::table::Table;

/// Reads one text block of a model. Its events are canonical, with block indices from 0.
pub trait TextReader {
    /// Another call of the response has this id.
    fn reserve(&mut self, _id: &str) {}
    fn push(&mut self, text: &str) -> Vec<Value>;
    /// The text has ended. Returns text that was held back as the possible start of a call.
    fn end(&mut self) -> Vec<Value>;
}

/// Rewrites the events of one response.
///
/// Each text block has its own reader. Blocks are renumbered in the order in which they start.
pub struct Stream<Open, Reader> {
    /// Creates the reader of a text block, given the id of the response and the index of the block among the text blocks.
    open: Open,
    /// The tool whose input contains the calls.
    carrier: Option<CarrierTool>,
    blocks: Vec<StreamBlock<Reader>>,
    /// The number of readers so far.
    opened: usize,
    numbers: Numbers,
    response_id: String,
    /// The ids of the calls so far.
    ids: Table<String, ()>,
    has_calls: bool,
    has_carried: bool,
}

struct StreamBlock<Reader> {
    number: u64,
    reader: Reader,
    /// The metadata of the block's events.
    metadata: Option<Value>,
    /// The input of a call that carries calls, if the block is one.
    input: Option<Input>,
}

impl<Open, Reader> Stream<Open, Reader>
where
    Open: FnMut(&str, usize) -> Reader,
    Reader: TextReader,
{
    pub fn new(open: Open, carrier: Option<CarrierTool>) -> Self {
        let (numbers, response_id) = (Numbers::default(), String::new());
        let (blocks, opened, has_calls, has_carried) = (Vec::new(), 0, false, false);
        Self { open, carrier, blocks, opened, numbers, response_id, ids: Table::new(), has_calls, has_carried }
    }

    /// Processes the next event.
    pub fn push(&mut self, mut event: Value) -> Vec<Value> {
        match event.get("type").and_then(Value::as_str) {
            Some("start") => {
                event.get("id").and_then(Value::as_str).unwrap_or_default().clone_into(&mut self.response_id);
                vec![event]
            }
            Some("textDelta") => self.text(&event),
            Some("toolCallStart" | "toolCallDelta" | "toolCallEnd") if self.is_carrier(&event) => self.carried(&event),
            Some("finish") => self.finish(event),
            Some("error") => {
                let mut events = self.end();
                events.push(event);
                events
            }
            _ => {
                self.reserve(&event);
                self.number(&mut event, None);
                vec![event]
            }
        }
    }

    /// The response has ended. May be called more than once.
    pub fn end(&mut self) -> Vec<Value> {
        let blocks = std::mem::take(&mut self.blocks);
        blocks.into_iter().flat_map(|mut block| self.rewritten(&mut block, Reader::end)).collect()
    }

    fn text(&mut self, event: &Value) -> Vec<Value> {
        let text = event.get("text").and_then(Value::as_str).unwrap_or_default();
        let (position, mut block) = self.block(number_of(event), || None);
        if let Some(metadata) = event.get("metadata") {
            block.metadata = Some(metadata.clone());
        }
        let events = self.rewritten(&mut block, |reader| reader.push(text));
        self.blocks.insert(position, block);
        events
    }

    /// Takes out the block with this number, or a new one, and its position.
    fn block(&mut self, number: u64, input: impl FnOnce() -> Option<Input>) -> (usize, StreamBlock<Reader>) {
        if let Some(position) = self.blocks.iter().position(|block| block.number == number) {
            return (position, self.blocks.remove(position));
        }
        let mut reader = (self.open)(&self.response_id, self.opened);
        self.ids.iter().for_each(|(id, ())| reader.reserve(id));
        self.opened += 1;
        (self.blocks.len(), StreamBlock { number, reader, metadata: None, input: input() })
    }

    /// The id of a call in an event, which no later call may have.
    fn reserve(&mut self, event: &Value) {
        let is_call = |value: &&Value| {
            let kind = value.get("type").and_then(Value::as_str);
            matches!(kind, Some("toolCall" | "toolCallStart" | "toolCallEnd"))
        };
        let call = Some(event).filter(is_call).or_else(|| event.get("value").filter(is_call));
        if let Some(id) = call.and_then(|call| call.get("id").or_else(|| call.pointer("/call/id"))?.as_str()) {
            self.ids.insert(id.to_owned(), ());
        }
    }

    /// Whether an event belongs to a call that carries calls.
    fn is_carrier(&self, event: &Value) -> bool {
        let name = event.get("name").or_else(|| event.pointer("/call/name")).and_then(Value::as_str);
        let is_open = || self.blocks.iter().any(|block| block.number == number_of(event) && block.input.is_some());
        self.carrier.as_ref().is_some_and(|carrier| name == Some(&carrier.name) || is_open())
    }

    /// Reads the calls in the input of a call.
    fn carried(&mut self, event: &Value) -> Vec<Value> {
        self.has_carried = true;
        let call = event.get("call");
        let id = event.get("id").or_else(|| call?.get("id")).and_then(Value::as_str);
        let gives_id = self.carrier.as_ref().is_some_and(|carrier| carrier.gives_id);
        let (position, mut block) = self.block(number_of(event), || Some(Input::new(id.filter(|_| gives_id))));
        let Some(input) = &mut block.input else { return Vec::new() };
        let piece = event.get("text").and_then(Value::as_str).map(|text| input.push(text));
        let text = call.map(|call| input.rest(call)).or(piece).unwrap_or_default();
        let mut events = self.rewritten(&mut block, |reader| reader.push(&text));
        if call.is_some() {
            events.extend(self.rewritten(&mut block, Reader::end));
        } else {
            self.blocks.insert(position, block);
        }
        events
    }

    /// The events of a block's reader, with the block indices of this response.
    fn rewritten(
        &mut self,
        block: &mut StreamBlock<Reader>,
        read: impl FnOnce(&mut Reader) -> Vec<Value>,
    ) -> Vec<Value> {
        let mut events = read(&mut block.reader);
        for event in &mut events {
            let kind = event.get("type").and_then(Value::as_str);
            let is_text = kind == Some("textDelta");
            self.has_calls |= kind == Some("toolCallEnd");
            self.number(event, Some(block.number));
            if let Some(input) = &mut block.input {
                input.rename(event);
            }
            self.reserve(event);
            if is_text && let Some(metadata) = block.metadata.take() {
                set(event, "metadata", metadata);
            }
        }
        events
    }

    fn number(&mut self, event: &mut Value, text_block: Option<u64>) {
        if let Some(number) = event.get("block").and_then(Value::as_u64) {
            let number = self.numbers.of(text_block, number);
            set(event, "block", json!(number));
        }
    }

    fn finish(&mut self, mut event: Value) -> Vec<Value> {
        let mut events = self.end();
        let reason = event.get("finishReason").and_then(Value::as_str).unwrap_or_default();
        if let Some(reason) = self.finish_reason(reason) {
            set(&mut event, "finishReason", json!(reason));
            if let Some(fields) = event.as_object_mut() {
                fields.shift_remove("rawFinishReason");
            }
        }
        events.push(event);
        events
    }

    /// The replacement for a finish reason. The provider's own reason is dropped with it, because it would be written again. A response that
    /// was cut off, stopped or refused keeps its reason.
    pub(super) fn finish_reason(&self, reason: &str) -> Option<&'static str> {
        match reason {
            "stop" | "other" if self.has_calls => Some("tool_calls"),
            "tool_calls" if self.has_carried && !self.has_calls => Some("stop"),
            _ => None,
        }
    }
}

fn number_of(event: &Value) -> u64 {
    event.get("block").and_then(Value::as_u64).unwrap_or_default()
}

fn set(event: &mut Value, key: &str, value: Value) {
    if let Some(fields) = event.as_object_mut() {
        fields.insert(key.to_owned(), value);
    }
}

/// Allocates block indices for the model's own blocks and for those that are read from its text.
#[derive(Default)]
struct Numbers {
    known: Table<String, u64>,
}

impl Numbers {
    fn of(&mut self, text_block: Option<u64>, number: u64) -> u64 {
        let next = self.known.len() as u64;
        self.known.or_insert_with(format!("{text_block:?} {number}"), || next).map_or(next, |known| *known)
    }
}
