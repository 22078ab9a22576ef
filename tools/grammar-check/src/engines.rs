//! The engines that are Rust crates.

use crate::cases::Case;
use llguidance::api::TopLevelGrammar;
use llguidance::{Matcher, ParserFactory};
use outlines_core::prelude::{Index, Vocabulary};
use serde_json::Value;
use toktrie::{ApproximateTokEnv, InferenceCapabilities};

/// What an engine says: whether it takes the grammar, and each text.
pub enum Verdict {
    Refused(String),
    Texts(Vec<bool>),
}

pub fn judge(case: &Case) -> Option<Verdict> {
    let texts: Vec<&String> = case.accepted.iter().chain(&case.rejected).collect();
    match case.syntax {
        "lark" => Some(guidance(TopLevelGrammar::from_lark(case.grammar.as_str()?.to_owned()), &texts)),
        "jsonSchema" => {
            let mut schema = case.grammar.clone();
            // what the engine can't check is left to the validator
            schema["x-guidance"] = serde_json::json!({ "lenient": true });
            Some(guidance(TopLevelGrammar::from_json_schema(schema), &texts))
        }
        "regex" => {
            let regex = case.grammar.as_str()?;
            let verdict = guidance(TopLevelGrammar::from_regex(regex), &texts);
            // outlines-core takes no text that may end before a call, and not after the first character of it
            let may_end = !case.must_call || matches!(case.format.as_str(), "harmony" | "muse_glimmer");
            match (&verdict, may_end) {
                (Verdict::Texts(all), false) if mistakes(case, all).is_empty() => Some(outlines(regex, &texts)),
                _ => Some(verdict),
            }
        }
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

fn outlines(regex: &str, texts: &[&String]) -> Verdict {
    let mut vocabulary = Vocabulary::new(256);
    for byte in 0..=255_u8 {
        vocabulary.try_insert(vec![byte], u32::from(byte)).expect("a byte is a token");
    }
    let index = match Index::new(regex, &vocabulary) {
        Ok(index) => index,
        Err(error) => return Verdict::Refused(error.to_string()),
    };
    let accepts = |text: &&String| {
        let mut state = index.initial_state();
        for byte in text.bytes() {
            match index.next_state(&state, &u32::from(byte)) {
                Some(next) => state = next,
                None => return false,
            }
        }
        index.is_final_state(&state)
    };
    Verdict::Texts(texts.iter().map(accepts).collect())
}

/// The texts that an engine should have judged otherwise.
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
