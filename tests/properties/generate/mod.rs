//! Strategies for canonical requests: everything that the format can express, in any order. They generate `serde_json`
//! values, so that failing cases shrink part by part.

mod content;
mod conversation;
mod request;
mod schema;
mod text;

pub use request::{options, request};
pub use schema::{anything, schema};
pub use text::{call_id, text};

use proptest::prelude::*;
use serde_json::{Map, Value};

pub type Json = BoxedStrategy<Value>;

/// Any of `values`, with equal probability.
pub fn one_of<T: Clone + Into<Value> + std::fmt::Debug + 'static>(values: &[T]) -> Json {
    prop::sample::select(values.to_vec()).prop_map(Into::into).boxed()
}

/// An object of `fields`: key, how often it is present (in percent), value. Keys keep their order.
pub fn object(fields: Vec<(&'static str, u32, Json)>) -> Json {
    let members: Vec<_> = fields
        .into_iter()
        .map(|(key, percent, value)| {
            let value = value.prop_map(move |value| Some((key.to_owned(), value)));
            if percent == 100 {
                value.boxed()
            } else {
                prop_oneof![100 - percent => Just(None), percent => value].boxed()
            }
        })
        .collect();
    members.prop_map(|members| Value::Object(members.into_iter().flatten().collect::<Map<_, _>>())).boxed()
}

/// An array of up to `most` values from `elements`.
pub fn array(elements: impl Strategy<Value = Value> + 'static, most: usize) -> Json {
    prop::collection::vec(elements, 0..=most).prop_map(Value::Array).boxed()
}
