//! Strings and byte arrays on their way into and out of wasm memory, each with one copy.

use super::bridge::{Bridge, Host, append, encoded, size_of, units_of, view_of};
use super::utf16::utf16;
use crate::value::text::TextStore;
use wasm_bindgen::JsValue;

/// The string as UTF-8, half surrogate pairs as U+FFFD; `None` if the value is no string.
pub fn string_to_bytes(value: &JsValue) -> Option<Vec<u8>> {
    Bridge::with(|bridge| {
        let host = &bridge.host;
        let units = units_of(value);
        (units >= 0.0)
            .then(|| encoded(host, units as u32, |from, pointer, room| host.encode(value, from, pointer, room)))
    })
}

/// UTF-8 as a JavaScript string.
pub fn bytes_to_string(bytes: &[u8]) -> JsValue {
    let continuing = continuing(bytes);
    Bridge::with(|bridge| {
        if is_mostly_wide(bytes.len(), continuing) {
            let (units, _) = utf16(bytes, bytes.len() - continuing);
            bridge.host.decode_units(units.as_ptr() as u32, units.len() as u32)
        } else {
            bridge.host.decode(bytes.as_ptr() as u32, bytes.len() as u32)
        }
    })
}

/// How many bytes go on with a character, rather than begin one.
fn continuing(bytes: &[u8]) -> usize {
    bytes.chunks(FEW).map(continuing_few).sum()
}

/// So few that the sum is a byte: sixteen are counted at a time.
const FEW: usize = 128;

fn continuing_few(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| u8::from(byte & 0xc0 == 0x80)).sum::<u8>().into()
}

/// Whether UTF-16 made here and decoded there is faster than UTF-8 decoded there: it is several times as fast for
/// Chinese and Japanese, and no faster for text that is mostly ASCII.
fn is_mostly_wide(length: usize, continuing: usize) -> bool {
    continuing > 64 && continuing > length / 4
}

/// The content of a Uint8Array (a Buffer is one) or an ArrayBuffer; `None` if the value is neither.
pub fn bytes_from(value: &JsValue) -> Option<Vec<u8>> {
    array_bytes(value).or_else(|| array_bytes(&view_of(value)))
}

fn array_bytes(value: &JsValue) -> Option<Vec<u8>> {
    Bridge::with(|bridge| {
        let size = size_of(value);
        // one whose buffer was given away has nothing either, and would throw
        if size <= 0.0 {
            return (size == 0.0).then(Vec::new);
        }
        let mut bytes = Vec::with_capacity(size as usize);
        append(&mut bytes, |pointer, room| {
            bridge.host.copy_in(value, pointer);
            room.min(size as u32)
        });
        Some(bytes)
    })
}

/// A Uint8Array of its own with these bytes.
pub fn bytes_to_array(bytes: &[u8]) -> JsValue {
    Bridge::with(|bridge| bridge.host.copy_out(bytes.as_ptr() as u32, bytes.len() as u32))
}

/// Texts up to this length go out at once, longer ones piece by piece.
const AT_ONCE: usize = 131_072;
const PIECE: usize = 32_768;
/// Of the parts of a long text one in so many is looked at, to tell how wide it is.
const SAMPLED: usize = 16;

/// What was written, as a JavaScript string.
pub fn text_to_string(text: TextStore) -> JsValue {
    let length = text.output_length();
    if length <= AT_ONCE {
        return bytes_to_string(&text.into_output());
    }
    let (mut sample, mut count) = (0, 0);
    text.each_output(|slice| sample += slice.chunks(FEW).step_by(SAMPLED).map(continuing_few).sum::<usize>());
    if is_mostly_wide(length, SAMPLED * sample) {
        // the start of every slice is in the sample, so it may say yes too often
        text.each_output(|slice| count += continuing(slice));
    }
    if is_mostly_wide(length, count) {
        // a character of four bytes is two units
        let units = length - count + count / 3;
        return in_pieces(&text, 2 * units, add_units, Host::close_units);
    }
    in_pieces(&text, length, add_bytes, Host::close_text)
}

/// What was written, as a Uint8Array of its own.
pub fn text_to_array(text: TextStore) -> JsValue {
    let length = text.output_length();
    if length <= AT_ONCE {
        return bytes_to_array(&text.into_output());
    }
    in_pieces(&text, length, add_bytes, Host::close)
}

/// `add` gets all that was written, piece by piece, and gives the number of bytes that it added.
fn in_pieces(text: &TextStore, room: usize, add: fn(&Host, &[u8]) -> usize, close: fn(&Host) -> JsValue) -> JsValue {
    Bridge::with(|Bridge { host, .. }| {
        host.open(room as u32);
        let mut waiting = Vec::with_capacity(PIECE);
        text.each_output(|mut slice| {
            while waiting.len() + slice.len() > PIECE {
                let (now, later) = slice.split_at(PIECE - waiting.len());
                // a long slice need not be copied first
                if waiting.is_empty() {
                    slice = slice.get(add(host, now)..).unwrap_or_default();
                } else {
                    waiting.extend_from_slice(now);
                    waiting.drain(..add(host, &waiting));
                    slice = later;
                }
            }
            waiting.extend_from_slice(slice);
        });
        add(host, &waiting);
        close(host)
    })
}

/// What begins at the end of a piece waits for the next.
fn add_units(host: &Host, piece: &[u8]) -> usize {
    let (units, rest) = utf16(piece, piece.len() - continuing(piece));
    host.add(units.as_ptr() as u32, 2 * units.len() as u32);
    piece.len() - rest.len()
}

fn add_bytes(host: &Host, piece: &[u8]) -> usize {
    host.add(piece.as_ptr() as u32, piece.len() as u32);
    piece.len()
}
