use crate::number::float;
use std::fmt;

/// A JSON number: an integer of up to 64 bits, or a double.
#[derive(Clone, PartialEq)]
pub struct Number(Repr);

#[derive(Clone, Copy, PartialEq)]
enum Repr {
    Positive(u64),
    Negative(i64),
    Float(f64),
}

impl Number {
    /// None for numbers that JSON can't express.
    pub fn from_f64(value: f64) -> Option<Self> {
        value.is_finite().then_some(Self(Repr::Float(value)))
    }

    pub fn as_f64(&self) -> Option<f64> {
        Some(match self.0 {
            Repr::Positive(value) => value as f64,
            Repr::Negative(value) => value as f64,
            Repr::Float(value) => value,
        })
    }

    pub fn as_u64(&self) -> Option<u64> {
        if let Repr::Positive(value) = self.0 { Some(value) } else { None }
    }

    pub fn as_i64(&self) -> Option<i64> {
        match self.0 {
            Repr::Positive(value) => value.try_into().ok(),
            Repr::Negative(value) => Some(value),
            Repr::Float(_) => None,
        }
    }

    pub fn is_f64(&self) -> bool {
        matches!(self.0, Repr::Float(_))
    }
}

impl From<u64> for Number {
    fn from(value: u64) -> Self {
        Self(Repr::Positive(value))
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self(u64::try_from(value).map_or(Repr::Negative(value), Repr::Positive))
    }
}

macro_rules! from {
    ($($type:ty as $wide:ty),*) => {$(
        impl From<$type> for Number {
            fn from(value: $type) -> Self {
                Self::from(value as $wide)
            }
        }
    )*};
}
from!(u8 as u64, u32 as u64, usize as u64, i32 as i64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Repr::Positive(value) => fmt::Display::fmt(&value, f),
            Repr::Negative(value) => fmt::Display::fmt(&value, f),
            Repr::Float(value) => f.write_str(&float(value)),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The value of a valid JSON number; None if it is too large.
pub fn parse(text: &str) -> Option<Number> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_whole = digits.bytes().all(|byte| byte.is_ascii_digit());
    if is_whole && let Ok(value) = digits.parse::<u64>() {
        if digits.len() == text.len() {
            return Some(value.into());
        }
        match 0_i64.checked_sub_unsigned(value) {
            Some(value) if value != 0 => return Some(value.into()),
            _ => {}
        }
    }
    crate::number::parse(text).and_then(Number::from_f64)
}
