//! Base64, for envelopes of state, and for plain-text documents where one side accepts bytes only. Other media in base64 are never decoded (Q196).

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The bytes as base64 with padding.
pub fn encode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = chunk.iter().fold(0_u32, |group, byte| group << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let index = (group >> (18 - 6 * digit)) & 63;
            let letter = ALPHABET.get(index as usize).copied().unwrap_or(b'=');
            text.push(if digit > chunk.len() { '=' } else { char::from(letter) });
        }
    }
    text
}

/// The bytes as base64 with the alphabet for URLs, without padding.
pub fn encode_url(bytes: &[u8]) -> String {
    let mut text = encode(bytes);
    text.truncate(text.trim_end_matches('=').len());
    let url = |letter| match letter {
        '+' => '-',
        '/' => '_',
        other => other,
    };
    text.chars().map(url).collect()
}

/// Decodes base64 of either alphabet, with or without padding; None if it is invalid.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut bits) = (0_u32, 0);
    for letter in text.bytes().filter(|letter| !letter.is_ascii_whitespace() && *letter != b'=') {
        let digit = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return None,
        };
        group = group << 6 | u32::from(digit);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(group >> bits & 0xff).ok()?);
            group &= (1 << bits) - 1;
        }
    }
    // a single remaining letter is not a byte
    (bits < 6).then_some(bytes)
}

#[cfg(test)]
mod tests {
    #[test]
    fn rfc_4648_examples() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(super::encode(bytes.as_bytes()), text);
            assert_eq!(super::decode(text).as_deref(), Some(bytes.as_bytes()));
            assert_eq!(super::decode(text.trim_end_matches('=')).as_deref(), Some(bytes.as_bytes()));
        }
    }

    #[test]
    fn every_byte_in_the_alphabet_for_urls() {
        let bytes: Vec<u8> = (0..=255).chain([0xfb, 0xff]).collect();
        let text = super::encode_url(&bytes);
        assert!(text.bytes().all(|letter| letter.is_ascii_alphanumeric() || b"-_".contains(&letter)), "{text}");
        assert!(text.ends_with("_P3-__v_"), "{text}");
        assert_eq!(super::decode(&text), Some(bytes));
    }

    #[test]
    fn invalid_base64() {
        assert_eq!(super::decode("-_\n8="), Some(vec![0xfb, 0xff]));
        for text in ["!", "A", "Zm9vA", "Zm9v,"] {
            assert_eq!(super::decode(text), None);
        }
    }
}
