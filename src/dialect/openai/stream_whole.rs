//! Assembles the whole response from a stream, as Chat Completions sends it without streaming.

use super::chunks::text_alone;
use super::stream_calls::{Calls, Fragment};
use crate::dialect::shared::choices;
use crate::dialect::shared::stream::lists::Lists;
use crate::dialect::shared::stream::{Fragments, Members};
use crate::run::{At, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

/// Strings that arrive in pieces.
const GROWING: &[Word] = &[Word::refusal, Word::reasoning_content, Word::reasoning, Word::data, Word::transcript];

#[derive(Default)]
pub struct Whole {
    choices: Vec<Choice>,
    /// The last usage, as JSON text: if there are several, they are cumulative.
    pub usage: Option<Vec<u8>>,
}

struct Choice {
    index: u32,
    rest: Members,
    message: Members,
    content: Content,
    reasoning: Lists,
    /// The calls of further choices, which are not emitted.
    calls: Calls,
}

/// A string, or parts if a server sends them. Consecutive texts are one part.
#[derive(Default)]
struct Content {
    parts: Vec<ContentPart>,
    has_parts: bool,
    has_text: bool,
}

enum ContentPart {
    Text(Fragments),
    /// Mistral's thinking: its list, and the fields beside it. It grows until its signature has arrived.
    Thinking(Content, Members),
    /// The JSON text of a part of another kind.
    Other(Vec<u8>),
}

impl Whole {
    /// Appends to a string of the first choice's message.
    pub fn repeat(&mut self, word: Word, text: &[u8]) {
        let Some(choice) = self.choices.first_mut() else { return };
        match choice.content.parts.last_mut() {
            Some(ContentPart::Text(content)) if word == Word::content => content.extend(text),
            _ => choice.message.extend(&[word], text),
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

    /// Writes the response. `fields` are those beside `choices`; the decoder has the calls of the first choice.
    pub fn put(&self, run: &mut Run, fields: &Members, calls: &Calls) -> Result<()> {
        run.store.begin_object();
        run.store.key(Word::object);
        run.store.put_word(Word::chat_completion);
        fields.put(run)?;
        if let Some(usage) = &self.usage {
            run.store.key(Word::usage);
            run.put_import(usage)?;
        }
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
            reasoning: Lists::default(),
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
        let mut rest = delta.rest();
        self.reasoning.take(run, &mut rest, at)?;
        self.message.add_all(run, &rest, at)
    }

    fn put(&self, run: &mut Run, calls: &Calls) -> Result<()> {
        run.store.begin_object();
        self.rest.put(run)?;
        run.store.key(Word::message);
        run.store.begin_object();
        let refuses = !self.message.is_blank(Word::refusal);
        self.content.put(run, !calls.is_empty() || refuses)?;
        self.message.put(run)?;
        self.reasoning.put(run)?;
        if !self.message.has(Word::refusal) && !run.route.from.format().is_foreign(Word::refusal) {
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
                None if run.type_of(part) == Word::thinking && run.route.from.format().chunks => {
                    self.add_thinking(run, part, at)?;
                }
                None => self.parts.push(ContentPart::Other(run.export(part)?)),
            }
        }
        Ok(())
    }

    fn add_thinking(&mut self, run: &mut Run, part: Value, at: At) -> Result<()> {
        let is_open =
            |part: &ContentPart| matches!(part, ContentPart::Thinking(_, fields) if fields.is_blank(Word::signature));
        if !self.parts.last().is_some_and(is_open) {
            self.parts.push(ContentPart::Thinking(Content::default(), Members::new(&[])));
        }
        let Some(ContentPart::Thinking(list, fields)) = self.parts.last_mut() else { return Ok(()) };
        let mut reading = run.object(part, at)?;
        reading.take_any(Word::r#type);
        let (pieces, pieces_at) = reading.require(run, Word::thinking)?;
        list.add(run, pieces, pieces_at)?;
        fields.add_all(run, &reading.rest(), at)
    }

    fn add_text(&mut self, run: &mut Run, text: Value, at: At) -> Result<()> {
        if run.store.is_empty(text) {
            return Ok(());
        }
        if let Some(ContentPart::Text(known)) = self.parts.last_mut() {
            return known.push(run, text, at);
        }
        let mut begun = Fragments::default();
        begun.push(run, text, at)?;
        self.parts.push(ContentPart::Text(begun));
        Ok(())
    }

    /// Writes `content`. Deltas begin with empty content, which becomes null if the response has other content (`speaks_otherwise`).
    fn put(&self, run: &mut Run, speaks_otherwise: bool) -> Result<()> {
        run.store.key(Word::content);
        match self.parts.as_slice() {
            [] if self.has_text && !speaks_otherwise => run.store.put_text(""),
            [] => run.store.put_null(),
            [ContentPart::Text(text)] if !self.has_parts => text.put(run)?,
            parts => run.try_put_each(parts, |run, part| part.put(run))?,
        }
        Ok(())
    }
}

impl ContentPart {
    fn put(&self, run: &mut Run) -> Result<()> {
        match self {
            ContentPart::Text(text) => {
                let text = text.value(run)?;
                let mut part = run.begin();
                part.word(run, Word::r#type, Word::text);
                part.put(run, Word::text, text);
                part.close(run);
                Ok(())
            }
            ContentPart::Thinking(list, fields) => {
                let mut part = run.begin();
                part.word(run, Word::r#type, Word::thinking);
                part.key(run, Word::thinking);
                run.try_put_each(&list.parts, |run, piece| piece.put(run))?;
                fields.put(run)?;
                part.close(run);
                Ok(())
            }
            ContentPart::Other(json) => run.put_import(json),
        }
    }
}
