//! A string that arrives in pieces.

use crate::run::{At, Result, Run};
use crate::value::Value;

/// The pieces so far, as the content of a JSON string, without quotes.
#[derive(Debug, Default)]
pub struct Fragments(Vec<u8>);

impl Fragments {
    pub fn push(&mut self, run: &mut Run, text: Value, at: At) -> Result<()> {
        run.store.append_content(text, &mut self.0).map_err(|fault| run.fault(fault, at))
    }

    /// Adds a piece that is the content of a JSON string, without quotes.
    pub fn extend(&mut self, text: &[u8]) {
        self.0.extend_from_slice(text);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the pieces so far end with this ASCII character, apart from white space.
    pub fn ends_with(&self, last: u8) -> bool {
        self.0.trim_ascii_end().last() == Some(&last)
    }

    /// The JSON text of the string.
    pub fn json(&self) -> Vec<u8> {
        [b"\"", self.0.as_slice(), b"\""].concat()
    }

    /// The whole string.
    pub fn value(&self, run: &mut Run) -> Result<Value> {
        run.import(&self.json())
    }

    /// Puts the whole string.
    pub fn put(&self, run: &mut Run) -> Result<()> {
        run.put_import(&self.json())
    }
}
