//! Grammars of numbers within bounds.

use super::rule::{Expression, any_number, optional, or, repeat, seq, text};
use crate::chars::Chars;

/// Supported range of bounds. Exponents are used from 1e10 on, so larger lower bounds can't be distinguished.
pub(super) const LOWER: i64 = 10_000_000_000;

fn digit() -> Expression {
    digits_from(0, 9)
}

fn digits_from(from: u8, to: u8) -> Expression {
    if from == to {
        text(char::from(b'0' + from))
    } else {
        Expression::Chars(Chars::new([(u32::from(b'0' + from), u32::from(b'0' + to))]))
    }
}

/// Integers without leading zeros.
pub(super) fn integers(least: Option<i64>, most: Option<i64>) -> Expression {
    if least.zip(most).is_some_and(|(least, most)| least > most) {
        return or([]);
    }
    let mut parts = Vec::new();
    if most.is_none_or(|most| most >= 0) {
        let least = least.map_or(0, |least| least.max(0).unsigned_abs());
        parts.push(natural(least, most.map(i64::unsigned_abs)));
    }
    if least.is_none_or(|least| least < 0) {
        let near = most.map_or(1, |most| most.min(-1).unsigned_abs());
        parts.push(seq([text("-"), natural(near, least.map(i64::unsigned_abs))]));
    }
    or(parts)
}

fn natural(least: u64, most: Option<u64>) -> Expression {
    let low = least.to_string();
    let width = low.len();
    let Some(most) = most else {
        if least <= 1 {
            let positive = seq([digits_from(1, 9), any_number(digit())]);
            return if least == 0 { or([text("0"), positive]) } else { positive };
        }
        let longer = seq([digits_from(1, 9), repeat(digit(), width as u64, None)]);
        return or([between(low.as_bytes(), &vec![b'9'; width]), longer]);
    };
    let high = most.to_string();
    let parts = (width..=high.len()).map(|length| {
        let mut from = vec![b'0'; length];
        if let Some(first) = from.first_mut() {
            *first = b'1';
        }
        let from = if length == width { low.clone().into_bytes() } else { from };
        let to = if length == high.len() { high.clone().into_bytes() } else { vec![b'9'; length] };
        between(&from, &to)
    });
    or(parts)
}

/// Digit strings of equal length, from `low` to `high`.
fn between(low: &[u8], high: &[u8]) -> Expression {
    let (Some((&first, low_rest)), Some((&last, high_rest))) = (low.split_first(), high.split_first()) else {
        return seq([]);
    };
    let (a, b) = (first - b'0', last - b'0');
    if a == b {
        return seq([digits_from(a, a), between(low_rest, high_rest)]);
    }
    let rest = low_rest.len() as u64;
    let lowest = low_rest.iter().all(|&c| c == b'0');
    let highest = high_rest.iter().all(|&c| c == b'9');
    let mut parts = Vec::new();
    if !lowest {
        parts.push(seq([digits_from(a, a), between(low_rest, &vec![b'9'; low_rest.len()])]));
    }
    let (from, to) = (if lowest { a } else { a + 1 }, if highest { b } else { b - 1 });
    if from <= to {
        parts.push(seq([digits_from(from, to), repeat(digit(), rest, Some(rest))]));
    }
    if !highest {
        parts.push(seq([digits_from(b, b), between(&vec![b'0'; high_rest.len()], high_rest)]));
    }
    or(parts)
}

/// Numbers within integer bounds.
pub(super) fn numbers(least: Option<i64>, most: Option<i64>) -> Expression {
    let mut parts = Vec::new();
    if most.is_none_or(|most| most >= 0) {
        parts.push(positive(least.unwrap_or(0).max(0), most));
    }
    if least.is_none_or(|least| least <= 0) {
        let near = most.unwrap_or(0).min(0).saturating_neg();
        parts.push(seq([text("-"), positive(near, least.map(i64::saturating_neg))]));
    }
    or(parts)
}

fn positive(least: i64, most: Option<i64>) -> Expression {
    let some = || seq([digit(), any_number(digit())]);
    let fraction = || seq([text("."), some()]);
    let e = || Expression::Chars(Chars::of("eE"));
    let mut parts = Vec::new();
    match most {
        None => {
            parts.push(seq([integers(Some(least), None), optional(fraction())]));
            // at least 1e10
            let tens = seq([digits_from(1, 9), digit(), any_number(digit())]);
            parts.push(seq([digits_from(1, 9), optional(fraction()), e(), optional(text("+")), tens]));
        }
        Some(most) => {
            if most > least {
                parts.push(seq([integers(Some(least), Some(most - 1)), optional(fraction())]));
            }
            let zeros = seq([text(".0"), any_number(text("0"))]);
            parts.push(seq([integers(Some(most), Some(most)), optional(zeros)]));
        }
    }
    if least == 0 && most.is_none_or(|most| most > 0) {
        let tiny = seq([digits_from(1, 9), any_number(digit())]);
        parts.push(seq([digit(), optional(fraction()), e(), text("-"), tiny]));
    }
    or(parts)
}

/// Any JSON number.
pub(super) fn any() -> Expression {
    let some = || seq([digit(), any_number(digit())]);
    let exponent = seq([Expression::Chars(Chars::of("eE")), optional(Expression::Chars(Chars::of("+-"))), some()]);
    seq([optional(text("-")), integers(Some(0), None), optional(seq([text("."), some()])), optional(exponent)])
}

#[cfg(test)]
mod tests {
    use super::{any, integers, numbers};
    use crate::text::grammar::matcher::accepts;
    use crate::text::grammar::rule::{Expression, Rules};

    fn matches(node: Expression, text: &str) -> bool {
        accepts(&Rules::starting(node), text)
    }

    #[test]
    fn integers_are_within_bounds() {
        let bounds = [None, Some(-120), Some(-7), Some(-1), Some(0), Some(1), Some(5), Some(10), Some(99), Some(250)];
        for least in bounds {
            for most in bounds {
                for value in (-130..=130).chain([249, 250, 251, 999, 1000, -1000]) {
                    let fits = least.is_none_or(|least| value >= least) && most.is_none_or(|most| value <= most);
                    assert_eq!(matches(integers(least, most), &value.to_string()), fits, "{least:?} {most:?} {value}");
                }
            }
        }
    }

    #[test]
    fn numbers_are_within_bounds() {
        let bounds = [None, Some(-5), Some(0), Some(1), Some(3), Some(12)];
        for least in bounds {
            for most in bounds.into_iter().filter(|most| least.zip(*most).is_none_or(|(least, most)| least <= most)) {
                for text in [
                    "-5.5", "-5", "-4.9", "-1", "-0.5", "-1e-7", "1e-7", "0", "0.5", "1", "1.0", "2.99", "3", "3.01",
                    "12", "13", "1e21", "-1e21",
                ] {
                    let value: f64 = text.parse().unwrap();
                    let fits =
                        least.is_none_or(|least| value >= least as f64) && most.is_none_or(|most| value <= most as f64);
                    assert_eq!(matches(numbers(least, most), text), fits, "{least:?} {most:?} {text}");
                }
            }
        }
    }

    #[test]
    fn any_number_is_written_as_json() {
        for (text, yes) in
            [("0", true), ("-0.5", true), ("-1.5e+3", true), ("01", false), ("1.", false), (".5", false), ("-", false)]
        {
            assert_eq!(matches(any(), text), yes, "{text}");
        }
    }
}
