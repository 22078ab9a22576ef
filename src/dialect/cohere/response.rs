//! Whole responses (WIRE §7.3, §7.6, §7.7).

use super::messages::{read_assistant_value, write_assistant};
use crate::dialect::shared::finish::{self, Reasons};
use crate::dialect::shared::usage::{put_count, sum, take_count};
use crate::fit::responses::Required;
use crate::format::Format;
use crate::model::{Finish, Metadata, Response, Usage};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

pub(super) const FINISH: &[(Word, Finish)] = &[
    (Word::COMPLETE, Finish::Stop),
    (Word::STOP_SEQUENCE, Finish::Stop),
    (Word::MAX_TOKENS, Finish::Length),
    (Word::TOOL_CALL, Finish::ToolCalls),
    (Word::ERROR, Finish::Error),
    (Word::TIMEOUT, Finish::Error),
];

pub const REQUIRED: &Required = &Required {
    id: Some("chat-toolwire"),
    lacks_model: true,
    reasons: Some(&Reasons::of(Word::finish_reason, FINISH, Word::COMPLETE)),
    ..Required::NOTHING
};

pub fn required(_: &Format) -> &'static Required {
    REQUIRED
}

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let mut reading = run.object(body, At::ROOT)?;
    let id = reading.string(run, Word::id)?;
    let (message, at) = reading.require(run, Word::message)?;
    let message = read_assistant_value(run, message, at)?;
    let finish_at = run.down(At::ROOT, Word::finish_reason);
    let raw_finish = reading.string(run, Word::finish_reason)?;
    let has_calls = message.has_calls();
    let finish = finish::read(run, FINISH, raw_finish, has_calls);
    let usage = reading.read(run, Word::usage, read_usage)?;
    let mut metadata = reading.rest();
    keep_reason(run, raw_finish, has_calls, &mut metadata);
    Ok(Response { id, raw_finish, finish_at, usage, metadata, ..Response::new(message, finish) })
}

/// Keeps a reason that is not the usual one as a form, which marks the response as Cohere's: an unknown one, or any other than `TOOL_CALL` beside calls.
pub(super) fn keep_reason(run: &Run, raw: Option<Value>, has_calls: bool, metadata: &mut Metadata) {
    let Some(raw) = raw else { return };
    let word = run.store.word(raw);
    let is_usual = FINISH.iter().any(|(known, finish)| *known == word && finish.with_calls(has_calls) == *finish);
    if !is_usual {
        metadata.add_form(Word::finish_reason, raw);
    }
}

/// The tokens count. If they are missing, those that are billed do.
pub(super) fn read_usage(run: &mut Run, value: Value, at: At) -> Result<Usage> {
    let mut reading = run.object(value, at)?;
    let mut usage = Usage::new(at);
    usage.cached = reading.count(run, Word::cached_tokens);
    let tokens = reading.object(run, Word::tokens)?;
    let billed = reading.peek(Word::billed_units).filter(|billed| run.store.kind(*billed) == Kind::Object);
    match (tokens, billed) {
        (Some(mut tokens), _) => {
            usage.input = take_count(run, &mut tokens, Word::input_tokens);
            usage.output = take_count(run, &mut tokens, Word::output_tokens);
            usage.metadata = reading.rest();
            tokens.rest_into(run, Word::tokens, &mut usage.metadata);
        }
        (None, billed) => {
            reading.note_omitted(run, Word::tokens);
            let count = |run: &mut Run, word| {
                let count = billed.and_then(|billed| run.member(billed, word));
                count.and_then(|count| run.count(count))
            };
            usage.input = count(run, Word::input_tokens);
            usage.output = count(run, Word::output_tokens);
            usage.metadata = reading.rest();
        }
    }
    usage.total = sum(&usage);
    Ok(usage)
}

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at, id, model: _, message, finish: _, raw_finish, finish_at: _, usage, error: _, metadata } =
        response;
    let mut object = run.begin();
    object.option(run, Word::id, *id);
    object.option(run, Word::finish_reason, *raw_finish);
    object.key(run, Word::message);
    write_assistant(run, message)?;
    object.written(run, Word::usage, usage.as_ref(), write_usage);
    object.end(run, metadata, *at);
    Ok(())
}

pub(super) fn write_usage(run: &mut Run, usage: &Usage) {
    let Usage { at, input, output, total: _, cached, cache_write, reasoning, metadata } = usage;
    let mut object = run.begin();
    match metadata.form(Word::tokens) {
        Some(form) if run.store.kind(form) != Kind::Object => {}
        _ => object.object_with_rest(run, metadata, Word::tokens, |run, tokens| {
            put_count(run, tokens, metadata, Word::input_tokens, *input);
            put_count(run, tokens, metadata, Word::output_tokens, *output);
        }),
    }
    object.count(run, Word::cached_tokens, *cached);
    for (word, count) in [(Word::cacheWrite, cache_write), (Word::reasoning, reasoning)] {
        if count.is_some_and(|count| count > 0.0) {
            let at = run.canonical_or(*at, word);
            run.warn(WarningCode::StateDropped, at, "the target does not report these tokens separately");
        }
    }
    object.end(run, metadata, *at);
}
