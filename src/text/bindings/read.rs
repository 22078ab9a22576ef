//! Bindings for reading text that contains calls.

use std::ops::Range;

use super::{JsResult, read_json, thrown};
use crate::json::{Value, json, quoted};
use crate::text::read::{Event, Ranges, Reader, TextPart, Verbatim, detect, read_ranges};
use crate::text::{TextError, Tool, formats};
use wasm_bindgen::prelude::*;

/// Reads a message incrementally. Emits events as [`events`] writes them.
#[wasm_bindgen]
pub struct TextReader(Reader);

#[wasm_bindgen]
impl TextReader {
    #[wasm_bindgen(constructor)]
    pub fn new(options: &str) -> JsResult<TextReader> {
        let options = read_json("the options", options)?;
        // `auto` is not possible: detection requires the text, which has not arrived yet
        let id = options.get("format").and_then(Value::as_str).unwrap_or_default();
        if id == "auto" {
            let message = "`readToolText` needs the id of a format; only `parseToolText` can find it in the text";
            return Err(thrown(&TextError::new("/format", message)));
        }
        let format = formats::by_id(id).ok_or_else(|| thrown(&formats::unknown(id)))?;
        let (tools, prefill, seed) = parts(&options)?;
        Ok(Self(Reader::new(format, tools, prefill, seed)))
    }

    pub fn push(&mut self, piece: &str) -> String {
        events(&self.0.push(piece))
    }

    pub fn end(&mut self) -> String {
        events(&self.0.end())
    }

    /// Which pieces can be emitted before they are pushed, as an index of `passesOf` in `pkg-template/text/verbatim.ts`.
    pub fn verbatim(&self) -> u8 {
        match self.0.verbatim() {
            Verbatim::None => 0,
            Verbatim::Text => 1,
            Verbatim::Json => 2,
            Verbatim::Value => 3,
        }
    }

    #[wasm_bindgen(js_name = markerStarts)]
    pub fn marker_starts(&self) -> String {
        self.0.marker_starts()
    }
}

/// Reads a whole message, which has this length in JavaScript: its reasoning, calls and format, and what was dropped, as JSON. `parts` are those of
/// its text, as strings or as ranges `[start, end]` of the message. `slices` are arguments that are such ranges:
/// `[index of the call, name, start, end]`.
#[wasm_bindgen(js_name = parseToolText)]
pub fn parse_tool_text(text: String, length: usize, options: &str) -> JsResult<String> {
    let options = read_json("the options", options)?;
    let (tools, prefill, seed) = parts(&options)?;
    let format = format_of(&options, &text, &tools, prefill)?;
    let (events, ranges) = read_ranges(format, tools, prefill, seed, text, length);
    let mut parsed = Parsed { calls: r#"{"toolCalls":["#.to_owned(), ranges, ..Parsed::default() };
    for event in events {
        parsed.add(event);
    }
    Ok(parsed.into_text(format.id))
}

/// What was read from a whole message.
#[derive(Default)]
struct Parsed {
    ranges: Ranges,
    reasoning: String,
    /// The beginning of the result: calls, and invalid ones, as JSON.
    calls: String,
    /// The blocks of the calls.
    blocks: Vec<u32>,
    invalid: String,
    dropped: Vec<Value>,
}

impl Parsed {
    fn add(&mut self, event: Event) {
        match event {
            Event::Text { text, .. } => self.ranges.text.push(TextPart::Text(text)),
            Event::Reasoning { text, .. } => self.reasoning.push_str(&text),
            Event::CallEnd { block, .. } => {
                self.blocks.push(block);
                push_item(&mut self.calls, &event);
            }
            Event::Invalid { .. } => push_item(&mut self.invalid, &event),
            Event::Dropped { .. } => self.dropped.extend(event.to_json().get("message").cloned()),
            Event::ReasoningEnd { .. } | Event::CallStart { .. } | Event::CallDelta { .. } => {}
        }
    }

    fn into_text(self, format: &str) -> String {
        let Self { ranges, reasoning, calls: mut out, blocks, invalid, dropped } = self;
        let between = |Range { start, end }: Range<usize>| [start.to_string(), end.to_string()].join(",");
        let text = ranges.text.into_iter().map(|part| match part {
            TextPart::Range(range) => ["[", &between(range), "]"].concat(),
            TextPart::Text(text) => quoted(&text),
        });
        // a call with slices stays a call: one with a number that is too long has none
        let slices = ranges.slices.into_iter().filter_map(|slice| {
            let call = blocks.binary_search(&slice.block).ok()?;
            Some(["[", &call.to_string(), ",", &quoted(&slice.key), ",", &between(slice.range), "]"].concat())
        });
        let [text, slices] = [text.collect(), slices.collect()].map(|items: Vec<String>| array(&items));
        let [format, dropped] = [Value::from(format), Value::from(dropped)].map(|value| value.to_string());
        let has_reasoning = !reasoning.is_empty();
        let reasoning = if has_reasoning { quoted(&reasoning) } else { String::new() };
        let parts = [
            r#"],"invalidToolCalls":["#,
            &invalid,
            r#"],"format":"#,
            &format,
            r#","dropped":"#,
            &dropped,
            if has_reasoning { r#","reasoning":"# } else { "" },
            &reasoning,
            r#","parts":"#,
            &text,
            r#","slices":"#,
            &slices,
            "}",
        ];
        out.reserve(parts.iter().map(|part| part.len()).sum());
        parts.into_iter().for_each(|part| out.push_str(part));
        out
    }
}

/// Appends a call to the items of an array.
fn push_item(items: &mut String, call: &Event) {
    if items.ends_with('}') {
        items.push(',');
    }
    call.push_call(items);
}

/// An array of JSON texts.
fn array(items: &[String]) -> String {
    ["[", &items.join(","), "]"].concat()
}

/// The format by the name of a model, by a response template or schema, by a chat template, or by the name of a parser of mlx-lm: `by` is one of these.
#[wasm_bindgen(js_name = textFormatOf)]
pub fn text_format_of(by: &str, text: &str) -> Option<String> {
    let found = match by {
        "responseTemplate" | "responseSchema" => formats::of_response(text),
        "template" => formats::of_template(text),
        "toolParserType" => formats::of_mlx_parser(text),
        _ => formats::of_model(text),
    };
    found.map(|format| format.id.to_owned())
}

#[wasm_bindgen(js_name = textFormats)]
pub fn text_formats() -> String {
    let rows = formats::all().map(|format| {
        let models: Vec<&str> = format.models().collect();
        json!({ "id": format.id, "models": models, "streams": format.streams(), "ids": format.has_ids() })
    });
    Value::Array(rows.collect()).to_string()
}

/// Events as text, which `pkg-template/text/read.ts` reads. Most pieces of a stream give one delta or none, so these have a form that needs no
/// parser: nothing, or a delta's letter, block number and, for calls, id, each with a line break after it, and then its text. Any other events are
/// JSON.
fn events(events: &[Event]) -> String {
    let (letter, block, id, text): (&str, &u32, &str, &str) = match events {
        [] => return String::new(),
        [Event::Text { block, text }] => ("T", block, "", text),
        [Event::Reasoning { block, text }] => ("R", block, "", text),
        [Event::CallDelta { block, id, text }] if !id.contains('\n') => ("C", block, id.as_str(), text),
        _ => return array(&events.iter().map(Event::to_text).collect::<Vec<_>>()),
    };
    let id_end = if letter == "C" { "\n" } else { "" };
    [letter, &block.to_string(), "\n", id, id_end, text].concat()
}

fn parts(options: &Value) -> JsResult<(Vec<Tool>, &str, &str)> {
    let tools = Tool::list(options.get("tools").unwrap_or(&Value::Null)).map_err(|error| thrown(&error))?;
    let text = |key: &str| options.get(key).and_then(Value::as_str).unwrap_or_default();
    Ok((tools, text("prefill"), text("idSeed")))
}

/// The format in the options. `auto` detects it from the text, and falls back to `json`.
fn format_of(options: &Value, text: &str, tools: &[Tool], prefill: &str) -> JsResult<&'static formats::Format> {
    let id = options.get("format").and_then(Value::as_str).unwrap_or("auto");
    let found = match id {
        "auto" => detect(text, tools, prefill).or_else(|| formats::by_id("json")),
        id => formats::by_id(id),
    };
    found.ok_or_else(|| thrown(&formats::unknown(id)))
}
