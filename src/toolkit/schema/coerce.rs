//! Coerces a single value to the type, spelling and bounds that a schema requires. See docs/toolkit/coercion.md for the rules.

use super::super::problem::ChangeKind;
use super::super::repair;
use super::facets;
use super::node::{Id, Node, Numbers, Types};
use super::number::{compare, is_multiple, normal};
use super::pointer::At;
use super::validate::Walk;
use crate::json::{Number, Value};
use crate::letters::lowercase;
use crate::nearest::folded;
use crate::number::parse;
use std::cmp::Ordering;

const YES: [&str; 6] = ["true", "yes", "on", "1", "y", "t"];
const NO: [&str; 6] = ["false", "no", "off", "0", "n", "f"];
const NOTHING: [&str; 3] = ["", "null", "none"];

impl Walk<'_> {
    /// Corrects an invalid value according to the keywords of the node itself.
    pub fn correct(&mut self, id: Id, node: &Node, value: &mut Value, at: &At) {
        if self.options.coerce {
            self.correct_type(id, node, value, at);
            self.correct_spelling(node, value, at);
        }
        if self.options.clamp
            && let (Some(rules), Value::Number(number)) = (&node.numbers, &*value)
            && let Some(bound) = clamped(node.types, rules, number)
        {
            let from = std::mem::replace(value, Value::Number(bound));
            self.change(ChangeKind::Clamped, at, Some(from), Some(value.clone()));
        }
    }

    fn replace(&mut self, value: &mut Value, new: Value, at: &At) {
        let from = std::mem::replace(value, new);
        self.change(ChangeKind::Coerced, at, Some(from), Some(value.clone()));
    }

    fn correct_type(&mut self, id: Id, node: &Node, value: &mut Value, at: &At) {
        let Some(types) = facets::types(node).filter(|types| !types.meets(Types::of(value))) else { return };
        if let Some(converted) = converted(types, value) {
            self.replace(value, converted, at);
        } else if types.meets(Types::ARRAY) && !value.is_null() {
            let single = Value::Array(vec![value.clone()]);
            if let Some((fixed, changes)) = self.trial(id, &single, at) {
                self.replace(value, single, at);
                self.changes.extend(changes);
                *value = fixed;
            }
        }
    }

    /// Finds the `enum` value that differs only in case, or only in case, spaces, `_` and `-`.
    fn correct_spelling(&mut self, node: &Node, value: &mut Value, at: &At) {
        let Some(values) = facets::values(node) else { return };
        let Value::String(text) = &*value else { return };
        if facets::contains(&values, value) {
            return;
        }
        let texts = || values.iter().filter_map(|value| value.as_str());
        let lower = lowercase(text.trim());
        let exact = only(texts().filter(|known| *known == text.trim()));
        let same_case = || only(texts().filter(|known| lowercase(known.trim()) == lower));
        let same_letters = || only(texts().filter(|known| folded(known) == folded(text)));
        if let Some(known) = exact.or_else(same_case).or_else(same_letters) {
            self.replace(value, Value::String(known.to_string()), at);
        }
    }
}

/// The item of an iterator that has exactly one.
fn only<'t>(mut items: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

fn converted(types: Types, value: &Value) -> Option<Value> {
    match value {
        Value::String(text) => from_text(types, text),
        Value::Number(number) if types.meets(Types::BOOLEAN) => match number.as_f64() {
            Some(1.0) => Some(Value::Bool(true)),
            Some(0.0) => Some(Value::Bool(false)),
            _ => None,
        },
        Value::Number(number) if types.meets(Types::STRING) => {
            Some(Value::String(normal(number).as_ref().unwrap_or(number).to_string()))
        }
        Value::Bool(flag) if types.meets(Types::STRING) => Some(Value::String(flag.to_string())),
        Value::Bool(flag) if types.meets(Types::INTEGER.and(Types::NUMBER)) => Some(Value::from(u8::from(*flag))),
        _ => None,
    }
}

fn from_text(types: Types, text: &str) -> Option<Value> {
    let text = text.trim();
    let container = || container(text).filter(|value| types.meets(Types::of(value)));
    let number =
        || number(text).filter(|number| types.meets(Types::of(&Value::Number(number.clone())))).map(Value::Number);
    let lower = lowercase(text);
    let flag = || {
        let yes = YES.contains(&lower.as_str());
        (types.meets(Types::BOOLEAN) && (yes || NO.contains(&lower.as_str()))).then_some(Value::Bool(yes))
    };
    let nothing = || (types.meets(Types::NULL) && NOTHING.contains(&lower.as_str())).then_some(Value::Null);
    container().or_else(number).or_else(flag).or_else(nothing)
}

/// Parses an array or an object that was passed as JSON text.
fn container(text: &str) -> Option<Value> {
    let wrapped = (text.starts_with('[') && text.ends_with(']')) || (text.starts_with('{') && text.ends_with('}'));
    let value = wrapped.then(|| repair::whole(text))??;
    (value.is_array() || value.is_object()).then_some(value)
}

/// The largest integer up to which JavaScript and other users of doubles have every integer.
const MAX_EXACT: u64 = (1 << 53) - 1;

/// Parses a finite number in decimal notation, without digit separators.
fn number(text: &str) -> Option<Number> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let starts = unsigned.starts_with(|first: char| first.is_ascii_digit() || first == '.');
    let letters =
        unsigned.chars().all(|letter| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | 'E' | '+' | '-'));
    if !starts || !letters {
        return None;
    }
    if let Ok(whole) = text.parse::<i64>() {
        return (whole.unsigned_abs() <= MAX_EXACT).then(|| whole.into());
    }
    let is_whole = unsigned.chars().all(|letter| letter.is_ascii_digit());
    let number = parse(text).and_then(Number::from_f64)?;
    // A float would lose digits.
    if is_whole { None } else { Some(normal(&number).unwrap_or(number)) }
}

/// The bound to which an out-of-range number is moved, if there is one.
fn clamped(types: Option<Types>, rules: &Numbers, number: &Number) -> Option<Number> {
    let whole = types.is_some_and(|types| types.meets(Types::INTEGER) && !types.meets(Types::NUMBER));
    let (lowest, highest) = (lowest(rules, whole), highest(rules, whole));
    let below = lowest.as_ref().filter(|bound| compare(number, bound) == Ordering::Less);
    let above = highest.as_ref().filter(|bound| compare(number, bound) == Ordering::Greater);
    let bound = below.or(above)?.clone();
    let empty = lowest.zip(highest).is_some_and(|(lowest, highest)| compare(&lowest, &highest) == Ordering::Greater);
    let excluded = rules.above.as_ref().is_some_and(|above| compare(&bound, above) != Ordering::Greater)
        || rules.below.as_ref().is_some_and(|below| compare(&bound, below) != Ordering::Less);
    let multiple = rules.multiple.as_ref().is_none_or(|divisor| is_multiple(&bound, divisor));
    (!empty && !excluded && multiple).then_some(bound)
}

/// The lowest allowed number. An exclusive bound has one only for integers.
fn lowest(rules: &Numbers, whole: bool) -> Option<Number> {
    if !whole {
        return rules.minimum.clone();
    }
    let inclusive = rules.minimum.as_ref().and_then(|bound| integer(bound, f64::ceil));
    let exclusive = rules.above.as_ref().and_then(|bound| integer(bound, f64::floor)?.checked_add(1));
    inclusive.into_iter().chain(exclusive).max().map(Number::from)
}

fn highest(rules: &Numbers, whole: bool) -> Option<Number> {
    if !whole {
        return rules.maximum.clone();
    }
    let inclusive = rules.maximum.as_ref().and_then(|bound| integer(bound, f64::floor));
    let exclusive = rules.below.as_ref().and_then(|bound| integer(bound, f64::ceil)?.checked_sub(1));
    inclusive.into_iter().chain(exclusive).min().map(Number::from)
}

fn integer(bound: &Number, round: fn(f64) -> f64) -> Option<i64> {
    if let Some(whole) = bound.as_i64() {
        return Some(whole);
    }
    let rounded = round(bound.as_f64()?);
    (rounded.abs() < 9e18).then_some(rounded as i64)
}
