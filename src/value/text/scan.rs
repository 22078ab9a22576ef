//! Finding bytes fast: sixteen at a time, with the machine's vector instructions (simd128 on wasm, SSE2 or NEON natively).

use crate::value::Word;
use wide::u8x16;

const LANES: usize = 16;

/// Which of the bytes end a run of plain string content (a quote, a backslash or a control character): a bit for each.
#[inline(always)]
fn string_run_ends(bytes: &[u8; LANES]) -> u32 {
    let lanes = u8x16::new(*bytes);
    let control = u8x16::splat(0x1f);
    let hits =
        lanes.simd_eq(u8x16::splat(b'"')) | lanes.simd_eq(u8x16::splat(b'\\')) | lanes.max(control).simd_eq(control);
    hits.to_bitmask()
}

/// Position of the first byte at or after `from` that ends a run of plain string content. The length of `bytes` if there is none.
#[inline(always)]
pub fn string_run_end(bytes: &[u8], from: usize) -> usize {
    Runs::of(bytes).end(from)
}

/// Where runs of plain string content end, one after another: what is looked at in one step is looked at once, however many
/// end there.
pub struct Runs<'a> {
    bytes: &'a [u8],
    /// The last chunk looked at ends here.
    seen: usize,
    /// What ends a run in that chunk: a bit for each of its bytes.
    ends: u32,
}

impl Runs<'_> {
    #[inline(always)]
    pub fn of(bytes: &[u8]) -> Runs<'_> {
        Runs { bytes, seen: 0, ends: 0 }
    }

    /// As [`string_run_end`], if `from` never goes back.
    #[inline(always)]
    pub fn end(&mut self, from: usize) -> usize {
        let mut position = from;
        if position < self.seen {
            let ends = self.ends >> (position + LANES - self.seen);
            if ends != 0 {
                return position + ends.trailing_zeros() as usize;
            }
            position = self.seen;
        }
        while let Some(chunk) = self.bytes.get(position..).and_then(|rest| rest.first_chunk()) {
            self.ends = string_run_ends(chunk);
            self.seen = position + LANES;
            if self.ends != 0 {
                return position + self.ends.trailing_zeros() as usize;
            }
            position = self.seen;
        }
        while let Some(byte) = self.bytes.get(position) {
            if *byte < 0x20 || *byte == b'"' || *byte == b'\\' {
                return position;
            }
            position += 1;
        }
        self.bytes.len()
    }
}

/// Position after the closing quote of the string whose content starts at `from`. The text has been validated.
#[inline(always)]
pub fn string_end(bytes: &[u8], from: usize) -> usize {
    let mut position = from;
    loop {
        position = string_run_end(bytes, position);
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
    let first_letters: smallvec::SmallVec<[u8x16; 4]> = first_letters.map(u8x16::splat).collect();
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
    fn runs_one_after_another_end_where_each_would() {
        let bytes = br#"no
\"yes" and a longer run of plain content,"\\\\\\\\\\" ... "" and the last one"#;
        let mut runs = Runs::of(bytes);
        let mut position = 0;
        while position < bytes.len() {
            let end = runs.end(position);
            assert_eq!(end, string_run_end(bytes, position));
            position = end + 1 + position % 3;
        }
    }

    #[test]
    fn escaped_quotes_do_not_end_a_string() {
        assert_eq!(string_end(br#"a\"b\\" ,"#, 0), 7);
        assert_eq!(string_end(b"unterminated", 0), 12);
    }
}
