//! Reads the fields of JSON objects that programmers write, with an error that names the field.

use super::error::{ErrorCode, Result, ToolkitError};
use serde_json::{Map, Value};

/// An object, and what it is.
#[derive(Clone, Copy)]
pub struct Fields<'v> {
    fields: &'v Map<String, Value>,
    code: ErrorCode,
}

impl<'v> Fields<'v> {
    pub fn of(value: &'v Value, what: &str, code: ErrorCode) -> Result<Self> {
        let fields = value.as_object();
        fields
            .map(|fields| Self { fields, code })
            .ok_or_else(|| ToolkitError::new(code, "", format!("{what} must be an object")))
    }

    fn read<T>(&self, name: &str, expected: &str, read: impl FnOnce(&'v Value) -> Option<T>) -> Result<Option<T>> {
        match self.fields.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match read(value) {
                Some(value) => Ok(Some(value)),
                None => self.wrong(name, expected),
            },
        }
    }

    pub fn wrong<T>(&self, name: &str, expected: &str) -> Result<T> {
        Err(ToolkitError::new(self.code, format!("/{name}"), format!("`{name}` must be {expected}")))
    }

    pub fn text(&self, name: &str) -> Result<Option<String>> {
        self.read(name, "a string", |value| value.as_str().map(str::to_string))
    }

    pub fn flag(&self, name: &str) -> Result<Option<bool>> {
        self.read(name, "a boolean", Value::as_bool)
    }

    pub fn number(&self, name: &str) -> Result<Option<f64>> {
        self.read(name, "a number", Value::as_f64)
    }

    pub fn list(&self, name: &str) -> Result<Option<&'v Vec<Value>>> {
        self.read(name, "an array", Value::as_array)
    }

    pub fn object(&self, name: &str) -> Result<Option<&'v Map<String, Value>>> {
        self.read(name, "an object", Value::as_object)
    }

    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>> {
        let texts = |value: &Value| value.as_array()?.iter().map(|item| item.as_str().map(str::to_string)).collect();
        self.read(name, "an array of strings", texts)
    }

    pub fn value(&self, name: &str) -> Option<&'v Value> {
        self.fields.get(name).filter(|value| !value.is_null())
    }
}
