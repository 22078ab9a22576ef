//! `thinkingConfig`: whether the model thinks, and how much (WIRE §4.10). It has a level or a budget, never both.

use super::models;
use crate::fit::reasoning::{self, Thinking, effort_of};
use crate::model::{Metadata, ReasoningSettings, Settings};
use crate::run::{At, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

/// Levels, and the corresponding efforts.
const LEVELS: &[(Word, Word)] =
    &[(Word::MINIMAL, Word::minimal), (Word::LOW, Word::low), (Word::MEDIUM, Word::medium), (Word::HIGH, Word::high)];

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

pub fn fit(run: &mut Run, settings: &mut Settings) {
    let takes = models::takes(run, settings);
    reasoning::fit(run, settings, &takes);
    let thinks = takes.efforts.is_some() || takes.budgets.is_some();
    let Some(asked) = settings.reasoning.as_mut().filter(|_| !thinks) else { return };
    if let Some((true, at)) = asked.include.take() {
        run.warn(WarningCode::SettingDropped, at, "the model does not support reasoning");
    }
}

pub fn write(run: &mut Run, config: &mut Writing, settings: &Settings, metadata: &Metadata) {
    let Some(asked) = &settings.reasoning else { return };
    let is_own = run.route.stays_with_provider();
    let thinking = run.build_object(|run, thinking| {
        match Thinking::of(run, asked) {
            Some(Thinking::Off) => thinking.number(run, Word::thinkingBudget, 0.0),
            Some(Thinking::Adaptive | Thinking::Budget(_)) => {
                thinking.option(run, Word::thinkingBudget, asked.budget.map(|(budget, _)| budget));
            }
            None => {}
        }
        let level = effort_of(asked).and_then(|effort| LEVELS.iter().find(|(_, known)| *known == effort));
        if let Some((level, _)) = level {
            thinking.word(run, Word::thinkingLevel, *level);
        }
        thinking.flag(run, Word::includeThoughts, asked.include);
        thinking.add_nested(run, metadata, Word::thinkingConfig);
    });
    if is_own || !run.is_void(thinking) {
        config.put(run, Word::thinkingConfig, thinking);
    }
}
