//! Bindings for functions that don't require a toolkit instance.

use super::json::{JsResult, given, options_of, read_value, thrown, value};
use crate::call_ids;
use crate::json::{ToJson, Value, json};
use crate::nearest::nearest;
use crate::number::push_whole;
use crate::toolkit::read::{Fields, object};
use crate::toolkit::{
    CheckOptions, Checked, Draft, ErrorCode, Repair, RepairOptions, Result, Schema, SchemaOptions, ToolkitError,
};
use crate::toolkit::{parameters_schema, repair_json};
use wasm_bindgen::prelude::*;

/// Checks a value against a schema. The result is undefined if there are no problems and changes.
#[wasm_bindgen(js_name = checkValue, unchecked_return_type = "Json<Findings> | undefined")]
pub fn check_value(
    #[wasm_bindgen(unchecked_param_type = "Json<object | boolean>")] schema: &str,
    #[wasm_bindgen(unchecked_param_type = "Json<unknown>")] value: &str,
    #[wasm_bindgen(unchecked_param_type = "Json<CheckOptions>")] given_options: &str,
) -> JsResult<Option<String>> {
    let read = || {
        let (check, options) = options(&options_of("the options", given_options)?)?;
        Ok((check, schema_of(schema, &options)?))
    };
    let (check, schema) = read().map_err(thrown)?;
    Ok(findings(read_value(value).map_or_else(Checked::from, |value| schema.check(value, check))))
}

/// The details of a repair, the places of its changes, and the repaired JSON.
#[wasm_bindgen(js_name = repairJson, unchecked_return_type = "[Json<RepairDetails>, Json<number[]>, Json<unknown>]")]
pub fn repaired(
    text: &str,
    #[wasm_bindgen(unchecked_param_type = "Json<object | boolean> | undefined")] schema: Option<String>,
) -> JsResult<Vec<String>> {
    let schema = schema.map(|schema| schema_of(&schema, &SchemaOptions::default())).transpose();
    let repair = |schema: Option<Schema>| repair_json(text, &RepairOptions { schema: schema.as_ref(), object: false });
    let mut repaired = schema.and_then(repair).map_err(thrown)?;
    use_units(text, &mut repaired.changes);
    let (texts, places) = interned(&repaired.changes);
    let details = json!({ "texts": texts, "truncated": repaired.truncated, "others": repaired.others });
    Ok(vec![details.to_string(), places, repaired.text])
}

/// The JSON Schema of parameter definitions.
#[wasm_bindgen(js_name = parametersSchema, unchecked_return_type = "Json<JsonSchema>")]
pub fn schema_of_parameters(
    #[wasm_bindgen(unchecked_param_type = "Json<readonly ParameterDefinition[]>")] definitions: &str,
) -> JsResult<String> {
    let schema = read_definitions(definitions).and_then(|value| parameters_schema(&value));
    schema.map(|schema| given(&schema)).map_err(thrown)
}

/// The known name that differs least, if the difference is small.
#[wasm_bindgen(js_name = nearestName)]
pub fn nearest_name(
    name: &str,
    #[wasm_bindgen(unchecked_param_type = "Json<string[]>")] known: &str,
) -> Option<String> {
    let known = value(known).unwrap_or_default();
    let known: Vec<&str> = known.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    nearest(name, &known).map(str::to_owned)
}

/// The id that replaces the id of a call. A conversion that reads such calls gives the same id.
#[wasm_bindgen(js_name = replacementId)]
pub fn replacement_id(id: &str, occurrence: u32) -> String {
    call_ids::replacement(id, occurrence as usize)
}

fn options(value: &Value) -> Result<(CheckOptions, SchemaOptions)> {
    let known = ["coerce", "clamp", "defaults", "draft", "formats", "documents"];
    let fields = Fields::of(value, "the options", ErrorCode::InvalidOptions)?.only(&known)?;
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

fn read_definitions(text: &str) -> Result<Value> {
    let wrong = |message| ToolkitError::schema("", format!("the parameter definitions are not JSON: {message}"));
    crate::json::from_str(text).map_err(|error| wrong(error.to_string()))
}

/// The result of a check. `None` if there are no problems and changes. Includes the value only if it was changed.
pub fn findings(checked: Checked) -> Option<String> {
    let Checked { value, problems, changes } = checked;
    if problems.is_empty() && changes.is_empty() {
        return None;
    }
    let findings = object([
        ("value", (!changes.is_empty()).then_some(value)),
        ("problems", Some(problems.to_json())),
        ("changes", Some(changes.to_json())),
    ]);
    Some(findings.to_string())
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
