//! The store whose values are JavaScript's own: nothing is copied that is not looked into, and what a conversion passes on
//! is passed on by reference. Values are read as `JSON.stringify` reads them; the caller's objects are never changed.

mod bridge;
pub mod transport;

use super::{Fault, Field, Fields, Items, Kind, Notice, Store, Value, Word};
use bridge::{Bridge, Frame, encoded};
use std::borrow::Cow;
use std::cell::OnceCell;
use wasm_bindgen::JsValue;

/// Values of one conversion; they are let go together. Stores may be made while others are in use: the caller's getters
/// and `toJSON` can call the package again.
pub struct JsStore {
    frame: Frame,
    max_depth: usize,
    /// Short strings that were asked for, by slot: ids and names are, again and again.
    texts: Vec<OnceCell<Box<str>>>,
}

/// Strings of more bytes are not kept in two places.
const SHORT: usize = 256;

impl JsStore {
    /// `max_depth` is how deep JSON text may be nested that is parsed or made.
    pub fn new(max_depth: usize) -> JsStore {
        JsStore { frame: Bridge::frame(u32::try_from(max_depth).unwrap_or(u32::MAX)), max_depth, texts: Vec::new() }
    }

    /// Takes a value of the caller's, as `JSON.stringify` takes its argument: runs `toJSON`, unboxes.
    pub fn adopt(&mut self, value: &JsValue) -> Result<Value, Fault> {
        self.handle(self.frame.adopt(value))
    }

    /// The value itself.
    pub fn release(&self, value: Value) -> JsValue {
        self.frame.release(slot_of(value))
    }

    /// The handle, or the fault, that a number from `frame.js` stands for.
    fn handle(&self, packed: i32) -> Result<Value, Fault> {
        Ok(Value::of(self.count(packed)?))
    }

    /// Makes room for the texts of all slots before this one.
    fn keep_texts(&mut self, slots: u32) {
        let slots = self.texts.len().max(slots as usize);
        self.texts.resize_with(slots, OnceCell::new);
    }

    fn decoded(&self, slot: u32) -> String {
        let units = self.frame.length_at(slot);
        let bytes = Bridge::with(|bridge| {
            encoded(&bridge.host, units, |from, pointer, room| self.frame.encode_at(slot, from, pointer, room))
        });
        String::from_utf8(bytes).unwrap_or_default()
    }

    fn count(&self, result: i32) -> Result<u32, Fault> {
        u32::try_from(result).map_err(|_| match result {
            -2 => Fault::Depth { limit: self.max_depth },
            -3 => Fault::TooLarge,
            -4 => Fault::Syntax { message: "not valid JSON", offset: self.frame.fault_offset() as usize },
            _ => Fault::Refused(self.text(string_at(self.frame.end_message())).into_owned()),
        })
    }
}

/// The number of `Kind::String` in `values.js`.
const STRING: u32 = 3;

/// A handle as this store makes them: the slot in its frame, and the kind as `values.js` numbers it.
fn handle(slot: u32, kind: u32) -> Value {
    Value::of(slot << 3 | kind)
}

fn slot_of(value: Value) -> u32 {
    value.number() >> 3
}

fn kind_of(value: Value) -> Kind {
    match value.number() & 7 {
        0 => Kind::Null,
        1 => Kind::Boolean,
        2 => Kind::Number,
        3 => Kind::String,
        4 => Kind::Array,
        5 => Kind::Object,
        _ => Kind::Other,
    }
}

fn word_of(number: u32) -> Word {
    Word::ALL.get(number as usize).copied().unwrap_or(Word::Unknown)
}

fn string_at(slot: u32) -> Value {
    handle(slot, STRING)
}

impl Store for JsStore {
    fn kind(&self, value: Value) -> Kind {
        kind_of(value)
    }

    fn fields(&mut self, object: Value, _duplicates: &mut Vec<Value>) -> Result<Fields, Fault> {
        let mut fields = Fields::new();
        if kind_of(object) != Kind::Object {
            return Ok(fields);
        }
        let count = self.count(self.frame.fields(slot_of(object)))?;
        fields.reserve(count as usize);
        let mut slot = Bridge::with(Bridge::first);
        let mut left = count;
        while left > 0 {
            if left < count {
                self.count(self.frame.describe_fields(slot, left))?;
            }
            Bridge::with(|bridge| {
                for row in bridge.rows().take(left as usize) {
                    let value = handle(slot + 1, row >> 16);
                    fields.push(Field { word: word_of(row & 0xffff), key: string_at(slot), value });
                    slot += 2;
                    left -= 1;
                }
            });
        }
        self.keep_texts(slot);
        Ok(fields)
    }

    fn items(&mut self, array: Value) -> Result<Items, Fault> {
        let mut items = Items::new();
        if kind_of(array) != Kind::Array {
            return Ok(items);
        }
        let count = self.count(self.frame.items(slot_of(array)))?;
        items.reserve(count as usize);
        let mut slot = Bridge::with(Bridge::first);
        let mut left = count;
        while left > 0 {
            if left < count {
                self.count(self.frame.describe_items(slot, left))?;
            }
            Bridge::with(|bridge| {
                for row in bridge.rows().take(left as usize) {
                    items.push(handle(slot, row));
                    slot += 1;
                    left -= 1;
                }
            });
        }
        self.keep_texts(slot);
        Ok(items)
    }

    fn text(&self, string: Value) -> Cow<'_, str> {
        if kind_of(string) != Kind::String {
            return Cow::Borrowed("");
        }
        let slot = slot_of(string);
        let kept = self.texts.get(slot as usize);
        if let Some(text) = kept.and_then(OnceCell::get) {
            return Cow::Borrowed(text);
        }
        let text = self.decoded(slot);
        match kept {
            Some(kept) if text.len() <= SHORT => Cow::Borrowed(kept.get_or_init(|| text.into_boxed_str())),
            Some(_) | None => Cow::Owned(text),
        }
    }

    fn word(&self, string: Value) -> Word {
        if kind_of(string) == Kind::String { word_of(self.frame.word_at(slot_of(string))) } else { Word::Unknown }
    }

    fn is_empty(&self, string: Value) -> bool {
        kind_of(string) != Kind::String || self.frame.length_at(slot_of(string)) == 0
    }

    fn head(&self, string: Value, length: usize) -> Cow<'_, str> {
        let slot = self.frame.head(slot_of(string), u32::try_from(length).unwrap_or(u32::MAX));
        Cow::Owned(self.text(string_at(slot)).into_owned())
    }

    fn number(&self, number: Value) -> f64 {
        if kind_of(number) == Kind::Number { self.frame.number_at(slot_of(number)) } else { 0.0 }
    }

    fn boolean(&self, boolean: Value) -> bool {
        kind_of(boolean) == Kind::Boolean && self.frame.boolean_at(slot_of(boolean))
    }

    fn string(&mut self, content: &str) -> Value {
        string_at(self.frame.string(content.as_ptr() as u32, content.len() as u32))
    }

    fn tail(&mut self, string: Value, length: usize) -> Value {
        string_at(self.frame.tail(slot_of(string), u32::try_from(length).unwrap_or(u32::MAX)))
    }

    fn join(&mut self, strings: &[Value]) -> Value {
        for string in strings.iter().copied().filter(|string| kind_of(*string) == Kind::String) {
            self.frame.join(slot_of(string));
        }
        string_at(self.frame.end_join())
    }

    fn parse(&mut self, string: Value) -> Result<Value, Fault> {
        if kind_of(string) != Kind::String {
            return Err(Fault::Syntax { message: "not valid JSON", offset: 0 });
        }
        self.handle(self.frame.parse(slot_of(string)))
    }

    fn stringify(&mut self, value: Value) -> Result<Value, Fault> {
        self.handle(self.frame.stringify(slot_of(value)))
    }

    fn is_raw_form(&mut self, raw: Value, parsed: Value) -> bool {
        self.frame.is_raw_form(slot_of(raw), slot_of(parsed))
    }

    fn loses_digits(&mut self, raw: Value) -> bool {
        self.frame.loses_digits(slot_of(raw))
    }

    fn same(&mut self, left: Value, right: Value) -> bool {
        self.frame.same(slot_of(left), slot_of(right))
    }

    fn mentions(&mut self, value: Value, words: &[Word]) -> bool {
        let number = |index: usize| words.get(index).map_or(u32::MAX, |word| *word as u32);
        words.len() > 3 || self.frame.mentions(slot_of(value), number(0), number(1), number(2))
    }

    /// The engine's JSON.parse reports neither duplicate keys nor lone surrogates.
    fn take_notices(&mut self) -> Vec<(Notice, String)> {
        Vec::new()
    }

    fn begin_object(&mut self) {
        self.frame.begin_object();
    }

    fn end_object(&mut self) {
        self.frame.end();
    }

    fn begin_array(&mut self) {
        self.frame.begin_array();
    }

    fn end_array(&mut self) {
        self.frame.end();
    }

    fn key(&mut self, word: Word) {
        self.frame.set_key(word as u32);
    }

    fn key_of(&mut self, key: Value) {
        self.frame.set_key_of(slot_of(key));
    }

    fn put(&mut self, value: Value) {
        self.frame.put(slot_of(value));
    }

    fn put_text(&mut self, content: &str) {
        self.frame.put_text(content.as_ptr() as u32, content.len() as u32);
    }

    fn put_word(&mut self, word: Word) {
        self.frame.put_word(word as u32);
    }

    fn put_number(&mut self, number: f64) {
        self.frame.put_number(number);
    }

    fn put_boolean(&mut self, boolean: bool) {
        self.frame.put_boolean(boolean);
    }

    fn put_null(&mut self) {
        self.frame.put_null();
    }

    fn start(&mut self) {
        self.frame.start();
    }

    fn finish(&mut self) -> Value {
        Value::of(self.frame.finish() as u32)
    }
}
