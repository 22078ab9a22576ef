//! Reads and writes the fields of JSON objects such as options, tools and saved states. Errors name the field.

use super::error::{ErrorCode, Result, ToolkitError};
use crate::json::{Map, Value};
use crate::nearest::nearest;

/// An object, with a description of it for errors.
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

    /// Fails if there are other fields.
    pub fn only(self, known: &[&str]) -> Result<Self> {
        match self.fields.keys().find(|name| !known.contains(&name.as_str())) {
            None => Ok(self),
            Some(name) => {
                let advice = nearest(name, known).map(|known| format!(". Did you mean `{known}`?"));
                Err(self.error(name, format!("there is no field `{name}`{}", advice.unwrap_or_default())))
            }
        }
    }

    /// A required field.
    pub fn required<T>(&self, name: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| self.error(name, format!("`{name}` is missing")))
    }

    fn error(&self, name: &str, message: String) -> ToolkitError {
        ToolkitError::new(self.code, format!("/{name}"), message)
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
        Err(self.error(name, format!("`{name}` must be {expected}")))
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

    pub fn count(&self, name: &str) -> Result<Option<u32>> {
        self.read(name, "a whole number that is not negative", |value| value.as_u64()?.try_into().ok())
    }

    /// Reads an enumeration value by its name.
    pub fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>> {
        let expected = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>().join(", ");
        match self.text(name)? {
            None => Ok(None),
            Some(text) => match words.iter().find(|(word, _)| *word == text) {
                Some((_, value)) => Ok(Some(*value)),
                None => self.wrong(name, &format!("one of {}", expected())),
            },
        }
    }

    /// The fields of a nested object.
    pub fn fields(&self, name: &str) -> Result<Option<Fields<'v>>> {
        Ok(self.object(name)?.map(|fields| Fields { fields, code: self.code }))
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

/// An object with these fields, without the absent ones.
pub fn object<const N: usize>(mut fields: [(&str, Option<Value>); N]) -> Value {
    object_of(&mut fields)
}

/// Not generic, so that it is compiled only once.
fn object_of(fields: &mut [(&str, Option<Value>)]) -> Value {
    let mut object = Map::new();
    for (name, value) in fields {
        if let Some(value) = value.take() {
            object.insert(name.to_string(), value);
        }
    }
    Value::Object(object)
}
