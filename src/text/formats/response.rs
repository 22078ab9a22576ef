//! Formats of Hugging Face's response templates (`response_template` in tokenizer configurations), and of the older response schemas
//! (`response_schema`): a known format by its markers, or else a row that is built from the JSON, which is its id.
//!
//! Source: `utils/chat_parsing` of transformers 5.24.0, and "Response parsing" in its documentation.

use super::{BASE, Body, Format, Json, Pair, Pythonic, THINK, of_template, pair};
use crate::json::Value;
use std::sync::{LazyLock, Mutex};

/// The rows that were built. They are never freed, so their number is bounded.
static BUILT: LazyLock<Mutex<Vec<&'static Format>>> = LazyLock::new(Mutex::default);
const MOST: usize = 256;

/// The format of a response template or schema. `None` if it is neither, or if its calls are no JSON or Python between fixed markers.
pub fn of_response(json: &str) -> Option<&'static Format> {
    let template: Value = crate::json::from_str(json).ok()?;
    let fields = template.get("fields").or_else(|| template.get("properties"))?;
    let calls = fields.get("tool_calls")?;
    let mut markers = String::new();
    collect(&template, &mut markers);
    let keys = keys_of(calls);
    let known = of_template(&markers).filter(|known| match (&known.body, &keys) {
        (Body::Json(body), Some((name, arguments))) => body.name == name && body.arguments == arguments,
        _ => true,
    });
    known.or_else(|| {
        let mut built = BUILT.lock().ok()?;
        if let Some(row) = built.iter().find(|row| row.id == json) {
            return Some(*row);
        }
        let row = row(json, fields, calls, keys).filter(|_| built.len() < MOST)?;
        let row: &'static Format = Box::leak(Box::new(row));
        built.push(row);
        Some(row)
    })
}

/// A row for calls between fixed markers.
fn row(json: &str, fields: &Value, calls: &Value, keys: Option<(String, String)>) -> Option<Format> {
    let (opens, closes) = region(calls)?;
    let close = closes.first().copied().unwrap_or_default();
    let pairs: Vec<Pair> = opens.iter().map(|open| pair(open, close)).collect();
    let (&call, also) = pairs.split_first()?;
    let content = fields.get("content");
    let (text_opens, text_closes) = content.and_then(region).unwrap_or_default();
    let text = match (text_opens.first(), text_closes.first()) {
        (Some(open), Some(close)) => pair(open, close),
        _ => super::NONE,
    };
    let thinking = ["thinking", "reasoning_content", "reasoning"].iter().find_map(|name| fields.get(name));
    let (starts, ends) = thinking.and_then(region).unwrap_or_default();
    let end = ends.first().copied().unwrap_or_default();
    let mut reasoning: Vec<Pair> = starts.iter().map(|start| pair(start, end)).filter(|_| !end.is_empty()).collect();
    if reasoning.is_empty() {
        reasoning.push(THINK);
    }
    let format = Format {
        id: json.to_owned().leak(),
        also: also.to_vec().leak(),
        reasoning: reasoning.leak(),
        text,
        wrappers: text_closes.leak(),
        ..BASE
    };
    let is_one = !calls.get("repeats").and_then(Value::as_bool).unwrap_or(calls.get("x-regex-iterator").is_some());
    let list = if is_one { pair("[", "]") } else { super::NONE };
    let separator = if is_one { ", " } else { "\n" };
    match content_of(calls)? {
        "json" => {
            let (name, arguments) = keys?;
            let (name, arguments) = (name.leak(), arguments.leak());
            let body = Json { list, name, arguments, id: "", id_first: false, bare: false, exact: false };
            Some(Format { call, separator, body: Body::Json(body), ..format })
        }
        "python-call-list" => {
            let body = Body::Pythonic(Pythonic { list: true, bare: false });
            Some(Format { section: call, separator: ", ", body, ..format })
        }
        _ => None,
    }
}

/// How the text of a field is written.
fn content_of(field: &Value) -> Option<&str> {
    let parser = field.get("x-parser").or_else(|| field.get("items")?.get("x-parser"));
    field.get("content").or(parser)?.as_str()
}

/// The keys of the name and of the arguments in a call. `None` if the name is not in the JSON.
fn keys_of(calls: &Value) -> Option<(String, String)> {
    let usual = || Some(("name".to_owned(), "arguments".to_owned()));
    if let Some(arguments) = calls.get("x-parser-args").or_else(|| calls.get("items")?.get("x-parser-args")) {
        let transform = arguments.get("transform")?.as_str()?;
        let after = |key: &str| {
            let rest = transform.get(transform.find(key)? + key.len()..)?.trim_start();
            let end = rest.find(|one: char| !one.is_alphanumeric() && one != '_').unwrap_or(rest.len());
            rest.get(..end).filter(|key| !key.is_empty()).map(str::to_owned)
        };
        return Some((after("name:")?, after("arguments:")?));
    }
    let Some(transform) = calls.get("transform") else { return usual() };
    let function = transform.get("function")?;
    let key = |field: &str| {
        let path = function.get(field)?.as_str()?.strip_prefix('{')?.strip_suffix('}')?;
        let key = path.strip_prefix("content.").unwrap_or(path);
        (key != "content" && !key.contains('.')).then(|| key.to_owned())
    };
    if function.as_str() == Some("{content}") { usual() } else { Some((key("name")?, key("arguments")?)) }
}

/// The markers around a field, if it is between fixed ones.
fn region(field: &Value) -> Option<(Vec<&'static str>, Vec<&'static str>)> {
    let regex = ["x-regex", "x-regex-iterator"].iter().find_map(|key| field.get(key)?.as_str());
    if let Some(regex) = regex {
        let (before, after) = regex.split_once("(.*?)").or_else(|| regex.split_once("(.*)"))?;
        let after = after.strip_prefix("(?:").and_then(|inner| inner.strip_suffix("|$)")).unwrap_or(after);
        return Some((vec![literal(before)?.leak()], vec![literal(after)?.leak()]));
    }
    let markers = |key: &str| -> Vec<&'static str> {
        let all = match field.get(key) {
            Some(Value::Array(all)) => all.iter().filter_map(Value::as_str).collect(),
            one => one.and_then(Value::as_str).into_iter().collect::<Vec<_>>(),
        };
        all.into_iter().map(|marker| &*marker.to_owned().leak()).collect()
    };
    Some((markers("open"), markers("close")))
}

/// The only text that a regular expression matches, apart from whitespace.
fn literal(regex: &str) -> Option<String> {
    let regex = regex.replace("\\s*", "").replace("\\s+", "");
    let mut text = String::new();
    let mut rest = regex.chars();
    while let Some(one) = rest.next() {
        text.push(match one {
            '\\' => match rest.next()? {
                'n' => '\n',
                escaped if escaped.is_alphanumeric() => return None,
                escaped => escaped,
            },
            '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '^' | '$' | '|' => return None,
            other => other,
        });
    }
    Some(text)
}

/// All texts in the template, without the escapes of regular expressions.
fn collect(value: &Value, found: &mut String) {
    match value {
        Value::String(text) => {
            let text = text.replace("\\s*", "\n").replace("\\n", "\n");
            found.extend(text.chars().filter(|one| *one != '\\'));
            found.push(' ');
        }
        Value::Array(all) => all.iter().for_each(|one| collect(one, found)),
        Value::Object(fields) => fields.iter().for_each(|(_, one)| collect(one, found)),
        _ => {}
    }
}

#[cfg(test)]
#[cfg(not(target_arch = "wasm32"))]
mod tests {
    use super::of_response;
    use crate::json::{Value, json};

    fn template(calls: Value) -> String {
        json!({ "start_anchor": "<|assistant|>", "fields": { "tool_calls": calls } }).to_string()
    }

    #[test]
    fn markers_of_a_known_format_are_that_format() {
        let transform = json!({ "type": "function", "function": "{content}" });
        let hermes = json!({ "open": "<tool_call>", "close": "</tool_call>", "repeats": true, "content": "json", "transform": transform });
        let named = json!({ "function": { "name": "{name}", "arguments": "{content}" } });
        let qwen = json!({ "open_pattern": r"<tool_call>\s*<function=(?P<name>\w+)>", "close": "</tool_call>", "content": "xml-inline", "transform": named });
        let gemma = json!({ "open_pattern": r"<\|tool_call>call:(?P<name>\w+)", "close": "<tool_call|>", "content": "json", "transform": named });
        let parameter =
            json!({ "tag_pattern": r#"<rfl:parameter name="(?P<key>[^"]+)">\n(?P<value>.*?)\n</rfl:parameter>"# });
        let beam = json!({ "open_pattern": r" to=(?P<name>[^\s<]+)<\|channel\|>analysis <\|constrain\|>xml<\|message\|>", "close": "<|call|>", "content": "xml-inline", "content_args": parameter, "transform": named });
        for (calls, id) in [(hermes, "hermes_json"), (qwen, "qwen3_xml"), (gemma, "gemma4"), (beam, "beam")] {
            assert_eq!(of_response(&template(calls)).map(|format| format.id), Some(id));
        }
    }

    #[test]
    fn other_markers_become_a_row_once() {
        let transform = json!({ "function": { "name": "{content.tool}", "arguments": "{content.args}" } });
        for open in ["<act>", "<tool_call>"] {
            let json = template(
                json!({ "open": open, "close": "</act>", "repeats": true, "content": "json", "transform": transform }),
            );
            let row = of_response(&json).unwrap();
            assert_eq!((row.id, row.call.open, row.call.close), (json.as_str(), open, "</act>"));
            assert_eq!(row.shape(), format!(r#"{open}{{"tool": "NAME", "args": {{…}}}}</act>"#));
            assert!(std::ptr::eq(row, of_response(&json).unwrap()));
        }
    }

    #[test]
    fn what_is_not_between_fixed_markers_has_no_row() {
        for calls in [
            json!({ "open_pattern": "<a+>", "close": "</a>", "content": "json" }),
            json!({ "open": "<a>", "close": "</a>", "content": "kv-lines" }),
            json!({ "open": "<a>", "close": "</a>", "content": "json", "transform": { "function": { "name": "{fn.name}", "arguments": "{fn.args}" } } }),
            json!({ "x-regex": "<a>([^<]*)</a>", "x-parser": "json" }),
        ] {
            assert!(of_response(&template(calls.clone())).is_none(), "{calls}");
        }
        assert!(of_response("{").is_none() && of_response("{}").is_none());
    }

    #[test]
    fn schemas_have_their_markers_in_expressions() {
        let calls = json!({
            "x-regex": r"<\|acts\|>(.*?)(?:<\|end\|>|$)", "x-parser": "json",
            "x-parser-args": { "transform": "[*].{type: 'function', function: {name: tool, arguments: args}}" },
        });
        let schema = json!({ "type": "object", "properties": { "tool_calls": calls } }).to_string();
        let row = of_response(&schema).unwrap();
        assert_eq!(row.shape(), r#"<|acts|>[{"tool": "NAME", "args": {…}}]<|end|>"#);
    }
}
