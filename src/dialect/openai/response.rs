//! Whole responses (WIRE §1.3, §1.6, §1.7).

use super::messages::{read_assistant_value, write_assistant};
use crate::dialect::shared::choices;
use crate::dialect::shared::finish::{self, Reasons};
use crate::dialect::shared::usage;
use crate::fit::responses::{Counts, Required};
use crate::format::Format;
use crate::model::{Finish, Metadata, Response};
use crate::run::{At, ErrorCode, Made, Reading, Result, Run};
use crate::value::{Value, Word};

const FINISH: &[(Word, Finish)] = &[
    (Word::stop, Finish::Stop),
    (Word::length, Finish::Length),
    (Word::tool_calls, Finish::ToolCalls),
    (Word::function_call, Finish::ToolCalls),
    (Word::content_filter, Finish::ContentFilter),
];

/// Those of Mistral, which has none for filtered content (WIRE §6.6).
const MISTRAL_FINISH: &[(Word, Finish)] = &[
    (Word::stop, Finish::Stop),
    (Word::length, Finish::Length),
    (Word::model_length, Finish::Length),
    (Word::error, Finish::Error),
    (Word::tool_calls, Finish::ToolCalls),
];

/// The finish reasons of a format.
pub(super) fn reasons(format: &Format) -> &'static [(Word, Finish)] {
    if format.chunks { MISTRAL_FINISH } else { FINISH }
}

pub const REQUIRED: &Required = &Required {
    id: Some("chatcmpl-toolwire"),
    model: Some(""),
    fields: &[(Word::choice, Made::NullInside(Word::logprobs)), (Word::created, Made::Time(Word::created_at))],
    start: &[(Word::created, Made::Time(Word::created_at))],
    reasons: Some(&Reasons::of(Word::finish_reason, FINISH, Word::stop)),
    ..Required::NOTHING
};

const MISTRAL: &Required = &Required {
    id: Some("cmpl-toolwire"),
    model: Some(""),
    fields: REQUIRED.start,
    start: REQUIRED.start,
    counts: Counts { always: true, sums: true, ..Required::NOTHING.counts },
    reasons: Some(&Reasons::of(Word::finish_reason, MISTRAL_FINISH, Word::stop)),
    ..Required::NOTHING
};

pub fn required(format: &Format) -> &'static Required {
    if format.chunks { MISTRAL } else { REQUIRED }
}

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let mut reading = run.object(body, At::ROOT)?;
    reading.take_usual(run, Word::object, Word::chat_completion);
    if !reading.has(Word::created) {
        reading.note_omitted(run, Word::created);
    }
    let id = reading.string(run, Word::id)?;
    let model = reading.string(run, Word::model)?;
    let usage = reading.read(run, Word::usage, |run, value, at| usage::read(run, value, at, USAGE))?;
    let (choices, choices_at) = reading.require(run, Word::choices)?;
    let mut answers = run.elements(choices, choices_at)?;
    let Some((first, first_at)) = answers.next() else {
        return run.fail(ErrorCode::InvalidValue, choices_at, "expected at least one choice");
    };
    let mut metadata = Metadata::default();
    choices::keep_others(run, answers, &mut metadata);
    let mut choice = run.object(first, first_at)?;
    check_case(run, &choice)?;
    let (message, message_at) = choice.require(run, Word::message)?;
    let message = read_assistant_value(run, message, message_at)?;
    let finish_at = run.down(first_at, Word::finish_reason);
    let raw_finish = choice.string(run, Word::finish_reason)?;
    let finish = finish::read(run, reasons(run.route.from.format()), raw_finish, message.has_calls())
        .with_refusal(message.refuses());
    choices::take_first_index(run, &mut choice);
    choice.rest_into(run, Word::choice, &mut metadata);
    let mut rest = reading.rest();
    rest.append(metadata);
    Ok(Response { at: At::ROOT, id, model, message, finish, raw_finish, finish_at, usage, error: None, metadata: rest })
}

/// Refuses a choice as Mistral's client has it, which renames the keys of what it receives.
pub(super) fn check_case(run: &mut Run, choice: &Reading) -> Result<()> {
    if !run.route.from.format().chunks || !choice.has(Word::finishReason) {
        return Ok(());
    }
    let at = run.down(choice.at(), Word::finishReason);
    run.fail(ErrorCode::InvalidValue, at, CLIENTS_OBJECT)
}

pub(super) const CLIENTS_OBJECT: &str =
    "this is an object of Mistral's client, in camel case: expected the body that the client received";

pub(super) const USAGE: &usage::Names = &usage::Names {
    input: Word::prompt_tokens,
    output: Word::completion_tokens,
    total: Word::total_tokens,
    input_details: Word::prompt_tokens_details,
    output_details: Word::completion_tokens_details,
    always_details: false,
};

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at, id, model, message, finish: _, raw_finish, finish_at: _, usage, error: _, metadata } = response;
    let mut object = run.begin();
    object.option(run, Word::id, *id);
    object.usual(run, metadata, Word::object, Word::chat_completion);
    object.option(run, Word::model, *model);
    object.key(run, Word::choices);
    run.store.begin_array();
    let mut choice = run.begin_inside(metadata, Word::choice);
    choices::put_index(run, &mut choice, metadata);
    choice.key(run, Word::message);
    write_assistant(run, message)?;
    choice.put_or_null(run, Word::finish_reason, *raw_finish);
    choice.add_nested(run, metadata, Word::choice);
    choice.close(run);
    choices::put_others(run, metadata, *at)?;
    run.store.end_array();
    if metadata.own_field(Word::choices).is_some() {
        object.skip(run, Word::choices);
    }
    object.skip(run, Word::choice);
    object.written(run, Word::usage, usage.as_ref(), |run, usage| usage::write(run, usage, USAGE));
    object.end(run, metadata, *at);
    Ok(())
}
