//! Functions with an `output_schema`: their output is a string of JSON (Q40).

use super::items;
use crate::model::{Block, Call, Message, Metadata, Native, Outcome, Request, Tool, ToolResult};
use crate::run::{At, Result, Run};
use crate::value::{Keyed, Kind, Value, Word, keyed::pair};

/// What the schema states about the JSON output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Gives {
    /// It may be a JSON string.
    Any,
    /// The schema does not allow strings.
    NoString,
}

/// The functions with an output schema, by namespace and name.
#[derive(Default)]
pub struct OutputSchemas(Keyed<Gives>);

/// Native tools and items that contain functions: namespaces, and items that add tools.
const HOLDERS: &[Word] = &[Word::namespace, Word::additional_tools, Word::tool_search_output];

impl OutputSchemas {
    pub fn of(run: &mut Run, request: &Request) -> OutputSchemas {
        let mut schemas = OutputSchemas::default();
        for tool in request.tools.iter().flatten() {
            match tool {
                Tool::Definition(definition) => {
                    let schema = definition.metadata.family_field(Word::output_schema);
                    schemas.add(run, (None, definition.name), schema);
                }
                Tool::Native(native) => schemas.add_held(run, native),
            }
        }
        for block in request.messages.iter().flat_map(Message::blocks) {
            if let Block::Native(native) = block {
                schemas.add_held(run, native);
            }
        }
        schemas
    }

    fn add_held(&mut self, run: &mut Run, native: &Native) {
        let mut holders = Vec::from([native.value]);
        if !native.provider.has_openai_format() || !HOLDERS.contains(&run.type_of(native.value)) {
            return;
        }
        while let Some(holder) = holders.pop() {
            let namespace = run.member(holder, Word::name);
            let tools = run.member(holder, Word::tools).filter(|tools| run.store.kind(*tools) == Kind::Array);
            for tool in tools.map(|tools| run.list(tools)).unwrap_or_default() {
                if run.type_of(tool) == Word::namespace {
                    holders.push(tool);
                } else if run.store.kind(tool) == Kind::Object {
                    let schema = run.member(tool, Word::output_schema);
                    if let Some(name) = run.member(tool, Word::name) {
                        self.add(run, (namespace, name), schema);
                    }
                }
            }
        }
    }

    fn add(&mut self, run: &mut Run, (namespace, name): (Option<Value>, Value), schema: Option<Value>) {
        let Some(schema) = schema.filter(|schema| run.store.kind(*schema) == Kind::Object) else { return };
        let kind = run.member(schema, Word::r#type).filter(|kind| run.store.kind(*kind) == Kind::String);
        let allows_strings = kind.is_none_or(|kind| run.store.text(kind) == "string");
        let gives = if allows_strings { Gives::Any } else { Gives::NoString };
        if run.store.kind(name) == Kind::String {
            self.0.insert(&key(run, namespace, name), gives);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The output of the function of a call, if it has a schema.
    pub fn of_call(&self, run: &mut Run, call: &Call) -> Option<Gives> {
        if self.is_empty() {
            return None;
        }
        let namespace = items::namespace(run, &call.metadata);
        self.0.get(&key(run, namespace, call.name)).copied()
    }
}

fn key(run: &Run, namespace: Option<Value>, name: Value) -> Vec<u8> {
    let namespace = namespace.filter(|namespace| run.store.kind(*namespace) == Kind::String);
    let namespace = namespace.map(|namespace| run.store.text(namespace)).unwrap_or_default();
    pair(&namespace, &run.store.text(name))
}

/// Parses the results of such functions.
pub fn read(run: &mut Run, request: &mut Request) {
    let schemas = OutputSchemas::of(run, request);
    if schemas.is_empty() {
        return;
    }
    let mut by_id = Keyed::default();
    for message in &mut request.messages {
        match message {
            Message::Assistant(assistant) => {
                for call in assistant.calls() {
                    let has_schema = schemas.of_call(run, call).is_some();
                    by_id.insert(run.store.text(call.id).as_bytes(), has_schema);
                }
            }
            Message::Tool(result) if by_id.get(run.store.text(result.id).as_bytes()) == Some(&true) => {
                read_json(run, result)
            }
            Message::Tool(result) if run.store.is_empty(result.id) => keep_text(run, result),
            Message::Tool(_) | Message::System(_) | Message::User(_) => {}
        }
    }
}

/// The text of a result without an id, whose call is found later, is not read by the schema.
fn keep_text(run: &mut Run, result: &mut ToolResult) {
    let Outcome::Text(text) = result.outcome else { return };
    let form = if run.store.parse(text).is_ok() { Word::json } else { Word::text };
    result.metadata.add_form(Word::output, run.store.word_value(form));
}

/// Text is left as it is if it is not JSON, or if writing it again would not give the same text.
fn read_json(run: &mut Run, result: &mut ToolResult) {
    let Outcome::Text(text) = result.outcome else { return };
    let form = match run.store.parse(text) {
        Ok(value) if run.store.is_raw_form(text, value) => Word::json,
        Ok(value) => {
            let is_string = run.store.kind(value) == Kind::String;
            result.outcome = if is_string { Outcome::Text(value) } else { Outcome::Data { value, is_error: false } };
            return;
        }
        Err(_) => Word::text,
    };
    result.metadata.add_form(Word::output, run.store.word_value(form));
}

/// The output for a text: the text as a JSON string, unless it is JSON and the schema allows no strings, or it was read as it is.
pub fn text(run: &mut Run, text: Value, (metadata, at): (&Metadata, At), gives: Gives) -> Result<Value> {
    let form = metadata.form(Word::output).map(|form| run.store.word(form));
    if form.is_none() && gives == Gives::Any {
        return run.json_text(text, at);
    }
    let is_json = run.store.parse(text).is_ok();
    let stays = if is_json { form == Some(Word::json) || gives == Gives::NoString } else { form == Some(Word::text) };
    if stays { Ok(text) } else { run.json_text(text, at) }
}
