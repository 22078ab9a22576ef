//! Writes the content of streams: blocks and calls.

use super::write_blocks::{put_type, write_block};
use super::write_stream::Encoder;
use crate::dialect::shared::stream::{Added, Closing, Order, Output, WriteCalls};
use crate::model::{Block, CallStart, Metadata, Reasoning};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Keys, Kind, Value, Word};

impl Encoder {
    fn open(&mut self, run: &mut Run, block: u32, kind: Closing, start: Value, output: &mut Output) -> Result<()> {
        self.begin(output);
        self.order.begin(run, block, kind, start, output)
    }

    /// Begins a block that has no start event, if it is not open.
    fn require(&mut self, run: &mut Run, block: u32, kind: Closing, output: &mut Output) -> Result<()> {
        if self.order.takes(block) {
            return Ok(());
        }
        let nothing = run.build(|run| run.store.put_null());
        self.open(run, block, kind, nothing, output)
    }

    /// Adds a delta: `before` and `after` are the JSON text around its value.
    fn add(
        &mut self,
        run: &mut Run,
        block: u32,
        (before, value, after): (&str, Value, &str),
        added: Added,
        output: &mut Output,
    ) -> Result<()> {
        let mut delta = std::mem::take(&mut self.delta);
        delta.clear();
        delta.extend_from_slice(before.as_bytes());
        run.store.append_json(value, &mut delta).map_err(|fault| run.fault(fault, At::ROOT))?;
        delta.extend_from_slice(after.as_bytes());
        self.order.add(run, block, added, &delta, output);
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
        let cited = metadata.own_field(Word::citationsContent).and_then(|cited| run.field(cited, Word::citations));
        let citations = cited.filter(|citations| run.store.kind(*citations) == Kind::Array);
        let mut rest = metadata.clone();
        if let Some(cited) = metadata.own_field(Word::citationsContent).filter(|_| citations.is_some()) {
            let others = run.build_object(|run, object| {
                object.skip(run, Word::citations);
                object.add_rest(run, Some(cited));
            });
            let others = Some(others).filter(|others| !run.is_void(*others));
            rest.set_family_field(Word::citationsContent, others);
        }
        run.warn_metadata(&rest, at);
        let citations = citations.map(|citations| run.list(citations)).unwrap_or_default();
        if run.store.is_empty(text) && citations.is_empty() {
            return Ok(());
        }
        self.require(run, block, Closing::Text, output)?;
        if !run.store.is_empty(text) {
            self.add(run, block, ("{\"text\":", text, "}"), Added::Other, output)?;
        }
        for citation in citations {
            self.add(run, block, ("{\"citation\":", citation, "}"), Added::Other, output)?;
        }
        Ok(())
    }

    pub(super) fn reasoning(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        if run.store.is_empty(text) {
            return Ok(());
        }
        self.require(run, block, Closing::Thinking { is_signed: false }, output)?;
        self.add(run, block, ("{\"reasoningContent\":{\"text\":", text, "}}"), Added::Other, output)
    }

    pub(super) fn reasoning_end(
        &mut self,
        run: &mut Run,
        block: u32,
        reasoning: &Reasoning,
        output: &mut Output,
    ) -> Result<()> {
        let Reasoning { at, signature, redacted, metadata, .. } = reasoning;
        run.warn_metadata(metadata, *at);
        for (word, value) in [(Word::signature, signature), (Word::redactedContent, redacted)] {
            self.thought(run, block, (word, *value), output)?;
        }
        self.order.end(block, output);
        Ok(())
    }

    /// Writes a part of a thought, if it has one.
    fn thought(
        &mut self,
        run: &mut Run,
        block: u32,
        (word, value): (Word, Option<Value>),
        output: &mut Output,
    ) -> Result<()> {
        let Some(value) = value else { return Ok(()) };
        // clients assemble the block from its pieces, and its text is required in requests (boto3)
        let lacks_text = word == Word::signature && !self.order.takes(block);
        self.require(run, block, Closing::Thinking { is_signed: false }, output)?;
        if lacks_text {
            let empty = run.store.string("");
            self.add(run, block, ("{\"reasoningContent\":{\"text\":", empty, "}}"), Added::Other, output)?;
        }
        let before = ["{\"reasoningContent\":{\"", word.text(), "\":"].concat();
        let added = if word == Word::signature { Added::Signature } else { Added::Other };
        self.add(run, block, (&before, value, "}}"), added, output)
    }

    /// Writes the parts of a whole thought.
    fn whole_thought(&mut self, run: &mut Run, block: u32, content: Value, output: &mut Output) -> Result<()> {
        let parts = run.field(content, Word::reasoningText).unwrap_or(content);
        for word in [Word::text, Word::signature, Word::redactedContent] {
            let part = run.field(parts, word).filter(|part| !run.store.is_empty(*part));
            self.thought(run, block, (word, part), output)?;
        }
        Ok(())
    }

    /// Writes a whole block in pieces, as a model streams it.
    pub(super) fn block(&mut self, run: &mut Run, number: u32, block: &Block, output: &mut Output) -> Result<()> {
        let list = run.build(|run| run.put_each([block], write_block));
        for whole in run.list(list) {
            match run.members(whole).as_slice() {
                [only] if only.word == Word::text => {
                    self.require(run, number, Closing::Text, output)?;
                    self.add(run, number, ("", whole, ""), Added::Other, output)?;
                }
                [only] if only.word == Word::reasoningContent => {
                    self.whole_thought(run, number, only.value, output)?;
                }
                [only] if only.word == Word::citationsContent => self.cited(run, number, only.value, output)?,
                [only] if matches!(only.word, Word::image | Word::toolResult | Word::toolUse) => {
                    self.in_pieces(run, number, (only.word, only.value), output)?;
                }
                _ => {
                    run.warn(WarningCode::NativeDropped, block.at(), "a stream of the target has no such block");
                }
            }
            self.order.end(number, output);
        }
        Ok(())
    }

    /// A text with citations.
    fn cited(&mut self, run: &mut Run, number: u32, cited: Value, output: &mut Output) -> Result<()> {
        self.require(run, number, Closing::Text, output)?;
        for (word, before, after) in [(Word::content, "", ""), (Word::citations, "{\"citation\":", "}")] {
            let list = run.field(cited, word).filter(|list| run.store.kind(*list) == Kind::Array);
            for item in list.map(|list| run.list(list)).unwrap_or_default() {
                self.add(run, number, (before, item, after), Added::Other, output)?;
            }
        }
        Ok(())
    }

    /// An image, whose source is a delta, a result, whose content is one, or a call that the server runs, whose input is one.
    fn in_pieces(
        &mut self,
        run: &mut Run,
        number: u32,
        (word, inner): (Word, Value),
        output: &mut Output,
    ) -> Result<()> {
        let (piece, before, after) = match word {
            Word::image => (Word::source, "{\"image\":{\"source\":", "}}"),
            Word::toolUse => (Word::input, "{\"toolUse\":{\"input\":", "}}"),
            _ => (Word::content, "{\"toolResult\":[", "]}"),
        };
        let start = run.build_object(|run, start| {
            start.object(run, word, |run, object| {
                object.skip(run, piece);
                object.add_rest(run, Some(inner));
            });
        });
        self.open(run, number, Closing::Text, start, output)?;
        if let Some(value) = run.field(inner, piece) {
            let pieces = match word {
                Word::toolUse => vec![run.json_text(value, At::ROOT)?],
                Word::toolResult if run.store.kind(value) == Kind::Array => run.list(value).into_iter().collect(),
                _ => vec![value],
            };
            for piece in pieces {
                self.add(run, number, (before, piece, after), Added::Other, output)?;
            }
        }
        Ok(())
    }
}

impl WriteCalls for Encoder {
    fn order(&mut self) -> &mut Order {
        &mut self.order
    }

    fn call_start(&mut self, run: &mut Run, start: &CallStart, output: &mut Output) -> Result<()> {
        let CallStart { at: _, block, id, name, ref metadata } = *start;
        // its other metadata is written at its end
        let mut keys = Keys::default();
        let start = run.build_object(|run, start| {
            start.object_with_rest(run, metadata, Word::toolUse, |run, inner| {
                inner.put(run, Word::toolUseId, id);
                inner.put(run, Word::name, name);
                put_type(run, inner, metadata);
            });
        });
        if metadata.own_field(Word::toolUse).is_some() {
            keys.add(Word::toolUse.text().as_bytes());
        }
        self.begin(output);
        self.order.begin_call(run, block, (start, keys), output)
    }

    fn arguments(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        self.add(run, block, ("{\"toolUse\":{\"input\":", text, "}}"), Added::Arguments(text), output)
    }
}
