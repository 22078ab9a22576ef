//! The maps and sets of a context. They are sorted, so that the same request gives the same context.

use crate::value::order::positions;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, Serializer};
use std::fmt;

/// A map from texts to texts.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Texts(Vec<(String, String)>);

impl Texts {
    /// Of equal keys, the last one counts.
    #[inline(never)]
    pub fn of(mut pairs: Vec<(String, String)>) -> Texts {
        let key = |position: usize| pairs.get(position).map(|(key, _)| key);
        let order = positions(pairs.len(), &|left, right| key(left) < key(right));
        let mut texts: Vec<(String, String)> = Vec::with_capacity(pairs.len());
        for position in order {
            let pair = pairs.get_mut(position).map(std::mem::take).unwrap_or_default();
            match texts.last_mut() {
                Some(last) if last.0 == pair.0 => *last = pair,
                Some(_) | None => texts.push(pair),
            }
        }
        Texts(texts)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(never)]
    pub fn get(&self, key: &str) -> Option<&str> {
        let place = self.0.binary_search_by(|(known, _)| known.as_str().cmp(key)).ok()?;
        self.0.get(place).map(|(_, text)| text.as_str())
    }

    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(key, text)| (key.as_str(), text.as_str()))
    }
}

impl Serialize for Texts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Texts, D::Error> {
        deserializer.deserialize_map(Pairs)
    }
}

struct Pairs;

impl<'de> Visitor<'de> for Pairs {
    type Value = Texts;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object of strings")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Texts, A::Error> {
        let mut pairs = Vec::new();
        while let Some(pair) = map.next_entry()? {
            pairs.push(pair);
        }
        Ok(Texts::of(pairs))
    }
}

/// A set of texts, stored as keys of a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names(Texts);

impl Names {
    pub fn of(names: Vec<String>) -> Names {
        Names(Texts::of(names.into_iter().map(|name| (name, String::new())).collect()))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name)
    }
}

impl Serialize for Names {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Names {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Names, D::Error> {
        Vec::deserialize(deserializer).map(Names::of)
    }
}

#[cfg(test)]
mod tests {
    use super::{Names, Texts};

    #[test]
    fn of_equal_keys_the_last_counts() {
        let pairs = [("b", "1"), ("a", "2"), ("b", "3"), ("", "4"), ("b", "5")];
        let texts = Texts::of(pairs.map(|(key, text)| (key.to_owned(), text.to_owned())).to_vec());
        assert!(texts.iter().eq([("", "4"), ("a", "2"), ("b", "5")]));
        assert_eq!((texts.get("b"), texts.get(""), texts.get("c")), (Some("5"), Some("4"), None));
        assert_eq!(serde_json::to_string(&texts).ok().as_deref(), Some(r#"{"":"4","a":"2","b":"5"}"#));
        let names = Names::of(["b", "a", "b"].map(str::to_owned).to_vec());
        assert!(names.iter().eq(["a", "b"]) && names.has("a") && !names.has(""));
        assert_eq!(serde_json::to_string(&names).ok().as_deref(), Some(r#"["a","b"]"#));
    }
}
