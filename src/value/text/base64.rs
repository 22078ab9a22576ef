//! Base64, for plain-text documents where one side accepts bytes only. Other media in base64 are never decoded (Q196).

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

/// Decodes base64 of either alphabet, with or without padding; None if it is invalid.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut group, mut bits) = (0_u32, 0);
    for letter in text.bytes().filter(|letter| !letter.is_ascii_whitespace() && *letter != b'=') {
        let standard = match letter {
            b'-' => b'+',
            b'_' => b'/',
            other => other,
        };
        let digit = ALPHABET.iter().position(|known| *known == standard)?;
        group = group << 6 | u32::try_from(digit).ok()?;
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
    fn invalid_base64() {
        assert_eq!(super::decode("-_\n8="), Some(vec![0xfb, 0xff]));
        for text in ["!", "A", "Zm9vA", "Zm9v,"] {
            assert_eq!(super::decode(text), None);
        }
    }
}
