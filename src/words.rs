//! Enums whose values are words, in the text formats and the toolkit: options, states, reasons, error codes.

/// Declares an enum and the word of each variant, as [`worded`] does.
macro_rules! words {
    (
        $(#[$doc:meta])*
        pub enum $name:ident as $typescript:literal {
            $($(#[$variant_doc:meta])* $variant:ident $word:literal),+ $(,)?
        }
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),+
        }

        $crate::words::worded! { $name as $typescript { $($variant $word),+ } }
    };
}
pub(crate) use words;

/// Declares the words of an enum's variants. In wasm, also declares a TypeScript type with these words, so that they are listed only here.
macro_rules! worded {
    ($name:ident as $typescript:literal { $first:ident $first_word:literal $(, $variant:ident $word:literal)* $(,)? }) => {
        impl $name {
            /// The words, each with its variant.
            pub const WORDS: &'static [(&'static str, $name)] =
                &[($first_word, $name::$first) $(, ($word, $name::$variant))*];
        }

        #[cfg(target_arch = "wasm32")]
        const _: () = {
            #[wasm_bindgen::prelude::wasm_bindgen(typescript_custom_section)]
            const TYPE: &str =
                concat!("export type ", $typescript, " = \"", $first_word, "\"" $(, " | \"", $word, "\"")*, ";\n");
        };
    };
}
pub(crate) use worded;

/// The variant with this word.
pub fn named<T: Copy>(words: &[(&'static str, T)], name: &str) -> Option<T> {
    words.iter().find(|(word, _)| *word == name).map(|(_, value)| *value)
}

/// The word of a variant.
pub fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, other)| other == value).map_or("", |(word, _)| word)
}

/// The words as a list for messages: `a, b or c`.
#[cfg(feature = "text")]
pub fn listed<T>(words: &[(&'static str, T)]) -> String {
    let words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    match words.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
