//! Reads objects so that no member is lost: members that a dialect does not take end up in the metadata.

use super::error::IS_MISSING;
use super::{At, ErrorCode, Key, Metadata, Result, Run, WarningCode};
use crate::value::{Fault, Fields, Items, Kind, Value, Word};
use std::borrow::Cow;

/// Objects of settings that mean the same when empty as when absent: a form records that they were present.
const MAY_BE_EMPTY: &[Word] = &[
    Word::options,
    Word::reasoning,
    Word::text,
    Word::metadata,
    Word::output_config,
    Word::generationConfig,
    Word::toolConfig,
];

/// An object that is being read. Members are taken one by one; [`Reading::rest`] returns those that were not taken. Boxed, because hundreds of
/// functions pass it on and a single pointer halves the code for that.
#[must_use = "call rest(), so that unknown members are kept"]
pub struct Reading(Box<Inner>);

struct Inner {
    at: At,
    /// Whether the object was empty in the input.
    was_empty: bool,
    fields: Fields,
    /// Forms of modelled fields (including nulls, which count as absent), and rests of nested objects.
    kept: Metadata,
}

/// The elements of an array with their positions, which are consecutive.
pub struct Elements {
    items: std::vec::IntoIter<Value>,
    next: At,
}

impl Elements {
    fn new(items: Items, first: At) -> Elements {
        Elements { items: items.into_iter(), next: first }
    }

    pub fn none() -> Elements {
        Elements::new(Items::new(), At::ROOT)
    }

    /// The next element, without taking it.
    pub fn first(&self) -> Option<Value> {
        self.items.as_slice().first().copied()
    }

    pub fn is_empty(&self) -> bool {
        self.first().is_none()
    }
}

impl Iterator for Elements {
    type Item = (Value, At);

    fn next(&mut self) -> Option<(Value, At)> {
        let item = self.items.next()?;
        let at = self.next;
        self.next = at.next();
        Some((item, at))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl ExactSizeIterator for Elements {}

impl Run<'_> {
    /// Opens an object for reading.
    pub fn object(&mut self, value: Value, at: At) -> Result<Reading> {
        if self.store.kind(value) != Kind::Object {
            return self.wrong_type(value, at, "an object");
        }
        let mut noticed = Vec::new();
        let mut fields = self.store.readable(value, &mut noticed).map_err(|fault| self.fault(fault, at))?;
        if !noticed.is_empty() {
            self.report_noticed(at, &fields, noticed);
        }
        if self.route.is_for_google() {
            self.read_snake_case(&mut fields, at);
        }
        Ok(Reading(Box::new(Inner { at, was_empty: fields.is_empty(), fields, kept: Metadata::default() })))
    }

    pub fn array(&mut self, value: Value, at: At) -> Result<Items> {
        if self.store.kind(value) != Kind::Array {
            return self.wrong_type(value, at, "an array");
        }
        self.store.items(value).map_err(|fault| self.fault(fault, at))
    }

    /// The elements with their positions.
    pub fn elements(&mut self, value: Value, at: At) -> Result<Elements> {
        // Google's servers accept a single object as a list of one
        if self.store.kind(value) == Kind::Object && self.route.is_for_google() {
            return Ok(Elements::new(vec![value], at));
        }
        let items = self.array(value, at)?;
        let first = self.paths.down_all(at, items.len());
        Ok(Elements::new(items, first))
    }

    /// Reads every element.
    pub fn each<T>(&mut self, value: Value, at: At, read: fn(&mut Run, Value, At) -> Result<T>) -> Result<Vec<T>> {
        let elements = self.elements(value, at)?;
        let mut all = Vec::with_capacity(elements.len());
        for (element, at) in elements {
            all.push(read(self, element, at)?);
        }
        Ok(all)
    }

    /// The value of a required field, or an error.
    pub fn present(&self, value: Option<Value>, at: At) -> Result<Value> {
        value.map_or_else(|| self.fail(ErrorCode::MissingField, at, IS_MISSING), Ok)
    }

    pub fn strings(&mut self, value: Value, at: At) -> Result<Vec<Value>> {
        self.each(value, at, |run, item, at| run.string(item, at))
    }

    pub fn string(&self, value: Value, at: At) -> Result<Value> {
        if self.store.kind(value) == Kind::String { Ok(value) } else { self.wrong_type(value, at, "a string") }
    }

    /// A token count: a number, or a string of digits, as some servers send it.
    pub fn count(&self, value: Value) -> Option<f64> {
        match self.store.kind(value) {
            Kind::Number => Some(self.store.number(value)),
            Kind::String => digits(self.store.text(value).trim()),
            _ => None,
        }
    }

    /// An object that is passed on whole.
    pub fn plain_object(&self, value: Value, at: At) -> Result<Value> {
        if self.store.kind(value) == Kind::Object { Ok(value) } else { self.wrong_type(value, at, "an object") }
    }

    pub fn boolean(&self, value: Value, at: At) -> Result<bool> {
        if self.store.kind(value) == Kind::Boolean {
            Ok(self.store.boolean(value))
        } else {
            self.wrong_type(value, at, "a boolean")
        }
    }

    pub fn number(&self, value: Value, at: At) -> Result<f64> {
        if self.store.kind(value) == Kind::Number {
            Ok(self.store.number(value))
        } else {
            self.wrong_type(value, at, "a number")
        }
    }

    /// The members of an object as they are; of duplicates, the last one.
    pub fn fields(&mut self, object: Value, at: At) -> Result<Fields> {
        self.store.fields(object, &mut Vec::new()).map_err(|fault| self.fault(fault, at))
    }

    /// The members of a nested object. If JavaScript fails to read them, the conversion fails at its end.
    pub fn members(&mut self, object: Value) -> Fields {
        let fields = self.store.fields(object, &mut Vec::new());
        fields.unwrap_or_else(|fault| self.fail_later(fault))
    }

    /// The elements of a nested array. Fails like [`Run::members`].
    pub fn list(&mut self, array: Value) -> Items {
        let items = self.store.items(array);
        items.unwrap_or_else(|fault| self.fail_later(fault))
    }

    fn fail_later<T: Default>(&mut self, fault: Fault) -> T {
        self.fault(fault, At::ROOT);
        T::default()
    }

    pub fn member(&mut self, object: Value, word: Word) -> Option<Value> {
        let fields = self.members(object);
        fields.iter().find(|field| field.word == word).map(|field| field.value)
    }

    /// The `type` of an object.
    pub fn type_of(&mut self, value: Value) -> Word {
        let kind = if self.store.kind(value) == Kind::Object { self.member(value, Word::r#type) } else { None };
        kind.map_or(Word::Unknown, |kind| self.store.word(kind))
    }

    pub fn is_same_key(&mut self, left: Key, right: Key) -> bool {
        match (left, right) {
            (Key::Word(left), Key::Word(right)) => left == right,
            (Key::Text(left), Key::Text(right)) => self.store.same(left, right),
            _ => false,
        }
    }

    pub fn key_text(&self, key: Key) -> Cow<'_, str> {
        match key {
            Key::Word(word) => word.text().into(),
            Key::Text(text) => self.store.text(text),
        }
    }

    /// The key as a value.
    pub fn key_value(&mut self, key: Key) -> Value {
        match key {
            Key::Word(word) => self.store.word_value(word),
            Key::Text(text) => text,
        }
    }

    /// Sets the positions of the members, which are below `at`, before they are added to the metadata of something else.
    pub fn place(&mut self, metadata: &mut Metadata, at: At) {
        for member in metadata.family_mut() {
            member.at = Some(member.at.unwrap_or_else(|| self.down_key(at, member.key)));
        }
    }

    /// Adds members that are below `at` to the metadata of something else.
    pub fn add_below(&mut self, metadata: &mut Metadata, members: &Metadata, at: At) {
        for member in members.family() {
            let at = self.down_key(at, member.key);
            metadata.add_at(member.key, member.value, at);
        }
    }

    /// Adds fields of a nested object to the metadata of what contains it: as an object under `word`, or for another format, as single fields with
    /// their positions.
    pub fn nest(&mut self, word: Word, fields: &Metadata, at: At, outer: &mut Metadata) {
        if !self.route.keeps_family() {
            self.add_below(outer, fields, at);
        } else if !fields.family().is_empty() {
            let value = self.family_object(fields);
            outer.add(Key::Word(word), value);
        }
    }

    /// Whether a form records that a modelled field was absent.
    pub fn is_omitted(&self, metadata: &Metadata, word: Word) -> bool {
        metadata.form(word).is_some_and(|form| self.store.word(form) == Word::omitted)
    }

    /// Whether a string consists of white space only.
    pub fn is_blank(&self, string: Value) -> bool {
        const LOOK: usize = 8;
        let is_space = |text: &str| text.chars().all(char::is_whitespace);
        if !self.store.may_be_blank(string) {
            return false;
        }
        self.store.is_empty(string) || is_space(&self.store.head(string, LOOK)) && is_space(&self.store.text(string))
    }

    /// Whether a value is empty, or an object of empty values: every choice of OpenAI has `logprobs: null`.
    pub fn is_all_void(&mut self, value: Value) -> bool {
        self.is_void(value)
            || self.store.kind(value) == Kind::Object
                && self.members(value).iter().all(|field| self.is_void(field.value))
    }

    /// Whether a form is a field's own empty value, which is written again.
    pub fn is_empty_form(&mut self, form: Value) -> bool {
        matches!(self.store.kind(form), Kind::Null | Kind::Array | Kind::Object) && self.is_void(form)
    }

    /// Whether a value is empty: null, `""`, `[]` or `{}`.
    pub fn is_void(&mut self, value: Value) -> bool {
        match self.store.kind(value) {
            Kind::Null => true,
            Kind::String => self.store.is_empty(value),
            Kind::Array | Kind::Object => {
                let nothing = self.store.has_no_elements(value);
                nothing.unwrap_or_else(|fault| self.fail_later(fault))
            }
            Kind::Boolean | Kind::Number | Kind::Other => false,
        }
    }
}

/// The value of a string of digits, if a double holds it exactly. The standard parser for doubles would add 13 kB of tables.
fn digits(text: &str) -> Option<f64> {
    let is_exact = text.len() <= 15 && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_: &u64| is_exact).map(|count| count as f64)
}

impl Reading {
    pub fn at(&self) -> At {
        self.0.at
    }

    #[inline(never)]
    fn index(&self, word: Word) -> Option<usize> {
        self.0.fields.iter().position(|field| field.word == word)
    }

    /// Takes a member, even if it is null.
    pub fn take_any(&mut self, word: Word) -> Option<Value> {
        let index = self.index(word)?;
        self.0.fields.take(index).map(|field| field.value)
    }

    /// Takes members whose values do not matter.
    pub fn skip(&mut self, words: &[Word]) {
        for word in words {
            self.take_any(*word);
        }
    }

    /// Takes a field that states what a response is, such as its type. Returns whether it was there. Any other value than the usual one is reported
    /// and then ignored.
    pub fn take_usual(&mut self, run: &mut Run, word: Word, usual: Word) -> bool {
        let Some(value) = self.take_any(word) else { return false };
        if run.store.word(value) != usual && !run.is_void(value) {
            let at = run.down(self.at(), word);
            run.warn(WarningCode::FieldDropped, at, &format!("read as \"{}\"", usual.text()));
        }
        true
    }

    /// Records the form of a modelled field that differs from the usual one.
    pub fn note(&mut self, word: Word, form: Value) {
        self.0.kept.add_form(word, form);
    }

    /// Records that a modelled field was absent; for one that was null, that is recorded already.
    pub fn note_omitted(&mut self, run: &mut Run, word: Word) {
        if !self.has_form(word) {
            self.note(word, run.store.word_value(Word::omitted));
        }
    }

    pub fn has_form(&self, word: Word) -> bool {
        self.0.kept.form(word).is_some()
    }

    /// Returns members that were taken in vain, as rests of nested objects.
    pub fn give_back(&mut self, nested: Metadata) {
        for member in nested.family() {
            self.0.kept.add_member(*member);
        }
        for (word, value) in nested.forms() {
            self.0.kept.add_form(*word, *value);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.fields.is_empty() && self.0.kept.is_empty()
    }

    pub fn has(&self, word: Word) -> bool {
        self.index(word).is_some()
    }

    /// Whether there is a member that is not null: some clients and servers send all possible fields.
    pub fn holds(&self, run: &Run, word: Word) -> bool {
        self.peek(word).is_some_and(|value| run.store.kind(value) != Kind::Null)
    }

    /// A member, without taking it.
    pub fn peek(&self, word: Word) -> Option<Value> {
        self.0.fields.get(self.index(word)?).map(|field| field.value)
    }

    /// Takes a member. Null counts as absent; a form records it if the run keeps forms.
    pub fn take(&mut self, run: &Run, word: Word) -> Option<Value> {
        let value = self.take_any(word)?;
        if run.store.kind(value) == Kind::Null {
            if run.route.keeps_family() {
                self.0.kept.add_form(word, value);
            }
            return None;
        }
        Some(value)
    }

    /// Takes a member, with its position.
    pub fn take_at(&mut self, run: &mut Run, word: Word) -> Option<(Value, At)> {
        let value = self.take(run, word)?;
        Some((value, run.down(self.0.at, word)))
    }

    /// Takes a member and reads it.
    pub fn read<T>(
        &mut self,
        run: &mut Run,
        word: Word,
        read: fn(&mut Run, Value, At) -> Result<T>,
    ) -> Result<Option<T>> {
        self.take_at(run, word).map(|(value, at)| read(run, value, at)).transpose()
    }

    /// Takes an array. Returns its elements: none if it is absent.
    pub fn elements(&mut self, run: &mut Run, word: Word) -> Result<Elements> {
        Ok(self.read(run, word, |run, array, at| run.elements(array, at))?.unwrap_or_else(Elements::none))
    }

    pub fn require(&mut self, run: &mut Run, word: Word) -> Result<(Value, At)> {
        let at = run.down(self.0.at, word);
        Ok((run.present(self.take_any(word), at)?, at))
    }

    /// Takes an object, to read it.
    pub fn require_object(&mut self, run: &mut Run, word: Word) -> Result<Reading> {
        let (object, at) = self.require(run, word)?;
        run.object(object, at)
    }

    /// Takes an object, to read it, if there is one.
    pub fn object(&mut self, run: &mut Run, word: Word) -> Result<Option<Reading>> {
        self.read(run, word, |run, object, at| run.object(object, at))
    }

    /// Returns the members of a nested object that were not taken.
    pub fn give_back_rest(&mut self, run: &mut Run, word: Word, inner: Reading) {
        self.give_back(inner.rest_in(run, word));
    }

    /// Takes a string, with its position.
    pub fn string_at(&mut self, run: &mut Run, word: Word) -> Result<Option<(Value, At)>> {
        self.take_at(run, word).map(|(value, at)| Ok((run.string(value, at)?, at))).transpose()
    }

    pub fn string(&mut self, run: &mut Run, word: Word) -> Result<Option<Value>> {
        self.take_at(run, word).map(|(value, at)| run.string(value, at)).transpose()
    }

    /// Takes a string; the empty one if it is absent.
    pub fn string_or_empty(&mut self, run: &mut Run, word: Word) -> Result<Value> {
        Ok(self.string(run, word)?.unwrap_or_else(|| run.store.string("")))
    }

    pub fn require_string(&mut self, run: &mut Run, word: Word) -> Result<Value> {
        let (value, at) = self.require(run, word)?;
        run.string(value, at)
    }

    pub fn strings_at(&mut self, run: &mut Run, word: Word) -> Result<Option<(Vec<Value>, At)>> {
        self.read(run, word, |run, list, at| Ok((run.strings(list, at)?, at)))
    }

    /// Takes a number, with its position.
    pub fn number_at(&mut self, run: &mut Run, word: Word) -> Result<Option<(Value, At)>> {
        self.read(run, word, |run, value, at| run.number(value, at).map(|_| (value, at)))
    }

    pub fn boolean(&mut self, run: &mut Run, word: Word) -> Result<Option<bool>> {
        Ok(self.boolean_at(run, word)?.map(|(boolean, _)| boolean))
    }

    pub fn boolean_at(&mut self, run: &mut Run, word: Word) -> Result<Option<(bool, At)>> {
        self.take_at(run, word).map(|(value, at)| Ok((run.boolean(value, at)?, at))).transpose()
    }

    pub fn number(&mut self, run: &mut Run, word: Word) -> Result<Option<f64>> {
        self.take_at(run, word).map(|(value, at)| run.number(value, at)).transpose()
    }

    /// Takes a token count. A value that is not a count is not taken.
    pub fn count(&mut self, run: &mut Run, word: Word) -> Option<f64> {
        let value = self.peek(word)?;
        let count = run.count(value);
        if count.is_some() || run.store.kind(value) == Kind::Null {
            self.take(run, word);
        }
        count
    }

    /// The members that were not taken, and the nulls that counted as absent.
    pub fn rest(self) -> Metadata {
        let Inner { mut fields, kept: mut metadata, .. } = *self.0;
        fields.retain(|field| field.value.reason().is_none());
        metadata.add_first(&fields);
        metadata
    }

    /// The rest of a nested object, under `word`.
    pub fn rest_in(self, run: &mut Run, word: Word) -> Metadata {
        let mut metadata = Metadata::default();
        self.rest_into(run, word, &mut metadata);
        metadata
    }

    /// As [`Reading::rest`], for a nested object: its rest goes under `word` into the outer metadata.
    pub fn rest_into(mut self, run: &mut Run, word: Word, outer: &mut Metadata) {
        self.0.fields.retain(|field| field.value.reason().is_none());
        if self.0.was_empty && MAY_BE_EMPTY.contains(&word) {
            outer.add_form(word, run.store.empty_object());
        }
        if run.route.keeps_family() || self.is_empty() {
            return self.nest_into(run, word, outer);
        }
        for member in self.0.kept.family() {
            outer.add_member(*member);
        }
        for field in &self.0.fields {
            let at = run.down_key(self.0.at, Key::from(*field));
            outer.add_at(Key::from(*field), field.value, at);
        }
    }

    /// As [`Reading::rest_into`], but always as one object.
    pub fn nest_into(mut self, run: &mut Run, word: Word, outer: &mut Metadata) {
        self.0.fields.retain(|field| field.value.reason().is_none());
        if self.is_empty() {
            return;
        }
        run.store.start();
        run.store.begin_object();
        for field in &self.0.fields {
            run.put_key(Key::from(*field));
            run.store.put(field.value);
        }
        for member in self.0.kept.family() {
            run.put_key(member.key);
            run.store.put(member.value);
        }
        run.store.end_object();
        let rest = run.store.finish();
        if !run.is_void(rest) {
            outer.add_at(Key::Word(word), rest, self.at());
        }
        let (nulls, forms): (Vec<_>, Vec<_>) =
            self.0.kept.forms().iter().copied().partition(|(_, value)| run.is_empty_form(*value));
        for (word, form) in forms {
            outer.add_form(word, form);
        }
        if !nulls.is_empty() {
            let nulls = run.build(|run| {
                run.store.begin_object();
                for (word, null) in nulls {
                    run.store.key(word);
                    run.store.put(null);
                }
                run.store.end_object();
            });
            outer.add_form(word, nulls);
        }
    }
}
