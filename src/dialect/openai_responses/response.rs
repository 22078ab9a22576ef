//! Whole responses (WIRE §2.6, §2.7).

use super::messages;
use super::write_messages::write_assistant;
use crate::dialect::shared::finish::{self, Reasons};
use crate::dialect::shared::usage;
use crate::fit::responses::{Counts, Required};
use crate::format::Format;
use crate::model::{ChatError, Finish, Metadata, Response};
use crate::run::{At, Made, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

/// Statuses, and reasons of incomplete responses, of which one determines the finish (Q132).
pub(super) const FINISH: &[(Word, Finish)] = &[
    (Word::completed, Finish::Stop),
    (Word::max_output_tokens, Finish::Length),
    (Word::content_filter, Finish::ContentFilter),
    (Word::max_messages, Finish::Pause),
    (Word::steered, Finish::Pause),
    (Word::failed, Finish::Error),
    (Word::cancelled, Finish::Error),
    (Word::incomplete, Finish::Other),
    (Word::in_progress, Finish::Other),
    (Word::queued, Finish::Other),
];
const STATUSES: &[Word] =
    &[Word::completed, Word::failed, Word::cancelled, Word::incomplete, Word::in_progress, Word::queued];

pub const REQUIRED: &Required = &Required {
    // distinguishes this format's responses from those of the provider's other format
    mark: Some(Word::object),
    id: Some("resp_toolwire"),
    model: Some(""),
    fields: &FIELDS,
    start: FIELDS.split_at(1).1,
    echoed: ECHOED,
    joined_text: Some(Word::output_text),
    failure: Some((Word::failed, FAILED)),
    opening: Some((Word::response_created, super::stream_missing::CREATED_FOR_CLIENTS)),
    counts: Counts { key: Some(Word::usage), details: true, ..Required::NOTHING.counts },
    reasons: Some(&Reasons::of(Word::status, FINISH, Word::completed)),
    ..Required::NOTHING
};

pub fn required(_: &Format) -> &'static Required {
    REQUIRED
}
pub(super) const FAILED: &str = "the response failed";
/// All that Open Responses requires (<https://www.openresponses.org/reference>, `ResponseResource`), and the SDK's types.
const FIELDS: [(Word, Made); 26] = [
    (Word::error, Made::Null),
    (Word::created_at, Made::Time(Word::created)),
    (Word::completed_at, Made::Null),
    (Word::instructions, Made::Null),
    (Word::metadata, Made::Object(&[])),
    (Word::temperature, Made::Number(1.0)),
    (Word::top_p, Made::Number(1.0)),
    (Word::presence_penalty, Made::Number(0.0)),
    (Word::frequency_penalty, Made::Number(0.0)),
    (Word::top_logprobs, Made::Number(0.0)),
    (Word::parallel_tool_calls, Made::True),
    (Word::tool_choice, Made::Text("auto")),
    (Word::tools, Made::EmptyList),
    (Word::text, Made::Object(&[(Word::format, Made::Typed(Word::text))])),
    (Word::truncation, Made::Text("disabled")),
    (Word::reasoning, Made::Null),
    (Word::max_output_tokens, Made::Null),
    (Word::max_tool_calls, Made::Null),
    (Word::previous_response_id, Made::Null),
    (Word::store, Made::False),
    (Word::background, Made::False),
    (Word::service_tier, Made::Text("default")),
    (Word::user, Made::Null),
    (Word::safety_identifier, Made::Null),
    (Word::prompt_cache_key, Made::Null),
    (Word::access_programs, Made::Null),
];
/// Those of them that a request may have, and the model.
const ECHOED: &[Word] = &[
    Word::model,
    Word::instructions,
    Word::metadata,
    Word::temperature,
    Word::top_p,
    Word::presence_penalty,
    Word::frequency_penalty,
    Word::top_logprobs,
    Word::parallel_tool_calls,
    Word::tool_choice,
    Word::tools,
    Word::text,
    Word::truncation,
    Word::reasoning,
    Word::max_output_tokens,
    Word::max_tool_calls,
    Word::previous_response_id,
    Word::store,
    Word::background,
    Word::service_tier,
    Word::user,
    Word::safety_identifier,
    Word::prompt_cache_key,
];

pub(super) const USAGE: &usage::Names = &usage::Names {
    input: Word::input_tokens,
    output: Word::output_tokens,
    total: Word::total_tokens,
    input_details: Word::input_tokens_details,
    output_details: Word::output_tokens_details,
    always_details: true,
};

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut forms = Metadata::default();
    // distinguishes this format's responses from those of the provider's other format
    let object = reading.take_any(Word::object).unwrap_or_else(|| run.store.word_value(Word::omitted));
    forms.add_form(Word::object, object);
    let id = reading.string(run, Word::id)?;
    let model = reading.string(run, Word::model)?;
    let usage = reading.read(run, Word::usage, |run, value, at| usage::read(run, value, at, USAGE))?;
    let message = messages::take_output(run, &mut reading)?;
    let (raw_finish, finish_at) = read_status(run, &mut reading, &mut forms)?;
    let finish = finish::read(run, FINISH, raw_finish, message.has_calls()).with_refusal(message.refuses());
    let error = read_error(run, &reading)?;
    let mut metadata = reading.rest();
    metadata.append(forms);
    Ok(Response { at: At::ROOT, id, model, message, finish, raw_finish, finish_at, usage, error, metadata })
}

/// The status; for an incomplete response the reason, if there is one.
pub(super) fn read_status(run: &mut Run, reading: &mut Reading, forms: &mut Metadata) -> Result<(Option<Value>, At)> {
    let at = run.down(reading.at(), Word::status);
    let status = reading.string(run, Word::status)?;
    if status.is_none() {
        reading.note_omitted(run, Word::status);
    }
    let Some((details, details_at)) = reading.take_at(run, Word::incomplete_details) else {
        reading.note_omitted(run, Word::incomplete_details);
        return Ok((status, at));
    };
    let mut details = run.object(details, details_at)?;
    let reason = details.string(run, Word::reason)?;
    details.rest_into(run, Word::incomplete_details, forms);
    let is_incomplete = status.is_some_and(|status| run.store.word(status) == Word::incomplete);
    if is_incomplete && reason.is_some() {
        return Ok((reason, run.down(details_at, Word::reason)));
    }
    // a reason beside another status does not describe the end
    forms.add_form(Word::reason, reason.unwrap_or_else(|| run.store.word_value(Word::omitted)));
    Ok((status, at))
}

/// The seed of ids for a response's items that have none: the response's own id, if known.
pub(super) fn seed(run: &Run, id: Option<Value>) -> String {
    const LONGEST: usize = 48;
    let id = id.map(|id| run.store.text(id).chars().take(LONGEST).collect::<String>()).unwrap_or_default();
    if id.is_empty() { "answer".to_owned() } else { id }
}

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at, id, model, message, finish: _, raw_finish, finish_at: _, usage, error, metadata } = response;
    let mut object = run.begin();
    object.option(run, Word::id, *id);
    match metadata.form(Word::object) {
        Some(form) if run.store.word(form) == Word::omitted => {}
        Some(form) => object.put(run, Word::object, form),
        None => object.word(run, Word::object, Word::response),
    }
    object.option(run, Word::model, *model);
    let is_whole = write_status(run, &mut object, *raw_finish, metadata);
    object.key(run, Word::output);
    run.store.begin_array();
    let seed = seed(run, *id);
    write_assistant(run, message, Some((&seed, if is_whole { Word::completed } else { Word::incomplete })))?;
    run.store.end_array();
    if let Some(usage) = usage {
        object.key(run, Word::usage);
        usage::write(run, usage, USAGE);
    } else if metadata.made().iter().any(|(word, _)| *word == Word::usage) {
        object.null(run, Word::usage);
    }
    if let Some(error) = error
        && metadata.own_field(Word::error).is_none()
    {
        object.object(run, Word::error, |run, object| put_error(run, object, error));
    }
    object.end(run, metadata, *at);
    Ok(())
}

/// Writes status and reason. Returns whether the response is complete.
pub(super) fn write_status(run: &mut Run, object: &mut Writing, finish: Option<Value>, metadata: &Metadata) -> bool {
    let word = finish.map_or(Word::completed, |finish| run.store.word(finish));
    // an unknown word is a status if there was no reason
    let has_no_reason = [Word::reason, Word::incomplete_details].iter().any(|word| metadata.form(*word).is_some());
    let is_reason = FINISH.iter().any(|(known, _)| *known == word) && !STATUSES.contains(&word);
    let is_status = STATUSES.contains(&word) || !is_reason && has_no_reason;
    let is_omitted = |run: &Run, word| run.is_omitted(metadata, word);
    match metadata.form(Word::status) {
        // a response without a status
        Some(form) if word == Word::completed || is_omitted(run, Word::status) => {
            if run.store.kind(form) == Kind::Null {
                object.put(run, Word::status, form);
            }
        }
        _ if is_status => object.option(run, Word::status, finish),
        _ => object.word(run, Word::status, Word::incomplete),
    }
    let reason = if is_status { metadata.form(Word::reason) } else { finish };
    let reason = reason.filter(|reason| run.store.word(*reason) != Word::omitted);
    if is_omitted(run, Word::incomplete_details) && reason.is_none() {
        object.skip(run, Word::incomplete_details);
        return word == Word::completed;
    }
    let has_details = reason.is_some()
        || metadata.form(Word::reason).is_some()
        || metadata.own_field(Word::incomplete_details).is_some();
    if has_details {
        object.object_with_rest(run, metadata, Word::incomplete_details, |run, details| {
            details.option(run, Word::reason, reason)
        });
    } else {
        object.null(run, Word::incomplete_details);
    }
    word == Word::completed
}

/// Why the response failed. The fields are not taken, so that they are written back unchanged.
fn read_error(run: &mut Run, reading: &Reading) -> Result<Option<ChatError>> {
    let Some(value) = reading.peek(Word::error).filter(|error| run.store.kind(*error) == Kind::Object) else {
        return Ok(None);
    };
    let at = run.down(reading.at(), Word::error);
    let error = super::error::read(run, value)?;
    Ok(Some(ChatError { at, metadata: Metadata::default(), ..error }))
}

/// Writes why the response failed.
pub(super) fn put_error(run: &mut Run, object: &mut Writing, error: &ChatError) {
    object.word(run, Word::code, super::error::code(error));
    object.put(run, Word::message, error.message);
}
