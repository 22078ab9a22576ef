//! The functions that need no toolkit.

use super::json::{Outcome, fields, handed, list, parsed, text, thrown, unreadable, value};
use super::types;
use crate::json::{Value, json};
use crate::toolkit::read::Fields;
use crate::toolkit::{
    CheckOptions, Checked, Draft, ErrorCode, Repair, RepairOptions, Result, Schema, SchemaOptions, ToolkitError,
};
use crate::toolkit::{parameters_schema as schema_of_definitions, repair_json as repaired_json};
use js_sys::{Array, Object, Reflect};
use wasm_bindgen::prelude::*;

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

fn schema_of(schema: &JsValue, options: &SchemaOptions) -> Outcome<Schema> {
    let schema = value(schema)
        .map_err(|message| thrown(&ToolkitError::schema("", format!("the schema is not JSON: {message}"))))?;
    Schema::new(&schema, options).map_err(|error| thrown(&error))
}

/// @throws `invalid_schema`, `invalid_options`
#[wasm_bindgen(js_name = checkValue)]
pub fn check_value(
    schema: &types::Schema,
    given_value: &JsValue,
    given_options: &types::CheckOptions,
) -> Outcome<types::CheckedValue> {
    let (check, options) = fields("the options", given_options, options)?;
    let schema = schema_of(schema, &options)?;
    checked(given_value, |value| schema.check(value, check))
}

/// Checks a value and returns the result. A value that was not changed is the object passed in.
pub fn checked(given_value: &JsValue, check: impl FnOnce(Value) -> Checked) -> Outcome<types::CheckedValue> {
    let object: types::CheckedValue = Object::new().unchecked_into();
    object.set_value(given_value);
    let (problems, changes) = match value(given_value) {
        Err(message) => (vec![unreadable(&message)], Vec::new()),
        Ok(value) => {
            let Checked { value, problems, changes } = check(value);
            if !changes.is_empty() {
                object.set_value(&handed(&value));
            }
            (problems, changes)
        }
    };
    object.set_value_problems(&list(&problems));
    object.set_value_changes(&list(&changes));
    Ok(object)
}

/// @throws `not_json`, `invalid_schema`
#[wasm_bindgen(js_name = repairJson)]
pub fn repair_json(text: &str, options: &types::RepairOptions) -> Outcome<types::RepairedJson> {
    let schema = if options.is_undefined() || options.is_null() {
        JsValue::UNDEFINED
    } else {
        Reflect::get(options, &"schema".into())?
    };
    let schema = if schema.is_undefined() { None } else { Some(schema_of(&schema, &SchemaOptions::default())?) };
    let repaired = repaired_json(text, &RepairOptions { schema: schema.as_ref(), object: false })
        .map_err(|error| thrown(&error))?;
    let object = Object::new();
    let set = |name: &str, value: JsValue| Reflect::set(&object, &name.into(), &value);
    set("value", parsed(&repaired.text))?;
    set("text", repaired.text.as_str().into())?;
    set("changes", handed(&interned(&in_units(text, &repaired.changes))))?;
    set("truncated", repaired.truncated.into())?;
    set("others", repaired.others.iter().map(|other| parsed(other)).collect::<Array>().into())?;
    Ok(object.unchecked_into())
}

/// Repairs as `{texts, places}`: the texts of each kind once, and for each repair which it is and the offset.
fn interned(changes: &[Repair]) -> Value {
    let mut known: Vec<&Repair> = Vec::new();
    let places = changes.iter().map(|change| {
        let same = |other: &&Repair| other.kind == change.kind && other.message == change.message;
        let which = known.iter().position(same).unwrap_or_else(|| {
            known.push(change);
            known.len() - 1
        });
        json!([which, change.offset])
    });
    let places: Vec<Value> = places.collect();
    let texts: Vec<Value> = known.iter().map(|change| json!([change.kind, change.message])).collect();
    json!({ "texts": texts, "places": places })
}

/// Repairs with their offsets in UTF-16 code units, as JavaScript counts.
fn in_units(text: &str, changes: &[Repair]) -> Vec<Repair> {
    if text.is_ascii() {
        return changes.to_vec();
    }
    let mut in_units = changes.to_vec();
    let (mut bytes, mut units) = (0, 0);
    let mut letters = text.chars();
    for change in &mut in_units {
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
    in_units
}

/// @throws `invalid_schema`
#[wasm_bindgen(js_name = parametersSchema)]
pub fn parameters_schema(definitions: &types::ParameterDefinitions) -> Outcome<types::JsonSchema> {
    let wrong = |message: String| {
        thrown(&ToolkitError::schema("", format!("the parameter definitions are not JSON: {message}")))
    };
    let text = text(definitions).map_err(wrong)?.unwrap_or_default();
    let definitions = crate::json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    Ok(handed(&schema_of_definitions(&definitions).map_err(|error| thrown(&error))?).unchecked_into())
}
