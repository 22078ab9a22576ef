//! Writes calls of a stream: the start, fragments of arguments, and the complete item at the end.

use super::items;
use super::write_stream::{Delta, Encoder};
use crate::dialect::shared::stream::{Fragments, Output};
use crate::dialect::shared::{arguments, freeform, openai_items};
use crate::model::{Block, Call, CallStart};
use crate::run::{Result, Run};
use crate::value::{Value, Word};

/// A call that was started.
pub(super) struct Open {
    index: u32,
    /// JSON text.
    id: Vec<u8>,
    /// Freeform calls are written when their input is complete: the fragments of their arguments are JSON.
    waits: bool,
    is_empty: bool,
    text: Fragments,
}

impl Encoder {
    pub(super) fn call_start(&mut self, run: &mut Run, start: &CallStart, output: &mut Output) -> Result<()> {
        let CallStart { block, id, name, ref metadata, .. } = *start;
        self.ensure_started(run, output)?;
        self.close_item(run, output)?;
        let index = self.next_index();
        let waits = freeform::mark(metadata).is_some();
        let own = items::own_id(run, metadata);
        let item_id = match own {
            Some(own) => own,
            None => {
                let kind = if waits { "ctc" } else { "fc" };
                run.store.string(&openai_items::made_id(kind, &self.seed, index as usize))
            }
        };
        let id_json = run.export(item_id)?;
        let open = Open { index, id: id_json, waits, is_empty: true, text: Fragments::default() };
        self.calls.begin(block, open);
        if waits {
            return Ok(());
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
        let place = self.calls.place(block).filter(|_| !run.store.is_empty(text));
        let takes = |place: &usize| self.calls.at(*place).is_some_and(|call| !call.waits);
        let Some(place) = place.filter(takes) else { return Ok(()) };
        self.piece(run, place, Word::arguments_delta, text, output)
    }

    /// Writes a fragment of a call's text.
    fn piece(&mut self, run: &mut Run, place: usize, name: Word, text: Value, output: &mut Output) -> Result<()> {
        let Some(call) = self.calls.at_mut(place) else { return Ok(()) };
        call.is_empty = false;
        let delta = Delta { name, place: call.place(), call: Some(place) };
        self.delta(run, delta, text, output)
    }

    pub(super) fn call_end(&mut self, run: &mut Run, block: u32, call: &Call, output: &mut Output) -> Result<()> {
        let Some(place) = self.calls.place(block) else { return Ok(()) };
        let input = freeform::input(run, call);
        let (waits, index, is_empty) =
            self.calls.at(place).map_or((false, 0, true), |open| (open.waits, open.index, open.is_empty));
        // the concatenation of the deltas
        let emitted = match self.calls.at(place).filter(|_| !is_empty) {
            Some(open) => Some(open.text.value(run)?),
            None => None,
        };
        let item = self.whole_call(run, call, place, emitted)?;
        let (delta, done, key, text) = match (input, emitted) {
            (Some(input), _) if waits => (Word::input_delta, Word::input_done, Word::input, input),
            (_, Some(emitted)) => (Word::arguments_delta, Word::arguments_done, Word::arguments, emitted),
            (_, None) => {
                let text = arguments::text(run, call)?;
                (Word::arguments_delta, Word::arguments_done, Word::arguments, text)
            }
        };
        if waits {
            let begun = run.build_object(|run, object| {
                object.text(run, key, "");
                object.add_rest(run, Some(item));
            });
            self.item_event(run, Word::output_item_added, index, begun, output)?;
        }
        if is_empty && !run.store.is_empty(text) {
            self.piece(run, place, delta, text, output)?;
        }
        let members = self.calls.at(place).map(Open::place).unwrap_or_default();
        self.begin(done, output);
        output.raw(&members);
        output.raw(format!(",\"{}\":", key.text()).as_bytes());
        output.put(run, text)?;
        output.end_object();
        self.calls.end(place);
        // an item with fields of its own keeps its status
        let has_item = call.metadata.own_field(Word::item).is_some();
        if waits || has_item || !self.is_last(index) {
            return self.done(run, index, item, output);
        }
        self.last_call = Some((index, run.export(item)?));
        Ok(())
    }

    /// The item of a call as in a whole response, with the id of its start event.
    fn whole_call(&mut self, run: &mut Run, call: &Call, place: usize, emitted: Option<Value>) -> Result<Value> {
        let id = match self.calls.at(place) {
            Some(open) => run.import(&open.id)?,
            None => run.store.string(""),
        };
        let whole = self.whole(run, Block::Call(call.clone()))?;
        Ok(run.build_object(|run, object| {
            object.put(run, Word::id, id);
            object.option(run, Word::arguments, emitted);
            object.add_rest(run, Some(whole));
        }))
    }
}

impl Open {
    /// Appends to the text: the content of a JSON string, without quotes.
    pub(super) fn add(&mut self, text: &[u8]) {
        self.text.extend(text);
    }

    fn place(&self) -> Vec<u8> {
        [b",\"item_id\":", self.id.as_slice(), format!(",\"output_index\":{}", self.index).as_bytes()].concat()
    }
}
