//! Writes streams (WIRE §2.8): every item has events for its start, its content and its end, and the last event has the whole response. So the fields
//! of the response and its items are kept until the end.

use super::items::{self, Level};
use super::response::{self, REQUIRED};
use super::stream_output::Item;
use super::stream_texts::PartKind;
use super::write_messages::write_assistant;
use super::write_stream_calls::{LatestCall, StartedCall};
use crate::dialect::shared::stream::{Encode, Output, UnderWay, warn_event};
use crate::dialect::shared::usage;
use crate::fit::native;
use crate::fit::responses::missing_start;
use crate::model::{Assistant, Block, ChatError, Content, End, Event, Metadata, Reasoning, Start};
use crate::run::{At, Result, Run};
use crate::value::order::in_order;
use crate::value::{Value, Word};

pub fn encoder() -> Option<Box<dyn Encode>> {
    Some(Box::new(Encoder::default()))
}

#[derive(Default)]
pub(super) struct Encoder {
    /// The start of every version of the response: JSON text without a closing brace; empty before the start.
    head: Vec<u8>,
    /// The seed of item ids.
    pub(super) seed: String,
    sequence: u32,
    /// Number of items so far.
    count: u32,
    /// The item that texts are added to, if one is open.
    pub(super) open_item: Option<Item>,
    /// The current or the last event, if it is a delta.
    pub(super) delta: Option<Delta>,
    /// By block number.
    pub(super) calls: UnderWay<StartedCall>,
    /// The latest call, if nothing but its arguments is to be written: it ends before the next item begins.
    pub(super) latest_call: Option<LatestCall>,
    /// The last item, if it is a call that has ended: only what follows shows whether the response was cut off within it. JSON text.
    pub(super) last_call: Option<(u32, Vec<u8>)>,
    /// The complete items by position: JSON texts.
    items: Vec<(u32, Vec<u8>)>,
    usage: Option<Vec<u8>>,
    /// The name of the last event, the status of the response and its other fields, once the end is known. Written after the usage.
    pub(super) ending: Option<(Word, Vec<u8>)>,
    pub(super) error: Option<Vec<u8>>,
    has_ended: bool,
}

/// An event with a fragment of a text.
pub(super) struct Delta {
    pub(super) name: Word,
    /// The position of the text, as members of the event.
    pub(super) place: Vec<u8>,
    /// The index of the call that it belongs to, if it is not part of a message or reasoning.
    pub(super) call: Option<usize>,
}

impl Encode for Encoder {
    fn write(&mut self, run: &mut Run, event: &Event, output: &mut Output) -> Result<()> {
        self.delta = None;
        match event {
            Event::Start(start) => self.start(run, start, output),
            Event::TextDelta { at, block, text, metadata }
            | Event::Block { block, value: Block::Text { at, text, metadata } } => {
                self.write_text(run, (*block, PartKind::Text), *text, (metadata, *at), output)
            }
            Event::RefusalDelta { at, block, text, metadata }
            | Event::Block { block, value: Block::Refusal { at, text, metadata } } => {
                self.write_text(run, (*block, PartKind::Refusal), *text, (metadata, *at), output)
            }
            Event::ReasoningDelta { at, block, text, issuer: _, metadata } => {
                self.write_text(run, (*block, PartKind::Summary), *text, (metadata, *at), output)
            }
            Event::ReasoningEnd { block, reasoning } => self.end_reasoning(run, *block, reasoning, output),
            Event::CallStart(start) => self.call_start(run, start, output),
            Event::CallDelta { block, text } => self.call_delta(run, *block, *text, output),
            Event::CallEnd { block, call } => self.call_end(run, *block, call, output),
            Event::Block { block, value } => self.block(run, *block, value, output),
            Event::Usage(usage) => {
                let usage = run.build(|run| usage::write(run, usage, response::USAGE));
                self.usage = Some(run.export(usage)?);
                Ok(())
            }
            Event::Finish(end) => self.finish(run, end, output),
            Event::Error(error) => self.fail(run, error, output),
            Event::Native(_) | Event::State { .. } => {
                warn_event(run, event);
                Ok(())
            }
        }
    }

    fn may_repeat(&self, event: &Event) -> bool {
        // pieces of a call that has ended are reported
        !matches!(event, Event::CallDelta { block, .. } if self.calls.place(*block).is_none())
    }

    fn repeat(&mut self, text: &[u8], output: &mut Output) {
        self.put_delta(text, output);
    }

    fn end(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        let Some((name, rest)) = self.ending.take() else { return Ok(()) };
        self.close_item(run, output)?;
        self.answer(name, &rest, output);
        output.done();
        Ok(())
    }
}

impl Encoder {
    fn start(&mut self, run: &mut Run, start: &Start, output: &mut Output) -> Result<()> {
        let Start { at, id, model, ref metadata } = *start;
        self.seed = response::seed(run, id);
        let head = run.build_with(metadata, at, |run, object| {
            object.option(run, Word::id, id);
            object.word(run, Word::object, Word::response);
            object.option(run, Word::model, model);
        });
        self.head = run.export(head)?;
        self.head.pop();
        for name in [Word::response_created, Word::response_in_progress] {
            self.answer(name, IN_PROGRESS, output);
        }
        Ok(())
    }

    pub(super) fn ensure_started(&mut self, run: &mut Run, output: &mut Output) -> Result<()> {
        if !self.head.is_empty() {
            return Ok(());
        }
        let start = missing_start(run, REQUIRED);
        self.start(run, &start, output)
    }

    /// Writes an event that contains the response so far.
    fn answer(&mut self, name: Word, rest: &[u8], output: &mut Output) {
        self.begin(name, output);
        output.raw(b",\"response\":");
        output.raw(&self.head);
        output.raw(rest);
        output.raw(b",\"output\":[");
        let order = in_order(&self.items, |(index, _)| *index);
        let items: Vec<&[u8]> =
            order.into_iter().filter_map(|at| self.items.get(at)).map(|(_, item)| item.as_slice()).collect();
        output.raw(&items.join(b",".as_slice()));
        output.raw(b"],\"usage\":");
        output.raw(self.usage.as_deref().filter(|_| name != Word::response_created).unwrap_or(b"null"));
        output.raw(b"}}");
        output.end();
    }

    /// Starts an event: its name and its number.
    pub(super) fn begin(&mut self, name: Word, output: &mut Output) {
        output.begin(name.text());
        output.raw(b"{\"type\":\"");
        output.raw(name.text().as_bytes());
        output.raw(b"\",\"sequence_number\":");
        output.number(self.sequence);
        self.sequence += 1;
    }

    /// Writes an event with a value. `place` is the position in the response that the event is about, as members.
    pub(super) fn event(
        &mut self,
        run: &mut Run,
        (name, place): (Word, &[u8]),
        (key, value): (Word, Value),
        output: &mut Output,
    ) -> Result<()> {
        self.begin(name, output);
        output.raw(place);
        output.raw(format!(",\"{}\":", key.text()).as_bytes());
        output.put(run, value)?;
        end_event(name, output);
        Ok(())
    }

    /// Writes an event of one item.
    pub(super) fn item_event(
        &mut self,
        run: &mut Run,
        name: Word,
        index: u32,
        item: Value,
        output: &mut Output,
    ) -> Result<()> {
        let place = format!(",\"output_index\":{index}");
        self.event(run, (name, place.as_bytes()), (Word::item, item), output)
    }

    /// Writes a fragment of a text and adds it to the kept text.
    pub(super) fn delta(&mut self, run: &mut Run, delta: Delta, text: Value, output: &mut Output) -> Result<()> {
        self.delta = Some(delta);
        let mut content = Vec::new();
        run.store.append_content(text, &mut content).map_err(|fault| run.fault(fault, At::ROOT))?;
        self.put_delta(&content, output);
        Ok(())
    }

    /// Writes the delta; `text` is the content of a JSON string, without quotes.
    fn put_delta(&mut self, text: &[u8], output: &mut Output) {
        let Some(delta) = self.delta.take() else { return };
        let kept = match delta.call {
            Some(place) => self.calls.at_mut(place).map(|call| &mut call.text),
            None => self.open_item.as_mut().and_then(Item::text),
        };
        if let Some(kept) = kept {
            kept.extend(text);
        }
        self.begin(delta.name, output);
        for part in [delta.place.as_slice(), b",\"delta\":\"", text, b"\""] {
            output.raw(part);
        }
        end_event(delta.name, output);
        self.delta = Some(delta);
    }

    /// Whether this is the latest item.
    pub(super) fn is_last(&self, index: u32) -> bool {
        index + 1 == self.count
    }

    pub(super) fn next_index(&mut self) -> u32 {
        self.count += 1;
        self.count - 1
    }

    /// Ends an item: writes its complete version, and keeps it for the end.
    pub(super) fn done(&mut self, run: &mut Run, index: u32, item: Value, output: &mut Output) -> Result<()> {
        let json = run.export(item)?;
        self.items.push((index, json));
        self.item_event(run, Word::output_item_done, index, item, output)
    }

    /// The item of a block, by the rules of whole responses.
    pub(super) fn whole(&self, run: &mut Run, block: Block) -> Result<Value> {
        let at = block.at();
        let content = Content::Blocks(vec![block]);
        let assistant = Assistant { at, content, calls: Vec::new(), metadata: Metadata::default() };
        let answer = Some((self.seed.as_str(), Word::completed));
        let list = run.try_build_array(|run| write_assistant(run, &assistant, answer))?;
        let first = run.list(list).first().copied();
        Ok(first.unwrap_or(list))
    }

    /// Writes a block that arrives whole.
    fn block(&mut self, run: &mut Run, number: u32, block: &Block, output: &mut Output) -> Result<()> {
        match block {
            Block::Reasoning(reasoning) => {
                let Reasoning { at, text, metadata, .. } = reasoning;
                let Some(text) = text.filter(|text| !run.store.is_empty(*text)) else {
                    return self.end_reasoning(run, number, reasoning, output);
                };
                self.write_text(run, (number, PartKind::Summary), text, (metadata, *at), output)?;
                let state = Reasoning { metadata: Metadata::default(), ..reasoning.clone() };
                self.end_reasoning(run, number, &state, output)
            }
            Block::Native(native) if items::place(run, native) == Some(Level::Item) => {
                run.warn_metadata(&native.metadata, native.at);
                self.ensure_started(run, output)?;
                self.next_item(run, output)?;
                let index = self.next_index();
                self.item_event(run, Word::output_item_added, index, native.value, output)?;
                self.done(run, index, native.value, output)
            }
            Block::Native(native) => {
                native::warn_block(run, native.at);
                Ok(())
            }
            Block::Text { .. } | Block::Refusal { .. } | Block::Data { .. } | Block::Media(_) | Block::Call(_) => {
                Ok(())
            }
        }
    }

    /// Records how the response ended. Written at the end of the stream, as the usage may follow.
    fn finish(&mut self, run: &mut Run, end: &End, output: &mut Output) -> Result<()> {
        let End { at, finish: _, raw, ref metadata } = *end;
        if self.has_ended {
            run.warn_metadata(metadata, at);
            return Ok(());
        }
        self.has_ended = true;
        self.ensure_started(run, output)?;
        let name = match raw.map_or(Word::completed, |raw| run.store.word(raw)) {
            Word::completed => Word::response_completed,
            Word::failed | Word::cancelled => Word::response_failed,
            _ => Word::response_incomplete,
        };
        let mut error = run.import_option(self.error.as_deref())?;
        if error.is_none() && raw.is_some_and(|raw| run.store.word(raw) == Word::failed) {
            let failed = ChatError::of_api(at, run.store.string(response::FAILED));
            error = Some(run.build_object(|run, object| response::put_error(run, object, &failed)));
        }
        let rest = run.build_with(metadata, at, |run, object| {
            response::write_status(run, object, raw, &Metadata::default());
            object.put_or_null(run, Word::error, error);
        });
        let mut rest = run.export(rest)?;
        rest.pop();
        if let Some(first) = rest.first_mut() {
            *first = b',';
        }
        self.ending = Some((name, rest));
        self.close_item(run, output)
    }

    /// Writes an error as an event of its own, because clients throw on it, and ends a response that has begun.
    fn fail(&mut self, run: &mut Run, error: &ChatError, output: &mut Output) -> Result<()> {
        let body = run.build_object(|run, object| response::put_error(run, object, error));
        run.warn_metadata(&error.metadata, error.at);
        self.has_ended |= self.head.is_empty();
        self.error = Some(run.export(body)?);
        // open items must be closed before the error, as clients stop reading there
        self.close_item(run, output)?;
        let code = format!(",\"param\":null,\"code\":\"{}\"", super::error::code(error).text());
        self.event(run, (Word::error, code.as_bytes()), (Word::message, error.message), output)
    }
}

/// Ends an event. Those of texts have log probabilities.
fn end_event(name: Word, output: &mut Output) {
    if matches!(name, Word::output_text_delta | Word::output_text_done) {
        output.raw(b",\"logprobs\":[]");
    }
    output.end_object();
}

const IN_PROGRESS: &[u8] = b",\"status\":\"in_progress\",\"error\":null,\"incomplete_details\":null";
