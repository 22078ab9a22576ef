//! `data:` URLs, which OpenAI's formats use for media (Q185).

use crate::model::{Media, Source};
use crate::percent;
use crate::run::Run;
use crate::value::text::split_around;
use crate::value::text::{base64, lowercase};
use crate::value::{Value, Word};

/// The parts of a `data:` URL.
pub struct DataUrl {
    /// As stated in the URL, or else derived from the data.
    pub media_type: Value,
    /// In base64, even if the URL has another encoding.
    pub data: Value,
    /// Whether writing the parts again gives the same URL.
    pub is_plain: bool,
}

/// The data of a file: a `data:` URL, or plain base64, which some clients send.
pub fn of_file(run: &mut Run, text: Value) -> DataUrl {
    read(run, text).unwrap_or_else(|| {
        let sniffed = sniff(run, text);
        DataUrl { media_type: run.store.string(sniffed), data: text, is_plain: false }
    })
}

/// The URL in its original spelling, if that was unusual and the media is unchanged.
pub fn original(run: &mut Run, media: &Media) -> Option<Value> {
    let form = media.metadata.form(Word::url)?;
    let url = if run.store.word(form) == Word::omitted { run.store.string("") } else { form };
    let parts = of_file(run, url);
    let Source::Base64(data) = &media.source else { return None };
    let same_type = media.media_type.is_some_and(|now| run.store.same(parts.media_type, now));
    (same_type && run.store.same(parts.data, *data)).then_some(url)
}

/// The URL of media; a `data:` URL if the media is data.
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

/// Parses a `data:` URL; None for every other URL.
pub fn read(run: &mut Run, url: Value) -> Option<DataUrl> {
    const SCHEME: &str = "data:";
    let text = run.store.head(url, LONGEST_HEAD);
    let (scheme, rest) = text.split_at_checked(SCHEME.len())?;
    let (head, _) =
        split_around(rest, ",").filter(|(head, _)| head.is_ascii() && scheme.eq_ignore_ascii_case(SCHEME))?;
    let (declared, parameters) = split_around(head, ";").unwrap_or((head, ""));
    let mut media_type = lowercase(declared.trim_ascii());
    let is_usual = scheme == SCHEME && parameters == "base64" && !declared.is_empty() && media_type == declared;
    let data_start = scheme.len() + head.len() + 1;
    let is_base64 = is_base64(&lowercase(parameters));
    let data = run.store.tail(url, data_start);
    let plain = if is_base64 { packed(run, data) } else { Some(encoded(run, data)) };
    let data = plain.unwrap_or(data);
    if media_type.is_empty() {
        // the content of a URL without a type is text, unless it is base64
        media_type.push_str(if is_base64 { sniff(run, data) } else { "text/plain" });
    }
    Some(DataUrl { media_type: run.store.string(&media_type), data, is_plain: is_usual && plain.is_none() })
}

/// Whether the last parameter is `base64`.
fn is_base64(parameters: &str) -> bool {
    let before = parameters.trim_ascii_end().strip_suffix("base64").map(str::trim_ascii_end);
    before.is_some_and(|before| before.is_empty() || before.ends_with(';'))
}

/// Base64 without the spaces, line breaks and percent-encoding that a URL may contain; None if there are none.
fn packed(run: &mut Run, data: Value) -> Option<Value> {
    // if base64 is broken into lines or percent-encoded, that shows within this length
    let head = run.store.head(data, LONGEST_HEAD);
    if !head.bytes().any(|byte| byte == b'%' || byte.is_ascii_whitespace()) {
        return None;
    }
    let mut bytes = percent::decoded(run.store.text(data).as_bytes());
    bytes.retain(|byte| !byte.is_ascii_whitespace());
    Some(run.store.string(&String::from_utf8_lossy(&bytes)))
}

fn encoded(run: &mut Run, data: Value) -> Value {
    let encoded = base64::encode(&percent::decoded(run.store.text(data).as_bytes()));
    run.store.string(&encoded)
}

/// The media type that the first bytes imply (Q187).
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
        // a RIFF container: the name of its format follows the length
        return if text.ends_with("QVZF") { "audio/wav" } else { "image/webp" };
    }
    SIGNATURES.iter().find(|(start, _)| text.starts_with(start)).map_or("application/octet-stream", |(_, found)| found)
}

/// Builds a base64 `data:` URL.
pub fn build(run: &mut Run, media_type: Value, data: Value) -> Value {
    let start = run.store.string("data:");
    let middle = run.store.string(";base64,");
    run.store.join(&[start, media_type, middle, data])
}
