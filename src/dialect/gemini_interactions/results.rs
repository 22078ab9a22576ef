//! Results (WIRE §15.5): a text, an object, or contents; an error is marked.

use super::contents::{is_content, read_content, write_content};
use super::write_steps::put_step;
use crate::dialect::shared::outcome;
use crate::dialect::shared::shapes::{Absent, Field, Id, Presence};
use crate::model::{Message, Outcome, ToolResult};
use crate::run::{At, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

const ID: Id = Id { key: Word::call_id, form: Word::call_id, presence: Presence::Usual };
const IS_ERROR: Field = Field { key: Word::is_error, kind: Kind::Boolean, absent: Absent::OmittedIfFalse };

pub fn read(run: &mut Run, value: Value, at: At) -> Result<ToolResult> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let id = ID.take(run, &mut reading)?;
    let name = match reading.string(run, Word::name)? {
        Some(name) => name,
        None => {
            reading.note_omitted(run, Word::name);
            run.store.string("")
        }
    };
    let is_error = IS_ERROR.take(run, &mut reading)?.is_some_and(|(flag, _)| run.store.boolean(flag));
    let (result, result_at) = reading.require(run, Word::result)?;
    let outcome = match run.store.kind(result) {
        Kind::String if is_error => Outcome::Error(result),
        Kind::String => outcome::read_text(run, result),
        Kind::Object => Outcome::Data { value: result, is_error },
        Kind::Array if run.list(result).into_iter().all(|part| is_content(run, part)) => {
            Outcome::Multimodal { blocks: run.each(result, result_at, read_content)?, is_error }
        }
        Kind::Array => {
            reading.note(Word::result, run.store.boolean_value(true));
            Outcome::Data { value: result, is_error }
        }
        _ => return run.wrong_type(result, result_at, "a string, an object or an array"),
    };
    Ok(ToolResult { at, id, name, outcome, metadata: reading.rest_in(run, Word::step) })
}

/// Whether results are among contents of the user, where `@ai-sdk/google` has them.
pub fn are_in_user_input(run: &mut Run, step: Value) -> bool {
    if run.type_of(step) != Word::user_input {
        return false;
    }
    let content = run.member(step, Word::content);
    let contents = content.filter(|content| run.store.kind(*content) == Kind::Array).map(|list| run.list(list));
    contents.into_iter().flatten().any(|content| run.type_of(content) == Word::function_result)
}

/// Records that a result was among contents of the user, and whether it was the first of them.
pub fn note_user_input(run: &mut Run, result: &mut ToolResult, is_first: bool) {
    result.metadata.add_form(Word::user_input, run.store.boolean_value(is_first));
}

/// Whether a result was among contents of the user: the first of them, or another.
fn in_user_input(run: &Run, message: &Message) -> Option<bool> {
    let Message::Tool(result) = message else { return None };
    result.metadata.form(Word::user_input).map(|form| run.store.boolean(form))
}

/// The messages whose steps are one: results that were contents of one step, and any other message by itself.
pub fn steps<'a>(run: &Run, messages: &'a [Message]) -> Vec<&'a [Message]> {
    messages.chunk_by(|_, next| in_user_input(run, next) == Some(false)).collect()
}

/// Writes the results of a step of the user. False if the step is another one, which is not written.
pub fn write_user_input(run: &mut Run, messages: &[Message]) -> Result<bool> {
    if messages.first().and_then(|first| in_user_input(run, first)) != Some(true) {
        return Ok(false);
    }
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::user_input);
    object.key(run, Word::content);
    run.store.begin_array();
    for message in messages {
        if let Message::Tool(result) = message {
            write(run, result)?;
        }
    }
    run.store.end_array();
    object.close(run);
    Ok(true)
}

pub fn write(run: &mut Run, result: &ToolResult) -> Result<()> {
    let ToolResult { at, id, name, outcome, metadata } = result;
    let mut object = run.begin_inside(metadata, Word::step);
    object.word(run, Word::r#type, Word::function_result);
    ID.put(run, &mut object, *id, metadata);
    let name = match object.form(run, metadata, Word::name) {
        Some(form) => Some(form).filter(|form| run.store.word(*form) != Word::omitted),
        None => Some(*name).filter(|name| !run.store.is_empty(*name)),
    };
    object.option(run, Word::name, name);
    IS_ERROR.put_flag(run, &mut object, Some(outcome.is_error()), metadata);
    write_outcome(run, &mut object, result)?;
    put_step(run, &mut object, metadata);
    object.end(run, metadata, *at);
    Ok(())
}

fn write_outcome(run: &mut Run, object: &mut Writing, result: &ToolResult) -> Result<()> {
    let ToolResult { at, outcome, metadata, .. } = result;
    object.key(run, Word::result);
    match outcome {
        Outcome::Text(text) | Outcome::Error(text) => run.store.put(*text),
        Outcome::Data { value, .. } => match run.store.kind(*value) {
            Kind::Object => run.store.put(*value),
            Kind::Array if metadata.form(Word::result).is_some() => run.store.put(*value),
            _ => run.put_data_text(*value, *at)?,
        },
        Outcome::Multimodal { blocks, .. } => run.put_each(blocks, write_content),
    }
    Ok(())
}
