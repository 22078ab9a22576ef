//! `thinkingConfig`: whether the model thinks, and how much (WIRE §4.10). It has a level or a budget, never both.

use crate::fit::models;
use crate::fit::reasoning::{self, AcceptedReasoning, Thinking, effort_of};
use crate::model::{Metadata, ReasoningSettings, Request, Settings};
use crate::models::facts::Efforts;
use crate::models::{Effort, ModelFacts};
use crate::run::{At, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

/// Levels, and the corresponding efforts.
const LEVELS: &[(Word, Word)] = &[
    (Word::MINIMAL, Word::minimal),
    (Word::LOW, Word::low),
    (Word::MEDIUM, Word::medium),
    (Word::HIGH, Word::high),
    (Word::XHIGH, Word::xhigh),
];

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

/// For an unknown model.
const ANY: AcceptedReasoning = AcceptedReasoning {
    efforts: Some(Efforts::of(&[Effort::Minimal, Effort::Low, Effort::Medium, Effort::High])),
    budgets: Some((1.0, f64::INFINITY)),
    off: true,
    adaptive: true,
    ..AcceptedReasoning::NOTHING
};

pub fn fit(run: &mut Run, request: &mut Request) {
    let Request { settings, metadata, .. } = request;
    let takes = takes(&settings.facts);
    if takes.budgets.is_none()
        && takes.efforts.is_some()
        && let Some(asked) = settings.reasoning.as_mut().filter(|asked| asked.effort.is_none())
    {
        // the model decides unless it is given a level
        asked.budget = asked.budget.take_if(|(budget, _)| run.store.number(*budget) >= 0.0);
    }
    reasoning::fit(run, settings, &takes);
    let thinks = takes.efforts.is_some() || takes.budgets.is_some();
    let Some(asked) = &mut settings.reasoning else { return };
    if !thinks && let Some((true, at)) = asked.include.take() {
        models::warn(run, settings, WarningCode::SettingDropped, at, "thinking", "the model does not reason");
    }
    let Some(asked) = &settings.reasoning else { return };
    let is_off = matches!(Thinking::of(run, asked), Some(Thinking::Off));
    let is_set = is_off || asked.budget.is_some() || asked.include.is_some() || level(asked).is_some();
    if !is_set && metadata.own_field(Word::thinkingConfig).is_none() && metadata.form(Word::thinkingConfig).is_none() {
        settings.reasoning = None;
    }
}

fn takes(facts: &ModelFacts) -> AcceptedReasoning {
    let takes = ANY.limited_by(facts);
    let has_budgets = takes.budgets.is_some();
    // Google maps the efforts of its endpoint for OpenAI clients to budgets, for models without levels
    AcceptedReasoning { adaptive: has_budgets, maps_efforts: has_budgets && takes.efforts.is_none(), ..takes }
}

/// The level for an effort.
fn level(asked: &ReasoningSettings) -> Option<Word> {
    let effort = effort_of(asked)?;
    LEVELS.iter().find(|(_, known)| *known == effort).map(|(level, _)| *level)
}

pub fn write(run: &mut Run, config: &mut Writing, settings: &Settings, metadata: &Metadata) {
    let Some(asked) = &settings.reasoning else { return };
    config.object(run, Word::thinkingConfig, |run, thinking| {
        match Thinking::of(run, asked) {
            Some(Thinking::Off) => thinking.number(run, Word::thinkingBudget, 0.0),
            Some(Thinking::Adaptive | Thinking::Budget(_)) => {
                thinking.option(run, Word::thinkingBudget, asked.budget.map(|(budget, _)| budget));
            }
            None => {}
        }
        if let Some(level) = level(asked) {
            thinking.word(run, Word::thinkingLevel, level);
        }
        thinking.flag(run, Word::includeThoughts, asked.include);
        thinking.add_nested(run, metadata, Word::thinkingConfig);
    });
}
