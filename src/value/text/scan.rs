//! Searches sixteen bytes at a time, with vector instructions (simd128 on wasm, SSE2 or NEON natively).

use crate::value::Word;
use wide::u8x16;

pub const LANES: usize = 16;
/// One bit for each byte of two chunks.
const PAIR: u64 = 0xffff_ffff;
/// Plain content that exceeds this length is scanned in larger steps.
const LONG: usize = 4 * LANES;

/// The bytes that end a run of plain string content: quotes, backslashes and control characters.
#[inline(always)]
fn string_run_ends(bytes: &[u8; LANES]) -> u8x16 {
    let lanes = u8x16::new(*bytes);
    let control = u8x16::splat(0x1f);
    lanes.simd_eq(u8x16::splat(b'"')) | lanes.simd_eq(u8x16::splat(b'\\')) | lanes.max(control).simd_eq(control)
}

/// The same as a mask with one bit per byte.
#[inline(always)]
fn run_ends(bytes: &[u8; LANES]) -> u32 {
    string_run_ends(bytes).to_bitmask()
}

/// The positions of `byte`, as a mask.
#[inline(always)]
fn places(bytes: &[u8; LANES], byte: u8) -> u32 {
    u8x16::new(*bytes).simd_eq(u8x16::splat(byte)).to_bitmask()
}

/// The quotes and backslashes, and the control characters, as masks.
#[inline(always)]
pub fn escaped_bytes(bytes: &[u8; LANES]) -> (u32, u32) {
    let ends = run_ends(bytes);
    let marked = places(bytes, b'"') | places(bytes, b'\\');
    (marked, ends & !marked)
}

/// The backslashes, as a mask.
#[inline(always)]
pub fn backslashes(bytes: &[u8; LANES]) -> u32 {
    places(bytes, b'\\')
}

/// The bytes that are not below `a`, as a mask.
#[inline(always)]
pub fn small_letters(bytes: &[u8; LANES]) -> u32 {
    let lanes = u8x16::new(*bytes);
    lanes.max(u8x16::splat(b'a')).simd_eq(lanes).to_bitmask()
}

/// The letters of the one-letter escapes that `JSON.stringify` writes, apart from the quote and the backslash.
const CONTROL_LETTERS: &[u8; 5] = b"bfnrt";

#[inline(always)]
fn control_letters(bytes: &[u8; LANES]) -> u8x16 {
    let lanes = u8x16::new(*bytes);
    let letters = CONTROL_LETTERS.iter().map(|letter| lanes.simd_eq(u8x16::splat(*letter)));
    letters.fold(u8x16::splat(0), |any, lanes| any | lanes)
}

/// The result of `say` for two chunks, as a mask.
#[inline(always)]
fn bits(pair: &[u8; 2 * LANES], say: fn(&[u8; LANES]) -> u8x16) -> u64 {
    let (chunks, _) = pair.as_chunks();
    chunks.iter().rev().fold(0, |bits, chunk| bits << LANES | u64::from(say(chunk).to_bitmask()))
}

/// The escaped bytes of a chunk and the backslashes that escape them, as masks. `open` is 1 if the first byte of the chunk is escaped.
#[inline(always)]
pub fn escapes(backslashes: u64, open: u64) -> (u64, u64) {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let unescaped = backslashes & !open;
    // in a run of backslashes, every second one is escaped: the subtraction carries along the run
    let after = ((unescaped << 1) | ODD).wrapping_sub(unescaped) ^ ODD;
    (after ^ (backslashes | open), after & backslashes)
}

/// Position of the first byte at or after `from` that ends a run of plain content and of one-letter escapes that `JSON.stringify` writes: a quote, a
/// control character, or the backslash of any other escape. The length of `bytes` if there is none.
pub fn compact_run_end(bytes: &[u8], from: usize) -> usize {
    let mut position = from;
    let mut open = 0;
    while let Some(pair) = bytes.get(position..).and_then(|rest| rest.first_chunk()) {
        let run_ends = bits(pair, string_run_ends);
        if run_ends | open != 0 {
            let backslashes = bits(pair, |chunk| u8x16::new(*chunk).simd_eq(u8x16::splat(b'\\')));
            let (escaped, starts) = escapes(backslashes, open);
            let quotes = bits(pair, |chunk| u8x16::new(*chunk).simd_eq(u8x16::splat(b'"')));
            let mut ends = run_ends & !backslashes & !escaped;
            // in most texts only quotes and backslashes are escaped
            let others = escaped & PAIR & !backslashes & !quotes;
            if others != 0 {
                ends |= others & !bits(pair, control_letters);
            }
            if ends != 0 {
                let at = ends.trailing_zeros();
                return position + at as usize - (escaped >> at & 1) as usize;
            }
            open = starts >> (2 * LANES - 1);
        }
        position += 2 * LANES;
    }
    position -= open as usize;
    loop {
        position = string_run_end(bytes, position);
        match bytes.get(position..) {
            Some([b'\\', b'"' | b'\\', ..]) => position += 2,
            Some([b'\\', letter, ..]) if CONTROL_LETTERS.contains(letter) => position += 2,
            Some(_) | None => return position,
        }
    }
}

/// Advances from `from` in large steps through plain string content.
#[inline(never)]
fn skip_plain(bytes: &[u8], from: usize) -> usize {
    let mut position = from;
    while let Some(chunks) = bytes.get(position..).and_then(|rest| rest.first_chunk::<LONG>()) {
        let (chunks, _) = chunks.as_chunks();
        if chunks.iter().fold(u8x16::splat(0), |any, chunk| any | string_run_ends(chunk)).any() {
            break;
        }
        position += LONG;
    }
    position
}

/// Position of the first byte at or after `from` that ends a run of plain string content. The length of `bytes` if there is none.
#[inline(always)]
pub fn string_run_end(bytes: &[u8], from: usize) -> usize {
    let mut position = from;
    while let Some(chunk) = bytes.get(position..).and_then(|rest| rest.first_chunk()) {
        let ends = run_ends(chunk);
        if ends != 0 {
            return position + ends.trailing_zeros() as usize;
        }
        let next = position + LANES;
        position = if position - from == LONG { skip_plain(bytes, next) } else { next };
    }
    while let Some(byte) = bytes.get(position) {
        if *byte < 0x20 || *byte == b'"' || *byte == b'\\' {
            return position;
        }
        position += 1;
    }
    bytes.len()
}

/// Position after the closing quote of the string whose content starts at `from`. The text must be valid.
#[inline(always)]
pub fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut position = from;
    loop {
        position = compact_run_end(bytes, position);
        match bytes.get(position) {
            Some(b'\\') => position += 2,
            _ => return (position + 1).min(bytes.len()),
        }
    }
}

/// Position after the object or array that starts at `from`. The text must be valid.
pub fn container_end(bytes: &[u8], from: usize) -> usize {
    let mut depth = 0;
    let mut position = from;
    while let Some(byte) = bytes.get(position) {
        position += 1;
        match byte {
            b'"' => position = string_end(bytes, position),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth -= 1;
                if depth == 0 {
                    break;
                }
            }
            _ => {}
        }
    }
    position
}

/// Whether one of the words may occur between quotes. Returns true if an escape might be part of one.
pub fn mentions(bytes: &[u8], words: &[Word]) -> bool {
    let (quote, backslash, escape) = (u8x16::splat(b'"'), u8x16::splat(b'\\'), u8x16::splat(b'u'));
    let is_hit = |rest: &[u8]| match rest.split_first() {
        Some((b'"', content)) => words
            .iter()
            .any(|word| content.strip_prefix(word.text().as_bytes()).is_some_and(|after| after.first() == Some(&b'"'))),
        Some((b'\\', content)) => content.first() == Some(&b'u'),
        Some(_) | None => false,
    };
    let first_letters = words.iter().filter_map(|word| word.text().bytes().next());
    let first_letters: Vec<u8x16> = first_letters.map(u8x16::splat).collect();
    let mut position = 0;
    // reads the same bytes twice, one byte apart
    while let Some(chunk) = bytes.get(position + 1..).and_then(|rest| rest.first_chunk::<LANES>())
        && let Some(before) = bytes.get(position..).and_then(|rest| rest.first_chunk::<LANES>())
    {
        let (here, next) = (u8x16::new(*before), u8x16::new(*chunk));
        let starts = first_letters.iter().fold(u8x16::splat(0), |any, letter| any | next.simd_eq(*letter));
        let hits = here.simd_eq(quote) & starts | here.simd_eq(backslash) & next.simd_eq(escape);
        let mut mask = hits.to_bitmask();
        while mask != 0 {
            if bytes.get(position + mask.trailing_zeros() as usize..).is_some_and(is_hit) {
                return true;
            }
            mask &= mask - 1;
        }
        position += LANES;
    }
    (position..bytes.len()).any(|position| bytes.get(position..).is_some_and(is_hit))
}

/// Whether `bytes` begin with `start`.
pub fn starts_with(bytes: &[u8], start: &[u8]) -> bool {
    let Some(bytes) = bytes.get(..start.len()) else { return false };
    let (chunks, _) = bytes.as_chunks::<LANES>();
    let (others, _) = start.as_chunks::<LANES>();
    let is_same = |(chunk, other): (&[u8; LANES], &[u8; LANES])| u8x16::new(*chunk).simd_eq(u8x16::new(*other)).all();
    // the last chunk may overlap the previous one
    match bytes.last_chunk::<LANES>().zip(start.last_chunk::<LANES>()) {
        Some(last) => chunks.iter().zip(others).all(is_same) && is_same(last),
        None => bytes == start,
    }
}

/// Position of the first byte at or after `from` that is not white space.
#[inline(always)]
pub fn skip_space(bytes: &[u8], from: usize) -> usize {
    let mut position = from;
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(position) {
        position += 1;
    }
    position
}

/// Position after the number or literal that starts at `from`. The text must be valid.
pub fn scalar_end(bytes: &[u8], from: usize) -> usize {
    let mut position = from;
    while let Some(byte) = bytes.get(position) {
        if matches!(byte, b',' | b'}' | b']' | b':' | b' ' | b'\n' | b'\r' | b'\t') {
            break;
        }
        position += 1;
    }
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_at_the_first_special_byte_at_every_position() {
        for special in [b'"', b'\\', 0x00, 0x1f, b'\n'] {
            for at in 0..70 {
                let mut bytes = "é".repeat(35).into_bytes();
                bytes.truncate(70);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte = special;
                }
                assert_eq!(string_run_end(&bytes, 0), at);
                assert_eq!(string_run_end(&bytes, at + 1), 70);
            }
        }
    }

    #[test]
    fn compact_runs_end_at_the_same_position_as_one_by_one() {
        let one_by_one = |bytes: &[u8], mut position: usize| loop {
            match bytes.get(position..) {
                Some([b'\\', b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..]) => position += 2,
                Some([0..0x20 | b'"' | b'\\', ..]) | Some([]) | None => return position,
                Some(_) => position += 1,
            }
        };
        // runs of backslashes of every length, at every position of a chunk, before characters that they may escape
        for row in 0..40 {
            for last in [b'"', b'\\', b'n', b'u', b'/', b'x', b'\n'] {
                let bytes =
                    [b"plain, ".as_slice(), &vec![b'\\'; row], &[last], b"and \\t more content that ends\""].concat();
                for from in 0..=bytes.len() {
                    assert_eq!(compact_run_end(&bytes, from), one_by_one(&bytes, from), "{row} {last} {from}");
                }
            }
        }
    }

    #[test]
    fn escaped_quotes_do_not_end_a_string() {
        assert_eq!(string_end(br#"a\"b\\" ,"#, 0), 7);
        assert_eq!(string_end(b"unterminated", 0), 12);
    }
}
