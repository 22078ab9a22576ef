//! The keywords that assert something about a value itself, without subschemas.

use super::equal::{duplicate, equal};
use super::formats;
use super::node::{Arrays, Node, Numbers, Objects, Strings, Types};
use super::number::{compare, is_multiple};
use crate::json::{Map, Number, Value};
use std::cmp::Ordering;

/// Maximum length of text in a format, in bytes.
const MAX_FORMATTED: usize = 4096;

/// A keyword that a value violates.
pub enum Failure<'n> {
    Type(Types),
    Enum(&'n [Value]),
    Const(&'n Value),
    Minimum(&'n Number),
    Maximum(&'n Number),
    Above(&'n Number),
    Below(&'n Number),
    Multiple(&'n Number),
    MinLength(u64),
    MaxLength(u64),
    Pattern(&'n str),
    TooLongForPattern,
    Format(&'n formats::Format),
    MinItems(u64),
    MaxItems(u64),
    Duplicate(usize, usize),
    MinProperties(u64),
    MaxProperties(u64),
    Required(&'n str),
    /// The missing field, and the field that requires it.
    DependentRequired(&'n str, &'n str),
}

impl Failure<'_> {
    pub fn keyword(&self) -> &'static str {
        match self {
            Self::Type(_) => "type",
            Self::Enum(_) => "enum",
            Self::Const(_) => "const",
            Self::Minimum(_) => "minimum",
            Self::Maximum(_) => "maximum",
            Self::Above(_) => "exclusiveMinimum",
            Self::Below(_) => "exclusiveMaximum",
            Self::Multiple(_) => "multipleOf",
            Self::MinLength(_) => "minLength",
            Self::MaxLength(_) => "maxLength",
            Self::Pattern(_) | Self::TooLongForPattern => "pattern",
            Self::Format(_) => "format",
            Self::MinItems(_) => "minItems",
            Self::MaxItems(_) => "maxItems",
            Self::Duplicate(..) => "uniqueItems",
            Self::MinProperties(_) => "minProperties",
            Self::MaxProperties(_) => "maxProperties",
            Self::Required(_) => "required",
            Self::DependentRequired(..) => "dependentRequired",
        }
    }
}

/// Reports every violated keyword. `formats` is whether `format` is asserted.
pub fn check<'n>(node: &'n Node, value: &Value, formats: bool, report: &mut dyn FnMut(Failure<'n>)) {
    if let Some(types) = node.types.filter(|types| !types.meets(Types::of(value))) {
        report(Failure::Type(types));
    }
    if let Some(values) = node.values.as_ref().filter(|values| !values.iter().any(|known| equal(known, value))) {
        report(Failure::Enum(values));
    }
    if let Some(constant) = node.constant.as_ref().filter(|constant| !equal(constant, value)) {
        report(Failure::Const(constant));
    }
    match value {
        Value::Number(number) => {
            if let Some(rules) = &node.numbers {
                check_number(rules, number, report);
            }
        }
        Value::String(text) => {
            if let Some(rules) = &node.strings {
                check_text(rules, text, formats, report);
            }
        }
        Value::Array(items) => {
            if let Some(rules) = &node.arrays {
                check_items(rules, items, report);
            }
        }
        Value::Object(fields) => {
            if let Some(rules) = &node.objects {
                check_fields(rules, fields, report);
            }
        }
        Value::Null | Value::Bool(_) => {}
    }
}

fn check_number<'n>(rules: &'n Numbers, number: &Number, report: &mut dyn FnMut(Failure<'n>)) {
    let is = |bound: &Number, order: Ordering| compare(number, bound) == order;
    if let Some(bound) = rules.minimum.as_ref().filter(|bound| is(bound, Ordering::Less)) {
        report(Failure::Minimum(bound));
    }
    if let Some(bound) = rules.maximum.as_ref().filter(|bound| is(bound, Ordering::Greater)) {
        report(Failure::Maximum(bound));
    }
    if let Some(bound) = rules.above.as_ref().filter(|bound| !is(bound, Ordering::Greater)) {
        report(Failure::Above(bound));
    }
    if let Some(bound) = rules.below.as_ref().filter(|bound| !is(bound, Ordering::Less)) {
        report(Failure::Below(bound));
    }
    if let Some(divisor) = rules.multiple.as_ref().filter(|divisor| !is_multiple(number, divisor)) {
        report(Failure::Multiple(divisor));
    }
}

fn count(length: usize) -> u64 {
    u64::try_from(length).unwrap_or(u64::MAX)
}

fn check_text<'n>(rules: &'n Strings, text: &str, formats: bool, report: &mut dyn FnMut(Failure<'n>)) {
    if rules.min.is_some() || rules.max.is_some() {
        let length = count(text.chars().count());
        if let Some(min) = rules.min.filter(|min| length < *min) {
            report(Failure::MinLength(min));
        }
        if let Some(max) = rules.max.filter(|max| length > *max) {
            report(Failure::MaxLength(max));
        }
    }
    let format = rules.format.as_deref().filter(|_| formats).and_then(formats::find);
    if let Some(format) = format.filter(|format| text.len() > MAX_FORMATTED || !(format.check)(text)) {
        report(Failure::Format(format));
        // Libraries add a long pattern to formats. The name of the format is clearer in a message.
        return;
    }
    if let Some(pattern) = &rules.pattern {
        match pattern.matches(text) {
            Some(true) => {}
            Some(false) => report(Failure::Pattern(&pattern.source)),
            None => report(Failure::TooLongForPattern),
        }
    }
}

fn check_items<'n>(rules: &'n Arrays, items: &[Value], report: &mut dyn FnMut(Failure<'n>)) {
    if let Some(min) = rules.min.filter(|min| count(items.len()) < *min) {
        report(Failure::MinItems(min));
    }
    if let Some(max) = rules.max.filter(|max| count(items.len()) > *max) {
        report(Failure::MaxItems(max));
    }
    if let Some((first, second)) = rules.unique.then(|| duplicate(items)).flatten() {
        report(Failure::Duplicate(first, second));
    }
}

fn check_fields<'n>(rules: &'n Objects, fields: &Map<String, Value>, report: &mut dyn FnMut(Failure<'n>)) {
    if let Some(min) = rules.min.filter(|min| count(fields.len()) < *min) {
        report(Failure::MinProperties(min));
    }
    if let Some(max) = rules.max.filter(|max| count(fields.len()) > *max) {
        report(Failure::MaxProperties(max));
    }
    for name in rules.required.iter().filter(|name| !fields.contains_key(*name)) {
        report(Failure::Required(name));
    }
    for (field, names) in rules.dependent_required.iter().filter(|(field, _)| fields.contains_key(field)) {
        for name in names.iter().filter(|name| !fields.contains_key(*name)) {
            report(Failure::DependentRequired(name, field));
        }
    }
}
