//! Parameter definitions: a shorthand for the JSON Schema of a tool's parameters.

use super::error::{Result, ToolkitError};
use super::schema::join;
use crate::json::{Map, Value, json};

/// Converts parameter definitions to a JSON Schema. They are an array of objects with `name`, `type`, and optionally `description`,
/// `required`, `default`, `enum`, `minValue`, `maxValue`, `pattern`, `items` and `properties`.
///
/// ```
/// use serde_json::json;
/// use toolwire::toolkit::parameters_schema;
///
/// let schema = parameters_schema(&json!([
///     { "name": "city", "type": "string" },
///     { "name": "days", "type": "integer", "default": 3, "minValue": 1 },
/// ]));
/// assert_eq!(schema, Ok(json!({
///     "type": "object",
///     "properties": {
///         "city": { "type": "string" },
///         "days": { "type": "integer", "default": 3, "minimum": 1 },
///     },
///     "required": ["city"],
///     "additionalProperties": false,
/// })));
/// ```
///
/// # Errors
/// `invalid_schema` if a definition is malformed or has an unknown field, or if two definitions have the same name.
pub fn parameters_schema(definitions: &Value) -> Result<Value> {
    object_schema(definitions, "", 0)
}

const FIELDS: [&str; 11] = [
    "name",
    "type",
    "description",
    "required",
    "default",
    "enum",
    "minValue",
    "maxValue",
    "pattern",
    "items",
    "properties",
];
/// Maximum nesting depth of definitions.
const MAX_DEPTH: usize = 32;

fn wrong<T>(path: &str, message: &str) -> Result<T> {
    Err(ToolkitError::schema(path, message))
}

fn object_schema(definitions: &Value, path: &str, depth: usize) -> Result<Value> {
    let Value::Array(definitions) = definitions else {
        return wrong(path, "parameter definitions must be an array of objects with `name` and `type`");
    };
    let (mut properties, mut required) = (Map::new(), Vec::new());
    for (index, definition) in definitions.iter().enumerate() {
        let path = join(path.to_string(), &index.to_string());
        let Some(name) = definition.get("name").and_then(Value::as_str) else {
            return wrong(&path, "a parameter definition must have a `name`, a string");
        };
        if properties.contains_key(name) {
            return wrong(&path, &format!("there are two parameters with the name `{name}`"));
        }
        let is_required = match definition.get("required") {
            None => definition.get("default").is_none(),
            Some(Value::Bool(required)) => *required,
            Some(_) => return wrong(&join(path, "required"), "`required` must be a boolean"),
        };
        if is_required {
            required.push(Value::from(name));
        }
        properties.insert(name.to_string(), schema_of(definition, &path, depth)?);
    }
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".into(), Value::Array(required));
    }
    schema.insert("additionalProperties".into(), false.into());
    Ok(Value::Object(schema))
}

/// The schema of one parameter, or of the items of an array parameter.
fn schema_of(definition: &Value, path: &str, depth: usize) -> Result<Value> {
    if depth > MAX_DEPTH {
        return wrong(path, "parameter definitions are nested too deeply");
    }
    let kind = match definition.get("type").and_then(Value::as_str) {
        Some("float") => "number",
        Some(kind @ ("string" | "integer" | "number" | "boolean" | "array" | "object")) => kind,
        _ => {
            let message =
                "`type` must be \"string\", \"integer\", \"number\", \"float\", \"boolean\", \"array\" or \"object\"";
            return wrong(&join(path.to_string(), "type"), message);
        }
    };
    if let Some(name) =
        definition.as_object().into_iter().flat_map(Map::keys).find(|name| !FIELDS.contains(&name.as_str()))
    {
        let message = format!("a parameter definition has no `{name}`. Its fields are {}", FIELDS.join(", "));
        return wrong(&join(path.to_string(), name), &message);
    }
    let mut schema = match definition.get("properties") {
        Some(properties) if kind == "object" => {
            object_schema(properties, &join(path.to_string(), "properties"), depth + 1)?
        }
        Some(_) => return wrong(&join(path.to_string(), "properties"), "only an object has `properties`"),
        None => json!({ "type": kind }),
    };
    let Value::Object(fields) = &mut schema else { return Ok(schema) };
    match definition.get("items") {
        Some(items) if kind == "array" => {
            fields.insert("items".into(), schema_of(items, &join(path.to_string(), "items"), depth + 1)?);
        }
        Some(_) => return wrong(&join(path.to_string(), "items"), "only an array has `items`"),
        None => {}
    }
    let is_number = matches!(kind, "integer" | "number");
    let keywords = [
        ("description", "description", true),
        ("default", "default", true),
        ("enum", "enum", true),
        ("minValue", "minimum", is_number),
        ("maxValue", "maximum", is_number),
        ("pattern", "pattern", kind == "string"),
    ];
    for (name, keyword, applies) in keywords {
        let Some(value) = definition.get(name) else { continue };
        if !applies {
            return wrong(&join(path.to_string(), name), &format!("`{name}` does not apply to the type \"{kind}\""));
        }
        fields.insert(keyword.into(), value.clone());
    }
    Ok(schema)
}
