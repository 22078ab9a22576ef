//! Fields that a conversion makes up because clients of the target require them.

use crate::value::{Store, Value, Word};

/// The value of a field that the input does not have.
#[derive(Clone, Copy, Debug)]
pub enum Made {
    Null,
    True,
    False,
    Number(f64),
    Text(&'static str),
    EmptyList,
    /// An object with these fields.
    Object(&'static Fields),
    /// An object with this `type`.
    Typed(Word),
    /// Null, in the object that is written under the field's key.
    NullInside(Word),
    /// An object with this count, which is 0.
    Zero(Word),
    /// A value of the input, in another place or format.
    Given(Value),
    /// A value of the input, in the object that is written under the field's key.
    GivenInside(Word, Value),
    /// When the response was created, in Unix seconds. Other formats of the provider have it under this key. A conversion has no clock, but the context
    /// may state when the request came.
    Time(Word),
}

impl Made {
    pub(super) fn put(self, store: &mut Store) {
        match self {
            Made::Null | Made::NullInside(_) => store.put_null(),
            Made::Zero(word) => {
                store.begin_object();
                store.key(word);
                store.put_number(0.0);
                store.end_object();
            }
            Made::True => store.put_boolean(true),
            Made::False => store.put_boolean(false),
            Made::Given(value) | Made::GivenInside(_, value) => store.put(value),
            Made::Number(number) => store.put_number(number),
            Made::Time(_) => store.put_number(0.0),
            Made::Text(text) => store.put_text(text),
            Made::EmptyList => store.put_array(&[]),
            Made::Object(fields) => {
                store.begin_object();
                for (word, made) in fields {
                    store.key(*word);
                    made.put(store);
                }
                store.end_object();
            }
            Made::Typed(kind) => {
                store.begin_object();
                store.key(Word::r#type);
                store.put_word(kind);
                store.end_object();
            }
        }
    }
}

/// Fields, in the order in which they are written.
pub type Fields = [(Word, Made)];
