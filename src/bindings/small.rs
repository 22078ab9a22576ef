//! Deserialises small JavaScript values, such as options. serde-wasm-bindgen does it for single values; this adds the path to
//! what is wrong, errors for unknown fields, and the nearest known name.

use crate::run::{ErrorCode, nearest};
use js_sys::{Array, Object};
use serde::de::value::{SeqDeserializer, StringDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, Visitor};
use serde_wasm_bindgen::Deserializer as Plain;
use std::fmt::{self, Display};
use wasm_bindgen::{JsCast, JsValue};

/// Why a value was rejected, and where it is in the whole value, as a JSON Pointer.
#[derive(Debug)]
pub struct Mistake {
    pub code: ErrorCode,
    pub message: String,
    pub path: String,
}

type Result<T> = std::result::Result<T, Mistake>;

impl Mistake {
    fn new(code: ErrorCode, message: String) -> Mistake {
        Mistake { code, message, path: String::new() }
    }

    /// The same mistake, of a value that contains the one it was made in.
    fn below(mut self, key: &str) -> Mistake {
        self.path = format!("/{}{}", key.replace('~', "~0").replace('/', "~1"), self.path);
        self
    }
}

impl Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Mistake {}

/// The option that is a function.
const LISTENER: &str = "onWarning";

impl de::Error for Mistake {
    fn custom<T: Display>(message: T) -> Mistake {
        Mistake::new(ErrorCode::InvalidValue, message.to_string())
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Mistake {
        // a function is not deserialised: here it is something else
        if field == LISTENER {
            return Mistake::new(ErrorCode::InvalidType, "expected a function".to_owned()).below(field);
        }
        let message = match nearest(field, expected.iter().copied().chain([LISTENER])) {
            Some(name) => format!("unknown option; did you mean {name}?"),
            None => "unknown option".to_owned(),
        };
        Mistake::new(ErrorCode::InvalidValue, message).below(&shortened(field))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Mistake {
        let hint = nearest(variant, expected.iter().copied()).map(|name| format!("; did you mean \"{name}\"?"));
        let (found, hint) = (shortened(variant), hint.unwrap_or_default());
        let message = format!("expected {}, found \"{found}\"{hint}", alternatives(expected));
        Mistake::new(ErrorCode::InvalidValue, message)
    }
}

/// `"a", "b" or "c"`.
fn alternatives(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    match quoted.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => quoted.concat(),
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    text.chars().take(MOST).collect()
}

/// A value to deserialise.
pub struct Small(JsValue);

impl Small {
    fn wrong_type<T>(value: &JsValue, expected: &str) -> Result<T> {
        // of a number, only the value can be wrong
        let (code, found) = match value.as_f64() {
            Some(number) if expected.contains("number") => (ErrorCode::InvalidValue, number.to_string()),
            Some(_) | None => (ErrorCode::InvalidType, kind_of(value).to_owned()),
        };
        Err(Mistake::new(code, format!("expected {expected}, found {found}")))
    }
}

fn kind_of(value: &JsValue) -> &'static str {
    if value.is_string() {
        "a string"
    } else if value.as_f64().is_some() {
        "a number"
    } else if value.as_bool().is_some() {
        "a boolean"
    } else if value.is_function() {
        "a function"
    } else if Array::is_array(value) {
        "an array"
    } else if value.is_object() {
        "an object"
    } else {
        "a value that JSON cannot express"
    }
}

/// Methods that leave the value to serde-wasm-bindgen.
macro_rules! plain {
    ($expected:literal: $($method:ident)+) => { $(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            Plain::from(self.0.clone()).$method(visitor).or_else(|_| Small::wrong_type(&self.0, $expected))
        }
    )+ };
}

impl<'de> Deserializer<'de> for Small {
    type Error = Mistake;

    plain! { "a string": deserialize_str deserialize_string deserialize_char deserialize_identifier }
    plain! { "a boolean": deserialize_bool }
    plain! { "a whole number, 0 or more": deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128 }
    plain! { "a whole number": deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128 }
    plain! { "a number": deserialize_f32 deserialize_f64 }
    plain! { "plain JSON": deserialize_any deserialize_unit deserialize_bytes deserialize_byte_buf deserialize_ignored_any }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.0.is_null() || self.0.is_undefined() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0.dyn_ref::<Array>() {
            Some(array) => visitor.visit_seq(SeqDeserializer::new(array.iter().map(Small))),
            None => Small::wrong_type(&self.0, "an array"),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _length: usize, visitor: V) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _length: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.0.is_object() || Array::is_array(&self.0) {
            return Small::wrong_type(&self.0, "an object");
        }
        visitor.visit_map(Members::of_object(self.0.unchecked_ref()))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_map(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.0.as_string() {
            Some(text) => visitor.visit_enum(IntoDeserializer::<Mistake>::into_deserializer(text)),
            None => Small::wrong_type(&self.0, &alternatives(variants)),
        }
    }
}

impl IntoDeserializer<'_, Mistake> for Small {
    type Deserializer = Small;

    fn into_deserializer(self) -> Small {
        self
    }
}

/// The members of an object; errors inside one get its name.
pub struct Members {
    members: std::vec::IntoIter<(String, JsValue)>,
    current: Option<(String, JsValue)>,
}

impl Members {
    fn new(members: Vec<(String, JsValue)>) -> Members {
        Members { members: members.into_iter(), current: None }
    }

    /// The members of a plain object.
    fn of_object(object: &Object) -> Members {
        let pairs = Object::entries(object);
        let pairs = pairs.iter().map(|pair| Array::from(&pair));
        Members::new(pairs.map(|pair| (pair.get(0).as_string().unwrap_or_default(), pair.get(1))).collect())
    }

    /// Names and values in turn.
    pub fn of_list(list: &Array) -> Members {
        let pairs = (0..list.length()).step_by(2);
        Members::new(pairs.map(|at| (list.get(at).as_string().unwrap_or_default(), list.get(at + 1))).collect())
    }

    /// Those whose names fit, and the others.
    pub fn partition(self, fits: impl Fn(&str) -> bool) -> (Members, Members) {
        let (fitting, others) = self.members.partition(|(name, _)| fits(name));
        (Members::new(fitting), Members::new(others))
    }
}

impl<'de> MapAccess<'de> for Members {
    type Error = Mistake;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>> {
        self.current = self.members.next();
        let name = self.current.as_ref().map(|(name, _)| name.clone());
        name.map(|name| seed.deserialize(StringDeserializer::new(name))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value> {
        let (name, value) = self.current.take().unwrap_or_default();
        seed.deserialize(Small(value)).map_err(|mistake| mistake.below(&name))
    }
}
