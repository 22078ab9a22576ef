//! Options as JavaScript passes them: read once as JSON, and not again while they stay the same.

use super::error::{refused, unreadable};
use crate::run::{Context, Dialect, ErrorCode, Options, Result, ToolwireError};
use serde_json::{Map, Value};
use std::cell::RefCell;
use wasm_bindgen::prelude::*;

/// What the options of one call say.
#[derive(Clone, Default)]
pub struct Given {
    pub options: Options,
    pub from: Option<Dialect>,
    pub to: Option<Dialect>,
}

/// The last options: their JSON text and what it says.
struct Known {
    text: js_sys::JsString,
    given: Given,
}

thread_local! {
    // Never borrowed while JavaScript runs: the caller's getters may call the package again.
    static KNOWN: RefCell<Option<Known>> = const { RefCell::new(None) };
}

/// Reads options; undefined and null are the defaults.
pub fn read(options: &JsValue) -> Result<Given> {
    if options.is_undefined() || options.is_null() {
        return Ok(Given::default());
    }
    // This leaves functions out, so that `onWarning` does not matter here.
    let text = js_sys::JSON::stringify(options).map_err(|cause| unreadable("the options cannot be read", &cause))?;
    if let Some(given) = known(&text) {
        return Ok(given);
    }
    let given = parse(text.as_string())?;
    KNOWN.with_borrow_mut(|known| *known = Some(Known { text, given: given.clone() }));
    Ok(given)
}

fn known(text: &js_sys::JsString) -> Option<Given> {
    KNOWN.with_borrow(|known| known.as_ref().filter(|known| known.text == *text).map(|known| known.given.clone()))
}

/// `text` is none where JSON cannot express the options: a function, a symbol.
fn parse(text: Option<String>) -> Result<Given> {
    let value = match text {
        None => Value::Null,
        Some(text) => serde_json::from_str(&text)
            .map_err(|error| refused(ErrorCode::InvalidValue, format!("the options cannot be read: {error}")))?,
    };
    let Value::Object(members) = value else {
        return Err(refused(ErrorCode::InvalidType, "expected the options to be an object"));
    };
    let mut given = Given::default();
    let mut rest = Map::new();
    let (mut context, mut status) = (None, None);
    for (name, value) in members {
        match name.as_str() {
            _ if value.is_null() => {}
            "from" => given.from = Some(dialect(&name, &value)?),
            "to" => given.to = Some(dialect(&name, &value)?),
            "context" => context = Some(read_context(value)?),
            "status" => status = Some(http_status(&value)?),
            "onWarning" => return Err(refused(ErrorCode::InvalidType, "option onWarning: expected a function")),
            _ => {
                check(&name, &value)?;
                rest.insert(name, value);
            }
        }
    }
    given.options = serde_json::from_value(Value::Object(rest))
        .map_err(|error| refused(ErrorCode::InvalidValue, format!("the options cannot be read: {error}")))?;
    given.options.context = context;
    given.options.status = status;
    Ok(given)
}

fn http_status(value: &Value) -> Result<u16> {
    match value.as_f64() {
        Some(status) if (100.0..600.0).contains(&status) && status.fract() == 0.0 => Ok(status as u16),
        Some(_) => Err(refused(ErrorCode::InvalidValue, "option status: expected an HTTP status")),
        None => Err(wrong_type("status", "an HTTP status")),
    }
}

fn wrong_type(name: &str, expected: &str) -> Box<ToolwireError> {
    refused(ErrorCode::InvalidType, format!("option {name}: expected {expected}"))
}

fn read_context(value: Value) -> Result<Context> {
    serde_json::from_value(value)
        .map_err(|_| refused(ErrorCode::InvalidValue, "option context: expected what contextOf gave"))
}

fn dialect(name: &str, value: &Value) -> Result<Dialect> {
    let Value::String(text) = value else {
        return Err(refused(ErrorCode::InvalidType, format!("option {name}: expected the name of a dialect")));
    };
    Dialect::of(text).ok_or_else(|| {
        let known: Vec<&str> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
        let found: String = text.chars().take(40).collect();
        refused(
            ErrorCode::InvalidValue,
            format!("option {name}: expected one of {}, found \"{found}\"", known.join(", ")),
        )
    })
}

/// Reads one option alone, so that an error names it.
fn check(name: &str, value: &Value) -> Result<()> {
    let alone = Map::from_iter([(name.to_owned(), value.clone())]);
    let Err(error) = serde_json::from_value::<Options>(Value::Object(alone)) else { return Ok(()) };
    let message = error.to_string();
    let code = if message.starts_with("invalid type") { ErrorCode::InvalidType } else { ErrorCode::InvalidValue };
    let shown: String = name.chars().take(40).collect();
    Err(refused(code, format!("option {shown}: {message}")))
}
