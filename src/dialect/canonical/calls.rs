//! Calls in the canonical format and in the report format, which differ only in a few keys.

use super::{finish, peek_raw_arguments, put_metadata, take_metadata};
use crate::model::{Arguments, Call};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

/// The differences between the two formats.
pub struct CallForm {
    pub calls: Word,
    pub invalid_calls: Word,
    pub raw_arguments: Word,
    pub metadata: Word,
    pub read_arguments: fn(&mut Run, Option<Value>, At) -> Result<Arguments>,
}

pub const CANONICAL: CallForm = CallForm {
    calls: Word::toolCalls,
    invalid_calls: Word::invalidToolCalls,
    raw_arguments: Word::rawArguments,
    metadata: Word::metadata,
    read_arguments: require_object,
};

fn require_object(run: &mut Run, value: Option<Value>, at: At) -> Result<Arguments> {
    let value = run.present(value, at)?;
    Ok(Arguments::Object { value: run.plain_object(value, at)?, raw: None })
}

/// Takes both lists of calls.
pub fn take_calls(run: &mut Run, reading: &mut Reading, form: &CallForm) -> Result<Vec<Call>> {
    let mut calls = Vec::new();
    for (word, is_invalid) in [(form.calls, false), (form.invalid_calls, true)] {
        for (call, at) in reading.elements(run, word)? {
            calls.push(read_call(run, (call, at), form, is_invalid)?);
        }
    }
    Ok(calls)
}

pub fn read_call(run: &mut Run, (value, at): (Value, At), form: &CallForm, is_invalid: bool) -> Result<Call> {
    let mut reading = run.object(value, at)?;
    let id = reading.require_string(run, Word::id)?;
    let name = reading.require_string(run, Word::name)?;
    let arguments = if is_invalid {
        let raw = reading.require_string(run, form.raw_arguments)?;
        Arguments::Invalid { raw, error: reading.string_or_empty(run, Word::error)? }
    } else {
        read_arguments(run, &mut reading, form)?
    };
    let metadata = take_metadata(run, &mut reading, form.metadata)?;
    finish(run, reading);
    Ok(Call { at, id, name, arguments, metadata })
}

fn read_arguments(run: &mut Run, reading: &mut Reading, form: &CallForm) -> Result<Arguments> {
    let given = reading.take_any(Word::arguments);
    let at = run.down(reading.at(), Word::arguments);
    Ok(match (form.read_arguments)(run, given, at)? {
        Arguments::Object { value, raw: None } => {
            let raw = peek_raw_arguments(run, reading, form.metadata).filter(|raw| still_means(run, *raw, value));
            Arguments::Object { value, raw }
        }
        arguments => arguments,
    })
}

/// Whether the original argument text still has the same value as the arguments.
fn still_means(run: &mut Run, raw: Value, arguments: Value) -> bool {
    if run.store.kind(raw) != Kind::String {
        return false;
    }
    match run.store.parse(raw) {
        Ok(parsed) => {
            // what the text contains was reported when it was first read
            run.store.take_notices().clear();
            // the text `null` means no arguments
            run.store.same(parsed, arguments) || run.store.kind(parsed) == Kind::Null && run.is_void(arguments)
        }
        Err(_) => false,
    }
}

pub fn is_invalid(call: &Call) -> bool {
    matches!(call.arguments, Arguments::Invalid { .. })
}

/// Writes both lists of calls, each if it has calls or is required.
pub fn write_calls<'a>(
    run: &mut Run,
    object: &mut Writing,
    calls: impl Iterator<Item = &'a Call>,
    form: &CallForm,
    required: [bool; 2],
) {
    let (invalid, valid): (Vec<_>, Vec<_>) = calls.partition(|call| is_invalid(call));
    for ((word, calls), is_required) in [(form.calls, valid), (form.invalid_calls, invalid)].into_iter().zip(required) {
        if is_required || !calls.is_empty() {
            object.each(run, word, calls, |run, call| write_call(run, call, form));
        }
    }
}

pub fn write_call(run: &mut Run, call: &Call, form: &CallForm) {
    let Call { at: _, id, name, arguments, metadata } = call;
    let mut object = run.begin();
    object.put(run, Word::id, *id);
    object.put(run, Word::name, *name);
    let mut kept = None;
    match arguments {
        Arguments::Object { value, raw } => {
            object.put(run, Word::arguments, *value);
            kept = raw.filter(|raw| run.store.is_raw_form(*raw, *value));
        }
        Arguments::Invalid { raw, error } => {
            object.put(run, form.raw_arguments, *raw);
            object.put(run, Word::error, *error);
        }
    }
    put_metadata(run, metadata, kept, form.metadata);
    object.close(run);
}
