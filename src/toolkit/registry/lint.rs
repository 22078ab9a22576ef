//! Reports tool definitions that are likely to cause failures of models or providers.

use super::super::schema::{CheckOptions, join};
use super::Entry;
use super::lint_schema::lint_schema;
use super::words::{dense_letters, words};
use crate::json::Value;
use crate::nearest::{distance, folded};
use crate::table::Table;
#[cfg(not(target_arch = "wasm32"))]
use serde::Serialize;

/// A likely problem of a tool definition.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(not(target_arch = "wasm32"), derive(Serialize))]
#[cfg_attr(target_arch = "wasm32", derive(tsify::Tsify))]
pub struct Lint {
    pub tool: String,
    /// JSON Pointer into the tool.
    pub path: String,
    pub code: String,
    pub message: String,
}

/// Minimum number of words in a description.
const MIN_WORDS: usize = 3;
/// Minimum number of letters in a description of a script that is written without spaces.
const MIN_DENSE_LETTERS: usize = 4;
/// Maximum length of a description on the Chat Completions API.
const MAX_DESCRIPTION: usize = 1024;
/// Maximum number of tools in a request to the OpenAI APIs.
const MAX_TOOLS: usize = 128;
/// Maximum similarity of the words of two descriptions.
const MAX_ALIKE: f64 = 0.8;
/// Maximum number of tools that are compared with each other.
const MAX_COMPARED: usize = 200;

pub fn lint<'e>(entries: impl Iterator<Item = &'e Entry>) -> Vec<Lint> {
    let entries: Vec<&Entry> = entries.collect();
    let mut lints = Vec::new();
    for entry in &entries {
        lint_tool(entry, &mut lints);
    }
    if let Some(entry) = entries.get(MAX_TOOLS) {
        let message = format!("some providers take at most {MAX_TOOLS} tools: show fewer of them, with a filter");
        add(&mut lints, entry, "", "too_many_tools", message);
    }
    for (place, one) in entries.iter().enumerate().take(MAX_COMPARED) {
        for other in entries.iter().take(place) {
            compare(one, other, &mut lints);
        }
    }
    lints
}

pub(super) fn add(lints: &mut Vec<Lint>, entry: &Entry, path: &str, code: &str, message: impl Into<String>) {
    lints.push(Lint { tool: entry.tool.name.clone(), path: path.into(), code: code.into(), message: message.into() });
}

fn lint_tool(entry: &Entry, lints: &mut Vec<Lint>) {
    let tool = &entry.tool;
    let portable = tool.name.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-'));
    if !portable || tool.name.len() > 64 {
        add(
            lints,
            entry,
            "/name",
            "name_not_portable",
            "some providers only take letters, digits, `_` and `-`, at most 64",
        );
    }
    lint_description(entry, lints);
    let Some(schema) = &entry.parameters else { return };
    if !schema.get("type").is_none_or(|kind| kind == "object") {
        add(
            lints,
            entry,
            "/parameters/type",
            "root_not_object",
            "arguments are objects, so providers require `\"type\": \"object\"`",
        );
    }
    for keyword in ["anyOf", "oneOf", "allOf", "enum", "not", "$ref"] {
        if schema.get(keyword).is_some() {
            let message =
                format!("some providers reject `{keyword}` at the root of the parameters: put it inside of a field");
            add(lints, entry, &format!("/parameters/{keyword}"), "unsupported_keyword", message);
        }
    }
    let is_portable = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    for name in schema.get("properties").and_then(Value::as_object).into_iter().flat_map(|fields| fields.keys()) {
        if name.is_empty() || name.len() > 64 || !name.chars().all(is_portable) {
            let path = join("/parameters/properties".to_string(), name);
            let message =
                "some providers only take letters, digits, `_`, `.` and `-` in names of parameters, at most 64";
            add(lints, entry, &path, "parameter_not_portable", message);
        }
    }
    lint_schema(entry, schema, "/parameters", 0, lints);
    lint_examples(entry, lints);
}

fn lint_description(entry: &Entry, lints: &mut Vec<Lint>) {
    let text = entry.tool.description.as_deref().unwrap_or("").trim();
    let is_short = text.split_whitespace().count() < MIN_WORDS && dense_letters(text) < MIN_DENSE_LETTERS;
    let (code, message) = if text.is_empty() {
        ("missing_description", "describe what the tool does and when to use it")
    } else if is_short {
        ("short_description", "describe in more detail what the tool does and when to use it")
    } else if text.chars().count() > MAX_DESCRIPTION {
        ("long_description", "some providers reject descriptions of more than 1024 characters")
    } else {
        return;
    };
    add(lints, entry, "/description", code, message);
}

/// Reports example arguments that the schema rejects. Some providers reject such examples, and models would copy them.
fn lint_examples(entry: &Entry, lints: &mut Vec<Lint>) {
    let Some(schema) = &entry.schema else { return };
    for (index, example) in entry.tool.input_examples.iter().flatten().enumerate() {
        if let Some(problem) = schema.check(example.clone(), CheckOptions::NONE).problems.first() {
            let message = format!("the example is not valid: {}", problem.message);
            add(lints, entry, &format!("/inputExamples/{index}"), "invalid_example", message);
        }
    }
}

fn compare(one: &Entry, other: &Entry, lints: &mut Vec<Lint>) {
    let letters = |entry: &Entry| folded(&entry.tool.name).chars().collect::<Vec<char>>();
    let (name, other_name) = (letters(one), letters(other));
    let is_typo = distance(&name, &other_name) <= 1 && name.len().min(other_name.len()) > 2;
    if is_typo || has_same_words(&one.tool.name, &other.tool.name) {
        let message = format!("the name differs little from that of `{}`: models mix them up", other.tool.name);
        add(lints, one, "/name", "names_alike", message);
    }
    let described = |entry: &Entry| {
        let words = words(entry.tool.description.as_deref().unwrap_or(""));
        words.into_iter().map(|word| (word, ())).collect::<Table<String, ()>>()
    };
    let (words, other_words) = (described(one), described(other));
    let common = words.keys().filter(|word| other_words.contains_key(word)).count() as f64;
    let all = (words.len() + other_words.len()) as f64 - common;
    if all >= MIN_WORDS as f64 && common / all >= MAX_ALIKE {
        let message = format!("the description reads like that of `{}`: state how they differ", other.tool.name);
        add(lints, one, "/description", "descriptions_alike", message);
    }
}

/// Whether two names consist of the same words in another order: `create_note` and `note_create`.
fn has_same_words(one: &str, other: &str) -> bool {
    let (words, others) = (words(one), words(other));
    let count = |list: &[String], word: &String| list.iter().filter(|other| *other == word).count();
    words.len() > 1
        && words.len() == others.len()
        && words.iter().all(|word| count(&words, word) == count(&others, word))
}
