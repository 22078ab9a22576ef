//! The order that some formats require: one block after another, each complete before the next one begins (Q160).

use super::called::Called;
use super::{Output, UnderWay, next_block};
use crate::model::Event;
use crate::run::{At, Result, Run, WarningCode};
use crate::value::Value;
use crate::value::text::unescaped;

/// How a format writes the events of a block. Each function gets the index of the block; the start and the deltas as JSON text.
pub struct BlockEvents {
    pub start: fn(&mut Output, &str, &[u8]),
    pub delta: fn(&mut Output, &str, &[u8]),
    pub stop: fn(&mut Output, &str),
    /// The delta that ends reasoning without a signature, if the format requires one.
    pub unsigned: Option<&'static [u8]>,
    /// Arguments are a text that is kept as it is; otherwise pieces of an object.
    pub arguments_are_text: bool,
}

/// What a delta adds to its block, as far as the order depends on it.
#[derive(Clone, Copy)]
pub enum Added {
    Arguments(Value),
    Signature,
    Other,
}

/// The blocks of an output stream: the open one, and those that wait for it.
pub struct Order {
    pub(super) events: &'static BlockEvents,
    open: Option<Started>,
    /// By block number.
    waiting: UnderWay<Started>,
    /// The open calls, by block number.
    pub(super) calls: UnderWay<Called>,
    /// Number of blocks so far.
    count: u32,
}

struct Started {
    block: u32,
    /// Its index on the wire: JSON text.
    index: String,
    kind: Closing,
    /// Its start and its deltas while it waits: JSON texts.
    held: Vec<Vec<u8>>,
    has_ended: bool,
}

/// Determines whether a block can be closed before its end event, so that the next one can start.
pub enum Closing {
    /// Later text goes into a new block.
    Text,
    /// Reasoning: as for text. The block ends with its signature, or an empty one.
    Thinking { is_signed: bool },
    /// A call can be closed once its arguments are complete.
    Call(Braces),
}

impl Order {
    pub fn new(events: &'static BlockEvents) -> Order {
        Order { events, open: None, waiting: UnderWay::default(), calls: UnderWay::default(), count: 0 }
    }

    /// The block, if it has not ended.
    fn find(&mut self, block: u32) -> Option<&mut Started> {
        match &mut self.open {
            Some(open) if open.block == block => Some(open),
            _ => self.waiting.latest_mut(block).filter(|waiting| !waiting.has_ended),
        }
    }

    /// Whether deltas of the block can still be written.
    pub fn takes(&mut self, block: u32) -> bool {
        self.find(block).is_some()
    }

    /// The block that is open on the wire.
    pub fn open(&self) -> Option<u32> {
        self.open.as_ref().map(|open| open.block)
    }

    /// Whether the block is open and no other block waits.
    pub fn is_alone(&self, block: u32) -> bool {
        self.open() == Some(block) && self.waiting.is_empty()
    }

    /// Whether the same event with another text gives the same output apart from the text.
    pub fn may_repeat(&self, event: &Event) -> bool {
        match event {
            Event::TextDelta { block, .. } | Event::ReasoningDelta { block, .. } => self.is_alone(*block),
            Event::CallDelta { block, .. } => self.is_streamed_alone(*block),
            _ => false,
        }
    }

    fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// An error ends the stream: blocks that wait for others are lost.
    pub fn lose(&self, run: &mut Run, at: At) {
        if self.is_waiting() {
            run.warn(WarningCode::ContentDropped, at, "content that was held back is lost because of the error");
        }
    }

    pub fn begin(&mut self, run: &mut Run, block: u32, kind: Closing, start: Value, output: &mut Output) -> Result<()> {
        let held = vec![run.export(start)?];
        let index = next_block(&mut self.count).to_string();
        self.waiting.begin(block, Started { block, index, kind, held, has_ended: false });
        if self.open.as_ref().is_none_or(Started::gives_way) {
            self.go_on(output);
        }
        Ok(())
    }

    /// Adds a delta to a block: its JSON text, and what it adds.
    pub fn add(&mut self, run: &Run, block: u32, added: Added, delta: &[u8], output: &mut Output) {
        let is_open = self.open() == Some(block);
        let events = self.events;
        let Some(started) = self.find(block) else { return };
        started.note(run, added);
        if !is_open {
            return started.held.push(delta.to_vec());
        }
        let gives_way = started.gives_way();
        (events.delta)(output, &started.index, delta);
        if gives_way && self.is_waiting() {
            self.go_on(output);
        }
    }

    /// Records another delta of the open block, like the last one; `text` is the content of a JSON string, without quotes.
    pub fn repeat(&mut self, text: &[u8]) {
        if let Some(Started { kind: Closing::Call(braces), .. }) = &mut self.open {
            braces.count(&unescaped(text));
        }
    }

    /// Ends a block.
    pub fn end(&mut self, block: u32, output: &mut Output) {
        if self.open() == Some(block) {
            self.go_on(output);
        } else if let Some(waiting) = self.find(block) {
            waiting.has_ended = true;
        }
    }

    /// Ends all blocks.
    pub fn end_all(&mut self, output: &mut Output) {
        while self.open.is_some() {
            self.go_on(output);
        }
    }

    /// Ends the open block, and writes waiting ones, up to one that has not ended.
    fn go_on(&mut self, output: &mut Output) {
        loop {
            if let Some(open) = self.open.take() {
                open.stop(self.events, output);
            }
            let Some(mut next) = self.waiting.end_first() else { return };
            next.release(self.events, output);
            let gives_way = next.has_ended || self.is_waiting() && next.gives_way();
            self.open = Some(next);
            if !gives_way {
                return;
            }
        }
    }
}

impl Started {
    fn note(&mut self, run: &Run, added: Added) {
        match (&mut self.kind, added) {
            (Closing::Call(braces), Added::Arguments(text)) => braces.count(run.store.text(text).as_bytes()),
            (Closing::Thinking { is_signed }, Added::Signature) => *is_signed = true,
            _ => {}
        }
    }

    fn gives_way(&self) -> bool {
        match &self.kind {
            Closing::Text | Closing::Thinking { .. } => true,
            Closing::Call(braces) => braces.are_closed(),
        }
    }

    /// Writes what was held back.
    fn release(&mut self, events: &BlockEvents, output: &mut Output) {
        let mut held = std::mem::take(&mut self.held).into_iter();
        if let Some(start) = held.next() {
            (events.start)(output, &self.index, &start);
        }
        held.for_each(|delta| (events.delta)(output, &self.index, &delta));
    }

    fn stop(&self, events: &BlockEvents, output: &mut Output) {
        if let (Closing::Thinking { is_signed: false }, Some(unsigned)) = (&self.kind, events.unsigned) {
            (events.delta)(output, &self.index, unsigned);
        }
        (events.stop)(output, &self.index);
    }
}

/// Tracks the text of a JSON object up to its last brace: nothing valid can follow.
#[derive(Default)]
pub struct Braces {
    depth: usize,
    was_open: bool,
    in_string: bool,
    is_escaped: bool,
}

impl Braces {
    fn count(&mut self, text: &[u8]) {
        for byte in text {
            match *byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' if self.in_string => self.is_escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'{' | b'[' if !self.in_string => {
                    self.depth += 1;
                    self.was_open = true;
                }
                b'}' | b']' if !self.in_string => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    fn are_closed(&self) -> bool {
        self.was_open && self.depth == 0
    }
}

/// Whether arguments are complete: nothing valid can follow.
pub fn are_complete(arguments: &str) -> bool {
    let mut braces = Braces::default();
    braces.count(arguments.as_bytes());
    braces.are_closed()
}
