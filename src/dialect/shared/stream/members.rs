//! Objects and lists that arrive in pieces.

use super::Fragments;
use crate::model::Metadata;
use crate::run::{At, Key, Result, Run};
use crate::value::order::in_order;
use crate::value::{Kind, Value, Word};

/// The members of an object so far. Null and an empty string replace nothing.
#[derive(Debug, Default)]
pub struct Members {
    /// The strings that arrive in pieces, at any depth but not in metadata. They are appended to, and so are arrays and objects. If None, the last
    /// value of each member counts.
    growing: Option<&'static [Word]>,
    entries: Vec<Entry>,
    /// A buffer for the JSON text of a new value.
    scratch: Vec<u8>,
}

#[derive(Debug)]
struct Entry {
    word: Word,
    /// JSON text; empty if the key is a word.
    key: Vec<u8>,
    value: Grown,
}

/// A value so far.
#[derive(Debug)]
enum Grown {
    /// JSON text; empty before there is a value.
    Whole(Vec<u8>),
    Text(Fragments),
    /// Elements as JSON texts, separated by commas.
    Items(Vec<u8>),
    Object(Members),
}

impl Members {
    pub fn new(growing: &'static [Word]) -> Members {
        Members { growing: Some(growing), ..Members::default() }
    }

    /// Adds all members of a piece.
    pub fn add_all(&mut self, run: &mut Run, metadata: &Metadata, at: At) -> Result<()> {
        metadata.family_fields().iter().try_for_each(|member| self.add(run, member.key, member.value, at).map(|_| ()))
    }

    /// Adds a value. Returns whether anything is different now.
    pub fn add(&mut self, run: &mut Run, key: Key, value: Value, at: At) -> Result<bool> {
        let word = key.word();
        let key = text_of(run, key)?;
        let known = self.entries.iter().position(|entry| entry.word == word && entry.key == key);
        let position = known.unwrap_or(self.entries.len());
        if known.is_none() {
            self.entries.push(Entry { word, key, value: Grown::Whole(Vec::new()) });
        }
        let Some(entry) = self.entries.get_mut(position) else { return Ok(false) };
        entry.value.grow(run, (self.growing, &mut self.scratch), (word, value), at)
    }

    /// Adds members that are not empty. Returns those with new values. Of the words in `first_counts`, the first value counts.
    pub fn news(&mut self, run: &mut Run, metadata: &Metadata, first_counts: &[Word]) -> Result<Metadata> {
        let mut news = Metadata::default();
        for member in metadata.family_fields() {
            let word = member.key.word();
            let is_settled = first_counts.contains(&word) && self.has(word);
            if !is_settled && !run.is_void(member.value) && self.add(run, member.key, member.value, At::ROOT)? {
                news.add_member(*member);
            }
        }
        Ok(news)
    }

    /// Appends to a string; a path of several words leads to a string in nested objects.
    pub fn extend(&mut self, path: &[Word], text: &[u8]) {
        let Some((word, rest)) = path.split_first() else { return };
        match self.entries.iter_mut().find(|entry| entry.word == *word).map(|entry| &mut entry.value) {
            Some(Grown::Text(known)) => known.extend(text),
            Some(Grown::Object(members)) => members.extend(rest, text),
            Some(Grown::Whole(_) | Grown::Items(_)) | None => {}
        }
    }

    /// Whether a member is absent, null or an empty string.
    pub fn is_blank(&self, word: Word) -> bool {
        self.entries.iter().filter(|entry| entry.word == word).all(|entry| entry.value.is_blank())
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn has(&self, word: Word) -> bool {
        self.entries.iter().any(|entry| entry.word == word)
    }

    /// A member so far.
    pub fn value(&self, run: &mut Run, word: Word) -> Result<Option<Value>> {
        let entry = self.entries.iter().find(|entry| entry.word == word);
        entry.map(|entry| run.try_build(|run| entry.value.put(run))).transpose()
    }

    pub fn remove(&mut self, word: Word) {
        self.entries.retain(|entry| entry.word != word);
    }

    /// The object so far.
    pub fn object(&self, run: &mut Run) -> Result<Value> {
        run.try_build(|run| self.put_object(run))
    }

    fn put_object(&self, run: &mut Run) -> Result<()> {
        run.store.begin_object();
        let put = self.put(run);
        run.store.end_object();
        put
    }

    /// Writes the members into the object that is open.
    pub fn put(&self, run: &mut Run) -> Result<()> {
        self.put_but(run, &[])
    }

    /// Like [`Members::put`], without some of them.
    pub fn put_but(&self, run: &mut Run, left_out: &[Word]) -> Result<()> {
        for entry in self.entries.iter().filter(|entry| !left_out.contains(&entry.word)) {
            if entry.word == Word::Unknown {
                let key = run.import(&entry.key)?;
                run.store.key_of(key);
            } else {
                run.store.key(entry.word);
            }
            entry.value.put(run)?;
        }
        Ok(())
    }
}

impl Grown {
    /// The members of an object that arrives in pieces.
    fn members(&mut self) -> Option<&mut Members> {
        match self {
            Grown::Object(members) => Some(members),
            Grown::Whole(_) | Grown::Text(_) | Grown::Items(_) => None,
        }
    }

    fn is_blank(&self) -> bool {
        match self {
            Grown::Whole(json) => matches!(json.as_slice(), b"" | b"null" | b"\"\""),
            Grown::Text(text) => text.is_empty(),
            Grown::Items(_) | Grown::Object(_) => false,
        }
    }

    /// Adds a value. Returns whether anything is different now.
    fn grow(
        &mut self,
        run: &mut Run,
        (growing, scratch): (Option<&'static [Word]>, &mut Vec<u8>),
        (word, value): (Word, Value),
        at: At,
    ) -> Result<bool> {
        let kind = run.store.kind(value);
        let replaces_nothing = match kind {
            Kind::Null => !matches!(self, Grown::Whole(json) if json.is_empty()),
            Kind::String => run.store.is_empty(value) && !self.is_blank(),
            _ => false,
        };
        if replaces_nothing {
            return Ok(false);
        }
        match (&mut *self, kind) {
            (Grown::Text(text), Kind::String) => text.push(run, value, at)?,
            (Grown::Items(items), Kind::Array) => push_items(run, items, value)?,
            (Grown::Object(members), Kind::Object) => members.add_object(run, value, at)?,
            (_, Kind::String) if growing.is_some_and(|growing| growing.contains(&word)) => {
                let mut text = Fragments::default();
                text.push(run, value, at)?;
                *self = Grown::Text(text);
            }
            (_, Kind::Array) if growing.is_some() => {
                let mut items = Vec::new();
                push_items(run, &mut items, value)?;
                *self = Grown::Items(items);
            }
            (_, Kind::Object) if growing.is_some() => {
                let growing = if word == Word::metadata { Some([].as_slice()) } else { growing };
                let mut members = Members { growing, ..Members::default() };
                members.add_object(run, value, at)?;
                *self = Grown::Object(members);
            }
            _ => {
                scratch.clear();
                run.store.append_json(value, scratch).map_err(|fault| run.fault(fault, At::ROOT))?;
                match self {
                    Grown::Whole(known) if known == scratch => return Ok(false),
                    Grown::Whole(known) => std::mem::swap(known, scratch),
                    Grown::Text(_) | Grown::Items(_) | Grown::Object(_) => {
                        *self = Grown::Whole(std::mem::take(scratch))
                    }
                }
            }
        }
        Ok(true)
    }

    fn put(&self, run: &mut Run) -> Result<()> {
        match self {
            Grown::Whole(json) => run.put_import(json),
            Grown::Text(text) => text.put(run),
            Grown::Items(items) => run.put_import(&[b"[", items.as_slice(), b"]"].concat()),
            Grown::Object(members) => members.put_object(run),
        }
    }
}

impl Members {
    /// Adds the members of an object.
    pub fn add_object(&mut self, run: &mut Run, object: Value, at: At) -> Result<()> {
        let members = run.object(object, at)?.rest();
        self.add_all(run, &members, at)
    }
}

/// The JSON text of a key that is not a word.
fn text_of(run: &mut Run, key: Key) -> Result<Vec<u8>> {
    match key {
        Key::Word(_) => Ok(Vec::new()),
        Key::Text(key) => run.export(key),
    }
}

fn push_items(run: &mut Run, items: &mut Vec<u8>, array: Value) -> Result<()> {
    for item in run.list(array) {
        if !items.is_empty() {
            items.push(b',');
        }
        let json = run.export(item)?;
        items.extend_from_slice(&json);
    }
    Ok(())
}

/// The elements of a list so far, by number.
#[derive(Debug, Default)]
pub struct Parts(Vec<(u32, Grown)>);

impl Parts {
    /// Adds an element that is complete.
    pub fn add(&mut self, run: &mut Run, number: u32, value: Value) -> Result<()> {
        let json = run.export(value)?;
        self.0.push((number, Grown::Whole(json)));
        Ok(())
    }

    /// The number of an element after the others.
    pub fn next(&self) -> u32 {
        self.0.last().map_or(0, |(last, _)| last + 1)
    }

    /// The object with this number, which begins if there is none. None if the element is complete.
    pub fn object(&mut self, number: u32, growing: &'static [Word]) -> Option<&mut Members> {
        let known = self.0.iter().position(|(known, _)| *known == number);
        if known.is_none() {
            self.0.push((number, Grown::Object(Members::new(growing))));
        }
        match known {
            Some(known) => self.0.get_mut(known).and_then(|(_, part)| part.members()),
            None => self.last(),
        }
    }

    /// The last element, if it is an object that may grow.
    pub fn last(&mut self) -> Option<&mut Members> {
        self.0.last_mut().and_then(|(_, part)| part.members())
    }

    /// Writes the elements as an array, in the order of their numbers.
    pub fn put(&self, run: &mut Run) -> Result<()> {
        let order = in_order(&self.0, |(number, _)| *number);
        run.try_put_each(order, |run, position| self.0.get(position).map_or(Ok(()), |(_, part)| part.put(run)))
    }
}
