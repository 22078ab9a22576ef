//! Searches text for the bytes of a set, in wasm sixteen at a time.

/// A set of ASCII bytes, and of all other bytes or none.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByteSet {
    /// For each low half of an ASCII byte, the high halves that it has in the set, one bit each.
    highs: [u8; 16],
    /// The high bit, if all bytes that are not ASCII are in the set.
    others: u8,
}

impl ByteSet {
    #[must_use]
    pub const fn of(mut bytes: &[u8]) -> Self {
        let mut set = Self { highs: [0; 16], others: 0 };
        while let [first, rest @ ..] = bytes {
            set = set.with(*first);
            bytes = rest;
        }
        set
    }

    /// The set with one more byte, or with all that are not ASCII if it is one of them.
    #[must_use]
    pub const fn with(mut self, byte: u8) -> Self {
        if !byte.is_ascii() {
            self.others = 0x80;
        } else if let Some((_, [highs, ..])) = self.highs.split_at_mut_checked(byte as usize & 15) {
            *highs |= 1 << (byte >> 4);
        }
        self
    }

    pub fn has(&self, byte: u8) -> bool {
        let highs = self.highs.get(usize::from(byte & 15)).copied().unwrap_or_default();
        if byte.is_ascii() { highs >> (byte >> 4) & 1 == 1 } else { self.others != 0 }
    }

    /// The number of bytes before the first one that is in the set.
    pub fn before(&self, bytes: &[u8]) -> usize {
        let (chunks, rest) = bytes.as_chunks();
        let mut at = 0;
        for chunk in chunks {
            match self.place(chunk) {
                16 => at += 16,
                place => return at + place,
            }
        }
        at + rest.iter().position(|&byte| self.has(byte)).unwrap_or(rest.len())
    }

    /// The position of the first byte from this position on that is in the set.
    #[cfg(feature = "text")]
    pub fn next(&self, bytes: &[u8], from: usize) -> Option<usize> {
        let at = from + self.before(bytes.get(from..)?);
        (at < bytes.len()).then_some(at)
    }

    /// Whether a text has one of the bytes.
    #[cfg(feature = "text")]
    pub fn is_in(&self, text: &str) -> bool {
        self.next(text.as_bytes(), 0).is_some()
    }

    /// The position of the first byte that is in the set, or else 16.
    #[cfg(target_arch = "wasm32")]
    #[inline(always)]
    fn place(&self, chunk: &[u8; 16]) -> usize {
        use core::arch::wasm32::{
            i8x16_eq, u8x16, u8x16_bitmask, u8x16_shr, u8x16_splat, u8x16_swizzle, v128, v128_and, v128_or,
        };
        const BITS: v128 = u8x16(1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0);
        let bytes = lanes(chunk);
        let highs = u8x16_swizzle(lanes(&self.highs), v128_and(bytes, u8x16_splat(15)));
        let found = v128_and(highs, u8x16_swizzle(BITS, u8x16_shr(bytes, 4)));
        let found = v128_or(found, v128_and(bytes, u8x16_splat(self.others)));
        let others = u8x16_bitmask(i8x16_eq(found, u8x16_splat(0)));
        others.trailing_ones() as usize
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn place(&self, chunk: &[u8; 16]) -> usize {
        chunk.iter().position(|&byte| self.has(byte)).unwrap_or(chunk.len())
    }
}

#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn lanes(bytes: &[u8; 16]) -> core::arch::wasm32::v128 {
    let number = u128::from_le_bytes(*bytes);
    core::arch::wasm32::u64x2(number as u64, (number >> 64) as u64)
}

/// One byte, which is found faster than those of a set.
#[cfg(feature = "text")]
#[derive(Clone, Copy, Debug)]
pub struct Byte(pub u8);

#[cfg(feature = "text")]
impl Byte {
    /// The position of the first such byte from this position on.
    pub fn next(self, bytes: &[u8], from: usize) -> Option<usize> {
        let (chunks, rest) = bytes.get(from..)?.as_chunks();
        let mut at = from;
        for chunk in chunks {
            match self.place(chunk) {
                16 => at += 16,
                place => return Some(at + place),
            }
        }
        rest.iter().position(|&byte| byte == self.0).map(|place| at + place)
    }

    /// Its first position, or else 16.
    #[cfg(target_arch = "wasm32")]
    #[inline(always)]
    fn place(self, chunk: &[u8; 16]) -> usize {
        use core::arch::wasm32::{i8x16_eq, u8x16_bitmask, u8x16_splat};
        let found = u8x16_bitmask(i8x16_eq(lanes(chunk), u8x16_splat(self.0)));
        if found == 0 { 16 } else { found.trailing_zeros() as usize }
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn place(self, chunk: &[u8; 16]) -> usize {
        chunk.iter().position(|&byte| byte == self.0).unwrap_or(chunk.len())
    }
}

#[cfg(test)]
mod tests {
    use super::ByteSet;

    #[test]
    fn finds_the_first_byte_of_a_set() {
        for length in 0..40 {
            for byte in 0..=u8::MAX {
                let mut text = vec![b'x'; length];
                for place in (0..length).rev() {
                    if let Some(there) = text.get_mut(place) {
                        *there = byte;
                    }
                    let first = if byte == b'x' { 0 } else { place };
                    assert_eq!(ByteSet::of(&[byte, b'\n']).before(&text), first);
                    #[cfg(feature = "text")]
                    assert_eq!(super::Byte(byte).next(&text, first), Some(first));
                }
                assert_eq!(ByteSet::of(b"y").before(&text), if byte == b'y' { 0 } else { length });
            }
        }
    }
}
