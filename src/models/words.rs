//! The values of facts: booleans, numbers, words and sets of words, which options state as JSON. None of this is generic over serde's formats, which
//! keeps the wasm small.

use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// A small JSON value.
#[derive(Debug)]
pub enum Given {
    Boolean(bool),
    Number(usize),
    Text(String),
    List(Vec<Given>),
}

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Given, D::Error> {
        deserializer.deserialize_any(GivenVisitor { in_list: false })
    }
}

/// Reads a value. Lists contain no lists.
#[derive(Clone, Copy)]
struct GivenVisitor {
    in_list: bool,
}

impl<'de> DeserializeSeed<'de> for GivenVisitor {
    type Value = Given;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Given, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for GivenVisitor {
    type Value = Given;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a string, a boolean, a whole number or an array")
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Given, E> {
        Ok(Given::Boolean(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Given, E> {
        usize::try_from(value).map(Given::Number).map_err(E::custom)
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Given, E> {
        Ok(Given::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Given, A::Error> {
        if self.in_list {
            return Err(de::Error::custom("expected no list in a list"));
        }
        let mut given = Vec::new();
        while let Some(item) = list.next_element_seed(GivenVisitor { in_list: true })? {
            given.push(item);
        }
        Ok(Given::List(given))
    }
}

/// The type of a fact.
pub trait Fact: Copy {
    /// The fact as JSON.
    fn put(self, text: &mut String);
    /// What is wrong with the value is said in the error.
    fn of(given: &Given) -> Result<Self, String>;
}

impl Fact for bool {
    fn put(self, text: &mut String) {
        text.push_str(if self { "true" } else { "false" });
    }

    fn of(given: &Given) -> Result<bool, String> {
        match given {
            Given::Boolean(value) => Ok(*value),
            _ => Err("expected a boolean".to_owned()),
        }
    }
}

impl Fact for u32 {
    fn put(self, text: &mut String) {
        text.push_str(&self.to_string());
    }

    fn of(given: &Given) -> Result<u32, String> {
        match given {
            Given::Number(number) => u32::try_from(*number).map_err(|_| "expected a lesser number".to_owned()),
            _ => Err("expected a number".to_owned()),
        }
    }
}

/// Two numbers.
impl Fact for (u32, u32) {
    fn put(self, text: &mut String) {
        text.push_str(&format!("[{},{}]", self.0, self.1));
    }

    fn of(given: &Given) -> Result<(u32, u32), String> {
        match given {
            Given::List(list) => match list.as_slice() {
                [least, most] => Ok((u32::of(least)?, u32::of(most)?)),
                _ => Err("expected two numbers".to_owned()),
            },
            _ => Err("expected two numbers".to_owned()),
        }
    }
}

/// A fact that is one of a list of words. The words "true" and "false" are booleans in JSON.
pub trait Words: Copy + PartialEq + 'static {
    const ALL: &'static [Self];

    fn word(self) -> &'static str;
}

/// Defines the words of a fact, in order.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$about:meta])* $variant:ident $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$about])* $variant),+ }

        impl $name {
            #[allow(dead_code)]
            pub const NAMES: &'static [&'static str] = &[$($word),+];
        }

        impl $crate::models::words::Words for $name {
            const ALL: &'static [$name] = &[$($name::$variant),+];

            fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }

        impl $crate::models::words::Fact for $name {
            fn put(self, text: &mut String) {
                $crate::models::words::put_word($crate::models::words::Words::word(self), text);
            }

            fn of(given: &$crate::models::words::Given) -> Result<$name, String> {
                use $crate::models::words::{Words, name_of, place_of};
                let place = place_of(given, name_of::<$name>)?;
                $name::ALL.get(place).copied().ok_or_else(String::new)
            }
        }
    };
}
pub(crate) use words;

pub fn put_word(word: &str, text: &mut String) {
    let quote = if matches!(word, "true" | "false") { "" } else { "\"" };
    text.extend([quote, word, quote]);
}

/// The word at a place of a list.
type Named = fn(usize) -> Option<&'static str>;

pub fn name_of<T: Words>(place: usize) -> Option<&'static str> {
    T::ALL.get(place).map(|word| word.word())
}

/// The place of a word in a list.
pub fn place_of(given: &Given, named: Named) -> Result<usize, String> {
    let word = match given {
        Given::Text(word) => word.as_str(),
        Given::Boolean(true) => "true",
        Given::Boolean(false) => "false",
        Given::Number(_) | Given::List(_) => "",
    };
    let words = (0..).map_while(named);
    words.clone().position(|known| known == word).ok_or_else(|| {
        let words: Vec<&str> = words.collect();
        format!("expected one of {}", words.join(", "))
    })
}

/// Defines a table's facts: the name of each, its field, and its type in Rust and in TypeScript. Before them: the name of the type, and of the list of
/// their names.
macro_rules! facts {
    ($(#[$about:meta])* $type_name:ident $names:ident; $($(#[$doc:meta])* $name:literal $field:ident: $type:ty, $typescript:literal;)+) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify), serde(rename_all = "camelCase"))]
        pub struct $type_name {
            $($(#[$doc])* #[cfg_attr(target_arch = "wasm32", tsify(optional, type = $typescript))] pub $field: Option<$type>,)+
        }

        impl $type_name {
            pub const NONE: $type_name = $type_name { $($field: None),+ };

            /// These facts, and the other's where there are none.
            #[must_use]
            pub const fn over(self, other: $type_name) -> $type_name {
                $type_name { $($field: match self.$field { Some(fact) => Some(fact), None => other.$field }),+ }
            }

            /// Adds the facts to the members of an object in JSON.
            pub fn put(&self, text: &mut String) {
                $(if let Some(fact) = self.$field {
                    text.push_str(concat!(",\"", $name, "\":"));
                    $crate::models::words::Fact::put(fact, text);
                })+
            }

            /// Sets a fact by its name. The error says what is wrong; none for an unknown name.
            pub fn set(&mut self, name: &str, given: &$crate::models::words::Given) -> Option<Result<(), String>> {
                match name {
                    $($name => Some($crate::models::words::Fact::of(given).map(|fact| self.$field = Some(fact))),)+
                    _ => None,
                }
            }
        }

        pub const $names: &[&str] = &[$($name),+];

        impl<'de> serde::Deserialize<'de> for $type_name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$type_name, D::Error> {
                let mut facts = $type_name::NONE;
                deserializer.deserialize_map($crate::models::words::FactsVisitor { names: $names, set: &mut |name, given| facts.set(name, given) })?;
                Ok(facts)
            }
        }

        impl serde::Serialize for $type_name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut members = String::new();
                self.put(&mut members);
                $crate::models::words::serialize_members(&members, serializer)
            }
        }
    };
}
pub(crate) use facts;

/// Sets a fact by its name: none for an unknown name, or what is wrong with the value.
type SetFact<'a> = dyn FnMut(&str, &Given) -> Option<Result<(), String>> + 'a;

/// Reads the members of an object of facts.
pub struct FactsVisitor<'a> {
    pub names: &'static [&'static str],
    pub set: &'a mut SetFact<'a>,
}

impl<'de> Visitor<'de> for FactsVisitor<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(name) = map.next_key::<String>()? {
            let Some(given) = map.next_value::<Option<Given>>()? else { continue };
            match (self.set)(&name, &given) {
                Some(outcome) => outcome.map_err(|message| de::Error::custom(format_args!("{name}: {message}")))?,
                None => return Err(de::Error::unknown_field(&name, self.names)),
            }
        }
        Ok(())
    }
}

/// Serializes an object whose members are JSON, each behind a comma.
pub fn serialize_members<S: Serializer>(members: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let text = ["{", members.get(1..).unwrap_or_default(), "}"].concat();
    let value: serde_json::Value = serde_json::from_str(&text).map_err(serde::ser::Error::custom)?;
    value.serialize(serializer)
}

/// Several of a list of words.
#[derive(Clone, Copy)]
pub struct Set<T> {
    bits: u32,
    kind: PhantomData<T>,
}

impl<T> Set<T> {
    pub const NONE: Set<T> = Set::of_bits(0);

    pub const fn of_bits(bits: u32) -> Set<T> {
        Set { bits, kind: PhantomData }
    }

    pub fn is_empty(&self) -> bool {
        self.bits == 0
    }

    #[must_use]
    pub const fn and(self, other: Set<T>) -> Set<T> {
        Set::of_bits(self.bits | other.bits)
    }

    fn has_place(self, place: usize) -> bool {
        self.bits & (1 << place) != 0
    }
}

impl<T: Words> Set<T> {
    pub fn has(self, word: T) -> bool {
        self.words().any(|known| known == word)
    }

    /// The words, in the order of their list.
    pub fn words(self) -> impl Iterator<Item = T> {
        T::ALL.iter().copied().enumerate().filter(move |(place, _)| self.has_place(*place)).map(|(_, word)| word)
    }
}

impl<T> PartialEq for Set<T> {
    fn eq(&self, other: &Set<T>) -> bool {
        self.bits == other.bits
    }
}

impl<T: Words> fmt::Debug for Set<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.words().map(Words::word)).finish()
    }
}

impl<T: Words> FromIterator<T> for Set<T> {
    fn from_iter<I: IntoIterator<Item = T>>(words: I) -> Set<T> {
        let places = words.into_iter().filter_map(|word| T::ALL.iter().position(|known| *known == word));
        Set::of_bits(places.fold(0, |bits, place| bits | 1 << place))
    }
}

impl<T: Words> Fact for Set<T> {
    fn put(self, text: &mut String) {
        put_words(self.bits, name_of::<T>, text);
    }

    fn of(given: &Given) -> Result<Set<T>, String> {
        match given {
            Given::List(list) => bits_of(list, name_of::<T>).map(Set::of_bits),
            _ => Err("expected an array of words".to_owned()),
        }
    }
}

fn put_words(bits: u32, named: Named, text: &mut String) {
    text.push('[');
    let words = (0..).map_while(named).enumerate().filter(|(place, _)| bits & (1 << place) != 0);
    for (index, (_, word)) in words.enumerate() {
        if index > 0 {
            text.push(',');
        }
        put_word(word, text);
    }
    text.push(']');
}

fn bits_of(list: &[Given], named: Named) -> Result<u32, String> {
    list.iter().try_fold(0, |bits, given| place_of(given, named).map(|place| bits | 1 << place))
}
