//! The end of items in a streamed response: emits what their deltas did not contain.

use super::messages::read_output_item;
use super::reasoning::is_content;
use super::stream_items::Items;
use super::stream_texts::{mark, piece};
use crate::dialect::shared::arguments;
use crate::model::{Add, Block, Call, Event, Metadata};
use crate::run::{At, Result, Run};
use crate::value::{Value, Word};

impl Items {
    /// Ends an item with its complete version.
    pub(super) fn done(
        &mut self,
        run: &mut Run,
        index: u32,
        item: Value,
        at: At,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let position = match self.open.place(index) {
            Some(position) => position,
            None if self.places.has(index) => return Ok(()),
            None => self.begin(run, index, item, at, events)?,
        };
        if let Some(open) = self.open.at_mut(position) {
            open.compare_call(run, item, at)?;
        }
        self.close(run, position, Some((item, at)), events)
    }

    /// The items in the complete response: those without events of their own are emitted now.
    pub fn complete(&mut self, run: &mut Run, output: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        for (index, (item, at)) in run.elements(output, at)?.enumerate() {
            let index = self.places.of_item(run, item).unwrap_or(index as u32);
            if !self.places.has(index) || self.open.place(index).is_some() {
                self.done(run, index, item, at, events)?;
            } else {
                self.mentions.note(run, index, item, at);
                self.mentions.report(run, index, None);
            }
        }
        Ok(())
    }

    /// Ends all items.
    pub fn close_all(&mut self, run: &mut Run, events: &mut Vec<Event>) -> Result<()> {
        while let Some(position) = self.open.first() {
            self.close(run, position, None, events)?;
        }
        Ok(())
    }

    fn close(
        &mut self,
        run: &mut Run,
        position: usize,
        item: Option<(Value, At)>,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let open = self.open.at(position);
        let (item, at) = match (item, open) {
            (Some(item), _) => item,
            // nothing is known of a message that was cut off before its first part
            (None, Some(open)) if open.kind == Word::message && open.parts.is_empty() => {
                self.open.end(position);
                return Ok(());
            }
            (None, Some(open)) => {
                let item = run.try_build(|run| open.put(run))?;
                run.warn_notices(At::ROOT);
                (item, run.recall(&open.place))
            }
            (None, None) => return Ok(()),
        };
        if let Some(open) = open {
            if self.keeps {
                self.whole.add(run, open.index, item)?;
            }
            self.mentions.report(run, open.index, Some(item));
        }
        for (offset, block) in read_output_item(run, item, at)?.into_iter().enumerate() {
            self.end_block(run, position, offset, block, events)?;
        }
        self.open.end(position);
        Ok(())
    }

    /// Emits what is known about a block at its end.
    fn end_block(
        &mut self,
        run: &mut Run,
        position: usize,
        offset: usize,
        block: Block,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let is_refusal = matches!(block, Block::Refusal { .. });
        match block {
            Block::Text { at, text, mut metadata } | Block::Refusal { at, text, mut metadata } => {
                self.refuses |= is_refusal;
                let kind = if is_refusal { Word::refusal } else { Word::output_text };
                let block = self.emit_text(run, position, (offset, Word::content, kind), Some(text), at, events)?;
                self.forget_announced(run, position, &mut metadata)?;
                if !metadata.is_empty() {
                    let text = run.store.string("");
                    events.add(match is_refusal {
                        true => Event::RefusalDelta { at, block, text, metadata },
                        false => Event::TextDelta { at, block, text, metadata },
                    });
                }
            }
            Block::Reasoning(mut reasoning) => {
                let kind = if is_content(run, &reasoning.metadata) { Word::reasoning_text } else { Word::summary_text };
                let number = self.emit_reasoning(run, position, offset, kind, reasoning.text, reasoning.at, events)?;
                self.forget_announced(run, position, &mut reasoning.metadata)?;
                reasoning.text = None;
                events.add(Event::ReasoningEnd { block: number, reasoning });
            }
            Block::Call(call) => self.end_call(run, position, call, events)?,
            value => {
                let number = self.number(position, offset);
                events.add(Event::Block { block: number, value });
            }
        }
        Ok(())
    }

    fn end_call(&mut self, run: &mut Run, position: usize, call: Call, events: &mut Vec<Event>) -> Result<()> {
        let Some(open) = self.open.at(position) else { return Ok(()) };
        let block = open.first;
        if !open.is_emitted
            && let Some(text) = arguments::text_if_any(run, &call)?
        {
            events.add(Event::CallDelta { block, text });
        }
        events.add(Event::CallEnd { block, call });
        Ok(())
    }

    /// The number of a block that is emitted whole.
    fn number(&mut self, position: usize, offset: usize) -> u32 {
        let part = self.part(position, (Word::content, offset as u32, Word::Unknown));
        self.open.at(position).and_then(|open| open.parts.get(part)).map_or(0, |part| part.number)
    }

    /// Emits the text of a part that had no deltas. Returns its block number.
    fn emit_text(
        &mut self,
        run: &mut Run,
        position: usize,
        (index, list, kind): (usize, Word, Word),
        text: Option<Value>,
        at: At,
        events: &mut Vec<Event>,
    ) -> Result<u32> {
        let part = self.part(position, (list, index as u32, kind));
        let Some(open) = self.open.at_mut(position) else { return Ok(0) };
        let Some(known) = open.parts.get_mut(part) else { return Ok(0) };
        let number = known.number;
        let text = text.filter(|text| !run.store.is_empty(*text));
        if let Some(text) = text.filter(|_| known.has_text) {
            known.hash.compare(run, text, at);
        } else if let Some(text) = text {
            let mut metadata = open.announce(run)?;
            mark(run, kind, &mut metadata);
            open.parts.get_mut(part).into_iter().for_each(|part| part.has_text = true);
            events.add(piece(at, number, kind, (text, metadata)));
        }
        Ok(number)
    }

    fn forget_announced(&self, run: &mut Run, position: usize, metadata: &mut Metadata) -> Result<()> {
        self.open.at(position).map_or(Ok(()), |open| open.forget_announced(run, metadata))
    }

    /// The same for reasoning, whose parts are in two lists.
    #[allow(clippy::too_many_arguments)]
    fn emit_reasoning(
        &mut self,
        run: &mut Run,
        position: usize,
        offset: usize,
        kind: Word,
        text: Option<Value>,
        at: At,
        events: &mut Vec<Event>,
    ) -> Result<u32> {
        let summaries = self
            .open
            .at(position)
            .map_or(0, |open| open.parts.iter().filter(|part| part.list == Word::summary).count());
        let (list, index) = match kind {
            Word::reasoning_text => (Word::content, offset.saturating_sub(summaries)),
            _ => (Word::summary, offset),
        };
        self.emit_text(run, position, (index, list, kind), text, at, events)
    }
}
