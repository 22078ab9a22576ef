//! Whole responses (WIRE §8.5–§8.7).

use super::messages::{read_assistant_value, write_assistant};
use crate::dialect::shared::finish::{self, Ending};
use crate::dialect::shared::turns::Direction;
use crate::dialect::shared::usage::sum;
use crate::model::{Finish, Response, Usage};
use crate::run::{At, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

pub(super) const FINISH: &[(Word, Finish)] = &[
    (Word::stop, Finish::Stop),
    (Word::length, Finish::Length),
    // the request only loaded or unloaded a model
    (Word::load, Finish::Other),
    (Word::unload, Finish::Other),
];

/// A conversion has no clock.
pub(super) const NO_TIME: &str = "1970-01-01T00:00:00Z";
/// Fields that the client's types require of a response, and that other providers do not have.
pub(super) const DEMANDED: &[Word] =
    &[Word::total_duration, Word::load_duration, Word::prompt_eval_duration, Word::eval_duration];

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let mut reading = run.object(body, At::ROOT)?;
    if reading.peek(Word::done).is_some_and(|done| run.store.boolean(done)) {
        reading.take_any(Word::done);
    } else if !reading.has(Word::done) {
        reading.note_omitted(run, Word::done);
    }
    if !reading.has(Word::created_at) {
        reading.note_omitted(run, Word::created_at);
    }
    let model = reading.string(run, Word::model)?;
    let (message, message_at) = reading.require(run, Word::message)?;
    let message = read_assistant_value(run, message, message_at)?;
    let finish_at = run.down(At::ROOT, Word::done_reason);
    let raw_finish = reading.string(run, Word::done_reason)?;
    let has_calls = message.has_calls();
    let finish = finish::read(run, FINISH, raw_finish, has_calls);
    let usage = read_usage(run, &mut reading)?;
    let metadata = reading.rest();
    Ok(Response { at: At::ROOT, id: None, model, message, finish, raw_finish, finish_at, usage, error: None, metadata })
}

/// Reads the counts, which are beside the message.
pub(super) fn read_usage(run: &mut Run, reading: &mut Reading) -> Result<Option<Usage>> {
    let mut usage = Usage::new(reading.at());
    usage.input = reading.count(run, Word::prompt_eval_count);
    usage.output = reading.count(run, Word::eval_count);
    usage.total = sum(&usage);
    Ok(usage.total.is_some().then_some(usage))
}

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at, id, model, message, finish, raw_finish, finish_at, usage, error: _, metadata } = response;
    let is_own = metadata.is_own();
    warn_id(run, *id, *at);
    let mut object = run.begin();
    object.put_or(run, Word::model, *model, (!is_own).then_some(""));
    object.key(run, Word::message);
    write_assistant(run, message, Direction::Response)?;
    if metadata.form(Word::done).is_none() && metadata.family_field(Word::done).is_none() {
        object.boolean(run, Word::done, true);
    }
    let is_all_void = is_own && raw_finish.is_none() && *finish == Finish::Other;
    if !is_all_void {
        let has_calls = message.has_calls();
        let ending = Ending { finish: *finish, raw: *raw_finish, at: *finish_at, has_calls, is_own };
        object.key(run, Word::done_reason);
        finish::put(run, FINISH, &ending);
    }
    write_counts(run, &mut object, usage.as_ref(), !is_own);
    // last, as in the order of fields when this is converted back and forth
    if !is_own {
        object.text(run, Word::created_at, NO_TIME);
        for word in DEMANDED {
            object.number(run, *word, 0.0);
        }
    }
    object.end(run, metadata, *at);
    Ok(())
}

/// Warns about the id: responses have none here.
pub(super) fn warn_id(run: &mut Run, id: Option<Value>, at: At) {
    if id.is_some() {
        let at = run.down(at, run.route.from.format().response_id);
        run.warn(WarningCode::StateDropped, at, "responses of the target have no id");
    }
}

/// Writes the counts. With `demanded`, unknown ones are written too.
pub(super) fn write_counts(run: &mut Run, object: &mut Writing, usage: Option<&Usage>, demanded: bool) {
    let (input, output) = usage.map_or((None, None), |usage| (usage.input, usage.output));
    for (word, count) in [(Word::prompt_eval_count, input), (Word::eval_count, output)] {
        object.count(run, word, count.or(demanded.then_some(0.0)));
    }
    if let Some(usage) = usage {
        warn_parts(run, usage);
        run.warn_metadata(&usage.metadata, usage.at);
    }
}

/// Warns about detailed counts, for which the format has no fields.
fn warn_parts(run: &mut Run, usage: &Usage) {
    let counts =
        [(Word::cached, usage.cached), (Word::cacheWrite, usage.cache_write), (Word::reasoning, usage.reasoning)];
    for (word, _) in counts.into_iter().filter(|(_, count)| count.is_some_and(|count| count > 0.0)) {
        let at = run.canonical_or(usage.at, word);
        run.warn(WarningCode::StateDropped, at, "the target does not report these tokens separately");
    }
}
