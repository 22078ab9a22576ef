//! Reads single values: checks their types, lists elements and members with their positions.

use super::error::IS_MISSING;
use super::{At, ErrorCode, Key, Member, Metadata, Provider, Result, Run};
use crate::value::{Fault, Fields, Items, Kind, Value, Word};
use std::borrow::Cow;

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
    pub fn array(&mut self, value: Value, at: At) -> Result<Items> {
        if self.store.kind(value) != Kind::Array {
            return self.wrong_type(value, at, "an array");
        }
        self.store.items(value).map_err(|fault| self.fault(fault, at))
    }

    /// The elements with their positions.
    pub fn elements(&mut self, value: Value, at: At) -> Result<Elements> {
        // Google's servers accept a single object as a list of one
        if self.store.kind(value) == Kind::Object && self.route.is_loosely_spelled() {
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

    /// Adds members that are below `at` to the metadata of something else. Those that have a position already come first.
    pub fn add_below(&mut self, metadata: &mut Metadata, members: &Metadata, at: At) {
        let (placed, others): (Vec<&Member>, Vec<&Member>) =
            members.family_fields().iter().partition(|member| member.at.is_some());
        for member in placed.into_iter().chain(others) {
            let at = member.at.unwrap_or_else(|| self.down_key(at, member.key));
            metadata.add_at(member.key, member.value, at);
        }
    }

    /// Adds the members and forms of a nested object to the metadata of what contains it: as an object under `word`, or for another format, as single
    /// fields with their positions.
    pub fn nest(&mut self, word: Word, inner: &Metadata, at: At, outer: &mut Metadata) {
        if inner.is_empty() {
            return;
        }
        if self.route.keeps_family() {
            self.nest_whole(word, inner, at, outer);
        } else {
            self.add_below(outer, inner, at);
        }
    }

    /// As [`Run::nest`], but always as an object. Its empty fields are the form under `word`, as an object of their own.
    pub fn nest_whole(&mut self, word: Word, inner: &Metadata, at: At, outer: &mut Metadata) {
        if !inner.family_fields().is_empty() {
            let rest = self.family_object(inner);
            outer.add_at(Key::Word(word), rest, at);
        }
        let (nulls, forms): (Vec<_>, Vec<_>) =
            inner.forms().iter().copied().partition(|(_, value)| self.is_void(*value));
        for (word, form) in forms {
            outer.add_form(word, form);
        }
        if !nulls.is_empty() {
            let nulls = self.build(|run| {
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

    /// A field of one of OpenAI's formats that means something to other targets, too: of the source, or of a provider's entry in canonical input.
    pub fn openai_field(&mut self, metadata: &Metadata, word: Word) -> Option<Value> {
        let own = metadata.fields().find(|member| member.key.word() == word).filter(|_| self.route.has_openai_fields());
        if let Some(own) = own {
            return Some(own.value);
        }
        let mut others = metadata.others().iter().filter(|other| other.has_openai_fields());
        others.find_map(|other| self.field(other.value, word))
    }

    /// A member, if the value is an object.
    pub fn field(&mut self, object: Value, word: Word) -> Option<Value> {
        if self.store.kind(object) == Kind::Object { self.member(object, word) } else { None }
    }

    /// Takes a field that another format left behind, also if the input was in the canonical format before: its value and position, for something at
    /// `at`. `borrowed`: also what clients of OpenAI's formats borrow from others.
    pub fn take_foreign(
        &mut self,
        (metadata, at): (&mut Metadata, At),
        (word, borrowed): (Word, bool),
        accepts: fn(&mut Run, Value) -> bool,
    ) -> Option<(Value, At)> {
        if let Some(Member { value, at: own, .. }) =
            metadata.left_mut().iter().find(|member| member.key.word() == word).copied()
        {
            let at = own.unwrap_or_else(|| self.down(at, word));
            return (accepts(self, value) && metadata.take_left(word).is_some()).then_some((value, at));
        }
        let is_providers = |member: &&mut Member| {
            Provider::of(member.key.word()).is_some() && (borrowed || !member.has_openai_fields())
        };
        for entry in metadata.others_mut().iter_mut().filter(is_providers) {
            if let Some(value) = self.field(entry.value, word)
                && accepts(self, value)
            {
                entry.value = self.without(entry.value, word);
                let at = self.entry_at(at, entry.key);
                return Some((value, self.down(at, word)));
            }
        }
        None
    }

    /// An object without a member.
    pub fn without(&mut self, object: Value, word: Word) -> Value {
        self.build_object(|run, rest| {
            rest.skip(run, word);
            rest.add_rest(run, Some(object));
        })
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
