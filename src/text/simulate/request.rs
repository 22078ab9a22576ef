//! Replaces the tools of a request by a prompt, and calls and results in its history by text.

use super::carried::carried;
use super::history::{self, Warnings};
use crate::json::{Map, Value, json};
use crate::nearest::nearest;
use crate::text::formats::Ids;
use crate::text::write::{Carrier, Form, PromptOptions, WriteWarning, tool_prompt};
use crate::text::{Result, TextError, Tool, formats};
use crate::words::{listed, named, words};
use siphasher::sip::SipHasher13;
use std::hash::Hasher;

/// A simulated request.
#[derive(Clone, Debug)]
pub struct Simulated {
    pub request: Value,
    /// The settings for reading the response, as plain JSON.
    pub reading: Value,
    /// What text can't express. Paths refer to the request.
    pub warnings: Vec<WriteWarning>,
}

words! {
    /// Where the prompt is inserted.
    pub enum Insertion as "PromptPlace" { SystemStart "systemStart", SystemEnd "systemEnd", User "user" }
}

/// Simulates the tools of a canonical request. `options` are those of `simulateTools`. `carrier` is what carries calls in responses: the text,
/// an object for servers that enforce JSON, or the input of a freeform tool, whose name changes if a tool of the request has it.
///
/// # Errors
/// The value is not a request, an option is unknown, or a tool is native to a provider and can't be simulated as text.
pub fn request(request: Value, options: &Value, carrier: Carrier) -> Result<Simulated> {
    let Value::Object(mut fields) = request else {
        return Err(TextError::new("", "the request must be a canonical request, an object"));
    };
    check_options(options)?;
    let place = place(options)?;
    let tools = fields.shift_remove("tools").unwrap_or_else(|| json!([]));
    let choice = fields.shift_remove("toolChoice").unwrap_or_default();
    let parallel = fields.shift_remove("parallelToolCalls").unwrap_or_default();
    refuse_native(&tools, &choice)?;
    check_results(fields.get("messages").and_then(Value::as_array).map_or(&[], Vec::as_slice))?;

    let form = if carrier == Carrier::Object { Form::of("json")? } else { form_of(options, &fields)? };
    let carrier = fitting(carrier, &tools, &choice);
    let config = Config { tools: &tools, choice: &choice, parallel: &parallel, carrier: &carrier };
    let mut prompt = prompt(form, options, &config)?;
    let mut warnings = Warnings::default();
    if !prompt.is_empty() && choice.as_str() != Some("none") {
        prompt.push_str(&final_response(&mut fields, &carrier, &mut warnings));
    }
    let ids = fields.get("messages").filter(|_| form.ids != Ids::None).map(history::ids).unwrap_or_default();
    let messages = match (fields.get("messages"), &carrier) {
        (Some(Value::Array(messages)), Carrier::Tool(name)) => carried(messages, form, name, &mut warnings),
        (Some(Value::Array(messages)), carrier) => {
            history::as_text(messages, form, *carrier == Carrier::Object, &mut warnings)
        }
        _ => return Err(TextError::new("/messages", "`messages` must be an array")),
    };
    let mut settings = json!({ "version": 1, "format": form.id, "tools": tools, "toolChoice": choice });
    if let Some(fields) = settings.as_object_mut().filter(|_| !ids.is_empty()) {
        fields.insert("ids".into(), json!(ids));
    }
    let reading = reading(&messages, &carrier, settings);
    fields.insert("messages".into(), Value::Array(placed(messages, &prompt, place)));
    Ok(Simulated { request: Value::Object(fields), reading, warnings: warnings.list })
}

/// What carries the calls of this request.
fn fitting(carrier: Carrier, tools: &Value, choice: &Value) -> Carrier {
    match carrier {
        Carrier::Object if choice.as_str() == Some("none") => Carrier::Text,
        Carrier::Tool(mut name) => {
            let is_known = |name: &str| {
                tools
                    .as_array()
                    .is_some_and(|tools| tools.iter().any(|tool| tool.get("name").is_some_and(|known| known == name)))
            };
            while is_known(&name) {
                name.push('_');
            }
            Carrier::Tool(name)
        }
        carrier => carrier,
    }
}

/// Adds to the settings for reading the response what depends on the messages.
fn reading(messages: &[Value], carrier: &Carrier, mut reading: Value) -> Value {
    let is_carried = matches!(carrier, Carrier::Tool(_));
    // a prefill is text, which has no calls then
    let prefill = if is_carried { String::new() } else { history::prefill(messages) };
    if let Some(fields) = reading.as_object_mut() {
        fields.insert("prefill".into(), json!(prefill));
        fields.insert("seed".into(), json!(seed_of(messages)));
        match carrier {
            Carrier::Text => None,
            Carrier::Object => fields.insert("object".into(), json!(true)),
            Carrier::Tool(name) => fields.insert("carrier".into(), json!(name)),
        };
    }
    reading
}

const OPTIONS: [&str; 5] = ["format", "place", "examples", "definitions", "enforce"];

fn refuse_unknown(options: &Value) -> Result<()> {
    let Value::Object(fields) = options else {
        return Err(TextError::new("", "the options must be an object, or the id of a format"));
    };
    let Some(key) = fields.keys().find(|key| !OPTIONS.contains(&key.as_str())) else { return Ok(()) };
    let hint = match nearest(key, &OPTIONS) {
        Some(known) => format!("did you mean `{known}`?"),
        None => format!("the options are {}", OPTIONS.join(", ")),
    };
    Err(TextError::new(format!("/{}", key.replace('~', "~0").replace('/', "~1")), format!("unknown option; {hint}")))
}

/// Validates the options of a simulation without a request.
///
/// # Errors
/// As [`request`], for the options only.
pub fn check_options(options: &Value) -> Result<()> {
    refuse_unknown(options)?;
    place(options)?;
    let format = match options.get("format") {
        None | Some(Value::Null) => None,
        Some(Value::String(id)) => Some(id.as_str()).filter(|id| *id != "auto"),
        Some(_) => return Err(TextError::new("/format", "`format` must be the id of a format, or auto")),
    };
    let form = Form::of(format.unwrap_or("json"))?;
    let none = Config { tools: &json!([]), choice: &Value::Null, parallel: &Value::Null, carrier: &Carrier::Text };
    prompt(form, options, &none).map(drop)
}

/// The seed of call ids. It is stable for a conversation, and changes with the next turn.
fn seed_of(messages: &[Value]) -> String {
    let mut hasher = SipHasher13::new();
    for message in messages {
        hasher.write(message.to_string().as_bytes());
    }
    format!("{:016x}", hasher.finish())
}

/// A result that lacks these fields would be sent as `null`.
fn check_results(messages: &[Value]) -> Result<()> {
    for (index, message) in messages.iter().enumerate() {
        let is_result = message.get("role").and_then(Value::as_str) == Some("tool");
        let missing = ["toolCallId", "kind"].into_iter().find(|key| !message.get(key).is_some_and(Value::is_string));
        if let Some(key) = missing.filter(|_| is_result) {
            return Err(TextError::new(
                format!("/messages/{index}/{key}"),
                format!("a result requires `{key}`, a string"),
            ));
        }
    }
    Ok(())
}

fn refuse_native(tools: &Value, choice: &Value) -> Result<()> {
    let is_native = |tool: &Value| tool.get("type").and_then(Value::as_str) == Some("native");
    if let Some(index) = tools.as_array().and_then(|tools| tools.iter().position(is_native)) {
        let message =
            "a provider's own tool can't be simulated, and native tools can't be combined with simulated ones";
        return Err(TextError::new(format!("/tools/{index}"), message));
    }
    if choice.get("native").is_some() {
        return Err(TextError::new("/toolChoice", "a provider's own tool choice can't be simulated"));
    }
    Ok(())
}

/// The format in the options. `auto` selects that of the model, or else the generic format.
fn form_of(options: &Value, request: &Map<String, Value>) -> Result<&'static Form> {
    match options.get("format").and_then(Value::as_str).unwrap_or("auto") {
        "auto" => {
            let model = request.get("model").and_then(Value::as_str).unwrap_or_default();
            Form::of(formats::of_model(model).map_or("json", |format| format.id)).or_else(|_| Form::of("json"))
        }
        id => Form::of(id),
    }
}

/// The parts of the request that the prompt describes.
struct Config<'a> {
    tools: &'a Value,
    choice: &'a Value,
    parallel: &'a Value,
    carrier: &'a Carrier,
}

fn prompt(form: &Form, options: &Value, config: &Config) -> Result<String> {
    let Config { tools, choice, parallel, carrier } = *config;
    let mut options = PromptOptions::of(&json!({
        "format": form.id,
        "definitions": options.get("definitions"),
        "examples": options.get("examples"),
        "toolChoice": choice,
        "parallelToolCalls": parallel,
    }))?;
    options.carrier = carrier.clone();
    let tools = Tool::list(tools)
        .map_err(|error| TextError { path: format!("/tools{}", error.path), message: error.message })?;
    Ok(tool_prompt(&tools, &options))
}

fn place(options: &Value) -> Result<Insertion> {
    match options.get("place").and_then(Value::as_str) {
        None if options.get("place").is_none_or(Value::is_null) => Ok(Insertion::SystemEnd),
        word => word
            .and_then(|word| named(Insertion::WORDS, word))
            .ok_or_else(|| TextError::new("/place", format!("`place` must be {}", listed(Insertion::WORDS)))),
    }
}

fn placed(mut messages: Vec<Value>, prompt: &str, place: Insertion) -> Vec<Value> {
    if prompt.is_empty() {
        return messages;
    }
    let has_role =
        |role: &'static str| move |message: &Value| message.get("role").and_then(Value::as_str) == Some(role);
    let (role, position) = match place {
        Insertion::User => ("user", messages.iter().rposition(has_role("user"))),
        Insertion::SystemStart | Insertion::SystemEnd => ("system", messages.iter().position(has_role("system"))),
    };
    match position.and_then(|position| messages.get_mut(position)) {
        Some(message) => history::add_text(message, prompt, matches!(place, Insertion::SystemEnd)),
        None if role == "user" => messages.push(json!({ "role": role, "content": prompt })),
        None => messages.insert(0, json!({ "role": role, "content": prompt })),
    }
    messages
}

/// Moves the response format into the prompt: a server that enforces JSON would prevent calls in text of any other form.
fn final_response(fields: &mut Map<String, Value>, carrier: &Carrier, warnings: &mut Warnings) -> String {
    let kind = fields.get("responseFormat").and_then(|format| format.get("type")).and_then(Value::as_str);
    if !matches!(kind, Some("json" | "jsonSchema")) || matches!(carrier, Carrier::Tool(_)) {
        return String::new();
    }
    let format = fields.shift_remove("responseFormat").unwrap_or_default();
    let what = match format.get("schema") {
        Some(schema) => format!("a JSON value that follows this JSON Schema:\n{schema}"),
        None => "a JSON value.".to_owned(),
    };
    if *carrier == Carrier::Object {
        return format!("\n\nIf you call a tool, `text` is null. If you call none, `text` is {what}");
    }
    warnings.add(
        "/responseFormat",
        "only asked for in the prompt: a response that must be JSON can't have simulated calls",
    );
    format!("\n\nA response without calls is nothing but {what}")
}

/// Inserts a prompt into a request, at the place that the options name.
///
/// # Errors
/// The value is not a request, or the place does not exist.
pub fn with_prompt(mut request: Value, prompt: &str, options: &Value) -> Result<Value> {
    let place = place(options)?;
    let Some(Value::Array(messages)) = request.get_mut("messages") else {
        return Err(TextError::new("/messages", "`messages` must be an array"));
    };
    *messages = placed(std::mem::take(messages), prompt, place);
    Ok(request)
}
