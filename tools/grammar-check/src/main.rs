//! Has grammar engines judge generated grammars. `judge FIRST COUNT` runs the engines that are crates; `cases FIRST COUNT` prints the
//! cases, one JSON object per line, for the others; `write FILE` prints a file of vectors with the grammars that are made now.

mod cases;
mod engines;
mod random;
mod schemas;

use cases::{Case, SYNTAXES, Triple};
use engines::Verdict;
use std::collections::BTreeMap;
use std::process::ExitCode;
use toolwire::text::Tool;
use toolwire::text::grammar::{GrammarOptions, Syntax, schema_grammar, tool_grammar};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, file] = arguments.as_slice()
        && command == "write"
    {
        return write(file);
    }
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<usize>().ok());
    let (Some(command), Some(first), Some(count)) = (arguments.first(), number(1), number(2)) else {
        eprintln!("usage: toolwire-grammar-check judge|cases FIRST COUNT [SYNTAX]");
        return ExitCode::from(2);
    };
    let only = arguments.get(3);
    let wanted = |syntax: &str| only.is_none_or(|only| only == syntax);
    let all = (first..first + count).map(Triple::new);
    let all = all.flat_map(|triple| {
        SYNTAXES
            .into_iter()
            .filter(|syntax| wanted(syntax))
            .filter_map(|syntax| triple.case(syntax))
            .collect::<Vec<_>>()
    });
    match command.as_str() {
        "cases" => {
            all.for_each(|case| println!("{}", engines::as_json(&case)));
            ExitCode::SUCCESS
        }
        _ => judge(all),
    }
}

/// The cases of a file of vectors with the grammars that are made now: to be read before they are kept.
fn write(file: &str) -> ExitCode {
    let text = std::fs::read_to_string(file).expect("a file of vectors");
    let mut cases: Vec<serde_json::Value> = serde_json::from_str(&text).expect("an array of cases");
    for case in &mut cases {
        let options = &case["options"];
        let made = match case.get("schema") {
            Some(schema) => {
                schema_grammar(schema, Syntax::of(options["syntax"].as_str().unwrap_or_default()).expect("a syntax"))
            }
            None => tool_grammar(
                &Tool::list(&case["tools"]).expect("tools"),
                &GrammarOptions::of(options).expect("options"),
            ),
        };
        let made = made.expect("a grammar");
        let paths: Vec<&str> = made.warnings.iter().map(|warning| warning.path.as_str()).collect();
        (case["warnings"], case["grammar"]) = (serde_json::json!(paths), made.grammar);
    }
    println!("{}", serde_json::to_string_pretty(&cases).unwrap_or_default());
    ExitCode::SUCCESS
}

/// For each syntax and format, how many texts were judged and how many of them wrongly.
fn judge(all: impl Iterator<Item = Case>) -> ExitCode {
    let mut table: BTreeMap<(&str, String), [usize; 3]> = BTreeMap::new();
    let mut failed = false;
    for case in all {
        let begun = std::time::Instant::now();
        let Some(verdict) = engines::judge(&case) else { continue };
        let counts = table.entry((case.syntax, case.format.clone())).or_default();
        let id = format!("{} {} {}", case.id, case.syntax, case.options);
        match verdict {
            Verdict::Refused(error) => {
                failed = true;
                println!(
                    "{id}: the grammar is refused: {error}\n{}",
                    case.grammar.as_str().unwrap_or(&case.grammar.to_string())
                );
            }
            Verdict::Texts(verdicts) => {
                counts[0] += case.accepted.len();
                counts[1] += case.rejected.len();
                for (what, text) in engines::mistakes(&case, &verdicts) {
                    failed = true;
                    counts[2] += 1;
                    println!("{id}: {what} {text:?}");
                }
            }
        }
        if begun.elapsed().as_secs() > 2 {
            eprintln!("{id}: {} s", begun.elapsed().as_secs());
        }
    }
    for ((syntax, format), [accepted, rejected, wrong]) in table {
        println!(
            "{}",
            serde_json::json!({ "syntax": syntax, "format": format, "accepted": accepted, "rejected": rejected, "wrong": wrong })
        );
    }
    ExitCode::from(u8::from(failed))
}
