//! The functions that need no toolkit.

use super::json::{Outcome, fields, given, list, parsed, refused, text, thrown, unreadable, value};
use super::types;
use crate::toolkit::{CheckOptions, Checked, Draft, Repair, RepairOptions, Schema, SchemaOptions, ToolkitError};
use crate::toolkit::{parameters_schema as schema_of_definitions, repair_json as repaired_json};
use js_sys::{Array, Object, Reflect};
use serde::Deserialize;
use serde_json::{Map, Value};
use wasm_bindgen::prelude::*;

#[derive(Deserialize, Default)]
#[serde(default)]
struct Options {
    coerce: Option<bool>,
    clamp: Option<bool>,
    defaults: Option<bool>,
    formats: Option<bool>,
    draft: Option<String>,
    documents: Map<String, Value>,
}

impl Options {
    fn check(&self) -> CheckOptions {
        let all = CheckOptions::default();
        CheckOptions {
            coerce: self.coerce.unwrap_or(all.coerce),
            clamp: self.clamp.unwrap_or(all.clamp),
            defaults: self.defaults.unwrap_or(all.defaults),
            formats: self.formats.unwrap_or(all.formats),
        }
    }

    fn schema(self) -> Outcome<SchemaOptions> {
        let draft = match self.draft.as_deref() {
            None | Some("2020-12") => Draft::Draft2020,
            Some("draft-07") => Draft::Draft07,
            Some(_) => return Err(refused("`draft` must be \"2020-12\" or \"draft-07\"")),
        };
        Ok(SchemaOptions { draft, documents: self.documents })
    }
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
    options: &types::CheckOptions,
) -> Outcome<types::CheckedValue> {
    let options: Options = fields("the options", options)?;
    let check = options.check();
    let schema = schema_of(schema, &options.schema()?)?;
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
                object.set_value(&given(&value)?);
            }
            (problems, changes)
        }
    };
    object.set_value_problems(&list(&problems)?);
    object.set_value_changes(&list(&changes)?);
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
    set("changes", given::<JsValue>(&in_units(text, &repaired.changes))?)?;
    set("truncated", repaired.truncated.into())?;
    set("others", repaired.others.iter().map(|other| parsed(other)).collect::<Array>().into())?;
    Ok(object.unchecked_into())
}

/// Repairs with their offsets in UTF-16 code units, as JavaScript counts.
fn in_units(text: &str, changes: &[Repair]) -> Vec<Repair> {
    if text.is_ascii() {
        return changes.to_vec();
    }
    let mut order: Vec<Repair> = changes.to_vec();
    order.sort_by_key(|change| change.offset);
    let (mut bytes, mut units) = (0, 0);
    let mut letters = text.chars();
    for change in &mut order {
        while bytes < change.offset {
            let Some(letter) = letters.next() else { break };
            bytes += letter.len_utf8();
            units += letter.len_utf16();
        }
        change.offset = units;
    }
    order
}

/// @throws `invalid_schema`
#[wasm_bindgen(js_name = parametersSchema)]
pub fn parameters_schema(definitions: &types::ParameterDefinitions) -> Outcome<types::JsonSchema> {
    let wrong = |message: String| {
        thrown(&ToolkitError::schema("", format!("the parameter definitions are not JSON: {message}")))
    };
    let text = text(definitions).map_err(wrong)?.unwrap_or_default();
    let definitions = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    given(&schema_of_definitions(&definitions).map_err(|error| thrown(&error))?)
}
