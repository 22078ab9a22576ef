//! The size of a value.

use super::number::is_integer;
use crate::json::Value;

#[derive(Default)]
pub struct Size {
    /// The number of values that it contains, including itself.
    pub parts: usize,
    /// Whether it contains a whole number written as a float, such as `5.0`.
    pub has_whole_float: bool,
}

pub fn of(value: &Value) -> Size {
    let mut size = Size::default();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        size.parts += 1;
        match value {
            Value::Number(number) => size.has_whole_float |= number.is_f64() && is_integer(number),
            Value::Array(items) => open.extend(items),
            Value::Object(fields) => open.extend(fields.values()),
            _ => {}
        }
    }
    size
}
