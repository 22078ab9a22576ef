//! `data:` URLs, as media stand on OpenAI's wire (Q185).

use super::base64;
use crate::model::{Media, Source};
use crate::run::Run;
use crate::value::text::{lowercase, percent};
use crate::value::{Value, Word};

/// What a `data:` URL holds.
pub struct DataUrl {
    /// What the URL says, or what the data look like.
    pub media_type: Value,
    /// In base64, whatever the URL had.
    pub data: Value,
    /// Whether writing the parts again gives the same URL.
    pub is_plain: bool,
}

/// The data of a file: in a `data:` URL, or, as some clients send them, without one.
pub fn of_file(run: &mut Run, text: Value) -> DataUrl {
    read(run, text).unwrap_or_else(|| {
        let sniffed = sniff(run, text);
        DataUrl { media_type: run.store.string(sniffed), data: text, is_plain: false }
    })
}

/// The URL as it stood, if that was unusual, while it still means the same media.
pub fn said(run: &mut Run, media: &Media) -> Option<Value> {
    let url = media.metadata.form(Word::url)?;
    let parts = of_file(run, url);
    let Source::Base64(data) = &media.source else { return None };
    let same_type = media.media_type.is_some_and(|now| run.store.same(parts.media_type, now));
    (same_type && run.store.same(parts.data, *data)).then_some(url)
}

/// The URL of media: made of their data, if that is what they are.
pub fn of_media(run: &mut Run, media: &Media, usual: &str) -> Value {
    match media.source {
        Source::Base64(data) => {
            let media_type = media.media_type.unwrap_or_else(|| run.store.string(usual));
            build(run, media_type, data)
        }
        Source::Url(value) | Source::File(value) | Source::Text(value) => value,
    }
}

/// No head of a `data:` URL is longer.
const LONGEST_HEAD: usize = 256;

/// Takes a `data:` URL apart; None for every other URL.
pub fn read(run: &mut Run, url: Value) -> Option<DataUrl> {
    let text = run.store.head(url, LONGEST_HEAD);
    let rest = strip_scheme(&text)?;
    let (head, _) = rest.split_once(',')?;
    if !head.is_ascii() {
        return None;
    }
    let data_start = text.len() - rest.len() + head.len() + 1;
    let mut parts = head.split(';');
    let media_type = parts.next().unwrap_or("").trim();
    let parameters: Vec<&str> = parts.collect();
    let is_base64 = parameters.last().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64"));
    let is_usual = text.starts_with("data:")
        && parameters.as_slice() == ["base64"]
        && !media_type.is_empty()
        && media_type.bytes().all(|byte| !byte.is_ascii_uppercase());
    let media_type = (!media_type.is_empty()).then(|| lowercase(media_type));
    let data = run.store.tail(url, data_start);
    let plain = if is_base64 { packed(run, data) } else { Some(encoded(run, data)) };
    let data = plain.unwrap_or(data);
    let media_type = match media_type {
        Some(media_type) => run.store.string(&media_type),
        // what a URL without a type holds is text, unless it came as bytes
        None if !is_base64 => run.store.string("text/plain"),
        None => {
            let sniffed = sniff(run, data);
            run.store.string(sniffed)
        }
    };
    Some(DataUrl { media_type, data, is_plain: is_usual && plain.is_none() })
}

/// Base64 without the spaces, line ends and percents that a URL may have in it; None if it has none.
fn packed(run: &mut Run, data: Value) -> Option<Value> {
    // where base64 is broken into lines, the first is no longer than this; and so much has a letter that percents stand for
    let head = run.store.head(data, LONGEST_HEAD);
    let has_percents = head.contains('%');
    if !has_percents && !head.contains(char::is_whitespace) {
        return None;
    }
    let text = run.store.text(data);
    let text = if has_percents {
        String::from_utf8_lossy(&percent::decoded(text.as_bytes())).into_owned()
    } else {
        text.into_owned()
    };
    let packed: String = text.split_whitespace().collect();
    Some(run.store.string(&packed))
}

fn encoded(run: &mut Run, data: Value) -> Value {
    let encoded = base64::encode(&percent::decoded(run.store.text(data).as_bytes()));
    run.store.string(&encoded)
}

/// The media type that the first bytes tell (Q187).
pub fn sniff(run: &mut Run, data: Value) -> &'static str {
    const SIGNATURES: &[(&str, &str)] = &[
        ("iVBORw0KGgo", "image/png"),
        ("/9j/", "image/jpeg"),
        ("R0lGOD", "image/gif"),
        ("JVBERi", "application/pdf"),
        ("SUQz", "audio/mpeg"),
    ];
    let text = run.store.head(data, 16);
    if text.starts_with("UklGR") {
        // a box for many things: its name stands after the length
        return if text.ends_with("QVZF") { "audio/wav" } else { "image/webp" };
    }
    SIGNATURES.iter().find(|(start, _)| text.starts_with(start)).map_or("application/octet-stream", |(_, found)| found)
}

fn strip_scheme(url: &str) -> Option<&str> {
    let scheme = url.get(..5)?;
    if scheme.eq_ignore_ascii_case("data:") { url.get(5..) } else { None }
}

/// Puts a base64 `data:` URL together.
pub fn build(run: &mut Run, media_type: Value, data: Value) -> Value {
    let start = run.store.string("data:");
    let middle = run.store.string(";base64,");
    run.store.join(&[start, media_type, middle, data])
}
