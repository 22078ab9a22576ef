//! `UniversalToolCall`: `{id, name, arguments, raw_context}`, and calls whose arguments are no JSON object.

use crate::dialect::canonical::messages::still_means;
use crate::dialect::canonical::{finish, peek_raw_arguments, put_metadata, take_metadata};
use crate::dialect::shared::arguments;
use crate::model::{Arguments, Call};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

pub fn read_calls(run: &mut Run, reading: &mut Reading) -> Result<Vec<Call>> {
    let mut calls = Vec::new();
    if let Some((list, at)) = reading.take_at(run, Word::tool_calls) {
        for (call, at) in run.elements(list, at)? {
            calls.push(read_call(run, call, at)?);
        }
    }
    if let Some((list, at)) = reading.take_at(run, Word::invalid_tool_calls) {
        for (call, at) in run.elements(list, at)? {
            calls.push(read_invalid_call(run, call, at)?);
        }
    }
    Ok(calls)
}

fn read_call(run: &mut Run, value: Value, at: At) -> Result<Call> {
    let mut reading = run.object(value, at)?;
    let id = reading.require_string(run, Word::id)?;
    let name = reading.require_string(run, Word::name)?;
    let given = reading.take_any(Word::arguments);
    let arguments_at = run.down(at, Word::arguments);
    let raw = peek_raw_arguments(run, &reading, Word::raw_context);
    let arguments = match arguments::read(run, given, arguments_at)? {
        Arguments::Object { value, raw: None } => {
            Arguments::Object { value, raw: raw.filter(|raw| still_means(run, *raw, value)) }
        }
        arguments => arguments,
    };
    let metadata = take_metadata(run, &mut reading, Word::raw_context)?;
    finish(run, reading);
    Ok(Call { at, id, name, arguments, metadata })
}

fn read_invalid_call(run: &mut Run, value: Value, at: At) -> Result<Call> {
    let mut reading = run.object(value, at)?;
    let id = reading.require_string(run, Word::id)?;
    let name = reading.require_string(run, Word::name)?;
    let raw = reading.require_string(run, Word::raw_arguments)?;
    let error = match reading.string(run, Word::error)? {
        Some(error) => error,
        None => run.store.string(""),
    };
    let metadata = take_metadata(run, &mut reading, Word::raw_context)?;
    finish(run, reading);
    Ok(Call { at, id, name, arguments: Arguments::Invalid { raw, error }, metadata })
}

/// Writes the two arrays; the second only where there are such calls.
pub fn write_calls<'a>(run: &mut Run, object: &mut Writing, calls: impl Iterator<Item = &'a Call>) {
    let (invalid, valid): (Vec<_>, Vec<_>) =
        calls.partition(|call| matches!(call.arguments, Arguments::Invalid { .. }));
    for (word, calls) in [(Word::tool_calls, valid), (Word::invalid_tool_calls, invalid)] {
        if calls.is_empty() && word == Word::invalid_tool_calls {
            continue;
        }
        object.key(run, word);
        run.store.begin_array();
        for call in calls {
            write_call(run, call);
        }
        run.store.end_array();
    }
}

fn write_call(run: &mut Run, call: &Call) {
    let Call { at: _, id, name, arguments, metadata } = call;
    let mut object = run.begin();
    object.put(run, Word::id, *id);
    object.put(run, Word::name, *name);
    let mut kept = None;
    match arguments {
        Arguments::Object { value, raw } => {
            object.put(run, Word::arguments, *value);
            kept = raw.filter(|raw| run.store.kind(*value) == Kind::Object && run.store.is_raw_form(*raw, *value));
        }
        Arguments::Invalid { raw, error } => {
            object.put(run, Word::raw_arguments, *raw);
            object.put(run, Word::error, *error);
        }
    }
    put_metadata(run, metadata, kept, Word::raw_context);
    object.close(run);
}
