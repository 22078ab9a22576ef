//! Envelopes of reasoning (`docs/envelope.md`) name the provider that issued the state. Only that differs with another provider.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};

/// The start of an envelope, and of one that is base64.
const MARKS: [&str; 2] = ["tw1.", "dHcxL"];

/// The text, with another issuer in place of the first one in all envelopes, also in those inside others.
pub fn issued_by(text: &str, issuers: [&str; 2]) -> String {
    let mut renamed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = MARKS.iter().filter_map(|mark| rest.find(mark)).min() {
        let (before, from) = rest.split_at(start);
        let is_part = |character: char| character.is_ascii_alphanumeric() || "._~-+/=".contains(character);
        let (envelope, after) = from.split_at(from.find(|character| !is_part(character)).unwrap_or(from.len()));
        renamed.push_str(before);
        renamed.push_str(&with_issuer(envelope, issuers).unwrap_or_else(|| envelope.to_owned()));
        rest = after;
    }
    renamed + rest
}

/// None if the text is no envelope, or one for a call: such a signature is that of the format's, whoever serves it.
fn with_issuer(text: &str, [from, to]: [&str; 2]) -> Option<String> {
    let Some((issuer, payload)) = text.strip_prefix("tw1.").and_then(|rest| rest.rsplit_once('.')) else {
        let inner = String::from_utf8(STANDARD.decode(text).ok()?).ok()?;
        return Some(STANDARD.encode(with_issuer(&inner, [from, to])?));
    };
    let payload = String::from_utf8(URL_SAFE_NO_PAD.decode(payload).ok()?).ok()?;
    if payload.contains("\"call\":") {
        return None;
    }
    let (name, server) = issuer.split_at(issuer.find('~').unwrap_or(issuer.len()));
    let name = if name == from { to } else { name };
    Some(format!("tw1.{name}{server}.{}", URL_SAFE_NO_PAD.encode(issued_by(&payload, [from, to]))))
}
