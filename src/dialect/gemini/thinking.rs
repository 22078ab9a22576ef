//! `thinkingConfig`: whether the model thinks, and how much (WIRE §4.10). It takes a level or a budget, never both.

use super::models;
use crate::dialect::shared::reasoning::{self, Thinking};
use crate::model::{Metadata, ReasoningSettings, Settings};
use crate::run::{At, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

/// Levels, and the efforts that they are.
const LEVELS: &[(Word, Word)] =
    &[(Word::MINIMAL, Word::minimal), (Word::LOW, Word::low), (Word::MEDIUM, Word::medium), (Word::HIGH, Word::high)];
/// The budget of a model that decides by itself.
const ADAPTIVE: f64 = -1.0;

pub fn read(run: &mut Run, value: Value, at: At, metadata: &mut Metadata) -> Result<ReasoningSettings> {
    let mut reading = run.object(value, at)?;
    let mut reasoning = ReasoningSettings::new();
    reasoning.budget = reading.number_at(run, Word::thinkingBudget)?;
    if let Some(level) = reading.peek(Word::thinkingLevel) {
        let word = run.store.word(level);
        if let Some((_, effort)) = LEVELS.iter().find(|(known, _)| *known == word) {
            reading.take_any(Word::thinkingLevel);
            reasoning.effort = Some((*effort, run.down(at, Word::thinkingLevel)));
        }
    }
    reasoning.include = reading.boolean_at(run, Word::includeThoughts)?;
    reading.rest_into(run, Word::thinkingConfig, metadata);
    Ok(reasoning)
}

pub fn write(run: &mut Run, config: &mut Writing, settings: &Settings, metadata: &Metadata) {
    let Some(ReasoningSettings { budget, include, .. }) = settings.reasoning else { return };
    let is_own = run.from.provider() == run.to.provider();
    let takes = models::takes(run, settings);
    let fitted = reasoning::fit(run, settings, &takes);
    let thinks = takes.efforts.is_some() || takes.budgets.is_some();
    if let Some((true, at)) = include.filter(|_| !thinks) {
        run.warn(WarningCode::SettingDropped, at, "the model does not think");
    }
    let thinking = run.build_object(|run, thinking| {
        match fitted.thinking {
            Some((Thinking::Off, _)) => thinking.number(run, Word::thinkingBudget, 0.0),
            Some((Thinking::Budget(budget), _)) => thinking.put(run, Word::thinkingBudget, budget),
            Some((Thinking::Adaptive, _)) if is_own => {
                thinking.option(run, Word::thinkingBudget, budget.map(|(budget, _)| budget));
            }
            Some((Thinking::Adaptive, _)) => thinking.number(run, Word::thinkingBudget, ADAPTIVE),
            None => {}
        }
        let level = fitted.effort.and_then(|(effort, _)| LEVELS.iter().find(|(_, known)| *known == effort));
        if let Some((level, _)) = level {
            thinking.word(run, Word::thinkingLevel, *level);
        }
        if let Some((include, _)) = include.filter(|_| thinks) {
            thinking.boolean(run, Word::includeThoughts, include);
        }
        thinking.add_nested(run, metadata, Word::thinkingConfig);
    });
    if is_own || !run.says_nothing(thinking) {
        config.put(run, Word::thinkingConfig, thinking);
    }
}
