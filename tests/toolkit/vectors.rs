//! The vectors in `tests/vectors/toolkit`: the outcomes of checks.

use serde_json::{Value, json};
use std::fs;
use toolwire::toolkit::{CheckOptions, Draft, RepairOptions, Schema, SchemaOptions, repair_json};

fn cases(name: &str) -> Vec<Value> {
    let text = fs::read_to_string(format!("tests/vectors/toolkit/{name}.json")).unwrap();
    serde_json::from_str::<Value>(&text).unwrap()["cases"].as_array().unwrap().clone()
}

/// Whether each problem has the expected fields.
fn fits(expected: &Value, problems: &[Value]) -> bool {
    let expected = expected.as_array().map_or(&[] as &[Value], Vec::as_slice);
    let holds = |(expected, problem): (&Value, &Value)| {
        expected.as_object().unwrap().iter().all(|(name, value)| problem[name] == *value)
    };
    expected.len() == problems.len() && expected.iter().zip(problems).all(holds)
}

fn run(name: &str) {
    let mut failed = 0;
    for case in cases(name) {
        let flag = |name: &str| case["options"][name].as_bool().unwrap_or(true);
        let draft = if case["options"]["draft"] == "draft-07" { Draft::Draft07 } else { Draft::Draft2020 };
        let schema = Schema::new(&case["schema"], &SchemaOptions { draft, ..SchemaOptions::default() }).unwrap();
        let options = CheckOptions {
            coerce: flag("coerce"),
            clamp: flag("clamp"),
            defaults: flag("defaults"),
            formats: flag("formats"),
        };
        let checked = json!(schema.check(case["value"].clone(), options));
        let right = checked["value"] == case["becomes"]
            && checked["changes"] == case["changes"]
            && fits(&case["problems"], checked["problems"].as_array().unwrap());
        if !right {
            failed += 1;
            println!("{name}: {}\n  expected {case}\n  got {checked}", case["name"]);
        }
    }
    assert_eq!(failed, 0, "cases of {name} fail");
}

#[test]
fn coercion() {
    run("coercion");
}

#[test]
fn objects() {
    run("objects");
}

#[test]
fn repair() {
    let mut failed = 0;
    for case in cases("repair") {
        let schema = case.get("schema").map(|schema| Schema::new(schema, &SchemaOptions::default()).unwrap());
        let options = RepairOptions { schema: schema.as_ref(), object: false };
        let right = match repair_json(case["input"].as_str().unwrap(), &options) {
            Err(error) => case["error"] == error.code.name(),
            Ok(repaired) => {
                let others: Vec<Value> =
                    repaired.others.iter().map(|other| serde_json::from_str(other).unwrap()).collect();
                let text = case.get("text").is_none_or(|text| *text == repaired.text);
                let value =
                    case["value"].is_null() || case["value"] == serde_json::from_str::<Value>(&repaired.text).unwrap();
                let expected = case["others"].as_array().cloned().unwrap_or_default();
                let truncated = case["truncated"].as_bool().unwrap_or(false);
                let right =
                    text && value && others == expected && truncated == repaired.truncated && case["error"].is_null();
                if !right {
                    println!("{case}\n  got {repaired:?}");
                }
                right
            }
        };
        failed += u32::from(!right);
    }
    assert_eq!(failed, 0, "repairs fail");
}
