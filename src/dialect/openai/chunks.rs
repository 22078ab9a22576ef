//! Contents as Mistral has them (WIRE §6.3, §6.9): thinking among the texts, documents by URL, files by id, and audio as a plain string.

use super::write_parts::write_image;
use crate::dialect::shared::media;
use crate::fit::data_url;
use crate::fit::media::{AcceptedMedia, By, source_value, warn_name};
use crate::model::{Block, Media, MediaKind, Metadata, Reasoning, Source};
use crate::run::{Key, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// Whether a format of the family has another shape for parts of this type, or none.
pub fn has(kind: Word) -> bool {
    matches!(kind, Word::thinking | Word::document_url | Word::file | Word::input_audio)
}

/// Reads a chunk for which [`has`] holds; its type was taken.
pub fn read(run: &mut Run, kind: Word, reading: Reading) -> Result<Block> {
    match kind {
        Word::thinking => read_thinking(run, reading),
        Word::document_url => read_document(run, reading),
        Word::input_audio => read_audio(run, reading),
        _ => read_file(run, reading),
    }
}

/// Thinking is a list of texts and references. Its texts are the reasoning; a list with anything else is kept whole beside them.
fn read_thinking(run: &mut Run, mut reading: Reading) -> Result<Block> {
    let (list, list_at) = reading.require(run, Word::thinking)?;
    let (mut texts, mut is_plain) = (Vec::new(), true);
    for (entry, _) in run.elements(list, list_at)? {
        is_plain &= text_alone(run, entry).is_some();
        texts.extend(text_of(run, entry));
    }
    let at = reading.at();
    let signature = reading.string(run, Word::signature)?;
    let is_empty = run.list(list).is_empty();
    let mut metadata = reading.rest();
    let text = if texts.is_empty() { None } else { Some(run.store.join(&texts)) };
    let is_void = text.is_none_or(|text| run.store.is_empty(text)) && signature.is_none();
    if !is_plain {
        metadata.add_at(Key::Word(Word::thinking), list, list_at);
    } else if texts.len() > 1 || is_void {
        metadata.add_form(Word::thinking, list);
    }
    let (signature, redacted) = if is_empty { (None, signature) } else { (signature, None) };
    let reasoning = Reasoning::empty(at, run.route.source_provider());
    Ok(Block::Reasoning(Reasoning { text, signature, redacted, metadata, ..reasoning }))
}

/// The text of a chunk without any other fields.
pub fn text_alone(run: &mut Run, part: Value) -> Option<Value> {
    let text = text_of(run, part)?;
    (run.members(part).len() == 2).then_some(text)
}

fn text_of(run: &mut Run, part: Value) -> Option<Value> {
    let kind = run.field(part, Word::r#type)?;
    run.field(part, Word::text)
        .filter(|_| run.store.word(kind) == Word::text)
        .filter(|text| run.store.kind(*text) == Kind::String)
}

fn read_document(run: &mut Run, mut reading: Reading) -> Result<Block> {
    let url = reading.require_string(run, Word::document_url)?;
    let name = reading.string(run, Word::document_name)?;
    let at = reading.at();
    let mut metadata = reading.rest();
    let (source, media_type) = media::of_url(run, url, &mut metadata);
    Ok(Block::Media(Media { at, kind: MediaKind::Document, source, media_type, name, metadata }))
}

/// Audio is a URL, or data in base64.
fn read_audio(run: &mut Run, mut reading: Reading) -> Result<Block> {
    let audio = reading.require_string(run, Word::input_audio)?;
    let at = reading.at();
    let mut metadata = reading.rest();
    let (source, media_type) = match data_url::read(run, audio) {
        Some(parts) => {
            metadata.add_form(Word::url, audio);
            (Source::Base64(parts.data), Some(parts.media_type))
        }
        None if run.store.text(audio).starts_with("http") => (Source::Url(audio), None),
        None => {
            // nothing states the type
            let sniffed = Some(data_url::sniff(run, audio)).filter(|sniffed| sniffed.starts_with("audio/"));
            (Source::Base64(audio), Some(run.store.string(sniffed.unwrap_or("audio/wav"))))
        }
    };
    Ok(Block::Media(Media { at, kind: MediaKind::Audio, source, media_type, name: None, metadata }))
}

fn read_file(run: &mut Run, mut reading: Reading) -> Result<Block> {
    let id = reading.require_string(run, Word::file_id)?;
    let at = reading.at();
    let metadata = reading.rest();
    let (kind, source) = (MediaKind::Document, Source::File(id));
    Ok(Block::Media(Media { at, kind, source, media_type: None, name: None, metadata }))
}

/// The media that a user message accepts (WIRE §6.9).
pub const TAKES: AcceptedMedia = AcceptedMedia {
    rows: &[
        (MediaKind::Image, By::Base64, IMAGES),
        (MediaKind::Image, By::WebUrl, IMAGES),
        (MediaKind::Audio, By::Base64, &[]),
        (MediaKind::Audio, By::WebUrl, &[]),
        (MediaKind::Document, By::Base64, &[]),
        (MediaKind::Document, By::WebUrl, &[]),
        (MediaKind::Document, By::File, &[]),
    ],
    types_urls: false,
};

const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Writes fitted media.
pub fn write_media(run: &mut Run, media: &Media) {
    let Media { at, kind, source, media_type: _, name, metadata } = media;
    let mut object = run.begin();
    match (kind, source) {
        (_, Source::File(id)) => {
            object.word(run, Word::r#type, Word::file);
            object.put(run, Word::file_id, *id);
            warn_name(run, media);
        }
        (MediaKind::Image, _) => {
            object.word(run, Word::r#type, Word::image_url);
            write_image(run, &mut object, media);
            warn_name(run, media);
        }
        (MediaKind::Audio, _) => {
            object.word(run, Word::r#type, Word::input_audio);
            let audio = data_url::original(run, media).unwrap_or_else(|| source_value(*source));
            object.put(run, Word::input_audio, audio);
            warn_name(run, media);
        }
        (MediaKind::Document | MediaKind::Video, _) => {
            object.word(run, Word::r#type, Word::document_url);
            let url = match data_url::original(run, media) {
                Some(url) => url,
                None => data_url::of_media(run, media, "application/pdf"),
            };
            object.put(run, Word::document_url, url);
            object.option(run, Word::document_name, *name);
        }
    }
    object.end(run, metadata, *at);
}

/// Writes reasoning. State without a text has an empty list.
pub fn write_thinking(run: &mut Run, part: &Reasoning) {
    let Reasoning { at, text, signature, redacted, issuer: _, scope: _, metadata } = part;
    let stated = metadata.own_field(Word::thinking);
    let kept = stated.or(metadata.form(Word::thinking)).filter(|list| states(run, *list, *text));
    if stated.is_some() && kept.is_none() {
        run.warn(
            WarningCode::FieldDropped,
            *at,
            "the text of the reasoning is another one: its references are left out",
        );
    }
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::thinking);
    match kept {
        Some(list) => object.put(run, Word::thinking, list),
        None => object.each(run, Word::thinking, text.iter(), |run, text| write_text(run, *text)),
    }
    object.option(run, Word::signature, signature.or(*redacted));
    object.end(run, metadata, *at);
}

/// Whether a list has this text.
fn states(run: &mut Run, list: Value, text: Option<Value>) -> bool {
    let entries = run.list(list);
    let texts: Vec<Value> = entries.into_iter().filter_map(|entry| text_of(run, entry)).collect();
    let whole = run.store.join(&texts);
    text.map_or(texts.is_empty(), |text| run.store.same(whole, text))
}

/// A piece of thinking, or its signature, as the content of a delta.
pub fn piece(run: &mut Run, text: Option<Value>, signature: Option<Value>) -> Value {
    let part = Reasoning { text, signature, ..Reasoning::empty(crate::run::At::ROOT, run.route.source_provider()) };
    run.build(|run| {
        run.store.begin_array();
        write_thinking(run, &part);
        run.store.end_array();
    })
}

fn write_text(run: &mut Run, text: Value) {
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::text);
    object.put(run, Word::text, text);
    object.close(run);
}

/// Takes the index of a call, which is usually its position.
pub fn take_index(run: &mut Run, metadata: &mut Metadata, position: usize) {
    let stated = metadata.family_field(Word::index);
    let is_usual = stated.is_some_and(|index| run.count(index) == Some(position as f64));
    metadata.set_family_field(Word::index, None);
    if !is_usual {
        metadata.add_form(Word::index, stated.unwrap_or_else(|| run.store.word_value(Word::omitted)));
    }
}
