//! The form of call ids in the text of a format. A call and its result get the same id.

use crate::text::formats::Ids;
use siphasher::sip::SipHasher13;
use std::hash::Hasher;

const ALPHABET: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The id that is written for the call at this index.
pub(super) fn written(ids: Ids, id: &str, name: &str, position: usize) -> String {
    match ids {
        Ids::None => id.to_owned(),
        Ids::Indexed if is_kimi(id, name) => id.to_owned(),
        Ids::Indexed => format!("functions.{name}:{position}"),
        Ids::Position if is_digits(id) => id.to_owned(),
        Ids::Position => position.to_string(),
        Ids::Letters { count, lower } => {
            let fits = |c: u8| c.is_ascii_alphanumeric() && !(lower && c.is_ascii_uppercase());
            if id.len() == count && id.bytes().all(fits) { id.to_owned() } else { hashed(id, count, lower) }
        }
    }
}

/// Whether writing loses no id: the text has no ids, or the written id is the original one.
pub(super) fn is_kept(ids: Ids, id: &str, written: &str) -> bool {
    ids == Ids::None || id == written || id.is_empty() || id.starts_with("tw_")
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|c| c.is_ascii_digit())
}

fn is_kimi(id: &str, name: &str) -> bool {
    id.rsplit_once(':').is_some_and(|(head, count)| {
        is_digits(count) && (head == name || head.strip_suffix(name).is_some_and(|rest| rest.ends_with('.')))
    })
}

fn hashed(id: &str, count: usize, lower: bool) -> String {
    let mut hasher = SipHasher13::new_with_keys(0, 0);
    hasher.write(id.as_bytes());
    let mut rest = hasher.finish();
    let base = if lower { 36 } else { 62 };
    let digit = || {
        let index = usize::try_from(rest % base).unwrap_or_default();
        rest /= base;
        ALPHABET.get(index).map_or('0', |&c| char::from(c))
    };
    std::iter::repeat_with(digit).take(count).collect()
}
