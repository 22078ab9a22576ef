//! Assembles the whole response from its chunks.

use crate::dialect::shared::choices;
use crate::dialect::shared::stream::{Fragments, Latest, Members};
use crate::run::{At, Result, Run};
use crate::value::{Kind, Value, Word};

/// Fields of a candidate that grow with each chunk; of others, the last value counts.
const GROWING: &[Word] =
    &[Word::groundingMetadata, Word::logprobsResult, Word::citationMetadata, Word::urlContextMetadata];

/// The text of a part that is only text, and whether it is a thought. Consecutive parts of the same kind are joined. A part with a signature stays
/// separate, so that it is sent back unchanged (Q165).
pub fn plain_text(run: &mut Run, part: Value, at: At) -> Result<Option<(Value, bool)>> {
    let mut reading = run.object(part, at)?;
    let thought = reading.take_any(Word::thought);
    let text = reading.take_any(Word::text).filter(|text| run.store.kind(*text) == Kind::String);
    let is_thought = match thought.map(|thought| run.store.kind(thought)) {
        None | Some(Kind::Null) => Some(false),
        Some(Kind::Boolean) => thought.map(|thought| run.store.boolean(thought)),
        Some(_) => None,
    };
    let is_plain = reading.is_empty();
    Ok(text.zip(is_thought).filter(|_| is_plain))
}

/// The response so far, as JSON texts.
#[derive(Default)]
pub struct Answer {
    /// Fields beside the candidates.
    head: Latest,
    has_id: bool,
    candidates: Vec<Candidate>,
}

struct Candidate {
    index: u32,
    fields: Latest,
    /// Whether there was a finish reason: an unspecified one does not replace it.
    has_reason: bool,
    growing: Members,
    has_content: bool,
    /// Fields of the content, beside its parts.
    content: Latest,
    has_parts: bool,
    parts: Vec<Part>,
}

enum Part {
    Text { text: Fragments, is_thought: bool },
    Whole(Vec<u8>),
}

impl Answer {
    pub fn add(&mut self, run: &mut Run, chunk: Value, at: At) -> Result<()> {
        let mut reading = run.object(chunk, at)?;
        reading.take_any(Word::usageMetadata);
        for (candidate, at) in reading.elements(run, Word::candidates)? {
            self.add_candidate(run, candidate, at)?;
        }
        // call ids are generated from the first one
        let id = reading.peek(Word::responseId).is_some_and(|id| !run.is_void(id));
        if self.has_id {
            reading.take_any(Word::responseId);
        }
        self.has_id |= id;
        self.head.news(run, &reading.rest())?;
        Ok(())
    }

    /// Appends to the open text.
    pub fn repeat(&mut self, text: &[u8]) {
        let parts = self.candidates.first_mut().map(|candidate| &mut candidate.parts);
        if let Some(Part::Text { text: joined, .. }) = parts.and_then(|parts| parts.last_mut()) {
            joined.extend(text);
        }
    }

    fn add_candidate(&mut self, run: &mut Run, candidate: Value, at: At) -> Result<()> {
        let mut reading = run.object(candidate, at)?;
        let index = choices::index_of(run, &reading)?;
        reading.take(run, Word::index);
        let reason = reading.peek(Word::finishReason).filter(|reason| run.store.kind(*reason) == Kind::String);
        let position = choices::place(&self.candidates, index, |candidate| candidate.index);
        if self.candidates.get(position).is_none_or(|candidate| candidate.index != index) {
            self.candidates.insert(position, Candidate::new(index));
        }
        let Some(kept) = self.candidates.get_mut(position) else { return Ok(()) };
        if let Some((content, at)) = reading.take_at(run, Word::content) {
            kept.add_content(run, content, at)?;
        }
        let is_reason = reason.is_some_and(|reason| run.store.word(reason) != Word::FINISH_REASON_UNSPECIFIED);
        if kept.has_reason && !is_reason {
            reading.take_any(Word::finishReason);
        }
        kept.has_reason |= is_reason;
        let news = kept.fields.news(run, &reading.rest())?;
        for member in news.family().iter().filter(|member| GROWING.contains(&member.key.word())) {
            kept.growing.add(run, member.key, member.value, at)?;
        }
        Ok(())
    }

    /// Writes the response in the format of whole responses, with its usage (JSON text), if any.
    pub fn put(&self, run: &mut Run, usage: &[u8]) -> Result<()> {
        run.store.begin_object();
        if !self.candidates.is_empty() {
            run.store.key(Word::candidates);
            run.try_put_each(&self.candidates, |run, candidate| candidate.put(run))?;
        } else if usage.is_empty() && self.head.is_empty() {
            // there was only an error
            put_nothing(run);
        }
        if !usage.is_empty() {
            let usage = run.import(usage)?;
            run.store.key(Word::usageMetadata);
            run.store.put(usage);
        }
        self.head.put_but(run, &[])?;
        run.store.end_object();
        Ok(())
    }
}

/// Writes an empty candidate.
fn put_nothing(run: &mut Run) {
    run.store.key(Word::candidates);
    run.store.begin_array();
    let mut candidate = run.begin();
    candidate.number(run, Word::index, 0.0);
    candidate.object(run, Word::content, |run, content| {
        content.word(run, Word::role, Word::model);
        content.list(run, Word::parts, &[]);
    });
    candidate.close(run);
    run.store.end_array();
}

impl Candidate {
    fn new(index: u32) -> Candidate {
        Candidate {
            index,
            fields: Latest::default(),
            has_reason: false,
            growing: Members::new(&[]),
            has_content: false,
            content: Latest::default(),
            has_parts: false,
            parts: Vec::new(),
        }
    }

    fn add_content(&mut self, run: &mut Run, content: Value, at: At) -> Result<()> {
        self.has_content = true;
        let mut content = run.object(content, at)?;
        if let Some((parts, at)) = content.take_at(run, Word::parts) {
            self.has_parts = true;
            for (part, at) in run.elements(parts, at)? {
                self.add_part(run, part, at)?;
            }
        }
        self.content.news(run, &content.rest())?;
        Ok(())
    }

    fn add_part(&mut self, run: &mut Run, part: Value, at: At) -> Result<()> {
        let Some((text, is_thought)) = plain_text(run, part, at)? else {
            self.parts.push(Part::Whole(run.export(part)?));
            return Ok(());
        };
        if run.store.is_empty(text) {
            return Ok(());
        }
        match self.parts.last_mut() {
            Some(Part::Text { text: joined, is_thought: other }) if *other == is_thought => joined.push(run, text, at),
            _ => {
                let mut joined = Fragments::default();
                joined.push(run, text, at)?;
                self.parts.push(Part::Text { text: joined, is_thought });
                Ok(())
            }
        }
    }

    fn put(&self, run: &mut Run) -> Result<()> {
        let mut candidate = run.begin();
        if self.has_content {
            candidate.key(run, Word::content);
            self.put_content(run)?;
        }
        candidate.number(run, Word::index, f64::from(self.index));
        let left_out: Vec<Word> = GROWING.iter().copied().chain([Word::index]).collect();
        self.fields.put_but(run, &left_out)?;
        self.growing.put(run)?;
        candidate.close(run);
        Ok(())
    }

    fn put_content(&self, run: &mut Run) -> Result<()> {
        run.store.begin_object();
        self.content.put_but(run, &[])?;
        if self.has_parts {
            run.store.key(Word::parts);
            run.try_put_each(&self.parts, |run, part| part.put(run))?;
        }
        run.store.end_object();
        Ok(())
    }
}

impl Part {
    fn put(&self, run: &mut Run) -> Result<()> {
        match self {
            Part::Text { text, is_thought } => {
                let text = text.value(run)?;
                let mut part = run.begin();
                part.put(run, Word::text, text);
                if *is_thought {
                    part.boolean(run, Word::thought, true);
                }
                part.close(run);
            }
            Part::Whole(json) => {
                run.put_import(json)?;
            }
        }
        Ok(())
    }
}
