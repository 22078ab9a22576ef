//! `reasoning_details` (<https://openrouter.ai/docs/use-cases/reasoning-tokens>): clients return the list unread, so that it carries the state of reasoning of
//! other issuers, in envelopes. Each block of reasoning is an entry.

use crate::dialect::shared::stream::Fragments;
use crate::dialect::shared::stream::lists::{self, LISTS};
use crate::model::{Add, Block, ENVELOPE, Metadata, Reasoning};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

/// Whether reasoning has its state in an envelope.
pub fn is_sealed(run: &Run, part: &Reasoning) -> bool {
    part.signature.or(part.redacted).is_some_and(|state| is_envelope(run, state))
}

fn is_envelope(run: &Run, state: Value) -> bool {
    run.store.kind(state) == Kind::String && run.store.head(state, ENVELOPE.len()) == ENVELOPE
}

/// Writes the list of a message, if any of its reasoning has an envelope.
pub fn write(run: &mut Run, object: &mut Writing, blocks: &[Block]) {
    let mut parts = Vec::new();
    for block in blocks {
        if let Block::Reasoning(part) = block {
            parts.push(part);
        }
    }
    if parts.iter().any(|part| is_sealed(run, part)) {
        object.each(run, Word::reasoning_details, parts.into_iter().enumerate(), |run, (index, part)| {
            put(run, index, part.text, part.signature.or(part.redacted));
        });
    }
}

/// An entry with a text, a state, or both.
pub fn put(run: &mut Run, index: usize, text: Option<Value>, state: Option<Value>) {
    let (kind, place) = match text {
        Some(_) => (Word::reasoning_text_detail, Word::signature),
        None => (Word::reasoning_encrypted_detail, Word::data),
    };
    let mut entry = run.begin();
    entry.word(run, Word::r#type, kind);
    entry.option(run, Word::text, text);
    entry.option(run, place, state);
    entry.number(run, Word::index, index as f64);
    entry.close(run);
}

/// Takes a list with envelopes, which this package wrote, and the texts that it repeats.
pub fn read(run: &mut Run, reading: &mut Reading) -> Result<Option<Vec<Block>>> {
    if run.route.is_response {
        return Ok(None);
    }
    let found = match reading.peek(Word::reasoning_details) {
        Some(list) if has_envelopes(run, list) => reading.take_at(run, Word::reasoning_details),
        Some(_) => None,
        None => take_from_rest(run, reading)?,
    };
    let Some((list, at)) = found else { return Ok(None) };
    for word in [Word::reasoning_content, Word::reasoning] {
        reading.take_any(word);
    }
    run.each(list, at, read_entry).map(Some)
}

fn has_envelopes(run: &mut Run, list: Value) -> bool {
    run.store.kind(list) == Kind::Array
        && run.list(list).into_iter().any(|entry| {
            let [signature, data] = [Word::signature, Word::data].map(|word| run.field(entry, word));
            signature.or(data).is_some_and(|state| is_envelope(run, state))
        })
}

/// LiteLLM sends the list back among what only one provider has (`litellm` 1.110.2).
fn take_from_rest(run: &mut Run, reading: &mut Reading) -> Result<Option<(Value, At)>> {
    let rest = reading.peek(Word::provider_specific_fields).filter(|rest| run.store.kind(*rest) == Kind::Object);
    let list = rest.and_then(|rest| run.member(rest, Word::reasoning_details));
    if run.route.stays() || !list.is_some_and(|list| has_envelopes(run, list)) {
        return Ok(None);
    }
    let Some((rest, at)) = reading.take_at(run, Word::provider_specific_fields) else { return Ok(None) };
    let mut rest = run.object(rest, at)?;
    let list = rest.take_at(run, Word::reasoning_details);
    reading.give_back_rest(run, Word::provider_specific_fields, rest);
    Ok(list)
}

/// The reasoning of a message that has its texts in a list only. The list stays where it is: servers require it back as it was.
pub fn read_texts(run: &mut Run, reading: &Reading) -> Option<Block> {
    for name in LISTS {
        let list = reading.peek(name).filter(|list| run.store.kind(*list) == Kind::Array);
        let Some(text) = list.and_then(|list| lists::texts(run, list)) else { continue };
        let at = run.down(reading.at(), name);
        let mut part = Reasoning::of_text(at, run.route.source_provider(), text);
        part.metadata.add_form(Word::reasoning, run.store.word_value(name));
        return Some(Block::Reasoning(part));
    }
    None
}

/// Whether the text of reasoning is in a list of the message, which is written apart.
pub fn is_listed(run: &Run, metadata: &Metadata) -> bool {
    metadata.form(Word::reasoning).is_some_and(|form| LISTS.contains(&run.store.word(form)))
}

fn read_entry(run: &mut Run, entry: Value, at: At) -> Result<Block> {
    let mut reading = run.object(entry, at)?;
    reading.skip(&[Word::r#type, Word::index, Word::id, Word::format]);
    let text = reading.string(run, Word::text)?;
    let (signature, redacted) = (reading.string(run, Word::signature)?, reading.string(run, Word::data)?);
    let reasoning = Reasoning::empty(at, run.route.source_provider());
    Ok(Block::Reasoning(Reasoning { text, signature, redacted, metadata: reading.rest(), ..reasoning }))
}

/// The blocks of reasoning of a stream whose entries were not written yet.
#[derive(Default)]
pub struct Thoughts {
    waiting: Vec<Thought>,
    /// The number of entries so far.
    count: usize,
}

struct Thought {
    block: u32,
    text: Fragments,
    has_ended: bool,
}

impl Thoughts {
    /// Adds a piece of a text.
    pub fn add(&mut self, run: &mut Run, block: u32, text: Value, at: At) -> Result<()> {
        if !self.waiting.iter().any(|thought| thought.block == block) {
            // what has ended without an envelope needs no entry
            self.waiting.retain(|thought| !thought.has_ended);
            self.waiting.add(Thought { block, text: Fragments::default(), has_ended: false });
        }
        let thought = self.waiting.iter_mut().find(|thought| thought.block == block);
        thought.map_or(Ok(()), |thought| thought.text.push(run, text, at))
    }

    /// Adds a piece to the last text: the content of a JSON string.
    pub fn repeat(&mut self, text: &[u8]) {
        if let Some(thought) = self.waiting.last_mut() {
            thought.text.extend(text);
        }
    }

    /// Ends a block. Returns the entries of its item, if it has the envelope.
    pub fn end(&mut self, run: &mut Run, block: u32, reasoning: &Reasoning) -> Result<Option<Value>> {
        for thought in self.waiting.iter_mut().filter(|thought| thought.block == block) {
            thought.has_ended = true;
        }
        if !is_sealed(run, reasoning) {
            return Ok(None);
        }
        let (ended, waiting) = std::mem::take(&mut self.waiting).into_iter().partition(|thought| thought.has_ended);
        self.waiting = waiting;
        let ended: Vec<Thought> = ended;
        let state = reasoning.signature.or(reasoning.redacted);
        let texts: Vec<Value> = ended.iter().map(|thought| thought.text.value(run)).collect::<Result<_>>()?;
        let entries = run.build(|run| {
            run.store.begin_array();
            for (index, text) in texts.iter().enumerate() {
                let state = state.filter(|_| index + 1 == texts.len());
                put(run, self.count + index, Some(*text), state);
            }
            if texts.is_empty() {
                put(run, self.count, None, state);
            }
            run.store.end_array();
        });
        self.count += texts.len().max(1);
        Ok(Some(entries))
    }
}
