//! How the js store handles every kind of JavaScript value, in Node.
#![cfg(target_arch = "wasm32")]
// A failing test may panic; clippy.toml recognizes only tests that are marked `#[test]`.
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

mod hostile;
mod making;
mod reading;

use toolwire::value::js::JsStore;
use toolwire::value::{Backend, Fault, Kind, Value};
use wasm_bindgen::JsValue;

fn js(expression: &str) -> JsValue {
    let function = js_sys::Function::new_no_args(&format!("return {expression}"));
    function.call0(&JsValue::UNDEFINED).unwrap()
}

fn store() -> JsStore {
    JsStore::new(128)
}

fn adopted(expression: &str) -> (JsStore, Value) {
    let mut store = store();
    let value = store.adopt(&js(expression)).unwrap();
    (store, value)
}

/// Every member as `key=value`, with strings in quotes and containers by their kind.
fn members(store: &mut JsStore, object: Value) -> Vec<String> {
    let fields = store.fields(object, &mut Vec::new()).unwrap();
    fields.iter().map(|field| format!("{}={}", store.text(field.key), shown(store, field.value))).collect()
}

fn elements(store: &mut JsStore, array: Value) -> Vec<String> {
    let items = store.items(array).unwrap();
    items.iter().map(|item| shown(store, *item)).collect()
}

fn shown(store: &JsStore, value: Value) -> String {
    match value.kind() {
        Kind::String => format!("'{}'", store.text(value)),
        Kind::Number => store.number(value).to_string(),
        Kind::Boolean => store.boolean(value).to_string(),
        Kind::Null => "null".to_owned(),
        kind => format!("{kind:?}"),
    }
}

fn json(value: &JsValue) -> String {
    js_sys::JSON::stringify(value).unwrap().into()
}

fn refusal<T: std::fmt::Debug>(result: Result<T, Fault>) -> String {
    match result {
        Err(Fault::Refused { reason, .. }) => reason,
        other => panic!("not refused: {other:?}"),
    }
}
