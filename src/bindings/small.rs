//! Deserializes small JavaScript values, such as options. Unlike those of serde-wasm-bindgen, errors contain the path and suggest the
//! nearest known name, and no code to format floating-point numbers is needed.

use crate::nearest::nearest;
use crate::run::ErrorCode;
use js_sys::{Array, Object};
use serde::de::value::{SeqDeserializer, StringDeserializer};
use serde::de::{self, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, Unexpected, Visitor};
use std::fmt::{self, Display};
use wasm_bindgen::{JsCast, JsValue};

/// Why a value was rejected, and where it is in the whole value, as a JSON Pointer. Boxed, so that results are small.
#[derive(Debug)]
pub struct Mistake(Box<(ErrorCode, String, String)>);

type Result<T> = std::result::Result<T, Mistake>;

impl Mistake {
    fn new(code: ErrorCode, message: String) -> Mistake {
        Mistake(Box::new((code, message, String::new())))
    }

    pub fn code(&self) -> ErrorCode {
        self.0.0
    }

    pub fn message(&self) -> &str {
        &self.0.1
    }

    pub fn path(&self) -> &str {
        &self.0.2
    }

    /// The same error, for the value that contains the invalid one.
    #[cold]
    #[inline(never)]
    fn below(mut self, key: &str) -> Mistake {
        self.0.2 = format!("/{}{}", key.replace('~', "~0").replace('/', "~1"), self.path());
        self
    }
}

impl Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.message())
    }
}

impl std::error::Error for Mistake {}

/// The option that is a function.
const LISTENER: &str = "onWarning";

/// The options that are not fields of `Options`.
const OTHERS: [&str; 6] = [LISTENER, "from", "to", "status", "strict", "for"];

impl de::Error for Mistake {
    fn custom<T: Display>(message: T) -> Mistake {
        Mistake::new(ErrorCode::InvalidValue, message.to_string())
    }

    // serde's own message contains the value, but formatting floating-point numbers takes 16 kB of wasm
    fn invalid_type(_found: Unexpected<'_>, expected: &dyn Expected) -> Mistake {
        Mistake::new(ErrorCode::InvalidType, format!("expected {expected}"))
    }

    fn invalid_value(_found: Unexpected<'_>, expected: &dyn Expected) -> Mistake {
        Mistake::new(ErrorCode::InvalidValue, format!("expected {expected}"))
    }

    fn unknown_field(field: &str, expected: &'static [&'static str]) -> Mistake {
        // a function is not deserialized, so this value is something else
        if field == LISTENER {
            return Mistake::new(ErrorCode::InvalidType, "expected a function".to_owned()).below(field);
        }
        let message = match nearest(field, &[expected, &OTHERS].concat()) {
            Some(name) => format!("unknown option; did you mean {name}?"),
            None => "unknown option".to_owned(),
        };
        Mistake::new(ErrorCode::InvalidValue, message).below(&shortened(field))
    }

    fn unknown_variant(variant: &str, expected: &'static [&'static str]) -> Mistake {
        let hint = nearest(variant, expected).map(|name| format!("; did you mean \"{name}\"?"));
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

/// A value to deserialize.
pub struct Small(JsValue);

impl Small {
    #[cold]
    #[inline(never)]
    fn wrong_type(&self, expected: &str) -> Mistake {
        Mistake::new(ErrorCode::InvalidType, format!("expected {expected}, found {}", kind_of(&self.0)))
    }

    /// The error for a number where a number is expected: only its value can be wrong.
    #[cold]
    #[inline(never)]
    fn wrong_number(&self, expected: &str) -> Mistake {
        if self.0.as_f64().is_none() {
            return self.wrong_type(expected);
        }
        let found = String::from(self.0.unchecked_ref::<Object>().to_string());
        Mistake::new(ErrorCode::InvalidValue, format!("expected {expected}, found {found}"))
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

impl<'de> Deserializer<'de> for Small {
    type Error = Mistake;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match (self.0.as_string(), self.0.as_bool()) {
            (Some(text), _) => visitor.visit_string(text),
            (None, Some(boolean)) => visitor.visit_bool(boolean),
            (None, None) if Array::is_array(&self.0) => self.deserialize_seq(visitor),
            (None, None) if self.0.as_f64().is_some() => self.deserialize_u64(visitor),
            (None, None) => self.deserialize_map(visitor),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0.as_string() {
            Some(text) => visitor.visit_string(text),
            None => Err(self.wrong_type("a string")),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_string(visitor)
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0.as_bool() {
            Some(boolean) => visitor.visit_bool(boolean),
            None => Err(self.wrong_type("a boolean")),
        }
    }

    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        const BOUND: f64 = 4_294_967_296.0;
        match self.0.as_f64() {
            Some(number) if (0.0..BOUND).contains(&number) && number.fract() == 0.0 => visitor.visit_u64(number as u64),
            Some(_) | None => Err(self.wrong_number("a whole number, 0 or more")),
        }
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct identifier
        ignored_any
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if self.0.is_null() || self.0.is_undefined() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.0.dyn_ref::<Array>() {
            Some(array) => visitor.visit_seq(SeqDeserializer::new(array.iter().map(Small))),
            None => Err(self.wrong_type("an array")),
        }
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if !self.0.is_object() || Array::is_array(&self.0) {
            return Err(self.wrong_type("an object"));
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
            None => Err(self.wrong_type(&alternatives(variants))),
        }
    }
}

impl IntoDeserializer<'_, Mistake> for Small {
    type Deserializer = Small;

    fn into_deserializer(self) -> Small {
        self
    }
}

/// The members of an object. Errors inside a member get its name.
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

    /// Names and values, alternating.
    pub fn of_list(list: &Array) -> Members {
        let pairs = (0..list.length()).step_by(2);
        Members::new(pairs.map(|at| (list.get(at).as_string().unwrap_or_default(), list.get(at + 1))).collect())
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
