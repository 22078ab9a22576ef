//! Writes the content of streams: blocks and calls.

use super::stream_order::{Delta, added, pieces};
use super::write_blocks::write_block;
use super::write_stream::Encoder;
use crate::dialect::shared::stream::{Closing, Order, Output, WriteCalls};
use crate::model::{Block, CallStart, Metadata, Reasoning};
use crate::run::{At, Result, Run};
use crate::value::{Keys, Kind, Value, Word};

impl Encoder {
    fn open(&mut self, run: &mut Run, block: u32, kind: Closing, start: Value, output: &mut Output) -> Result<()> {
        self.begin(run, output, true)?;
        self.order.begin(run, block, kind, start, output)
    }

    fn add(&mut self, run: &mut Run, block: u32, piece: Delta, output: &mut Output) -> Result<()> {
        let (kind, key, value) = piece;
        let mut delta = std::mem::take(&mut self.delta);
        delta.clear();
        for part in ["{\"type\":\"", kind.text(), "\",\"", key.text(), "\":"] {
            delta.extend_from_slice(part.as_bytes());
        }
        run.store.append_json(value, &mut delta).map_err(|fault| run.fault(fault, At::ROOT))?;
        delta.push(b'}');
        self.order.add(run, block, added(piece), &delta, output);
        self.delta = delta;
        Ok(())
    }

    pub(super) fn text(
        &mut self,
        run: &mut Run,
        at: At,
        (block, text): (u32, Value),
        metadata: &Metadata,
        output: &mut Output,
    ) -> Result<()> {
        let citations =
            metadata.own_field(Word::citations).filter(|citations| run.store.kind(*citations) == Kind::Array);
        let mut rest = metadata.clone();
        if citations.is_some() {
            rest.set_family_field(Word::citations, None);
        }
        let citations = citations.map(|citations| run.list(citations)).unwrap_or_default();
        let is_nothing = run.store.is_empty(text) && citations.is_empty();
        if is_nothing || self.order.takes(block) {
            run.warn_metadata(&rest, at);
        } else {
            let start = run.build_with(&rest, at, |run, start| {
                start.word(run, Word::r#type, Word::text);
                start.text(run, Word::text, "");
                start.null(run, Word::citations);
            });
            self.open(run, block, Closing::Text, start, output)?;
        }
        if !run.store.is_empty(text) {
            self.add(run, block, (Word::text_delta, Word::text, text), output)?;
        }
        for citation in citations {
            self.add(run, block, (Word::citations_delta, Word::citation, citation), output)?;
        }
        Ok(())
    }

    pub(super) fn thinking(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        if run.store.is_empty(text) {
            return Ok(());
        }
        if !self.order.takes(block) {
            self.open_thinking(run, block, &Metadata::default(), At::ROOT, output)?;
        }
        self.add(run, block, (Word::thinking_delta, Word::thinking, text), output)
    }

    fn open_thinking(
        &mut self,
        run: &mut Run,
        block: u32,
        metadata: &Metadata,
        at: At,
        output: &mut Output,
    ) -> Result<()> {
        let start = run.build_with(metadata, at, |run, start| {
            start.word(run, Word::r#type, Word::thinking);
            start.text(run, Word::thinking, "");
            start.text(run, Word::signature, "");
        });
        self.open(run, block, Closing::Thinking { is_signed: false }, start, output)
    }

    pub(super) fn reasoning_end(
        &mut self,
        run: &mut Run,
        block: u32,
        reasoning: &Reasoning,
        output: &mut Output,
    ) -> Result<()> {
        let Reasoning { at, signature, redacted, metadata, .. } = reasoning;
        if redacted.is_some() {
            self.order.end(block, output);
            return self.block(run, block, &Block::Reasoning(reasoning.clone()), output);
        }
        if self.order.takes(block) || signature.is_none() {
            run.warn_metadata(metadata, *at);
        } else {
            self.open_thinking(run, block, metadata, *at, output)?;
        }
        if let Some(signature) = signature {
            self.add(run, block, (Word::signature_delta, Word::signature, *signature), output)?;
        }
        self.order.end(block, output);
        Ok(())
    }

    /// Writes a whole block as its provider streams it; nothing if the format has no such block.
    pub(super) fn block(&mut self, run: &mut Run, number: u32, block: &Block, output: &mut Output) -> Result<()> {
        let list = run.build(|run| run.put_each([block], write_block));
        for block in run.list(list) {
            let (start, pieces) = pieces(run, block, At::ROOT)?;
            self.open(run, number, Closing::Text, start, output)?;
            for piece in pieces {
                self.add(run, number, piece, output)?;
            }
            self.order.end(number, output);
        }
        Ok(())
    }
}

impl WriteCalls for Encoder {
    fn order(&mut self) -> &mut Order {
        &mut self.order
    }

    fn call_start(&mut self, run: &mut Run, start: &CallStart, output: &mut Output) -> Result<()> {
        let CallStart { at, block, id, name, ref metadata } = *start;
        // its other metadata is written at its end
        let mut own = Metadata::default();
        let mut keys = Keys::default();
        for member in metadata.own_fields() {
            own.add_member(*member);
            keys.add(run.key_text(member.key).as_bytes());
        }
        let start = run.build_with(&own, at, |run, start| {
            start.word(run, Word::r#type, Word::tool_use);
            start.put(run, Word::id, id);
            start.put(run, Word::name, name);
            start.object(run, Word::input, |_, _| {});
            if own.family_field(Word::caller).is_none() {
                start.object(run, Word::caller, |run, caller| caller.word(run, Word::r#type, Word::direct));
            }
        });
        self.begin(run, output, true)?;
        self.order.begin_call(run, block, (start, keys), output)
    }

    fn arguments(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        self.add(run, block, (Word::input_json_delta, Word::partial_json, text), output)
    }
}
