//! Writes content parts (WIRE §2.9).

use super::parts::Within;
use crate::fit::{data_url, media, native};
use crate::model::{Block, Media, MediaKind, Metadata, Source};
use crate::run::{At, Run, Writing};
use crate::value::{Value, Word};

/// Writes a part of a message or of an output. Data is text by now.
pub fn write_part(run: &mut Run, block: &Block, holder: Within) {
    match block {
        Block::Text { at, text, metadata } if holder == Within::Assistant => {
            write_output_text(run, *text, metadata, *at);
        }
        Block::Text { at, text, metadata } => {
            let mut object = run.begin();
            object.word(run, Word::r#type, Word::input_text);
            object.put(run, Word::text, *text);
            object.end(run, metadata, *at);
        }
        Block::Refusal { at, text, metadata } => {
            let mut object = run.begin();
            object.word(run, Word::r#type, Word::refusal);
            object.put(run, Word::refusal, *text);
            object.add_nested(run, metadata, Word::output_text);
            end_part(run, object, metadata, *at);
        }
        // in an assistant's message only if it stays in its format
        Block::Media(media) => write_media(run, media, holder),
        Block::Native(native) => native::put(run, native),
        Block::Data { .. } | Block::Reasoning(_) | Block::Call(_) => {}
    }
}

fn write_media(run: &mut Run, media: &Media, holder: Within) {
    let Media { at, kind, source: _, media_type: _, name: _, metadata } = media;
    let mut object = run.begin();
    match kind {
        MediaKind::Image => write_image(run, &mut object, media, holder),
        MediaKind::Audio => write_audio(run, &mut object, media),
        MediaKind::Document | MediaKind::Video => write_file(run, &mut object, media),
    }
    if matches!(kind, MediaKind::Image | MediaKind::Audio) {
        media::warn_name(run, media);
    }
    object.end(run, metadata, *at);
}

fn write_image(run: &mut Run, object: &mut Writing, media: &Media, holder: Within) {
    object.word(run, Word::r#type, Word::input_image);
    match media::detail(run, media) {
        Some(detail) => object.put(run, Word::detail, detail),
        None if holder != Within::Output && media.metadata.form(Word::detail).is_none() => {
            object.word(run, Word::detail, Word::auto);
        }
        None => {}
    }
    let (key, value) = match media.source {
        Source::File(id) => (Word::file_id, id),
        Source::Base64(_) | Source::Url(_) | Source::Text(_) => (Word::image_url, url(run, media, "image/png")),
    };
    object.put(run, key, value);
    if media.metadata.form(Word::image_url).is_none() {
        // Chat Completions keeps the fields of an image under this name
        object.refuse_rest(run, (&media.metadata, media.at), Word::image_url, Word::detail);
    }
}

fn url(run: &mut Run, media: &Media, usual: &str) -> Value {
    match data_url::original(run, media) {
        Some(url) => url,
        None => data_url::of_media(run, media, usual),
    }
}

fn write_file(run: &mut Run, object: &mut Writing, media: &Media) {
    object.word(run, Word::r#type, Word::input_file);
    let (key, value) = match media.source {
        Source::File(id) => (Word::file_id, id),
        Source::Url(url) => (Word::file_url, url),
        Source::Base64(_) | Source::Text(_) => (Word::file_data, url(run, media, "application/pdf")),
    };
    let came_nameless = data_url::original(run, media).is_some() || media.metadata.form(Word::filename).is_some();
    match media.name {
        Some(name) => object.put(run, Word::filename, name),
        None if key == Word::file_data && !came_nameless => object.text(run, Word::filename, "document"),
        None => {}
    }
    object.put(run, key, value);
}

/// Audio that came in this format is written back unchanged.
fn write_audio(run: &mut Run, object: &mut Writing, media: &Media) {
    object.word(run, Word::r#type, Word::input_audio);
    object.object_with_rest(run, &media.metadata, Word::input_audio, |run, audio| {
        audio.put(run, Word::data, media::source_value(media.source));
        match audio.form(run, &media.metadata, Word::format) {
            Some(format) => audio.put(run, Word::format, format),
            None => audio.word(run, Word::format, Word::wav),
        }
    });
}

fn write_output_text(run: &mut Run, text: Value, metadata: &Metadata, at: At) {
    let mut object = run.begin();
    let form = metadata.form(Word::r#type);
    match form {
        Some(kind) => object.put(run, Word::r#type, kind),
        None => object.word(run, Word::r#type, Word::output_text),
    }
    object.put(run, Word::text, text);
    object.add_nested(run, metadata, Word::output_text);
    for word in [Word::annotations, Word::logprobs] {
        if form.is_none() && !object.has(run, word) && !has_in(run, metadata, word) && metadata.form(word).is_none() {
            object.list(run, word, &[]);
        }
    }
    end_part(run, object, metadata, at);
}

/// Whether the kept fields of a part include a member.
fn has_in(run: &mut Run, metadata: &Metadata, word: Word) -> bool {
    let rest = metadata.own_field(Word::output_text);
    rest.is_some_and(|rest| run.member(rest, word).is_some())
}

/// Ends a part of an assistant message. The fields of its item are reported there.
fn end_part(run: &mut Run, mut object: Writing, metadata: &Metadata, at: At) {
    for word in [Word::item, Word::output_text] {
        if metadata.own_field(word).is_some() {
            object.skip(run, word);
        }
    }
    object.end(run, metadata, at);
}
