//! Numbers in JavaScript's notation.

use crate::number::{EXACT_DIGITS, javascript, parse, push_whole};

/// Appends a number as `JSON.stringify` prints it.
pub fn put(out: &mut Vec<u8>, number: f64) {
    const SMALL: f64 = 1_000_000_000.0;
    let whole = number as u32;
    if (0.0..SMALL).contains(&number) && f64::from(whole) == number {
        push_whole(out, whole);
    } else {
        out.extend_from_slice(javascript(number).as_bytes());
    }
}

/// The value of a JSON number; 0 for any other text.
pub fn read(json: &[u8]) -> f64 {
    std::str::from_utf8(json).ok().and_then(parse).unwrap_or(0.0)
}

/// Whether JavaScript would print this number unchanged after reading it.
pub fn is_as_javascript_prints(json: &[u8]) -> bool {
    let digits = json.strip_prefix(b"-").unwrap_or(json);
    let is_whole = digits.iter().all(u8::is_ascii_digit) && digits != b"0";
    is_whole && digits.len() <= EXACT_DIGITS || javascript(read(json)).as_bytes() == json
}

#[cfg(test)]
mod tests {
    #[test]
    fn put_prints_numbers_as_javascript_does() {
        for number in
            [0.0, -0.0, 7.0, 10.0, 4096.0, 999_999_999.0, 1e9, 4294967296.0, 0.5, -1.0, f64::NAN, f64::INFINITY]
        {
            let mut out = b"x".to_vec();
            super::put(&mut out, number);
            assert_eq!(out, format!("x{}", crate::number::javascript(number)).into_bytes());
        }
    }
}
