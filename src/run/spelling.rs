//! The spellings of keys: Google's servers also read snake case, so requests to them are read in both.

use super::{At, Key, Provider, Run};
use crate::value::{Field, Value, Word};

impl Run<'_> {
    /// Whether what a client sends to Google is read, whose servers take more than they give.
    pub(super) fn is_for_google(&self) -> bool {
        self.from.provider() == Some(Provider::Google) && !self.is_response
    }

    /// An object that is kept whole, with its keys as the format spells them.
    pub fn spelled(&mut self, object: Value, at: At) -> Value {
        let mut fields = self.members(object);
        if !self.is_for_google() || !self.read_snake_case(&mut fields, at) {
            return object;
        }
        self.build_object(|run, _| {
            for field in fields {
                run.put_key(Key::from(field));
                run.store.put(field.value);
            }
        })
    }

    /// Google's servers read a key in snake case as the one in camel case, and many a client sends it so. Whether there was one.
    pub fn read_snake_case(&mut self, fields: &mut [Field], at: At) -> bool {
        let mut found = false;
        for index in 0..fields.len() {
            let Some(field) = fields.get(index).copied() else { continue };
            let key = self.key_text(Key::from(field));
            let Some(word) = camel_case(&key).map(|name| Word::of(name.as_bytes())) else { continue };
            let is_known = self.from.format().snake_case.iter().any(|list| list.contains(&word));
            let is_free = is_known && !fields.iter().any(|other| other.word == word);
            if let (true, Some(read)) = (is_free, fields.get_mut(index)) {
                self.respell(at, word, field.key);
                read.word = word;
                found = true;
            }
        }
        found
    }

    /// Says that `word` stands at `parent` as this key, where it is the input that is read.
    pub fn respell(&mut self, parent: At, word: Word, key: Value) {
        if self.is_for_google() {
            self.paths.respell(self.store, parent, word, key);
        }
    }
}

/// `snake_case` as `snakeCase`. Nothing else has another spelling: a word that starts with no small letter or digit is none.
fn camel_case(key: &str) -> Option<String> {
    let (first, others) = key.split_once('_').filter(|(first, _)| !first.is_empty())?;
    let mut name = first.to_owned();
    for word in others.split('_') {
        let initial = word.chars().next().filter(|initial| initial.is_ascii_lowercase() || initial.is_ascii_digit())?;
        name.push(initial.to_ascii_uppercase());
        name.extend(word.chars().skip(1));
    }
    Some(name)
}
