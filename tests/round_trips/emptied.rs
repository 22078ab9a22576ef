//! Any value of any vector's body, replaced by an empty one or by a value that many formats leave out: the body comes
//! back as it was, directly and through the canonical format, or the change is reported.

use super::support::compare::differences;
use super::{all_checks, as_google_reads, is_repaired, kind, options, with_whole_turns};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use toolwire::{Converted, Dialect, Subject, convert_text};

fn replacements() -> [Value; 6] {
    [json!({}), json!([]), json!(null), json!(""), json!(0), json!(false)]
}

/// The JSON Pointers of all values below the root.
fn places(value: &Value, pointer: &str, found: &mut Vec<String>) {
    let mut add = |step: String, member: &Value| {
        let below = format!("{pointer}/{step}");
        places(member, &below, found);
        found.push(below);
    };
    match value {
        Value::Object(members) => {
            members.iter().for_each(|(key, member)| add(key.replace('~', "~0").replace('/', "~1"), member));
        }
        Value::Array(items) => items.iter().enumerate().for_each(|(index, item)| add(index.to_string(), item)),
        _ => {}
    }
}

struct Case {
    name: String,
    subject: Subject,
    dialect: Dialect,
}

impl Case {
    fn convert(&self, body: Vec<u8>, from: Dialect, to: Dialect) -> Option<Converted> {
        convert_text(body, self.subject, from, to, options()).ok()
    }

    /// The ways back to the same format; none that fails or reports a change.
    fn trips(&self, body: &Value) -> impl Iterator<Item = (&'static str, Vec<u8>)> {
        let text = body.to_string().into_bytes();
        let direct = self.convert(text.clone(), self.dialect, self.dialect);
        let read = self.convert(text, self.dialect, Dialect::Canonical).filter(|read| read.warnings.is_empty());
        let back = read.and_then(|read| self.convert(read.body, Dialect::Canonical, self.dialect));
        let trips = [("directly", direct), ("through the canonical format", back)];
        trips
            .into_iter()
            .filter_map(|(way, trip)| trip.map(|trip| (way, trip)))
            .filter(|(_, trip)| trip.warnings.is_empty())
            .map(|(way, trip)| (way, trip.body))
    }

    /// Where the body changes without a warning.
    fn changes(&self, body: &Value) -> Vec<String> {
        let is_google = self.dialect.base() == Dialect::Gemini;
        let loose = |body: Value| with_whole_turns(if is_google { as_google_reads(body) } else { body });
        let expected = loose(body.clone());
        let mut changes = Vec::new();
        for (way, written) in self.trips(body) {
            let back = loose(serde_json::from_slice(&written).unwrap());
            let found = differences(&expected, &back);
            changes.extend(found.into_iter().map(|difference| format!("{way}: {difference}")));
        }
        changes
    }
}

/// Changes without a warning: rows of `docs/round-trips.md`, and parts of the lines that report them.
const DOCUMENTED: &[(&str, &[&str])] = &[
    ("an empty schema", &["arameters = {}"]),
    ("an empty schema", &["arametersJsonSchema = {}"]),
    ("an empty schema", &["arameters_json_schema = {}"]),
    ("an empty schema", &["input_schema = {}"]),
    ("an empty schema", &["/parameters = null through"]),
    ("empty values in schemas", &["arameters/", " through"]),
    ("empty values in schemas", &["chema/", " through"]),
    ("empty values in schemas", &["ollama", " /format/", " through"]),
    ("choice without tools", &["/tools = ", "/tool_choice: missing"]),
    ("choice without tools", &["/tools = ", "/toolConfig: missing"]),
    ("choice without tools", &["/functions = ", " through", "/function_call: missing"]),
    ("choice of an undeclared tool", &["/tool_choice/custom: missing"]),
    ("choice of an undeclared tool", &["/tool_choice/type: expected \"custom\", found \"function\""]),
    ("choice of an undeclared tool", &["/tool_choice/function: not expected"]),
    ("media without a type", &["/media_type = null", "/media_type: expected null, found \""]),
    ("thinking without a budget", &["/budget_tokens = 0 ", "/thinking/"]),
    ("thinking without a budget", &["/thinkingBudget = null through"]),
    ("calls without a name", &["/function = {}", "not expected, found"]),
    ("calls without a name", &["function_call = {}", "not expected, found"]),
    ("calls without a name", &["/functionCall = {}", "not expected, found"]),
    ("calls without a name", &["/name = null", "/name: expected null, found \"\""]),
    ("calls without a name", &["/custom/name = ", "/tool_calls/0/"]),
    ("calls without a name", &["openai-responses", " /input/", "/name = "]),
    ("results without a name", &["/name = \"\"", "/name: expected \"\", found \""]),
    ("empty ids", &["id = \"\" ", "id: expected \"\", found \""]),
    ("empty ids", &["toolUseId = \"\" ", "toolUseId: expected \"\", found \""]),
    ("empty ids", &["/call_id = ", " through", "/call_id: expected"]),
    ("the role of a response", &["/message = {}", "/role: not expected, found \"assistant\""]),
    ("empty content", &["/content = [] through", "found \"\""]),
    ("empty content", &["/output = [] through", "found \"\""]),
    ("empty content", &["anthropic", " /content = \"\" ", "found []"]),
    ("empty reasoning", &["openai-responses", "/id = ", " through", ": /input/"]),
    ("empty reasoning", &["openai-responses", "/encrypted_content = null through", ": /input/"]),
    ("errors that are no objects", &[" /0 = ", "{\"message\""]),
    ("empty fields that the target lacks", &["openai errors/", "/message = ", " through", "/message: missing"]),
    ("empty fields that the target lacks", &["openai ", "/message/image = ", " through", "/image: missing"]),
    ("empty fields that the target lacks", &["openai ", "/reasoning", " through", "/reasoning: missing"]),
    ("empty fields that the target lacks", &["openai ", "/text", " through", ": /text: missing"]),
    ("empty fields that the target lacks", &["vertexai ", "/store = ", " through", "/store: missing"]),
    ("contents of one turn", &["/contents/1/parts = null", ": /contents"]),
    ("keys in snake case", &["google-camel-case-takes-precedence", "/topP = null"]),
    ("functions besides tools", &["choice/openai-function-call-is-dropped", ": /"]),
];

fn is_documented(change: &str) -> bool {
    DOCUMENTED.iter().any(|(_, parts)| parts.iter().all(|part| change.contains(part)))
}

#[test]
fn emptied_values_come_back_or_are_reported() {
    let mut bodies = BTreeMap::new();
    for check in all_checks() {
        let (Some(subject), Some(dialect)) = (kind(&check), Dialect::of(&check.from)) else { continue };
        let text = check.input.text();
        if let (Some(_), Ok(body)) = (dialect.provider(), serde_json::from_str::<Value>(&text)) {
            bodies.insert((dialect.name(), text), (Case { name: check.name, subject, dialect }, body));
        }
    }
    let (mut count, mut failures) = (0, BTreeMap::new());
    for (case, body) in bodies.into_values() {
        if is_repaired(&case.name) || !case.changes(&body).is_empty() {
            continue;
        }
        let mut found = Vec::new();
        places(&body, "", &mut found);
        for place in found {
            for replacement in replacements() {
                let mut changed = body.clone();
                let value = changed.pointer_mut(&place).unwrap();
                if *value == replacement {
                    continue;
                }
                *value = replacement.clone();
                count += 1;
                for change in case.changes(&changed) {
                    let line = format!("{} {} {place} = {replacement} {change}", case.dialect.name(), case.name);
                    let steps: String = place.split('/').filter(|step| step.parse::<usize>().is_err()).collect();
                    if !is_documented(&line) {
                        failures.entry(format!("{} {steps} {replacement}", case.dialect.name())).or_insert(line);
                    }
                }
            }
        }
    }
    println!("{count} bodies with an emptied value");
    assert!(failures.values().next().is_none(), "{} kinds of changes without a warning:\n{}", failures.len(), {
        failures.into_values().collect::<Vec<_>>().join("\n")
    });
}
