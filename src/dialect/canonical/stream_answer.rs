//! A whole answer out of its events.

use super::calls::{CANONICAL, is_invalid, write_call};
use super::messages::write_block;
use super::response::write_usage;
use super::write_metadata;
use crate::dialect::shared::stream::{Fragments, Members};
use crate::model::{Add, Event, Metadata};
use crate::run::{At, Key, Provider, Result, Run};
use crate::value::order::in_order;
use crate::value::{Value, Word};

/// The answer so far. What is kept is JSON text.
pub struct Answer {
    /// `id`, `model`, `finishReason`, `rawFinishReason`, `usage` and `metadata`.
    members: Members,
    blocks: Vec<(u32, Kept)>,
}

enum Kept {
    /// A text, a refusal or reasoning: what comes in pieces, and what is said of it once.
    Text {
        kind: Word,
        text: Fragments,
        members: Members,
    },
    Whole(Vec<u8>),
    Call {
        json: Vec<u8>,
        id: Vec<u8>,
        is_invalid: bool,
    },
}

impl Default for Answer {
    fn default() -> Answer {
        Answer { members: Members::new(&[]), blocks: Vec::new() }
    }
}

impl Answer {
    pub fn add(&mut self, run: &mut Run, event: &Event) -> Result<()> {
        match event {
            Event::Start { at: _, id, model, metadata } => {
                self.set(run, Word::id, *id)?;
                self.set(run, Word::model, *model)?;
                keep_metadata(run, &mut self.members, metadata)
            }
            Event::TextDelta { at, block, text, metadata } => {
                self.add_text(run, (*block, Word::text), *text, *at, metadata)
            }
            Event::RefusalDelta { at, block, text, metadata } => {
                self.add_text(run, (*block, Word::refusal), *text, *at, metadata)
            }
            Event::ReasoningDelta { at, block, text, issuer, metadata } => {
                self.add_text(run, (*block, Word::reasoning), *text, *at, metadata)?;
                self.set_issuer(run, *block, *issuer)
            }
            Event::ReasoningEnd { at: _, block, signature, redacted, issuer, metadata } => {
                let Some(Kept::Text { members, .. }) = self.open(*block, Word::reasoning) else { return Ok(()) };
                for (word, value) in [(Word::signature, signature), (Word::redacted, redacted)] {
                    if let Some(value) = value {
                        members.add(run, Key::Word(word), *value, At::ROOT)?;
                    }
                }
                keep_metadata(run, members, metadata)?;
                self.set_issuer(run, *block, *issuer)
            }
            Event::CallStart { .. } | Event::CallDelta { .. } => Ok(()),
            Event::CallEnd { block, call } => {
                let value = run.build(|run| write_call(run, call, &CANONICAL));
                let kept =
                    Kept::Call { json: run.export(value)?, id: run.export(call.id)?, is_invalid: is_invalid(call) };
                self.blocks.add((*block, kept));
                Ok(())
            }
            Event::Block { block, value } => {
                let value = run.build(|run| write_block(run, value));
                let kept = Kept::Whole(run.export(value)?);
                self.blocks.add((*block, kept));
                Ok(())
            }
            Event::Usage(usage) => {
                let value = run.build(|run| write_usage(run, usage));
                self.members.remove(Word::usage);
                self.set(run, Word::usage, Some(value))
            }
            Event::Finish { at: _, finish, raw, metadata } => {
                let finish = run.word_value(finish.word());
                self.set(run, Word::finishReason, Some(finish))?;
                self.set(run, Word::rawFinishReason, *raw)?;
                keep_metadata(run, &mut self.members, metadata)
            }
            // what only its provider knows has no place in an answer
            Event::Error(_) | Event::Native(_) | Event::State { .. } => Ok(()),
        }
    }

    fn set(&mut self, run: &mut Run, word: Word, value: Option<Value>) -> Result<()> {
        value.map_or(Ok(()), |value| self.members.add(run, Key::Word(word), value, At::ROOT))
    }

    fn set_issuer(&mut self, run: &mut Run, block: u32, issuer: Provider) -> Result<()> {
        let Some(Kept::Text { members, .. }) = self.open(block, Word::reasoning) else { return Ok(()) };
        let issuer = run.word_value(issuer.word());
        members.add(run, Key::Word(Word::issuer), issuer, At::ROOT)
    }

    /// The block under way with this number.
    fn open(&mut self, block: u32, kind: Word) -> Option<&mut Kept> {
        let position = self.blocks.iter().position(|(number, _)| *number == block).unwrap_or_else(|| {
            let kept = Kept::Text { kind, text: Fragments::default(), members: Members::new(&[]) };
            self.blocks.add((block, kept));
            self.blocks.len() - 1
        });
        self.blocks.get_mut(position).map(|(_, kept)| kept)
    }

    fn add_text(
        &mut self,
        run: &mut Run,
        (block, kind): (u32, Word),
        text: Value,
        at: At,
        metadata: &Metadata,
    ) -> Result<()> {
        let Some(Kept::Text { text: kept, members, .. }) = self.open(block, kind) else { return Ok(()) };
        kept.push(run, text, at)?;
        keep_metadata(run, members, metadata)
    }

    /// Writes the answer, as [`super::response::read`] reads it.
    pub fn put(mut self, run: &mut Run) -> Result<()> {
        let order = in_order(&self.blocks, |(block, _)| *block);
        let blocks = std::mem::take(&mut self.blocks);
        let blocks: Vec<&Kept> = order.into_iter().filter_map(|at| blocks.get(at)).map(|(_, kept)| kept).collect();
        if self.members.is_blank(Word::finishReason) {
            let other = run.word_value(Word::other);
            self.set(run, Word::finishReason, Some(other))?;
        }
        run.store.begin_object();
        self.members.put(run)?;
        run.store.key(Word::message);
        let mut message = run.begin();
        message.word(run, Word::role, Word::assistant);
        message.key(run, Word::content);
        run.store.begin_array();
        blocks.iter().try_for_each(|kept| kept.put(run))?;
        run.store.end_array();
        put_calls(run, &blocks, Word::toolCalls, false)?;
        put_calls(run, &blocks, Word::invalidToolCalls, true)?;
        message.close(run);
        run.store.end_object();
        Ok(())
    }
}

fn put_calls(run: &mut Run, blocks: &[&Kept], key: Word, invalid: bool) -> Result<()> {
    run.store.key(key);
    run.store.begin_array();
    for kept in blocks {
        if let Kept::Call { json, is_invalid, .. } = kept
            && *is_invalid == invalid
        {
            let call = run.import(json)?;
            run.store.put(call);
        }
    }
    run.store.end_array();
    Ok(())
}

impl Kept {
    fn put(&self, run: &mut Run) -> Result<()> {
        match self {
            Kept::Text { kind, text, members } => {
                let mut object = run.begin();
                object.word(run, Word::r#type, *kind);
                if !(text.is_empty() && *kind == Word::reasoning) {
                    let text = text.value(run)?;
                    object.put(run, Word::text, text);
                }
                members.put(run)?;
                object.close(run);
            }
            Kept::Whole(json) => {
                let value = run.import(json)?;
                run.store.put(value);
            }
            // marks its place
            Kept::Call { id, .. } => {
                let mut object = run.begin();
                object.word(run, Word::r#type, Word::toolCall);
                let id = run.import(id)?;
                object.put(run, Word::id, id);
                object.close(run);
            }
        }
        Ok(())
    }
}

/// Metadata of several events are one.
fn keep_metadata(run: &mut Run, members: &mut Members, metadata: &Metadata) -> Result<()> {
    if metadata.is_empty() {
        return Ok(());
    }
    let object = run.build(|run| {
        let object = run.begin();
        write_metadata(run, metadata, None);
        object.close(run);
    });
    let value = run.member(object, Word::metadata);
    value.map_or(Ok(()), |value| members.add(run, Key::Word(Word::metadata), value, At::ROOT))
}
