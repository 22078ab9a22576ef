//! Errors of the canonical format.

use super::{end, end_reading};
use crate::model::{ChatError, ChatErrorCode, ContextLength};
use crate::run::{At, ErrorCode, Result, Run};
use crate::value::{Value, Word};

pub fn read(run: &mut Run, body: Value) -> Result<ChatError> {
    read_at(run, body, At::ROOT)
}

pub fn read_at(run: &mut Run, body: Value, at: At) -> Result<ChatError> {
    let mut reading = run.object(body, at)?;
    let (code, code_at) = reading.require(run, Word::code)?;
    let Some(code) = ChatErrorCode::of(run.store.word(code)) else {
        return run.wrong_word(code, code_at, "a code of the list");
    };
    let message = reading.require_string(run, Word::message)?;
    let (retryable, retryable_at) = reading.require(run, Word::retryable)?;
    let retryable = run.boolean(retryable, retryable_at)?;
    let status = match reading.take_at(run, Word::status) {
        Some((status, at)) => Some(read_status(run, status, at)?),
        None => run.options.status,
    };
    let context_length = match reading.take_at(run, Word::contextLength) {
        Some((length, at)) => read_context_length(run, length, at)?,
        None => ContextLength::default(),
    };
    Ok(ChatError { at, status, code, message, retryable, context_length, metadata: end_reading(run, reading)? })
}

fn read_context_length(run: &mut Run, value: Value, at: At) -> Result<ContextLength> {
    let mut reading = run.object(value, at)?;
    let mut count = |run: &mut Run, word| -> Result<Option<f64>> {
        reading.take_at(run, word).map(|(count, at)| run.number(count, at)).transpose()
    };
    let length = ContextLength { limit: count(run, Word::limit)?, requested: count(run, Word::requested)? };
    end_reading(run, reading)?;
    Ok(length)
}

fn read_status(run: &Run, value: Value, at: At) -> Result<u16> {
    let status = run.number(value, at)?;
    if (100.0..600.0).contains(&status) && status.fract() == 0.0 {
        return Ok(status as u16);
    }
    run.fail(ErrorCode::InvalidValue, at, "expected an HTTP status")
}

pub fn write(run: &mut Run, error: &ChatError) -> Result<()> {
    let ChatError { at: _, status, code, message, retryable, context_length, metadata } = error;
    let mut object = run.begin();
    object.count(run, Word::status, status.map(f64::from));
    object.word(run, Word::code, code.word());
    object.put(run, Word::message, *message);
    object.boolean(run, Word::retryable, *retryable);
    let ContextLength { limit, requested } = *context_length;
    if limit.or(requested).is_some() {
        object.object(run, Word::contextLength, |run, object| {
            object.count(run, Word::limit, limit);
            object.count(run, Word::requested, requested);
        });
    }
    end(run, object, metadata);
    Ok(())
}
