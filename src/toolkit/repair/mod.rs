//! Repairs invalid JSON: text around it, missing or wrong quotes, commas and brackets, comments, other notations, and ends that are
//! cut off. One pass over the text, with bounded lookahead.

mod containers;
mod escaped;
mod extract;
mod guide;
mod parser;
mod scalars;
mod strings;

use super::error::{ErrorCode, Result, ToolkitError};
use super::schema::Schema;
use crate::json::{self, Value};
use guide::Guide;
use parser::Parser;
#[cfg(not(target_arch = "wasm32"))]
use serde::Serialize;

/// What is known of the value.
#[derive(Clone, Copy, Debug, Default)]
pub struct RepairOptions<'s> {
    /// Decides what is ambiguous: whether `007` is a number or text, whether text that contains JSON is that JSON.
    pub schema: Option<&'s Schema>,
    /// Whether the value must be an object.
    pub object: bool,
}

/// One repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
pub struct Repair {
    pub kind: &'static str,
    /// Place in the text, in bytes.
    pub offset: usize,
    pub message: &'static str,
}

/// JSON that was repaired.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
pub struct Repaired {
    /// Valid JSON.
    pub text: String,
    /// Empty if the text was valid. At most 100: the first ones.
    pub changes: Vec<Repair>,
    /// Whether the text ends before the value does.
    pub truncated: bool,
    /// Whether the end is in the middle of a value or a field, so that something is missing besides brackets.
    #[cfg_attr(not(target_arch = "wasm32"), serde(skip))]
    pub is_cut: bool,
    /// The JSON of other values found in the text.
    pub others: Vec<String>,
}

impl Repaired {
    /// The value; null if it is nested more deeply than can be read.
    pub fn value(&self) -> Value {
        json::from_str(&self.text).unwrap_or_default()
    }
}

/// More repairs than this are not listed.
const MAX_REPAIRS: usize = 100;

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
/// `not_json` if there is no JSON value in the text.
pub fn repair_json(text: &str, options: &RepairOptions) -> Result<Repaired> {
    let trimmed = text.trim_start_matches('\u{feff}').trim();
    let guide = Guide::new(options.schema);
    let decodes = trimmed.starts_with('"') && (options.object || guide.wants_container());
    if !decodes && let Some(valid) = valid(trimmed) {
        return Ok(Repaired { text: valid, ..Repaired::default() });
    }
    let unescaped = escaped::unescaped(trimmed, options.object || guide.wants_container());
    let offset = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let mut repaired = match &unescaped {
        Some(inner) => {
            let mut repaired = extract::extract(Parser::new(inner, guide), options)?;
            repaired
                .changes
                .insert(0, Repair { kind: "unescaped", offset: 0, message: "the text was escaped as a whole" });
            repaired
        }
        None => extract::extract(Parser::new(trimmed, guide), options)?,
    };
    repaired.changes.truncate(MAX_REPAIRS);
    for change in &mut repaired.changes {
        change.offset += offset;
    }
    Ok(repaired)
}

/// The text if it is valid JSON.
fn valid(text: &str) -> Option<String> {
    // That does not look into strings for halves of surrogate pairs.
    let is_valid = json::is_valid(text) && (!text.contains("\\u") || json::from_str::<Value>(text).is_ok());
    is_valid.then(|| text.to_string())
}

/// The value of a text that is nothing but one JSON value, except for its notation.
pub(super) fn whole(text: &str) -> Option<Value> {
    if let Ok(value) = json::from_str(text) {
        return Some(value);
    }
    let repaired = repair_json(text, &RepairOptions::default()).ok()?;
    let is_notation = |change: &Repair| matches!(change.kind, "quote" | "comma" | "literal" | "key" | "unescaped");
    (!repaired.truncated && repaired.others.is_empty() && repaired.changes.iter().all(is_notation))
        .then(|| repaired.value())
}

fn not_json(message: &str) -> ToolkitError {
    ToolkitError::new(ErrorCode::NotJson, "", message)
}
