//! Writes objects with their metadata: first the fields that the dialect models, then those that it does not.

use super::{At, Key, Made, Member, Metadata, Run};
use crate::value::order::in_order;
use crate::value::{Field, Kind, Value, Word};

/// An object that is being written. Its keys are in the run's list, from index `from` on: nested objects are ended before it continues, so one list
/// is enough.
#[must_use = "call end() or close()"]
pub struct Writing {
    from: usize,
    /// The same for objects that were merged into nested ones.
    merged_from: usize,
    /// What metadata have of a nested object. None for an object that has its metadata to itself.
    inside: Option<Inside>,
}

#[derive(Clone, Copy)]
struct Inside {
    rest: Option<Value>,
    empties: Option<Value>,
}

/// What was written under a key.
#[derive(Clone, Copy)]
pub enum Entry {
    Value(Value),
    /// A nested object or array, written directly after the key.
    Inside,
    /// Nothing: the key is suppressed, so that metadata do not write it.
    Elsewhere,
}

/// The objects that are being built.
#[derive(Default)]
pub struct Building {
    /// The keys of all objects that are being written, those of the innermost last: see [`Writing`].
    written: Vec<(Word, Entry)>,
    /// Objects that were merged into written ones, each with those of its fields that were not written.
    merged: Vec<(Value, Vec<Field>)>,
}

impl Building {
    /// The number of keys so far.
    pub(super) fn mark(&self) -> usize {
        self.written.len()
    }

    /// Closes objects that a failed step left open.
    pub(super) fn close_after(&mut self, mark: usize) {
        self.written.truncate(mark);
    }

    /// An object whose keys follow.
    fn begin(&mut self) -> Writing {
        if self.written.capacity() == 0 {
            self.written.reserve(32);
        }
        Writing { from: self.written.len(), merged_from: self.merged.len(), inside: None }
    }
}

impl Run<'_> {
    pub fn begin(&mut self) -> Writing {
        self.store.begin_object();
        self.building.begin()
    }

    /// Begins an object that is nested under `word` in the one that the metadata describe.
    pub fn begin_inside(&mut self, metadata: &Metadata, word: Word) -> Writing {
        let is_object = |value: &Value| value.kind() == Kind::Object;
        let (rest, empties) = (metadata.own_field(word).filter(is_object), metadata.form(word).filter(is_object));
        Writing { inside: Some(Inside { rest, empties }), ..self.begin() }
    }

    pub fn put_key(&mut self, key: Key) {
        match key {
            Key::Word(word) => self.store.key(word),
            Key::Text(value) => self.store.key_of(value),
        }
    }
}

impl Writing {
    /// Writes a key; its value must follow.
    pub fn key(&mut self, run: &mut Run, word: Word) {
        run.building.written.push((word, Entry::Inside));
        run.store.key(word);
    }

    pub fn put(&mut self, run: &mut Run, word: Word, value: Value) {
        run.building.written.push((word, Entry::Value(value)));
        run.store.key(word);
        run.store.put(value);
    }

    pub fn option(&mut self, run: &mut Run, word: Word, value: Option<Value>) {
        if let Some(value) = value {
            self.put(run, word, value);
        }
    }

    /// Writes a field whose value `write` writes, if there is one.
    pub fn written<T>(&mut self, run: &mut Run, word: Word, value: Option<&T>, write: impl FnOnce(&mut Run, &T)) {
        if let Some(value) = value {
            self.key(run, word);
            write(run, value);
        }
    }

    pub fn put_or_null(&mut self, run: &mut Run, word: Word, value: Option<Value>) {
        match value {
            Some(value) => self.put(run, word, value),
            None => self.null(run, word),
        }
    }

    pub fn text(&mut self, run: &mut Run, word: Word, content: &str) {
        self.key(run, word);
        run.store.put_text(content);
    }

    /// Writes an object.
    pub fn object(&mut self, run: &mut Run, word: Word, write: impl FnOnce(&mut Run, &mut Writing)) {
        self.key(run, word);
        let mut inner = run.begin();
        write(run, &mut inner);
        inner.close(run);
    }

    /// How this object had a field, if not in the usual way.
    pub fn form(&self, run: &mut Run, metadata: &Metadata, word: Word) -> Option<Value> {
        let form = metadata.form(word);
        let Some(inside) = self.inside else { return form };
        let empty = inside.empties.and_then(|empties| run.member(empties, word));
        empty.or_else(|| form.filter(|form| !run.is_void(*form)))
    }

    /// Whether the provider's own fields of this object, or their forms, state what is written under a key.
    pub fn states(&self, run: &mut Run, metadata: &Metadata, word: Word) -> bool {
        let field = match self.inside {
            Some(inside) => inside.rest.and_then(|rest| run.member(rest, word)),
            None => metadata.family_field(word),
        };
        field.is_some() || self.form(run, metadata, word).is_some()
    }

    /// Writes a word that the object usually has.
    pub fn usual(&mut self, run: &mut Run, metadata: &Metadata, key: Word, word: Word) {
        if self.form(run, metadata, key).is_none() {
            self.word(run, key, word);
        }
    }

    /// Writes a partly modelled object: what `write` writes, and the rest from the metadata.
    pub fn object_with_rest(
        &mut self,
        run: &mut Run,
        metadata: &Metadata,
        word: Word,
        write: impl FnOnce(&mut Run, &mut Writing),
    ) {
        self.key(run, word);
        let mut inner = run.begin_inside(metadata, word);
        write(run, &mut inner);
        inner.add_nested(run, metadata, word);
        inner.close(run);
    }

    /// Writes an array whose elements `write` puts.
    pub fn array(&mut self, run: &mut Run, word: Word, write: impl FnOnce(&mut Run)) {
        self.key(run, word);
        run.store.begin_array();
        write(run);
        run.store.end_array();
    }

    /// Writes an array as [`Run::put_each`] does.
    pub fn each<T>(
        &mut self,
        run: &mut Run,
        word: Word,
        items: impl IntoIterator<Item = T>,
        write: impl FnMut(&mut Run, T),
    ) {
        self.key(run, word);
        run.put_each(items, write);
    }

    pub fn list(&mut self, run: &mut Run, word: Word, values: &[Value]) {
        self.key(run, word);
        run.store.put_array(values);
    }

    pub fn option_list(&mut self, run: &mut Run, word: Word, values: Option<&(Vec<Value>, At)>) {
        if let Some((values, _)) = values {
            self.list(run, word, values);
        }
    }

    /// Writes the concatenation of several texts; no field if there are none.
    pub fn joined(&mut self, run: &mut Run, word: Word, texts: &[Value]) {
        match texts {
            [] => {}
            [one] => self.put(run, word, *one),
            many => {
                let joined = run.store.join(many);
                self.put(run, word, joined);
            }
        }
    }

    pub fn word(&mut self, run: &mut Run, word: Word, value: Word) {
        self.key(run, word);
        run.store.put_word(value);
    }

    pub fn boolean(&mut self, run: &mut Run, word: Word, value: bool) {
        self.key(run, word);
        run.store.put_boolean(value);
    }

    pub fn number(&mut self, run: &mut Run, word: Word, value: f64) {
        self.key(run, word);
        run.store.put_number(value);
    }

    /// Writes a number, if there is one.
    pub fn count(&mut self, run: &mut Run, word: Word, value: Option<f64>) {
        if let Some(value) = value {
            self.number(run, word, value);
        }
    }

    /// Writes a setting that is a boolean, if it is there.
    pub fn flag(&mut self, run: &mut Run, word: Word, value: Option<(bool, At)>) {
        if let Some((value, _)) = value {
            self.boolean(run, word, value);
        }
    }

    pub fn null(&mut self, run: &mut Run, word: Word) {
        self.key(run, word);
        run.store.put_null();
    }

    pub fn has(&self, run: &Run, word: Word) -> bool {
        word != Word::Unknown && run.building.written.iter().skip(self.from).any(|(known, _)| *known == word)
    }

    /// Suppresses a key, so that metadata do not write it.
    pub fn skip(&mut self, run: &mut Run, word: Word) {
        run.building.written.push((word, Entry::Elsewhere));
    }

    /// Suppresses the rest of a partly modelled object that was merged into the place where the object is written. If the target lacks the object,
    /// there is no such place.
    pub fn merged(&mut self, run: &mut Run, metadata: &Metadata, word: Word) {
        let rest = metadata.own_field(word).filter(|_| !run.route.is_missing(word));
        if rest.is_some_and(|rest| run.store.kind(rest) == Kind::Object) {
            self.skip(run, word);
        }
    }

    /// Leaves out a field that another format of the provider has here, with a warning.
    pub fn refuse(&mut self, run: &mut Run, (metadata, at): (&Metadata, At), word: Word) {
        let member = metadata.family_fields().iter().find(|member| member.key.word() == word);
        if let Some(member) = member.filter(|_| !run.route.stays()) {
            let parent = run.family_at(at);
            run.warn_member(*member, parent);
            self.skip(run, word);
        }
    }

    /// Leaves out the rest of an object that another format has here, with a warning, apart from the field that was read.
    pub fn refuse_rest(&mut self, run: &mut Run, (metadata, at): (&Metadata, At), word: Word, read: Word) {
        self.skip(run, word);
        let rest = metadata.family_field(word).filter(|rest| run.store.kind(*rest) == Kind::Object);
        if let Some(rest) = rest {
            let parent = run.family_at(at);
            let parent = run.down(parent, word);
            run.warn_members(rest, parent, read);
        }
    }

    /// Ends an object that has no metadata.
    pub fn close(self, run: &mut Run) {
        run.building.written.truncate(self.from);
        run.store.end_object();
    }

    /// Ends an object for a provider: adds the fields that only it understands, or warns that they are left out.
    pub fn end(mut self, run: &mut Run, metadata: &Metadata, at: At) {
        if metadata.is_empty() {
            return self.close(run);
        }
        self.put_made(run, metadata);
        if run.route.changes_provider() {
            run.warn_family(metadata, at);
        } else {
            self.add_family(run, metadata, at);
        }
        if !self.has(run, Word::thought_signature) {
            run.warn_signature(metadata, at);
        }
        run.warn_other_families(metadata, at);
        run.building.merged.truncate(self.merged_from);
        self.close(run);
    }

    /// Writes the fields that were made up for the target's clients.
    pub fn put_made(&mut self, run: &mut Run, metadata: &Metadata) {
        for (word, made) in metadata.made() {
            if !self.has(run, *word) && !matches!(made, Made::NullInside(_) | Made::GivenInside(..)) {
                self.key(run, *word);
                made.put(run.store);
            }
        }
    }

    fn add_family(&mut self, run: &mut Run, metadata: &Metadata, at: At) {
        // sorted by word, as the order in which they were read is not kept
        let forms = metadata.forms();
        let order = in_order(forms, |(word, _)| *word as u32);
        for (word, value) in order.into_iter().filter_map(|position| forms.get(position).copied()) {
            if !self.has(run, word) && run.is_void(value) {
                self.put(run, word, value);
            }
        }
        let is_foreign = |run: &Run, member: &Member| {
            // the fields of a response have no meaning in another format, and those of a request only in the same place
            let is_elsewhere = || member.at.is_some() && run.route.is_from_provider();
            metadata.is_of_other_format() && (run.route.is_response || is_elsewhere())
        };
        for member in metadata.family_fields() {
            if self.has(run, member.key.word()) {
                self.warn_left_out(run, *member, at);
                continue;
            }
            if is_foreign(run, member) || is_lacking(run, member) {
                let parent = run.family_at(at);
                run.warn_member(*member, parent);
                continue;
            }
            run.put_key(member.key);
            run.store.put(member.value);
        }
    }

    /// Warns about the content of a family field that was not written although a field of its name was.
    fn warn_left_out(&mut self, run: &mut Run, member: Member, at: At) {
        let parent = run.family_at(at);
        let merged = run.building.merged.iter_mut().rev().find(|(object, _)| *object == member.value);
        match merged.map(|(_, left_out)| std::mem::take(left_out)) {
            Some(left_out) => {
                let parent = member.at.unwrap_or_else(|| run.down_key(parent, member.key));
                for field in left_out {
                    run.warn_member(Member { key: Key::from(field), value: field.value, at: None }, parent);
                }
            }
            None if self.is_overwritten(run, member, false) => run.warn_member(member, parent),
            None => {}
        }
    }

    /// Whether another value was written under the key of a family field: another format of the provider uses the name for something else.
    fn is_overwritten(&self, run: &mut Run, member: Member, is_inside_merged: bool) -> bool {
        let Member { key, value, at: _ } = member;
        let mut entries = run.building.written.iter().skip(self.from).filter(|(known, _)| *known == key.word());
        !entries.any(|(_, entry)| match *entry {
            Entry::Value(written) => run.store.same(written, value),
            Entry::Inside => is_inside_merged && run.store.kind(value) == Kind::Object,
            Entry::Elsewhere => true,
        })
    }

    /// Adds the rest of a partly modelled wire object: the members under its name, and its fields that were null.
    pub fn add_nested(&mut self, run: &mut Run, metadata: &Metadata, word: Word) {
        for (outer, made) in metadata.made() {
            match *made {
                Made::NullInside(inner) if *outer == word => self.null(run, inner),
                Made::GivenInside(inner, value) if *outer == word => self.put(run, inner, value),
                _ => {}
            }
        }
        self.add_rest(run, metadata.own_field(word));
        let nulls = metadata.form(word).filter(|form| run.store.kind(*form) == Kind::Object);
        let Some(nulls) = nulls.map(|nulls| run.members(nulls)) else { return };
        let order = in_order(&nulls, |field| field.word as u32);
        for field in order.into_iter().filter_map(|position| nulls.get(position)) {
            if !self.has(run, field.word) {
                self.put(run, field.word, field.value);
            }
        }
    }

    /// Writes a partly modelled object, unless it is empty or the target lacks it.
    pub fn nested(
        &mut self,
        run: &mut Run,
        metadata: &Metadata,
        word: Word,
        write: impl FnOnce(&mut Run, &mut Writing),
    ) {
        if run.route.is_missing(word) {
            return;
        }
        let value = run.build(|run| {
            let mut inner = run.begin_inside(metadata, word);
            write(run, &mut inner);
            inner.add_nested(run, metadata, word);
            inner.close(run);
        });
        self.put_unless_void(run, word, value);
    }

    /// Writes a value unless it is empty.
    pub fn put_unless_void(&mut self, run: &mut Run, word: Word, value: Value) {
        if !run.is_void(value) {
            self.put(run, word, value);
        }
    }

    /// Adds the members of `rest` that are not written yet and that the target has; none if it is not an object.
    pub fn add_rest(&mut self, run: &mut Run, rest: Option<Value>) {
        let Some(rest) = rest.filter(|rest| run.store.kind(*rest) == Kind::Object) else { return };
        let mut left_out = Vec::new();
        for field in run.members(rest) {
            let member = Member { key: Key::from(field), value: field.value, at: None };
            if run.route.is_missing(field.word) {
                left_out.push(field);
            } else if !self.has(run, field.word) {
                run.put_key(member.key);
                run.store.put(field.value);
            } else if self.is_overwritten(run, member, true) {
                left_out.push(field);
            }
        }
        run.building.merged.push((rest, left_out));
    }
}

/// Whether the target lacks the field, or its value.
fn is_lacking(run: &Run, member: &Member) -> bool {
    let word = member.key.word();
    run.route.lacks(word) || word == Word::service_tier && run.route.lacks(run.store.word(member.value))
}
