//! Reads objects so that no member is lost: members that a dialect does not take end up in the metadata.

use super::{At, Elements, Metadata, Result, Run, WarningCode};
use crate::value::{Fields, Kind, Value, Word};

/// Objects of settings that mean the same when empty as when absent: a form records that they were present.
const MAY_BE_EMPTY: &[Word] = &[
    Word::options,
    Word::reasoning,
    Word::text,
    Word::metadata,
    Word::output_config,
    Word::generationConfig,
    Word::generation_config,
    Word::toolConfig,
    Word::inferenceConfig,
    Word::outputConfig,
    Word::additionalModelRequestFields,
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
        if self.route.is_loosely_spelled() {
            self.read_snake_case(&mut fields, at);
        }
        Ok(Reading(Box::new(Inner { at, was_empty: fields.is_empty(), fields, kept: Metadata::default() })))
    }
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

    /// Takes a member that is not null, with its position, if it is as it should be. Any other stays.
    pub fn take_if(
        &mut self,
        run: &mut Run,
        word: Word,
        is_right: impl FnOnce(&mut Run, Value) -> bool,
    ) -> Option<(Value, At)> {
        let value = self.peek(word)?;
        if is_right(run, value) { self.take_at(run, word) } else { None }
    }

    /// Takes members whose values do not matter.
    pub fn skip(&mut self, words: &[Word]) {
        for word in words {
            self.take_any(*word);
        }
    }

    /// Takes a field that states what a response is, such as its type. Returns whether it was there. An empty value is a form; any other than the usual
    /// one is reported and then ignored.
    pub fn take_usual(&mut self, run: &mut Run, word: Word, usual: Word) -> bool {
        let Some(value) = self.take_any(word) else { return false };
        if run.is_void(value) {
            self.note(word, value);
        } else if run.store.word(value) != usual {
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
        for member in nested.family_fields() {
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

    /// Takes a string. An empty one counts as absent; a form records it.
    pub fn text(&mut self, run: &mut Run, word: Word) -> Result<Option<Value>> {
        let text = self.string(run, word)?;
        if let Some(empty) = text.filter(|text| run.store.is_empty(*text)) {
            self.note(word, empty);
            return Ok(None);
        }
        Ok(text)
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
    pub fn rest_into(self, run: &mut Run, word: Word, outer: &mut Metadata) {
        if self.0.was_empty && MAY_BE_EMPTY.contains(&word) {
            outer.add_form(word, run.store.empty_object());
        }
        let at = self.at();
        run.nest(word, &self.rest(), at, outer);
    }

    /// As [`Reading::rest_into`], but always as one object.
    pub fn nest_into(self, run: &mut Run, word: Word, outer: &mut Metadata) {
        let at = self.at();
        run.nest_whole(word, &self.rest(), at, outer);
    }
}
