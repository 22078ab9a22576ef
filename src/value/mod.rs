//! Reading and writing JSON-like values, without decoding what a conversion does not look at.
//!
//! A conversion handles neither text nor JavaScript objects: it has small copyable handles and asks the [`Store`] that issued them. A store has two
//! backends: [`text`] (handles are slices of UTF-8 JSON) and `js` (handles are JavaScript values, in the browser and Node only). Everything above
//! this layer is written and compiled once: a copy of every dialect for every backend would double the size of the package.

mod backend;
mod fields;
#[cfg(target_arch = "wasm32")]
pub mod js;
pub mod keyed;
pub mod order;
mod store;
pub mod text;
pub mod word;

pub use backend::Backend;
pub use fields::Fields;
pub use keyed::{Keyed, Keys};
use std::num::NonZeroU32;
pub use store::Store;
pub use word::{Word, listed};

/// The type of a value, as `JSON.stringify` sees it.
///
/// The numbers are those of `values.js`; none is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    Null = 1,
    Boolean,
    Number,
    String,
    Array,
    Object,
    /// Something that JSON cannot express, such as a BigInt, or a function where a value is required. Only the js store returns it.
    Other,
}

impl Kind {
    /// The name for error messages.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Null => "null",
            Kind::Boolean => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
            Kind::Other => "a value that JSON cannot express",
        }
    }
}

/// A handle to a value: its kind in the lower three bits, as it is read most often, and a number that only the issuing store understands.
///
/// One word, and never zero, so that `Option<Value>` has the same size: models consist mostly of handles, and they are moved often.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value(NonZeroU32);

/// The number of bits for the kind.
const KIND_BITS: u32 = 3;
/// Maximum number of distinct values.
const MOST_VALUES: usize = 1 << (u32::BITS - KIND_BITS);

impl Value {
    #[inline(always)]
    fn of(number: u32, kind: Kind) -> Value {
        Value::of_bits(number << KIND_BITS | kind as u32)
    }

    #[inline(always)]
    fn of_bits(bits: u32) -> Value {
        Value(NonZeroU32::new(bits).unwrap_or(NonZeroU32::MIN))
    }

    #[inline(always)]
    fn number(self) -> u32 {
        self.0.get() >> KIND_BITS
    }

    /// The handle as a key of [`Keyed`].
    pub fn key(self) -> [u8; 4] {
        self.0.get().to_le_bytes()
    }

    /// For a value that JavaScript failed to read: the reason, as a string. The kind bits of such a handle are 0.
    #[inline(always)]
    pub fn reason(self) -> Option<Value> {
        let is_unreadable = self.0.get() & ((1 << KIND_BITS) - 1) == 0;
        is_unreadable.then(|| Value::of(self.number(), Kind::String))
    }

    #[inline(always)]
    pub fn kind(self) -> Kind {
        match self.0.get() & ((1 << KIND_BITS) - 1) {
            1 => Kind::Null,
            2 => Kind::Boolean,
            3 => Kind::Number,
            4 => Kind::String,
            5 => Kind::Array,
            6 => Kind::Object,
            _ => Kind::Other,
        }
    }
}

/// One member of an object: its key as a [`Word`] if it is a known one, and the key's own handle.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub word: Word,
    /// The key as a string value.
    pub key: Value,
    pub value: Value,
}

/// The elements of an array in order.
pub type Items = Vec<Value>;

/// Why a store operation failed. The conversion adds the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The text is not JSON. `offset` is in bytes from the start.
    Syntax { message: &'static str, offset: usize },
    /// Nested deeper than the limit.
    Depth { limit: usize },
    /// Larger than the store can address.
    TooLarge,
    /// JavaScript threw: a getter or `toJSON` failed, or the value is a cycle or a BigInt. `below` is a JSON Pointer from the value that was
    /// requested.
    Refused { reason: String, below: String },
}

impl Fault {
    /// JavaScript could not read the value itself.
    pub fn refused(reason: String) -> Fault {
        Fault::Refused { reason, below: String::new() }
    }

    /// The same fault, reported for the value as a whole.
    pub fn whole(self) -> Fault {
        match self {
            Fault::Refused { reason, below: _ } => Fault::Refused { reason, below: String::new() },
            Fault::Syntax { .. } | Fault::Depth { .. } | Fault::TooLarge => self,
        }
    }
}

/// An observation while reading that is not an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A key occurred twice in one object; the last one counts.
    DuplicateKey,
    /// A lone surrogate was replaced by U+FFFD.
    LoneSurrogate,
}
