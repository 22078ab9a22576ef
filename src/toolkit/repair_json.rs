//! Repairs JSON with the help of a schema.

use super::error::Result;
use super::repair::{self, Hints, Repaired, SchemaGuide};
use super::schema::Schema;
use crate::json::{Map, Value};

/// Information about the expected value.
#[derive(Clone, Copy, Debug, Default)]
pub struct RepairOptions<'s> {
    /// Resolves ambiguities: whether `007` is a number or text, and whether text that contains JSON is a string or JSON.
    pub schema: Option<&'s Schema>,
    /// Whether the value must be an object.
    pub object: bool,
}

/// The object in a text, with the digits of numbers where the schema wants text.
pub(super) fn with_digits(text: &str, schema: &Schema) -> Option<Map<String, Value>> {
    match crate::json::from_str(&repair::with_digits(text, schema)?) {
        Ok(Value::Object(object)) => Some(object),
        _ => None,
    }
}

/// Repairs JSON.
///
/// ```
/// use serde_json::json;
/// use toolwire::toolkit::{RepairOptions, repair_json};
///
/// let repaired = repair_json("Sure: {'city': \"Paris\", days: 3,}", &RepairOptions::default())?;
/// assert_eq!(repaired.value(), json!({ "city": "Paris", "days": 3 }));
/// assert!(!repaired.truncated);
/// # Ok::<(), toolwire::toolkit::ToolkitError>(())
/// ```
///
/// # Errors
/// `not_json` if the text contains no JSON value.
pub fn repair_json(text: &str, options: &RepairOptions) -> Result<Repaired> {
    let schema = options.schema.map(|schema| schema as &dyn SchemaGuide);
    repair::repair(text, &Hints { schema, object: options.object })
}
