//! The exceptions of SDKs, which contain the body of a provider's error.

use super::call::{Task, dialects, finish, in_its_shape};
use super::error::{Input, JsResult, thrown};
use super::options;
use crate::convert::Subject;
use crate::run::Options;
use js_sys::Array;
use wasm_bindgen::prelude::*;

#[wasm_bindgen(module = "/src/bindings/exceptions.js")]
extern "C" {
    /// `[body, status]`; undefined for other values.
    #[wasm_bindgen(js_name = readException)]
    fn read_exception(value: &JsValue) -> Option<Array>;
}

/// Converts the body of an error, or an exception that an SDK threw.
pub fn convert_error(error: &JsValue, conversion: &JsValue) -> JsResult {
    let given = options::read(conversion).map_err(|error| thrown(&error))?;
    let (from, to) = dialects(&given).map_err(|error| thrown(&error))?;
    let task = Task::new(Subject::Error, from, to);
    let input = Input { subject: Subject::Error, from, is_value: false };
    let read = from.provider().and_then(|_| read_exception(error));
    let Some(read) = read else { return finish(in_its_shape(task, error, &given.options), conversion, input) };
    let status = read.get(1).as_f64().map(|status| status as u16);
    let known = Options { status: given.options.status.or(status), ..given.options.clone() };
    finish(in_its_shape(task, &read.get(0), &known), conversion, input)
}
