//! A small implementation of JSON values.

mod number;
mod read;
mod value;
mod write;

use crate::bytes::ByteSet;

pub use number::Number;
pub use read::from_str;
pub use value::{ToJson, Value};

#[cfg(any(feature = "text", test))]
pub(crate) use read::is_object;
#[cfg(any(feature = "toolkit", test))]
pub(crate) use read::is_valid;
#[cfg(feature = "text")]
pub(crate) use write::push_escaped;
pub(crate) use write::quoted;

/// An object. Keys keep their order.
pub type Map<K, V> = crate::table::Table<K, V>;

/// The bytes that are escaped in strings: quotes, backslashes and control characters.
const ESCAPED: ByteSet = ByteSet::of(b"\"\\\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f");

/// The number of bytes before the first one that is escaped.
fn plain(bytes: &[u8]) -> usize {
    ESCAPED.before(bytes)
}

/// Adds a field to the object that [`json!`] makes.
#[cfg_attr(not(target_arch = "wasm32"), allow(dead_code))]
pub fn put(fields: &mut Map<String, Value>, key: &str, value: Value) {
    fields.insert(key.to_owned(), value);
}

/// A [`Value`] in JSON notation, which may contain expressions.
macro_rules! json {
    (@items $list:ident) => {};
    (@items $list:ident null $(, $($rest:tt)*)?) => {
        $list.push($crate::json::Value::Null);
        $($crate::json::json!(@items $list $($rest)*);)?
    };
    (@items $list:ident { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $list.push($crate::json::json!({ $($inner)* }));
        $($crate::json::json!(@items $list $($rest)*);)?
    };
    (@items $list:ident [ $($inner:tt)* ] $(, $($rest:tt)*)?) => {
        $list.push($crate::json::json!([ $($inner)* ]));
        $($crate::json::json!(@items $list $($rest)*);)?
    };
    (@items $list:ident $item:expr $(, $($rest:tt)*)?) => {
        $list.push($crate::json::ToJson::to_json(&$item));
        $($crate::json::json!(@items $list $($rest)*);)?
    };
    (@fields $map:ident) => {};
    (@fields $map:ident $key:tt : null $(, $($rest:tt)*)?) => {
        $crate::json::put(&mut $map, $key.as_ref(), $crate::json::Value::Null);
        $($crate::json::json!(@fields $map $($rest)*);)?
    };
    (@fields $map:ident $key:tt : { $($inner:tt)* } $(, $($rest:tt)*)?) => {
        $crate::json::put(&mut $map, $key.as_ref(), $crate::json::json!({ $($inner)* }));
        $($crate::json::json!(@fields $map $($rest)*);)?
    };
    (@fields $map:ident $key:tt : [ $($inner:tt)* ] $(, $($rest:tt)*)?) => {
        $crate::json::put(&mut $map, $key.as_ref(), $crate::json::json!([ $($inner)* ]));
        $($crate::json::json!(@fields $map $($rest)*);)?
    };
    (@fields $map:ident $key:tt : $value:expr $(, $($rest:tt)*)?) => {
        $crate::json::put(&mut $map, $key.as_ref(), $crate::json::ToJson::to_json(&$value));
        $($crate::json::json!(@fields $map $($rest)*);)?
    };
    (null) => { $crate::json::Value::Null };
    ([ $($items:tt)* ]) => {{
        #[allow(unused_mut)]
        let mut list: Vec<$crate::json::Value> = Vec::new();
        $crate::json::json!(@items list $($items)*);
        $crate::json::Value::Array(list)
    }};
    ({ $($fields:tt)* }) => {{
        #[allow(unused_mut)]
        let mut map: $crate::json::Map<String, $crate::json::Value> = $crate::json::Map::new();
        $crate::json::json!(@fields map $($fields)*);
        $crate::json::Value::Object(map)
    }};
    ($value:expr) => { $crate::json::ToJson::to_json(&$value) };
}
#[cfg_attr(not(target_arch = "wasm32"), allow(unused_imports))]
pub(crate) use json;

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests;
