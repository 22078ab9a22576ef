//! Control words: every key, type tag, role and mode that a dialect reads or writes, as one enum.
//!
//! A store resolves a string to its word in one operation, so dialects match on words and never compare strings. A variant is spelled exactly as the
//! word on the wire.
//!
//! Each folder lists the words that it needs in a file `words.txt`, separated by spaces; `name=text` for a text that is not a Rust name. A word may
//! be in several files. Lines that start with `#` are comments. A word that the data in `src/format` name need not be listed. [`listed`] has the words of each folder. No decision may depend on [`Word::Unknown`],
//! because that only means that no folder lists the word.

use std::ops::Range;

macro_rules! words {
    ($($number:literal $name:ident $text:literal),+ $(,)?) => {
        /// A control word, spelled as on the wire.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Word { $($name = $number),+, /// No control word.
            Unknown }

        impl Word {
            /// Every word, in the order of the enum.
            pub const ALL: &'static [Word] = &[$(Word::$name),+];
            /// The words as keys of members that are not the first, concatenated: `,"model":`. They contain no escapes. [`Word::Unknown`] is an empty
            /// key at the end.
            pub const JOINED: &'static str = concat!($(",\"", $text, "\":",)+ ",\"\":");
            // used at compile time only, so that the package contains the texts once
            const TEXTS: &'static [&'static str] = &[$($text),+];

            /// The word with this number: the inverse of `Word::number`.
            pub fn numbered(number: u16) -> Word {
                match number {
                    $($number => Word::$name,)+
                    _ => Word::Unknown,
                }
            }
        }
    };
}

// the lists of all folders, collected by build.rs
include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// Slots of the look-up table: a power of two, at least twice the number of words.
const SLOTS: usize = (Word::ALL.len() * 2).next_power_of_two();
/// Open addressing; empty slots are [`Word::Unknown`]. Built at compile time.
static TABLE: [Word; SLOTS] = build_table();
/// The end of each word in [`Word::JOINED`], after an initial 0.
static ENDS: [u16; Word::TEXTS.len() + 2] = build_ends();

/// Hashes both ends of a text and its length: the middle distinguishes few words.
#[inline(always)]
const fn hash((head, tail): (u64, u64), length: usize) -> usize {
    let mixed = (head ^ tail.rotate_left(23) ^ length as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize
}

/// The first and the last eight bytes, or four, which may overlap; of the shortest texts, one.
#[inline(always)]
const fn ends(text: &[u8]) -> (u64, u64) {
    if let Some(head) = text.first_chunk()
        && let Some(tail) = text.last_chunk()
    {
        return (u64::from_le_bytes(*head), u64::from_le_bytes(*tail));
    }
    if let Some(head) = text.first_chunk()
        && let Some(tail) = text.last_chunk()
    {
        return (u32::from_le_bytes(*head) as u64, u32::from_le_bytes(*tail) as u64);
    }
    match text {
        [first, .., last] => (*first as u64, *last as u64),
        [only] => (*only as u64, 0),
        [] => (0, 0),
    }
}

/// Whether a text with these ends is the same as `written`.
#[inline(always)]
fn is_same(written: &[u8], text: &[u8], (head, tail): (u64, u64)) -> bool {
    if written.len() != text.len() + 4 {
        return false;
    }
    let known = written.get(2..text.len() + 2).unwrap_or_default();
    let are_all_of_it = matches!(text.len(), 4..=16);
    ends(known) == (head, tail) && (are_all_of_it || known == text)
}

#[allow(clippy::indexing_slicing)] // runs at compile time only
const fn build_table() -> [Word; SLOTS] {
    let mut table = [Word::Unknown; SLOTS];
    let mut i = 0;
    while i < Word::TEXTS.len() {
        let text = Word::TEXTS[i].as_bytes();
        let mut slot = hash(ends(text), text.len()) % SLOTS;
        while !matches!(table[slot], Word::Unknown) {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = Word::ALL[i];
        i += 1;
    }
    table
}

#[allow(clippy::indexing_slicing)] // runs at compile time only
const fn build_ends() -> [u16; Word::TEXTS.len() + 2] {
    let mut ends = [0; Word::TEXTS.len() + 2];
    let mut i = 0;
    while i < Word::TEXTS.len() {
        ends[i + 1] = ends[i] + Word::TEXTS[i].len() as u16 + 4;
        i += 1;
    }
    ends[i + 1] = ends[i] + 4;
    ends
}

#[allow(clippy::indexing_slicing)] // runs at compile time only
const fn longest() -> usize {
    let mut longest = 0;
    let mut i = 0;
    while i < Word::TEXTS.len() {
        if Word::TEXTS[i].len() > longest {
            longest = Word::TEXTS[i].len();
        }
        i += 1;
    }
    longest
}

impl Word {
    /// The length of the longest word. Longer strings need no look-up.
    const LONGEST: usize = longest();

    /// The word that `text` spells, or [`Word::Unknown`].
    pub fn of(text: &[u8]) -> Word {
        if text.len() > Word::LONGEST {
            return Word::Unknown;
        }
        let ends = ends(text);
        let mut slot = hash(ends, text.len()) % SLOTS;
        while let Some(word) = TABLE.get(slot).copied().filter(|word| *word != Word::Unknown) {
            if is_same(word.written(), text, ends) {
                return word;
            }
            slot = (slot + 1) % SLOTS;
        }
        Word::Unknown
    }

    /// The word's entry in [`Word::JOINED`].
    #[inline(always)]
    fn written(self) -> &'static [u8] {
        Word::JOINED.as_bytes().get(self.place()).unwrap_or_default()
    }

    /// The word's text on the wire; empty for [`Word::Unknown`].
    pub fn text(self) -> &'static str {
        let place = self.place();
        Word::JOINED.get(place.start + 2..place.end.saturating_sub(2)).unwrap_or_default()
    }

    /// The word's range in [`Word::JOINED`].
    #[inline(always)]
    pub fn place(self) -> Range<usize> {
        let end = |number: usize| ENDS.get(number).map_or(0, |end| usize::from(*end));
        end(self as usize)..end(self as usize + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_found_and_nothing_else() {
        assert!(Word::ALL.len() * 2 <= SLOTS);
        for word in Word::ALL {
            assert_eq!(Word::of(word.text().as_bytes()), *word);
            assert_eq!(Word::numbered(*word as u16), *word);
            assert!(word.text().len() <= Word::LONGEST, "{word:?}");
        }
        let runs = TABLE.split(|slot| *slot == Word::Unknown);
        assert!(runs.map(<[Word]>::len).max() < Some(24), "too many words for the table");
        for other in ["", "rol", "roles", "Role", "__proto__", "constructor", "unknown_word"] {
            assert_eq!(Word::of(other.as_bytes()), Word::Unknown);
        }
    }
}
