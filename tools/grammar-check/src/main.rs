//! Has grammar engines judge generated grammars.
//!
//! - `judge FIRST COUNT SYNTAX` judges with llguidance, and GBNF and structural tags by the stored verdicts; `outlines` as the syntax
//!   judges regular expressions with outlines-core.
//! - `judge FIRST COUNT SYNTAX PROGRAM…` judges with an engine that is a program, and stores its verdicts.
//! - `cases FIRST COUNT SYNTAX` prints the cases, one JSON object per line.
//! - `golden FOLDER` prints structural tags of the crate `xgrammar-structural-tag` with ours, one pair per line.
//! - `write FILE` prints a file of vectors with the grammars that are made now.

mod cases;
mod engines;
mod golden;
mod program;
mod random;
mod schemas;
mod stored;

use cases::{Case, SYNTAXES, Triple};
use engines::Verdict;
use program::Program;
use serde_json::json;
use std::collections::BTreeMap;
use std::process::ExitCode;
use stored::{Exceptions, Stored};
use toolwire::text::Tool;
use toolwire::text::grammar::{GrammarOptions, Syntax, schema_grammar, tool_grammar};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [command, file] = arguments.as_slice()
        && command == "write"
    {
        return write(file);
    }
    if let [command, folder] = arguments.as_slice()
        && command == "golden"
    {
        return golden::print(folder).map_or_else(
            |error| {
                eprintln!("{error}");
                ExitCode::FAILURE
            },
            |()| ExitCode::SUCCESS,
        );
    }
    let number = |at: usize| arguments.get(at).and_then(|text| text.parse::<usize>().ok());
    let by_outlines = arguments.get(3).is_some_and(|given| given == "outlines");
    let given = arguments.get(3).map(|given| if by_outlines { "regex" } else { given });
    let known = given.and_then(|given| SYNTAXES.into_iter().find(|syntax| *syntax == given));
    let (Some(command), Some(first), Some(count), Some(syntax)) = (arguments.first(), number(1), number(2), known)
    else {
        eprintln!("usage: toolwire-grammar-check judge|cases FIRST COUNT SYNTAX [PROGRAM…]");
        return ExitCode::from(2);
    };
    let cases = (first..first + count).filter_map(|id| Triple::new(id).case(syntax));
    if command == "cases" {
        cases.for_each(|case| println!("{}", engines::as_json(&case)));
        return ExitCode::SUCCESS;
    }
    let mut stored = Stored::read();
    let passed = match &arguments[4..] {
        [] if by_outlines => judge(cases.filter(engines::suits_outlines), |case| Ok(engines::outlines(case))),
        [] => judge(cases, |case| engines::judge(case).map_or_else(|| stored.verdict(case), Ok)),
        command => {
            let mut program = Program::start(command);
            stored.clear(syntax);
            let passed = judge(cases, |case| {
                let verdict = program.judge(case);
                stored.keep(case, &verdict);
                Ok(verdict)
            });
            stored.write();
            passed
        }
    };
    ExitCode::from(u8::from(!passed))
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

/// Whether all verdicts are as expected. Prints, for each format, how many texts were judged and how many of them wrongly.
fn judge(cases: impl Iterator<Item = Case>, mut engine: impl FnMut(&Case) -> Result<Verdict, String>) -> bool {
    let exceptions = Exceptions::read();
    let mut table: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut passed = true;
    for case in cases {
        let begun = std::time::Instant::now();
        let id = format!("{} {} {}", case.id, case.syntax, case.options);
        let [accepted, rejected, wrong, refused] = table.entry(case.format.clone()).or_default();
        let (found, messages) = match engine(&case) {
            Ok(Verdict::Texts(verdicts)) => {
                let mistakes = engines::mistakes(&case, &verdicts);
                (*accepted, *rejected) = (*accepted + case.accepted.len(), *rejected + case.rejected.len());
                *wrong += mistakes.len();
                let messages = mistakes.iter().map(|(what, text)| format!("the engine {what} {text:?}")).collect();
                (json!(mistakes.len()), messages)
            }
            Ok(Verdict::Refused(error)) => {
                *refused += 1;
                (json!("refused"), vec![format!("the grammar is refused: {error}\n{}", case.grammar_text())])
            }
            Err(error) => (json!("unknown"), vec![format!("{error}: run `npm run check:grammars` with the engine")]),
        };
        let expected = exceptions.of(&case);
        if found != expected {
            passed = false;
            messages.iter().for_each(|message| eprintln!("{id}: {message}"));
            if expected != 0 {
                eprintln!("{id}: wrong verdicts: {found}, but {expected} in exceptions.json");
            }
        }
        if begun.elapsed().as_secs() > 2 {
            eprintln!("{id}: {} s", begun.elapsed().as_secs());
        }
    }
    for (format, [accepted, rejected, wrong, refused]) in table {
        let row =
            json!({ "format": format, "accepted": accepted, "rejected": rejected, "wrong": wrong, "refused": refused });
        println!("{row}");
    }
    passed
}
