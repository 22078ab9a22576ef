//! Writes messages and reasoning of a stream: items with parts, each in pieces.

use super::stream_output::Item;
use super::stream_texts::{PartKind, Row};
use super::write_stream::{Delta, Encoder};
use super::{items, reasoning};
use crate::dialect::shared::stream::Output;
use crate::model::{Metadata, Reasoning};
use crate::run::{At, Result, Run};
use crate::value::{Value, Word};

/// Metadata of a text that have a place here: the fields of its item and of its part.
const PLACED: &[Word] = &[Word::item, Word::output_text];

impl Encoder {
    pub(super) fn write_text(
        &mut self,
        run: &mut Run,
        (block, kind): (u32, PartKind),
        text: Value,
        (metadata, at): (&Metadata, At),
        output: &mut Output,
    ) -> Result<()> {
        run.warn_metadata(&items::without(metadata, PLACED), at);
        if run.store.is_empty(text) {
            return self.keep(run, block, (metadata, at));
        }
        let kind = match self.open_item.as_ref().and_then(|item| item.kind_of(block)) {
            // the start of the block determines the kind of its text
            Some(open) if kind == PartKind::Summary => open,
            None if kind == PartKind::Summary && reasoning::is_content(run, metadata) => PartKind::Reasoning,
            Some(_) | None => kind,
        };
        if let Some(item) = self.open_item.as_mut().filter(|item| item.kind_of(block) == Some(kind)) {
            item.keep(run, metadata)?;
        } else {
            self.item(run, kind, metadata, output)?;
            self.close_part(run, output)?;
            self.begin_part(run, block, kind, output)?;
        }
        let Some(item) = &mut self.open_item else { return Ok(()) };
        item.keep_of_part(run, block, metadata)?;
        let delta = Delta { name: kind.row().delta, place: item.place(kind), call: None };
        self.delta(run, delta, text, output)
    }

    fn begin_part(&mut self, run: &mut Run, block: u32, kind: PartKind, output: &mut Output) -> Result<()> {
        let Some(item) = &mut self.open_item else { return Ok(()) };
        let (place, part) = item.begin_part(run, block, kind)?;
        self.event(run, (kind.part_events().0, &place), (Word::part, part), output)
    }

    /// Keeps the metadata that follow the text of a block.
    fn keep(&mut self, run: &mut Run, block: u32, (metadata, at): (&Metadata, At)) -> Result<()> {
        let Some(item) = self.open_item.as_mut().filter(|item| item.has(block)) else {
            run.warn_metadata(metadata, at);
            return Ok(());
        };
        item.keep(run, metadata)?;
        item.keep_of_part(run, block, metadata)
    }

    /// Keeps fields of the open item. Opens another one if that can't have a part of this kind.
    fn item(&mut self, run: &mut Run, kind: PartKind, metadata: &Metadata, output: &mut Output) -> Result<()> {
        self.ensure_started(run, output)?;
        let open = self.open_item.as_ref();
        if !open.is_some_and(|item| item.takes(run, kind, metadata)) {
            self.next_item(run, output)?;
            let index = self.next_index();
            let mut item = Item::new(run, index, &self.seed, kind, metadata);
            item.keep(run, metadata)?;
            let begun = run.try_build(|run| item.put(run, Word::in_progress))?;
            self.open_item = Some(item);
            return self.item_event(run, Word::output_item_added, index, begun, output);
        }
        self.open_item.as_mut().map_or(Ok(()), |item| item.keep(run, metadata))
    }

    /// Ends the open part: writes its complete text, and the part.
    fn close_part(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        let Some(item) = &mut self.open_item else { return Ok(()) };
        let Some((kind, place, part)) = item.end_part(run)? else { return Ok(()) };
        let annotations = run.member(part, Word::annotations).map(|list| run.list(list)).unwrap_or_default();
        for (index, annotation) in annotations.into_iter().enumerate() {
            let place = [&place, format!(",\"annotation_index\":{index}").as_bytes()].concat();
            self.event(run, (Word::annotation_added, &place), (Word::annotation, annotation), output)?;
        }
        let Row { done, key, .. } = kind.row();
        if let Some(text) = run.member(part, key) {
            self.event(run, (done, &place), (key, text), output)?;
        }
        self.event(run, (kind.part_events().1, &place), (Word::part, part), output)
    }

    /// Ends the open item before another one begins.
    pub(super) fn next_item(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.end_latest_call(run, output)?;
        self.close_item(run, output)
    }

    /// Ends the open item, because another one begins or the end is known. It may be incomplete.
    pub(super) fn close_item(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        self.close_part(run, output)?;
        let is_cut =
            self.error.is_some() || self.ending.as_ref().is_some_and(|(name, _)| *name != Word::response_completed);
        let status = if is_cut { Word::incomplete } else { Word::completed };
        if let Some((index, call)) = self.last_call.take() {
            let call = run.import(&call)?;
            let call = run.build_object(|run, object| {
                object.word(run, Word::status, status);
                object.add_rest(run, Some(call));
            });
            self.done(run, index, call, output)?;
        }
        let Some(item) = self.open_item.take() else { return Ok(()) };
        let whole = run.try_build(|run| item.put(run, status))?;
        self.done(run, item.index, whole, output)
    }

    pub(super) fn end_reasoning(
        &mut self,
        run: &mut Run,
        block: u32,
        reasoning: &Reasoning,
        output: &mut Output,
    ) -> Result<()> {
        let Reasoning { at, signature, redacted, ref metadata, .. } = *reasoning;
        let has_item = metadata.own_field(Word::item).is_some();
        let state = signature.or(redacted);
        run.warn_metadata(&items::without(metadata, PLACED), at);
        let is_open = self.open_item.as_ref().is_some_and(|item| item.takes(run, PartKind::Summary, metadata));
        if !is_open && state.is_none() && !has_item {
            return Ok(());
        }
        self.item(run, PartKind::Summary, metadata, output)?;
        let Some(item) = &mut self.open_item else { return Ok(()) };
        if let Some(state) = state {
            item.state = Some(run.export(state)?);
        }
        // the ends of all parts come together
        if item.is_last(block) { self.close_item(run, output) } else { Ok(()) }
    }
}
