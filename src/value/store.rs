//! The store of a conversion.

use super::text::{Source, TextStore};
use super::{Backend, Fault, Fields, Items, Kind, Notice, Value, Word};
use std::borrow::Cow;

#[cfg(target_arch = "wasm32")]
use super::js::JsStore;

/// Keeps values and builds new ones, in one of two backends: text, or JavaScript values.
///
/// Calls are dispatched directly, not through a trait object: the code is smaller, and the compiler knows what they change.
pub struct Store {
    /// Empty if values are JavaScript values.
    pub text: TextStore,
    #[cfg(target_arch = "wasm32")]
    js: Option<JsStore>,
}

impl From<TextStore> for Store {
    fn from(text: TextStore) -> Store {
        Store {
            text,
            #[cfg(target_arch = "wasm32")]
            js: None,
        }
    }
}

#[cfg(target_arch = "wasm32")]
impl From<JsStore> for Store {
    fn from(js: JsStore) -> Store {
        Store { text: TextStore::empty(0), js: Some(js) }
    }
}

impl Store {
    /// Reads `body` and returns the store and the root value. `max_depth` limits the nesting of everything that is parsed.
    pub fn of_text(body: Source, max_depth: usize) -> Result<(Store, Value), Fault> {
        let (text, root) = TextStore::new(body, max_depth)?;
        Ok((text.into(), root))
    }

    /// The first value that was to be written but cannot be read.
    #[cfg(target_arch = "wasm32")]
    pub fn unreadable(&self) -> Option<Value> {
        self.js.as_ref()?.unreadable
    }

    /// The JavaScript value of a handle; undefined for a text store.
    #[cfg(target_arch = "wasm32")]
    pub fn release(&self, value: Value) -> wasm_bindgen::JsValue {
        self.js.as_ref().map_or(wasm_bindgen::JsValue::UNDEFINED, |js| js.release(value))
    }
}

impl Store {
    #[inline(always)]
    pub fn kind(&self, value: Value) -> Kind {
        value.kind()
    }
}

macro_rules! reading {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => { $(
        #[doc = concat!("See [`Backend::", stringify!($name), "`].")]
        #[inline(never)]
        pub fn $name(&self $(, $argument: $type)*) $(-> $result)? {
            #[cfg(target_arch = "wasm32")]
            if let Some(js) = &self.js {
                return js.$name($($argument),*);
            }
            self.text.$name($($argument),*)
        }
    )* };
}

macro_rules! changing {
    ($(fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => { $(
        #[doc = concat!("See [`Backend::", stringify!($name), "`].")]
        #[inline(never)]
        pub fn $name(&mut self $(, $argument: $type)*) $(-> $result)? {
            #[cfg(target_arch = "wasm32")]
            if let Some(js) = &mut self.js {
                return js.$name($($argument),*);
            }
            self.text.$name($($argument),*)
        }
    )* };
}

impl Store {
    reading! {
        fn text(string: Value) -> Cow<'_, str>;
        fn word(string: Value) -> Word;
        fn is_empty(string: Value) -> bool;
        fn may_be_blank(string: Value) -> bool;
        fn head(string: Value, length: usize) -> Cow<'_, str>;
        fn number(number: Value) -> f64;
        fn boolean(boolean: Value) -> bool;
    }

    /// A text that outlives the store. A function because it has many callers.
    #[inline(never)]
    pub fn owned_text(&self, string: Value) -> String {
        self.text(string).into_owned()
    }

    changing! {
        fn fields(object: Value, duplicates: &mut Vec<Value>) -> Result<Fields, Fault>;
        fn readable(object: Value, noticed: &mut Vec<Value>) -> Result<Fields, Fault>;
        fn items(array: Value) -> Result<Items, Fault>;
        fn has_no_elements(container: Value) -> Result<bool, Fault>;
        fn string(content: &str) -> Value;
        fn tail(string: Value, length: usize) -> Value;
        fn join(strings: &[Value]) -> Value;
        fn parse(string: Value) -> Result<Value, Fault>;
        fn stringify(value: Value) -> Result<Value, Fault>;
        fn is_raw_form(raw: Value, parsed: Value) -> bool;
        fn loses_digits(raw: Value) -> bool;
        fn same(left: Value, right: Value) -> bool;
        fn mentions(value: Value, words: &[Word]) -> bool;
        fn take_notices() -> Vec<(Notice, String)>;
        fn begin_object();
        fn end_object();
        fn begin_array();
        fn end_array();
        fn key(word: Word);
        fn key_of(key: Value);
        fn put(value: Value);
        fn put_stringified(value: Value) -> Result<(), Fault>;
        fn put_text(content: &str);
        fn put_word(word: Word);
        fn put_number(number: f64);
        fn put_boolean(boolean: bool);
        fn put_null();
        fn start();
        fn finish() -> Value;
        fn append_json(value: Value, into: &mut Vec<u8>) -> Result<(), Fault>;
        fn append_content(string: Value, into: &mut Vec<u8>) -> Result<(), Fault>;
        fn import(json: &[u8]) -> Result<Value, Fault>;
    }

    /// Puts an array of these values.
    pub fn put_array(&mut self, values: &[Value]) {
        self.begin_array();
        for value in values {
            self.put(*value);
        }
        self.end_array();
    }

    /// A separate array of these values.
    pub fn array_of(&mut self, values: &[Value]) -> Value {
        self.start();
        self.put_array(values);
        self.finish()
    }

    pub fn empty_object(&mut self) -> Value {
        self.start();
        self.begin_object();
        self.end_object();
        self.finish()
    }

    pub fn word_value(&mut self, word: Word) -> Value {
        self.string(word.text())
    }

    pub fn boolean_value(&mut self, boolean: bool) -> Value {
        self.start();
        self.put_boolean(boolean);
        self.finish()
    }
}
