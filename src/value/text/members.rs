//! The members of an object in a text that was not indexed.

use super::{container_end, scalar_end, skip_space, string_end};
use std::ops::Range;

/// The members of the object that starts at the first significant byte: each key as written, without its quotes, and the place of its value. If
/// the text is invalid, members are missing or wrong.
pub fn members(json: &[u8]) -> impl Iterator<Item = (&[u8], Range<usize>)> {
    let start = skip_space(json, 0);
    let mut position = if json.get(start) == Some(&b'{') { start + 1 } else { json.len() };
    std::iter::from_fn(move || {
        let quote = skip_space(json, position);
        if json.get(quote) != Some(&b'"') {
            return None;
        }
        let after = string_end(json, quote + 1);
        let key = json.get(quote + 1..after.saturating_sub(1))?;
        let colon = skip_space(json, after);
        let value = skip_space(json, colon + 1);
        let end = match json.get(value)? {
            b'"' => string_end(json, value + 1),
            b'{' | b'[' => container_end(json, value),
            _ => scalar_end(json, value),
        };
        let comma = skip_space(json, end);
        position = if json.get(comma) == Some(&b',') { comma + 1 } else { json.len() };
        Some((key, value..end))
    })
}

#[cfg(test)]
mod tests {
    use super::members;

    #[test]
    fn keys_and_values() {
        let json = br#" { "a\"" : {"b":[1,"}"]} ,"c":"d\\", "e" : -1.5e3 , "f":[ ] } "#;
        let found: Vec<_> =
            members(json).map(|(key, place)| [key, b"=", json.get(place).unwrap_or_default()].concat()).collect();
        assert_eq!(found, [&br#"a\"={"b":[1,"}"]}"#[..], br#"c="d\\""#, b"e=-1.5e3", b"f=[ ]"]);
    }

    #[test]
    fn invalid_texts_end() {
        for json in
            [&b""[..], b"[1]", b"{", b"{}", b"{\"", b"{\"a\"", b"{\"a\":", b"{\"a\":{", b"{\"a\" 1", b"{\"a\":\"\\"]
        {
            assert!(members(json).count() < 2);
        }
    }
}
