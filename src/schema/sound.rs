//! Validates the values of keywords. An API rejects a whole request because of one invalid keyword.

use super::node::{Member, has_type, list_of, type_names};
use super::policy::Rule;
use super::shapes::{Shape, is_list_keyword, shape, type_of_keyword};
use super::values::Values;
use super::walk::{Out, Walker};
use crate::run::{At, Run};
use crate::value::text::lowercase;
use crate::value::{Kind, Value, Word};

/// The required value of a keyword that does not contain schemas.
#[derive(Clone, Copy)]
enum Holds {
    Text,
    Flag,
    Number,
    /// A non-negative integer.
    Size,
    /// A list of distinct strings.
    Names,
    /// A type or a list of types.
    Types,
    /// A list with at least one value.
    Values,
}

const HOLDS: &[(Word, Holds)] = &[
    (Word::r#type, Holds::Types),
    (Word::required, Holds::Names),
    (Word::propertyOrdering, Holds::Names),
    (Word::r#enum, Holds::Values),
    (Word::examples, Holds::Values),
    (Word::title, Holds::Text),
    (Word::description, Holds::Text),
    (Word::format, Holds::Text),
    (Word::pattern, Holds::Text),
    (Word::reference, Holds::Text),
    (Word::schema_uri, Holds::Text),
    (Word::nullable, Holds::Flag),
    (Word::minimum, Holds::Number),
    (Word::maximum, Holds::Number),
    (Word::exclusiveMinimum, Holds::Number),
    (Word::exclusiveMaximum, Holds::Number),
    (Word::multipleOf, Holds::Number),
    (Word::minLength, Holds::Size),
    (Word::maxLength, Holds::Size),
    (Word::minItems, Holds::Size),
    (Word::maxItems, Holds::Size),
    (Word::minProperties, Holds::Size),
    (Word::maxProperties, Holds::Size),
];

const TYPES: &[Word] =
    &[Word::object, Word::array, Word::string, Word::number, Word::integer, Word::boolean, Word::null];

impl Walker {
    /// The keyword, if its value is valid. Of a list, the valid elements are kept.
    pub fn sound(&mut self, run: &mut Run, member: Member) -> Option<Member> {
        let (word, at) = (member.key.word(), member.at);
        let held = HOLDS.iter().find(|(known, _)| *known == word).map(|(_, holds)| *holds);
        let Some(value) = member.value() else {
            // an empty list of schemas is invalid, and only `items` may be a list (a tuple) otherwise
            let is_empty = member.shape == Shape::List && member.schemas.is_empty();
            let is_list = member.shape == Shape::List && !is_empty;
            let is_wrong = is_list && word != Word::items && !is_list_keyword(word);
            if is_wrong {
                self.warn(run, at, "the value of this keyword must be a schema");
            }
            return (!is_empty && !is_wrong).then_some(member);
        };
        let kind = run.store.kind(value);
        let keep = |fits: bool| fits.then_some(Sound { value, is_whole: true });
        let sound = match held {
            None => keep(shape(word) == Shape::Value),
            Some(Holds::Text) => keep(kind == Kind::String),
            Some(Holds::Flag) => keep(kind == Kind::Boolean),
            // draft 4: a flag that makes the bound beside it exclusive
            Some(Holds::Number) if self.policy.rule(word) == Rule::Inclusive => {
                keep(matches!(kind, Kind::Number | Kind::Boolean))
            }
            Some(Holds::Number) => keep(kind == Kind::Number),
            Some(Holds::Size) => keep(is_size(run, value)),
            Some(Holds::Names) => names(run, value),
            Some(Holds::Types) => types(run, value),
            Some(Holds::Values) => keep(kind == Kind::Array && !run.is_void(value)),
        };
        // an empty list has no content
        let is_reported = sound.is_none_or(|sound| !sound.is_whole) && !(kind == Kind::Array && run.is_void(value));
        if is_reported {
            self.warn(run, at, "part of this value is not valid for the keyword: it was left out");
        }
        let Sound { value: kept, .. } = sound?;
        Some(if kept == value { member } else { Member { whole: Some(kept), ..member } })
    }

    /// Leaves out keywords that do not apply to the schema's type: some APIs reject them.
    pub fn fit_to_type(&mut self, run: &mut Run, out: &mut Out, at: At) {
        let types = type_names(run, out.get(Word::r#type));
        if types.is_empty() || self.is_lax() {
            return;
        }
        let concerns = |word: Word| type_of_keyword(word).is_none_or(|name| has_type(&types, name));
        let words: Vec<Word> = out.members.iter().map(|(key, _)| key.word()).filter(|word| !concerns(*word)).collect();
        for word in words {
            let at = run.down(at, word);
            self.warn(run, at, "the keyword does not apply to values of this type");
            out.take(word);
            if word == Word::properties {
                out.properties.clear();
            }
        }
    }
}

/// The valid part of a value, and whether that is all of it.
#[derive(Clone, Copy)]
struct Sound {
    value: Value,
    is_whole: bool,
}

fn is_size(run: &Run, value: Value) -> bool {
    const EXACT: f64 = 9_007_199_254_740_991.0;
    let is_size = |number: f64| (0.0..=EXACT).contains(&number) && number.fract() == 0.0;
    run.store.kind(value) == Kind::Number && is_size(run.store.number(value))
}

/// The distinct strings of a list.
fn names(run: &mut Run, value: Value) -> Option<Sound> {
    if run.store.kind(value) != Kind::Array {
        return None;
    }
    let given = run.list(value);
    let (mut known, mut names, mut is_whole) = (Values::default(), Vec::with_capacity(given.len()), true);
    for name in &given {
        let is_text = run.store.kind(*name) == Kind::String;
        is_whole &= is_text;
        if is_text && known.add(run, *name) {
            names.push(*name);
        }
    }
    if names.is_empty() && !given.is_empty() {
        return None;
    }
    let value = if names.len() == given.len() { value } else { run.store.array_of(&names) };
    Some(Sound { value, is_whole })
}

/// The known types, in lower case, each once.
fn types(run: &mut Run, value: Value) -> Option<Sound> {
    let is_one = run.store.kind(value) == Kind::String;
    let given = if is_one { vec![value] } else { list_of(run, value) };
    let (mut known, mut types, mut is_whole) = (Values::default(), Vec::with_capacity(given.len()), true);
    for name in &given {
        let is_text = run.store.kind(*name) == Kind::String;
        let lower = if is_text { lowercase(&run.store.text(*name)) } else { String::new() };
        if !TYPES.contains(&Word::of(lower.as_bytes())) {
            is_whole = false;
            continue;
        }
        let is_same = run.store.text(*name) == lower;
        let name = if is_same { *name } else { run.store.string(&lower) };
        if known.add(run, name) {
            types.push(name);
        }
    }
    let value = match types.as_slice() {
        [] => return None,
        same if same == given => value,
        [only] if is_one => *only,
        types => run.store.array_of(types),
    };
    Some(Sound { value, is_whole })
}
