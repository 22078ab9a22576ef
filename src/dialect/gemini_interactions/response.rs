//! Whole responses (WIRE §15.7).

use super::messages::take_steps;
use super::write_steps::write_assistant;
use crate::dialect::shared::finish::{self, Reasons};
use crate::dialect::shared::usage::{read_total, write_total};
use crate::fit::responses::Required;
use crate::format::Format;
use crate::model::{Finish, Response, Usage};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

pub(super) const FINISH: &[(Word, Finish)] = &[
    (Word::completed, Finish::Stop),
    (Word::requires_action, Finish::ToolCalls),
    (Word::incomplete, Finish::Length),
    (Word::budget_exceeded, Finish::Length),
    (Word::requires_continuation, Finish::Pause),
    (Word::failed, Finish::Error),
    (Word::cancelled, Finish::Error),
    (Word::in_progress, Finish::Other),
    (Word::queued, Finish::Other),
];

pub const REQUIRED: &Required = &Required {
    // distinguishes this format's responses from those of the provider's other format
    mark: Some(Word::steps),
    id: Some("interaction_toolwire"),
    reasons: Some(&Reasons::of(Word::status, FINISH, Word::completed)),
    ..Required::NOTHING
};

pub fn required(_: &Format) -> &'static Required {
    REQUIRED
}

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let mut reading = run.object(body, At::ROOT)?;
    let id = reading.string(run, Word::id)?;
    let model = reading.string(run, Word::model)?;
    let usage = reading.read(run, Word::usage, read_usage)?;
    let message = take_steps(run, &mut reading)?;
    let finish_at = run.down(At::ROOT, Word::status);
    let raw_finish = Some(reading.require_string(run, Word::status)?);
    let finish = finish::read(run, FINISH, raw_finish, message.has_calls());
    let metadata = reading.rest();
    Ok(Response { at: At::ROOT, id, model, message, finish, raw_finish, finish_at, usage, error: None, metadata })
}

/// Thoughts, and the prompts of hosted tools, are counted separately.
pub(super) fn read_usage(run: &mut Run, value: Value, at: At) -> Result<Usage> {
    let mut reading = run.object(value, at)?;
    let mut usage = Usage::new(at);
    let input = reading.count(run, Word::total_input_tokens);
    let tools = reading.peek(Word::total_tool_use_tokens).map(|count| run.store.number(count));
    usage.input = sum(input, tools);
    let output = reading.count(run, Word::total_output_tokens);
    if output.is_none() {
        reading.note_omitted(run, Word::total_output_tokens);
    }
    usage.reasoning = reading.count(run, Word::total_thought_tokens);
    usage.output = sum(output, usage.reasoning);
    usage.cached = reading.count(run, Word::total_cached_tokens);
    let total = reading.take_at(run, Word::total_tokens);
    let mut metadata = reading.rest();
    read_total(run, &mut usage, total, Word::total_tokens, &mut metadata)?;
    usage.metadata = metadata;
    Ok(usage)
}

fn sum(one: Option<f64>, other: Option<f64>) -> Option<f64> {
    (one.is_some() || other.is_some()).then(|| one.unwrap_or(0.0) + other.unwrap_or(0.0))
}

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at, id, model, message, finish: _, raw_finish, finish_at: _, usage, error: _, metadata } = response;
    let mut object = run.begin();
    object.option(run, Word::id, *id);
    object.option(run, Word::model, *model);
    object.option(run, Word::status, *raw_finish);
    let form = metadata.form(Word::steps);
    let list = form.map_or(Word::steps, |form| run.store.word(form));
    let is_void = message.blocks().is_empty() && message.calls.is_empty();
    if let Some(null) = form.filter(|form| is_void && run.store.kind(*form) == Kind::Null) {
        object.put(run, Word::steps, null);
    } else if !(list == Word::omitted && is_void) {
        let list = if list == Word::outputs { list } else { Word::steps };
        object.array(run, list, |run| write_assistant(run, message, list));
    }
    object.written(run, Word::usage, usage.as_ref(), write_usage);
    object.end(run, metadata, *at);
    Ok(())
}

pub(super) fn write_usage(run: &mut Run, usage: &Usage) {
    let Usage { at, input, output, total: _, cached, cache_write, reasoning, metadata } = usage;
    let tools = metadata.own_field(Word::total_tool_use_tokens).map_or(0.0, |count| run.store.number(count));
    let mut object = run.begin();
    let prompt = input.map(|input| (input - tools).max(0.0));
    let is_unknown = prompt == Some(0.0) && object.states(run, metadata, Word::total_input_tokens);
    object.count(run, Word::total_input_tokens, prompt.filter(|_| !is_unknown));
    let texts = output.map(|output| (output - reasoning.unwrap_or(0.0)).max(0.0));
    let omitted = metadata.form(Word::total_output_tokens).is_some() && texts == Some(0.0);
    object.count(run, Word::total_output_tokens, texts.filter(|_| !omitted));
    object.count(run, Word::total_thought_tokens, *reasoning);
    object.count(run, Word::total_cached_tokens, *cached);
    if cache_write.is_some_and(|tokens| tokens > 0.0) {
        let at = run.canonical_or(*at, Word::cacheWrite);
        run.warn(WarningCode::StateDropped, at, "the target does not report tokens that were written to a cache");
    }
    write_total(run, &mut object, usage, Word::total_tokens);
    object.end(run, metadata, *at);
}
