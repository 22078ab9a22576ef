//! Tool definitions, reduced to the fields that text requires.

use super::error::{Result, TextError};
use crate::json::{Map, Value};

/// The parts of a tool that are shown to a model, and that determine the types of its arguments.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tool {
    pub name: String,
    pub description: Option<String>,
    /// A JSON Schema. Empty if the tool has no parameters.
    pub parameters: Map<String, Value>,
    pub input_examples: Vec<Value>,
}

impl Tool {
    /// Reads canonical tool definitions. Native tools of a provider, which have no name of their own, are an error.
    ///
    /// # Errors
    /// The value is not a list of tool definitions.
    pub fn list(definitions: &Value) -> Result<Vec<Self>> {
        let items = match definitions {
            Value::Null => return Ok(Vec::new()),
            Value::Array(items) => items,
            _ => return Err(TextError::new("", "the tools must be an array of tool definitions")),
        };
        items.iter().enumerate().map(|(index, item)| Self::of(item, &format!("/{index}"))).collect()
    }

    fn of(definition: &Value, path: &str) -> Result<Self> {
        let Some(name) = definition.get("name").and_then(Value::as_str) else {
            return Err(TextError::new(format!("{path}/name"), "a tool definition must have a `name`"));
        };
        let parameters = match definition.get("parameters") {
            None | Some(Value::Null) => Map::new(),
            Some(Value::Object(schema)) => schema.clone(),
            Some(_) => {
                return Err(TextError::new(format!("{path}/parameters"), "`parameters` must be a JSON Schema object"));
            }
        };
        Ok(Self {
            name: name.to_owned(),
            description: definition.get("description").and_then(Value::as_str).map(str::to_owned),
            parameters,
            input_examples: definition.get("inputExamples").and_then(Value::as_array).cloned().unwrap_or_default(),
        })
    }
}
