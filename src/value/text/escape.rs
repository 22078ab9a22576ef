//! From string content to JSON string text and back.

use super::index::hex_unit;
use super::scan::{string_end, string_run_end};

/// What a scalar between quotes is written as: `\n` and its like where JSON.stringify does so.
fn short_escape(byte: u8) -> Option<u8> {
    match byte {
        b'"' => Some(b'"'),
        b'\\' => Some(b'\\'),
        0x08 => Some(b'b'),
        0x0c => Some(b'f'),
        b'\n' => Some(b'n'),
        b'\r' => Some(b'r'),
        b'\t' => Some(b't'),
        _ => None,
    }
}

const HEX: &[u8; 16] = b"0123456789abcdef";

fn hex_digit(value: u8) -> u8 {
    HEX.get(usize::from(value & 15)).copied().unwrap_or(b'0')
}

/// Appends `content` escaped as JSON.stringify escapes it, without quotes.
pub fn escape_into(out: &mut Vec<u8>, content: &[u8]) {
    let mut position = 0;
    loop {
        let end = string_run_end(content, position);
        out.extend_from_slice(content.get(position..end).unwrap_or_default());
        let Some(byte) = content.get(end) else { return };
        match short_escape(*byte) {
            Some(letter) => out.extend_from_slice(&[b'\\', letter]),
            None => out.extend_from_slice(&[b'\\', b'u', b'0', b'0', hex_digit(byte >> 4), hex_digit(*byte)]),
        }
        position = end + 1;
    }
}

/// Appends the content that validated string text (without its quotes) stands for.
pub fn unescape_into(out: &mut Vec<u8>, raw: &[u8]) {
    let mut position = 0;
    loop {
        let end = string_run_end(raw, position);
        out.extend_from_slice(raw.get(position..end).unwrap_or_default());
        if end >= raw.len() {
            return;
        }
        position = unescape_one(out, raw, end);
    }
}

/// Appends the character that the escape at `position` stands for; gives the position after it.
fn unescape_one(out: &mut Vec<u8>, raw: &[u8], position: usize) -> usize {
    let byte = match raw.get(position + 1) {
        Some(b'u') => return unescape_unit(out, raw, position),
        Some(b'b') => 0x08,
        Some(b'f') => 0x0c,
        Some(b'n') => b'\n',
        Some(b'r') => b'\r',
        Some(b't') => b'\t',
        Some(other) => *other,
        None => return raw.len(),
    };
    out.push(byte);
    position + 2
}

fn unescape_unit(out: &mut Vec<u8>, raw: &[u8], position: usize) -> usize {
    let high = hex_unit(raw, position + 2).unwrap_or(0xfffd);
    let (code, length) = match (high, hex_unit(raw, position + 8)) {
        (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => (0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), 12),
        _ => (high, 6),
    };
    let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
    position + length
}

/// Appends validated JSON text as JSON.stringify would print the parsed value (no white space, its escapes), but with the
/// numbers as they stand. With `quoted` the whole is escaped once more, as the content of a string.
pub fn compact_into(out: &mut Vec<u8>, json: &[u8], quoted: bool) {
    let mut position = 0;
    let mut content = Vec::new();
    while let Some(byte) = json.get(position) {
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' => position += 1,
            b'"' => {
                let end = string_end(json, position + 1);
                let raw = json.get(position + 1..end - 1).unwrap_or_default();
                out.extend_from_slice(if quoted { b"\\\"" } else { b"\"" });
                compact_string_into(out, raw, quoted, &mut content);
                out.extend_from_slice(if quoted { b"\\\"" } else { b"\"" });
                position = end;
            }
            _ => {
                out.push(*byte);
                position += 1;
            }
        }
    }
}

/// Appends validated JSON text as the content of a string, with its quotes. A bare one is a string without quotes of its own.
pub fn stringify_into(out: &mut Vec<u8>, json: &[u8], is_bare: bool) {
    out.push(b'"');
    if is_bare {
        out.extend_from_slice(b"\\\"");
        compact_string_into(out, json, true, &mut Vec::new());
        out.extend_from_slice(b"\\\"");
    } else {
        compact_into(out, json, true);
    }
    out.push(b'"');
}

fn compact_string_into(out: &mut Vec<u8>, raw: &[u8], quoted: bool, content: &mut Vec<u8>) {
    let plain = string_run_end(raw, 0);
    if plain == raw.len() {
        out.extend_from_slice(raw);
        return;
    }
    content.clear();
    unescape_into(content, raw);
    if quoted {
        let mut once = Vec::with_capacity(content.len() + 16);
        escape_into(&mut once, content);
        escape_into(out, &once);
    } else {
        escape_into(out, content);
    }
}
