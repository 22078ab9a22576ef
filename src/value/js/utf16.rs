//! UTF-8 to UTF-16, for text that is mostly not ASCII: handles five three-byte characters or eight ASCII characters at a time.

use core::arch::wasm32::{
    i8x16_all_true, i8x16_eq, i16x8_shl, u8x16, u8x16_swizzle, u16x8_splat, u64x2, u64x2_extract_lane, v128, v128_and,
    v128_or,
};

/// The UTF-16 units of valid UTF-8 that contains `characters` characters, and the rest: an incomplete character. For invalid UTF-8 the units are
/// unspecified.
pub fn utf16(mut bytes: &[u8], characters: usize) -> (Vec<u16>, &[u8]) {
    let mut units = Vec::with_capacity(characters * 2 + 8);
    loop {
        if let Some(five) = bytes.first_chunk().and_then(five_of_three) {
            // writing eight is as fast as writing five
            units.extend_from_slice(&five);
            units.truncate(units.len() - 3);
            bytes = bytes.get(15..).unwrap_or_default();
        } else if let Some(eight) = bytes.first_chunk::<8>().filter(|eight| eight.is_ascii()) {
            units.extend_from_slice(&eight.map(u16::from));
            bytes = bytes.get(8..).unwrap_or_default();
        } else if let Some(rest) = one(bytes, &mut units) {
            bytes = rest;
        } else {
            return (units, bytes);
        }
    }
}

/// Decodes one character if it is complete. Returns the bytes after it.
fn one<'a>(bytes: &'a [u8], units: &mut Vec<u16>) -> Option<&'a [u8]> {
    let bits = |byte: &u8| u32::from(byte & 0x3f);
    match bytes {
        [first @ ..0x80, rest @ ..] => {
            units.push(u16::from(*first));
            Some(rest)
        }
        [0x80..0xc0, rest @ ..] => {
            units.push(0xfffd);
            Some(rest)
        }
        [first @ 0xc0..0xe0, second, rest @ ..] => {
            units.push((u32::from(first & 0x1f) << 6 | bits(second)) as u16);
            Some(rest)
        }
        [first @ 0xe0..0xf0, second, third, rest @ ..] => {
            units.push((u32::from(first & 0xf) << 12 | bits(second) << 6 | bits(third)) as u16);
            Some(rest)
        }
        [first @ 0xf0..=0xff, second, third, fourth, rest @ ..] => {
            let point = u32::from(first & 7) << 18 | bits(second) << 12 | bits(third) << 6 | bits(fourth);
            let above = point.wrapping_sub(0x1_0000);
            units.extend([0xd800 | (above >> 10 & 0x3ff) as u16, 0xdc00 | (above & 0x3ff) as u16]);
            Some(rest)
        }
        _ => None,
    }
}

/// The units of the first fifteen bytes, if they are five characters of three bytes each, followed by three zeros.
#[inline(always)]
fn five_of_three(bytes: &[u8; 16]) -> Option<[u16; 8]> {
    const MASK: v128 =
        u8x16(0xf0, 0xc0, 0xc0, 0xf0, 0xc0, 0xc0, 0xf0, 0xc0, 0xc0, 0xf0, 0xc0, 0xc0, 0xf0, 0xc0, 0xc0, 0);
    const THREE: v128 =
        u8x16(0xe0, 0x80, 0x80, 0xe0, 0x80, 0x80, 0xe0, 0x80, 0x80, 0xe0, 0x80, 0x80, 0xe0, 0x80, 0x80, 0);
    let number = u128::from_le_bytes(*bytes);
    let lanes = u64x2(number as u64, (number >> 64) as u64);
    if !i8x16_all_true(i8x16_eq(v128_and(lanes, MASK), THREE)) {
        return None;
    }
    // each byte in a lane of two; index 16 is out of range, which gives 0
    let every_third = |first: u8| {
        let [a, b, c, d, e] = [first, first + 3, first + 6, first + 9, first + 12];
        u8x16_swizzle(lanes, u8x16(a, 16, b, 16, c, 16, d, 16, e, 16, 16, 16, 16, 16, 16, 16))
    };
    let low = u16x8_splat(0x3f);
    let middle = i16x8_shl(v128_and(every_third(1), low), 6);
    let units = v128_or(v128_or(i16x8_shl(every_third(0), 12), middle), v128_and(every_third(2), low));
    let [low, high] = [u64x2_extract_lane::<0>(units), u64x2_extract_lane::<1>(units)];
    let unit = |four: u64, index: u32| (four >> (16 * index)) as u16;
    // taking all units from two numbers allows the compiler to write them in two stores
    Some([
        unit(low, 0),
        unit(low, 1),
        unit(low, 2),
        unit(low, 3),
        unit(high, 0),
        unit(high, 1),
        unit(high, 2),
        unit(high, 3),
    ])
}
