//! `reasoning` of OpenRouter, which has more settings than OpenAI's `reasoning_effort`: an effort, a budget, or neither, and whether the response
//! includes the reasoning (<https://openrouter.ai/docs/use-cases/reasoning-tokens>).

use crate::dialect::shared::settings::EFFORTS;
use crate::fit::reasoning::ADAPTIVE;
use crate::model::{Metadata, ReasoningSettings, Settings};
use crate::run::{At, Run};
use crate::value::{Kind, Value, Word};

/// The settings. None if the object has any other content, and so is not OpenRouter's.
pub fn read(run: &mut Run, given: Value, at: At) -> Option<ReasoningSettings> {
    if run.store.kind(given) != Kind::Object {
        return None;
    }
    let mut reasoning = ReasoningSettings::new();
    let mut enabled = None;
    for field in run.members(given) {
        let (value, at) = (field.value, run.down(at, field.word));
        match (field.word, run.store.kind(value)) {
            (Word::effort, Kind::String) if EFFORTS.contains(&run.store.word(value)) => {
                reasoning.effort = Some((run.store.word(value), at));
            }
            (Word::max_tokens, Kind::Number) => reasoning.budget = Some((value, at)),
            (Word::exclude, Kind::Boolean) => reasoning.include = Some((!run.store.boolean(value), at)),
            (Word::enabled, Kind::Boolean) => enabled = Some((run.store.boolean(value), at)),
            _ => return None,
        }
    }
    match enabled {
        Some((false, at)) => reasoning.effort = Some((Word::none, at)),
        Some((true, at)) if reasoning.effort.is_none() && reasoning.budget.is_none() => {
            reasoning.budget = Some((run.build(|run| run.store.put_number(ADAPTIVE)), at));
        }
        Some((true, _)) | None => {}
    }
    (!reasoning.is_empty()).then_some(reasoning)
}

/// The original object, if the settings still have the same meaning.
pub fn form(run: &mut Run, settings: &Settings, metadata: &Metadata) -> Option<Value> {
    let given = metadata.form(Word::reasoning)?;
    let asked = settings.reasoning.as_ref()?;
    let read = read(run, given, At::ROOT)?;
    let budgets = [asked, &read].map(|settings| settings.budget.map(|(budget, _)| run.store.number(budget)));
    let is_same = asked.effort.map(|(effort, _)| effort) == read.effort.map(|(effort, _)| effort)
        && asked.include.map(|(include, _)| include) == read.include.map(|(include, _)| include)
        && budgets[0] == budgets[1];
    is_same.then_some(given)
}
