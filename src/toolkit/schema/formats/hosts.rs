//! `hostname` (RFC 1123), `ipv4` and `ipv6`.

pub fn is_hostname(text: &str) -> bool {
    text.len() <= 253 && text.is_ascii() && text.split('.').all(is_label)
}

fn is_label(label: &str) -> bool {
    let letters = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    let hyphens = label.starts_with('-') || label.ends_with('-');
    let punycode = label.get(2..4) == Some("--");
    let is_known = !punycode || label.to_ascii_lowercase().strip_prefix("xn--").is_some_and(is_punycode);
    (1..=63).contains(&label.len()) && letters && !hyphens && is_known
}

/// Whether the text after `xn--` decodes to letters that include a non-ASCII one and don't start with a mark.
fn is_punycode(text: &str) -> bool {
    let decoded = punycode(text);
    decoded.is_some_and(|letters| super::idna::is_label(&letters))
}

/// Decodes Punycode (RFC 3492, section 6.2).
fn punycode(text: &str) -> Option<Vec<char>> {
    let (basic, extended) = text.rsplit_once('-').unwrap_or(("", text));
    let mut letters: Vec<char> = basic.chars().collect();
    let (mut code, mut index, mut bias) = (128_u32, 0_u32, 72_u32);
    let mut digits = extended.bytes().peekable();
    while digits.peek().is_some() {
        let (start, mut weight, mut place) = (index, 1_u32, 36_u32);
        loop {
            let digit = match digits.next()? {
                byte @ b'a'..=b'z' => u32::from(byte - b'a'),
                byte @ b'A'..=b'Z' => u32::from(byte - b'A'),
                byte @ b'0'..=b'9' => u32::from(byte - b'0') + 26,
                _ => return None,
            };
            index = index.checked_add(digit.checked_mul(weight)?)?;
            let threshold = place.saturating_sub(bias).clamp(1, 26);
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(36 - threshold)?;
            place += 36;
        }
        let length = u32::try_from(letters.len()).ok()? + 1;
        bias = adapted(index - start, length, start == 0);
        code = code.checked_add(index / length)?;
        index %= length;
        letters.insert(usize::try_from(index).ok()?, char::from_u32(code)?);
        index += 1;
    }
    Some(letters)
}

fn adapted(delta: u32, length: u32, first: bool) -> u32 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / length;
    let mut bias = 0;
    while delta > 455 {
        delta /= 35;
        bias += 36;
    }
    bias + 36 * delta / (delta + 38)
}

pub fn is_ipv4(text: &str) -> bool {
    let is_part = |part: &str| {
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        digits && (part == "0" || !part.starts_with('0')) && part.parse::<u8>().is_ok()
    };
    text.split('.').count() == 4 && text.split('.').all(is_part)
}

pub fn is_ipv6(text: &str) -> bool {
    match text.split_once("::") {
        None => groups(text, true) == Some(8),
        Some((before, after)) => {
            let count = groups(before, false).zip(groups(after, true));
            count.is_some_and(|(before, after)| before + after < 8)
        }
    }
}

/// The number of 16-bit groups. The last two may be written as an IPv4 address.
fn groups(text: &str, is_end: bool) -> Option<usize> {
    if text.is_empty() {
        return Some(0);
    }
    let hexadecimal =
        |group: &str| (1..=4).contains(&group.len()) && group.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (before, last) = text.rsplit_once(':').map_or((None, text), |(before, last)| (Some(before), last));
    let last = match hexadecimal(last) {
        true => 1,
        false if is_end && is_ipv4(last) => 2,
        false => return None,
    };
    match before {
        None => Some(last),
        Some(before) => before.split(':').all(hexadecimal).then(|| before.split(':').count() + last),
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::{is_ipv4, is_ipv6};
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, ..ProptestConfig::default() })]

        #[test]
        fn addresses_are_those_of_the_standard_library(
            parts in prop::collection::vec(prop::sample::select(vec![
                "0", "1", "01", "255", "256", "1000", "a", "ffff", "00001", "g", "::", ":", ":", ":", ".", ".", "1.2.3.4",
                "1:2:3:4:5:6:7", "1:2:3", "+1", " ",
            ]), 0..9),
        ) {
            let text = parts.concat();
            prop_assert_eq!(is_ipv4(&text), text.parse::<std::net::Ipv4Addr>().is_ok(), "{}", text);
            prop_assert_eq!(is_ipv6(&text), text.parse::<std::net::Ipv6Addr>().is_ok(), "{}", text);
        }
    }
}
