//! Deserializes the options that JavaScript passes, with serde. Unchanged options are not deserialized again.

use super::error::{JsResult, given, refused, thrown, unreadable};
use super::small::{Members, Mistake};
use crate::run::error::Result;
use crate::run::{Context, Dialect, ErrorCode, Options, ToolwireError, choice, choice_or_default};
use js_sys::Array;
use serde::de::{self, Deserialize, DeserializeSeed, Deserializer, MapAccess};
use serde::ser::Serialize;
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

#[wasm_bindgen(module = "/src/bindings/options.js")]
extern "C" {
    fn look(options: &JsValue) -> u32;
    fn take() -> JsValue;
    fn keep();
    #[wasm_bindgen(js_name = setDefaults)]
    fn set_defaults(options: &JsValue);
    #[wasm_bindgen(js_name = ofObjects)]
    fn of_objects(context: &JsValue) -> JsValue;
}

/// What `look` returns.
const OMITTED: u32 = 0;
const SAME: u32 = 1;
const CHANGED: u32 = 2;
const UNREADABLE: u32 = 3;

thread_local! {
    // must not be borrowed while JavaScript runs, because the caller's getters may call the package
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

/// An error about one option, or about the options as a whole.
pub fn wrong(code: ErrorCode, path: &str, message: &str) -> Box<ToolwireError> {
    Box::new(ToolwireError { path: format!("/options{path}"), ..*refused(code, message) })
}

fn read_list(list: &Array) -> Result<Rc<Given>> {
    let given = deserialise(list).map_err(|mistake| wrong(mistake.code(), mistake.path(), mistake.message()))?;
    let given = Rc::new(given);
    keep();
    KNOWN.set(given.clone());
    Ok(given)
}

fn deserialise(list: &Array) -> std::result::Result<Given, Mistake> {
    let mut given = Given::default();
    let mut members = Members::of_list(list);
    while let Some(name) = members.next_key::<String>()? {
        match name.as_str() {
            "from" => given.from = choice(&mut members)?,
            "to" => given.to = choice(&mut members)?,
            "status" => given.options.status = members.next_value_seed(HttpStatus)?,
            "strict" => given.options.strict = members.next_value()?,
            "for" => given.options.schema_use = choice_or_default(&mut members)?,
            name => given.options.read(name, &mut members)?,
        }
    }
    Ok(given)
}

struct HttpStatus;

impl<'de> DeserializeSeed<'de> for HttpStatus {
    type Value = Option<u16>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> std::result::Result<Option<u16>, D::Error> {
        let status = usize::deserialize(deserializer)?;
        match u16::try_from(status) {
            Ok(status @ 100..600) => Ok(Some(status)),
            _ => Err(de::Error::custom(format_args!("expected an HTTP status from 100 to 599, found {status}"))),
        }
    }
}

/// The context as a plain object without empty fields.
pub fn context_object(context: &Context) -> JsResult {
    // an object that serde creates would lose the key `__proto__`
    let with_maps = context.serialize(&serde_wasm_bindgen::Serializer::new());
    with_maps.map(|context| of_objects(&context)).map_err(JsValue::from)
}

#[wasm_bindgen(js_name = setDefaultOptions, skip_typescript)]
pub fn set_default_options(options: JsValue) -> JsValue {
    given(checked_defaults(&options))
}

fn checked_defaults(options: &JsValue) -> JsResult {
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
