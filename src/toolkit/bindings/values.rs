//! Bindings for functions that don't require a toolkit instance.

use super::json::{JsResult, given, options_of, thrown, unknown, value};
use crate::call_ids;
use crate::json::{ToJson, Value, json};
use crate::number::push_whole;
use crate::toolkit::read::{Fields, object};
use crate::toolkit::{
    CheckOptions, Checked, Draft, ErrorCode, Repair, RepairOptions, Result, Schema, SchemaOptions, ToolkitError,
};
use crate::toolkit::{parameters_schema, repair_json};
use wasm_bindgen::prelude::*;

/// Performs one operation. All inputs are JSON text, except for the text to repair and the id to replace.
#[wasm_bindgen]
pub fn perform(operation: &str, first: &str, second: &str, third: &str) -> JsResult<String> {
    let performed = match operation {
        "checkValue" => check_value(first, second, third),
        "repairJson" => repaired(first, second),
        "parametersSchema" => {
            definitions(first).and_then(|value| parameters_schema(&value)).map(|schema| given(&schema))
        }
        // a conversion that reads such calls gives the same id
        "replacementId" => Ok(call_ids::replacement(first, second.parse().unwrap_or_default())),
        _ => Err(unknown(operation)),
    };
    performed.map_err(thrown)
}

fn options(value: &Value) -> Result<(CheckOptions, SchemaOptions)> {
    let fields = Fields::of(value, "the options", ErrorCode::InvalidOptions)?;
    let all = CheckOptions::default();
    let check = CheckOptions {
        coerce: fields.flag("coerce")?.unwrap_or(all.coerce),
        clamp: fields.flag("clamp")?.unwrap_or(all.clamp),
        defaults: fields.flag("defaults")?.unwrap_or(all.defaults),
        formats: fields.flag("formats")?.unwrap_or(all.formats),
    };
    let draft = match fields.text("draft")?.as_deref() {
        None | Some("2020-12") => Draft::Draft2020,
        Some("draft-07") => Draft::Draft07,
        Some(_) => return fields.wrong("draft", "\"2020-12\" or \"draft-07\""),
    };
    Ok((check, SchemaOptions { draft, documents: fields.object("documents")?.cloned().unwrap_or_default() }))
}

fn schema_of(schema: &str, options: &SchemaOptions) -> Result<Schema> {
    let schema =
        value(schema).map_err(|message| ToolkitError::schema("", format!("the schema is not JSON: {message}")))?;
    Schema::new(&schema, options)
}

fn definitions(text: &str) -> Result<Value> {
    let wrong = |message| ToolkitError::schema("", format!("the parameter definitions are not JSON: {message}"));
    crate::json::from_str(text).map_err(|error| wrong(error.to_string()))
}

fn check_value(schema: &str, given: &str, given_options: &str) -> Result<String> {
    let (check, options) = options(&options_of("the options", given_options)?)?;
    let schema = schema_of(schema, &options)?;
    let too_deep = |message: String| ToolkitError::new(ErrorCode::InvalidOptions, "", message);
    Ok(checked(schema.check(value(given).map_err(too_deep)?, check)))
}

/// The result of a check. Empty if there are no problems and changes. Includes the value only if it was changed.
pub fn checked(checked: Checked) -> String {
    let Checked { value, problems, changes } = checked;
    if problems.is_empty() && changes.is_empty() {
        return String::new();
    }
    let checked = object([
        ("value", (!changes.is_empty()).then_some(value)),
        ("problems", Some(problems.to_json())),
        ("changes", Some(changes.to_json())),
    ]);
    checked.to_string()
}

/// Three lines of JSON: the details, the places of the changes, and the repaired JSON.
fn repaired(text: &str, schema: &str) -> Result<String> {
    let schema = if schema.is_empty() { None } else { Some(schema_of(schema, &SchemaOptions::default())?) };
    let mut repaired = repair_json(text, &RepairOptions { schema: schema.as_ref(), object: false })?;
    use_units(text, &mut repaired.changes);
    let (texts, places) = interned(&repaired.changes);
    let about = json!({ "texts": texts, "truncated": repaired.truncated, "others": repaired.others });
    Ok([about.to_string().as_str(), places.as_str(), repaired.text.as_str()].join("\n"))
}

/// Each distinct text of the repairs, and as JSON text, for each repair the index of its text and its offset.
fn interned(changes: &[Repair]) -> (Value, String) {
    let mut known: Vec<&Repair> = Vec::new();
    let mut places: Vec<u8> = Vec::with_capacity(8 * changes.len() + 2);
    for change in changes {
        // Equal texts of another address are only listed twice.
        let same =
            |other: &&Repair| std::ptr::eq(other.message, change.message) && std::ptr::eq(other.kind, change.kind);
        let which = known.iter().position(same).unwrap_or_else(|| {
            known.push(change);
            known.len() - 1
        });
        for number in [which, change.offset] {
            places.push(if places.is_empty() { b'[' } else { b',' });
            push_whole(&mut places, u32::try_from(number).unwrap_or(u32::MAX));
        }
    }
    places.extend(if places.is_empty() { &b"[]"[..] } else { b"]" });
    let texts: Vec<Value> = known.iter().map(|change| json!([change.kind, change.message])).collect();
    (Value::Array(texts), String::from_utf8(places).unwrap_or_default())
}

/// Converts the offsets of repairs to UTF-16 code units, as JavaScript requires.
fn use_units(text: &str, changes: &mut [Repair]) {
    if text.is_ascii() {
        return;
    }
    let (mut bytes, mut units) = (0, 0);
    let mut letters = text.chars();
    for change in changes {
        if change.offset < bytes {
            (bytes, units, letters) = (0, 0, text.chars());
        }
        while bytes < change.offset {
            let Some(letter) = letters.next() else { break };
            bytes += letter.len_utf8();
            units += letter.len_utf16();
        }
        change.offset = units;
    }
}
