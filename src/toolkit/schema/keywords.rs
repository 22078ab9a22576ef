//! Reads the values of keywords. Errors for malformed values include the location.

use super::super::error::{Result, ToolkitError};
use super::node::Types;
use super::pointer::join;
use crate::json::{Map, Number, Value};

/// The fields of a subschema, and its location.
#[derive(Clone, Copy)]
pub struct Fields<'v> {
    pub fields: &'v Map<String, Value>,
    pub pointer: &'v str,
}

impl<'v> Fields<'v> {
    pub fn wrong<T>(&self, keyword: &str, expected: &str) -> Result<T> {
        Err(ToolkitError::schema(join(self.pointer.to_string(), keyword), format!("`{keyword}` must be {expected}")))
    }

    pub fn get(&self, keyword: &str) -> Option<&'v Value> {
        self.fields.get(keyword)
    }

    pub fn text(&self, keyword: &str) -> Result<Option<&'v str>> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => self.wrong(keyword, "a string"),
        }
    }

    pub fn number(&self, keyword: &str) -> Result<Option<Number>> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Value::Number(number)) => Ok(Some(number.clone())),
            Some(Value::Bool(_)) => {
                self.wrong(keyword, "a number. A boolean was its form in draft-04: give the bound itself")
            }
            Some(_) => self.wrong(keyword, "a number"),
        }
    }

    /// A non-negative integer, such as a number of characters, items or fields.
    pub fn count(&self, keyword: &str) -> Result<Option<u64>> {
        let Some(number) = self.number(keyword)? else { return Ok(None) };
        let whole =
            number.as_u64().or_else(|| number.as_f64().filter(|n| *n >= 0.0 && n.fract() == 0.0).map(|n| n as u64));
        whole.map_or_else(|| self.wrong(keyword, "a whole number that is not negative"), |count| Ok(Some(count)))
    }

    pub fn list(&self, keyword: &str) -> Result<Option<&'v [Value]>> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Value::Array(items)) => Ok(Some(items)),
            Some(_) => self.wrong(keyword, "an array"),
        }
    }

    pub fn map(&self, keyword: &str) -> Result<Option<&'v Map<String, Value>>> {
        match self.get(keyword) {
            None => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(fields)),
            Some(_) => self.wrong(keyword, "an object"),
        }
    }

    pub fn flag(&self, keyword: &str) -> Result<bool> {
        match self.get(keyword) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(_) => self.wrong(keyword, "a boolean"),
        }
    }

    pub fn names(&self, keyword: &str) -> Result<Option<Vec<String>>> {
        match self.get(keyword) {
            None => Ok(None),
            Some(value) => match texts(value) {
                Some(names) => Ok(Some(names)),
                None => self.wrong(keyword, "an array of strings"),
            },
        }
    }

    pub fn types(&self) -> Result<Option<Types>> {
        let expected = "one of \"null\", \"boolean\", \"integer\", \"number\", \"string\", \"array\", \"object\", or an array of these";
        let names = match self.get("type") {
            None => return Ok(None),
            Some(Value::String(name)) => vec![name.clone()],
            Some(value) => texts(value).map_or_else(|| self.wrong("type", expected), Ok)?,
        };
        let mut types = Types::default();
        for name in names {
            let Some(named) = Types::named(&name) else { return self.wrong("type", expected) };
            types = types.and(named);
        }
        Ok(Some(types))
    }
}

/// The strings of an array of strings.
pub fn texts(value: &Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|item| item.as_str().map(str::to_string)).collect()
}
