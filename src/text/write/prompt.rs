//! The prompt that instructs a model how to call tools.

use super::definitions::definitions;
use super::examples::examples;
use super::forms::{Arguments, Form};
use super::options::{Carrier, Choice, PromptOptions};
use super::template::fill;
use crate::text::Tool;

/// The prompt for these tools. Empty if there are none.
#[must_use]
pub fn tool_prompt(tools: &[Tool], options: &PromptOptions) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let shown = format!("# Tools\n\nYou can call these tools:\n\n{}", definitions(tools, options.definitions));
    if options.choice == Choice::None {
        return format!("{shown}\n\nDo not call a tool in this response. Respond with text.");
    }
    let form = if options.carrier == Carrier::Object { OBJECT.to_owned() } else { form(options.form) };
    let mut parts = vec![shown, form, examples(tools, options), rules(options), choice(options)];
    parts.push(match &options.carrier {
        Carrier::Text => "To call a tool, use exactly the form shown above, and write nothing after the last call.".into(),
        Carrier::Object => "Respond with exactly one JSON object of the form shown above, and with nothing else.".into(),
        Carrier::Tool(name) => format!(
            "To call tools, call `{name}` once. Its input is the calls, in exactly the form shown above, and nothing else. \
             Write no calls outside of its input."
        ),
    });
    parts.retain(|part| !part.is_empty());
    parts.join("\n\n")
}

const OBJECT: &str = "\
Every response is one JSON object of this form:
{\"text\": TEXT, \"calls\": [{\"name\": \"NAME\", \"arguments\": {\"ARGUMENT\": VALUE}}]}
`text` is what the user reads. `calls` are the tools to call; it is empty if you call none.";

/// The form of a call, with placeholders.
fn form(form: &Form) -> String {
    let arguments = match &form.arguments {
        Arguments::Json => "{\"ARGUMENT\": VALUE}".to_owned(),
        Arguments::Python => "ARGUMENT=VALUE".to_owned(),
        Arguments::Gemma(mark) => format!("ARGUMENT:{mark}TEXT{mark},ARGUMENT:NUMBER"),
        Arguments::Delimited(mark) => format!("ARGUMENT:{mark}VALUE{mark}"),
        Arguments::Nested(prefix) => format!("{prefix}<ARGUMENT>VALUE{prefix}</ARGUMENT>"),
        Arguments::Tagged(item) | Arguments::Cdata(item) => {
            fill(item, &[('k', "ARGUMENT"), ('v', "VALUE"), ('s', "true"), ('w', "raw"), ('y', "string")])
        }
    };
    let values = [('n', "NAME"), ('N', "\"NAME\""), ('a', arguments.as_str()), ('d', "ID"), ('i', "0"), ('j', "1")];
    let call = fill(&form.call, &values);
    let mut text = format!("A call has this form:\n{}{call}{}", form.open, form.close);
    text.push_str(match &form.arguments {
        Arguments::Tagged(item) if item.contains("%s") => {
            "\nWith string=\"true\" the value is plain text, with string=\"false\" it is JSON."
        }
        Arguments::Tagged(_) => "\nRepeat the element for each argument. Strings are plain text without quotes; other values are JSON.",
        Arguments::Cdata(_) => {
            "\nRepeat the element for each argument. Put text with `<`, `&` or line breaks in `<![CDATA[` and `]]>`; other values are JSON."
        }
        Arguments::Nested(_) => "\nRepeat the element for each argument. Items of an array are `item` elements.",
        Arguments::Python => "\nValues are Python literals. Do not use variables.",
        Arguments::Gemma(_) => "\nOnly strings are delimited.",
        Arguments::Json | Arguments::Delimited(_) => "",
    });
    text
}

fn rules(options: &PromptOptions) -> String {
    let mut lines = placing(options);
    lines.push(
        "- Use only the tools and arguments listed. Give all required arguments, with the types of their schema."
            .into(),
    );
    lines.push("- If a required argument is unknown, ask for it instead of inventing it.".into());
    lines.push("- The results are in the next turn, in the order of the calls. Do not write results yourself.".into());
    lines.join("\n")
}

/// Instructions for several calls, and for where calls are placed relative to text.
fn placing(options: &PromptOptions) -> Vec<String> {
    let mut lines = Vec::new();
    let between = options.form.between.trim();
    lines.extend(match (options.parallel, options.form.open.is_empty(), between.is_empty()) {
        (false, ..) => Some("- Make at most one call per response.".to_owned()),
        _ if options.carrier == Carrier::Object => None,
        (true, true, true) => Some("- To make several calls, write one after the other.".to_owned()),
        (true, false, true) => {
            Some(format!("- To make several calls, write all of them after one `{}`.", options.form.open.trim_ascii()))
        }
        (true, _, false) => Some(format!("- To make several calls, write `{between}` between them.")),
    });
    if options.carrier != Carrier::Text {
        return lines;
    }
    lines.push(match options.form.alone {
        true => "- A response is either calls or text, never both.".into(),
        false => "- Text may come before the calls, but not after them.".into(),
    });
    lines
}

fn quoted(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

fn choice(options: &PromptOptions) -> String {
    match &options.choice {
        Choice::Auto => "Call a tool only if it helps. Otherwise respond with text.".into(),
        Choice::None => String::new(),
        Choice::Required => "You must call at least one tool in this response.".into(),
        Choice::One(name) => format!("You must call the tool `{name}` in this response, and no other tool."),
        Choice::Allowed { names, required: true } => {
            format!("In this response you must call a tool, and only these: {}.", quoted(names))
        }
        Choice::Allowed { names, required: false } => format!(
            "In this response you may call only these tools: {}. If none of them helps, respond with text.",
            quoted(names)
        ),
    }
}
