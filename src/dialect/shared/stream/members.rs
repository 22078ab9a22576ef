//! An object that arrives in pieces.

use super::Fragments;
use super::latest::{put_key, text_of};
use crate::model::Metadata;
use crate::run::{At, Key, Result, Run};
use crate::value::{Kind, Value, Word};

/// The members so far. Arrays, objects and the strings named in `growing` are appended to; for all others the last value counts. Null and an empty
/// string replace nothing.
#[derive(Debug)]
pub struct Members {
    growing: &'static [Word],
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    word: Word,
    /// JSON text; empty if the key is a word.
    key: Vec<u8>,
    value: Grown,
}

#[derive(Debug)]
enum Grown {
    /// JSON text.
    Whole(Vec<u8>),
    Text(Fragments),
    /// Elements as JSON texts, separated by commas.
    Items(Vec<u8>),
    Object(Members),
}

impl Members {
    /// `growing` names the strings that arrive in pieces, at any depth.
    pub fn new(growing: &'static [Word]) -> Members {
        Members { growing, entries: Vec::new() }
    }

    /// Adds all members of a piece.
    pub fn add_all(&mut self, run: &mut Run, metadata: &Metadata, at: At) -> Result<()> {
        metadata.family().iter().try_for_each(|member| self.add(run, member.key, member.value, at))
    }

    pub fn add(&mut self, run: &mut Run, key: Key, value: Value, at: At) -> Result<()> {
        let word = key.word();
        let key = text_of(run, key)?;
        let growing = self.growing;
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.word == word && entry.key == key) {
            return entry.value.grow(run, growing, (word, value), at);
        }
        let mut first = Grown::Whole(Vec::new());
        let outcome = first.grow(run, growing, (word, value), at);
        self.entries.push(Entry { word, key, value: first });
        outcome
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

    pub fn has(&self, word: Word) -> bool {
        self.entries.iter().any(|entry| entry.word == word)
    }

    pub fn remove(&mut self, word: Word) {
        self.entries.retain(|entry| entry.word != word);
    }

    pub fn put_object(&self, run: &mut Run) -> Result<()> {
        run.store.begin_object();
        let put = self.put(run);
        run.store.end_object();
        put
    }

    /// Writes the members into the object that is open.
    pub fn put(&self, run: &mut Run) -> Result<()> {
        self.put_but(run, None)
    }

    /// Like [`Members::put`], without one of them.
    pub fn put_but(&self, run: &mut Run, left_out: Option<Word>) -> Result<()> {
        for entry in self.entries.iter().filter(|entry| left_out != Some(entry.word)) {
            put_key(run, entry.word, &entry.key)?;
            entry.value.put(run)?;
        }
        Ok(())
    }
}

impl Grown {
    fn is_blank(&self) -> bool {
        match self {
            Grown::Whole(json) => matches!(json.as_slice(), b"" | b"null" | b"\"\""),
            Grown::Text(text) => text.is_empty(),
            Grown::Items(_) | Grown::Object(_) => false,
        }
    }

    fn grow(&mut self, run: &mut Run, growing: &'static [Word], (word, value): (Word, Value), at: At) -> Result<()> {
        let kind = run.store.kind(value);
        if kind == Kind::String && run.store.is_empty(value) && !self.is_blank() {
            return Ok(());
        }
        match (&mut *self, kind) {
            (Grown::Whole(json), Kind::Null) if !json.is_empty() => {}
            (Grown::Text(_) | Grown::Items(_) | Grown::Object(_), Kind::Null) => {}
            (Grown::Text(text), Kind::String) => text.push(run, value, at)?,
            (_, Kind::String) if growing.contains(&word) => {
                let mut text = Fragments::default();
                text.push(run, value, at)?;
                *self = Grown::Text(text);
            }
            (Grown::Items(items), Kind::Array) => push_items(run, items, value)?,
            (_, Kind::Array) => {
                let mut items = Vec::new();
                push_items(run, &mut items, value)?;
                *self = Grown::Items(items);
            }
            (Grown::Object(members), Kind::Object) => members.grow(run, value, at)?,
            (_, Kind::Object) => {
                let mut members = Members::new(growing);
                members.grow(run, value, at)?;
                *self = Grown::Object(members);
            }
            _ => *self = Grown::Whole(run.export(value)?),
        }
        Ok(())
    }

    fn put(&self, run: &mut Run) -> Result<()> {
        match self {
            Grown::Whole(json) => {
                run.put_import(json)?;
            }
            Grown::Text(text) => {
                let value = text.value(run)?;
                run.store.put(value);
            }
            Grown::Items(items) => {
                run.put_import(&[b"[", items.as_slice(), b"]"].concat())?;
            }
            Grown::Object(members) => {
                members.put_object(run)?;
            }
        }
        Ok(())
    }
}

impl Members {
    fn grow(&mut self, run: &mut Run, object: Value, at: At) -> Result<()> {
        let members = run.object(object, at)?.rest();
        self.add_all(run, &members, at)
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
