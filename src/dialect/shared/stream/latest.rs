//! Fields that may come with every wire event.

use crate::model::Metadata;
use crate::run::{At, Key, Result, Run};
use crate::value::{Kind, Value, Word};

/// The last values of fields that were emitted: repeating the same value is not news.
#[derive(Debug, Default)]
pub struct Latest {
    fields: Vec<Field>,
    /// A buffer for the JSON text of the current value.
    value: Vec<u8>,
}

#[derive(Debug)]
struct Field {
    word: Word,
    /// JSON text; empty if the key is a word.
    key: Vec<u8>,
    value: Vec<u8>,
}

impl Latest {
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    pub fn count(&self) -> usize {
        self.fields.len()
    }

    /// The members with new values.
    pub fn news(&mut self, run: &mut Run, metadata: &Metadata) -> Result<Metadata> {
        self.news_but(run, metadata, &[])
    }

    /// Like [`Latest::news`], but for some words only the first value counts.
    pub fn news_but(&mut self, run: &mut Run, metadata: &Metadata, first_counts: &[Word]) -> Result<Metadata> {
        let mut news = Metadata::default();
        for member in metadata.family() {
            if !run.is_void(member.value) && self.is_new(run, member.key, member.value, first_counts)? {
                news.add_member(*member);
            }
        }
        Ok(news)
    }

    /// Sets the last values; null replaces nothing.
    pub fn update(&mut self, run: &mut Run, metadata: &Metadata) -> Result<()> {
        for member in metadata.family() {
            let is_null = run.store.kind(member.value) == Kind::Null;
            if !is_null || !self.has(run, member.key)? {
                self.is_new(run, member.key, member.value, &[])?;
            }
        }
        Ok(())
    }

    fn has(&self, run: &mut Run, key: Key) -> Result<bool> {
        let word = key.word();
        let key = text_of(run, key)?;
        Ok(self.fields.iter().any(|field| field.word == word && field.key == key))
    }

    /// Whether the value differs from the last one, which it replaces.
    pub fn is_new(&mut self, run: &mut Run, key: Key, value: Value, first_counts: &[Word]) -> Result<bool> {
        let word = key.word();
        let key = text_of(run, key)?;
        let known = self.fields.iter_mut().find(|field| field.word == word && field.key == key);
        if known.is_some() && first_counts.contains(&word) {
            return Ok(false);
        }
        self.value.clear();
        run.store.append_json(value, &mut self.value).map_err(|fault| run.fault(fault, At::ROOT))?;
        match known {
            Some(field) if field.value == self.value => return Ok(false),
            Some(field) => std::mem::swap(&mut field.value, &mut self.value),
            None => self.fields.push(Field { word, key, value: std::mem::take(&mut self.value) }),
        }
        Ok(true)
    }

    /// Writes the last values into the object that is open, apart from those in `left_out`.
    /// The fields as an object, without some of them.
    pub fn object(&self, run: &mut Run, left_out: &[Word]) -> Result<Value> {
        run.try_build(|run| {
            run.store.begin_object();
            let put = self.put_but(run, left_out);
            run.store.end_object();
            put
        })
    }

    pub fn put_but(&self, run: &mut Run, left_out: &[Word]) -> Result<()> {
        for field in self.fields.iter().filter(|field| !left_out.contains(&field.word)) {
            put_key(run, field.word, &field.key)?;
            run.put_import(&field.value)?;
        }
        Ok(())
    }
}

pub(super) fn put_key(run: &mut Run, word: Word, text: &[u8]) -> Result<()> {
    if word == Word::Unknown {
        let key = run.import(text)?;
        run.store.key_of(key);
    } else {
        run.store.key(word);
    }
    Ok(())
}

/// The JSON text of a key that is not a word.
pub(super) fn text_of(run: &mut Run, key: Key) -> Result<Vec<u8>> {
    match key {
        Key::Word(_) => Ok(Vec::new()),
        Key::Text(key) => run.export(key),
    }
}
