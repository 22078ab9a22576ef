//! Conversions with the map of their output, for the playground (feature `trace`).

use super::call::dialects;
use super::error::{JsResult, given, refused, thrown};
use super::{options, warnings};
use crate::convert::Subject;
use crate::convert::trace::trace_text;
use crate::run::ErrorCode;
use crate::value::js::transport;
use crate::value::text::Mapped;
use js_sys::{Array, Object, Reflect, Uint32Array};
use wasm_bindgen::prelude::*;

/// Converts a body of this kind (`request`, `response` or `error`): UTF-8 bytes. Returns `{ output, warnings, map, targets }`: `map` has five
/// numbers for each row (start and end in the output, start and end in the source, and how: the number of a `How`), `targets` two for each
/// warning (start and end in the output; both 0 without a place). Positions are in bytes.
#[wasm_bindgen(js_name = traceBody, skip_typescript)]
pub fn trace_body(body: JsValue, kind: JsValue, conversion: JsValue) -> JsValue {
    given(traced(&body, &kind, &conversion))
}

fn traced(body: &JsValue, kind: &JsValue, conversion: &JsValue) -> JsResult {
    let given = options::read(conversion).map_err(|error| thrown(&error))?;
    let (from, to) = dialects(&given).map_err(|error| thrown(&error))?;
    let subject = match kind.as_string().as_deref() {
        Some("response") => Subject::Response,
        Some("error") => Subject::Error,
        _ => Subject::Request,
    };
    let text = transport::bytes_from(body);
    let text = text.ok_or_else(|| thrown(&refused(ErrorCode::InvalidType, "expected a Uint8Array")))?;
    let traced = trace_text(text, subject, from, to, &given.options).map_err(|error| thrown(&error))?;
    let (mut rows, mut targets) = (Vec::new(), Vec::new());
    for Mapped { output, source, how } in &traced.map {
        let numbers = [output.start, output.end, source.start, source.end, *how as usize];
        rows.extend_from_slice(&numbers.map(|number| number as u32));
    }
    for target in traced.targets {
        let target = target.unwrap_or_default();
        targets.extend_from_slice(&[target.start as u32, target.end as u32]);
    }
    let emitted = Array::new();
    for warning in &traced.warnings {
        emitted.push(&warnings::object(warning)?);
    }
    let object = Object::new();
    let set = |name: &str, value: JsValue| Reflect::set(&object, &name.into(), &value);
    set("map", Uint32Array::from(rows.as_slice()).into())?;
    set("output", String::from_utf8_lossy(&traced.body).as_ref().into())?;
    set("warnings", emitted.into())?;
    set("targets", Uint32Array::from(targets.as_slice()).into())?;
    Ok(object.into())
}
