//! What a store can do, whatever its values are made of.

use super::{Fault, Fields, Items, Kind, Notice, Value, Word};
use std::borrow::Cow;

/// What both backends of a store do. Handles stay valid as long as the store.
///
/// Reading functions are total: asked for a string of a number they give the empty answer, so callers check [`Value::kind`]
/// first (the conversion layer's readers do). Objects and arrays are read one level at a time.
pub trait Backend {
    // ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────
    /// Members in their order. Of a key that stands twice the last value counts (at the place of the first) and
    /// `duplicates` gets the key's handle. What `JSON.stringify` leaves out (undefined, functions, symbols) is left out.
    fn fields(&mut self, object: Value, duplicates: &mut Vec<Value>) -> Result<Fields, Fault>;
    /// The same with the members that cannot be read: their values have a [`Value::reason`], and `noticed` gets their keys, too.
    fn readable(&mut self, object: Value, noticed: &mut Vec<Value>) -> Result<Fields, Fault> {
        self.fields(object, noticed)
    }
    fn items(&mut self, array: Value) -> Result<Items, Fault>;
    /// The decoded content of a string.
    fn text(&self, string: Value) -> Cow<'_, str>;
    /// The string as a control word; [`Word::Unknown`] if it is none.
    fn word(&self, string: Value) -> Word;
    fn is_empty(&self, string: Value) -> bool;
    /// Whether a string may be nothing but white space, by a look at its first byte.
    fn may_be_blank(&self, _string: Value) -> bool {
        true
    }
    /// Whether an object or array holds nothing.
    fn has_no_elements(&mut self, container: Value) -> Result<bool, Fault> {
        match container.kind() {
            Kind::Array => self.items(container).map(|items| items.is_empty()),
            _ => self.fields(container, &mut Vec::new()).map(|fields| fields.is_empty()),
        }
    }
    /// The first characters of a string, about as many as `length`: a look into what may be a megabyte.
    fn head(&self, string: Value, length: usize) -> Cow<'_, str>;
    fn number(&self, number: Value) -> f64;
    fn boolean(&self, boolean: Value) -> bool;

    // ── making ───────────────────────────────────────────────────────────────────────────────────────────────────
    fn string(&mut self, content: &str) -> Value;
    /// What follows the first `length` ASCII characters of a string; nothing is copied.
    fn tail(&mut self, string: Value, length: usize) -> Value;
    /// The strings joined with nothing between them.
    fn join(&mut self, strings: &[Value]) -> Value;
    /// Reads the JSON text that a string holds.
    fn parse(&mut self, string: Value) -> Result<Value, Fault>;
    /// The value as compact JSON text, in a string.
    fn stringify(&mut self, value: Value) -> Result<Value, Fault>;
    /// Whether serialising `parse(raw)` again would give something else than `raw`, so that `raw` is worth keeping.
    fn is_raw_form(&mut self, raw: Value, parsed: Value) -> bool;
    /// Whether parsing the JSON text of `raw` lost digits of a number. The text store keeps numbers as they stand.
    fn loses_digits(&mut self, _raw: Value) -> bool {
        false
    }
    /// Whether both mean the same JSON (key order aside).
    fn same(&mut self, left: Value, right: Value) -> bool;
    /// Whether one of the words stands somewhere in a value, as a key or as a string. It may say so too often, never too rarely.
    fn mentions(&mut self, value: Value, words: &[Word]) -> bool;
    /// What was noticed in the values read so far, with the place as a JSON Pointer inside the value, oldest first.
    fn take_notices(&mut self) -> Vec<(Notice, String)>;

    // ── writing: a value is built in order, keys before values; commas and nesting are the store's business ──────────
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
    /// Starts a value of its own beside the one being written; [`Backend::finish`] gives its handle.
    fn start(&mut self);
    fn finish(&mut self) -> Value;

    // ── beyond the store: a stream carries values from one event to the next ─────────────────────────────────────────
    /// Appends the value as JSON text.
    fn append_json(&mut self, value: Value, into: &mut Vec<u8>) -> Result<(), Fault> {
        let text = self.stringify(value)?;
        into.extend_from_slice(self.text(text).as_bytes());
        Ok(())
    }
    /// Appends what stands between the quotes of a string as JSON has it.
    fn append_content(&mut self, string: Value, into: &mut Vec<u8>) -> Result<(), Fault> {
        let start = into.len();
        self.append_json(string, into)?;
        into.truncate(into.len().saturating_sub(1));
        into.drain(start..(start + 1).min(into.len()));
        Ok(())
    }
    /// The value of a JSON text.
    fn import(&mut self, json: &[u8]) -> Result<Value, Fault> {
        let text = self.string(&String::from_utf8_lossy(json));
        self.parse(text)
    }
}
