//! Deserializes the values of options. The code is shared by all options of a kind instead of being generated for each, which keeps the wasm small.

use crate::format::Dialect;
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, EnumAccess, MapAccess, VariantAccess, Visitor};
use std::fmt;

/// An option that is one of a few words.
pub trait Choice: Copy + 'static {
    /// The words, in the order of [`Choice::ALL`].
    const WORDS: &'static [&'static str];
    const ALL: &'static [Self];
}

impl Choice for Dialect {
    const WORDS: &'static [&'static str] = Dialect::NAMES;
    const ALL: &'static [Dialect] = Dialect::ALL;
}

/// The next value of a map as a choice; none for null.
pub fn choice<'de, T: Choice, A: MapAccess<'de>>(map: &mut A) -> Result<Option<T>, A::Error> {
    let place = map.next_value_seed(OneOf(T::WORDS))?;
    Ok(place.and_then(|place| T::ALL.get(place).copied()))
}

/// Like [`choice`], for an option that always has a value.
pub fn choice_or_default<'de, T: Choice + Default, A: MapAccess<'de>>(map: &mut A) -> Result<T, A::Error> {
    choice(map).map(Option::unwrap_or_default)
}

/// A choice by itself; null is an error.
pub fn required<'de, T: Choice, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let place = OneOf(T::WORDS).visit_some(deserializer)?;
    place.and_then(|place| T::ALL.get(place).copied()).ok_or_else(|| de::Error::custom("expected a word"))
}

/// Deserializes one of several words to its index.
#[derive(Clone, Copy)]
struct OneOf(&'static [&'static str]);

impl<'de> DeserializeSeed<'de> for OneOf {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for OneOf {
    type Value = Option<usize>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("one of a few words")
    }

    fn visit_none<E: de::Error>(self) -> Result<Option<usize>, E> {
        Ok(None)
    }

    fn visit_unit<E: de::Error>(self) -> Result<Option<usize>, E> {
        Ok(None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        deserializer.deserialize_enum("", self.0, self)
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<Option<usize>, A::Error> {
        let (word, variant) = access.variant::<String>()?;
        variant.unit_variant()?;
        let place = self.0.iter().position(|known| *known == word);
        place.map(Some).ok_or_else(|| de::Error::unknown_variant(&word, self.0))
    }
}

/// Deserializes an integer with an upper bound.
pub struct AtMost(pub usize);

impl<'de> DeserializeSeed<'de> for AtMost {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<usize>, D::Error> {
        let number = Option::<usize>::deserialize(deserializer)?;
        match number.filter(|number| *number > self.0) {
            Some(number) => Err(de::Error::custom(format_args!("expected at most {}, found {number}", self.0))),
            None => Ok(number),
        }
    }
}
