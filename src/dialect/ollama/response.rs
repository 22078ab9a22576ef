//! Whole responses (WIRE §8.5–§8.7).

use super::messages::{read_assistant_value, write_assistant};
use crate::dialect::shared::finish::{self, Optional, Reasons};
use crate::dialect::shared::usage::sum;
use crate::fit::responses::{Counts, Required};
use crate::format::Format;
use crate::model::{Finish, Response, Usage};
use crate::run::{At, Fields, Made, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

pub(super) const FINISH: &[(Word, Finish)] = &[
    (Word::stop, Finish::Stop),
    (Word::length, Finish::Length),
    // the request only loaded or unloaded a model
    (Word::load, Finish::Other),
    (Word::unload, Finish::Other),
];

pub const REQUIRED: &Required = &Required {
    lacks_id: true,
    model: Some(""),
    fields: &FIELDS,
    start: FIELDS.split_at(1).0,
    counts: Counts {
        always: true,
        sums: true,
        missing: NO_COUNTS,
        end: FIELDS.split_at(1).1,
        ..Required::NOTHING.counts
    },
    reasons: Some(&Reasons { optional: Optional::Always, ..Reasons::of(Word::done_reason, FINISH, Word::stop) }),
    ..Required::NOTHING
};

pub fn required(_: &Format) -> &'static Required {
    REQUIRED
}
const NO_COUNTS: &Fields = &[(Word::prompt_eval_count, Made::Number(0.0)), (Word::eval_count, Made::Number(0.0))];
const FIELDS: [(Word, Made); 5] = [
    // a conversion has no clock
    (Word::created_at, Made::Text("1970-01-01T00:00:00Z")),
    (Word::total_duration, Made::Number(0.0)),
    (Word::load_duration, Made::Number(0.0)),
    (Word::prompt_eval_duration, Made::Number(0.0)),
    (Word::eval_duration, Made::Number(0.0)),
];

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
    let Response { at, id: _, model, message, finish: _, raw_finish, finish_at: _, usage, error: _, metadata } =
        response;
    let mut object = run.begin();
    object.option(run, Word::model, *model);
    object.key(run, Word::message);
    write_assistant(run, message)?;
    if metadata.form(Word::done).is_none() && metadata.family_field(Word::done).is_none() {
        object.boolean(run, Word::done, true);
    }
    object.option(run, Word::done_reason, *raw_finish);
    if let Some(usage) = usage {
        write_counts(run, &mut object, usage);
    }
    object.end(run, metadata, *at);
    Ok(())
}

pub(super) fn write_counts(run: &mut Run, object: &mut Writing, usage: &Usage) {
    object.count(run, Word::prompt_eval_count, usage.input);
    object.count(run, Word::eval_count, usage.output);
    warn_parts(run, usage);
    run.warn_metadata(&usage.metadata, usage.at);
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
