//! Values as JSON text.

use super::{At, Dialect, Failed, Result, Run};
use crate::value::{Fault, Value, Word};

impl Run<'_> {
    /// Writes a value as JSON in a string.
    pub fn put_json_text(&mut self, value: Value, at: At) -> Result<()> {
        self.store.put_stringified(value).map_err(|fault| self.fault(fault, at))
    }

    /// A value as JSON in a string.
    pub fn json_text(&mut self, value: Value, at: At) -> Result<Value> {
        self.store.stringify(value).map_err(|fault| self.fault(fault, at))
    }

    /// Writes the data of a result or block as JSON in a string; `at` is the position of its owner.
    pub fn put_data_text(&mut self, data: Value, at: At) -> Result<()> {
        self.store.put_stringified(data).map_err(|fault| self.data_fault(fault, at))
    }

    /// Data as JSON in a string; `at` is the position of its owner.
    pub fn data_text(&mut self, data: Value, at: At) -> Result<Value> {
        self.store.stringify(data).map_err(|fault| self.data_fault(fault, at))
    }

    /// The error for data that can't be written. It has the position of the owner, as only the canonical format has data in a field of its own.
    fn data_fault(&mut self, fault: Fault, at: At) -> Failed {
        if self.route.from != Dialect::Canonical {
            return self.fault(fault.whole(), at);
        }
        let at = self.down(at, Word::value);
        self.fault(fault, at)
    }

    /// Imports a value that was exported during an earlier event.
    pub fn import(&mut self, json: &[u8]) -> Result<Value> {
        self.store.import(json).map_err(|fault| self.fault(fault, At::ROOT))
    }

    /// Puts such a value.
    pub fn put_import(&mut self, json: &[u8]) -> Result<()> {
        let value = self.import(json)?;
        self.store.put(value);
        Ok(())
    }

    /// The same for an optional value.
    pub fn import_option(&mut self, json: Option<&[u8]>) -> Result<Option<Value>> {
        json.map(|json| self.import(json)).transpose()
    }

    /// The JSON text of a value, to be kept beyond the event.
    pub fn export(&mut self, value: Value) -> Result<Vec<u8>> {
        let mut json = Vec::new();
        self.store.append_json(value, &mut json).map_err(|fault| self.fault(fault, At::ROOT))?;
        Ok(json)
    }

    /// The same for an optional value.
    pub fn export_option(&mut self, value: Option<Value>) -> Result<Option<Vec<u8>>> {
        value.map(|value| self.export(value)).transpose()
    }
}
