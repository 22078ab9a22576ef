//! Moves strings and byte arrays into and out of wasm memory, each with a single copy.

use super::bridge::{Bridge, Host, append, encoded, size_of, units_of, view_of};
use super::utf16::utf16;
use crate::value::text::TextStore;
use wasm_bindgen::JsValue;

/// The string as UTF-8, with lone surrogates as U+FFFD; `None` if the value is not a string.
pub fn string_to_bytes(value: &JsValue) -> Option<Vec<u8>> {
    Bridge::with(|bridge| {
        let host = &bridge.host;
        let units = units_of(value);
        (units >= 0.0)
            .then(|| encoded(host, units as u32, |from, pointer, capacity| host.encode(value, from, pointer, capacity)))
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

/// Counts UTF-8 continuation bytes.
fn continuing(bytes: &[u8]) -> usize {
    bytes.chunks(FEW).map(continuing_few).sum()
}

/// Bytes per chunk: few enough for a sum of type `u8`, so that sixteen bytes are counted at a time.
const FEW: usize = 128;

fn continuing_few(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| u8::from(byte & 0xc0 == 0x80)).sum::<u8>().into()
}

/// Whether it is faster to convert to UTF-16 here and decode that in JavaScript than to decode UTF-8 there: several times as fast for Chinese and
/// Japanese, no faster for text that is mostly ASCII.
fn is_mostly_wide(length: usize, continuing: usize) -> bool {
    continuing > 64 && continuing > length / 4
}

/// The content of a Uint8Array (such as a Buffer) or an ArrayBuffer; `None` for any other value.
pub fn bytes_from(value: &JsValue) -> Option<Vec<u8>> {
    array_bytes(value).or_else(|| array_bytes(&view_of(value)))
}

fn array_bytes(value: &JsValue) -> Option<Vec<u8>> {
    Bridge::with(|bridge| {
        let size = size_of(value);
        // a detached buffer has no bytes either, and reading it would throw
        if size <= 0.0 {
            return (size == 0.0).then(Vec::new);
        }
        let mut bytes = Vec::with_capacity(size as usize);
        append(&mut bytes, |pointer, capacity| {
            bridge.host.copy_in(value, pointer);
            capacity.min(size as u32)
        });
        Some(bytes)
    })
}

/// A new Uint8Array with these bytes.
pub fn bytes_to_array(bytes: &[u8]) -> JsValue {
    Bridge::with(|bridge| bridge.host.copy_out(bytes.as_ptr() as u32, bytes.len() as u32))
}

/// Texts up to this length are passed at once, longer ones in pieces.
const AT_ONCE: usize = 131_072;
const PIECE: usize = 32_768;
/// One of this many parts of a long text is examined to estimate how much of it is not ASCII.
const SAMPLED: usize = 16;

/// The written text as a JavaScript string.
pub fn text_to_string(text: TextStore) -> JsValue {
    let length = text.output_length();
    if length <= AT_ONCE {
        return bytes_to_string(&text.into_output());
    }
    let (mut sample, mut count) = (0, 0);
    text.each_output(|slice| sample += slice.chunks(FEW).step_by(SAMPLED).map(continuing_few).sum::<usize>());
    if is_mostly_wide(length, SAMPLED * sample) {
        // the sample contains the start of every slice, so it may return true wrongly
        text.each_output(|slice| count += continuing(slice));
    }
    if is_mostly_wide(length, count) {
        // a character of four bytes has two units
        let units = length - count + count / 3;
        return in_pieces(&text, 2 * units, add_units, Host::close_units);
    }
    in_pieces(&text, length, add_bytes, Host::close_text)
}

/// The written text as a new Uint8Array.
pub fn text_to_array(text: TextStore) -> JsValue {
    let length = text.output_length();
    if length <= AT_ONCE {
        return bytes_to_array(&text.into_output());
    }
    in_pieces(&text, length, add_bytes, Host::close)
}

/// Passes the written text to `add`, piece by piece. `add` returns the number of bytes that it accepted.
fn in_pieces(
    text: &TextStore,
    capacity: usize,
    add: fn(&Host, &[u8]) -> usize,
    close: fn(&Host) -> JsValue,
) -> JsValue {
    Bridge::with(|Bridge { host, .. }| {
        host.open(capacity as u32);
        let mut waiting = Vec::with_capacity(PIECE);
        text.each_output(|mut slice| {
            while waiting.len() + slice.len() > PIECE {
                let (now, later) = slice.split_at(PIECE - waiting.len());
                // a long slice is passed without copying it first
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

/// A character that is cut off at the end of a piece is left for the next piece.
fn add_units(host: &Host, piece: &[u8]) -> usize {
    let (units, rest) = utf16(piece, piece.len() - continuing(piece));
    host.add(units.as_ptr() as u32, 2 * units.len() as u32);
    piece.len() - rest.len()
}

fn add_bytes(host: &Host, piece: &[u8]) -> usize {
    host.add(piece.as_ptr() as u32, piece.len() as u32);
    piece.len()
}
