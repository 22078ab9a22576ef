//! The candidates of a streamed response, assembled from its chunks.

use crate::dialect::shared::stream::{Members, Parts};
use crate::model::Metadata;
use crate::run::{At, Key, Result, Run};
use crate::value::{Kind, Value, Word};

/// Fields of a candidate that grow with each chunk; of others, the last value counts.
const GROWING: [Word; 4] =
    [Word::groundingMetadata, Word::logprobsResult, Word::citationMetadata, Word::urlContextMetadata];

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

/// A candidate so far.
#[derive(Default)]
pub struct Candidate {
    pub index: u32,
    /// Fields beside its content, and those of them that grow.
    pub fields: Members,
    growing: Members,
    /// The last finish reason: an unspecified one does not replace it. JSON text.
    reason: Option<Vec<u8>>,
    /// Fields of the content beside its parts, if there is any content.
    content: Option<Members>,
    parts: Option<Parts>,
}

impl Candidate {
    pub fn new(index: u32) -> Candidate {
        Candidate { index, growing: Members::new(&[]), ..Candidate::default() }
    }

    /// Adds fields with new values.
    pub fn add_fields(&mut self, run: &mut Run, news: &Metadata, at: At) -> Result<()> {
        for member in news.family_fields() {
            let word = member.key.word();
            if GROWING.contains(&word) {
                self.growing.add(run, member.key, member.value, at)?;
            }
            if word == Word::finishReason && run.store.word(member.value) != Word::FINISH_REASON_UNSPECIFIED {
                self.reason = Some(run.export(member.value)?);
            }
        }
        Ok(())
    }

    /// Adds the fields of a content beside its parts.
    pub fn add_content(&mut self, run: &mut Run, fields: &Metadata, has_parts: bool) -> Result<()> {
        if has_parts {
            self.parts.get_or_insert_default();
        }
        self.content.get_or_insert_default().news(run, fields, &[]).map(|_| ())
    }

    /// Adds a part; `plain` if it is only a text.
    pub fn add_part(&mut self, run: &mut Run, (part, at): (Value, At), plain: Option<(Value, bool)>) -> Result<()> {
        let parts = self.parts.get_or_insert_default();
        let Some((text, is_thought)) = plain else { return parts.add(run, parts.next(), part) };
        if run.store.is_empty(text) {
            return Ok(());
        }
        let is_open = parts.last().is_some_and(|last| last.has(Word::thought) == is_thought);
        let open = if is_open { parts.last() } else { parts.object(parts.next(), &[Word::text]) };
        let Some(open) = open else { return Ok(()) };
        open.add(run, Key::Word(Word::text), text, at)?;
        if is_thought {
            let is_thought = run.store.boolean_value(true);
            open.add(run, Key::Word(Word::thought), is_thought, at)?;
        }
        Ok(())
    }

    /// Appends to the open text.
    pub fn repeat(&mut self, text: &[u8]) {
        if let Some(open) = self.parts.as_mut().and_then(Parts::last) {
            open.extend(&[Word::text], text);
        }
    }

    pub fn put(&self, run: &mut Run) -> Result<()> {
        let mut candidate = run.begin();
        if let Some(fields) = &self.content {
            candidate.key(run, Word::content);
            run.store.begin_object();
            fields.put(run)?;
            if let Some(parts) = &self.parts {
                run.store.key(Word::parts);
                parts.put(run)?;
            }
            run.store.end_object();
        }
        candidate.number(run, Word::index, f64::from(self.index));
        let mut left_out = [GROWING.as_slice(), &[Word::index]].concat();
        if let Some(reason) = run.import_option(self.reason.as_deref())? {
            candidate.put(run, Word::finishReason, reason);
            left_out.push(Word::finishReason);
        }
        self.fields.put_but(run, &left_out)?;
        self.growing.put(run)?;
        candidate.close(run);
        Ok(())
    }
}
