//! `data:` URLs, as media stand on OpenAI's wire (Q185).

use crate::run::Run;
use crate::value::Value;

/// What a base64 `data:` URL holds.
pub struct DataUrl {
    /// What the URL says, or what the data look like.
    pub media_type: Value,
    pub data: Value,
    /// Whether writing the parts again gives the same URL.
    pub is_plain: bool,
}

/// No head of a `data:` URL is longer.
const LONGEST_HEAD: usize = 256;

/// Takes a base64 `data:` URL apart; None for every other URL.
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
    if !parameters.last().is_some_and(|last| last.trim().eq_ignore_ascii_case("base64")) {
        return None;
    }
    let is_usual = text.starts_with("data:")
        && parameters.as_slice() == ["base64"]
        && !media_type.is_empty()
        && media_type.bytes().all(|byte| !byte.is_ascii_uppercase());
    let media_type = (!media_type.is_empty()).then(|| media_type.to_ascii_lowercase());
    let mut data = run.store.tail(url, data_start);
    // where base64 is broken into lines, the first is no longer than this
    let has_space = run.store.head(data, LONGEST_HEAD).contains(char::is_whitespace);
    if has_space {
        let packed: String = run.store.text(data).split_whitespace().collect();
        data = run.store.string(&packed);
    }
    let media_type = match media_type {
        Some(media_type) => run.store.string(&media_type),
        None => sniff(run, data),
    };
    Some(DataUrl { media_type, data, is_plain: is_usual && !has_space })
}

/// The media type that the first bytes tell (Q187).
pub fn sniff(run: &mut Run, data: Value) -> Value {
    const SIGNATURES: [(&str, &str); 6] = [
        ("iVBORw0KGgo", "image/png"),
        ("/9j/", "image/jpeg"),
        ("R0lGOD", "image/gif"),
        ("UklGR", "image/webp"),
        ("JVBERi", "application/pdf"),
        ("", "application/octet-stream"),
    ];
    let text = run.store.head(data, 16);
    let found = SIGNATURES.iter().find(|(start, _)| text.starts_with(start)).map_or("", |(_, media_type)| media_type);
    run.store.string(found)
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
