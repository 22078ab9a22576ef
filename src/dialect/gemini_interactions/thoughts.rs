//! Thoughts (WIRE §15.4): a summary in texts, and a signature to send back with the calls.

use crate::dialect::gemini::generation::PLACEHOLDER;
use crate::model::{Add, Block, Metadata, Reasoning};
use crate::run::{At, Result, Run};
use crate::value::{Kind, Value, Word};

/// A block for each text of the summary: the first has the fields of the step, the last its signature. None if the summary contains anything but
/// plain texts, in which case the step is kept whole.
pub fn read(run: &mut Run, value: Value, at: At) -> Result<Option<Vec<Block>>> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let signature = reading.string(run, Word::signature)?;
    let mut texts = Vec::new();
    if let Some((summary, at)) = reading.take_at(run, Word::summary) {
        let Some(found) = texts_of(run, summary, at) else { return Ok(None) };
        if found.is_empty() {
            reading.note(Word::summary, summary);
        }
        texts = found;
    }
    let issuer = run.route.source_provider();
    let mut own = Some(reading.rest_in(run, Word::step));
    if texts.is_empty() {
        let metadata = own.take().unwrap_or_default();
        let block = Reasoning { signature, metadata, ..Reasoning::empty(at, issuer) };
        return Ok(Some(vec![Block::Reasoning(block)]));
    }
    let last = texts.len() - 1;
    let mut blocks = Vec::new();
    for (index, (text, text_at)) in texts.into_iter().enumerate() {
        let mut metadata = own.take().unwrap_or_default();
        if index > 0 {
            metadata.set_continues();
        }
        let signature = signature.filter(|_| index == last);
        let at = if index == 0 { at } else { text_at };
        blocks.add(Block::Reasoning(Reasoning { signature, metadata, ..Reasoning::of_text(at, issuer, text) }));
    }
    Ok(Some(blocks))
}

/// The texts of a summary, if all are plain.
fn texts_of(run: &mut Run, list: Value, at: At) -> Option<Vec<(Value, At)>> {
    if run.store.kind(list) != Kind::Array {
        return None;
    }
    let mut texts = Vec::new();
    for (index, part) in run.list(list).into_iter().enumerate() {
        if run.type_of(part) != Word::text || run.members(part).len() != 2 {
            return None;
        }
        let text = run.member(part, Word::text).filter(|text| run.store.kind(*text) == Kind::String)?;
        texts.push((text, run.nth(at, index)));
    }
    Some(texts)
}

/// The signature of Google's part, unless it is the placeholder for one, which only `generateContent` documents.
pub fn signature(run: &Run, metadata: &Metadata) -> Option<Value> {
    metadata.thought_signature().filter(|signature| run.store.text(*signature) != PLACEHOLDER)
}

/// Writes the step of one item of reasoning, with its own signature or that of the next part.
pub fn write(run: &mut Run, parts: &[&Reasoning], next: Option<Value>) {
    let Some(first) = parts.first() else { return };
    let mut object = run.begin_inside(&first.metadata, Word::step);
    object.word(run, Word::r#type, Word::thought);
    let signature = parts.iter().rev().find_map(|part| part.signature).or(next);
    object.option(run, Word::signature, signature);
    // a part behind the first one may be its signature only
    let is_shown = |index: usize, part: &Reasoning| index == 0 || part.metadata.continues();
    let shown = parts.iter().enumerate().filter(|(index, part)| is_shown(*index, part));
    let texts: Vec<Value> = shown.filter_map(|(_, part)| part.text).collect();
    if !texts.is_empty() {
        object.each(run, Word::summary, texts, |run, text| {
            super::contents::write_text(run, text, &Metadata::default(), first.at);
        });
    }
    super::write_steps::put_step(run, &mut object, &first.metadata);
    object.end(run, &first.metadata, first.at);
    for part in parts.iter().skip(1) {
        run.warn_metadata(&part.metadata, part.at);
    }
}

/// Writes a step that is a signature only.
pub fn write_signature(run: &mut Run, signature: Value) {
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::thought);
    object.put(run, Word::signature, signature);
    object.close(run);
}
