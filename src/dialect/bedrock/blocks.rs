//! Reads content blocks: objects with one key, which states what they are (WIRE §5.3, §5.4, §5.9).

use super::{media, results};
use crate::dialect::shared::arguments;
use crate::dialect::shared::shapes::{Absent, Field, Id, Presence};
use crate::dialect::shared::turns::TurnPart;
use crate::model::{Block, Call, Metadata, Native, Reasoning};
use crate::run::{At, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn read_piece(run: &mut Run, value: Value, at: At) -> Result<TurnPart> {
    let mut reading = run.object(value, at)?;
    if reading.holds(run, Word::text) {
        let text = reading.require_string(run, Word::text)?;
        return Ok(TurnPart::Block(Block::Text { at, text, metadata: reading.rest() }));
    }
    if let Some(key) = media::KEYS.iter().find(|key| reading.holds(run, **key)) {
        return media::read(run, value, at, *key).map(TurnPart::Block);
    }
    if let Some(call) = reading.peek(Word::toolUse).filter(|call| run.store.kind(*call) == Kind::Object) {
        if is_of_server(run, call) {
            return Ok(TurnPart::Block(native(run, value, at)));
        }
        return read_call(run, reading).map(TurnPart::Block);
    }
    if reading.holds(run, Word::toolResult) {
        return results::read(run, reading).map(TurnPart::Result);
    }
    if reading.holds(run, Word::reasoningContent) {
        return read_reasoning(run, reading, value).map(TurnPart::Block);
    }
    read_texts(run, reading, value).map(TurnPart::Block)
}

/// A block of the user, or of a result.
pub fn read_user_part(run: &mut Run, value: Value, at: At) -> Result<TurnPart> {
    Ok(read_piece(run, value, at)?.by_user(value, run.route.source_provider()))
}

/// A block of the model.
pub fn read_assistant_block(run: &mut Run, value: Value, at: At) -> Result<Block> {
    Ok(read_piece(run, value, at)?.by_model(value, run.route.source_provider()))
}

fn native(run: &Run, value: Value, at: At) -> Block {
    Block::Native(Native::of_source(run, value, at))
}

/// Whether a call is run by Bedrock's servers.
pub fn is_of_server(run: &mut Run, call: Value) -> bool {
    run.type_of(call) == Word::server_tool_use
}

pub const ID: Id = Id { key: Word::toolUseId, form: Word::id, presence: Presence::Required };
/// The text of reasoning.
pub const REASONING: Field = Field { key: Word::text, kind: Kind::String, absent: Absent::EmptyText };

fn read_call(run: &mut Run, mut reading: Reading) -> Result<Block> {
    let at = reading.at();
    let mut inner = reading.require_object(run, Word::toolUse)?;
    let id = ID.take(run, &mut inner)?;
    let (name, arguments) = arguments::take(run, &mut inner, (Word::input, arguments::Usual::OnlyObject))?;
    // some models state the type of an ordinary call (WIRE §13)
    if let Some(kind) = inner.peek(Word::r#type).filter(|kind| run.store.word(*kind) == Word::tool_use) {
        inner.take_any(Word::r#type);
        inner.note(Word::r#type, kind);
    }
    let mut metadata = reading.rest();
    inner.rest_into(run, Word::toolUse, &mut metadata);
    Ok(Block::Call(Call { at, id, name, arguments, metadata }))
}

/// Reasoning: a text with a signature, or what only its issuer can read.
fn read_reasoning(run: &mut Run, mut reading: Reading, whole: Value) -> Result<Block> {
    let at = reading.at();
    let mut inner = reading.require_object(run, Word::reasoningContent)?;
    let mut block = Reasoning::empty(at, run.source_signer());
    let mut metadata = Metadata::default();
    if let Some(mut part) = inner.object(run, Word::reasoningText)? {
        let written = part.peek(Word::text).filter(|text| run.store.kind(*text) == Kind::String);
        let text = REASONING.take(run, &mut part)?.map(|(text, _)| text);
        block.signature = part.string(run, Word::signature)?;
        // beside a signature, an empty text is that of hidden reasoning
        block.text = text.or_else(|| written.filter(|_| block.signature.is_none()));
        part.rest_into(run, Word::reasoningText, &mut metadata);
    } else {
        let redacted = inner.peek(Word::redactedContent).filter(|bytes| run.store.kind(*bytes) == Kind::String);
        if redacted.is_none() {
            return Ok(native(run, whole, at));
        }
        block.redacted = inner.string(run, Word::redactedContent)?;
        block.issuer = run.route.source_provider();
    }
    block.metadata = reading.rest();
    block.metadata.append(metadata);
    inner.rest_into(run, Word::reasoningContent, &mut block.metadata);
    Ok(Block::Reasoning(block))
}

/// Blocks that contain texts in a way of their own. Forms keep the texts, which are restored if they are unchanged.
fn read_texts(run: &mut Run, mut reading: Reading, whole: Value) -> Result<Block> {
    let at = reading.at();
    let kinds = [Word::citationsContent, Word::searchResult, Word::guardContent];
    let key = kinds.into_iter().find(|key| reading.holds(run, *key));
    let found = key.and_then(|key| Some((key, run.member(whole, key)?)));
    let text = found.and_then(|(key, found)| Some((key, found, text_of(run, key, found)?)));
    let Some((key, found, text)) = text else { return Ok(native(run, whole, at)) };
    let mut metadata = Metadata::default();
    let mut inner = reading.require_object(run, key)?;
    match key {
        Word::guardContent => inner.skip(&[Word::text]),
        Word::searchResult => inner.skip(&[Word::source, Word::title, Word::content]),
        _ => inner.skip(&[Word::content]),
    }
    let kept = run.build_object(|run, object| {
        for word in [Word::source, Word::title, Word::content, Word::text] {
            let value = run.member(found, word);
            object.option(run, word, value);
        }
    });
    metadata.add_form(key, kept);
    inner.rest_into(run, key, &mut metadata);
    metadata.append(reading.rest());
    Ok(Block::Text { at, text, metadata })
}

/// The text of what is under the key of such a block; None if it contains anything but texts.
fn text_of(run: &mut Run, key: Word, found: Value) -> Option<Value> {
    if run.store.kind(found) != Kind::Object {
        return None;
    }
    if key == Word::guardContent {
        let inner = run.member(found, Word::text).filter(|inner| run.store.kind(*inner) == Kind::Object)?;
        let known = [Word::text, Word::qualifiers];
        let is_known = run.members(inner).iter().all(|field| known.contains(&field.word));
        return run.member(inner, Word::text).filter(|text| is_known && run.store.kind(*text) == Kind::String);
    }
    let content = run.member(found, Word::content).filter(|content| run.store.kind(*content) == Kind::Array)?;
    let is_search = key == Word::searchResult;
    let mut pieces = Vec::new();
    for word in [Word::title, Word::source].into_iter().filter(|_| is_search) {
        pieces.push(run.member(found, word).filter(|text| run.store.kind(*text) == Kind::String)?);
        pieces.push(run.store.string("\n"));
    }
    for part in run.list(content) {
        let text = run.field(part, Word::text)?;
        if run.store.kind(text) != Kind::String || run.members(part).len() != 1 {
            return None;
        }
        pieces.push(text);
        if is_search {
            pieces.push(run.store.string("\n"));
        }
    }
    Some(run.store.join(&pieces))
}

/// The key and the texts of the block that a text was read from, if the text is unchanged.
pub fn original(run: &mut Run, text: Value, metadata: &Metadata) -> Option<(Word, Value)> {
    let kinds = [Word::citationsContent, Word::searchResult, Word::guardContent];
    let mut kept = kinds.into_iter().filter_map(|key| Some((key, metadata.form(key)?)));
    let (key, kept) = kept.find(|(_, kept)| run.store.kind(*kept) == Kind::Object)?;
    let known = text_of(run, key, kept)?;
    run.store.same(known, text).then_some((key, kept))
}
