//! Contents: texts and media, in steps and in results (WIRE §15.3).

use crate::dialect::shared::outcome;
use crate::fit::{media, native};
use crate::model::{Block, Media, MediaKind, Metadata, Native, Source};
use crate::run::{At, Result, Run};
use crate::value::{Kind, Value, Word};

const MEDIA: &[(Word, MediaKind)] = &[
    (Word::image, MediaKind::Image),
    (Word::audio, MediaKind::Audio),
    (Word::video, MediaKind::Video),
    (Word::document, MediaKind::Document),
];

/// The kind of list that a native block is in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Step,
    Content,
}

/// A step or content that only its provider understands. A mark has it written back to the same kind of list.
pub fn native(run: &mut Run, level: Level, value: Value, at: At) -> Block {
    let mut native = Native::of_source(run, value, at);
    let mark = if level == Level::Step { Word::steps } else { Word::content };
    native.metadata.add_form(mark, run.store.boolean_value(true));
    Block::Native(native)
}

/// Where a native block is written; None if this format does not have it. Those of the provider's other format do not state a type.
pub fn place(run: &mut Run, native: &Native) -> Option<Level> {
    if !native::is_accepted(run, native) {
        return None;
    }
    if native.metadata.form(Word::steps).is_some() {
        return Some(Level::Step);
    }
    if native.metadata.form(Word::content).is_some() || is_content(run, native.value) {
        return Some(Level::Content);
    }
    run.member(native.value, Word::r#type).map(|_| Level::Step)
}

/// Whether a value is an object of a type that contents have.
pub fn is_content(run: &mut Run, value: Value) -> bool {
    let kind = run.type_of(value);
    kind == Word::text || MEDIA.iter().any(|(known, _)| *known == kind)
}

pub fn read_content(run: &mut Run, value: Value, at: At) -> Result<Block> {
    run.plain_object(value, at)?;
    let word = run.type_of(value);
    if word == Word::text {
        let mut reading = run.object(value, at)?;
        reading.take_any(Word::r#type);
        let text = reading.require_string(run, Word::text)?;
        return Ok(Block::Text { at, text, metadata: reading.rest() });
    }
    let kind = MEDIA.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
    match kind {
        Some(kind) => read_media(run, value, at, kind),
        None => Ok(native(run, Level::Content, value, at)),
    }
}

fn read_media(run: &mut Run, value: Value, at: At, kind: MediaKind) -> Result<Block> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let is_text = |run: &Run, value: Option<Value>| value.is_some_and(|value| run.store.kind(value) == Kind::String);
    let source = if is_text(run, reading.peek(Word::data)) {
        Source::Base64(reading.require_string(run, Word::data)?)
    } else if is_text(run, reading.peek(Word::uri)) {
        Source::Url(reading.require_string(run, Word::uri)?)
    } else {
        return Ok(native(run, Level::Content, value, at));
    };
    let media_type = reading.text(run, Word::mime_type)?;
    if media_type.is_none() {
        reading.note(Word::mimeType, run.store.word_value(Word::omitted));
    }
    Ok(Block::Media(Media { at, kind, source, media_type, name: None, metadata: reading.rest() }))
}

/// Writes a content. Refusals are texts by now.
pub fn write_content(run: &mut Run, block: &Block) {
    match block {
        Block::Text { at, text, metadata } => write_text(run, *text, metadata, *at),
        Block::Media(media) => write_media(run, media),
        Block::Native(native) => native::put(run, native),
        Block::Data { at, .. } => {
            if let Ok(texts) = outcome::texts(run, std::slice::from_ref(block)) {
                texts.into_iter().for_each(|text| write_text(run, text, block.metadata(), *at));
            }
        }
        Block::Refusal { .. } | Block::Reasoning(_) | Block::Call(_) => {}
    }
}

pub fn write_text(run: &mut Run, text: Value, metadata: &Metadata, at: At) {
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::text);
    object.put(run, Word::text, text);
    end(run, object, metadata, at);
}

fn write_media(run: &mut Run, media: &Media) {
    let Media { at, kind, source, media_type, name: _, metadata } = media;
    let mut object = run.begin();
    let word = MEDIA.iter().find(|(_, known)| known == kind).map_or(Word::document, |(word, _)| *word);
    object.word(run, Word::r#type, word);
    let key = if matches!(source, Source::Base64(_)) { Word::data } else { Word::uri };
    object.put(run, key, media::source_value(*source));
    // as was read: the canonical format has a type for all data
    let is_untyped = run.is_omitted(metadata, Word::mimeType) && matches!(source, Source::Base64(_));
    object.option(run, Word::mime_type, media_type.filter(|_| !is_untyped));
    media::warn_name(run, media);
    end(run, object, metadata, *at);
}

/// Ends a content. The fields of its step are written there.
fn end(run: &mut Run, mut object: crate::run::Writing, metadata: &Metadata, at: At) {
    if metadata.own_field(Word::step).is_some() {
        object.skip(run, Word::step);
    }
    object.end(run, metadata, at);
}
