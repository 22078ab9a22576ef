//! Assembles the whole response from a stream, as Chat Completions sends it without streaming.

use super::stream_calls::{Calls, Fragment};
use crate::dialect::shared::choices;
use crate::dialect::shared::stream::{Members, Parts};
use crate::model::Metadata;
use crate::run::{At, Key, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

/// Strings that arrive in pieces.
const GROWING: &[Word] = &[Word::refusal, Word::reasoning_content, Word::reasoning, Word::data, Word::transcript];

/// Fields whose first value counts: the same in all chunks, or a count of them.
pub const FIRST_COUNTS: &[Word] = &[Word::id, Word::model, Word::created];

pub struct Whole {
    /// The fields beside `choices`.
    members: Members,
    choices: Vec<Choice>,
}

struct Choice {
    index: u32,
    rest: Members,
    message: Members,
    content: Content,
    /// The calls of further choices, which are not emitted.
    calls: Calls,
}

/// A string, or parts if a server sends them. Consecutive texts are one part.
#[derive(Default)]
struct Content {
    parts: Parts,
    has_parts: bool,
    has_text: bool,
}

impl Whole {
    pub fn new() -> Whole {
        Whole { members: Members::new(&[]), choices: Vec::new() }
    }

    /// Adds the fields of a chunk beside its choices.
    pub fn add_chunk(
        &mut self,
        run: &mut Run,
        fields: &Metadata,
        usage: Option<(Value, At)>,
        has_started: bool,
    ) -> Result<()> {
        let object = run.store.word_value(Word::chat_completion);
        self.members.add(run, Key::Word(Word::object), object, At::ROOT)?;
        for member in fields.family() {
            if !(has_started && FIRST_COUNTS.contains(&member.key.word())) {
                self.members.add(run, member.key, member.value, At::ROOT)?;
            }
        }
        let Some((usage, at)) = usage else { return Ok(()) };
        // if there are several usages, the last one counts, as they are cumulative
        self.members.remove(Word::usage);
        self.members.add(run, Key::Word(Word::usage), usage, at)?;
        Ok(())
    }

    /// Appends to the content of the first choice, or to another string of its message.
    pub fn repeat(&mut self, member: Option<Word>, text: &[u8]) {
        let Some(choice) = self.choices.first_mut() else { return };
        match (member, choice.content.parts.last()) {
            (Some(word), _) => choice.message.extend(&[word], text),
            (None, Some(part)) => part.extend(&[Word::text], text),
            (None, None) => {}
        }
    }

    /// Adds a choice of a chunk. The decoder has the calls of the first choice.
    pub fn add_choice(&mut self, run: &mut Run, choice: Value, index: u32, at: At) -> Result<()> {
        let reading = run.object(choice, at)?;
        let position = choices::place(&mut self.choices, index, |choice| choice.index, Choice::new);
        match self.choices.get_mut(position) {
            Some(kept) => kept.add(run, reading, at, position > 0),
            None => Ok(()),
        }
    }

    pub fn put(&self, run: &mut Run, calls: &Calls) -> Result<()> {
        run.store.begin_object();
        self.members.put(run)?;
        run.store.key(Word::choices);
        run.store.begin_array();
        // the response failed before it began
        if self.choices.is_empty() {
            Choice::new(0).put(run, calls)?;
        }
        for (place, choice) in self.choices.iter().enumerate() {
            choice.put(run, if place == 0 { calls } else { &choice.calls })?;
        }
        run.store.end_array();
        run.store.end_object();
        Ok(())
    }
}

impl Choice {
    fn new(index: u32) -> Choice {
        Choice {
            index,
            rest: Members::new(&[]),
            message: Members::new(GROWING),
            content: Content::default(),
            calls: Calls::default(),
        }
    }

    fn add(&mut self, run: &mut Run, mut reading: Reading, at: At, keeps_calls: bool) -> Result<()> {
        let delta = reading.take_at(run, Word::delta);
        if !self.rest.is_blank(Word::finish_reason) {
            reading.take_any(Word::finish_reason);
        }
        self.rest.add_all(run, &reading.rest(), at)?;
        let Some((delta, at)) = delta else { return Ok(()) };
        let mut delta = run.object(delta, at)?;
        if let Some((content, at)) = delta.take_at(run, Word::content) {
            self.content.add(run, content, at)?;
        }
        if keeps_calls {
            for piece in Fragment::take_all(run, &mut delta)? {
                self.calls.add(run, piece, &mut 0, true, &mut Vec::new())?;
            }
        }
        delta.skip(&[Word::tool_calls, Word::function_call]);
        self.message.add_all(run, &delta.rest(), at)
    }

    fn put(&self, run: &mut Run, calls: &Calls) -> Result<()> {
        run.store.begin_object();
        self.rest.put(run)?;
        run.store.key(Word::message);
        run.store.begin_object();
        let refuses = !self.message.is_blank(Word::refusal);
        self.content.put(run, !calls.is_empty() || refuses)?;
        self.message.put(run)?;
        if !self.message.has(Word::refusal) {
            run.store.key(Word::refusal);
            run.store.put_null();
        }
        calls.put(run)?;
        run.store.end_object();
        run.store.end_object();
        Ok(())
    }
}

impl Content {
    fn add(&mut self, run: &mut Run, content: Value, at: At) -> Result<()> {
        if run.store.kind(content) == Kind::String {
            self.has_text = true;
            return self.add_text(run, content, at);
        }
        self.has_parts = true;
        for (part, at) in run.elements(content, at)? {
            match text_alone(run, part) {
                Some(text) => self.add_text(run, text, at)?,
                None => self.parts.add(run, self.parts.next(), part)?,
            }
        }
        Ok(())
    }

    fn add_text(&mut self, run: &mut Run, text: Value, at: At) -> Result<()> {
        if run.store.is_empty(text) {
            return Ok(());
        }
        let is_open = self.parts.last().is_some();
        let part = if is_open { self.parts.last() } else { self.parts.object(self.parts.next(), &[Word::text]) };
        let Some(part) = part else { return Ok(()) };
        if !is_open {
            let kind = run.store.word_value(Word::text);
            part.add(run, Key::Word(Word::r#type), kind, at)?;
        }
        part.add(run, Key::Word(Word::text), text, at)?;
        Ok(())
    }

    /// Writes `content`. Deltas begin with empty content, which becomes null if the response has other content (`speaks_otherwise`).
    fn put(&self, run: &mut Run, speaks_otherwise: bool) -> Result<()> {
        run.store.key(Word::content);
        if self.parts.is_empty() {
            let is_text = self.has_text && !speaks_otherwise;
            if is_text {
                run.store.put_text("")
            } else {
                run.store.put_null()
            }
            return Ok(());
        }
        let parts = run.try_build(|run| self.parts.put(run))?;
        let only = run.list(parts).first().copied().filter(|_| !self.has_parts);
        let text = only.and_then(|part| run.member(part, Word::text));
        run.store.put(text.unwrap_or(parts));
        Ok(())
    }
}

/// The text of a part without any other fields.
fn text_alone(run: &mut Run, part: Value) -> Option<Value> {
    if run.store.kind(part) != Kind::Object {
        return None;
    }
    let fields = run.members(part);
    let is_text = fields.len() == 2
        && fields.iter().any(|field| field.word == Word::r#type && run.store.word(field.value) == Word::text);
    let text = fields.iter().find(|field| field.word == Word::text).map(|field| field.value);
    text.filter(|text| is_text && run.store.kind(*text) == Kind::String)
}
