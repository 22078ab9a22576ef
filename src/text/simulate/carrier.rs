//! Reads the calls in the input of the freeform tool that carries them.

use crate::json::Value;
use crate::text::read::decoded;

/// The freeform tool whose input is text with calls.
#[derive(Clone, Debug)]
pub struct CarrierTool {
    pub name: String,
    /// Whether the first call that is read gets the id of the call that carries it. Formats with ids of their own keep them.
    pub gives_id: bool,
}

/// The input of one call of that tool, which arrives as JSON: `{"input": TEXT}`.
#[derive(Debug)]
pub(super) struct Input {
    /// The id of the call, until a call that is read has it.
    id: Option<String>,
    /// The id of the first call in the text, and the one that it gets.
    renamed: Option<(String, String)>,
    /// JSON that is not decoded yet.
    json: String,
    has_begun: bool,
    is_over: bool,
    /// The length of the text that was decoded.
    length: usize,
}

impl Input {
    pub fn new(id: Option<&str>) -> Self {
        let (id, json) = (id.map(str::to_owned), String::new());
        Self { id, renamed: None, json, has_begun: false, is_over: false, length: 0 }
    }

    /// Decodes the next piece of the JSON.
    pub fn push(&mut self, piece: &str) -> String {
        if self.is_over {
            return String::new();
        }
        self.json.push_str(piece);
        if !self.has_begun {
            let Some(start) = start_of_input(&self.json) else { return String::new() };
            self.json.drain(..start);
            self.has_begun = true;
        }
        let (text, read, is_over) = decoded(&self.json);
        self.json.drain(..read);
        self.is_over = is_over;
        self.length += text.len();
        text
    }

    /// The text of the finished call that was not decoded before.
    pub fn rest(&mut self, call: &Value) -> String {
        let arguments = call.get("arguments");
        if let Some(input) = arguments.and_then(|arguments| arguments.get("input")).and_then(Value::as_str) {
            return input.get(self.length..).unwrap_or_default().to_owned();
        }
        if self.length > 0 {
            return String::new();
        }
        match (call.get("rawArguments").and_then(Value::as_str), arguments) {
            (Some(raw), _) => {
                self.json.clear();
                let text = self.push(raw);
                if self.has_begun { text } else { raw.to_owned() }
            }
            (None, arguments) => arguments.map(Value::to_string).unwrap_or_default(),
        }
    }

    /// Gives the first call that is read the id of the call that carries it.
    pub fn rename(&mut self, event: &mut Value) {
        let fields = if event.get("call").is_some() { event.get_mut("call") } else { Some(event) };
        let Some(Value::String(id)) = fields.and_then(|fields| fields.get_mut("id")) else { return };
        if let Some(own) = self.id.take() {
            self.renamed = Some((id.clone(), own));
        }
        if let Some((_, own)) = self.renamed.as_ref().filter(|(known, _)| known == id) {
            own.clone_into(id);
        }
    }
}

/// The position after the quote that opens the text.
fn start_of_input(json: &str) -> Option<usize> {
    let mut rest = json;
    for token in ["{", "\"input\"", ":", "\""] {
        rest = rest.trim_start().strip_prefix(token)?;
    }
    Some(json.len() - rest.len())
}
