//! Whole responses (WIRE §5.6, §5.7).

use super::messages::{read_assistant_value, write_assistant};
use crate::dialect::shared::finish::{self, Reasons};
use crate::dialect::shared::usage::{put_count, read_total, take_count, write_total};
use crate::fit::responses::{Counts, Required};
use crate::format::Format;
use crate::model::{Finish, Response, Usage};
use crate::run::{At, Made, Result, Run};
use crate::value::{Value, Word};

pub(super) const FINISH: &[(Word, Finish)] = &[
    (Word::end_turn, Finish::Stop),
    (Word::stop_sequence, Finish::Stop),
    (Word::max_tokens, Finish::Length),
    (Word::model_context_window_exceeded, Finish::Length),
    (Word::tool_use, Finish::ToolCalls),
    (Word::content_filtered, Finish::ContentFilter),
    (Word::guardrail_intervened, Finish::ContentFilter),
    (Word::malformed_model_output, Finish::Error),
    (Word::malformed_tool_use, Finish::Error),
];

pub const REQUIRED: &Required = &Required {
    lacks_id: true,
    lacks_model: true,
    fields: &[(Word::metrics, Made::Zero(Word::latencyMs))],
    counts: Counts { always: true, sums: true, ..Required::NOTHING.counts },
    reasons: Some(&Reasons::of(Word::stopReason, FINISH, Word::end_turn)),
    ..Required::NOTHING
};

pub fn required(_: &Format) -> &'static Required {
    REQUIRED
}

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut output = reading.require_object(run, Word::output)?;
    let (message, at) = output.require(run, Word::message)?;
    let message = read_assistant_value(run, message, at)?;
    let finish_at = run.down(At::ROOT, Word::stopReason);
    let raw_finish = reading.string(run, Word::stopReason)?;
    let usage = reading.read(run, Word::usage, read_usage)?;
    if !reading.has(Word::metrics) {
        reading.note_omitted(run, Word::metrics);
    }
    let mut metadata = reading.rest();
    output.rest_into(run, Word::output, &mut metadata);
    let has_calls = message.has_calls();
    let finish = finish::read(run, FINISH, raw_finish, has_calls);
    Ok(Response { finish, raw_finish, finish_at, usage, metadata, ..Response::new(message, finish) })
}

/// Bedrock counts cached tokens separately; the canonical input includes them (Q136). Its total may include them, too.
pub(super) fn read_usage(run: &mut Run, value: Value, at: At) -> Result<Usage> {
    let mut reading = run.object(value, at)?;
    let mut usage = Usage::new(at);
    let fresh = take_count(run, &mut reading, Word::inputTokens);
    usage.output = take_count(run, &mut reading, Word::outputTokens);
    usage.cached = reading.count(run, Word::cacheReadInputTokens);
    usage.cache_write = reading.count(run, Word::cacheWriteInputTokens);
    usage.input = fresh.map(|fresh| fresh + usage.cached.unwrap_or(0.0) + usage.cache_write.unwrap_or(0.0));
    let total = reading.take_at(run, Word::totalTokens);
    let mut metadata = reading.rest();
    read_total(run, &mut usage, total, Word::totalTokens, &mut metadata)?;
    usage.metadata = metadata;
    Ok(usage)
}

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at, id: _, model: _, message, finish: _, raw_finish, finish_at: _, usage, error: _, metadata } =
        response;
    let mut object = run.begin();
    object.object_with_rest(run, metadata, Word::output, |run, output| {
        output.key(run, Word::message);
        write_assistant(run, message);
    });
    object.option(run, Word::stopReason, *raw_finish);
    object.written(run, Word::usage, usage.as_ref(), write_usage);
    object.end(run, metadata, *at);
    Ok(())
}

pub(super) fn write_usage(run: &mut Run, usage: &Usage) {
    let Usage { at, input, output, total: _, cached, cache_write, reasoning: _, metadata } = usage;
    let mut object = run.begin();
    let apart = cached.unwrap_or(0.0) + cache_write.unwrap_or(0.0);
    put_count(run, &mut object, metadata, Word::inputTokens, input.map(|input| (input - apart).max(0.0)));
    put_count(run, &mut object, metadata, Word::outputTokens, *output);
    write_total(run, &mut object, usage, Word::totalTokens);
    if !object.has(run, Word::totalTokens) {
        put_count(run, &mut object, metadata, Word::totalTokens, None);
    }
    object.count(run, Word::cacheReadInputTokens, *cached);
    object.count(run, Word::cacheWriteInputTokens, *cache_write);
    object.end(run, metadata, *at);
}
