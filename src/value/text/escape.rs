//! Escapes string content as JSON text, and unescapes it.

use super::compress::FreeSpace;
use super::scan::{LANES, backslashes, compact_run_end, escaped_bytes, escapes, small_letters, string_end};
use crate::escapes::{byte_of, code_point, letter_of};
use std::ops::Range;

/// From this length on, the required capacity is computed in advance.
const LARGE: usize = 65_536;
/// Number of bytes that are escaped at a time.
const BLOCK: usize = 1024;
/// The length of most escapes, such as `\n`.
const SHORT_ESCAPE: usize = 2;
/// The length of the others, such as `\u001f`.
const LONG_ESCAPE: usize = 6;

/// Appends a part of `bytes`.
pub fn append_part(out: &mut Vec<u8>, bytes: &[u8], part: Range<usize>) {
    match bytes.get(part.start..).and_then(<[u8]>::first_chunk::<LANES>) {
        Some(chunk) if part.len() <= LANES => {
            let length = out.len() + part.len();
            out.extend_from_slice(chunk);
            out.truncate(length);
        }
        _ => out.extend_from_slice(bytes.get(part).unwrap_or_default()),
    }
}

/// Appends `content` escaped as JSON.stringify escapes it, without quotes.
pub fn escape_into(out: &mut Vec<u8>, content: &[u8]) {
    if content.len() >= LARGE {
        // counted in advance: a list that grows by doubling would soon need twice the memory
        let escapes = content.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count();
        out.reserve(content.len() + escapes + SHORT_ESCAPE * BLOCK + LANES);
    }
    for block in content.chunks(BLOCK) {
        let mut space = FreeSpace::after(out, SHORT_ESCAPE * block.len());
        let mut rest = block;
        loop {
            let length = rest.first_chunk().map_or(0, |chunk| escape_chunk(&mut space, chunk));
            rest = rest.get(length..).unwrap_or_default();
            if length < LANES {
                let Some((byte, after)) = rest.split_first() else { break };
                escape_byte(&mut space, *byte);
                rest = after;
            }
        }
        space.close();
    }
}

/// Escapes everything before the first control character. Returns the number of bytes read.
#[inline(always)]
fn escape_chunk(space: &mut FreeSpace, chunk: &[u8; LANES]) -> usize {
    let (marked, controls) = escaped_bytes(chunk);
    if marked | controls == 0 {
        space.push(*chunk);
        return LANES;
    }
    let length = (controls | 1 << LANES).trailing_zeros() as usize;
    space.push_marked(chunk, b'\\', marked, length);
    length
}

#[inline(always)]
fn escape_byte(space: &mut FreeSpace, byte: u8) {
    match byte {
        b'"' | b'\\' | 0..0x20 => match letter_of(byte) {
            b'u' => {
                let digit = b"0123456789abcdef".get(usize::from(byte & 15)).copied().unwrap_or(b'0');
                space.extend(LONG_ESCAPE - SHORT_ESCAPE);
                space.push([b'\\', b'u', b'0', b'0', b'0' + (byte >> 4), digit]);
            }
            letter => space.push([b'\\', letter]),
        },
        _ => space.push([byte]),
    }
}

/// Appends the decoded content of a validated JSON string (without its quotes).
pub fn unescape_into(out: &mut Vec<u8>, raw: &[u8]) {
    let mut space = FreeSpace::after(out, raw.len());
    let mut rest = raw;
    loop {
        let length = rest.first_chunk().map_or(0, |chunk| unescape_chunk(&mut space, chunk));
        rest = rest.get(length..).unwrap_or_default();
        if length < LANES {
            let length = match rest {
                [] => break,
                [b'\\', letter, ..] => match byte_of(*letter) {
                    0 => unescape_unit(&mut space, rest),
                    byte => {
                        space.push([byte]);
                        2
                    }
                },
                [byte, ..] => {
                    space.push([*byte]);
                    1
                }
            };
            rest = rest.get(length..).unwrap_or_default();
        }
    }
    space.close();
}

/// Removes the backslashes before the first escape that has a letter or is cut off by the end of the chunk. Returns the number of bytes read.
#[inline(always)]
fn unescape_chunk(space: &mut FreeSpace, chunk: &[u8; LANES]) -> usize {
    let backslashes = backslashes(chunk);
    if backslashes == 0 {
        space.push(*chunk);
        return LANES;
    }
    let (escaped, starts) = escapes(u64::from(backslashes), 0);
    let (escaped, starts) = (escaped as u32, starts as u32);
    // the backslashes of escapes that must be decoded
    let lettered = (escaped & small_letters(chunk)) >> 1 | starts & 1 << (LANES - 1);
    let length = (lettered | 1 << LANES).trailing_zeros();
    space.push_chosen(chunk, !starts & ((1 << length) - 1));
    length as usize
}

/// Decodes the escape at the start of `raw`. Returns its length.
fn unescape_unit(space: &mut FreeSpace, raw: &[u8]) -> usize {
    let (code, length) = code_point(raw, 0).unwrap_or((u32::MAX, LONG_ESCAPE));
    let character = char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
    let mut bytes = [0; 4];
    let width = character.encode_utf8(&mut bytes).len();
    space.push_first(bytes, width);
    length
}

/// Appends validated JSON text as `JSON.stringify` would print the parsed value (no white space, its escapes), but keeps the numbers as they are.
/// With `quoted`, the whole is escaped again as the content of a string.
pub fn compact_into(out: &mut Vec<u8>, json: &[u8], quoted: bool) {
    // start of the text that can be copied unchanged and is not written yet
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

/// How a JSON text is written.
pub enum Form {
    /// As `JSON.stringify` prints it, apart from numbers and the order of keys.
    Compact,
    /// A string without its own quotes.
    Bare,
    Any,
}

/// Appends validated JSON text as the content of a string, with quotes.
pub fn stringify_into(out: &mut Vec<u8>, json: &[u8], form: Form) {
    out.push(b'"');
    match form {
        Form::Compact => escape_into(out, json),
        Form::Bare => {
            out.extend_from_slice(b"\\\"");
            append_anew(out, json, true);
            out.extend_from_slice(b"\\\"");
        }
        Form::Any => compact_into(out, json, true),
    }
    out.push(b'"');
}

/// Appends a part of the JSON text, unchanged or escaped.
fn append(out: &mut Vec<u8>, json: &[u8], part: Range<usize>, quoted: bool) {
    let part = json.get(part).unwrap_or_default();
    if quoted { escape_into(out, part) } else { out.extend_from_slice(part) }
}

/// Appends the text of a string (without its quotes) with the escapes that `JSON.stringify` uses.
fn append_anew(out: &mut Vec<u8>, raw: &[u8], quoted: bool) {
    let (mut content, mut escaped) = (Vec::new(), Vec::new());
    unescape_into(&mut content, raw);
    escape_into(&mut escaped, &content);
    append(out, &escaped, 0..escaped.len(), quoted);
}

/// Position after the closing quote of the string whose content starts at `from`, and whether `JSON.stringify` would escape the content in the same
/// way. May return false wrongly. The text must be valid.
fn string_form(json: &[u8], from: usize) -> (usize, bool) {
    let end = compact_run_end(json, from);
    if json.get(end) == Some(&b'"') { (end + 1, true) } else { (string_end(json, end), false) }
}
