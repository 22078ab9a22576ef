//! The order that the wire demands: one block after another, each whole before the next begins (Q160).

use crate::dialect::shared::stream::{Output, UnderWay};
use crate::run::{At, Result, Run};
use crate::value::order::in_order;
use crate::value::text::unescaped;
use crate::value::{Kind as ValueKind, Value, Word};

/// The blocks of a stream that is written: one that is open, and those that wait for it.
#[derive(Default)]
pub struct Order {
    open: Option<Started>,
    /// By their blocks.
    waiting: UnderWay<Waiting>,
    /// How many were begun on the wire.
    count: u32,
}

struct Started {
    block: u32,
    kind: Kind,
}

/// Whether a block gives way to the next one before it was ended.
pub enum Kind {
    /// Text: what still comes of it goes into another block.
    Text,
    /// Reasoning: the same. The block ends with its signature, an empty one if there is none.
    Thinking { is_signed: bool },
    /// A call, once its arguments are whole.
    Call(Braces),
    /// A block that has all that belongs to it.
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
    /// Whether deltas of the block still have a place.
    pub fn takes(&self, block: u32) -> bool {
        let is_open = self.open.as_ref().is_some_and(|open| open.block == block);
        let waiting = self.waiting.latest(block);
        is_open || waiting.is_some_and(|waiting| !waiting.has_ended)
    }

    /// The block that waits and gets more.
    fn waiting(&mut self, block: u32) -> Option<&mut Waiting> {
        let place = self.waiting.place(block)?;
        self.waiting.at_mut(place).filter(|waiting| !waiting.has_ended)
    }

    /// The block that is open on the wire.
    pub fn open(&self) -> Option<u32> {
        self.open.as_ref().map(|open| open.block)
    }

    /// Whether the block is open, and none waits for it.
    pub fn is_alone(&self, block: u32) -> bool {
        self.open() == Some(block) && self.waiting.is_empty()
    }

    pub fn is_waiting(&self) -> bool {
        !self.waiting.is_empty()
    }

    pub fn begin(&mut self, run: &mut Run, block: u32, kind: Kind, start: Value, output: &mut Output) -> Result<()> {
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

    /// Adds a delta to a block: its JSON text, and the piece that it is, unless its kind is unknown.
    pub fn add(&mut self, run: &Run, block: u32, piece: Option<Piece>, delta: &[u8], output: &mut Output) {
        if let Some(open) = self.open.as_mut().filter(|open| open.block == block) {
            open.count(run, piece);
            let gives_way = open.gives_way();
            self.begin_delta(output);
            output.raw(delta);
            end_delta(output);
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

    /// The open block gets another delta like the last: what stands between the quotes of its text.
    pub fn repeat(&mut self, text: &[u8]) {
        if let Some(Started { kind: Kind::Call(braces), .. }) = &mut self.open {
            braces.count(&unescaped(text));
        }
    }

    /// The block has all that belongs to it.
    pub fn end(&mut self, block: u32, output: &mut Output) {
        if self.open.as_ref().is_some_and(|open| open.block == block) {
            self.stop(output);
            self.go_on(output);
        } else if let Some(waiting) = self.waiting(block) {
            waiting.has_ended = true;
        }
    }

    /// No more comes of any block.
    pub fn end_all(&mut self, output: &mut Output) {
        while self.open.is_some() {
            self.stop(output);
            self.go_on(output);
        }
    }

    /// Writes those that waited, up to one that is still to be ended.
    fn go_on(&mut self, output: &mut Output) {
        while let Some(next) = self.waiting.first().and_then(|place| self.waiting.end(place)) {
            self.write_start(&next.start, output);
            for delta in &next.deltas {
                self.begin_delta(output);
                output.raw(delta);
                end_delta(output);
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
        output.begin(Word::content_block_start.text());
        output.raw(b"{\"type\":\"content_block_start\",\"index\":");
        output.number(self.count);
        output.raw(b",\"content_block\":");
        output.raw(start);
        output.raw(b"}");
        output.end();
        self.count += 1;
    }

    fn begin_delta(&self, output: &mut Output) {
        output.begin(Word::content_block_delta.text());
        output.raw(b"{\"type\":\"content_block_delta\",\"index\":");
        output.number(self.count.saturating_sub(1));
        output.raw(b",\"delta\":");
    }

    fn stop(&mut self, output: &mut Output) {
        if let Some(Started { kind: Kind::Thinking { is_signed: false }, .. }) = self.open.take() {
            self.begin_delta(output);
            output.raw(b"{\"type\":\"signature_delta\",\"signature\":\"\"}");
            end_delta(output);
        }
        output.begin(Word::content_block_stop.text());
        output.raw(b"{\"type\":\"content_block_stop\",\"index\":");
        output.number(self.count.saturating_sub(1));
        end_delta(output);
    }
}

fn end_delta(output: &mut Output) {
    output.raw(b"}");
    output.end();
}

impl Started {
    fn count(&mut self, run: &Run, piece: Option<Piece>) {
        let Some((word, _, value)) = piece else { return };
        match (&mut self.kind, word) {
            (Kind::Call(braces), Word::input_json_delta) => braces.count(run.store.text(value).as_bytes()),
            (Kind::Thinking { is_signed }, Word::signature_delta) => *is_signed = true,
            _ => {}
        }
    }

    fn gives_way(&self) -> bool {
        match &self.kind {
            Kind::Text | Kind::Thinking { .. } => true,
            Kind::Call(braces) => braces.are_closed(),
            Kind::Whole => false,
        }
    }
}

/// Follows the text of an object up to its last brace: nothing valid can come after that.
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

/// What of a kind of block is streamed in pieces: its field, what type that has, and the kind and the key of its deltas.
type Pieces = &'static [(Word, ValueKind, Word, Word)];

const TEXT: Pieces = &[
    (Word::text, ValueKind::String, Word::text_delta, Word::text),
    (Word::citations, ValueKind::Array, Word::citations_delta, Word::citation),
];
const THINKING: Pieces = &[
    (Word::thinking, ValueKind::String, Word::thinking_delta, Word::thinking),
    (Word::signature, ValueKind::String, Word::signature_delta, Word::signature),
];
const INPUT: Pieces = &[(Word::input, ValueKind::Object, Word::input_json_delta, Word::partial_json)];

/// The kind of a delta, the key of what it says, and that.
pub type Piece = (Word, Word, Value);

/// A whole block in the form of a stream: what it starts with, and its deltas.
pub fn pieces(run: &mut Run, block: Value, at: At) -> Result<(Value, Vec<Piece>)> {
    let members = run.object(block, at)?.rest();
    let kind = members.family_field(Word::r#type).map_or(Word::Unknown, |kind| run.store.word(kind));
    let table = match kind {
        Word::text => TEXT,
        Word::thinking => THINKING,
        _ => INPUT,
    };
    let mut deltas = Vec::new();
    let start = run.try_build(|run| {
        run.store.begin_object();
        for member in members.family() {
            run.put_key(member.key);
            let row = table.iter().find(|row| row.0 == member.key.word() && row.1 == run.store.kind(member.value));
            match row.filter(|_| !run.is_void(member.value)) {
                None => run.store.put(member.value),
                Some((_, ValueKind::String, kind, key)) => {
                    deltas.push((*kind, *key, member.value));
                    run.store.put_text("");
                }
                Some((_, ValueKind::Array, kind, key)) => {
                    deltas.extend(run.list(member.value).into_iter().map(|item| (*kind, *key, item)));
                    run.put_array(&[]);
                }
                Some((_, _, kind, key)) => {
                    deltas.push((*kind, *key, run.json_text(member.value, at)?));
                    run.begin().close(run);
                }
            }
        }
        run.store.end_object();
        Ok(())
    })?;
    // what a block says comes before what is said of it
    let row_of = |(kind, ..): &Piece| table.iter().position(|row| row.2 == *kind).map_or(0, |row| row as u32);
    let order = in_order(&deltas, row_of);
    Ok((start, order.into_iter().filter_map(|position| deltas.get(position).copied()).collect()))
}
