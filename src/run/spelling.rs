//! Spellings of keys: Google's servers also accept snake case, so both are read in requests to them.

use super::{At, Key, Run};
use crate::value::{Field, Value, Word};

impl Run<'_> {
    /// An object that is kept whole, with its keys in the format's spelling.
    pub fn spelled(&mut self, object: Value, at: At) -> Value {
        let mut fields = self.members(object);
        if !self.route.is_loosely_spelled() || !self.read_snake_case(&mut fields, at) {
            return object;
        }
        self.build_object(|run, _| {
            for field in fields {
                run.put_key(Key::from(field));
                run.store.put(field.value);
            }
        })
    }

    /// Reads keys in snake case as those in camel case, as Google's servers do. Returns whether there were any.
    pub fn read_snake_case(&mut self, fields: &mut [Field], at: At) -> bool {
        let mut found = false;
        for index in 0..fields.len() {
            let Some(field) = fields.get(index).copied() else { continue };
            let key = self.key_text(Key::from(field));
            let Some(word) = camel_case(&key).map(|name| Word::of(name.as_bytes())) else { continue };
            let is_known = self.route.from.format().has_snake_case(word);
            let is_free = is_known && !fields.iter().any(|other| other.word == word);
            if let (true, Some(read)) = (is_free, fields.get_mut(index)) {
                self.respell(at, word, field.key);
                read.word = word;
                found = true;
            }
        }
        found
    }

    /// Records the spelling of `word` at `parent`, if the input is a request to Google.
    pub fn respell(&mut self, parent: At, word: Word, key: Value) {
        if self.route.is_loosely_spelled() {
            self.paths.respell(self.store, parent, word, key);
        }
    }
}

/// `snake_case` as `snakeCase`; None if a part does not start with a lowercase letter or digit.
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
