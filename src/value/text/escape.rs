//! From string content to JSON string text and back.

use super::index::hex_unit;
use super::scan::{Runs, compact_run_end, string_end};
use std::ops::Range;

const CHUNK: usize = 16;
/// So much is escaped at a time.
const BLOCK: usize = 1024;
/// Of one byte, as `\u001f`.
const LONGEST_ESCAPE: usize = 6;

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

/// Room for bytes that are appended to a list, at most `length`. Where it is filled up to stays in a register, unlike a list's length.
struct Room<'a> {
    list: &'a mut Vec<u8>,
    end: usize,
}

impl Room<'_> {
    #[inline(always)]
    fn after(list: &mut Vec<u8>, length: usize) -> Room<'_> {
        let end = list.len();
        list.resize(end + length + CHUNK, 0);
        Room { list, end }
    }

    #[inline(always)]
    fn push(&mut self, bytes: &[u8]) {
        if let Some(room) = self.list.get_mut(self.end..self.end + bytes.len()) {
            room.copy_from_slice(bytes);
        }
        self.end += bytes.len();
    }

    /// Appends a part of `bytes`. Most parts are short, and a whole chunk is copied faster than any other number: what is written
    /// next overwrites the rest.
    #[inline(always)]
    fn push_part(&mut self, bytes: &[u8], part: Range<usize>) {
        match bytes.get(part.start..).and_then(<[u8]>::first_chunk::<CHUNK>) {
            Some(chunk) if part.len() <= CHUNK => {
                self.push(chunk);
                self.end -= CHUNK - part.len();
            }
            _ => self.push(bytes.get(part).unwrap_or_default()),
        }
    }

    #[inline(always)]
    fn close(self) {
        self.list.truncate(self.end);
    }
}

/// Appends a part of `bytes`.
pub fn append_part(out: &mut Vec<u8>, bytes: &[u8], part: Range<usize>) {
    match bytes.get(part.start..).and_then(<[u8]>::first_chunk::<CHUNK>) {
        Some(chunk) if part.len() <= CHUNK => {
            let length = out.len() + part.len();
            out.extend_from_slice(chunk);
            out.truncate(length);
        }
        _ => out.extend_from_slice(bytes.get(part).unwrap_or_default()),
    }
}

/// Appends `content` escaped as JSON.stringify escapes it, without quotes.
pub fn escape_into(out: &mut Vec<u8>, content: &[u8]) {
    for block in content.chunks(BLOCK) {
        let mut room = Room::after(out, LONGEST_ESCAPE * block.len());
        let mut runs = Runs::of(block);
        let mut position = 0;
        loop {
            let end = runs.end(position);
            room.push_part(block, position..end);
            let Some(byte) = block.get(end) else { break };
            match short_escape(*byte) {
                Some(letter) => room.push(&[b'\\', letter]),
                None => room.push(&[b'\\', b'u', b'0', b'0', hex_digit(byte >> 4), hex_digit(*byte)]),
            }
            position = end + 1;
        }
        room.close();
    }
}

/// What a backslash and this letter stand for, if it isn't `u`.
#[inline(always)]
pub fn simple_escape(letter: u8) -> Option<u8> {
    match letter {
        b'"' | b'\\' | b'/' => Some(letter),
        b'b' => Some(0x08),
        b'f' => Some(0x0c),
        b'n' => Some(b'\n'),
        b'r' => Some(b'\r'),
        b't' => Some(b'\t'),
        _ => None,
    }
}

/// Appends the content that validated string text (without its quotes) stands for.
pub fn unescape_into(out: &mut Vec<u8>, raw: &[u8]) {
    let mut room = Room::after(out, raw.len());
    let mut runs = Runs::of(raw);
    let mut position = 0;
    loop {
        let end = runs.end(position);
        room.push_part(raw, position..end);
        if end >= raw.len() {
            return room.close();
        }
        position = match raw.get(end + 1).and_then(|letter| simple_escape(*letter)) {
            Some(byte) => {
                room.push(&[byte]);
                end + 2
            }
            None => unescape_unit(&mut room, raw, end),
        };
    }
}

fn unescape_unit(room: &mut Room, raw: &[u8], position: usize) -> usize {
    let high = hex_unit(raw, position + 2).unwrap_or(0xfffd);
    let (code, length) = match (high, hex_unit(raw, position + 8)) {
        (0xd800..=0xdbff, Some(low @ 0xdc00..=0xdfff)) => (0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), 12),
        _ => (high, 6),
    };
    let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    room.push(character.encode_utf8(&mut [0; 4]).as_bytes());
    position + length
}

/// Appends validated JSON text as JSON.stringify would print the parsed value (no white space, its escapes), but with the
/// numbers as they stand. With `quoted` the whole is escaped once more, as the content of a string.
pub fn compact_into(out: &mut Vec<u8>, json: &[u8], quoted: bool) {
    // what stands as it should, and is not yet written, starts here
    let mut start = 0;
    let mut position = 0;
    while let Some(byte) = json.get(position) {
        let next = position + 1;
        match byte {
            b' ' | b'\n' | b'\r' | b'\t' => {
                append(out, json, start..position, quoted);
                (start, position) = (next, next);
            }
            b'"' => {
                let (end, is_compact) = string_form(json, next);
                position = end;
                if !is_compact {
                    append(out, json, start..next, quoted);
                    start = end - 1;
                    append_anew(out, json.get(next..start).unwrap_or_default(), quoted);
                }
            }
            _ => position = next,
        }
    }
    append(out, json, start..json.len(), quoted);
}

/// Appends validated JSON text as the content of a string, with its quotes. A bare one is a string without quotes of its own.
pub fn stringify_into(out: &mut Vec<u8>, json: &[u8], is_bare: bool) {
    out.push(b'"');
    if is_bare {
        out.extend_from_slice(b"\\\"");
        append_anew(out, json, true);
        out.extend_from_slice(b"\\\"");
    } else {
        compact_into(out, json, true);
    }
    out.push(b'"');
}

/// Appends a part of the JSON text as it stands, or escaped.
fn append(out: &mut Vec<u8>, json: &[u8], part: Range<usize>, quoted: bool) {
    let part = json.get(part).unwrap_or_default();
    if quoted { escape_into(out, part) } else { out.extend_from_slice(part) }
}

/// Appends the text of a string (without its quotes) with the escapes that JSON.stringify makes.
fn append_anew(out: &mut Vec<u8>, raw: &[u8], quoted: bool) {
    let (mut content, mut escaped) = (Vec::new(), Vec::new());
    unescape_into(&mut content, raw);
    escape_into(&mut escaped, &content);
    append(out, &escaped, 0..escaped.len(), quoted);
}

/// Position after the closing quote of the string whose content starts at `from`, and whether JSON.stringify would escape the
/// content as it is escaped here. It may say no too often. The text has been validated.
fn string_form(json: &[u8], from: usize) -> (usize, bool) {
    let end = compact_run_end(json, from);
    if json.get(end) == Some(&b'"') { (end + 1, true) } else { (string_end(json, end), false) }
}
