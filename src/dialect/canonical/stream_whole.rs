//! Assembles the whole response from the events of a stream.

use super::calls::{CANONICAL, is_invalid, write_call};
use super::messages::write_block;
use super::response::write_usage;
use super::write_metadata;
use crate::dialect::shared::stream::{Fragments, Members};
use crate::model::{Add, End, Event, Metadata, Reasoning, Start};
use crate::run::{At, Key, Result, Run};
use crate::value::order::in_order;
use crate::value::{Value, Word};

/// The response so far, as JSON texts.
pub struct Whole {
    /// Its fields, apart from the message.
    head: Members,
    /// The blocks by number.
    blocks: Vec<(u32, Kept)>,
}

enum Kept {
    /// A text, a refusal or reasoning, whose text arrives in pieces.
    Pieces {
        kind: Word,
        text: Fragments,
        rest: Members,
    },
    Block(Vec<u8>),
    Call {
        json: Vec<u8>,
        is_invalid: bool,
    },
}

impl Whole {
    pub fn new() -> Whole {
        Whole { head: Members::new(&[]), blocks: Vec::new() }
    }

    pub fn add(&mut self, run: &mut Run, event: &Event) -> Result<()> {
        match event {
            Event::Start(Start { at: _, id, model, metadata }) => {
                add_all(run, &mut self.head, &[(Word::id, *id), (Word::model, *model)], metadata)
            }
            Event::TextDelta { at: _, block, text, metadata } => {
                self.add_piece(run, (*block, Word::text), Some(*text), &[], metadata)
            }
            Event::RefusalDelta { at: _, block, text, metadata } => {
                self.add_piece(run, (*block, Word::refusal), Some(*text), &[], metadata)
            }
            Event::ReasoningDelta { at: _, block, text, issuer, metadata } => {
                let issuer = (Word::issuer, Some(run.store.word_value(issuer.word())));
                self.add_piece(run, (*block, Word::reasoning), Some(*text), &[issuer], metadata)
            }
            Event::ReasoningEnd { block, reasoning: Reasoning { signature, redacted, issuer, metadata, .. } } => {
                let issuer = (Word::issuer, Some(run.store.word_value(issuer.word())));
                let members = &[issuer, (Word::signature, *signature), (Word::redacted, *redacted)];
                self.add_piece(run, (*block, Word::reasoning), None, members, metadata)
            }
            Event::CallEnd { block, call } => {
                let value = run.build(|run| write_call(run, call, &CANONICAL));
                let kept = Kept::Call { json: run.export(value)?, is_invalid: is_invalid(call) };
                self.blocks.add((*block, kept));
                Ok(())
            }
            Event::Block { block, value } => {
                let value = run.build(|run| write_block(run, value));
                let kept = Kept::Block(run.export(value)?);
                self.blocks.add((*block, kept));
                Ok(())
            }
            Event::Usage(usage) => {
                let value = run.build(|run| write_usage(run, usage));
                self.head.remove(Word::usage);
                self.head.add(run, Key::Word(Word::usage), value, At::ROOT)
            }
            Event::Finish(End { at: _, finish, raw, metadata }) => {
                let finish = run.store.word_value(finish.word());
                let members = &[(Word::finishReason, Some(finish)), (Word::rawFinishReason, *raw)];
                add_all(run, &mut self.head, members, metadata)
            }
            // the end of a call contains the whole call; native events have no place in a response
            Event::CallStart(_)
            | Event::CallDelta { .. }
            | Event::Error(_)
            | Event::Native(_)
            | Event::State { .. } => Ok(()),
        }
    }

    /// Appends to a block that arrives in pieces.
    fn add_piece(
        &mut self,
        run: &mut Run,
        (block, kind): (u32, Word),
        piece: Option<Value>,
        members: &[(Word, Option<Value>)],
        metadata: &Metadata,
    ) -> Result<()> {
        let position = self.blocks.iter().position(|(number, _)| *number == block).unwrap_or_else(|| {
            self.blocks.add((block, Kept::Pieces { kind, text: Fragments::default(), rest: Members::new(&[]) }));
            self.blocks.len() - 1
        });
        let Some((_, Kept::Pieces { text, rest, .. })) = self.blocks.get_mut(position) else { return Ok(()) };
        if let Some(piece) = piece {
            text.push(run, piece, At::ROOT)?;
        }
        add_all(run, rest, members, metadata)
    }

    /// Writes the response, to be read by [`super::response::read`].
    pub fn put(&self, run: &mut Run) -> Result<()> {
        let order = in_order(&self.blocks, |(block, _)| *block);
        let blocks: Vec<&Kept> = order.into_iter().filter_map(|at| self.blocks.get(at)).map(|(_, kept)| kept).collect();
        run.store.begin_object();
        if self.head.is_blank(Word::finishReason) {
            run.store.key(Word::finishReason);
            run.store.put_word(Word::other);
        }
        self.head.put(run)?;
        run.store.key(Word::message);
        let mut message = run.begin();
        message.word(run, Word::role, Word::assistant);
        let (mut content, mut calls, mut invalid) = (Vec::new(), Vec::new(), Vec::new());
        for kept in blocks {
            match kept {
                Kept::Pieces { kind, text, rest } => content.push(build_pieces(run, *kind, text, rest)?),
                Kept::Block(json) => content.push(run.import(json)?),
                Kept::Call { json, is_invalid } => {
                    let call = run.import(json)?;
                    let id = run.member(call, Word::id);
                    content.push(run.build_object(|run, mark| {
                        mark.word(run, Word::r#type, Word::toolCall);
                        mark.option(run, Word::id, id);
                    }));
                    if *is_invalid { invalid.push(call) } else { calls.push(call) }
                }
            }
        }
        message.list(run, Word::content, &content);
        message.list(run, Word::toolCalls, &calls);
        message.list(run, Word::invalidToolCalls, &invalid);
        message.close(run);
        run.store.end_object();
        Ok(())
    }
}

fn build_pieces(run: &mut Run, kind: Word, text: &Fragments, rest: &Members) -> Result<Value> {
    run.try_build(|run| {
        let mut object = run.begin();
        object.word(run, Word::r#type, kind);
        // reasoning may have no text
        if !text.is_empty() || kind != Word::reasoning {
            let text = text.value(run)?;
            object.put(run, Word::text, text);
        }
        rest.put(run)?;
        object.close(run);
        Ok(())
    })
}

/// Adds members, and adds metadata to the earlier ones.
fn add_all(run: &mut Run, known: &mut Members, members: &[(Word, Option<Value>)], metadata: &Metadata) -> Result<()> {
    for (word, value) in members {
        if let Some(value) = value {
            known.add(run, Key::Word(*word), *value, At::ROOT)?;
        }
    }
    if metadata.is_empty() {
        return Ok(());
    }
    let object = run.build_object(|run, _| write_metadata(run, metadata, None));
    let value = run.member(object, Word::metadata);
    value.map_or(Ok(()), |value| known.add(run, Key::Word(Word::metadata), value, At::ROOT))
}
