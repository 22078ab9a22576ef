//! How much a model reasons, as Chat Completions and the servers that have its format express it: OpenAI's `reasoning_effort`, and objects and flags of
//! others. All of them are read; the one of the target's server is written.
//!
//! <https://openrouter.ai/docs/use-cases/reasoning-tokens>, <https://docs.together.ai/docs/reasoning-overview>,
//! <https://api-docs.deepseek.com/guides/thinking_mode>, <https://www.alibabacloud.com/help/en/model-studio/deep-thinking>,
//! <https://docs.vllm.ai/en/latest/features/reasoning_outputs/>

use crate::dialect::shared::settings::{EFFORTS, is_effort_or_invalid};
use crate::fit::reasoning::{ADAPTIVE, Thinking, effort_of};
use crate::model::{Metadata, ReasoningSettings, Settings};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::servers::facts::Asked;
use crate::value::{Kind, Value, Word};

/// The keys beside `reasoning_effort`.
const KEYS: [Word; 5] =
    [Word::reasoning, Word::thinking, Word::enable_thinking, Word::thinking_budget, Word::chat_template_kwargs];

/// Takes what the model understands. A key with any other content stays where it is.
pub fn take(run: &mut Run, reading: &mut Reading, forms: &mut Metadata) -> Result<Option<ReasoningSettings>> {
    let mut settings = ReasoningSettings::new();
    let effort = reading.take_if(run, Word::reasoning_effort, is_effort_or_invalid);
    if let Some((effort, at)) = effort {
        run.string(effort, at)?;
    }
    settings.effort = effort.map(|(effort, at)| (run.store.word(effort), at));
    let mut has_others = false;
    for key in KEYS {
        let Some(given) = reading.peek(key) else { continue };
        let at = run.down(reading.at(), key);
        let Some(read) =
            read(run, key, given, at).filter(|read| settings.effort.is_none() || read.effort.is_none() || is_off(read))
        else {
            continue;
        };
        reading.take_any(key);
        forms.add_form(key, given);
        merge(run, &mut settings, read);
        has_others = true;
    }
    if let Some((effort, _)) = effort.filter(|_| has_others) {
        forms.add_form(Word::reasoning_effort, effort);
    }
    Ok((!settings.is_empty()).then_some(settings))
}

fn is_effort(run: &Run, value: Value) -> bool {
    run.store.kind(value) == Kind::String && EFFORTS.contains(&run.store.word(value))
}

fn is_off(settings: &ReasoningSettings) -> bool {
    settings.effort.is_some_and(|(effort, _)| effort == Word::none)
}

/// Adds settings. Off is off; with an effort, the model decides anyway.
fn merge(run: &Run, settings: &mut ReasoningSettings, more: ReasoningSettings) {
    if settings.effort.is_none() || is_off(&more) {
        settings.effort = more.effort.or(settings.effort);
    }
    let is_adaptive = |budget: &(Value, At)| run.store.number(budget.0) < 0.0;
    let budget = [settings.budget, more.budget].into_iter().flatten().find(|budget| !is_adaptive(budget));
    settings.budget = budget.or(settings.budget.or(more.budget).filter(|_| settings.effort.is_none()));
    settings.include = settings.include.or(more.include);
}

/// The settings in the value of a key. None if it has any other content.
fn read(run: &mut Run, key: Word, given: Value, at: At) -> Option<ReasoningSettings> {
    let mut settings = ReasoningSettings::new();
    match (key, run.store.kind(given)) {
        (Word::enable_thinking, Kind::Boolean) => switch(run, &mut settings, given, at),
        (Word::thinking_budget, Kind::Number) => settings.budget = Some((given, at)),
        (Word::reasoning | Word::thinking | Word::chat_template_kwargs, Kind::Object) => {
            let mut enabled = None;
            for field in run.members(given) {
                let (value, at) = (field.value, run.down(at, field.word));
                match (key, field.word, run.store.kind(value)) {
                    (Word::reasoning, Word::effort, Kind::String) if is_effort(run, value) => {
                        settings.effort = Some((run.store.word(value), at));
                    }
                    (Word::reasoning, Word::max_tokens, Kind::Number)
                    | (Word::thinking, Word::budget_tokens, Kind::Number) => settings.budget = Some((value, at)),
                    (Word::reasoning, Word::exclude, Kind::Boolean) => {
                        settings.include = Some((!run.store.boolean(value), at));
                    }
                    (Word::reasoning, Word::enabled, Kind::Boolean)
                    | (Word::chat_template_kwargs, Word::enable_thinking | Word::thinking, Kind::Boolean) => {
                        enabled = Some((run.store.boolean(value), at));
                    }
                    (Word::thinking, Word::r#type, Kind::String) => match run.store.word(value) {
                        Word::enabled | Word::adaptive => enabled = Some((true, at)),
                        Word::disabled => enabled = Some((false, at)),
                        _ => return None,
                    },
                    _ => return None,
                }
            }
            if let Some((enabled, at)) = enabled {
                let flag = run.store.boolean_value(enabled);
                switch(run, &mut settings, flag, at);
            }
        }
        _ => return None,
    }
    (!settings.is_empty()).then_some(settings)
}

/// Reasoning is off, or on without anything else that states how much.
fn switch(run: &mut Run, settings: &mut ReasoningSettings, flag: Value, at: At) {
    if !run.store.boolean(flag) {
        settings.effort = Some((Word::none, at));
    } else if settings.effort.is_none() && settings.budget.is_none() {
        settings.budget = Some((run.build(|run| run.store.put_number(ADAPTIVE)), at));
    }
}

/// The original keys and values, if the settings still have the same meaning and the target's server has this way of asking.
pub fn form(run: &mut Run, settings: &Settings, metadata: &Metadata) -> Option<Vec<(Word, Value)>> {
    if run.route.target_facts().reasoning.is_some() {
        return None;
    }
    let given: Vec<(Word, Value)> = KEYS.into_iter().filter_map(|key| Some((key, metadata.form(key)?))).collect();
    let asked = settings.reasoning.as_ref().filter(|_| !given.is_empty())?;
    let mut known = ReasoningSettings::new();
    let effort = metadata.form(Word::reasoning_effort).filter(|effort| is_effort(run, *effort));
    known.effort = effort.map(|effort| (run.store.word(effort), At::ROOT));
    for (key, value) in &given {
        let read = read(run, *key, *value, At::ROOT)?;
        merge(run, &mut known, read);
    }
    let budgets = [asked, &known].map(|settings| settings.budget.map(|(budget, _)| run.store.number(budget)));
    let is_same = asked.effort.map(|(effort, _)| effort) == known.effort.map(|(effort, _)| effort)
        && asked.include.map(|(include, _)| include) == known.include.map(|(include, _)| include)
        && budgets[0] == budgets[1];
    is_same.then(|| effort.map(|effort| (Word::reasoning_effort, effort)).into_iter().chain(given).collect())
}

pub fn write(run: &mut Run, object: &mut Writing, settings: &Settings, metadata: &Metadata) {
    if let Some(given) = form(run, settings, metadata) {
        for (key, value) in given {
            object.put(run, key, value);
        }
        return;
    }
    let Some(asked) = &settings.reasoning else { return };
    let how = run.route.target_facts().reasoning.unwrap_or(Asked::Effort);
    let thinking = Thinking::of(run, asked);
    let effort = effort_of(asked);
    // with an effort, reasoning is on anyway
    let switch = match thinking {
        Some(Thinking::Off) => Some(false),
        Some(Thinking::Adaptive) => Some(true),
        Some(Thinking::Budget(_)) | None => None,
    };
    match how {
        Asked::Never => {}
        Asked::Effort => {
            if let Some(effort) = if switch == Some(false) { Some(Word::none) } else { effort } {
                object.word(run, Word::reasoning_effort, effort);
            }
        }
        Asked::Object => object.object(run, Word::reasoning, |run, inner| {
            match (thinking, effort) {
                (Some(Thinking::Off), _) => inner.word(run, Word::effort, Word::none),
                (Some(Thinking::Budget(budget)), _) => inner.put(run, Word::max_tokens, budget),
                (_, Some(effort)) => inner.word(run, Word::effort, effort),
                (Some(Thinking::Adaptive), None) => inner.boolean(run, Word::enabled, true),
                (None, None) => {}
            }
            if let Some((include, _)) = asked.include {
                inner.boolean(run, Word::exclude, !include);
            }
        }),
        Asked::Switch => {
            let switch = switch.or((thinking.is_some() || effort.is_some()).then_some(true));
            if let Some(switch) = switch {
                object.boolean(run, Word::enable_thinking, switch);
            }
            if let Some(Thinking::Budget(budget)) = thinking {
                object.put(run, Word::thinking_budget, budget);
            }
            write_effort(run, object, effort, switch);
        }
        Asked::Enabled | Asked::Thinking | Asked::Adaptive | Asked::Template => {
            if let Some(switch) = switch {
                write_switch(run, object, how, switch);
            }
            write_effort(run, object, effort, switch);
        }
    }
}

fn write_effort(run: &mut Run, object: &mut Writing, effort: Option<Word>, switch: Option<bool>) {
    if let Some(effort) = effort.filter(|_| switch != Some(false)) {
        object.word(run, Word::reasoning_effort, effort);
    }
}

fn write_switch(run: &mut Run, object: &mut Writing, how: Asked, switch: bool) {
    match how {
        Asked::Enabled => {
            object.object(run, Word::reasoning, |run, inner| inner.boolean(run, Word::enabled, switch));
        }
        Asked::Template => {
            object.object(run, Word::chat_template_kwargs, |run, inner| {
                inner.boolean(run, Word::enable_thinking, switch);
            });
        }
        Asked::Thinking | Asked::Adaptive => {
            let on = if how == Asked::Adaptive { Word::adaptive } else { Word::enabled };
            object.object(run, Word::thinking, |run, inner| {
                inner.word(run, Word::r#type, if switch { on } else { Word::disabled });
            });
        }
        Asked::Effort | Asked::Object | Asked::Switch | Asked::Never => {}
    }
}
