//! Writes messages and reasoning of a stream: items with parts, each in pieces.

use super::reasoning;
use super::stream_output::{Item, PartKind};
use super::stream_texts::Row;
use super::write_stream::{Delta, Encoder};
use crate::dialect::shared::stream::Output;
use crate::fit::lost_reasoning;
use crate::model::{Metadata, Reasoning};
use crate::run::{At, Provider, Result, Run};
use crate::value::{Value, Word};

/// Metadata of a text that have no place here. Fields of its item and its parts have one.
fn unknown(metadata: &Metadata) -> Metadata {
    let mut rest = metadata.clone();
    for word in [Word::item, Word::output_text] {
        if rest.own_field(word).is_some() {
            rest.set_family_field(word, None);
        }
    }
    rest
}

impl Encoder {
    pub(super) fn write_text(
        &mut self,
        run: &mut Run,
        (block, kind): (u32, PartKind),
        text: Value,
        (metadata, at): (&Metadata, At),
        output: &mut Output,
    ) -> Result<()> {
        run.warn_metadata(&unknown(metadata), at);
        if run.store.is_empty(text) {
            return self.keep(run, block, (metadata, at));
        }
        let kind = match self.open_item.as_ref().and_then(|item| item.kind_of(block)) {
            // the start of the block determines the kind of its text
            Some(open) if kind == PartKind::Summary => open,
            None if kind == PartKind::Summary && reasoning::is_content(run, metadata) => PartKind::Reasoning,
            Some(_) | None => kind,
        };
        self.part(run, block, kind, metadata, output)?;
        let Some(item) = &mut self.open_item else { return Ok(()) };
        item.keep_of_part(run, block, metadata)?;
        let delta = Delta { name: item.row().delta, place: item.place(), call: None };
        self.delta(run, delta, text, output)
    }

    /// Keeps the metadata that follow the text of a block.
    fn keep(&mut self, run: &mut Run, block: u32, (metadata, at): (&Metadata, At)) -> Result<()> {
        let is_kept = match self.open_item.as_mut().filter(|item| item.has(block)) {
            Some(item) => {
                item.keep(run, metadata)?;
                item.keep_of_part(run, block, metadata)?
            }
            None => false,
        };
        if !is_kept {
            run.warn_metadata(metadata, at);
        }
        Ok(())
    }

    /// Opens a part for the block, in the same item if that is of the same kind.
    fn part(
        &mut self,
        run: &mut Run,
        block: u32,
        kind: PartKind,
        metadata: &Metadata,
        output: &mut Output,
    ) -> Result<()> {
        self.ensure_started(run, output)?;
        let is_open = self.open_item.as_ref().is_some_and(|item| item.kind_of(block) == Some(kind));
        match &mut self.open_item {
            Some(item) if is_open => return item.keep(run, metadata),
            Some(item) if item.takes(run, kind, metadata) => {
                item.keep(run, metadata)?;
                self.close_part(run, output)?;
            }
            _ => self.begin_item(run, kind, metadata, output)?,
        }
        let Some(item) = &mut self.open_item else { return Ok(()) };
        item.begin_part(block, kind);
        let (name, place) = (item.part_added(), item.place());
        let part = run.try_build(|run| item.write_part(run, true))?;
        self.part_event(run, name, &place, part, output)
    }

    fn part_event(&mut self, run: &mut Run, name: Word, place: &[u8], part: Value, output: &mut Output) -> Result<()> {
        self.begin(name, output);
        output.raw(place);
        output.raw(b",\"part\":");
        output.put(run, part)?;
        output.end_object();
        Ok(())
    }

    fn begin_item(&mut self, run: &mut Run, kind: PartKind, metadata: &Metadata, output: &mut Output) -> Result<()> {
        self.close_item(run, output)?;
        let index = self.next_index();
        let mut item = Item::new(run, index, &self.seed, kind, metadata);
        item.keep(run, metadata)?;
        let begun = run.try_build(|run| item.write(run, Word::in_progress))?;
        self.item_event(run, Word::output_item_added, index, begun, output)?;
        self.open_item = Some(item);
        Ok(())
    }

    /// Ends the open part: writes its complete text, and the part.
    fn close_part(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        let Some(item) = self.open_item.as_mut().filter(|item| item.has_part()) else { return Ok(()) };
        let place = item.place();
        let Row { done: text_done, key, .. } = item.row();
        let part_done = item.part_done();
        let text = item.text(run)?;
        let part = item.whole_part(run)?;
        let annotations = run.member(part, Word::annotations).map(|list| run.list(list)).unwrap_or_default();
        let is_text = key == Word::text && text_done == Word::output_text_done;
        item.end_part(run, part)?;
        for (index, annotation) in annotations.into_iter().enumerate() {
            self.begin(Word::annotation_added, output);
            output.raw(&place);
            output.raw(format!(",\"annotation_index\":{index},\"annotation\":").as_bytes());
            output.put(run, annotation)?;
            output.end_object();
        }
        self.begin(text_done, output);
        output.raw(&place);
        output.raw(format!(",\"{}\":", key.text()).as_bytes());
        output.put(run, text)?;
        output.raw(if is_text { b",\"logprobs\":[]}" } else { b"}" });
        output.end();
        self.part_event(run, part_done, &place, part, output)
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
        let whole = run.try_build(|run| item.write(run, status))?;
        self.done(run, item.index, whole, output)
    }

    pub(super) fn end_reasoning(
        &mut self,
        run: &mut Run,
        block: u32,
        reasoning: &Reasoning,
        output: &mut Output,
    ) -> Result<()> {
        let Reasoning { at, signature, redacted, issuer, ref metadata, .. } = *reasoning;
        let has_item = metadata.own_field(Word::item).is_some();
        if issuer != Provider::OpenAI {
            lost_reasoning::warn_end(run, reasoning);
            return Ok(());
        }
        let state = signature.or(redacted);
        run.warn_metadata(&unknown(metadata), at);
        let is_open = self.open_item.as_ref().is_some_and(|item| item.takes(run, PartKind::Summary, metadata));
        if !is_open && state.is_none() && !has_item {
            return Ok(());
        }
        if !is_open {
            self.ensure_started(run, output)?;
            self.begin_item(run, PartKind::Summary, metadata, output)?;
        }
        let Some(item) = &mut self.open_item else { return Ok(()) };
        if is_open {
            item.keep(run, metadata)?;
        }
        if let Some(state) = state {
            item.state = Some(run.export(state)?);
        }
        // the ends of all parts come together
        if item.is_last(block) { self.close_item(run, output) } else { Ok(()) }
    }
}
