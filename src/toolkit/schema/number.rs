//! Exact comparison and division of JSON numbers.

use crate::json::Number;
use std::cmp::Ordering;

/// The largest power of ten below which every whole float converts to `i128` exactly.
const WHOLE: f64 = 1e38;

fn whole(number: &Number) -> Option<i128> {
    if let Some(value) = number.as_i64() {
        return Some(value.into());
    }
    if let Some(value) = number.as_u64() {
        return Some(value.into());
    }
    let value = number.as_f64()?;
    (value.fract() == 0.0 && value.abs() < WHOLE).then_some(value as i128)
}

/// Whether JSON Schema treats the number as an integer. `5.0` is one.
pub fn is_integer(number: &Number) -> bool {
    number.as_f64().is_none_or(|value| value.fract() == 0.0)
}

pub fn compare(one: &Number, other: &Number) -> Ordering {
    if let (Some(one), Some(other)) = (whole(one), whole(other)) {
        return one.cmp(&other);
    }
    let float = |number: &Number| number.as_f64().unwrap_or(f64::NAN);
    float(one).partial_cmp(&float(other)).unwrap_or(Ordering::Equal)
}

/// Converts a whole float to an integer: `5.0` to `5`.
pub fn normal(number: &Number) -> Option<Number> {
    if !number.is_f64() {
        return None;
    }
    let value = whole(number)?;
    i64::try_from(value).map(Number::from).or_else(|_| u64::try_from(value).map(Number::from)).ok()
}

/// The number `mantissa` × 10 ^ `exponent`, without its sign.
struct Decimal {
    mantissa: u128,
    exponent: i32,
}

impl Decimal {
    /// Parses the shortest decimal representation of the number.
    fn of(number: &Number) -> Option<Self> {
        let text = number.to_string();
        let (digits, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
        let mut exponent: i32 = exponent.parse().ok()?;
        let (before, after) =
            digits.trim_start_matches('-').split_once('.').unwrap_or((digits.trim_start_matches('-'), ""));
        let mut mantissa: u128 = format!("{before}{after}").parse().ok()?;
        exponent -= i32::try_from(after.len()).ok()?;
        while mantissa != 0 && mantissa.is_multiple_of(10) {
            mantissa /= 10;
            exponent += 1;
        }
        Some(Self { mantissa, exponent })
    }
}

/// Whether `number` is a multiple of `divisor` in decimal arithmetic: 0.3 is a multiple of 0.1.
pub fn is_multiple(number: &Number, divisor: &Number) -> bool {
    let (Some(number), Some(divisor)) = (Decimal::of(number), Decimal::of(divisor)) else {
        return false;
    };
    if number.mantissa == 0 {
        return true;
    }
    let shift = number.exponent - divisor.exponent;
    if shift < 0 {
        let factor = 10_u128.checked_pow(shift.unsigned_abs());
        let divisor = factor.and_then(|factor| factor.checked_mul(divisor.mantissa));
        return divisor.is_some_and(|divisor| divisor != 0 && number.mantissa % divisor == 0);
    }
    remainder_of_shifted(number.mantissa, shift.unsigned_abs(), divisor.mantissa) == Some(0)
}

/// Computes `mantissa` × 10 ^ `shift` modulo `divisor`.
fn remainder_of_shifted(mantissa: u128, mut shift: u32, divisor: u128) -> Option<u128> {
    let times = |one: u128, other: u128| one.checked_mul(other)?.checked_rem(divisor);
    let mut result = mantissa.checked_rem(divisor)?;
    let mut power = 10_u128.checked_rem(divisor)?;
    while shift > 0 {
        if shift & 1 == 1 {
            result = times(result, power)?;
        }
        power = times(power, power)?;
        shift >>= 1;
    }
    Some(result)
}
