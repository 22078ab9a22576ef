//! The escapes of JSON strings.

/// The letter of the escape that `JSON.stringify` writes for a quote, a backslash or a control character; `u` if it has none of its own.
pub const fn letter_of(byte: u8) -> u8 {
    match byte {
        b'"' | b'\\' => byte,
        0x08 => b'b',
        0x0c => b'f',
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => b'u',
    }
}

/// The character of an escape with this letter; 0 for `u` and for invalid letters.
#[inline(always)]
pub const fn byte_of(letter: u8) -> u8 {
    match letter {
        b'"' | b'\\' | b'/' => letter,
        b'b' => 0x08,
        b'f' => 0x0c,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        _ => 0,
    }
}

/// The UTF-16 unit of four hexadecimal digits.
pub fn unit(bytes: &[u8], from: usize) -> Option<u32> {
    let digits = bytes.get(from..from + 4)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
}

/// The unit of the low surrogate whose escape starts here.
pub fn low_surrogate(bytes: &[u8], from: usize) -> Option<u32> {
    let is_escape = bytes.get(from..).is_some_and(|rest| rest.starts_with(b"\\u"));
    unit(bytes, from + 2).filter(|unit| is_escape && matches!(unit, 0xdc00..=0xdfff))
}

/// The code point of the escape `\uXXXX` that starts here, or of the two of a surrogate pair; and their length. A lone surrogate is no character.
pub fn code_point(bytes: &[u8], from: usize) -> Option<(u32, usize)> {
    match (unit(bytes, from + 2)?, low_surrogate(bytes, from + 6)) {
        (high @ 0xd800..=0xdbff, Some(low)) => Some((0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), 12)),
        (unit, _) => Some((unit, 6)),
    }
}
