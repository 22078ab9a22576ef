//! Options as JavaScript passes them: deserialised with serde, and not again while they stay the same.

use super::error::{Outcome, given, refused, thrown, unreadable};
use super::small::{Members, Mistake};
use crate::run::error::Result;
use crate::run::{Context, Dialect, ErrorCode, Options, SchemaUse, ToolwireError};
use js_sys::Array;
use serde::{Deserialize, Serialize, de::value::MapAccessDeserializer};
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::*;

/// The options of one call.
#[derive(Default)]
pub struct Given {
    pub options: Options,
    pub from: Option<Dialect>,
    pub to: Option<Dialect>,
}

/// The options that some functions take and [`Options`] lacks.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Route {
    from: Option<Dialect>,
    to: Option<Dialect>,
    status: Option<u64>,
    strict: bool,
    #[serde(rename = "for")]
    schema_use: SchemaUse,
}

#[wasm_bindgen(module = "/src/bindings/options.js")]
extern "C" {
    fn look(options: &JsValue) -> u32;
    fn take() -> JsValue;
    fn keep(list: &Array) -> bool;
    #[wasm_bindgen(js_name = setDefaults)]
    fn set_defaults(options: &JsValue);
}

/// What `look` returns.
const OMITTED: u32 = 0;
const SAME: u32 = 1;
const CHANGED: u32 = 2;
const UNREADABLE: u32 = 3;

thread_local! {
    // Never borrowed while JavaScript runs: the caller's getters may call the package again.
    static KNOWN: RefCell<Rc<Given>> = RefCell::default();
}

/// Reads options; undefined and null are the defaults.
pub fn read(options: &JsValue) -> Result<Rc<Given>> {
    match look(options) {
        OMITTED => Ok(Rc::default()),
        SAME => Ok(KNOWN.with_borrow(Rc::clone)),
        CHANGED => read_list(&take().into()),
        UNREADABLE => Err(unreadable("the options cannot be read", &take())),
        _ => Err(wrong(ErrorCode::InvalidType, "", "expected an object")),
    }
}

/// An error about an option, or all of them.
pub fn wrong(code: ErrorCode, path: &str, message: &str) -> Box<ToolwireError> {
    Box::new(ToolwireError { path: format!("/options{path}"), ..*refused(code, message) })
}

fn read_list(list: &Array) -> Result<Rc<Given>> {
    let given = deserialise(list).map_err(|Mistake { code, message, path }| wrong(code, &path, &message))?;
    let given = Rc::new(given);
    if keep(list) {
        KNOWN.set(given.clone());
    }
    Ok(given)
}

fn deserialise(list: &Array) -> std::result::Result<Given, Mistake> {
    const ROUTE: [&str; 5] = ["from", "to", "status", "strict", "for"];
    let (route, options) = Members::of_list(list).partition(|name| ROUTE.contains(&name));
    let mut options = Options::deserialize(MapAccessDeserializer::new(options))?;
    let Route { from, to, status, strict, schema_use } = Route::deserialize(MapAccessDeserializer::new(route))?;
    options.status = status.map(http_status).transpose()?;
    options.strict = strict;
    options.schema_use = schema_use;
    Ok(Given { options, from, to })
}

fn http_status(status: u64) -> std::result::Result<u16, Mistake> {
    match u16::try_from(status) {
        Ok(status @ 100..600) => Ok(status),
        _ => Err(Mistake {
            code: ErrorCode::InvalidValue,
            message: format!("expected an HTTP status from 100 to 599, found {status}"),
            path: "/status".to_owned(),
        }),
    }
}

/// The context as a plain object; what is empty is left out.
pub fn context_object(context: &Context) -> Outcome {
    let plain = serde_wasm_bindgen::Serializer::json_compatible();
    context.serialize(&plain).map_err(JsValue::from)
}

#[wasm_bindgen(js_name = setDefaultOptions, skip_typescript)]
pub fn set_default_options(options: JsValue) -> JsValue {
    given(checked_defaults(&options))
}

fn checked_defaults(options: &JsValue) -> Outcome {
    let given = read(options).map_err(|error| thrown(&error))?;
    if given.from.is_some() || given.to.is_some() {
        let path = if given.from.is_some() { "/from" } else { "/to" };
        return Err(thrown(&wrong(ErrorCode::InvalidValue, path, "a dialect has no default: pass it in each call")));
    }
    set_defaults(options);
    Ok(JsValue::UNDEFINED)
}

#[wasm_bindgen(typescript_custom_section)]
const DEFAULTS: &str = r#"
/**
 * Sets the options that apply to all later calls that omit them. Intended for applications, for example to log every warning;
 * a library should pass its options in each call. The options are checked and copied at once; a second call replaces them.
 *
 * ```js
 * setDefaultOptions({ onWarning: console.warn });
 * ```
 *
 * @param options - The defaults; `undefined` removes them.
 * @throws {ToolwireError} `invalid_type` or `invalid_value` with the path to the option.
 */
export function setDefaultOptions(options: Options | undefined): void;
"#;
