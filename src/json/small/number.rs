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
            Repr::Float(value) => f.write_str(&text_of(value)),
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
    float(text).and_then(Number::from_f64)
}

/// Powers of ten that a double represents exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The value of a number in decimal notation.
pub fn float(text: &str) -> Option<f64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let count = whole.len() + fraction.len();
    let plain = whole.bytes().chain(fraction.bytes());
    // Up to 15 digits are exact in a double, and the single division is rounded correctly.
    if (1..=15).contains(&count) && plain.clone().all(|byte| byte.is_ascii_digit()) {
        let all = plain.fold(0_u64, |all, digit| all * 10 + u64::from(digit - b'0')) as f64;
        let value = all / POWERS.get(fraction.len())?;
        return Some(if digits.len() < text.len() { -value } else { value });
    }
    host::parse(text)
}

/// The shortest text that reads back as the number, always with a point or an exponent.
fn text_of(value: f64) -> String {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    let size = value.abs();
    if size < 1e15 && size.fract() == 0.0 {
        return format!("{sign}{}.0", size as u64);
    }
    let scientific = host::scientific(size);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.trim_start_matches('+').parse().unwrap_or(0);
    let digits = mantissa.replace('.', "");
    let count = digits.len() as i32;
    let point = exponent + 1;
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or(0));
    match point {
        1..=16 if count <= point => format!("{sign}{digits}{}.0", zeros(point - count)),
        1..=16 => {
            let (whole, fraction) = digits.split_at_checked(point as usize).unwrap_or((&digits, ""));
            format!("{sign}{whole}.{fraction}")
        }
        -4..=0 => format!("{sign}0.{}{digits}", zeros(-point)),
        _ => format!("{sign}{mantissa}e{exponent:+}"),
    }
}

/// The engine reads and prints numbers: tables for that would take 20 kB here.
#[cfg(target_arch = "wasm32")]
mod host {
    use wasm_bindgen::prelude::*;

    #[wasm_bindgen]
    extern "C" {
        type JsNumber;
        #[wasm_bindgen(js_name = Number)]
        fn number(text: &str) -> f64;
        #[wasm_bindgen(method, js_name = toExponential)]
        fn to_exponential(this: &JsNumber) -> String;
    }

    pub fn parse(text: &str) -> Option<f64> {
        let value = number(text);
        (!value.is_nan()).then_some(value)
    }

    /// The shortest digits, as `1.5e+21`.
    pub fn scientific(value: f64) -> String {
        JsValue::from_f64(value).unchecked_ref::<JsNumber>().to_exponential()
    }
}

#[cfg(not(target_arch = "wasm32"))]
mod host {
    pub fn parse(text: &str) -> Option<f64> {
        text.parse().ok()
    }

    pub fn scientific(value: f64) -> String {
        format!("{value:e}")
    }
}
