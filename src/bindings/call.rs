//! One call from JavaScript: options in, a conversion, warnings and the result out.

use super::error::{Input, JsResult, given, refused, thrown, thrown_in};
use super::{genai, options, sdk_bytes, warnings};
use crate::convert::{Prepared, Subject, context_of, convert, convert_store, prepare, prepare_store, read_context};
use crate::model::StreamFailure;
use crate::run::error::Result;
use crate::run::{Dialect, ErrorCode, Options, Run, Warning, fault_error};
use crate::value::Store;
use crate::value::js::{JsStore, transport};
use crate::value::text::Source;
use js_sys::{Object, Reflect};
use wasm_bindgen::prelude::*;

/// What is converted, between which dialects.
#[derive(Clone)]
pub struct Task {
    pub subject: Subject,
    pub from: Dialect,
    pub to: Dialect,
    /// Whether Gemini's request is written in the flat shape of Google's SDK.
    pub flat: bool,
    /// The failure of a streamed response whose body does not state it.
    pub stream_failure: Option<StreamFailure>,
}

impl Task {
    pub const fn new(subject: Subject, from: Dialect, to: Dialect) -> Task {
        Task { subject, from, to, flat: false, stream_failure: None }
    }
}

pub type Converted = (JsValue, Vec<Warning>);

const NO_BODY: &str = "expected an object, a string, a Uint8Array or an ArrayBuffer";

/// Converts a JavaScript value between two dialects, for an exported function.
pub fn convert_between(subject: Subject, from: Dialect, to: Dialect, input: JsValue, options: JsValue) -> JsValue {
    given(convert_value(Task::new(subject, from, to), &input, &options))
}

pub fn convert_value(task: Task, input: &JsValue, options: &JsValue) -> JsResult {
    let given = options::read(options).map_err(|error| thrown(&error))?;
    let place = Input { subject: task.subject, from: task.from, is_value: true };
    finish(value_of(task, input, &given.options), options, place)
}

/// Converts a body between the dialects in `conversion`. The output is an object, a string or bytes, like the input.
pub fn convert_body(subject: Subject, body: &JsValue, conversion: &JsValue) -> JsResult {
    let given = options::read(conversion).map_err(|error| thrown(&error))?;
    let (from, to) = dialects(&given).map_err(|error| thrown(&error))?;
    let converted = in_its_shape(Task::new(subject, from, to), body, &given.options);
    finish(converted, conversion, Input { subject, from, is_value: false })
}

/// The context of a request body, as a JavaScript object.
pub fn request_context(body: &JsValue, conversion: &JsValue) -> JsResult {
    let context = options::read(conversion).and_then(|given| {
        let (from, to) = dialects(&given)?;
        match transport::string_to_bytes(body).or_else(|| transport::bytes_from(body)) {
            Some(text) => context_of(text, from, to, given.options.clone()),
            None => {
                let mut store = JsStore::new(given.options.max_depth());
                let root = store.adopt(body);
                let mut store = Store::from(store);
                let mut run = Run::new(&mut store, from, to, &given.options);
                let root = root.map_err(|fault| fault_error(fault, String::new(), Some(run.route.wire())))?;
                read_context(&mut run, root)
            }
        }
    });
    options::context_object(&context.map_err(|error| thrown(&error))?)
}

/// What a gateway needs of a request, as a JavaScript object.
pub fn prepare_request(body: &JsValue, conversion: &JsValue) -> JsResult {
    let given = options::read(conversion).map_err(|error| thrown(&error))?;
    let (from, to) = dialects(&given).map_err(|error| thrown(&error))?;
    let place = Input { subject: Subject::Request, from, is_value: false };
    let prepared = prepared_in_its_shape(body, from, to, &given.options);
    let (body, warnings, prepared) = prepared.map_err(|error| thrown_in(&error, Some(place)))?;
    let object = Object::new();
    let set = |name: &str, value: JsValue| Reflect::set(&object, &name.into(), &value);
    set("body", body)?;
    set("context", options::context_object(&prepared.context)?)?;
    set("path", prepared.path.into())?;
    set("stream", prepared.streams.into())?;
    if let Some(model) = prepared.model {
        set("model", model.into())?;
    }
    set("hasTools", prepared.has_tools.into())?;
    set("asksForReasoning", prepared.asks_for_reasoning.into())?;
    warnings::deliver(conversion, warnings)?;
    Ok(object.into())
}

fn prepared_in_its_shape(
    body: &JsValue,
    from: Dialect,
    to: Dialect,
    options: &Options,
) -> Result<(JsValue, Vec<Warning>, Prepared)> {
    if let Some(text) = transport::string_to_bytes(body) {
        let (written, warnings, prepared) = prepare_store(Source::String(text), from, to, options)?;
        return Ok((transport::text_to_string(written), warnings, prepared));
    }
    if let Some(bytes) = transport::bytes_from(body) {
        let (written, warnings, prepared) = prepare_store(Source::Bytes(bytes), from, to, options)?;
        return Ok((transport::text_to_array(written), warnings, prepared));
    }
    if !body.is_object() {
        return Err(refused(ErrorCode::InvalidType, NO_BODY));
    }
    let mut store = JsStore::new(options.max_depth());
    let root = store.adopt(&sdk_bytes::read(from, body));
    let mut store = Store::from(store);
    let mut run = Run::new(&mut store, from, to, options);
    let root = root.map_err(|fault| fault_error(fault, String::new(), Some(run.route.wire())))?;
    run.store.start();
    let prepared = prepare(&mut run, root)?;
    run.check_readable()?;
    let result = run.store.finish();
    let warnings = run.report.warnings;
    Ok((sdk_bytes::written(to, store.release(result)), warnings, prepared))
}

pub fn dialects(given: &options::Given) -> Result<(Dialect, Dialect)> {
    let missing =
        |path: &str| options::wrong(ErrorCode::MissingField, path, "is missing: a conversion needs a dialect");
    let from = given.from.ok_or_else(|| missing("/from"))?;
    Ok((from, given.to.ok_or_else(|| missing("/to"))?))
}

pub fn finish(converted: Result<Converted>, options: &JsValue, input: Input) -> JsResult {
    let (value, warnings) = converted.map_err(|error| thrown_in(&error, Some(input)))?;
    warnings::deliver(options, warnings)?;
    Ok(value)
}

/// Converts a body. The output has the form of the input.
pub fn in_its_shape(task: Task, body: &JsValue, options: &Options) -> Result<Converted> {
    let Task { subject, from, to, .. } = task;
    if let Some(text) = transport::string_to_bytes(body) {
        let (written, warnings) = convert_store(Source::String(text), subject, from, to, options, None)?;
        return Ok((transport::text_to_string(written), warnings));
    }
    if let Some(bytes) = transport::bytes_from(body) {
        let (written, warnings) = convert_store(Source::Bytes(bytes), subject, from, to, options, None)?;
        return Ok((transport::text_to_array(written), warnings));
    }
    if !body.is_object() {
        return Err(refused(ErrorCode::InvalidType, NO_BODY));
    }
    value_of(task, body, options)
}

/// A converted JavaScript value, with its warnings.
pub fn value_of(task: Task, input: &JsValue, options: &Options) -> Result<Converted> {
    let mut store = JsStore::new(options.max_depth());
    let root = store.adopt(&genai::body_of(task.from, task.subject, input));
    let mut store = Store::from(store);
    let mut run = Run::new(&mut store, task.from, task.to, options);
    run.route.flat = task.flat;
    let root = root.map_err(|fault| fault_error(fault, String::new(), Some(run.route.wire())))?;
    run.store.start();
    convert(&mut run, task.subject, root, task.stream_failure)?;
    run.check_readable()?;
    let result = run.store.finish();
    let warnings = run.report.warnings;
    Ok((sdk_bytes::written(task.to, store.release(result)), warnings))
}
