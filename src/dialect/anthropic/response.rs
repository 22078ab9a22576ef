//! Whole responses (WIRE §3.6, §3.7).

use super::messages::read_assistant_value;
use super::write_blocks::assistant_blocks;
use crate::dialect::shared::finish::{self, Reasons};
use crate::dialect::shared::usage::{keep_details, put_count, sum, take_count};
use crate::fit::responses::{Counts, Required};
use crate::format::Format;
use crate::model::{Finish, Metadata, Response, Usage};
use crate::run::{At, Fields, Made, Result, Run};
use crate::value::{Value, Word};

pub(super) const FINISH: &[(Word, Finish)] = &[
    (Word::end_turn, Finish::Stop),
    (Word::stop_sequence, Finish::Stop),
    (Word::max_tokens, Finish::Length),
    (Word::model_context_window_exceeded, Finish::Length),
    (Word::tool_use, Finish::ToolCalls),
    (Word::refusal, Finish::Refusal),
    (Word::pause_turn, Finish::Pause),
    (Word::compaction, Finish::Pause),
];

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let message = read_assistant_value(run, body, At::ROOT)?;
    let mut reading = run.object(body, At::ROOT)?;
    reading.take_any(Word::content);
    reading.take_usual(run, Word::r#type, Word::message);
    reading.take_usual(run, Word::role, Word::assistant);
    let id = reading.string(run, Word::id)?;
    let model = reading.string(run, Word::model)?;
    let finish_at = run.down(At::ROOT, Word::stop_reason);
    let raw_finish = reading.string(run, Word::stop_reason)?;
    if !reading.has(Word::stop_sequence) {
        reading.note_omitted(run, Word::stop_sequence);
    }
    let usage = reading.read(run, Word::usage, read_usage)?;
    let metadata = reading.rest();
    let has_calls = message.has_calls();
    let finish = finish::read(run, FINISH, raw_finish, has_calls);
    Ok(Response { at: At::ROOT, id, model, message, finish, raw_finish, finish_at, usage, error: None, metadata })
}

/// Anthropic counts cached tokens separately; the canonical input includes them (Q136).
pub(super) fn read_usage(run: &mut Run, value: Value, at: At) -> Result<Usage> {
    let mut reading = run.object(value, at)?;
    let mut usage = Usage::new(at);
    let fresh = take_count(run, &mut reading, Word::input_tokens);
    usage.cache_write = reading.count(run, Word::cache_creation_input_tokens);
    usage.cached = reading.count(run, Word::cache_read_input_tokens);
    usage.output = take_count(run, &mut reading, Word::output_tokens);
    usage.input = fresh.map(|fresh| fresh + usage.cached.unwrap_or(0.0) + usage.cache_write.unwrap_or(0.0));
    let mut nested = Metadata::default();
    if let Some(mut details) = reading.object(run, Word::output_tokens_details)? {
        let was_empty = details.is_empty();
        usage.reasoning = details.count(run, Word::thinking_tokens);
        keep_details(run, details, Word::output_tokens_details, &mut nested, was_empty);
    }
    let mut metadata = reading.rest();
    metadata.append(nested);
    // the wire has no total
    usage.total = sum(&usage);
    usage.metadata = metadata;
    Ok(usage)
}

pub const REQUIRED: &Required = &Required {
    id: Some("msg_toolwire"),
    model: Some(""),
    fields: FIELDS,
    start: FIELDS,
    end: &[(Word::stop_sequence, Made::Null), (Word::stop_details, Made::Null), (Word::container, Made::Null)],
    text: &[(Word::citations, Made::Null)],
    call: &[(Word::caller, Made::Typed(Word::direct))],
    opening: Some((Word::message_start, super::stream_missing::MESSAGE_START_FOR_CLIENTS)),
    counts: Counts { always: true, fields: USAGE, ..Required::NOTHING.counts },
    reasons: Some(&Reasons::of(Word::stop_reason, FINISH, Word::end_turn)),
    ..Required::NOTHING
};

pub fn required(_: &Format) -> &'static Required {
    REQUIRED
}
const FIELDS: &Fields = &[
    (Word::stop_sequence, Made::Null),
    (Word::stop_details, Made::Null),
    (Word::container, Made::Null),
    (Word::diagnostics, Made::Null),
];
pub(super) const USAGE: &Fields = &[
    (Word::cache_creation_input_tokens, Made::Null),
    (Word::cache_read_input_tokens, Made::Null),
    (Word::output_tokens_details, Made::Null),
    (Word::cache_creation, Made::Null),
    (Word::server_tool_use, Made::Null),
    (Word::service_tier, Made::Null),
    (Word::inference_geo, Made::Null),
    (Word::speed, Made::Null),
];

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at, id, model, message, finish: _, raw_finish, finish_at: _, usage, error: _, metadata } = response;
    let mut object = run.begin();
    object.option(run, Word::id, *id);
    object.usual(run, metadata, Word::r#type, Word::message);
    object.usual(run, metadata, Word::role, Word::assistant);
    object.option(run, Word::model, *model);
    object.key(run, Word::content);
    run.store.begin_array();
    assistant_blocks(run, message);
    run.store.end_array();
    run.warn_metadata(&message.metadata, message.at);
    object.put_or_null(run, Word::stop_reason, *raw_finish);
    object.written(run, Word::usage, usage.as_ref(), write_usage);
    object.end(run, metadata, *at);
    Ok(())
}

pub(super) fn write_usage(run: &mut Run, usage: &Usage) {
    let Usage { at, input, output, total: _, cached, cache_write, reasoning, metadata } = usage;
    let mut object = run.begin();
    let apart = cached.unwrap_or(0.0) + cache_write.unwrap_or(0.0);
    put_count(run, &mut object, metadata, Word::input_tokens, input.map(|input| (input - apart).max(0.0)));
    put_count(run, &mut object, metadata, Word::output_tokens, *output);
    for (word, count) in [(Word::cache_creation_input_tokens, cache_write), (Word::cache_read_input_tokens, cached)] {
        object.count(run, word, *count);
    }
    object.nested(run, metadata, Word::output_tokens_details, |run, details| {
        details.count(run, Word::thinking_tokens, *reasoning);
    });
    object.end(run, metadata, *at);
}
