//! Whole responses (WIRE §2.6, §2.7).

use super::messages;
use super::write_messages::Items;
use crate::dialect::shared::finish::{self, Ending};
use crate::dialect::shared::openai_items::put_time;
use crate::dialect::shared::usage;
use crate::model::{Assistant, ChatError, Content, Finish, Metadata, Response, Usage};
use crate::run::{At, Reading, Result, Run, Writing};
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

const USAGE: &usage::Names = &usage::Names {
    input: Word::input_tokens,
    output: Word::output_tokens,
    total: Word::total_tokens,
    input_details: Word::input_tokens_details,
    output_details: Word::output_tokens_details,
    always_details: true,
};

pub(super) fn read_usage(run: &mut Run, value: Value, at: At) -> Result<Usage> {
    usage::read(run, value, at, USAGE)
}

pub(super) fn write_usage(run: &mut Run, usage: &Usage, is_own: bool) {
    usage::write(run, usage, USAGE, is_own);
}

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut forms = Metadata::default();
    // distinguishes this format's responses from those of the provider's other format
    let object = reading.take_any(Word::object).unwrap_or_else(|| run.store.word_value(Word::omitted));
    forms.add_form(Word::object, object);
    let id = reading.string(run, Word::id)?;
    let model = reading.string(run, Word::model)?;
    let usage = reading.read(run, Word::usage, read_usage)?;
    let (output, output_at) = reading.require(run, Word::output)?;
    let blocks = messages::read_output(run, output, output_at)?;
    let message =
        Assistant { at: output_at, content: Content::Blocks(blocks), calls: Vec::new(), metadata: Metadata::default() };
    let (raw_finish, finish_at) = read_status(run, &mut reading, &mut forms)?;
    let has_calls = message.has_calls();
    let finish = match finish::read(run, FINISH, raw_finish, has_calls) {
        Finish::Stop if message.refuses() => Finish::Refusal,
        finish => finish,
    };
    let error = read_error(run, &reading)?;
    let mut metadata = reading.rest();
    metadata.append(forms);
    Ok(Response { at: At::ROOT, id, model, message, finish, raw_finish, finish_at, usage, error, metadata })
}

/// The status; for an incomplete response the reason, if there is one.
pub(super) fn read_status(run: &mut Run, reading: &mut Reading, forms: &mut Metadata) -> Result<(Option<Value>, At)> {
    let at = run.down(reading.at(), Word::status);
    let status = reading.string(run, Word::status)?;
    if status.is_none() && !reading.has_form(Word::status) {
        forms.add_form(Word::status, run.store.word_value(Word::omitted));
    }
    let Some((details, details_at)) = reading.take_at(run, Word::incomplete_details) else {
        if !reading.has_form(Word::incomplete_details) {
            forms.add_form(Word::incomplete_details, run.store.word_value(Word::omitted));
        }
        return Ok((status, at));
    };
    let mut details = run.object(details, details_at)?;
    let reason = details.string(run, Word::reason)?;
    details.rest_into(run, Word::incomplete_details, forms);
    let is_incomplete = status.is_some_and(|status| run.store.word(status) == Word::incomplete);
    match reason {
        Some(reason) if is_incomplete => Ok((Some(reason), run.down(details_at, Word::reason))),
        Some(reason) => {
            // a reason beside another status does not describe the end
            forms.add_form(Word::reason, reason);
            Ok((status, at))
        }
        None => {
            forms.add_form(Word::reason, run.store.word_value(Word::omitted));
            Ok((status, at))
        }
    }
}

/// The seed of ids for a response's items that have none: the response's own id, if known.
pub(super) fn seed(run: &Run, id: Option<Value>) -> String {
    const LONGEST: usize = 48;
    let id = id.map(|id| run.store.text(id).chars().take(LONGEST).collect::<String>()).unwrap_or_default();
    if id.is_empty() { "answer".to_owned() } else { id }
}

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at, id, model, message, finish, raw_finish, finish_at, usage, error, metadata } = response;
    let is_own = metadata.form(Word::object).is_some();
    let mut object = run.begin();
    object.put_or(run, Word::id, *id, (!is_own).then_some("resp_toolwire"));
    match metadata.form(Word::object) {
        Some(form) if run.store.word(form) == Word::omitted => {}
        Some(form) => object.put(run, Word::object, form),
        None => object.word(run, Word::object, Word::response),
    }
    object.put_or(run, Word::model, *model, (!is_own).then_some(""));
    let has_calls = message.has_calls();
    let finish = if *finish == Finish::Refusal && message.refuses() { Finish::Stop } else { *finish };
    let ending = Ending { finish, raw: *raw_finish, at: *finish_at, has_calls, is_own };
    let finish_value = run.build(|run| finish::put(run, FINISH, &ending));
    let is_whole = write_status(run, &mut object, finish_value, metadata, is_own);
    object.key(run, Word::output);
    run.store.begin_array();
    let seed = seed(run, *id);
    Items::of_answer(seed, is_whole).write(run, message)?;
    run.store.end_array();
    if let Some(usage) = usage {
        object.key(run, Word::usage);
        write_usage(run, usage, is_own);
    }
    let has_error = is_own && metadata.family_field(Word::error).is_some();
    if !has_error && (!is_own || error.is_some()) {
        write_error(run, &mut object, finish_value, error.as_ref());
    }
    if !is_own {
        fill(run, &mut object, metadata, false);
    }
    object.end(run, metadata, *at);
    Ok(())
}

/// Writes status and reason. Returns whether the response is complete.
pub(super) fn write_status(
    run: &mut Run,
    object: &mut Writing,
    finish_value: Value,
    metadata: &Metadata,
    is_own: bool,
) -> bool {
    let word = run.store.word(finish_value);
    // an unknown word is a status if there was no reason
    let has_no_reason = [Word::reason, Word::incomplete_details].iter().any(|word| metadata.form(*word).is_some());
    let is_reason = FINISH.iter().any(|(known, _)| *known == word) && !STATUSES.contains(&word);
    let is_status = STATUSES.contains(&word) || is_own && !is_reason && has_no_reason;
    let is_omitted = |run: &Run, word| run.is_omitted(metadata, word);
    match metadata.form(Word::status) {
        // a response without a status
        Some(form) if is_own && (word == Word::completed || is_omitted(run, Word::status)) => {
            if run.store.kind(form) == Kind::Null {
                object.put(run, Word::status, form);
            }
        }
        _ if is_status => object.put(run, Word::status, finish_value),
        _ => object.word(run, Word::status, Word::incomplete),
    }
    let reason = if is_status { metadata.form(Word::reason).filter(|_| is_own) } else { Some(finish_value) };
    let reason = reason.filter(|reason| run.store.word(*reason) != Word::omitted);
    if is_own && is_omitted(run, Word::incomplete_details) && reason.is_none() {
        object.skip(run, Word::incomplete_details);
        return word == Word::completed;
    }
    let has_details = reason.is_some()
        || is_own
            && (metadata.form(Word::reason).is_some() || metadata.family_field(Word::incomplete_details).is_some());
    if has_details {
        object.object_with_rest(run, metadata, Word::incomplete_details, |run, details| {
            details.option(run, Word::reason, reason)
        });
    } else {
        object.null(run, Word::incomplete_details);
    }
    word == Word::completed
}

/// Fields that the client's types require of every response.
pub(super) fn fill(run: &mut Run, object: &mut Writing, metadata: &Metadata, is_own: bool) {
    let has = |word: Word| is_own && (metadata.own_field(word).is_some() || metadata.form(word).is_some());
    if !has(Word::created_at) {
        put_time(run, object, metadata, Word::created_at, Word::created);
    }
    for word in [Word::instructions, Word::metadata, Word::temperature, Word::top_p] {
        if !has(word) {
            object.null(run, word);
        }
    }
    if !has(Word::parallel_tool_calls) {
        object.boolean(run, Word::parallel_tool_calls, true);
    }
    if !has(Word::tool_choice) {
        object.word(run, Word::tool_choice, Word::auto);
    }
    if !has(Word::tools) {
        object.list(run, Word::tools, &[]);
    }
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

/// Writes why the response failed; `null` if it did not.
pub(super) fn write_error(run: &mut Run, object: &mut Writing, finish_value: Value, error: Option<&ChatError>) {
    object.key(run, Word::error);
    let (code, message) = match error {
        Some(error) => (super::error::code(error), error.message),
        None if run.store.word(finish_value) == Word::failed => {
            (Word::server_error, run.store.string("the response failed"))
        }
        None => return run.store.put_null(),
    };
    let mut object = run.begin();
    object.word(run, Word::code, code);
    object.put(run, Word::message, message);
    object.close(run);
}
