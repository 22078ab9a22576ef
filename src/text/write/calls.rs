//! Writes an assistant message as the text that the model would have generated.

use super::forms::{Arguments, Form};
use super::node::{JsonValue, quote};
use super::template::fill;
use super::{Report, Written, arguments, ids, markers};
use crate::json::Value;

/// Writes content, reasoning and calls in the form that the prompt describes.
#[must_use]
pub fn calls_as_text(message: &Value, form: &Form) -> Written {
    let mut report = Report::default();
    let calls = calls_of(message);
    let parts = blocks_of(message, &calls, &mut report);
    let mut writer = Writer { form, out: String::new(), has_text: false, position: 0 };
    let mut open = false;
    let last_call = parts.iter().rposition(|part| matches!(part, MessageBlock::Call(_)));
    for (index, part) in parts.iter().enumerate() {
        if let MessageBlock::Call(call) = part {
            writer.open_call(open, call, &mut report);
            open = true;
        } else {
            writer.close_calls(open);
            if open && form.gap.contains('\n') {
                writer.out.push('\n');
            }
            open = false;
            writer.passage(part, last_call.is_none_or(|last| index > last), &mut report);
        }
    }
    writer.close_calls(open);
    writer.check(&mut report);
    Written { text: writer.out, warnings: report.warnings }
}

/// A call of the message, valid or invalid.
struct MessageCall<'a> {
    id: &'a str,
    name: &'a str,
    arguments: Option<&'a Value>,
    raw: Option<&'a str>,
    path: String,
}

enum MessageBlock<'a> {
    Text { text: &'a str, path: String },
    Reasoning { text: &'a str, path: String },
    Call(&'a MessageCall<'a>),
}

fn calls_of(message: &Value) -> Vec<MessageCall<'_>> {
    let mut calls = Vec::new();
    for list in ["toolCalls", "invalidToolCalls"] {
        let items = message.get(list).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
        for (index, item) in items.iter().enumerate() {
            let text = |key| item.get(key).and_then(Value::as_str).unwrap_or_default();
            let arguments = item.get("arguments").filter(|value| value.is_object());
            let raw = item.get("rawArguments").and_then(Value::as_str);
            calls.push(MessageCall {
                id: text("id"),
                name: text("name"),
                arguments,
                raw,
                path: format!("/{list}/{index}"),
            });
        }
    }
    calls
}

/// Content and calls in the order of the message. A call without a `toolCall` block comes at the end.
fn blocks_of<'a>(message: &'a Value, calls: &'a [MessageCall<'a>], report: &mut Report) -> Vec<MessageBlock<'a>> {
    let mut parts = Vec::new();
    let mut rest: Vec<&MessageCall> = calls.iter().collect();
    match message.get("content") {
        Some(Value::String(text)) if !text.is_empty() => {
            parts.push(MessageBlock::Text { text, path: "/content".into() })
        }
        Some(Value::Array(blocks)) => {
            for (index, block) in blocks.iter().enumerate() {
                let path = format!("/content/{index}");
                let text = block.get("text").and_then(Value::as_str).unwrap_or_default();
                match block.get("type").and_then(Value::as_str).unwrap_or_default() {
                    "text" | "refusal" if text.is_empty() => {}
                    "text" | "refusal" => parts.push(MessageBlock::Text { text, path }),
                    "reasoning" if !text.is_empty() => parts.push(MessageBlock::Reasoning { text, path }),
                    "toolCall" => {
                        let id = block.get("id").and_then(Value::as_str);
                        match rest.iter().position(|call| Some(call.id) == id) {
                            Some(at) => parts.push(MessageBlock::Call(rest.remove(at))),
                            None => report.add(&path, "the mark does not refer to a call".into()),
                        }
                    }
                    kind => report.add(&path, format!("a block of type `{kind}` can't be written as text")),
                }
            }
        }
        _ => {}
    }
    parts.extend(rest.into_iter().map(MessageBlock::Call));
    parts
}

struct Writer<'a> {
    form: &'a Form,
    out: String,
    has_text: bool,
    /// The index of the next call.
    position: usize,
}

impl Writer<'_> {
    fn passage(&mut self, part: &MessageBlock, is_answer: bool, report: &mut Report) {
        let (text, path, template) = match part {
            MessageBlock::Text { text, path } if is_answer => (*text, path, &self.form.answer),
            MessageBlock::Text { text, path } => (*text, path, &self.form.text),
            MessageBlock::Reasoning { text, path } => (*text, path, &self.form.reasoning),
            MessageBlock::Call(_) => return,
        };
        let is_bare_call = self.form.bare && text.lines().any(|line| line.trim_start().starts_with(['{', '[']));
        if markers::has_marker(text) || is_bare_call || (self.form.alone && text.contains(['{', '['])) {
            report.add(path, "the text contains what can be read as a marker of a text format".into());
        }
        self.has_text |= matches!(part, MessageBlock::Text { .. });
        self.out.push_str(&fill(template, &[('t', text)]));
    }

    fn open_call(&mut self, open: bool, call: &MessageCall, report: &mut Report) {
        let joint = self.out.len();
        if open {
            self.out.push_str(&self.form.between);
        } else {
            if !self.out.is_empty() && !self.out.ends_with("\n\n") {
                let gap = if self.out.ends_with('\n') { self.form.gap.trim_start_matches('\n') } else { self.form.gap };
                self.out.push_str(gap);
            }
            self.out.push_str(&self.form.open);
        }
        let text = self.call(call, report);
        self.check_joint(joint, &text, report);
        self.out.push_str(&text);
        self.position += 1;
    }

    /// Reports text before calls that continues in their marker.
    fn check_joint(&self, joint: usize, call: &str, report: &mut Report) {
        let (before, opening) = self.out.split_at_checked(joint).unwrap_or_default();
        if self.has_text && markers::is_at_joint(before, &format!("{opening}{call}")) {
            report.add("/content", "the end of the text and the marker after it can be read as another marker".into());
        }
    }

    fn close_calls(&mut self, open: bool) {
        if open {
            self.out.push_str(&self.form.close);
        }
    }

    fn call(&self, call: &MessageCall, report: &mut Report) -> String {
        let form = self.form;
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/');
        if form.has_bare_name() && (call.name.is_empty() || !call.name.chars().all(is_plain)) {
            report.add(
                &format!("{}/name", call.path),
                format!("the name `{}` can't be written in this format", call.name),
            );
        }
        let id = ids::written(form.ids, call.id, call.name, self.position);
        if !ids::is_kept(form.ids, call.id, &id) {
            report
                .add(&format!("{}/id", call.path), format!("the id is written as `{id}`, in the form of this format"));
        }
        let arguments = match call.arguments {
            Some(value) => {
                let node = JsonValue::with_digits(value, call.raw);
                arguments::write(&node, form, &format!("{}/arguments", call.path), report)
            }
            None => invalid(call.raw.unwrap_or_default(), form, &call.path, report),
        };
        let (index, number) = (self.position.to_string(), (self.position + 1).to_string());
        let name = quote(call.name);
        let values = [('n', call.name), ('N', &name), ('a', &arguments), ('d', &id), ('i', &index), ('j', &number)];
        fill(&form.call, &values)
    }

    fn check(&self, report: &mut Report) {
        if self.form.single && self.position > 1 {
            report.add("/toolCalls", "this format has one call per response".into());
        }
        if self.form.alone && self.has_text && self.position > 0 {
            report.add("/content", "this format has either text or calls in a response".into());
        }
    }
}

/// Writes arguments that are not a JSON object verbatim.
fn invalid(raw: &str, form: &Form, path: &str, report: &mut Report) -> String {
    let path = format!("{path}/rawArguments");
    let digits = crate::json::from_str::<Value>(raw).ok().filter(Value::is_object);
    if let Some(value) = digits {
        return arguments::write(&JsonValue::with_digits(&value, Some(raw)), form, &path, report);
    }
    let message = match form.arguments {
        Arguments::Json => "the arguments are not a JSON object; they are written as they are",
        _ => "the arguments are not a JSON object and have no form in this format; they are written as they are",
    };
    report.add(&path, message.into());
    raw.to_owned()
}
