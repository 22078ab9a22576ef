//! The options of a prompt.

use super::forms::Form;
use crate::json::{Value, json};
use crate::text::formats::Definitions;
use crate::text::{Result, TextError};
use crate::words::{listed, named};

/// The tools that the model may or must call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    #[default]
    Auto,
    None,
    Required,
    One(String),
    Allowed {
        names: Vec<String>,
        required: bool,
    },
}

/// The examples in the prompt.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Examples {
    /// One example, generated from the first tool.
    #[default]
    Generated,
    Given(Vec<Example>),
    None,
}

/// A user message, and the assistant message with calls that follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    pub user: String,
    pub message: Value,
}

/// The part of a response that carries its calls.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Carrier {
    /// Its text.
    #[default]
    Text,
    /// The JSON object that is the whole response.
    Object,
    /// The input of the freeform tool with this name.
    Tool(String),
}

/// The options of a prompt.
#[derive(Clone, Debug)]
pub struct PromptOptions {
    pub form: &'static Form,
    pub definitions: Definitions,
    pub examples: Examples,
    pub choice: Choice,
    pub parallel: bool,
    pub carrier: Carrier,
}

impl PromptOptions {
    /// The default options of a format.
    #[must_use]
    pub fn new(form: &'static Form) -> Self {
        Self {
            form,
            definitions: form.definitions,
            examples: Examples::default(),
            choice: Choice::default(),
            parallel: !form.single,
            carrier: Carrier::default(),
        }
    }

    /// Reads the options of `toolPrompt`.
    ///
    /// # Errors
    /// The format, notation or choice is unknown.
    pub fn of(options: &Value) -> Result<Self> {
        let id = match options {
            Value::String(id) => id.as_str(),
            _ => options.get("format").and_then(Value::as_str).unwrap_or("json"),
        };
        let mut read = Self::new(Form::of(id)?);
        if let Some(name) = options.get("definitions").filter(|name| !name.is_null()) {
            let known = name.as_str().and_then(|name| named(Definitions::WORDS, name));
            read.definitions = known.ok_or_else(|| {
                TextError::new("/definitions", format!("`definitions` must be {}", listed(Definitions::WORDS)))
            })?;
        }
        read.examples = examples(options.get("examples"))?;
        read.choice = choice(options.get("toolChoice"))?;
        if options.get("parallelToolCalls") == Some(&Value::Bool(false)) {
            read.parallel = false;
        }
        Ok(read)
    }
}

pub(in crate::text) fn choice(value: Option<&Value>) -> Result<Choice> {
    let wrong =
        || TextError::new("/toolChoice", "`toolChoice` must be auto, none, required, a tool's name or allowed names");
    match value {
        None | Some(Value::Null) => Ok(Choice::Auto),
        Some(Value::String(word)) => match word.as_str() {
            "auto" => Ok(Choice::Auto),
            "none" => Ok(Choice::None),
            "required" => Ok(Choice::Required),
            _ => Err(wrong()),
        },
        Some(value) => {
            if let Some(name) = value.get("name").and_then(Value::as_str) {
                return Ok(Choice::One(name.to_owned()));
            }
            let names = value.get("allowed").and_then(Value::as_array).ok_or_else(wrong)?;
            let names =
                names.iter().map(|name| name.as_str().map(str::to_owned)).collect::<Option<_>>().ok_or_else(wrong)?;
            let required = value.get("mode").and_then(Value::as_str) == Some("required");
            Ok(Choice::Allowed { names, required })
        }
    }
}

fn examples(value: Option<&Value>) -> Result<Examples> {
    let items = match value {
        None | Some(Value::Null | Value::Bool(true)) => return Ok(Examples::Generated),
        Some(Value::Bool(false)) => return Ok(Examples::None),
        Some(Value::Array(items)) => items,
        Some(_) => return Err(TextError::new("/examples", "`examples` must be an array or false")),
    };
    let read = items.iter().enumerate().map(|(index, item)| {
        let wrong = || TextError::new(format!("/examples/{index}"), "an example must have `user` and `calls`");
        let user = item.get("user").and_then(Value::as_str).ok_or_else(wrong)?.to_owned();
        let calls = item.get("calls").filter(|calls| calls.is_array()).ok_or_else(wrong)?;
        Ok(Example { user, message: json!({ "content": "", "toolCalls": calls }) })
    });
    Ok(Examples::Given(read.collect::<Result<_>>()?))
}
