//! JSON repair over recorded inputs, from the file in the environment variable `REPAIRS`: one `{lib, input, output}` per line.

use serde_json::Value;
use std::{env, fs};
use toolwire::toolkit::{RepairOptions, repair_json};

#[test]
fn recorded_inputs() {
    let Some(file) = env::var_os("REPAIRS") else { return };
    let (mut same, mut different, mut without) = (0, 0, 0);
    for line in fs::read_to_string(file).unwrap().lines() {
        // Rust strings can't hold the lone surrogates of some rows.
        let Ok(row) = serde_json::from_str::<Value>(line) else { continue };
        let input = row["input"].as_str().unwrap();
        let theirs = row["output"].as_str().and_then(|output| serde_json::from_str::<Value>(output).ok());
        match repair_json(input, &RepairOptions::default()) {
            Ok(repaired) => {
                let ours = serde_json::from_str::<Value>(&repaired.text);
                let Ok(ours) = ours else { panic!("{input}\n  is repaired to invalid JSON {}", repaired.text) };
                let all = |first: &Value, others: &[String]| {
                    let others = others.iter().map(|other| serde_json::from_str(other).unwrap());
                    Value::Array(std::iter::once(first.clone()).chain(others).collect())
                };
                if theirs.as_ref() == Some(&ours) || theirs.as_ref() == Some(&all(&ours, &repaired.others)) {
                    same += 1;
                } else {
                    different += 1;
                    println!(
                        "{} {input:?}\n    theirs {}\n    ours   {} {:?}",
                        row["lib"], row["output"], repaired.text, repaired.others
                    );
                }
            }
            Err(error) => {
                if row["output"].is_null() {
                    same += 1;
                    continue;
                }
                without += 1;
                println!("{} {input:?}\n    theirs {}\n    ours   {error}", row["lib"], row["output"]);
            }
        }
    }
    println!("{same} same, {different} different, {without} without JSON");
}
