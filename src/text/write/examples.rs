//! Example calls in the prompt.

use super::calls::calls_as_text;
use super::object::object_as_text;
use super::options::{Carrier, Choice, Example, Examples, PromptOptions};
use super::sample::sample;
use crate::json::{Value, json};
use crate::text::Tool;

/// The examples of the caller, or one generated from the first tool that may be called.
pub(super) fn examples(tools: &[Tool], options: &PromptOptions) -> String {
    match &options.examples {
        Examples::None => String::new(),
        Examples::Given(list) => list.iter().map(|example| given(example, options)).collect::<Vec<_>>().join("\n\n"),
        Examples::Generated => first(tools, &options.choice).map(|tool| generated(tool, options)).unwrap_or_default(),
    }
}

fn first<'a>(tools: &'a [Tool], choice: &Choice) -> Option<&'a Tool> {
    tools.iter().find(|tool| match choice {
        Choice::One(name) => *name == tool.name,
        Choice::Allowed { names, .. } => names.contains(&tool.name),
        Choice::Auto | Choice::Required => true,
        Choice::None => false,
    })
}

fn generated(tool: &Tool, options: &PromptOptions) -> String {
    let arguments = match tool.input_examples.first() {
        Some(example) => example.clone(),
        None if tool.parameters.is_empty() => json!({}),
        None => sample(&Value::Object(tool.parameters.clone())),
    };
    let arguments = if arguments.is_object() { arguments } else { json!({}) };
    let message = json!({ "content": "", "toolCalls": [{ "id": "", "name": tool.name, "arguments": arguments }] });
    let what = if options.carrier == Carrier::Object { "response with a call" } else { "call" };
    format!("An example of the form of a {what} (its values are not data):\n{}", written(&message, options))
}

fn given(example: &Example, options: &PromptOptions) -> String {
    let what = match &options.carrier {
        Carrier::Tool(name) => format!("input of `{name}`"),
        Carrier::Text | Carrier::Object => "response".to_owned(),
    };
    format!("Example. User: {}\nYour {what}:\n{}", example.user, written(&example.message, options))
}

fn written(message: &Value, options: &PromptOptions) -> String {
    match options.carrier {
        Carrier::Object => object_as_text(message),
        Carrier::Text | Carrier::Tool(_) => calls_as_text(message, options.form).text,
    }
}
