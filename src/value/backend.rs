//! The operations that every backend of a store supports.

use super::{Fault, Fields, Items, Kind, Notice, Value, Word};
use std::borrow::Cow;

/// The operations that both backends of a store support. Handles are valid as long as the store.
///
/// Reading functions never fail on the wrong type: `text` of a number, for example, returns an empty string. Callers check [`Value::kind`] first, as
/// the readers in `run` do. Objects and arrays are read one level at a time.
pub trait Backend {
    // ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────
    /// The members in order. If a key occurs more than once, the last value counts (at the position of the first), and `duplicates` receives the
    /// key's handle. What `JSON.stringify` leaves out (undefined, functions, symbols) is left out.
    fn fields(&mut self, object: Value, duplicates: &mut Vec<Value>) -> Result<Fields, Fault>;
    /// Like [`Backend::fields`], but includes the members that cannot be read: their values have a [`Value::reason`], and `noticed` receives their
    /// keys as well.
    fn readable(&mut self, object: Value, noticed: &mut Vec<Value>) -> Result<Fields, Fault> {
        self.fields(object, noticed)
    }
    fn items(&mut self, array: Value) -> Result<Items, Fault>;
    /// The decoded content of a string.
    fn text(&self, string: Value) -> Cow<'_, str>;
    /// The string as a control word; [`Word::Unknown`] if it is not one.
    fn word(&self, string: Value) -> Word;
    fn is_empty(&self, string: Value) -> bool;
    /// Whether a string may consist of white space only, judged by its first byte.
    fn may_be_blank(&self, _string: Value) -> bool {
        true
    }
    /// Whether an object or array is empty.
    fn has_no_elements(&mut self, container: Value) -> Result<bool, Fault> {
        match container.kind() {
            Kind::Array => self.items(container).map(|items| items.is_empty()),
            _ => self.fields(container, &mut Vec::new()).map(|fields| fields.is_empty()),
        }
    }
    /// The first characters of a string, about `length` of them. Avoids decoding a string that may be megabytes long.
    fn head(&self, string: Value, length: usize) -> Cow<'_, str>;
    fn number(&self, number: Value) -> f64;
    fn boolean(&self, boolean: Value) -> bool;

    // ── creating ─────────────────────────────────────────────────────────────────────────────────────────────────
    fn string(&mut self, content: &str) -> Value;
    /// The string without its first `length` ASCII characters. Nothing is copied.
    fn tail(&mut self, string: Value, length: usize) -> Value;
    /// Concatenates the strings.
    fn join(&mut self, strings: &[Value]) -> Value;
    /// Parses the JSON text that a string contains.
    fn parse(&mut self, string: Value) -> Result<Value, Fault>;
    /// The value as compact JSON text, in a string.
    fn stringify(&mut self, value: Value) -> Result<Value, Fault>;
    /// Whether serializing `parse(raw)` would give a text other than `raw`, so that `raw` must be kept.
    fn is_raw_form(&mut self, raw: Value, parsed: Value) -> bool;
    /// Whether parsing the JSON text of `raw` loses digits of a number. The text store keeps the text of numbers.
    fn loses_digits(&mut self, _raw: Value) -> bool {
        false
    }
    /// Whether both are the same JSON value, apart from the order of keys.
    fn same(&mut self, left: Value, right: Value) -> bool;
    /// Whether one of the words occurs anywhere in a value, as a key or a string. May return true wrongly, but never false.
    fn mentions(&mut self, value: Value, words: &[Word]) -> bool;
    /// What was noticed in the values read so far, oldest first, each with a JSON Pointer from the value that was read.
    fn take_notices(&mut self) -> Vec<(Notice, String)>;

    // ── writing: a value is built in order, keys before values; the store adds commas and nesting ───────────────────
    fn begin_object(&mut self);
    fn end_object(&mut self);
    fn begin_array(&mut self);
    fn end_array(&mut self);
    fn key(&mut self, word: Word);
    fn key_of(&mut self, key: Value);
    fn put(&mut self, value: Value);
    /// The value as compact JSON text, in a string.
    fn put_stringified(&mut self, value: Value) -> Result<(), Fault> {
        let text = self.stringify(value)?;
        self.put(text);
        Ok(())
    }
    fn put_text(&mut self, content: &str);
    fn put_word(&mut self, word: Word);
    fn put_number(&mut self, number: f64);
    fn put_boolean(&mut self, boolean: bool);
    fn put_null(&mut self);
    /// Starts a separate value beside the one being written. [`Backend::finish`] returns its handle.
    fn start(&mut self);
    fn finish(&mut self) -> Value;

    // ── values outside the store, which a stream keeps from one event to the next ───────────────────────────────────
    /// Appends the value as JSON text.
    fn append_json(&mut self, value: Value, into: &mut Vec<u8>) -> Result<(), Fault> {
        let text = self.stringify(value)?;
        into.extend_from_slice(self.text(text).as_bytes());
        Ok(())
    }
    /// Appends the JSON text of a string without its quotes.
    fn append_content(&mut self, string: Value, into: &mut Vec<u8>) -> Result<(), Fault> {
        let start = into.len();
        self.append_json(string, into)?;
        into.truncate(into.len().saturating_sub(1));
        into.drain(start..(start + 1).min(into.len()));
        Ok(())
    }
    /// Parses a JSON text into a value.
    fn import(&mut self, json: &[u8]) -> Result<Value, Fault> {
        let text = self.string(&String::from_utf8_lossy(json));
        self.parse(text)
    }
}
