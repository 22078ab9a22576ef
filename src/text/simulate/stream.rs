//! Streamed responses: converts canonical events with text into canonical events with calls.

use crate::json::{Value, json};
use crate::table::Table;

/// Reads one text block of a model. Its events are canonical, with block indices from 0.
pub trait TextReader {
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
    blocks: Vec<Block<Reader>>,
    numbers: Numbers,
    response_id: String,
    has_calls: bool,
}

struct Block<Reader> {
    number: u64,
    reader: Reader,
    /// The metadata of the block's events.
    metadata: Option<Value>,
}

impl<Open, Reader> Stream<Open, Reader>
where
    Open: FnMut(&str, usize) -> Reader,
    Reader: TextReader,
{
    pub fn new(open: Open) -> Self {
        Self { open, blocks: Vec::new(), numbers: Numbers::default(), response_id: String::new(), has_calls: false }
    }

    /// Processes the next event.
    pub fn push(&mut self, mut event: Value) -> Vec<Value> {
        match event.get("type").and_then(Value::as_str) {
            Some("start") => {
                event.get("id").and_then(Value::as_str).unwrap_or_default().clone_into(&mut self.response_id);
                vec![event]
            }
            Some("textDelta") => self.text(&event),
            Some("finish") => self.finish(event),
            Some("error") => {
                let mut events = self.end();
                events.push(event);
                events
            }
            _ => {
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
        let number = event.get("block").and_then(Value::as_u64).unwrap_or_default();
        let text = event.get("text").and_then(Value::as_str).unwrap_or_default();
        let position = self.blocks.iter().position(|block| block.number == number).unwrap_or_else(|| {
            let reader = (self.open)(&self.response_id, self.blocks.len());
            self.blocks.push(Block { number, reader, metadata: None });
            self.blocks.len() - 1
        });
        let mut block = self.blocks.remove(position);
        if let Some(metadata) = event.get("metadata") {
            block.metadata = Some(metadata.clone());
        }
        let events = self.rewritten(&mut block, |reader| reader.push(text));
        self.blocks.insert(position, block);
        events
    }

    /// The events of a block's reader, with the block indices of this response.
    fn rewritten(&mut self, block: &mut Block<Reader>, read: impl FnOnce(&mut Reader) -> Vec<Value>) -> Vec<Value> {
        let mut events = read(&mut block.reader);
        for event in &mut events {
            let kind = event.get("type").and_then(Value::as_str);
            let is_text = kind == Some("textDelta");
            self.has_calls |= kind == Some("toolCallEnd");
            self.number(event, Some(block.number));
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
        (self.has_calls && matches!(reason, "stop" | "other")).then_some("tool_calls")
    }
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
