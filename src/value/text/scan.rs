//! Finding bytes fast: sixteen at a time, with the machine's vector instructions (simd128 on wasm, SSE2 or NEON natively).

use crate::value::Word;
use wide::u8x16;

pub const LANES: usize = 16;
/// A bit for each byte of two chunks.
const PAIR: u64 = 0xffff_ffff;
/// So much of a run is looked at before it is taken for a long one.
const LONG: usize = 4 * LANES;

/// Which of the bytes end a run of plain string content: a quote, a backslash or a control character.
#[inline(always)]
fn string_run_ends(bytes: &[u8; LANES]) -> u8x16 {
    let lanes = u8x16::new(*bytes);
    let control = u8x16::splat(0x1f);
    lanes.simd_eq(u8x16::splat(b'"')) | lanes.simd_eq(u8x16::splat(b'\\')) | lanes.max(control).simd_eq(control)
}

/// The same as a bit for each byte.
#[inline(always)]
fn run_ends(bytes: &[u8; LANES]) -> u32 {
    string_run_ends(bytes).to_bitmask()
}

/// Which of the bytes are the given one: a bit for each.
#[inline(always)]
fn places(bytes: &[u8; LANES], byte: u8) -> u32 {
    u8x16::new(*bytes).simd_eq(u8x16::splat(byte)).to_bitmask()
}

/// Which of the bytes are quotes or backslashes, and which are control characters: a bit for each.
#[inline(always)]
pub fn escaped_bytes(bytes: &[u8; LANES]) -> (u32, u32) {
    let ends = run_ends(bytes);
    let marked = places(bytes, b'"') | places(bytes, b'\\');
    (marked, ends & !marked)
}

/// Which of the bytes are backslashes: a bit for each.
#[inline(always)]
pub fn backslashes(bytes: &[u8; LANES]) -> u32 {
    places(bytes, b'\\')
}

/// Which of the bytes are not below `a`: a bit for each.
#[inline(always)]
pub fn small_letters(bytes: &[u8; LANES]) -> u32 {
    let lanes = u8x16::new(*bytes);
    lanes.max(u8x16::splat(b'a')).simd_eq(lanes).to_bitmask()
}

/// The letters of the escapes that JSON.stringify writes with one letter, but for the quote and the backslash.
const CONTROL_LETTERS: &[u8; 5] = b"bfnrt";

#[inline(always)]
fn control_letters(bytes: &[u8; LANES]) -> u8x16 {
    let lanes = u8x16::new(*bytes);
    let letters = CONTROL_LETTERS.iter().map(|letter| lanes.simd_eq(u8x16::splat(*letter)));
    letters.fold(u8x16::splat(0), |any, lanes| any | lanes)
}

/// What is said of each byte of two chunks, as a bit for each.
#[inline(always)]
fn bits(pair: &[u8; 2 * LANES], say: fn(&[u8; LANES]) -> u8x16) -> u64 {
    let (chunks, _) = pair.as_chunks();
    chunks.iter().rev().fold(0, |bits, chunk| bits << LANES | u64::from(say(chunk).to_bitmask()))
}

/// Which bytes of a chunk a backslash escapes, and which backslashes do so: a bit for each. `open` is 1 if the chunk starts with
/// what is escaped.
#[inline(always)]
pub fn escapes(backslashes: u64, open: u64) -> (u64, u64) {
    const ODD: u64 = 0xaaaa_aaaa_aaaa_aaaa;
    let unescaped = backslashes & !open;
    // every second one of those in a row is escaped: subtraction carries along the row
    let after = ((unescaped << 1) | ODD).wrapping_sub(unescaped) ^ ODD;
    (after ^ (backslashes | open), after & backslashes)
}

/// Position of the first byte at or after `from` that ends a run of plain content and of the escapes of one letter that
/// JSON.stringify writes: a quote, a control character, or the backslash of any other escape. The length of `bytes` if there is none.
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
            // often only quotes and backslashes are escaped
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

/// Goes on from `from` in large steps while all is plain string content.
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

/// Position after the closing quote of the string whose content starts at `from`. The text has been validated.
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

/// Position after the object or array that starts at `from`. The text has been validated.
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

/// Whether one of the words may stand between quotes somewhere. An escaped character might be a part of one.
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
    // two looks at the same bytes, one byte apart
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
    // the last chunk may overlap the one before it
    match bytes.last_chunk::<LANES>().zip(start.last_chunk::<LANES>()) {
        Some(last) => chunks.iter().zip(others).all(is_same) && is_same(last),
        None => bytes == start,
    }
}

/// Position of the first byte at or after `from` that is no white space.
#[inline(always)]
pub fn skip_space(bytes: &[u8], from: usize) -> usize {
    let mut position = from;
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = bytes.get(position) {
        position += 1;
    }
    position
}

/// Position after the number or literal that starts at `from`. The text has been validated.
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
    fn runs_end_at_the_first_special_byte_wherever_it_stands() {
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
    fn compact_runs_end_where_one_escape_after_another_says() {
        let one_by_one = |bytes: &[u8], mut position: usize| loop {
            match bytes.get(position..) {
                Some([b'\\', b'"' | b'\\' | b'b' | b'f' | b'n' | b'r' | b't', ..]) => position += 2,
                Some([0..0x20 | b'"' | b'\\', ..]) | Some([]) | None => return position,
                Some(_) => position += 1,
            }
        };
        // rows of backslashes of every length, in every place of a chunk, before what they may escape
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
