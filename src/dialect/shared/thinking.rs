//! The field `thinking`: on with a budget, adaptive, or off (WIRE §3.10). Hosts of Anthropic's models have it, too.

use crate::fit::reasoning::{ADAPTIVE, Thinking};
use crate::model::{Metadata, ReasoningSettings};
use crate::run::{At, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

/// Reads `thinking`: on with a budget, adaptive, or off (but between tools). Only Anthropic understands its other modes.
pub fn read(
    run: &mut Run,
    value: Value,
    at: At,
    reasoning: &mut ReasoningSettings,
    metadata: &mut Metadata,
) -> Result<()> {
    let mut inner = run.object(value, at)?;
    let (kind, kind_at) = inner.require(run, Word::r#type)?;
    match run.store.word(kind) {
        Word::enabled => {
            let (budget, at) = inner.require(run, Word::budget_tokens)?;
            run.number(budget, at)?;
            reasoning.budget = Some((budget, at));
        }
        Word::disabled => reasoning.effort = Some((Word::none, kind_at)),
        Word::between_tools => {
            reasoning.effort = Some((Word::none, kind_at));
            metadata.add_form(Word::thinking, kind);
        }
        Word::adaptive => reasoning.budget = Some((run.build(|run| run.store.put_number(ADAPTIVE)), kind_at)),
        _ => {
            metadata.add(crate::run::Key::Word(Word::thinking), value);
            return Ok(());
        }
    }
    // only Anthropic understands other values of `display`
    let display = inner.peek(Word::display).map(|display| run.store.word(display));
    if let Some(display @ (Word::summarized | Word::omitted)) = display {
        reasoning.include = Some((display == Word::summarized, run.down(at, Word::display)));
        inner.take_any(Word::display);
    }
    inner.rest_into(run, Word::thinking, metadata);
    Ok(())
}

pub fn write(run: &mut Run, object: &mut Writing, reasoning: &ReasoningSettings, metadata: &Metadata) {
    let Some(thinking) = Thinking::of(run, reasoning) else { return };
    object.object_with_rest(run, metadata, Word::thinking, |run, inner| {
        match thinking {
            // a form: the only way to turn off that some models have
            Thinking::Off => match metadata.form(Word::thinking) {
                Some(form) => inner.put(run, Word::r#type, form),
                None => inner.word(run, Word::r#type, Word::disabled),
            },
            Thinking::Adaptive => inner.word(run, Word::r#type, Word::adaptive),
            Thinking::Budget(budget) => {
                inner.word(run, Word::r#type, Word::enabled);
                inner.put(run, Word::budget_tokens, budget);
            }
        }
        if let Some((include, _)) = reasoning.include.filter(|_| thinking != Thinking::Off) {
            inner.word(run, Word::display, if include { Word::summarized } else { Word::omitted });
        }
    });
}

/// Whether [`read`] reads the field: one of its usual modes.
pub fn is_known(run: &mut Run, thinking: Value) -> bool {
    match run.type_of(thinking) {
        Word::enabled => {
            run.member(thinking, Word::budget_tokens).is_some_and(|budget| run.store.kind(budget) == Kind::Number)
        }
        Word::disabled | Word::between_tools | Word::adaptive => true,
        _ => false,
    }
}
