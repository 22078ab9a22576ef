//! Thinking settings: on with a budget, adaptive, or off (WIRE §3.10).

use crate::fit::reasoning::{ADAPTIVE, Thinking};
use crate::model::{Metadata, Reasoning, ReasoningSettings};
use crate::run::{At, Result, Run, Writing};
use crate::value::{Value, Word};

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

/// Whether thinking is sent back to Anthropic: what it signed or redacted, and unsigned thinking of a compatible server.
pub fn is_sent(run: &Run, reasoning: &Reasoning) -> bool {
    let Reasoning { signature, redacted, issuer, metadata, .. } = reasoning;
    let is_whole = redacted.is_some() || signature.is_some() || metadata.form(Word::signature).is_some();
    run.route.leads_to(*issuer) && is_whole
}
