//! Control words: every key, type tag, role and mode that a dialect reads or writes, as one enum.
//!
//! A store resolves a string to its word in one operation, so dialects match on words and never compare strings. A variant
//! is spelled exactly as the word stands on the wire.
//!
//! Each folder names the words that it needs in a file `words.txt`: separated by space, `name=text` for one that is no name in Rust.
//! A word may stand in several of them. Lines that start with `#` are comments.

macro_rules! words {
    ($($name:ident $(= $text:literal)?),+ $(,)?) => {
        /// A control word, spelled as on the wire.
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u16)]
        pub enum Word { $($name),+, /// No control word.
            Unknown }

        impl Word {
            /// Every word, in the order of the enum.
            pub const ALL: &'static [Word] = &[$(Word::$name),+];
            const TEXTS: &'static [&'static str] = &[$(words!(@text $name $(= $text)?)),+];
        }
    };
    (@text $name:ident = $text:literal) => { $text };
    (@text $name:ident) => { stringify!($name) };
}

// the folders' own lists, gathered by build.rs
include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// Slots of the look-up table: a power of two, at least twice the number of words.
const SLOTS: usize = (Word::ALL.len() * 2).next_power_of_two();
/// Open addressing; a slot holds the word's number plus one, 0 is empty. Built by the compiler.
static TABLE: [u16; SLOTS] = build_table();

const fn hash(text: &[u8]) -> usize {
    let mut hash: u32 = 0x811c_9dc5;
    let mut i = 0;
    while i < text.len() {
        #[allow(clippy::indexing_slicing)] // bounded by the loop
        let byte = text[i];
        hash = (hash ^ byte as u32).wrapping_mul(0x0100_0193);
        i += 1;
    }
    (hash ^ (hash >> 15)) as usize
}

#[allow(clippy::indexing_slicing)] // runs at compile time only
const fn build_table() -> [u16; SLOTS] {
    let mut table = [0; SLOTS];
    let mut i = 0;
    while i < Word::TEXTS.len() {
        let mut slot = hash(Word::TEXTS[i].as_bytes()) % SLOTS;
        while table[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        table[slot] = i as u16 + 1;
        i += 1;
    }
    table
}

impl Word {
    /// No word is longer, so longer strings need no look-up.
    const LONGEST: usize = 32;

    /// The word that `text` spells, or [`Word::Unknown`].
    pub fn of(text: &[u8]) -> Word {
        if text.len() > Word::LONGEST {
            return Word::Unknown;
        }
        let mut slot = hash(text) % SLOTS;
        loop {
            match TABLE.get(slot).map(|number| usize::from(*number)) {
                None | Some(0) => return Word::Unknown,
                Some(number) => {
                    if let (Some(word), Some(known)) = (Word::ALL.get(number - 1), Word::TEXTS.get(number - 1))
                        && known.as_bytes() == text
                    {
                        return *word;
                    }
                }
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// The word as it stands on the wire; empty for [`Word::Unknown`].
    pub fn text(self) -> &'static str {
        Word::TEXTS.get(self as usize).copied().unwrap_or("")
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
            assert!(word.text().len() <= Word::LONGEST, "{word:?}");
        }
        for other in ["", "rol", "roles", "Role", "__proto__", "constructor", "unknown_word"] {
            assert_eq!(Word::of(other.as_bytes()), Word::Unknown);
        }
    }
}
