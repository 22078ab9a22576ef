//! Writing content parts (WIRE §1.9).

use crate::dialect::shared::data_url;
use crate::model::{Block, Media, MediaKind, Metadata, Source};
use crate::run::{At, Provider, Result, Run, WarningCode};
use crate::value::{Value, Word};

/// Who says it: media are for users only (Q191).
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    System,
    User,
    Assistant,
}

/// Writes one part; what the target does not take is left out and told. Calls are written elsewhere.
pub fn write_part(run: &mut Run, block: &Block, speaker: Speaker) -> Result<()> {
    match block {
        Block::Text { at, text, metadata } => write_text(run, *text, metadata, *at),
        Block::Refusal { at, text, metadata } if speaker == Speaker::Assistant => {
            let mut object = run.begin();
            object.word(run, Word::r#type, Word::refusal);
            object.put(run, Word::refusal, *text);
            object.end(run, metadata, *at);
        }
        Block::Refusal { at, text, metadata } => {
            run.warn(WarningCode::RefusalAsText, *at, "only an assistant refuses");
            write_text(run, *text, metadata, *at);
        }
        Block::Data { at, value, metadata } => {
            let text = run.json_text(*value, *at)?;
            write_text(run, text, metadata, *at);
        }
        Block::Media(media) if speaker == Speaker::User => write_media(run, media),
        Block::Media(media) => run.warn(WarningCode::MediaDropped, media.at, "only user messages hold media here"),
        Block::Native(native) if native.provider == Provider::OpenAI => run.store.put(native.value),
        Block::Native(native) => run.warn_native_block(native.at),
        Block::Reasoning(reasoning) => run.warn_reasoning(reasoning.at),
        Block::Call(_) => {}
    }
    Ok(())
}

pub fn write_text(run: &mut Run, text: Value, metadata: &Metadata, at: At) {
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::text);
    object.put(run, Word::text, text);
    object.end(run, metadata, at);
}

/// Whether [`write_media`] will write it.
pub fn takes_media(run: &Run, media: &Media) -> bool {
    match (media.kind, &media.source) {
        (MediaKind::Image, Source::Base64(_) | Source::Url(_)) => true,
        (MediaKind::Image, Source::File(_) | Source::Text(_)) => false,
        (MediaKind::Audio, Source::Base64(_)) => audio_format(run, media.media_type).is_some(),
        (MediaKind::Audio, Source::Url(_) | Source::File(_) | Source::Text(_)) => false,
        (MediaKind::Document, Source::Base64(_) | Source::File(_) | Source::Text(_)) => true,
        (MediaKind::Document, Source::Url(_)) | (MediaKind::Video, _) => false,
    }
}

fn audio_format(run: &Run, media_type: Option<Value>) -> Option<Word> {
    match run.store.text(media_type?).as_ref() {
        "audio/wav" | "audio/x-wav" | "audio/wave" => Some(Word::wav),
        "audio/mpeg" | "audio/mp3" => Some(Word::mp3),
        _ => None,
    }
}

pub fn write_media(run: &mut Run, media: &Media) {
    let Media { at, kind, source, media_type, name, metadata } = media;
    if !takes_media(run, media) {
        run.warn(WarningCode::MediaDropped, *at, "the target does not take this kind of media, or not from such a source");
        return;
    }
    let mut object = run.begin();
    match kind {
        MediaKind::Image => {
            object.word(run, Word::r#type, Word::image_url);
            object.key(run, Word::image_url);
            let mut image = run.begin();
            let url = match said_url(run, media) {
                Some(url) => url,
                None => media_url(run, source, *media_type, "image/png"),
            };
            image.put(run, Word::url, url);
            image.add_nested(run, metadata, Word::image_url);
            image.close(run);
        }
        MediaKind::Audio => {
            object.word(run, Word::r#type, Word::input_audio);
            object.key(run, Word::input_audio);
            let mut audio = run.begin();
            audio.put(run, Word::data, source_value(source));
            audio.word(run, Word::format, audio_format(run, *media_type).unwrap_or(Word::wav));
            audio.add_nested(run, metadata, Word::input_audio);
            audio.close(run);
        }
        MediaKind::Document | MediaKind::Video => {
            object.word(run, Word::r#type, Word::file);
            object.key(run, Word::file);
            write_file(run, source, *media_type, *name, metadata);
        }
    }
    object.end(run, metadata, *at);
}

/// The URL as it stood, while it still means the same media.
fn said_url(run: &mut Run, media: &Media) -> Option<Value> {
    let url = media.metadata.form(Word::url)?;
    let parts = data_url::read(run, url)?;
    let Source::Base64(data) = &media.source else { return None };
    let same_type = media.media_type.is_some_and(|now| run.store.same(parts.media_type, now));
    (same_type && run.store.same(parts.data, *data)).then_some(url)
}

fn write_file(
    run: &mut Run,
    source: &Source,
    media_type: Option<Value>,
    name: Option<Value>,
    metadata: &Metadata,
) {
    let mut file = run.begin();
    match source {
        Source::File(id) => {
            file.option(run, Word::filename, name);
            file.put(run, Word::file_id, *id);
        }
        source => {
            match name {
                Some(name) => file.put(run, Word::filename, name),
                None => file.text(run, Word::filename, "document"),
            }
            let url = media_url(run, source, media_type, "application/pdf");
            file.put(run, Word::file_data, url);
        }
    }
    file.add_nested(run, metadata, Word::file);
    file.close(run);
}

fn source_value(source: &Source) -> Value {
    match source {
        Source::Base64(value) | Source::Url(value) | Source::File(value) | Source::Text(value) => *value,
    }
}

fn media_url(run: &mut Run, source: &Source, media_type: Option<Value>, usual: &str) -> Value {
    match source {
        Source::Base64(data) => {
            let media_type = media_type.unwrap_or_else(|| run.store.string(usual));
            data_url::build(run, media_type, *data)
        }
        Source::Text(text) => {
            let text = run.store.text(*text).into_owned();
            let encoded = crate::dialect::shared::base64::encode(text.as_bytes());
            let media_type = media_type.unwrap_or_else(|| run.store.string("text/plain"));
            let data = run.store.string(&encoded);
            data_url::build(run, media_type, data)
        }
        Source::Url(value) | Source::File(value) => *value,
    }
}
