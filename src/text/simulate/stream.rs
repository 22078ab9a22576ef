//! A streamed response: canonical events with text in, canonical events with calls out.

use crate::json::{Value, json};
use crate::table::Table;

/// Reads one block of text of a model's. Its events are canonical; their blocks are numbered from 0.
pub trait TextReader {
    fn push(&mut self, text: &str) -> Vec<Value>;
    /// The text is over: what was held back as the possible beginning of a call.
    fn end(&mut self) -> Vec<Value>;
}

/// Rewrites the events of one response.
///
/// Each block of text has a reader of its own. Blocks are numbered anew, in the order in which they begin.
pub struct Stream<Open, Reader> {
    /// Makes the reader of a block of text, given the id of the response and the index of the block among those of text.
    open: Open,
    blocks: Vec<Block<Reader>>,
    numbers: Numbers,
    response_id: String,
    has_calls: bool,
}

struct Block<Reader> {
    number: u64,
    reader: Reader,
    /// What the block's events carried beside their text.
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

    /// Takes the next event.
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

    /// The response is over. May be called more than once.
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

    /// What a block's reader returns, with the numbers of this response.
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

    /// The reason that replaces this one, and with it the provider's own word for it, which would be written again: a response that was cut off, stopped or refused keeps its own.
    pub(super) fn finish_reason(&self, reason: &str) -> Option<&'static str> {
        (self.has_calls && matches!(reason, "stop" | "other")).then_some("tool_calls")
    }
}

fn set(event: &mut Value, key: &str, value: Value) {
    if let Some(fields) = event.as_object_mut() {
        fields.insert(key.to_owned(), value);
    }
}

/// The numbers of blocks: of the model's own, and of those that reading its text gives.
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
