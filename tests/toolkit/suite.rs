//! Cases in the form of the official JSON Schema test suite, from the folder in the environment variable `SCHEMAS`.

use serde_json::{Map, Value, json};
use std::path::Path;
use std::{env, fs};
use toolwire::toolkit::{Draft, Schema, SchemaOptions};

/// The formats that are asserted.
const FORMATS: [&str; 13] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "uuid",
    "json-pointer",
    "regex",
];

/// The metaschemas that the suite expects at `http://localhost:1234`.
fn documents() -> Map<String, Value> {
    let metaschema = |name: &str, vocabularies: &[&str]| {
        let id = format!("http://localhost:1234/draft2020-12/{name}.json");
        let vocabularies = vocabularies
            .iter()
            .map(|name| (format!("https://json-schema.org/draft/2020-12/vocab/{name}"), Value::Bool(true)));
        let vocabularies: Map<String, Value> = vocabularies.collect();
        (id.clone(), json!({ "$id": id, "$vocabulary": vocabularies }))
    };
    [
        metaschema("metaschema-no-validation", &["core", "applicator"]),
        metaschema("metaschema-optional-vocabulary", &["core", "validation", "unknown"]),
    ]
    .into_iter()
    .collect()
}

#[derive(Default)]
struct Score {
    passed: usize,
    failed: Vec<String>,
    remote: usize,
}

/// Runs the groups of one file.
fn run(path: &Path, options: &SchemaOptions, formats: bool, score: &mut Score) {
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let groups: Vec<Value> = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    for group in &groups {
        let tests = group["tests"].as_array().unwrap();
        let label = format!("{}: {}", name, group["description"].as_str().unwrap());
        match Schema::new(&group["schema"], options) {
            Err(error) if error.message.contains("can't be resolved to a schema") => score.remote += tests.len(),
            Err(error) => score.failed.push(format!("{label}: {error}")),
            Ok(schema) => {
                for test in tests {
                    if schema.accepts(&test["data"], formats) == test["valid"].as_bool().unwrap() {
                        score.passed += 1;
                    } else {
                        score.failed.push(format!("{label}: {} {}", test["description"], test["data"]));
                    }
                }
            }
        }
    }
}

fn run_folder(folder: &Path, options: &SchemaOptions, formats: bool, only: Option<&[&str]>) -> Score {
    let mut score = Score::default();
    let mut files: Vec<_> = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "json")) {
        let name = path.file_stem().unwrap().to_string_lossy();
        if only.is_none_or(|only| only.contains(&&*name)) {
            run(path, options, formats, &mut score);
        }
    }
    println!("{}: {} passed, {} failed, {} remote", folder.display(), score.passed, score.failed.len(), score.remote);
    score.failed.iter().for_each(|line| println!("    {line}"));
    score
}

#[test]
fn official_suite() {
    let Some(folder) = env::var_os("SCHEMAS") else { return };
    let mut failed = 0;
    for (name, draft) in [("draft2020-12", Draft::Draft2020), ("draft7", Draft::Draft07)] {
        let folder = Path::new(&folder).join(name);
        let options = SchemaOptions { draft, documents: documents() };
        let required = run_folder(&folder, &options, false, None);
        assert!(required.passed > 0, "no cases in {}", folder.display());
        failed += required.failed.len();
        failed += run_folder(&folder.join("optional/format"), &options, true, Some(&FORMATS)).failed.len();
        run_folder(&folder.join("optional"), &options, false, None);
    }
    assert_eq!(failed, 0, "required cases fail");
}
