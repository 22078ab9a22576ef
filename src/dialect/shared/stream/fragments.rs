//! A string that comes in pieces.

use crate::run::{At, Result, Run};
use crate::value::Value;

/// The pieces so far, as they stand between the quotes of a JSON string.
#[derive(Debug, Default)]
pub struct Fragments(Vec<u8>);

impl Fragments {
    pub fn push(&mut self, run: &mut Run, text: Value, at: At) -> Result<()> {
        run.store.append_content(text, &mut self.0).map_err(|fault| run.fault(fault, at))
    }

    /// The same for a piece as it stands between its quotes.
    pub fn extend(&mut self, text: &[u8]) {
        self.0.extend_from_slice(text);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the pieces so far end with this ASCII character, but for space.
    pub fn ends_with(&self, last: u8) -> bool {
        self.0.trim_ascii_end().last() == Some(&last)
    }

    /// The JSON text of the string.
    pub fn json(&self) -> Vec<u8> {
        [b"\"", self.0.as_slice(), b"\""].concat()
    }

    /// The pieces as one string.
    pub fn value(&self, run: &mut Run) -> Result<Value> {
        run.import(&self.json())
    }
}

impl Run<'_> {
    /// A value that was kept from an earlier event.
    pub fn import(&mut self, json: &[u8]) -> Result<Value> {
        self.store.import(json).map_err(|fault| self.fault(fault, At::ROOT))
    }

    /// The same for a value that may not be there.
    pub fn import_option(&mut self, json: Option<&[u8]>) -> Result<Option<Value>> {
        json.map(|json| self.import(json)).transpose()
    }

    /// The JSON text of a value, to be kept beyond the event.
    pub fn export(&mut self, value: Value) -> Result<Vec<u8>> {
        let mut json = Vec::new();
        self.store.append_json(value, &mut json).map_err(|fault| self.fault(fault, At::ROOT))?;
        Ok(json)
    }

    /// The same for a value that may not be there.
    pub fn export_option(&mut self, value: Option<Value>) -> Result<Option<Vec<u8>>> {
        value.map(|value| self.export(value)).transpose()
    }
}
