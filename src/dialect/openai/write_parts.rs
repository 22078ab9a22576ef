//! Writes content parts (WIRE §1.9).

use super::chunks;
use crate::fit::media::{self, AcceptedMedia, By};
use crate::fit::{data_url, native};
use crate::model::{Block, Media, MediaKind, Metadata, Source};
use crate::run::{At, Run, Writing};
use crate::value::{Value, Word};

/// Writes an array of parts.
pub fn write_array<'a>(run: &mut Run, blocks: impl IntoIterator<Item = &'a Block>) {
    run.store.begin_array();
    blocks.into_iter().for_each(|block| write_part(run, block));
    run.store.end_array();
}

/// Writes a part. Data is text by now, and calls and reasoning are written elsewhere.
pub fn write_part(run: &mut Run, block: &Block) {
    match block {
        Block::Text { at, text, metadata } => write_text(run, Word::text, *text, metadata, *at),
        Block::Refusal { at, text, metadata } => write_text(run, Word::refusal, *text, metadata, *at),
        Block::Media(media) if run.route.to.format().chunks => chunks::write_media(run, media),
        Block::Media(media) => write_media(run, media),
        Block::Native(native) => native::put(run, native),
        Block::Reasoning(part) if run.route.to.format().chunks => chunks::write_thinking(run, part),
        Block::Data { .. } | Block::Reasoning(_) | Block::Call(_) => {}
    }
}

fn write_text(run: &mut Run, kind: Word, text: Value, metadata: &Metadata, at: At) {
    let mut object = run.begin();
    object.word(run, Word::r#type, kind);
    object.put(run, kind, text);
    object.end(run, metadata, at);
}

const IMAGES: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

/// The media that a user message accepts (WIRE §1.9).
const TAKES: AcceptedMedia = AcceptedMedia {
    rows: &[
        (MediaKind::Image, By::Base64, IMAGES),
        (MediaKind::Image, By::WebUrl, IMAGES),
        (MediaKind::Audio, By::Base64, &["audio/wav", "audio/mpeg"]),
        (MediaKind::Document, By::Base64, &[]),
        (MediaKind::Document, By::File, &[]),
    ],
    types_urls: false,
};

/// The media in a form that can be written here, if there is one.
pub fn fit_media(run: &mut Run, media: &Media) -> Option<Media> {
    if run.route.to.format().chunks {
        return media::fit(run, media, &chunks::TAKES);
    }
    // the same format was accepted before
    if stated_format(run, media).is_some() { Some(media.clone()) } else { media::fit(run, media, &TAKES) }
}

/// The original audio format, if it is unusual and the media is unchanged.
fn stated_format(run: &Run, media: &Media) -> Option<Value> {
    let format = media.metadata.form(Word::format).filter(|_| media.kind == MediaKind::Audio)?;
    let media_type = run.store.text(media.media_type?);
    (media_type.strip_prefix("audio/")? == run.store.text(format)).then_some(format)
}

/// Writes fitted media.
fn write_media(run: &mut Run, media: &Media) {
    let Media { at, kind, source, media_type, name, metadata } = media;
    let mut object = run.begin();
    match kind {
        MediaKind::Image => {
            object.word(run, Word::r#type, Word::image_url);
            write_image(run, &mut object, media);
            media::warn_name(run, media);
        }
        MediaKind::Audio => {
            object.word(run, Word::r#type, Word::input_audio);
            object.object_with_rest(run, metadata, Word::input_audio, |run, audio| {
                audio.put(run, Word::data, media::source_value(*source));
                match stated_format(run, media) {
                    Some(format) => audio.put(run, Word::format, format),
                    None if audio.form(run, metadata, Word::format).is_some() => {}
                    None => {
                        let is_mp3 = media_type.is_some_and(|media_type| run.store.text(media_type) == "audio/mpeg");
                        audio.word(run, Word::format, if is_mp3 { Word::mp3 } else { Word::wav });
                    }
                }
            });
            media::warn_name(run, media);
        }
        MediaKind::Document | MediaKind::Video => {
            object.word(run, Word::r#type, Word::file);
            object.key(run, Word::file);
            write_file(run, media, *name);
            object.refuse(run, (metadata, *at), Word::detail);
        }
    }
    object.end(run, metadata, *at);
}

pub fn write_image(run: &mut Run, object: &mut Writing, media: &Media) {
    let url = match data_url::original(run, media) {
        Some(url) => url,
        None => data_url::of_media(run, media, "image/png"),
    };
    if media.metadata.form(Word::image_url).is_some_and(|form| run.store.word(form) == Word::text) {
        object.put(run, Word::image_url, url);
        return;
    }
    let detail = media::detail(run, media);
    object.object_with_rest(run, &media.metadata, Word::image_url, |run, image| {
        image.put(run, Word::url, url);
        image.option(run, Word::detail, detail);
    });
    object.skip(run, Word::detail);
}

fn write_file(run: &mut Run, media: &Media, name: Option<Value>) {
    let mut file = run.begin();
    match media.source {
        Source::File(id) => {
            file.option(run, Word::filename, name);
            file.put(run, Word::file_id, id);
        }
        Source::Base64(_) | Source::Url(_) | Source::Text(_) => {
            let original = data_url::original(run, media);
            match name {
                Some(name) => file.put(run, Word::filename, name),
                None if original.is_some() => {}
                None => file.text(run, Word::filename, "document"),
            }
            let url = match original {
                Some(url) => url,
                None => data_url::of_media(run, media, "application/pdf"),
            };
            file.put(run, Word::file_data, url);
        }
    }
    file.add_nested(run, &media.metadata, Word::file);
    file.close(run);
}
