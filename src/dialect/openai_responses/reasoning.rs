//! Reasoning items (WIRE §2.3, Q206): a summary in parts, possibly the reasoning text, and state to send back together with the calls.

use super::items;
use super::stream_texts::{PartKind, Row};
use crate::model::{Add, Block, Metadata, Reasoning};
use crate::run::{At, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

/// A block for each part: the first has the fields of the item, the last its state. None if the item has an undocumented shape, in which case it is
/// kept whole.
pub fn read(run: &mut Run, value: Value, at: At) -> Result<Option<Vec<Block>>> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let mut forms = Metadata::default();
    let mut texts = Vec::new();
    if !reading.has(Word::summary) {
        forms.add_form(Word::summary, run.store.word_value(Word::omitted));
    }
    for kind in [PartKind::Summary, PartKind::Reasoning] {
        let Row { list, part, .. } = kind.row();
        let parts = reading.peek(list).filter(|parts| kind == PartKind::Summary || !run.is_void(*parts));
        if let Some(parts) = parts {
            reading.take_any(list);
            let at = run.down(at, list);
            let Some(found) = texts_of(run, parts, at, part) else { return Ok(None) };
            texts.extend(found.into_iter().map(|(text, at)| (text, at, kind)));
        }
    }
    let state = reading.string(run, Word::encrypted_content)?;
    let mut first = reading.rest_in(run, Word::item);
    first.append(forms);
    Ok(Some(blocks(run, at, &texts, state, first)))
}

fn blocks(run: &mut Run, at: At, texts: &[(Value, At, PartKind)], state: Option<Value>, first: Metadata) -> Vec<Block> {
    let issuer = run.route.source_provider();
    let block = |at, text, signature, metadata| {
        Block::Reasoning(Reasoning { text, signature, metadata, ..Reasoning::empty(at, issuer) })
    };
    let mut own = Some(first);
    let last = texts.len().saturating_sub(1);
    let mut blocks = Vec::new();
    for (index, (text, at, kind)) in texts.iter().enumerate() {
        let mut metadata = own.take().unwrap_or_default();
        if index > 0 {
            metadata.set_continues();
        }
        if *kind == PartKind::Reasoning {
            metadata.add_form(Word::content, run.store.word_value(Word::reasoning_text));
        }
        blocks.add(block(*at, Some(*text), state.filter(|_| index == last), metadata));
    }
    if texts.is_empty() {
        blocks.add(block(at, None, state, own.take().unwrap_or_default()));
    }
    blocks
}

/// The texts of parts, if all have the same type and no other fields.
fn texts_of(run: &mut Run, list: Value, at: At, kind: Word) -> Option<Vec<(Value, At)>> {
    if run.store.kind(list) != Kind::Array {
        return None;
    }
    let mut texts = Vec::new();
    for (index, part) in run.list(list).into_iter().enumerate() {
        if run.type_of(part) != kind || run.members(part).len() != 2 {
            return None;
        }
        let text = run.member(part, Word::text).filter(|text| run.store.kind(*text) == Kind::String)?;
        texts.push((text, run.nth(at, index)));
    }
    Some(texts)
}

/// The blocks at the start of `blocks` that belong to one item.
pub fn item(blocks: &[Block]) -> Vec<&Reasoning> {
    let mut parts = Vec::new();
    for block in blocks {
        match block {
            Block::Reasoning(part) if parts.is_empty() || part.metadata.continues() => parts.push(part),
            _ => break,
        }
    }
    parts
}

/// Whether the item contains encrypted reasoning.
pub fn has_state(parts: &[&Reasoning]) -> bool {
    parts.iter().any(|part| part.signature.is_some() || part.redacted.is_some())
}

/// Whether the item is written: the target's provider issued it, as its id or state shows, or a client gets its text.
pub fn is_sent(run: &mut Run, parts: &[&Reasoning]) -> bool {
    let is_whole = has_state(parts) || parts.first().is_some_and(|first| items::own_id(run, &first.metadata).is_some());
    if is_whole && parts.iter().all(|part| run.route.leads_to(part.issuer)) {
        return true;
    }
    run.route.is_response && parts.iter().any(|part| part.text.is_some())
}

/// Whether a part is reasoning text, not summary.
pub fn is_content(run: &Run, metadata: &Metadata) -> bool {
    metadata.form(Word::content).is_some_and(|form| run.store.word(form) == Word::reasoning_text)
}

/// Whether an item has a status: where the server requires it and, for the clients of such servers, in responses that come from another format.
pub fn states_status(run: &Run, is_own: bool) -> bool {
    let is_converted = run.route.is_response && !run.route.stays() && !is_own;
    is_converted || run.route.target_facts().reasoning_status == Some(true)
}

/// Writes the members of an item, apart from its id.
pub fn write(run: &mut Run, object: &mut Writing, parts: &[&Reasoning]) {
    let item = parts.first().and_then(|first| first.metadata.own_field(Word::item));
    let has_status = item.is_some_and(|item| run.field(item, Word::status).is_some());
    if !has_status && states_status(run, item.is_some()) {
        object.word(run, Word::status, Word::completed);
    }
    let omits_summary = parts.first().is_some_and(|first| first.metadata.form(Word::summary).is_some());
    let (content, summary): (Vec<&Reasoning>, Vec<&Reasoning>) =
        parts.iter().partition(|part| is_content(run, &part.metadata));
    if !(omits_summary && summary.iter().all(|part| part.text.is_none())) {
        object.key(run, Word::summary);
        write_texts(run, &summary, PartKind::Summary);
    }
    if !content.is_empty() {
        object.key(run, Word::content);
        write_texts(run, &content, PartKind::Reasoning);
    }
    let state = parts.iter().rev().find_map(|part| part.signature.or(part.redacted));
    object.option(run, Word::encrypted_content, state);
}

fn write_texts(run: &mut Run, parts: &[&Reasoning], kind: PartKind) {
    run.put_each(parts.iter().filter_map(|part| part.text), |run, text| kind.put(run, text, None));
}
