//! The order that the format requires: one block after another, each complete before the next one begins (Q160).

use super::stream_blocks::DELTAS;
use crate::dialect::shared::stream::{Output, UnderWay, next_block};
use crate::run::{At, Result, Run};
use crate::value::text::unescaped;
use crate::value::{Kind, Value, Word};

/// The blocks of an output stream: the open one, and those that wait for it.
#[derive(Default)]
pub struct Order {
    open: Option<Started>,
    /// By block number.
    waiting: UnderWay<Started>,
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

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
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

    /// Adds a delta to a block: its JSON text, and its parts if its type is known.
    pub fn add(&mut self, run: &Run, block: u32, piece: Option<Delta>, delta: &[u8], output: &mut Output) {
        let is_open = self.open() == Some(block);
        let Some(started) = self.find(block) else { return };
        started.note(run, piece);
        if !is_open {
            return started.held.push(delta.to_vec());
        }
        let gives_way = started.gives_way();
        started.write_delta(delta, output);
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
                open.stop(output);
            }
            let Some(mut next) = self.waiting.end_first() else { return };
            next.release(output);
            let gives_way = next.has_ended || self.is_waiting() && next.gives_way();
            self.open = Some(next);
            if !gives_way {
                return;
            }
        }
    }
}

impl Started {
    fn note(&mut self, run: &Run, piece: Option<Delta>) {
        let Some((word, _, value)) = piece else { return };
        match (&mut self.kind, word) {
            (Closing::Call(braces), Word::input_json_delta) => braces.count(run.store.text(value).as_bytes()),
            (Closing::Thinking { is_signed }, Word::signature_delta) => *is_signed = true,
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
    fn release(&mut self, output: &mut Output) {
        let mut held = std::mem::take(&mut self.held).into_iter();
        if let Some(start) = held.next() {
            self.write(Word::content_block_start, &[b",\"content_block\":", &start], output);
        }
        held.for_each(|delta| self.write_delta(&delta, output));
    }

    fn write_delta(&self, delta: &[u8], output: &mut Output) {
        self.write(Word::content_block_delta, &[b",\"delta\":", delta], output);
    }

    fn stop(&self, output: &mut Output) {
        if let Closing::Thinking { is_signed: false } = self.kind {
            self.write_delta(b"{\"type\":\"signature_delta\",\"signature\":\"\"}", output);
        }
        self.write(Word::content_block_stop, &[], output);
    }

    /// Writes an event of the block: its type, its index, and a member in pieces.
    fn write(&self, event: Word, member: &[&[u8]], output: &mut Output) {
        let place: [&[u8]; 2] = [b",\"index\":", self.index.as_bytes()];
        output.typed(event, place.iter().chain(member).copied());
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

/// The type of a delta, the key of its value, and the value.
pub type Delta = (Word, Word, Value);

/// A whole block as a stream would send it: the start of the block, and its deltas, content before annotations.
pub fn pieces(run: &mut Run, block: Value, at: At) -> Result<(Value, Vec<Delta>)> {
    let mut start = run.object(block, at)?.rest();
    let kind = run.type_of(block);
    let mut deltas = Vec::new();
    for piece in DELTAS.iter().filter(|piece| piece.is_of(kind)) {
        let whole = start.family_field(piece.member).filter(|whole| run.store.kind(*whole) == piece.kind);
        let Some(whole) = whole.filter(|whole| !run.is_void(*whole)) else { continue };
        let (parts, empty) = match piece.kind {
            Kind::String => (vec![whole], run.store.string("")),
            Kind::Array => (run.list(whole).into_iter().collect(), run.store.array_of(&[])),
            _ => (vec![run.json_text(whole, at)?], run.store.empty_object()),
        };
        deltas.extend(parts.into_iter().map(|part| (piece.delta, piece.key, part)));
        start.set_family_field(piece.member, Some(empty));
    }
    Ok((run.family_object(&start), deltas))
}
