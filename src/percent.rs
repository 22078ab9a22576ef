//! Percent-encoding in URLs (RFC 3986).

/// Decodes `%XX` and keeps all other bytes.
pub fn decoded(text: &[u8]) -> Vec<u8> {
    let digit = |byte: Option<&u8>| {
        byte.and_then(|byte| char::from(*byte).to_digit(16)).and_then(|digit| u8::try_from(digit).ok())
    };
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((first, after)) = rest.split_first() {
        match (*first == b'%').then(|| (digit(after.first()), digit(after.get(1)))) {
            Some((Some(high), Some(low))) => {
                bytes.push(high << 4 | low);
                rest = after.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}
