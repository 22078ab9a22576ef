//! Media: formats instead of media types, and sources by name (WIRE §5.9).

use super::cache_points;
use crate::model::{Block, Media, MediaKind, Metadata, Native, Source};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

/// The key of a kind, its formats with their media types, and the media type whose format is written for an unknown one. Of several formats for a media
/// type, the first is written.
struct Row {
    key: Word,
    kind: MediaKind,
    formats: &'static [(&'static str, &'static str)],
}

/// The formats in the types of the AWS SDK (`ImageFormat`, `DocumentFormat`, `VideoFormat`, `AudioFormat`).
const ROWS: &[Row] = &[
    Row {
        key: Word::image,
        kind: MediaKind::Image,
        formats: &[("png", "image/png"), ("jpeg", "image/jpeg"), ("gif", "image/gif"), ("webp", "image/webp")],
    },
    Row {
        key: Word::document,
        kind: MediaKind::Document,
        formats: &[
            ("pdf", "application/pdf"),
            ("txt", "text/plain"),
            ("csv", "text/csv"),
            ("html", "text/html"),
            ("md", "text/markdown"),
            ("doc", "application/msword"),
            ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
            ("xls", "application/vnd.ms-excel"),
            ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        ],
    },
    Row {
        key: Word::video,
        kind: MediaKind::Video,
        formats: &[
            ("mp4", "video/mp4"),
            ("mov", "video/quicktime"),
            ("mkv", "video/x-matroska"),
            ("webm", "video/webm"),
            ("flv", "video/x-flv"),
            ("mpeg", "video/mpeg"),
            ("mpg", "video/mpeg"),
            ("wmv", "video/x-ms-wmv"),
            ("three_gp", "video/3gpp"),
        ],
    },
    Row {
        key: Word::audio,
        kind: MediaKind::Audio,
        formats: &[
            ("wav", "audio/wav"),
            ("mp3", "audio/mpeg"),
            ("mpeg", "audio/mpeg"),
            ("mpga", "audio/mpeg"),
            ("flac", "audio/flac"),
            ("ogg", "audio/ogg"),
            ("opus", "audio/opus"),
            ("aac", "audio/aac"),
            ("x-aac", "audio/aac"),
            ("m4a", "audio/mp4"),
            ("mp4", "audio/mp4"),
            ("webm", "audio/webm"),
            ("mka", "audio/x-matroska"),
            ("mkv", "audio/x-matroska"),
            ("pcm", "audio/pcm"),
        ],
    },
];

/// The keys of media.
pub const KEYS: [Word; 4] = [Word::image, Word::document, Word::video, Word::audio];

fn row(kind: MediaKind) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.kind == kind)
}

/// Reads a block with media under `key`. The block is native if only Bedrock knows its source.
pub fn read(run: &mut Run, whole: Value, at: At, key: Word) -> Result<Block> {
    let mut reading = run.object(whole, at)?;
    let mut inner = reading.require_object(run, key)?;
    let Some(row) = ROWS.iter().find(|row| row.key == key) else { return Ok(native(run, whole, at)) };
    if inner.peek(Word::format).is_some_and(|format| run.store.kind(format) != Kind::String) {
        return Ok(native(run, whole, at));
    }
    let format = inner.string(run, Word::format)?;
    if format.is_none() {
        inner.note_omitted(run, Word::format);
    }
    let media_type = match format.map(|format| run.store.text(format)) {
        Some(format) => match row.formats.iter().find(|(known, _)| *known == format) {
            Some((_, media_type)) => Some(*media_type),
            None => return Ok(native(run, whole, at)),
        },
        None => None,
    };
    if let Some(format) =
        format.filter(|format| media_type.and_then(|known| written(row, known)) != Some(&run.store.text(*format)))
    {
        inner.note(Word::format, format);
    }
    let name = if key == Word::document { inner.string(run, Word::name)? } else { None };
    let mut source = inner.require_object(run, Word::source)?;
    let mut metadata = reading.rest();
    let Some(found) = take_source(run, &mut source, &mut metadata)? else { return Ok(native(run, whole, at)) };
    source.rest_into(run, Word::source, &mut metadata);
    inner.rest_into(run, key, &mut metadata);
    let media_type = media_type.map(|media_type| run.store.string(media_type));
    Ok(Block::Media(Media { at, kind: row.kind, source: found, media_type, name, metadata }))
}

fn native(run: &Run, whole: Value, at: At) -> Block {
    Block::Native(Native::of_source(run, whole, at))
}

/// The bytes, the object in S3, or the text. None for any other source.
fn take_source(run: &mut Run, source: &mut Reading, metadata: &mut Metadata) -> Result<Option<Source>> {
    let is_string = |run: &Run, value: &Value| run.store.kind(*value) == Kind::String;
    if source.peek(Word::bytes).is_some_and(|bytes| is_string(run, &bytes)) {
        return Ok(source.string(run, Word::bytes)?.map(Source::Base64));
    }
    if source.peek(Word::text).is_some_and(|text| is_string(run, &text)) {
        return Ok(source.string(run, Word::text)?.map(Source::Text));
    }
    let place = source.peek(Word::s3Location).filter(|place| run.store.kind(*place) == Kind::Object);
    let uri = place.and_then(|place| run.member(place, Word::uri)).filter(|uri| is_string(run, uri));
    if uri.is_none() {
        return Ok(None);
    }
    let mut place = source.require_object(run, Word::s3Location)?;
    let uri = place.require_string(run, Word::uri)?;
    place.rest_into(run, Word::s3Location, metadata);
    Ok(Some(Source::Url(uri)))
}

/// The format that is written for a media type.
fn written(row: &Row, media_type: &str) -> Option<&'static str> {
    row.formats.iter().find(|(_, known)| *known == media_type).map(|(format, _)| *format)
}

pub fn write(run: &mut Run, media: &Media) {
    let Media { at, kind, source, media_type, name, metadata } = media;
    let Some(row) = row(*kind) else { return };
    let mut object = run.begin();
    object.object_with_rest(run, metadata, row.key, |run, inner| {
        put_format(run, inner, row, *media_type, metadata);
        if *kind == MediaKind::Document {
            inner.option(run, Word::name, *name);
        }
        inner.object_with_rest(run, metadata, Word::source, |run, inner| put_source(run, inner, *source, metadata));
    });
    if *kind != MediaKind::Document {
        crate::fit::media::warn_name(run, media);
    }
    for word in [Word::source, Word::s3Location] {
        object.skip(run, word);
    }
    cache_points::end(run, object, metadata, *at);
}

fn put_format(run: &mut Run, inner: &mut Writing, row: &Row, media_type: Option<Value>, metadata: &Metadata) {
    let Some(media_type) = media_type.filter(|_| !run.is_omitted(metadata, Word::format)) else { return };
    let media_type = run.store.owned_text(media_type);
    let form = metadata.form(Word::format).filter(|form| {
        let form = run.store.text(*form);
        row.formats.iter().any(|(format, known)| *format == form && *known == media_type)
    });
    match (form, written(row, &media_type)) {
        (Some(form), _) => inner.put(run, Word::format, form),
        (None, Some(format)) => inner.text(run, Word::format, format),
        (None, None) => {}
    }
}

fn put_source(run: &mut Run, inner: &mut Writing, source: Source, metadata: &Metadata) {
    match source {
        Source::Base64(bytes) => inner.put(run, Word::bytes, bytes),
        Source::Text(text) => inner.put(run, Word::text, text),
        Source::Url(uri) | Source::File(uri) => {
            inner.object_with_rest(run, metadata, Word::s3Location, |run, place| place.put(run, Word::uri, uri));
        }
    }
}
