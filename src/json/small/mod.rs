//! A small implementation of JSON values.

mod number;
mod read;
mod value;
mod write;

pub use number::Number;
pub use read::from_str;
pub use value::{ToJson, Value};

#[cfg(any(feature = "toolkit", test))]
pub(crate) use number::float;
#[cfg(any(feature = "toolkit", test))]
pub(crate) use read::is_valid;

/// An object. Keys keep their order.
pub type Map<K, V> = crate::table::Table<K, V>;

/// The number of bytes before the first one that is escaped in strings: a quote, a backslash or a control character.
fn plain(bytes: &[u8]) -> usize {
    let mut count = 0;
    for byte in bytes {
        if matches!(byte, b'"' | b'\\' | 0..32) {
            break;
        }
        count += 1;
    }
    count
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
