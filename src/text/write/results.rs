//! Writes results as the text that a model expects.

use super::forms::Form;
use super::node::{JsonValue, quote};
use super::template::fill;
use super::{Report, Written, ids, markers};
use crate::json::{Value, json};
use crate::text::formats::Encoding;

/// Writes results in order. Results are untrusted: a result that contains markers is written as JSON with the markers escaped.
#[must_use]
pub fn results_as_text(results: &[Value], form: &Form) -> Written {
    let mut report = Report::default();
    let items: Vec<String> =
        results.iter().enumerate().map(|(index, result)| item(result, index, form, &mut report)).collect();
    let text = match items.is_empty() {
        true => String::new(),
        false => format!("{}{}{}", form.results.all.open, items.join(form.results.between), form.results.all.close),
    };
    Written { text, warnings: report.warnings }
}

fn item(result: &Value, index: usize, form: &Form, report: &mut Report) -> String {
    let field = |key| result.get(key).and_then(Value::as_str).unwrap_or_default();
    let (id, name) = (field("toolCallId"), field("name"));
    let written = ids::written(form.ids, id, name, index);
    if !ids::is_kept(form.ids, id, &written) {
        report.add(
            &format!("/{index}/toolCallId"),
            format!("the id is written as `{written}`, in the form of this format"),
        );
    }
    let body = body(&payload(result, &format!("/{index}/value"), report), form.results.encoding);
    let (position, number) = (index.to_string(), (index + 1).to_string());
    let (safe_name, safe_id) = (safe_word(name), safe_word(&written));
    let quoted = quote(name);
    let values =
        [('n', safe_name.as_str()), ('N', &quoted), ('d', &safe_id), ('r', &body), ('i', &position), ('j', &number)];
    fill(form.results.item, &values)
}

/// The value that the model receives. Errors become `{"error": …}`.
fn payload(result: &Value, path: &str, report: &mut Report) -> Value {
    let value = result.get("value").cloned().unwrap_or_default();
    let kind = result.get("kind").and_then(Value::as_str).unwrap_or_default();
    let is_error = kind == "error" || result.get("isError").and_then(Value::as_bool).unwrap_or_default();
    let value = match (kind, value) {
        ("multimodal", Value::Array(blocks)) => joined(&blocks, path, report),
        (_, value) => value,
    };
    let is_marked = value.get("error").is_some_and(Value::is_string);
    if is_error && !is_marked { json!({ "error": value }) } else { value }
}

/// The text and data of a result with media. Each medium is replaced by a note.
fn joined(blocks: &[Value], path: &str, report: &mut Report) -> Value {
    let text_of = |(index, block): (usize, &Value)| {
        let text = || block.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
        match block.get("type").and_then(Value::as_str).unwrap_or_default() {
            "text" | "refusal" => text(),
            "data" => block.get("value").map(|value| JsonValue::from(value).json()).unwrap_or_default(),
            kind => {
                report.add(&format!("{path}/{index}"), format!("a block of type `{kind}` can't be written as text"));
                format!("({kind} omitted)")
            }
        }
    };
    if let [block] = blocks
        && let (Some("data"), Some(value)) = (block.get("type").and_then(Value::as_str), block.get("value"))
    {
        return value.clone();
    }
    let texts: Vec<String> = blocks.iter().enumerate().map(text_of).collect();
    Value::from(texts.join("\n"))
}

fn body(value: &Value, encoding: Encoding) -> String {
    match value {
        Value::String(text) if encoding == Encoding::Text => {
            if markers::has_marker(text) || text.contains('\u{0}') {
                quote(text)
            } else {
                text.clone()
            }
        }
        Value::String(text) => quote(text),
        value => {
            let json = JsonValue::from(value).json();
            if markers::has_call_key(&json) { quote(&json) } else { json }
        }
    }
}

/// A name or id without characters that could end an attribute or a marker.
fn safe_word(text: &str) -> String {
    text.chars().map(|c| if c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':') { c } else { '_' }).collect()
}
