//! One generated request, converted to every dialect and back, and the properties that hold for each.

use crate::providers;
use crate::runner::{check, text};
use crate::{generate, limits, mutations, round_trip, stability};
use proptest::test_runner::{TestCaseError, TestCaseResult};
use serde_json::{Value, json};
use toolwire::{Converted, Dialect, Options, Subject, ToolwireError, convert_text};

/// A request that is written, read, and written again.
pub struct Trip {
    pub written: Converted,
    pub read: Converted,
    /// What was read, with the model, which some APIs have in the path.
    pub addressed: Vec<u8>,
    pub again: Converted,
}

impl Trip {
    /// None if the target can't express the request.
    fn of(request: &Value, to: Dialect, options: &Options) -> Result<Option<Trip>, ToolwireError> {
        let convert = |body: Vec<u8>, from, to| convert_text(body, Subject::Request, from, to, options.clone());
        let Ok(written) = convert(text(request), Dialect::Canonical, to) else { return Ok(None) };
        let shown = |error: Box<ToolwireError>| ToolwireError {
            message: format!("{error}\nfor {}", shown(&written)),
            ..*error
        };
        let read = convert(written.body.clone(), to, Dialect::Canonical).map_err(shown)?;
        let addressed = addressed(&read.body, request);
        let again = convert(addressed.clone(), Dialect::Canonical, to).map_err(shown)?;
        Ok(Some(Trip { written, read, addressed, again }))
    }
}

/// The body with the model of the request, if it has none.
fn addressed(body: &[u8], request: &Value) -> Vec<u8> {
    let has_model = serde_json::from_slice::<Value>(body).is_ok_and(|body| body.get("model").is_some());
    match (request.get("model").filter(|_| !has_model), body.strip_prefix(b"{")) {
        (Some(model), Some(fields)) => [format!("{{\"model\":{model},").as_bytes(), fields].concat(),
        _ => body.to_vec(),
    }
}

pub fn shown(converted: &Converted) -> String {
    String::from_utf8_lossy(&converted.body).into_owned()
}

/// The dialects that are checked: `PROPERTY_DIALECT` selects a single one, which may be any.
fn checked() -> Vec<Dialect> {
    match std::env::var("PROPERTY_DIALECT") {
        Ok(name) => Dialect::ALL.iter().copied().filter(|to| name == to.name()).collect(),
        Err(_) => providers().chain([Dialect::Universal]).collect(),
    }
}

fn holds(request: &Value, options: &Value) -> TestCaseResult {
    let given: Options = serde_json::from_value(options.clone()).unwrap();
    for to in checked() {
        let fail =
            |reason: String| TestCaseError::fail(format!("{}: {reason}\nfrom {request}\nwith {options}", to.name()));
        let Some(trip) = Trip::of(request, to, &given).map_err(|error| fail(error.to_string()))? else { continue };
        stability::holds(&trip).map_err(fail)?;
        limits::hold(to, &trip.written.body).map_err(fail)?;
        if to.provider().is_some() {
            let write = |body| convert_text(body, Subject::Request, Dialect::Canonical, to, given.clone());
            mutations::hold(&trip, write).map_err(fail)?;
            round_trip::holds(request, to, &given, &trip).map_err(fail)?;
        }
    }
    Ok(())
}

// two tests, to use more than one core

#[test]
fn requests_round_trip() {
    check(0, (generate::request(), generate::options()), 0.5, |(request, options)| holds(&request, &options));
}

#[test]
fn more_requests_round_trip() {
    check(1, (generate::request(), generate::options()), 0.5, |(request, options)| holds(&request, &options));
}

/// Where no result can have media, those of an error stay behind it, like those of other results (seeds 22 and 28).
#[test]
fn media_stay_behind_results() {
    let audio = json!({ "type": "image", "source": { "type": "base64", "data": "" }, "mediaType": "audio/wav" });
    let image = json!({ "type": "image", "source": { "type": "base64", "data": "" }, "mediaType": "image/png" });
    let [first, second] = ["call_0000aa", "call_0a0a00"];
    let request = json!({ "model": "gemini-2.5-flash", "messages": [
        { "role": "user", "content": "a" },
        { "role": "assistant", "content": "a", "toolCalls": [
            { "arguments": {}, "id": first, "name": "f" }, { "arguments": {}, "id": second, "name": "f" }
        ] },
        { "role": "tool", "toolCallId": first, "name": "f", "kind": "multimodal", "value": [audio] },
        { "role": "tool", "toolCallId": second, "name": "f", "kind": "multimodal", "isError": true, "value": [
            { "type": "text", "text": "A" }, image, { "type": "text", "text": "B" }
        ] },
        { "role": "user", "content": [image] }
    ] });
    holds(&request, &json!({ "bookkeeping": true })).unwrap();
}
