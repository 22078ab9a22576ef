//! Bindings for the simulation of tool calling on canonical values.

use super::{JsResult, read_json, thrown};
use crate::json::{Value, json};
use crate::text::simulate::{self, Reading, ReadingStream, Simulated};
use crate::text::write::Carrier;
use wasm_bindgen::prelude::*;

/// Throws an error if the options are invalid.
#[wasm_bindgen(js_name = checkSimulation)]
pub fn check_simulation(options: &str) -> JsResult<()> {
    simulate::check_options(&read_json("the options", options)?).map_err(|error| thrown(&error))
}

/// Returns `{request, reading, warnings}` as JSON text. `carrier` is `text`, `object`, or another word: the name of a freeform tool.
#[wasm_bindgen(js_name = simulatedRequest)]
pub fn simulated_request(request: &str, options: &str, carrier: &str) -> JsResult<String> {
    let (request, options) = (read_json("the request", request)?, read_json("the options", options)?);
    let carrier = match carrier {
        "text" => Carrier::Text,
        "object" => Carrier::Object,
        name => Carrier::Tool(name.to_owned()),
    };
    let simulated = simulate::request(request, &options, carrier).map_err(|error| thrown(&error))?;
    let Simulated { request, reading, warnings } = simulated;
    let warnings: Vec<Value> =
        warnings.iter().map(|warning| json!({ "path": warning.path, "message": warning.message })).collect();
    Ok(json!({ "request": request, "reading": reading, "warnings": warnings }).to_string())
}

/// Inserts a prompt into a request. Returns JSON text.
#[wasm_bindgen(js_name = withPrompt)]
pub fn with_prompt(request: &str, prompt: &str, options: &str) -> JsResult<String> {
    let (request, options) = (read_json("the request", request)?, read_json("the options", options)?);
    Ok(simulate::with_prompt(request, prompt, &options).map_err(|error| thrown(&error))?.to_string())
}

/// Reads the calls from the text of a response. Returns `{response, dropped}` as JSON text.
#[wasm_bindgen(js_name = simulatedResponse)]
pub fn simulated_response(response: &str, reading: &str) -> JsResult<String> {
    let reading = reading_of(reading)?;
    let answered = reading.response(read_json("the response", response)?).map_err(|error| thrown(&error))?;
    Ok(json!({ "response": answered.response, "dropped": answered.dropped }).to_string())
}

/// Reads the calls from a streamed response. Events are JSON text.
#[wasm_bindgen]
pub struct SimulatedStream(ReadingStream);

#[wasm_bindgen]
impl SimulatedStream {
    #[wasm_bindgen(constructor)]
    pub fn new(reading: &str) -> JsResult<SimulatedStream> {
        Ok(Self(reading_of(reading)?.stream()))
    }

    pub fn push(&mut self, event: &str) -> JsResult<String> {
        Ok(Value::Array(self.0.push(read_json("the event", event)?)).to_string())
    }

    pub fn end(&mut self) -> String {
        Value::Array(self.0.end()).to_string()
    }
}

fn reading_of(reading: &str) -> JsResult<Reading> {
    Reading::of(&read_json("the reading", reading)?).map_err(|error| thrown(&error))
}
