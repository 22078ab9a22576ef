//! Fields that come with every wire event.

use crate::model::Metadata;
use crate::run::{Key, Result, Run};
use crate::value::{Value, Word};

/// Fields that were told, with their last values: those that come again say nothing new.
#[derive(Debug, Default)]
pub struct Told(Vec<Field>);

#[derive(Debug)]
struct Field {
    word: Word,
    /// JSON texts.
    key: Vec<u8>,
    value: Vec<u8>,
}

impl Told {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What says something new among the members.
    pub fn news(&mut self, run: &mut Run, metadata: &Metadata) -> Result<Metadata> {
        let mut news = Metadata::default();
        for member in metadata.family() {
            if !run.says_nothing(member.value) && self.is_new(run, member.key, member.value)? {
                news.add_member(*member);
            }
        }
        Ok(news)
    }

    fn is_new(&mut self, run: &mut Run, key: Key, value: Value) -> Result<bool> {
        let word = key.word();
        let key = match key {
            Key::Word(word) => [b"\"", word.text().as_bytes(), b"\""].concat(),
            Key::Text(key) => run.export(key)?,
        };
        let value = run.export(value)?;
        match self.0.iter_mut().find(|field| field.key == key) {
            Some(field) if field.value == value => return Ok(false),
            Some(field) => field.value = value,
            None => self.0.push(Field { word, key, value }),
        }
        Ok(true)
    }

    /// Writes the last values, but for those left out, into the object that is open.
    pub fn put_but(&self, run: &mut Run, left_out: &[Word]) -> Result<()> {
        for field in self.0.iter().filter(|field| !left_out.contains(&field.word)) {
            match field.word {
                Word::Unknown => {
                    let key = run.import(&field.key)?;
                    run.store.key_of(key);
                }
                word => run.store.key(word),
            }
            let value = run.import(&field.value)?;
            run.store.put(value);
        }
        Ok(())
    }
}
