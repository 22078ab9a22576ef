//! Writes calls of a stream: the start, fragments of arguments, and the complete item at the end.

use super::items;
use super::stream_texts::{PartKind, Row};
use super::write_messages::is_search;
use super::write_stream::{Delta, Encoder};
use crate::dialect::shared::stream::{Fragments, Output, are_complete};
use crate::dialect::shared::{arguments, freeform, openai_items};
use crate::model::{Arguments, Block, Call, CallStart, Metadata};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Value, Word};

/// A call that was started.
pub(super) struct StartedCall {
    index: u32,
    /// JSON text.
    id: Vec<u8>,
    /// Freeform calls are written when their input is complete: the fragments of their arguments are JSON.
    waits: bool,
    pub(super) text: Fragments,
}

/// A call whose item has its id, its name and its arguments only. Values are JSON texts.
pub(super) struct LatestCall {
    block: u32,
    id: Vec<u8>,
    name: Vec<u8>,
}

impl Encoder {
    pub(super) fn call_start(&mut self, run: &mut Run, start: &CallStart, output: &mut Output) -> Result<()> {
        let CallStart { block, id, name, ref metadata, .. } = *start;
        self.ensure_started(run, output)?;
        self.next_item(run, output)?;
        let index = self.next_index();
        let searches = is_search(metadata);
        let waits = searches || freeform::mark(metadata).is_some();
        let own = items::own_id(run, metadata);
        let item_id = match own {
            Some(own) => own,
            None => {
                let kind = match waits {
                    true if searches => "tsc",
                    true => "ctc",
                    false => "fc",
                };
                run.store.string(&openai_items::made_id(kind, &self.seed, index as usize))
            }
        };
        let open = StartedCall { index, id: run.export(item_id)?, waits, text: Fragments::default() };
        self.calls.begin(block, open);
        if waits {
            return Ok(());
        }
        if metadata.is_empty() {
            self.latest_call = Some(LatestCall { block, id: run.export(id)?, name: run.export(name)? });
        }
        let namespace = items::namespace(run, metadata);
        let item = run.build_object(|run, object| {
            object.word(run, Word::r#type, Word::function_call);
            object.put(run, Word::id, item_id);
            object.word(run, Word::status, Word::in_progress);
            object.put(run, Word::call_id, id);
            object.put(run, Word::name, name);
            object.option(run, Word::namespace, namespace);
            object.text(run, Word::arguments, "");
        });
        self.item_event(run, Word::output_item_added, index, item, output)
    }

    pub(super) fn call_delta(&mut self, run: &mut Run, block: u32, text: Value, output: &mut Output) -> Result<()> {
        let Some(place) = self.calls.place(block) else {
            if !run.is_blank(text) {
                run.warn(WarningCode::ContentDropped, At::ROOT, "the call's arguments were already complete");
            }
            return Ok(());
        };
        if run.store.is_empty(text) {
            return Ok(());
        }
        let Some(call) = self.calls.at(place).filter(|call| !call.waits) else { return Ok(()) };
        let delta = Delta { name: Word::arguments_delta, place: call.place(), call: Some(place) };
        self.delta(run, delta, text, output)
    }

    pub(super) fn call_end(&mut self, run: &mut Run, block: u32, call: &Call, output: &mut Output) -> Result<()> {
        let Some(open) = self.calls.end_latest(block) else {
            run.warn_metadata(&call.metadata, call.at);
            return Ok(());
        };
        self.latest_call = self.latest_call.take().filter(|latest| latest.block != block);
        let StartedCall { index, waits, .. } = open;
        // the concatenation of the deltas
        let emitted = if open.text.is_empty() { None } else { Some(open.text.value(run)?) };
        let item = self.whole_call(run, call, &open.id, emitted)?;
        if is_search(&call.metadata) {
            let begun = run.build_object(|run, object| {
                object.word(run, Word::status, Word::in_progress);
                object.add_rest(run, Some(item));
            });
            self.item_event(run, Word::output_item_added, index, begun, output)?;
            return self.done(run, index, item, output);
        }
        let input = freeform::input(run, call).filter(|_| waits);
        let kind = if input.is_some() { PartKind::Input } else { PartKind::Arguments };
        let Row { key, delta, done, .. } = kind.row();
        let text = match input.or(emitted) {
            Some(text) => text,
            None => arguments::text(run, call)?,
        };
        if waits {
            let begun = run.build_object(|run, object| {
                object.text(run, key, "");
                if run.member(item, Word::status).is_some() {
                    object.word(run, Word::status, Word::in_progress);
                }
                object.add_rest(run, Some(item));
            });
            self.item_event(run, Word::output_item_added, index, begun, output)?;
        }
        let place = open.place();
        if emitted.is_none() && !run.store.is_empty(text) {
            self.event(run, (delta, &place), (Word::delta, text), output)?;
        }
        self.event(run, (done, &place), (key, text), output)?;
        // an item with fields of its own keeps its status
        let has_item = call.metadata.own_field(Word::item).is_some();
        if waits || has_item || !self.is_last(index) {
            return self.done(run, index, item, output);
        }
        self.last_call = Some((index, run.export(item)?));
        Ok(())
    }

    /// Ends the latest call if its arguments are complete, as OpenAI's API ends each item before the next one: clients know one call at a time. Its own end may
    /// come with that of the response.
    pub(super) fn end_latest_call(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        let Some(LatestCall { block, id, name }) = self.latest_call.take() else { return Ok(()) };
        let Some(open) = self.calls.latest(block) else { return Ok(()) };
        let raw = open.text.value(run)?;
        if !are_complete(&run.store.text(raw)) {
            return Ok(());
        }
        let (id, name) = (run.import(&id)?, run.import(&name)?);
        let arguments = Arguments::Object { value: run.store.empty_object(), raw: Some(raw) };
        let call = Call { at: At::ROOT, id, name, arguments, metadata: Metadata::default() };
        self.call_end(run, block, &call, output)
    }

    /// The item of a call as in a whole response, with the id of its start event.
    fn whole_call(&mut self, run: &mut Run, call: &Call, id: &[u8], emitted: Option<Value>) -> Result<Value> {
        let id = run.import(id)?;
        let whole = self.whole(run, Block::Call(call.clone()))?;
        Ok(run.build_object(|run, object| {
            object.put(run, Word::id, id);
            object.option(run, Word::arguments, emitted);
            object.add_rest(run, Some(whole));
        }))
    }
}

impl StartedCall {
    /// The position of the call, as members of an event.
    fn place(&self) -> Vec<u8> {
        [b",\"item_id\":", self.id.as_slice(), format!(",\"output_index\":{}", self.index).as_bytes()].concat()
    }
}
