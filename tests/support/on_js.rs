//! Runs the check of a vector on the js store, through the bindings.

use crate::on_text::kind;
use crate::support::cases::{Check, Outcome};
use js_sys::{Array, JSON, Reflect};
use serde_json::Value;
use toolwire::Dialect;
use toolwire::bindings::call::{Task, convert_value};
use toolwire::bindings::sdk_bytes;
use wasm_bindgen::prelude::*;

pub fn run(check: &Check) -> Outcome {
    let warnings = Array::new();
    let heard = warnings.clone();
    let on_warning = Closure::<dyn Fn(JsValue)>::new(move |warning: JsValue| {
        heard.push(&warning);
    });
    let options = parsed(&check.options.to_string());
    Reflect::set(&options, &"onWarning".into(), on_warning.as_ref()).unwrap();
    Reflect::set(&options, &"bookkeeping".into(), &true.into()).unwrap();
    let task = Task::new(kind(&check.kind), Dialect::of(&check.from).unwrap(), Dialect::of(&check.to).unwrap());
    match convert_value(task.clone(), &parsed(&check.input.text()), &options) {
        Ok(value) => Ok((text(&sdk_bytes::read(task.to, &value)), serde_json::from_str(&text(&warnings)).unwrap())),
        Err(error) => Err(["code", "path", "message"].iter().map(|key| (*key, member(&error, key))).collect()),
    }
}

fn parsed(text: &str) -> JsValue {
    JSON::parse(text).unwrap()
}

fn text(value: &JsValue) -> String {
    JSON::stringify(value).unwrap().into()
}

fn member(error: &JsValue, key: &str) -> Value {
    Reflect::get(error, &key.into()).unwrap().as_string().into()
}
