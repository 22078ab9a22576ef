//! Repairs invalid JSON: surrounding text, missing or wrong quotes, commas and brackets, comments, other notations, and truncated
//! text. It makes one pass over the text, with bounded lookahead.

mod containers;
mod escaped;
mod extract;
mod guide;
mod parser;
mod scalars;
mod strings;

use super::error::{ErrorCode, Result, ToolkitError};
use crate::json::{self, Value};
use guide::Guide;
pub use guide::{Expected, SchemaGuide};
use parser::{INNER_QUOTE, MISSING_QUOTE, Parser};
#[cfg(not(target_arch = "wasm32"))]
use serde::Serialize;

/// Information about the expected value.
#[derive(Clone, Copy, Default)]
pub struct Hints<'s> {
    pub schema: Option<&'s dyn SchemaGuide>,
    /// Whether the value must be an object.
    pub object: bool,
}

/// One repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
pub struct Repair {
    pub kind: &'static str,
    /// Byte offset in the text.
    pub offset: usize,
    pub message: &'static str,
}

/// The result of a repair.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
pub struct Repaired {
    /// Valid JSON.
    pub text: String,
    /// Empty if the text was valid. Contains at most the first 100 repairs.
    pub changes: Vec<Repair>,
    /// Whether the text ends before the value does.
    pub truncated: bool,
    /// Whether the text ends within a value or a field, so that more than brackets is missing.
    #[cfg_attr(not(target_arch = "wasm32"), serde(skip))]
    pub is_cut: bool,
    /// Whether strings in the text can end at several places, and no reading has only fields that the schema declares.
    #[cfg_attr(not(target_arch = "wasm32"), serde(skip))]
    pub is_ambiguous: bool,
    /// Other values found in the text, as JSON.
    pub others: Vec<String>,
}

impl Repaired {
    /// The parsed value. Null if it is nested too deeply to parse.
    pub fn value(&self) -> Value {
        json::from_str(&self.text).unwrap_or_default()
    }
}

/// Maximum number of repairs in the list.
const MAX_REPAIRS: usize = 100;

/// Repairs JSON: see [`repair_json`](super::repair_json::repair_json).
pub fn repair(text: &str, options: &Hints) -> Result<Repaired> {
    let trimmed = text.trim_start_matches('\u{feff}').trim();
    let guide = Guide::new(options.schema);
    let decodes = trimmed.starts_with('"') && (options.object || guide.wants_container());
    if !decodes && let Some(valid) = valid(trimmed) {
        let decoded = options.schema.and_then(|_| decoded(trimmed, guide, options));
        return Ok(decoded.unwrap_or(Repaired { text: valid, ..Repaired::default() }));
    }
    let unescaped = escaped::unescaped(trimmed, options.object || guide.wants_container());
    let offset = text.len() - text.trim_start_matches('\u{feff}').trim_start().len();
    let mut repaired = match &unescaped {
        Some(inner) => {
            let mut repaired = ranked(inner, guide, options)?;
            repaired
                .changes
                .insert(0, Repair { kind: "unescaped", offset: 0, message: "the text was escaped as a whole" });
            repaired
        }
        None => ranked(trimmed, guide, options)?,
    };
    repaired.changes.truncate(MAX_REPAIRS);
    for change in &mut repaired.changes {
        change.offset += offset;
    }
    Ok(repaired)
}

/// If the first reading has fields that the schema does not declare, and quotes could mean something else, reads again so that only
/// declared fields end a string.
fn ranked(text: &str, guide: Guide, options: &Hints) -> Result<Repaired> {
    let mut first = extract::extract(Parser::new(text, guide), options)?;
    first.is_ambiguous &= first.changes.iter().any(|change| matches!(change.message, INNER_QUOTE | MISSING_QUOTE));
    if !first.is_ambiguous {
        return Ok(first);
    }
    let strict = Parser { is_strict: true, ..Parser::new(text, guide) };
    match extract::extract(strict, options) {
        Ok(second) if !second.is_ambiguous && !second.truncated && second.others.is_empty() => Ok(second),
        _ => Ok(first),
    }
}

/// Valid JSON whose numbers are text where the schema wants text, if they would lose digits.
pub fn with_digits(text: &str, schema: &dyn SchemaGuide) -> Option<String> {
    if !scalars::may_lose_digits(text) {
        return None;
    }
    let repaired = extract::extract(Parser::new(text, Guide::new(Some(schema))), &Hints::default()).ok()?;
    let is_same = repaired.changes.iter().all(|change| change.kind == scalars::DIGITS);
    (is_same && !repaired.changes.is_empty() && repaired.others.is_empty()).then_some(repaired.text)
}

/// Valid JSON, if the schema requires JSON that is in its strings.
fn decoded(text: &str, guide: Guide, options: &Hints) -> Option<Repaired> {
    let repaired = extract::extract(Parser::new(text, guide), options).ok()?;
    let is_decoded = !repaired.changes.is_empty() && repaired.changes.iter().all(|change| change.kind == "unescaped");
    is_decoded.then_some(repaired)
}

/// Returns the text if it is valid JSON.
fn valid(text: &str) -> Option<String> {
    // `is_valid` does not detect unpaired surrogates in strings.
    let is_valid = json::is_valid(text) && (!text.contains("\\u") || json::from_str::<Value>(text).is_ok());
    is_valid.then(|| text.to_string())
}

/// Parses a text that consists of one JSON value, possibly in a variant notation.
pub(super) fn whole(text: &str) -> Option<Value> {
    if let Ok(value) = json::from_str(text) {
        return Some(value);
    }
    let repaired = repair(text, &Hints::default()).ok()?;
    let is_notation = |change: &Repair| matches!(change.kind, "quote" | "comma" | "literal" | "key" | "unescaped");
    (!repaired.truncated && repaired.others.is_empty() && repaired.changes.iter().all(is_notation))
        .then(|| repaired.value())
}

fn not_json(message: &str) -> ToolkitError {
    ToolkitError::new(ErrorCode::NotJson, "", message)
}
