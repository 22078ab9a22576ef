//! The engines that are Rust crates.

use crate::cases::Case;
use llguidance::api::TopLevelGrammar;
use llguidance::{Matcher, ParserFactory};
use outlines_core::prelude::{Index, Vocabulary};
use regex_automata::dfa::dense::{Builder, Config};
use serde_json::Value;
use toktrie::{ApproximateTokEnv, InferenceCapabilities};

/// Bytes of an automaton that outlines-core indexes in seconds.
const MOST_OF_AUTOMATON: usize = 1 << 22;

/// The verdict of an engine: whether it accepts the grammar, and each text.
pub enum Verdict {
    Refused(String),
    Texts(Vec<bool>),
}

/// None if no crate supports the syntax.
pub fn judge(case: &Case) -> Option<Verdict> {
    let texts: Vec<&String> = case.texts().collect();
    match case.syntax {
        "lark" | "openai" => Some(guidance(TopLevelGrammar::from_lark(case.grammar.as_str()?.to_owned()), &texts)),
        "jsonSchema" => {
            let mut schema = case.grammar.clone();
            // the validator checks what the engine can't
            schema["x-guidance"] = serde_json::json!({ "lenient": true });
            Some(guidance(TopLevelGrammar::from_json_schema(schema), &texts))
        }
        "regex" => Some(guidance(TopLevelGrammar::from_regex(case.grammar.as_str()?), &texts)),
        _ => None,
    }
}

fn guidance(grammar: TopLevelGrammar, texts: &[&String]) -> Verdict {
    let env = ApproximateTokEnv::single_byte_env();
    let factory = ParserFactory::new(&env, InferenceCapabilities::default(), &[]).expect("a factory of byte tokens");
    let matcher = Matcher::new(factory.create_parser(grammar));
    if let Some(error) = matcher.get_error() {
        return Verdict::Refused(error);
    }
    let mut verdicts = Vec::new();
    for text in texts {
        let mut matcher = matcher.deep_clone();
        let tokens: Vec<u32> = text.bytes().map(u32::from).collect();
        let taken = matcher.try_consume_tokens(&tokens).unwrap_or(0);
        verdicts.push(taken == tokens.len() && matcher.is_accepting().unwrap_or(false));
        if matcher.get_error().is_some_and(|error| error.contains("limit")) {
            return Verdict::Refused(matcher.get_error().unwrap_or_default());
        }
    }
    Verdict::Texts(verdicts)
}

/// Whether outlines-core can judge a case: it accepts no text that may end before or between calls, and it takes
/// minutes to index a large automaton.
pub fn suits_outlines(case: &Case) -> bool {
    let may_end = !case.must_call
        || case.options["parallelToolCalls"] == true
        || matches!(case.format.as_str(), "harmony" | "muse_glimmer");
    let limits = Config::new().dfa_size_limit(Some(MOST_OF_AUTOMATON)).determinize_size_limit(Some(MOST_OF_AUTOMATON));
    !may_end && Builder::new().configure(limits).build(&case.grammar_text()).is_ok()
}

pub fn outlines(case: &Case) -> Verdict {
    let mut vocabulary = Vocabulary::new(256);
    for byte in 0..=255_u8 {
        vocabulary.try_insert(vec![byte], u32::from(byte)).expect("a byte is a token");
    }
    let index = match Index::new(&case.grammar_text(), &vocabulary) {
        Ok(index) => index,
        Err(error) => return Verdict::Refused(error.to_string()),
    };
    let accepts = |text: &String| {
        let mut state = index.initial_state();
        for byte in text.bytes() {
            match index.next_state(&state, &u32::from(byte)) {
                Some(next) => state = next,
                None => return false,
            }
        }
        index.is_final_state(&state)
    };
    Verdict::Texts(case.texts().map(accepts).collect())
}

/// The texts on which the engine's verdict is wrong.
pub fn mistakes<'a>(case: &'a Case, verdicts: &'a [bool]) -> Vec<(&'static str, &'a String)> {
    let expected = case.accepted.iter().map(|text| ("rejects", text, true));
    let expected = expected.chain(case.rejected.iter().map(|text| ("accepts", text, false)));
    expected
        .zip(verdicts)
        .filter(|((_, _, right), verdict)| right != *verdict)
        .map(|((what, text, _), _)| (what, text))
        .collect()
}

pub fn as_json(case: &Case) -> Value {
    serde_json::json!({
        "id": case.id, "syntax": case.syntax, "format": case.format, "options": case.options,
        "grammar": case.grammar, "accepted": case.accepted, "rejected": case.rejected,
    })
}
