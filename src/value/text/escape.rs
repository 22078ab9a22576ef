//! From string content to JSON string text and back.

use super::index::hex_unit;
use super::scan::{string_end, string_run_end};
use std::ops::Range;

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

/// Appends a part of `bytes`. Most parts are short, and sixteen bytes at a time are copied faster than any other number.
#[inline(always)]
pub fn append_part(out: &mut Vec<u8>, bytes: &[u8], part: Range<usize>) {
    match bytes.get(part.start..).and_then(<[u8]>::first_chunk::<16>) {
        Some(chunk) if part.len() <= chunk.len() => {
            let length = out.len() + part.len();
            out.extend_from_slice(chunk);
            out.truncate(length);
        }
        _ => out.extend_from_slice(bytes.get(part).unwrap_or_default()),
    }
}

/// Appends `content` escaped as JSON.stringify escapes it, without quotes.
pub fn escape_into(out: &mut Vec<u8>, content: &[u8]) {
    let mut position = 0;
    loop {
        let end = string_run_end(content, position);
        append_part(out, content, position..end);
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
        append_part(out, raw, position..end);
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
    match (is_compact(raw), quoted) {
        (true, true) => escape_into(out, raw),
        (true, false) => out.extend_from_slice(raw),
        (false, true) => {
            content.clear();
            unescape_into(content, raw);
            let mut once = Vec::with_capacity(content.len() + 16);
            escape_into(&mut once, content);
            escape_into(out, &once);
        }
        (false, false) => {
            content.clear();
            unescape_into(content, raw);
            escape_into(out, content);
        }
    }
}

/// Whether JSON.stringify would escape the content as it is escaped here. It may say no too often.
fn is_compact(raw: &[u8]) -> bool {
    let mut position = 0;
    loop {
        position = string_run_end(raw, position);
        match raw.get(position + 1) {
            Some(b'/' | b'u') => return false,
            Some(_) => position += 2,
            None => return true,
        }
    }
}
