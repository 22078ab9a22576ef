//! The end of items in a streamed response: emits what their deltas did not contain.

use super::messages::read_output_item;
use super::reasoning::is_content;
use super::stream_items::Items;
use super::stream_open::OpenItem;
use super::stream_texts::{PartKind, piece};
use crate::dialect::shared::{arguments, freeform};
use crate::model::{Add, Block, Event};
use crate::run::{At, Result, Run};
use crate::value::{Value, Word};

impl Items {
    /// Ends an item with its complete version.
    pub(super) fn done(&mut self, run: &mut Run, index: u32, item: (Value, At), events: &mut Vec<Event>) -> Result<()> {
        let position = match self.open.place(index) {
            Some(position) => position,
            None if self.places.has(index) => return Ok(()),
            None => self.begin(run, index, item, events)?,
        };
        self.close(run, position, Some(item), events)
    }

    /// The items in the complete response: those without events of their own are emitted now.
    pub fn complete(&mut self, run: &mut Run, output: Value, at: At, events: &mut Vec<Event>) -> Result<()> {
        for (index, (item, at)) in run.elements(output, at)?.enumerate() {
            let index = self.places.of_item(run, item).unwrap_or(index as u32);
            if !self.places.has(index) || self.open.place(index).is_some() {
                self.done(run, index, (item, at), events)?;
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

    fn close(&mut self, run: &mut Run, place: usize, item: Option<(Value, At)>, events: &mut Vec<Event>) -> Result<()> {
        let Some(mut open) = self.open.end(place) else { return Ok(()) };
        let (item, at) = match item {
            Some(item) => item,
            // nothing is known of a message that was cut off before its first part
            None if open.kind == Word::message && open.parts.is_empty() => return Ok(()),
            None => {
                let item = run.try_build(|run| open.put(run))?;
                run.warn_notices(At::ROOT);
                (item, run.recall(&open.place))
            }
        };
        if self.keeps {
            self.whole.add(run, open.index, item)?;
        }
        self.mentions.report(run, open.index, Some(item));
        for (offset, block) in read_output_item(run, item, at)?.into_iter().enumerate() {
            self.end_block(run, &mut open, offset as u32, block, events)?;
        }
        Ok(())
    }

    /// Emits what is known about a block at its end.
    fn end_block(
        &mut self,
        run: &mut Run,
        open: &mut OpenItem,
        offset: u32,
        block: Block,
        events: &mut Vec<Event>,
    ) -> Result<()> {
        let is_refusal = matches!(block, Block::Refusal { .. });
        match block {
            Block::Text { at, text, mut metadata } | Block::Refusal { at, text, mut metadata } => {
                self.refuses |= is_refusal;
                let kind = if is_refusal { PartKind::Refusal } else { PartKind::Text };
                let number = self.end_part(run, open, (kind, offset), Some((text, at)), events)?;
                open.forget_announced(run, &mut metadata)?;
                if !metadata.is_empty() {
                    let text = run.store.string("");
                    events.extend(piece(run, at, (number, kind, false), (text, metadata)));
                }
            }
            Block::Reasoning(mut reasoning) => {
                let is_content = is_content(run, &reasoning.metadata);
                // the parts are in two lists
                let summaries = open.parts.iter().filter(|part| part.kind == PartKind::Summary).count() as u32;
                let part = match is_content {
                    true => (PartKind::Reasoning, offset.saturating_sub(summaries)),
                    false => (PartKind::Summary, offset),
                };
                let text = reasoning.text.take().map(|text| (text, reasoning.at));
                let block = self.end_part(run, open, part, text, events)?;
                open.forget_announced(run, &mut reasoning.metadata)?;
                events.add(Event::ReasoningEnd { block, reasoning });
            }
            Block::Call(call) => {
                let text = arguments::text_if_any(run, &call)?;
                let input = freeform::input(run, &call);
                let kind = if input.is_some() { PartKind::Input } else { PartKind::Arguments };
                let at = run.down(call.at, kind.row().key);
                let block = self.end_part(run, open, (kind, 0), input.or(text).map(|text| (text, at)), events)?;
                if let Some(text) = text.filter(|_| input.is_some()) {
                    events.add(Event::CallDelta { block, text });
                }
                events.add(Event::CallEnd { block, call });
            }
            value => {
                let block = self.end_part(run, open, (PartKind::Text, offset), None, events)?;
                events.add(Event::Block { block, value });
            }
        }
        Ok(())
    }

    /// Emits the text of a part that had no deltas. Returns its block number.
    fn end_part(
        &mut self,
        run: &mut Run,
        open: &mut OpenItem,
        (kind, index): (PartKind, u32),
        text: Option<(Value, At)>,
        events: &mut Vec<Event>,
    ) -> Result<u32> {
        let part = open.part(&mut self.count, self.keeps, kind, index);
        if let Some((text, at)) = text {
            open.emit_text(run, part, (text, at, false), events)?;
        }
        Ok(open.parts.get(part).map_or(0, |part| part.number))
    }
}
