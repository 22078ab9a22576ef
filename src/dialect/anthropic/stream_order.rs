//! The order that the format requires: one block after another, each complete before the next one begins (Q160).

use super::stream_blocks::{DELTAS, DeltaRow};
use crate::dialect::shared::stream::{Output, UnderWay};
use crate::run::{At, Result, Run};
use crate::value::order::in_order;
use crate::value::text::unescaped;
use crate::value::{Kind, Value, Word};

/// The blocks of an output stream: the open one, and those that wait for it.
#[derive(Default)]
pub struct Order {
    open: Option<Started>,
    /// By block number.
    waiting: UnderWay<Waiting>,
    /// Number of blocks that were started on the wire.
    count: u32,
}

struct Started {
    block: u32,
    kind: Closing,
}

/// Determines whether a block can be closed before its end event, so that the next one can start.
pub enum Closing {
    /// Text: later text goes into a new block.
    Text,
    /// Reasoning: as for text. The block ends with its signature, or an empty one.
    Thinking { is_signed: bool },
    /// A call can be closed once its arguments are complete.
    Call(Braces),
    /// A complete block.
    Whole,
}

struct Waiting {
    started: Started,
    /// JSON texts.
    start: Vec<u8>,
    deltas: Vec<Vec<u8>>,
    has_ended: bool,
}

impl Order {
    /// Whether deltas of the block can still be written.
    pub fn takes(&self, block: u32) -> bool {
        let is_open = self.open.as_ref().is_some_and(|open| open.block == block);
        let waiting = self.waiting.latest(block);
        is_open || waiting.is_some_and(|waiting| !waiting.has_ended)
    }

    /// The waiting block, if it has not ended.
    fn waiting(&mut self, block: u32) -> Option<&mut Waiting> {
        let place = self.waiting.place(block)?;
        self.waiting.at_mut(place).filter(|waiting| !waiting.has_ended)
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
        let started = Started { block, kind };
        if self.open.as_ref().is_some_and(Started::gives_way) {
            self.stop(output);
        }
        let start = run.export(start)?;
        if self.open.is_some() {
            self.waiting.begin(block, Waiting { started, start, deltas: Vec::new(), has_ended: false });
            return Ok(());
        }
        self.write_start(&start, output);
        self.open = Some(started);
        Ok(())
    }

    /// Adds a delta to a block: its JSON text, and its parts if its type is known.
    pub fn add(&mut self, run: &Run, block: u32, piece: Option<Delta>, delta: &[u8], output: &mut Output) {
        if let Some(open) = self.open.as_mut().filter(|open| open.block == block) {
            open.count(run, piece);
            let gives_way = open.gives_way();
            self.write_delta(delta, output);
            if gives_way && !self.waiting.is_empty() {
                self.stop(output);
                self.go_on(output);
            }
            return;
        }
        if let Some(waiting) = self.waiting(block) {
            waiting.started.count(run, piece);
            waiting.deltas.push(delta.to_vec());
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
        if self.open.as_ref().is_some_and(|open| open.block == block) {
            self.stop(output);
            self.go_on(output);
        } else if let Some(waiting) = self.waiting(block) {
            waiting.has_ended = true;
        }
    }

    /// Ends all blocks.
    pub fn end_all(&mut self, output: &mut Output) {
        while self.open.is_some() {
            self.stop(output);
            self.go_on(output);
        }
    }

    /// Writes waiting blocks, up to one that has not ended.
    fn go_on(&mut self, output: &mut Output) {
        while let Some(next) = self.waiting.first().and_then(|place| self.waiting.end(place)) {
            self.write_start(&next.start, output);
            for delta in &next.deltas {
                self.write_delta(delta, output);
            }
            let gives_way = next.has_ended || !self.waiting.is_empty() && next.started.gives_way();
            self.open = Some(next.started);
            if !gives_way {
                return;
            }
            self.stop(output);
        }
    }

    fn write_start(&mut self, start: &[u8], output: &mut Output) {
        self.count += 1;
        self.begin_event(Word::content_block_start, output);
        output.raw(b",\"content_block\":");
        output.raw(start);
        output.end_object();
    }

    /// Writes a delta of the open block: its JSON text.
    fn write_delta(&self, delta: &[u8], output: &mut Output) {
        self.begin_event(Word::content_block_delta, output);
        output.raw(b",\"delta\":");
        output.raw(delta);
        output.end_object();
    }

    fn stop(&mut self, output: &mut Output) {
        if let Some(Started { kind: Closing::Thinking { is_signed: false }, .. }) = self.open.take() {
            self.write_delta(b"{\"type\":\"signature_delta\",\"signature\":\"\"}", output);
        }
        self.begin_event(Word::content_block_stop, output);
        output.end_object();
    }

    /// Starts an event of the open block: its type and its index.
    fn begin_event(&self, name: Word, output: &mut Output) {
        output.begin(name.text());
        output.raw(b"{\"type\":\"");
        output.raw(name.text().as_bytes());
        output.raw(b"\",\"index\":");
        output.number(self.count.saturating_sub(1));
    }
}

impl Started {
    fn count(&mut self, run: &Run, piece: Option<Delta>) {
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
            Closing::Whole => false,
        }
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

/// A whole block as a stream would send it: the start of the block, and its deltas.
pub fn pieces(run: &mut Run, block: Value, at: At) -> Result<(Value, Vec<Delta>)> {
    let members = run.object(block, at)?.rest();
    let kind = members.family_field(Word::r#type).map_or(Word::Unknown, |kind| run.store.word(kind));
    let mut deltas = Vec::new();
    let start = run.try_build(|run| {
        run.store.begin_object();
        for member in members.family() {
            run.put_key(member.key);
            let is_piece = |piece: &&DeltaRow| piece.is_of(kind) && piece.member == member.key.word();
            let piece = DELTAS.iter().find(is_piece).filter(|piece| piece.kind == run.store.kind(member.value));
            match piece.filter(|_| !run.is_void(member.value)) {
                None => run.store.put(member.value),
                Some(DeltaRow { kind: Kind::String, delta, key, .. }) => {
                    deltas.push((*delta, *key, member.value));
                    run.store.put_text("");
                }
                Some(DeltaRow { kind: Kind::Array, delta, key, .. }) => {
                    deltas.extend(run.list(member.value).into_iter().map(|item| (*delta, *key, item)));
                    run.store.put_array(&[]);
                }
                Some(DeltaRow { delta, key, .. }) => {
                    deltas.push((*delta, *key, run.json_text(member.value, at)?));
                    run.begin().close(run);
                }
            }
        }
        run.store.end_object();
        Ok(())
    })?;
    // content before annotations
    let place = |(delta, ..): &Delta| DELTAS.iter().position(|piece| piece.delta == *delta).map_or(0, |at| at as u32);
    let order = in_order(&deltas, place);
    Ok((start, order.into_iter().filter_map(|position| deltas.get(position).copied()).collect()))
}
