//! The store whose values are JavaScript values. Copies only the values that a conversion reads, and passes all others on by reference. Values are
//! read as `JSON.stringify` reads them; the caller's objects are never changed.

mod bridge;
pub mod transport;
mod utf16;

use super::{Backend, Fault, Field, Fields, Items, Kind, Notice, Value, Word};
use bridge::{Bridge, Heap, SCRATCH, encoded};
use std::borrow::Cow;
use std::cell::OnceCell;
use wasm_bindgen::JsValue;

/// The values of one conversion, released together. Several stores may exist at once: the caller's getters and `toJSON` can call the package again.
pub struct JsStore {
    heap: Heap,
    max_depth: usize,
    /// Short strings that were decoded, by slot after the fixed ones. Ids and names are read repeatedly.
    texts: Vec<OnceCell<Box<str>>>,
    /// Build steps that were not sent to JavaScript yet.
    steps: Vec<u32>,
    /// The first value that was to be written but cannot be read.
    pub unreadable: Option<Value>,
}

/// The build steps, in the order of `heap.js`.
#[derive(Clone, Copy)]
enum Step {
    BeginObject,
    BeginArray,
    End,
    Key,
    Put,
    PutText,
    PutNumber,
    Start,
}

/// The slots of values that are the same in all heaps: first the words in order, then these.
const EMPTY: u32 = Word::ALL.len() as u32;
const NULL: u32 = EMPTY + 1;
const FALSE: u32 = EMPTY + 2;
const TRUE: u32 = EMPTY + 3;
const FIXED: u32 = EMPTY + 4;

/// Maximum number of steps that are sent to JavaScript at once.
const MOST_STEPS: usize = 1024;

/// Longer strings (in bytes) are not cached in `texts`.
const SHORT: usize = 256;

impl JsStore {
    /// `max_depth` limits the nesting of JSON text that is parsed or written.
    pub fn new(max_depth: usize) -> JsStore {
        JsStore {
            heap: Bridge::heap(u32::try_from(max_depth).unwrap_or(u32::MAX)),
            max_depth,
            texts: Vec::new(),
            steps: Vec::new(),
            unreadable: None,
        }
    }

    /// The members of an object. With `is_tolerant`, includes members that cannot be read, and `unreadable` receives their keys.
    fn fields_of(
        &mut self,
        object: Value,
        is_tolerant: bool,
        mut unreadable: impl FnMut(Value),
    ) -> Result<Fields, Fault> {
        if object.kind() != Kind::Object {
            return Ok(Fields::default());
        }
        let mut fields = Fields::roomy();
        let count = self.count(self.heap.fields(slot_of(object), is_tolerant))?;
        fields.reserve(count as usize / 2);
        let mut key = None;
        self.handles(count, |handle| match key.take() {
            None => key = Some(handle),
            Some(key) => {
                if handle.reason().is_some() {
                    unreadable(key);
                }
                fields.push(Field { word: word_of(slot_of(key)), key, value: handle });
            }
        });
        Ok(fields)
    }

    /// Adopts a value of the caller, as `JSON.stringify` treats its argument: calls `toJSON`, unboxes.
    pub fn adopt(&mut self, value: &JsValue) -> Result<Value, Fault> {
        self.handle(self.heap.adopt(value))
    }

    /// The JavaScript value itself.
    pub fn release(&self, value: Value) -> JsValue {
        self.heap.release(slot_of(value))
    }

    /// Decodes a number from `heap.js` into a handle or a fault.
    fn handle(&self, packed: i32) -> Result<Value, Fault> {
        Ok(Value::of_bits(self.count(packed)?))
    }

    /// Passes the handles that JavaScript has read to `take`, and reserves slots for their texts.
    fn handles(&mut self, count: u32, mut take: impl FnMut(Value)) {
        let mut slots = 0;
        for first in (0..count).step_by(SCRATCH) {
            if first > 0 {
                self.heap.show_from(first);
            }
            Bridge::with(|bridge| {
                for handle in bridge.cells().take((count - first) as usize).map(Value::of_bits) {
                    slots = slots.max(slot_of(handle) + 1);
                    take(handle);
                }
            });
        }
        let slots = self.texts.len().max(slots.saturating_sub(FIXED) as usize);
        self.texts.resize_with(slots, OnceCell::new);
    }

    /// The first `units` UTF-16 units of a string, decoded.
    fn decoded(&self, slot: u32, units: u32) -> Box<str> {
        Bridge::with(|bridge| {
            let short = bridge.short_text(|pointer, capacity| self.heap.text_at(slot, units, pointer, capacity));
            short.unwrap_or_else(|units| {
                let units = (-1.0 - units) as u32;
                let bytes = encoded(&bridge.host, units, |from, pointer, capacity| {
                    self.heap.encode_at(slot, from, pointer, capacity)
                });
                String::from_utf8(bytes).unwrap_or_default().into_boxed_str()
            })
        })
    }

    fn step(&mut self, step: Step, operand: u32) {
        if self.steps.len() >= MOST_STEPS {
            self.heap.take(self.steps.as_ptr() as u32, self.steps.len() as u32);
            self.steps.clear();
        }
        self.steps.push(operand << 3 | step as u32);
    }

    fn count(&self, result: i32) -> Result<u32, Fault> {
        u32::try_from(result).map_err(|_| match result {
            -2 => Fault::Depth { limit: self.max_depth },
            -3 => Fault::TooLarge,
            -4 => Fault::Syntax { message: "not valid JSON", offset: self.heap.fault_offset() as usize },
            _ => {
                let text = |handle| self.text(Value::of_bits(handle)).into_owned();
                Fault::Refused { below: text(self.heap.fault_place()), reason: text(self.heap.end_message()) }
            }
        })
    }
}

/// The slot of a handle in its heap.
fn slot_of(value: Value) -> u32 {
    value.number()
}

fn word_of(number: u32) -> Word {
    u16::try_from(number).map_or(Word::Unknown, Word::numbered)
}

fn string_at(slot: u32) -> Value {
    Value::of(slot, Kind::String)
}

impl Backend for JsStore {
    fn fields(&mut self, object: Value, _duplicates: &mut Vec<Value>) -> Result<Fields, Fault> {
        self.fields_of(object, false, |_| {})
    }

    fn readable(&mut self, object: Value, noticed: &mut Vec<Value>) -> Result<Fields, Fault> {
        self.fields_of(object, true, |key| noticed.push(key))
    }

    fn items(&mut self, array: Value) -> Result<Items, Fault> {
        let mut items = Items::new();
        if array.kind() != Kind::Array {
            return Ok(items);
        }
        let count = self.count(self.heap.items(slot_of(array)))?;
        items.reserve(count as usize);
        self.handles(count, |item| items.push(item));
        Ok(items)
    }

    fn text(&self, string: Value) -> Cow<'_, str> {
        if string.kind() != Kind::String {
            return Cow::Borrowed("");
        }
        let slot = slot_of(string);
        if slot < FIXED {
            return Cow::Borrowed(word_of(slot).text());
        }
        let kept = self.texts.get((slot - FIXED) as usize);
        if let Some(text) = kept.and_then(OnceCell::get) {
            return Cow::Borrowed(text);
        }
        let text = self.decoded(slot, u32::MAX);
        match kept {
            Some(kept) if text.len() <= SHORT => Cow::Borrowed(kept.get_or_init(|| text)),
            Some(_) | None => Cow::Owned(text.into_string()),
        }
    }

    fn word(&self, string: Value) -> Word {
        if string.kind() == Kind::String { word_of(slot_of(string)) } else { Word::Unknown }
    }

    fn is_empty(&self, string: Value) -> bool {
        string.kind() != Kind::String || slot_of(string) == EMPTY
    }

    fn head(&self, string: Value, length: usize) -> Cow<'_, str> {
        let slot = slot_of(string);
        if slot < FIXED {
            return self.text(string);
        }
        Cow::Owned(self.decoded(slot, u32::try_from(length).unwrap_or(u32::MAX)).into_string())
    }

    fn number(&self, number: Value) -> f64 {
        if number.kind() == Kind::Number { self.heap.number_at(slot_of(number)) } else { 0.0 }
    }

    fn boolean(&self, boolean: Value) -> bool {
        slot_of(boolean) == TRUE
    }

    fn string(&mut self, content: &str) -> Value {
        match Word::of(content.as_bytes()) {
            Word::Unknown if content.is_empty() => string_at(EMPTY),
            Word::Unknown => Value::of_bits(self.heap.string(content.as_ptr() as u32, content.len() as u32)),
            word => string_at(word as u32),
        }
    }

    fn tail(&mut self, string: Value, length: usize) -> Value {
        Value::of_bits(self.heap.tail(slot_of(string), u32::try_from(length).unwrap_or(u32::MAX)))
    }

    fn join(&mut self, strings: &[Value]) -> Value {
        for string in strings.iter().copied().filter(|string| string.kind() == Kind::String) {
            self.heap.join(slot_of(string));
        }
        Value::of_bits(self.heap.end_join())
    }

    fn parse(&mut self, string: Value) -> Result<Value, Fault> {
        if string.kind() != Kind::String {
            return Err(Fault::Syntax { message: "not valid JSON", offset: 0 });
        }
        self.handle(self.heap.parse(slot_of(string)))
    }

    fn stringify(&mut self, value: Value) -> Result<Value, Fault> {
        if let Some(reason) = value.reason() {
            return Err(Fault::refused(self.text(reason).into_owned()));
        }
        self.handle(self.heap.stringify(slot_of(value)))
    }

    fn is_raw_form(&mut self, raw: Value, parsed: Value) -> bool {
        self.heap.is_raw_form(slot_of(raw), slot_of(parsed))
    }

    fn loses_digits(&mut self, raw: Value) -> bool {
        self.heap.loses_digits(slot_of(raw))
    }

    fn same(&mut self, left: Value, right: Value) -> bool {
        self.heap.same(slot_of(left), slot_of(right))
    }

    fn mentions(&mut self, value: Value, words: &[Word]) -> bool {
        let number = |index: usize| words.get(index).map_or(u32::MAX, |word| *word as u32);
        words.len() > 3 || self.heap.mentions(slot_of(value), number(0), number(1), number(2))
    }

    /// The engine's JSON.parse reports neither duplicate keys nor lone surrogates.
    fn take_notices(&mut self) -> Vec<(Notice, String)> {
        Vec::new()
    }

    fn begin_object(&mut self) {
        self.step(Step::BeginObject, 0);
    }

    fn end_object(&mut self) {
        self.step(Step::End, 0);
    }

    fn begin_array(&mut self) {
        self.step(Step::BeginArray, 0);
    }

    fn end_array(&mut self) {
        self.step(Step::End, 0);
    }

    fn key(&mut self, word: Word) {
        self.step(Step::Key, word as u32);
    }

    fn key_of(&mut self, key: Value) {
        self.step(Step::Key, slot_of(key));
    }

    fn put(&mut self, value: Value) {
        if value.reason().is_some() {
            self.unreadable = self.unreadable.or(Some(value));
        }
        self.step(Step::Put, slot_of(value));
    }

    fn put_text(&mut self, content: &str) {
        if content.len() > SHORT {
            let text = self.string(content);
            return self.put(text);
        }
        self.step(Step::PutText, content.len() as u32);
        self.steps.extend(content.as_bytes().chunks(4).map(|bytes| {
            let mut cell = [0; 4];
            cell.iter_mut().zip(bytes).for_each(|(place, byte)| *place = *byte);
            u32::from_le_bytes(cell)
        }));
    }

    fn put_word(&mut self, word: Word) {
        self.step(Step::Put, word as u32);
    }

    fn put_number(&mut self, number: f64) {
        if !number.is_finite() {
            return self.put_null();
        }
        self.step(Step::PutNumber, 0);
        let bits = number.to_bits();
        self.steps.extend([bits as u32, (bits >> 32) as u32]);
    }

    fn put_boolean(&mut self, boolean: bool) {
        self.step(Step::Put, if boolean { TRUE } else { FALSE });
    }

    fn put_null(&mut self) {
        self.step(Step::Put, NULL);
    }

    fn start(&mut self) {
        self.step(Step::Start, 0);
    }

    fn finish(&mut self) -> Value {
        let handle = self.heap.finish(self.steps.as_ptr() as u32, self.steps.len() as u32);
        self.steps.clear();
        Value::of_bits(handle)
    }
}
