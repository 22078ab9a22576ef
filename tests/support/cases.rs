//! The cases of the vector files, each as the list of conversions to check.

use super::compare::{differences, escaped};
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
    pub place: Place,
}

/// Where the expected outcome is stated: JSON pointers into the case, which is the `case`th of its file.
#[derive(Clone, Debug)]
pub struct Place {
    pub case: usize,
    pub body: String,
    pub warnings: String,
    pub error: String,
}

#[derive(Clone, Debug)]
pub enum Expected {
    Body { body: Body, warnings: Value },
    Error(Value),
}

/// The outcome of a conversion as JSON: its text and warnings, or its error.
pub type Outcome = Result<(String, Value), Value>;

impl Check {
    /// Everything in which `outcome` differs from the expected one.
    pub fn differences(&self, outcome: &Outcome) -> Vec<String> {
        match (&self.expected, outcome) {
            (Expected::Error(expected), Err(error)) => pick(expected, error, &["code", "path", "stream"]),
            (Expected::Error(expected), Ok((text, _))) => vec![format!("expected the error {expected}, found {text}")],
            (Expected::Body { .. }, Err(error)) => vec![format!("failed: {error}")],
            (Expected::Body { body, warnings }, Ok((text, found))) => {
                let mut all = match body {
                    Body::Text(expected) if expected == text => Vec::new(),
                    Body::Text(expected) => vec![format!("expected the text {expected}, found {text}")],
                    Body::Value(expected) => match serde_json::from_str(text) {
                        Ok(value) => differences(expected, &value),
                        Err(error) => vec![format!("no JSON came out: {error}: {text}")],
                    },
                };
                all.extend(warnings_differences(warnings, found));
                all
            }
        }
    }

    /// The differences as lines below the name of the check, or nothing if there are none.
    pub fn failure(&self, file: &str, outcome: &Outcome) -> Option<String> {
        let differences = self.differences(outcome);
        (!differences.is_empty()).then(|| format!("{file}: {}\n    {}", self.name, differences.join("\n    ")))
    }
}

fn pick(expected: &Value, found: &Value, keys: &[&str]) -> Vec<String> {
    let differing = keys.iter().filter(|key| expected.get(**key).is_some() && expected.get(**key) != found.get(**key));
    differing.map(|key| format!("{key} of the error: expected {expected}, found {found}")).collect()
}

fn warnings_differences(expected: &Value, found: &Value) -> Vec<String> {
    let summary = |warnings: &Value| -> Vec<Value> {
        let each = warnings.as_array().into_iter().flatten();
        each.map(|warning| json!([warning["code"], warning["path"], warning["lossy"]])).collect()
    };
    let (expected, found) = (summary(expected), summary(found));
    let missing = expected.iter().filter(|warning| !found.contains(warning));
    let more = found.iter().filter(|warning| !expected.contains(warning));
    let mut all: Vec<String> = missing.map(|warning| format!("warning missing: {warning}")).collect();
    all.extend(more.map(|warning| format!("warning not expected: {warning}")));
    if all.is_empty() && expected != found {
        all.push(format!("warnings: expected {}, found {}", Value::Array(expected), Value::Array(found)));
    }
    all
}

/// All conversions of a vector file.
pub fn checks(file: &str) -> Vec<Check> {
    let cases: Vec<Value> = serde_json::from_str(file).unwrap();
    cases.iter().enumerate().flat_map(|(number, case)| case_checks(number, case)).collect()
}

fn case_checks(number: usize, case: &Value) -> Vec<Check> {
    let mut checks = Vec::new();
    let name = case["name"].as_str().unwrap().to_owned();
    let canonical = Body::of(case, "canonical");
    let runs_on =
        |name: &str| case["backends"].as_array().is_none_or(|backends| backends.iter().any(|backend| backend == name));
    let (on_text, on_js) = (runs_on("text"), runs_on("js"));
    let stated = |body: &str, entry: &str, warnings: &str, error: &str| Place {
        case: number,
        body: body.to_owned(),
        warnings: format!("{entry}/{warnings}"),
        error: format!("{error}/error"),
    };
    let check = |label: String, from: &str, to: &str, input: Body, expected: Expected, place: Place| Check {
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
        place,
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
            let at = format!("/{part}/{}", escaped(dialect));
            if part != "reads" {
                let input = canonical.clone().unwrap();
                let outcome = expected(entry, Body::of(entry, "body"), "warnings");
                let place = stated(&format!("{at}/body"), &at, "warnings", &at);
                checks.push(check(format!("→ {dialect}"), "canonical", dialect, input, outcome, place));
            }
            if part != "writes" {
                let input = Body::of(entry, "body").unwrap();
                let warnings = if part == "both" { "readWarnings" } else { "warnings" };
                let outcome = match case.get("error").filter(|_| canonical.is_none()) {
                    Some(error) => Expected::Error(error.clone()),
                    None => expected(entry, canonical.clone(), warnings),
                };
                let place = stated("/canonical", &at, warnings, if canonical.is_none() { "" } else { &at });
                checks.push(check(format!("{dialect} →"), dialect, "canonical", input, outcome, place));
            }
        }
    }
    // the whole response that the stream contains
    if let Some(response) = case.get("answer") {
        let parts = ["reads", "both"].map(|part| case[part].as_object().map(|entries| (part, entries)));
        let entries =
            parts.into_iter().flatten().flat_map(|(part, entries)| entries.iter().map(move |entry| (part, entry)));
        for (part, (dialect, entry)) in entries {
            let input = Body::of(entry, "body").unwrap();
            let at = format!("/{part}/{}", escaped(dialect));
            let key = if entry.get("readWarnings").is_some() { "readWarnings" } else { "warnings" };
            let warnings = entry.get(key).cloned().unwrap_or_else(|| json!([]));
            let outcome = Expected::Body { body: Body::Value(response.clone()), warnings };
            let place = stated("/answer", &at, key, &at);
            let whole = check(format!("{dialect} → whole"), dialect, "canonical", input, outcome, place.clone());
            checks.push(Check { kind: "answer".to_owned(), ..whole });
            if let Some(body) = Body::of(entry, "whole") {
                let outcome = Expected::Body { body: Body::Value(response.clone()), warnings: json!([]) };
                let same = check(format!("{dialect} unstreamed →"), dialect, "canonical", body, outcome, place);
                checks.push(Check { kind: "response".to_owned(), on_js, ..same });
            }
        }
    }
    for (index, entry) in case["convert"].as_array().into_iter().flatten().enumerate() {
        let (from, to) = (entry["from"].as_str().unwrap(), entry["to"].as_str().unwrap());
        let outcome = expected(entry, Body::of(entry, "result"), "warnings");
        let at = format!("/convert/{index}");
        let place = stated(&format!("{at}/result"), &at, "warnings", &at);
        checks.push(check(format!("{from} → {to}"), from, to, Body::of(entry, "body").unwrap(), outcome, place));
    }
    assert!(!checks.is_empty(), "{name} asks for nothing");
    checks
}
