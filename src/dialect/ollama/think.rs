//! `think`: whether the model thinks before it responds, and how much (WIRE §8.10).

use crate::dialect::shared::settings::EFFORTS;
use crate::fit::reasoning::{self, ADAPTIVE, AcceptedReasoning, Thinking, effort_of};
use crate::model::{ReasoningSettings, Settings};
use crate::models::Effort;
use crate::models::facts::Efforts;
use crate::run::{At, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

/// A level, `true` (the model decides), or `false`.
const TAKES: AcceptedReasoning = AcceptedReasoning {
    efforts: Some(Efforts::of(&[Effort::Low, Effort::Medium, Effort::High, Effort::Max])),
    off: true,
    adaptive: true,
    ..AcceptedReasoning::NOTHING
};
/// Thinking that is requested is also shown.
pub fn read(run: &mut Run, value: Value, at: At) -> Result<ReasoningSettings> {
    let mut reasoning = ReasoningSettings::new();
    let word = run.store.word(value);
    match run.store.kind(value) {
        Kind::Boolean if run.store.boolean(value) => {
            let free = run.build(|run| run.store.put_number(ADAPTIVE));
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

pub fn fit(run: &mut Run, settings: &mut Settings) {
    reasoning::fit(run, settings, &TAKES);
    let Some(asked) = &mut settings.reasoning else { return };
    let Some((is_shown, at)) = asked.include else { return };
    if is_shown && asked.effort.is_none() && asked.budget.is_none() {
        asked.budget = Some((run.build(|run| run.store.put_number(ADAPTIVE)), at));
    }
    if !is_shown && Thinking::of(run, asked) != Some(Thinking::Off) {
        run.warn(WarningCode::SettingDropped, at, "the target always returns the model's reasoning");
    }
}

pub fn write(run: &mut Run, object: &mut Writing, settings: &Settings) {
    let Some(asked) = &settings.reasoning else { return };
    match (effort_of(asked), Thinking::of(run, asked)) {
        (Some(level), _) => object.word(run, Word::think, level),
        (None, Some(thinking)) => object.boolean(run, Word::think, thinking != Thinking::Off),
        (None, None) => {}
    }
}
