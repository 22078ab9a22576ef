//! The cases of the vector files, each as the list of conversions to check.

use super::compare::Variables;
use serde_json::{Value, json};

/// A body, given as a value or as exact text.
#[derive(Clone, Debug)]
pub enum Body {
    Value(Value),
    Text(String),
}

impl Body {
    fn of(case: &Value, key: &str) -> Option<Body> {
        match (case.get(key), case.get(format!("{key}Text"))) {
            (_, Some(text)) => text.as_str().map(|text| Body::Text(text.to_owned())),
            (Some(value), None) => Some(Body::Value(value.clone())),
            (None, None) => None,
        }
    }

    pub fn text(&self) -> String {
        match self {
            Body::Value(value) => value.to_string(),
            Body::Text(text) => text.clone(),
        }
    }
}

/// One conversion and its expected outcome.
#[derive(Clone, Debug)]
pub struct Check {
    pub name: String,
    pub kind: String,
    pub from: String,
    pub to: String,
    pub options: Value,
    pub input: Body,
    pub expected: Expected,
    pub on_text: bool,
    pub on_js: bool,
    /// Whether the stream breaks off: it lacks the end marker of its provider.
    pub is_cut: bool,
}

#[derive(Clone, Debug)]
pub enum Expected {
    Body { body: Body, warnings: Value },
    Error(Value),
}

/// The outcome of a conversion as JSON: its text and warnings, or its error.
pub type Outcome = Result<(String, Value), Value>;

impl Check {
    /// The difference between `outcome` and the expected one, if any.
    pub fn difference(&self, outcome: &Outcome) -> Option<String> {
        match (&self.expected, outcome) {
            (Expected::Error(expected), Err(error)) => pick(expected, error, &["code", "path", "stream"]),
            (Expected::Error(expected), Ok((text, _))) => Some(format!("expected the error {expected}, found {text}")),
            (Expected::Body { .. }, Err(error)) => Some(format!("failed: {error}")),
            (Expected::Body { body, warnings }, Ok((text, found))) => {
                let difference = match body {
                    Body::Text(expected) if expected == text => None,
                    Body::Text(expected) => Some(format!("expected the text {expected}, found {text}")),
                    Body::Value(expected) => match serde_json::from_str(text) {
                        Ok(value) => Variables::default().difference(expected, &value, ""),
                        Err(error) => Some(format!("no JSON came out: {error}: {text}")),
                    },
                };
                difference.or_else(|| warnings_difference(warnings, found))
            }
        }
    }
}

fn pick(expected: &Value, found: &Value, keys: &[&str]) -> Option<String> {
    let differs = keys.iter().find(|key| expected.get(**key).is_some() && expected.get(**key) != found.get(**key));
    differs.map(|key| format!("{key}: expected {expected}, found {found}"))
}

fn warnings_difference(expected: &Value, found: &Value) -> Option<String> {
    let summary = |warnings: &Value| -> Vec<Value> {
        let each = warnings.as_array().into_iter().flatten();
        each.map(|warning| json!([warning["code"], warning["path"], warning["lossy"]])).collect()
    };
    let (expected, found) = (summary(expected), summary(found));
    (expected != found).then(|| format!("warnings: expected {}, found {}", Value::Array(expected), Value::Array(found)))
}

/// All conversions of a vector file.
pub fn checks(file: &str) -> Vec<Check> {
    let cases: Vec<Value> = serde_json::from_str(file).unwrap();
    cases.iter().flat_map(case_checks).collect()
}

fn case_checks(case: &Value) -> Vec<Check> {
    let mut checks = Vec::new();
    let name = case["name"].as_str().unwrap().to_owned();
    let canonical = Body::of(case, "canonical");
    let runs_on =
        |name: &str| case["backends"].as_array().is_none_or(|backends| backends.iter().any(|backend| backend == name));
    let (on_text, on_js) = (runs_on("text"), runs_on("js"));
    let check = |label: String, from: &str, to: &str, input: Body, expected: Expected| Check {
        name: format!("{name} {label}"),
        kind: case["kind"].as_str().unwrap_or("request").to_owned(),
        from: from.to_owned(),
        to: to.to_owned(),
        is_cut: case["cut"] == true,
        options: case.get("options").cloned().unwrap_or_else(|| json!({})),
        on_text,
        on_js: on_js
            && case["kind"] != "stream"
            && !matches!(input, Body::Text(_))
            && !matches!(&expected, Expected::Body { body: Body::Text(_), .. }),
        input,
        expected,
    };
    let expected = |entry: &Value, body: Option<Body>, warnings: &str| match (entry.get("error"), body) {
        (Some(error), _) => Expected::Error(error.clone()),
        (None, Some(body)) => {
            Expected::Body { body, warnings: entry.get(warnings).cloned().unwrap_or_else(|| json!([])) }
        }
        (None, None) => panic!("{name}: nothing is expected of {entry}"),
    };
    for (part, entries) in [("both", &case["both"]), ("writes", &case["writes"]), ("reads", &case["reads"])] {
        for (dialect, entry) in entries.as_object().into_iter().flatten() {
            if part != "reads" {
                let input = canonical.clone().unwrap();
                let outcome = expected(entry, Body::of(entry, "body"), "warnings");
                checks.push(check(format!("→ {dialect}"), "canonical", dialect, input, outcome));
            }
            if part != "writes" {
                let input = Body::of(entry, "body").unwrap();
                let warnings = if part == "both" { "readWarnings" } else { "warnings" };
                let outcome = match case.get("error").filter(|_| canonical.is_none()) {
                    Some(error) => Expected::Error(error.clone()),
                    None => expected(entry, canonical.clone(), warnings),
                };
                checks.push(check(format!("{dialect} →"), dialect, "canonical", input, outcome));
            }
        }
    }
    // the whole response that the stream contains
    if let Some(response) = case.get("answer") {
        for (dialect, entry) in case["reads"].as_object().into_iter().chain(case["both"].as_object()).flatten() {
            let input = Body::of(entry, "body").unwrap();
            let warnings = entry.get("readWarnings").or(entry.get("warnings")).cloned().unwrap_or_else(|| json!([]));
            let outcome = Expected::Body { body: Body::Value(response.clone()), warnings };
            let whole = check(format!("{dialect} → whole"), dialect, "canonical", input, outcome);
            checks.push(Check { kind: "answer".to_owned(), ..whole });
            if let Some(body) = Body::of(entry, "whole") {
                let outcome = Expected::Body { body: Body::Value(response.clone()), warnings: json!([]) };
                let same = check(format!("{dialect} unstreamed →"), dialect, "canonical", body, outcome);
                checks.push(Check { kind: "response".to_owned(), on_js, ..same });
            }
        }
    }
    for entry in case["convert"].as_array().into_iter().flatten() {
        let (from, to) = (entry["from"].as_str().unwrap(), entry["to"].as_str().unwrap());
        let outcome = expected(entry, Body::of(entry, "result"), "warnings");
        checks.push(check(format!("{from} → {to}"), from, to, Body::of(entry, "body").unwrap(), outcome));
    }
    assert!(!checks.is_empty(), "{name} asks for nothing");
    checks
}
