//! `think`: whether the model thinks before it answers, and how much (WIRE §8.10).

use crate::dialect::shared::reasoning::{self, ALL_EFFORTS, Takes, Thinking};
use crate::dialect::shared::settings::EFFORTS;
use crate::model::{ReasoningSettings, Settings};
use crate::run::{At, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

/// A level, `true` for a model that decides by itself, or `false`.
const TAKES: Takes = Takes {
    efforts: Some([Word::low, Word::low, Word::medium, Word::high, Word::high, Word::max]),
    off: true,
    adaptive: true,
    ..Takes::NOTHING
};
/// What its own users sent stays.
const OWN: Takes = Takes { efforts: Some(ALL_EFFORTS), ..TAKES };
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

pub fn write(run: &mut Run, object: &mut Writing, settings: &Settings) {
    let Some(ReasoningSettings { include, .. }) = settings.reasoning else { return };
    let takes = if run.from == run.to { &OWN } else { &TAKES };
    let fitted = reasoning::fit(run, settings, takes);
    let is_shown = include.is_some_and(|(include, _)| include);
    match (fitted.effort, fitted.thinking) {
        (Some((level, _)), _) => object.word(run, Word::think, level),
        (None, Some((thinking, _))) => object.boolean(run, Word::think, thinking != Thinking::Off),
        (None, None) if is_shown => object.boolean(run, Word::think, true),
        (None, None) => {}
    }
    if let Some((false, at)) = include.filter(|_| !fitted.is_off()) {
        run.warn(WarningCode::SettingDropped, at, "the target shows what the model thinks");
    }
}
