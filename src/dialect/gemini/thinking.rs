//! `thinkingConfig`: whether the model thinks, and how much (WIRE §4.10). It takes a level or a budget, never both.

use super::generation::is_before_third;
use crate::model::{Metadata, ReasoningSettings, Settings};
use crate::run::{At, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

/// Levels, the efforts they are, and the budgets that Google itself takes such efforts for where models know no levels.
const LEVELS: &[(Word, Word, f64)] = &[
    (Word::MINIMAL, Word::minimal, 1024.0),
    (Word::LOW, Word::low, 1024.0),
    (Word::MEDIUM, Word::medium, 8192.0),
    MOST,
];
const MOST: (Word, Word, f64) = (Word::HIGH, Word::high, 24576.0);

pub fn read(run: &mut Run, value: Value, at: At, metadata: &mut Metadata) -> Result<ReasoningSettings> {
    let mut reading = run.object(value, at)?;
    let mut reasoning = ReasoningSettings::new();
    reasoning.budget = reading.number_at(run, Word::thinkingBudget)?;
    if let Some(level) = reading.peek(Word::thinkingLevel) {
        let word = run.store.word(level);
        if let Some((_, effort, _)) = LEVELS.iter().find(|(known, ..)| *known == word) {
            reading.take_any(Word::thinkingLevel);
            reasoning.effort = Some((*effort, run.down(at, Word::thinkingLevel)));
        }
    }
    reasoning.include = reading.boolean_at(run, Word::includeThoughts)?;
    reading.rest_into(run, Word::thinkingConfig, metadata);
    Ok(reasoning)
}

pub fn write(run: &mut Run, config: &mut Writing, settings: &Settings, metadata: &Metadata) {
    let Some(reasoning) = &settings.reasoning else { return };
    let is_own = run.from.provider() == run.to.provider();
    let knows_levels = is_own || !is_before_third(run, settings);
    let ReasoningSettings { effort, budget, include } = reasoning;
    let is_off = effort.is_some_and(|(effort, _)| effort == Word::none);
    let (mut effort, mut budget) = (effort.filter(|_| !is_off), *budget);
    if let (Some((_, effort_at)), Some((tokens, budget_at))) = (effort, budget)
        && !is_own
    {
        let takes_level = knows_levels && run.store.number(tokens) != 0.0;
        let at = if takes_level { budget_at } else { effort_at };
        run.warn(WarningCode::SettingDropped, at, "a level and a budget exclude each other");
        (effort, budget) = if takes_level { (effort, None) } else { (None, budget) };
    }
    config.key(run, Word::thinkingConfig);
    let mut thinking = run.begin();
    match budget {
        _ if is_off => thinking.number(run, Word::thinkingBudget, 0.0),
        Some((budget, _)) => thinking.put(run, Word::thinkingBudget, budget),
        None => {}
    }
    if let Some(effort) = effort {
        write_effort(run, &mut thinking, effort, knows_levels);
    }
    if let Some((include, _)) = include {
        thinking.boolean(run, Word::includeThoughts, *include);
    }
    thinking.add_nested(run, metadata, Word::thinkingConfig);
    thinking.close(run);
}

fn write_effort(run: &mut Run, thinking: &mut Writing, (effort, at): (Word, At), knows_levels: bool) {
    let known = LEVELS.iter().find(|(_, known, _)| *known == effort);
    if known.is_none() {
        run.warn(WarningCode::SettingChanged, at, "\"HIGH\" is the most effort here");
    }
    let (level, _, budget) = known.unwrap_or(&MOST);
    if knows_levels {
        thinking.word(run, Word::thinkingLevel, *level);
    } else {
        thinking.number(run, Word::thinkingBudget, *budget);
    }
}
