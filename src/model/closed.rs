//! Enums whose values are words, in the model and in the types.

/// Declares an enum and the word of each variant.
macro_rules! closed {
    ($(#[$doc:meta])* $name:ident { $($variant:ident $word:ident),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
        #[serde(rename_all = "snake_case")]
        pub enum $name { $($variant),+ }

        impl $name {
            const WORDS: &'static [(Word, $name)] = &[$((Word::$word, $name::$variant)),+];

            pub(crate) fn word(self) -> Word {
                $name::WORDS.iter().find(|(_, known)| *known == self).map_or(Word::Unknown, |(word, _)| *word)
            }

            pub(crate) fn of(word: Word) -> Option<$name> {
                $name::WORDS.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
            }
        }
    };
}
pub(crate) use closed;
