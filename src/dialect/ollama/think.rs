//! `think`: whether the model thinks before it answers, and how much (WIRE §8.10).

use crate::dialect::shared::settings::EFFORTS;
use crate::model::ReasoningSettings;
use crate::run::{At, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

/// The levels that it knows; others are written as the one beside them.
const LEVELS: &[(Word, Word)] = &[
    (Word::minimal, Word::low),
    (Word::low, Word::low),
    (Word::medium, Word::medium),
    (Word::high, Word::high),
    (Word::xhigh, Word::high),
    (Word::max, Word::max),
];
/// The budget of a model that decides by itself.
const FREE: f64 = -1.0;

/// Thoughts that are asked for are shown.
pub fn read(run: &mut Run, value: Value, at: At) -> Result<ReasoningSettings> {
    let mut reasoning = ReasoningSettings::new();
    let word = run.store.word(value);
    match run.store.kind(value) {
        Kind::Boolean if run.store.boolean(value) => {
            let free = run.build(|run| run.store.put_number(FREE));
            reasoning.budget = Some((free, at));
            reasoning.include = Some((true, at));
        }
        Kind::Boolean => reasoning.effort = Some((Word::none, at)),
        Kind::String if word != Word::none && EFFORTS.contains(&word) => {
            reasoning.effort = Some((word, at));
            reasoning.include = Some((true, at));
        }
        Kind::String => return run.wrong_word(value, at, "an effort from \"low\" to \"max\""),
        _ => return run.wrong_type(value, at, "a boolean or a string"),
    }
    Ok(reasoning)
}

pub fn write(run: &mut Run, object: &mut Writing, reasoning: &ReasoningSettings) {
    let ReasoningSettings { effort, budget, include } = reasoning;
    let tokens = budget.map(|(budget, _)| run.store.number(budget));
    let thinks = match effort {
        Some((effort, _)) => *effort != Word::none,
        None => tokens.map_or_else(|| include.is_some_and(|(include, _)| include), |tokens| tokens != 0.0),
    };
    match effort {
        Some((effort, at)) if thinks => write_level(run, object, *effort, *at),
        _ if thinks || effort.is_some() || budget.is_some() => object.boolean(run, Word::think, thinks),
        _ => {}
    }
    // below zero it is no number of tokens, but the model's own business
    let is_free = effort.is_none() && tokens.is_some_and(|tokens| tokens < 0.0);
    if let Some((_, at)) = budget.filter(|_| thinks && !is_free) {
        run.warn(WarningCode::SettingDropped, at, "the target has no budget of tokens");
    }
    if let Some((false, at)) = include.filter(|_| thinks || effort.is_none()) {
        run.warn(WarningCode::SettingDropped, at, "the target shows what the model thinks");
    }
}

fn write_level(run: &mut Run, object: &mut Writing, effort: Word, at: At) {
    let level = LEVELS.iter().find(|(known, _)| *known == effort).map_or(effort, |(_, level)| *level);
    if level != effort && run.from != run.to {
        run.warn(WarningCode::SettingChanged, at, &format!("the target takes \"{}\" instead", level.text()));
    }
    object.word(run, Word::think, if run.from == run.to { effort } else { level });
}
