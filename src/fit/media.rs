//! The media that a target accepts, as data, and how other media are converted (Q185–Q195).

use super::data_url;
use crate::model::{Media, MediaKind, Source};
use crate::run::{Run, WarningCode};
use crate::value::text::split_around;
use crate::value::text::{base64, lowercase};
use crate::value::{Kind, Value, Word};

/// How media are passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum By {
    Base64,
    /// A public URL.
    WebUrl,
    /// Any URI, including those of the provider's own storage.
    Uri,
    /// The id of a file at the provider.
    File,
    /// Plain text.
    Text,
}

/// What a target accepts.
pub struct AcceptedMedia {
    /// Kind, way of passing, and media types; an empty list means all types.
    pub rows: &'static [(MediaKind, By, &'static [&'static str])],
    /// Whether a URL must have a media type.
    pub types_urls: bool,
}

/// The media in a form that the target accepts. If there is none, this is reported. Media that stay in their format are not changed.
pub fn fit(run: &mut Run, media: &Media, takes: &AcceptedMedia) -> Option<Media> {
    let mut fitting = media.clone();
    if run.route.stays_in_family() {
        return Some(fitting);
    }
    match make_fit(run, &mut fitting, takes) {
        Ok(()) => Some(fitting),
        Err(reason) => {
            run.warn(WarningCode::MediaDropped, media.at, reason);
            None
        }
    }
}

const NOT_TAKEN: &str = "the target does not accept this kind of media, or not from such a source";

fn make_fit(run: &mut Run, media: &mut Media, takes: &AcceptedMedia) -> Result<(), &'static str> {
    if matches!(media.source, Source::File(_)) && run.route.changes_provider() {
        return Err("a file id is valid only with the provider that issued it");
    }
    open_data_url(run, media);
    let declared = media.media_type.map(|media_type| plain_type(&run.store.text(media_type)));
    let known = known_type(run, media, declared.as_deref(), takes);
    if let Some(kind) = known.as_deref().and_then(kind_of) {
        media.kind = kind;
    }
    let by = way(run, media.source);
    if let Some(types) = row(takes, media.kind, by, known.as_deref()) {
        match media.source {
            Source::Text(_) if known.is_some() => make_plain(run, media, known.as_deref()),
            _ => set_type(run, media, takes, declared.as_deref(), known, types),
        }
        return Ok(());
    }
    match media.source {
        Source::Base64(data) if takes_text(takes) && known.as_deref().is_some_and(is_text) => {
            let text = base64::decode(&run.store.text(data)).and_then(|bytes| String::from_utf8(bytes).ok());
            let Some(text) = text else { return Err("the data is not text, as its media type states") };
            media.source = Source::Text(run.store.string(&text));
            make_plain(run, media, known.as_deref());
            Ok(())
        }
        Source::Text(text) if row(takes, media.kind, By::Base64, known.as_deref()).is_some() => {
            let encoded = base64::encode(run.store.text(text).as_bytes());
            media.source = Source::Base64(run.store.string(&encoded));
            media.media_type = media.media_type.or_else(|| Some(run.store.string(PLAIN)));
            Ok(())
        }
        _ => Err(NOT_TAKEN),
    }
}

/// The media type of data that state none: the one that the bytes imply, else the usual one of the kind, with a warning.
pub fn implied_type(run: &mut Run, media: &Media) -> Option<Value> {
    let Source::Base64(data) = media.source else { return None };
    let found = implied(run, media, data);
    Some(run.store.string(found))
}

fn implied(run: &mut Run, media: &Media, data: Value) -> &'static str {
    match data_url::sniff(run, data) {
        ANY_BYTES => {
            run.warn(WarningCode::DefaultUsed, media.at, "the media type is unknown: the usual one is used");
            usual_type(media.kind)
        }
        found => found,
    }
}

/// Turns a `data:` URL into data.
fn open_data_url(run: &mut Run, media: &mut Media) {
    let Source::Url(url) = media.source else { return };
    if let Some(parts) = data_url::read(run, url) {
        media.source = Source::Base64(parts.data);
        media.media_type = Some(parts.media_type);
    }
}

/// The media type, as far as it is known: the stated one, else the one that the bytes or the file name imply. The file name does not override a
/// stated kind that the target accepts, if the target does not require a type for URLs.
fn known_type(run: &mut Run, media: &Media, declared: Option<&str>, takes: &AcceptedMedia) -> Option<String> {
    let declared = declared.filter(|declared| !declared.is_empty() && !declared.contains('*'));
    match media.source {
        Source::Base64(data) if declared.is_none_or(|declared| declared == ANY_BYTES) => {
            let found = if declared.is_some() { data_url::sniff(run, data) } else { implied(run, media, data) };
            Some(found.to_owned())
        }
        Source::Url(url) if declared.is_none() => {
            let by_url = type_of_url(&run.store.text(url))?;
            let is_stated = run.route.from.format().media_kinds && kind_of(by_url) != Some(media.kind);
            let is_taken = row(takes, media.kind, way(run, media.source), None).is_some();
            (takes.types_urls || !is_stated || !is_taken).then(|| by_url.to_owned())
        }
        Source::Text(_) if declared.is_none() => Some(PLAIN.to_owned()),
        Source::Base64(_) | Source::Url(_) | Source::File(_) | Source::Text(_) => declared.map(str::to_owned),
    }
}

fn make_plain(run: &mut Run, media: &mut Media, known: Option<&str>) {
    if known != Some(PLAIN) {
        run.warn(WarningCode::FieldDropped, media.at, "the target supports plain text only");
    }
    media.media_type = Some(run.store.string(PLAIN));
}

/// Sets the media type for the target.
fn set_type(
    run: &mut Run,
    media: &mut Media,
    takes: &AcceptedMedia,
    declared: Option<&str>,
    known: Option<String>,
    types: &[&str],
) {
    let is_url = matches!(media.source, Source::Url(_));
    // Google accepts its own media without a type
    let was_untyped = media.metadata.form(Word::mimeType).is_some();
    match known {
        _ if was_untyped && declared.is_none() => {}
        Some(known) if !types.is_empty() || declared != Some(&known) => {
            media.media_type = Some(run.store.string(&known))
        }
        Some(_) => {}
        None if is_url && takes.types_urls => {
            run.warn(WarningCode::DefaultUsed, media.at, "the URL has no media type: the usual one is used");
            media.media_type = Some(run.store.string(usual_type(media.kind)));
        }
        None => {}
    }
}

fn row(takes: &AcceptedMedia, kind: MediaKind, by: By, known: Option<&str>) -> Option<&'static [&'static str]> {
    let covers = |way: By| way == by || way == By::Uri && by == By::WebUrl;
    let fits = |types: &[&str]| types.is_empty() || known.is_none_or(|known| types.contains(&known));
    let found = takes.rows.iter().find(|(taken, way, types)| *taken == kind && covers(*way) && fits(types));
    found.map(|(_, _, types)| *types)
}

fn takes_text(takes: &AcceptedMedia) -> bool {
    takes.rows.iter().any(|(_, by, _)| *by == By::Text)
}

/// Where Google stores its users' files.
const GOOGLE_FILES: &str = "https://generativelanguage.googleapis.com/";

fn way(run: &Run, source: Source) -> By {
    match source {
        Source::Base64(_) => By::Base64,
        Source::File(_) => By::File,
        Source::Text(_) => By::Text,
        Source::Url(url) => {
            let start = lowercase(&run.store.head(url, GOOGLE_FILES.len()));
            let is_web = start.starts_with("https://") || start.starts_with("http://");
            if is_web && start != GOOGLE_FILES { By::WebUrl } else { By::Uri }
        }
    }
}

const PLAIN: &str = "text/plain";
const ANY_BYTES: &str = "application/octet-stream";

/// Common names of media types that APIs reject, and the accepted ones (Q187).
const NAMES: &[(&str, &str)] = &[
    ("image/jpg", "image/jpeg"),
    ("image/pjpeg", "image/jpeg"),
    ("audio/mp3", "audio/mpeg"),
    ("audio/x-wav", "audio/wav"),
    ("audio/wave", "audio/wav"),
    ("audio/vnd.wave", "audio/wav"),
];

/// A media type in lower case, without parameters, under its registered name.
fn plain_type(media_type: &str) -> String {
    let (bare, _) = split_around(media_type, ";").unwrap_or((media_type, ""));
    let bare = lowercase(bare.trim());
    NAMES.iter().find(|(name, _)| *name == bare).map_or(bare, |(_, proper)| (*proper).to_owned())
}

fn is_text(media_type: &str) -> bool {
    media_type.starts_with("text/")
}

pub fn kind_of(media_type: &str) -> Option<MediaKind> {
    const KINDS: &[(&str, MediaKind)] = &[
        ("image/", MediaKind::Image),
        ("audio/", MediaKind::Audio),
        ("video/", MediaKind::Video),
        ("text/", MediaKind::Document),
        ("application/", MediaKind::Document),
    ];
    KINDS.iter().find(|(start, _)| media_type.starts_with(start)).map(|(_, kind)| *kind)
}

fn usual_type(kind: MediaKind) -> &'static str {
    match kind {
        MediaKind::Image => "image/png",
        MediaKind::Audio => "audio/wav",
        MediaKind::Video => "video/mp4",
        MediaKind::Document => "application/pdf",
    }
}

/// The media type that the file name in a URL implies: Google requires one (Q186).
fn type_of_url(url: &str) -> Option<&'static str> {
    const TYPES: &[(&str, &str)] = &[
        (".png", "image/png"),
        (".jpg", "image/jpeg"),
        (".jpeg", "image/jpeg"),
        (".gif", "image/gif"),
        (".webp", "image/webp"),
        (".pdf", "application/pdf"),
        (".mp4", "video/mp4"),
        (".mp3", "audio/mpeg"),
        (".wav", "audio/wav"),
        (".txt", "text/plain"),
        (".md", "text/markdown"),
        (".csv", "text/csv"),
        (".html", "text/html"),
        (".json", "application/json"),
        (".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ];
    let (path, _) = split_around(url, "#").unwrap_or((url, ""));
    let (path, _) = split_around(path, "?").unwrap_or((path, ""));
    let path = lowercase(path);
    TYPES.iter().find(|(extension, _)| path.ends_with(extension)).map(|(_, media_type)| *media_type)
}

/// Warns about a file name that the target has no place for.
pub fn warn_name(run: &mut Run, media: &Media) {
    if media.name.is_some() {
        run.warn(WarningCode::FieldDropped, media.at, "the target has no name for this kind of media");
    }
}

/// How closely OpenAI's models look at an image (`detail`), in any of its formats.
pub fn detail(run: &mut Run, media: &Media) -> Option<Value> {
    let beside = media.metadata.family_field(Word::image_url).filter(|rest| run.store.kind(*rest) == Kind::Object);
    let nested = beside.and_then(|beside| run.member(beside, Word::detail));
    nested.or_else(|| media.metadata.family_field(Word::detail))
}

/// The value of a source of any kind.
pub fn source_value(source: Source) -> Value {
    match source {
        Source::Base64(value) | Source::Url(value) | Source::File(value) | Source::Text(value) => value,
    }
}
