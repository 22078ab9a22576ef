//! Assembles the whole response from the events of a stream.

use super::calls::{CANONICAL, is_invalid, write_call};
use super::messages::write_mark;
use crate::dialect::shared::stream::{Members, Parts};
use crate::model::{Event, Metadata};
use crate::run::{At, Key, Provider, Result, Run};
use crate::value::{Value, Word};

/// The response so far.
pub struct Whole {
    /// Its fields, apart from the message.
    head: Members,
    blocks: Parts,
    calls: Parts,
    invalid_calls: Parts,
}

/// The events whose members are added to a block, and the type of the block.
const PIECES: [(Word, Word); 4] = [
    (Word::textDelta, Word::text),
    (Word::refusalDelta, Word::refusal),
    (Word::reasoningDelta, Word::reasoning),
    (Word::reasoningEnd, Word::reasoning),
];

impl Whole {
    pub fn new() -> Whole {
        let [blocks, calls, invalid_calls] = std::array::from_fn(|_| Parts::default());
        Whole { head: Members::new(&[]), blocks, calls, invalid_calls }
    }

    /// Adds an event; `value` is its JSON.
    pub fn add(&mut self, run: &mut Run, event: &Event, value: Value) -> Result<()> {
        if let Event::CallEnd { block, call } = event {
            let mark = run.build(|run| write_mark(run, call));
            self.blocks.add(run, *block, mark)?;
            let value = run.build(|run| write_call(run, call, &CANONICAL));
            let calls = if is_invalid(call) { &mut self.invalid_calls } else { &mut self.calls };
            return calls.add(run, *block, value);
        }
        let mut reading = run.object(value, At::ROOT)?;
        let kind = reading.take_any(Word::r#type).map_or(Word::Unknown, |kind| run.store.word(kind));
        let block = reading.take_any(Word::block).map_or(0, |block| run.store.number(block) as u32);
        match kind {
            Word::start | Word::usage | Word::finish => {
                // the last usage counts
                if kind == Word::usage {
                    self.head.remove(Word::usage);
                }
                self.head.add_all(run, &reading.rest(), At::ROOT)
            }
            Word::block => {
                let value = reading.require(run, Word::value)?.0;
                self.blocks.add(run, block, value)
            }
            _ => match PIECES.iter().find(|(event, _)| *event == kind) {
                Some((_, kind)) => self.add_piece(run, (block, *kind), &reading.rest()),
                // the end of a call contains the whole call; native events have no place in a response
                None => Ok(()),
            },
        }
    }

    /// Adds members to a block that arrives in pieces.
    fn add_piece(&mut self, run: &mut Run, (block, kind): (u32, Word), members: &Metadata) -> Result<()> {
        let Some(object) = self.blocks.object(block, &[Word::text]) else { return Ok(()) };
        if object.is_empty() {
            let mut usual = vec![(Word::r#type, kind)];
            if kind == Word::reasoning {
                usual.push((Word::issuer, Provider::USUAL.word()));
            }
            for (word, value) in usual {
                let value = run.store.word_value(value);
                object.add(run, Key::Word(word), value, At::ROOT)?;
            }
        }
        for member in members.family_fields() {
            // reasoning may have no text
            let is_no_text = kind == Word::reasoning && member.key.word() == Word::text && run.is_void(member.value);
            if !is_no_text {
                object.add(run, member.key, member.value, At::ROOT)?;
            }
        }
        Ok(())
    }

    /// Writes the response, to be read by [`super::response::read`].
    pub fn put(&self, run: &mut Run) -> Result<()> {
        run.store.begin_object();
        if self.head.is_blank(Word::finishReason) {
            run.store.key(Word::finishReason);
            run.store.put_word(Word::other);
        }
        self.head.put(run)?;
        run.store.key(Word::message);
        let mut message = run.begin();
        message.word(run, Word::role, Word::assistant);
        let lists = [&self.blocks, &self.calls, &self.invalid_calls];
        for (word, list) in [Word::content, Word::toolCalls, Word::invalidToolCalls].into_iter().zip(lists) {
            message.key(run, word);
            list.put(run)?;
        }
        message.close(run);
        run.store.end_object();
        Ok(())
    }
}
