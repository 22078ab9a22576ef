//! Whole responses (WIRE §4.6, §4.7).

use super::messages::read_assistant_value;
use super::mocks;
use super::write_parts::assistant_parts;
use crate::dialect::shared::choices;
use crate::dialect::shared::finish::{self, Optional, Reasons};
use crate::dialect::shared::usage::{read_total, write_total};
use crate::fit::responses::Required;
use crate::format::Format;
use crate::model::{Assistant, Content, Finish, Metadata, Response, Usage};
use crate::run::{At, ErrorCode, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

pub const FINISH: &[(Word, Finish)] = &[
    (Word::STOP, Finish::Stop),
    (Word::MAX_TOKENS, Finish::Length),
    (Word::SAFETY, Finish::ContentFilter),
    (Word::RECITATION, Finish::ContentFilter),
    (Word::LANGUAGE, Finish::ContentFilter),
    (Word::BLOCKLIST, Finish::ContentFilter),
    (Word::PROHIBITED_CONTENT, Finish::ContentFilter),
    (Word::SPII, Finish::ContentFilter),
    (Word::IMAGE_SAFETY, Finish::ContentFilter),
    (Word::IMAGE_PROHIBITED_CONTENT, Finish::ContentFilter),
    (Word::IMAGE_RECITATION, Finish::ContentFilter),
    (Word::IMAGE_OTHER, Finish::ContentFilter),
    (Word::NO_IMAGE, Finish::ContentFilter),
    (Word::ESCALATION, Finish::ContentFilter),
    (Word::MODEL_ARMOR, Finish::ContentFilter),
    (Word::PUP_LIMITED_DISABLED, Finish::ContentFilter),
    (Word::OTHER, Finish::Error),
    (Word::MALFORMED_FUNCTION_CALL, Finish::Error),
    (Word::UNEXPECTED_TOOL_CALL, Finish::Error),
    (Word::TOO_MANY_TOOL_CALLS, Finish::Error),
    (Word::MISSING_THOUGHT_SIGNATURE, Finish::Error),
    (Word::MALFORMED_RESPONSE, Finish::Error),
    (Word::CONTINUATION, Finish::Pause),
    (Word::FINISH_REASON_UNSPECIFIED, Finish::Other),
];

pub const REQUIRED: &Required = &Required {
    reasons: Some(&Reasons {
        key: Word::finishReason,
        table: FINISH,
        other: Word::OTHER,
        // the list is open (WIRE §13)
        shape: Some(|raw| raw.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')),
        optional: Optional::WithoutCalls,
        instead: Some(Word::promptFeedback),
    }),
    ..Required::NOTHING
};

pub fn required(_: &Format) -> &'static Required {
    REQUIRED
}

/// Fields by which a response is known: those of the format, then those of mocks.
const MARKS: [Word; 4] = [Word::promptFeedback, Word::candidates, Word::text, Word::functionCalls];

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let mut reading = run.object(body, At::ROOT)?;
    let id = reading.string(run, Word::responseId)?;
    let model = reading.string(run, Word::modelVersion)?;
    let usage = reading.read(run, Word::usageMetadata, read_usage)?;
    let mut metadata = Metadata::default();
    let mocked = mocks::content(run, &mut reading);
    let mocked = match mocked {
        Some((content, at)) => Some(mocks::placed(read_assistant_value(run, content, at)?, at)),
        None => None,
    };
    let list = reading.peek(Word::candidates);
    let mut candidates = reading.elements(run, Word::candidates)?;
    // a mock stays as it is within the format
    let known = if run.route.stays() { MARKS.len() } else { 2 };
    let is_response = MARKS.iter().take(known).any(|word| reading.has(*word));
    if candidates.is_empty() && !is_response && usage.is_none() && id.is_none() && mocked.is_none() {
        let at = run.down(At::ROOT, Word::candidates);
        return run.fail(ErrorCode::MissingField, at, "expected candidates, promptFeedback or usageMetadata");
    }
    let Some((first, first_at)) = candidates.next() else {
        if let Some(empty) = list.filter(|list| run.store.kind(*list) == Kind::Array) {
            reading.note(Word::candidates, empty);
        }
        let message = mocked.unwrap_or_else(|| empty_message(At::ROOT));
        let answer = Response { id, model, usage, ..Response::new(message, Finish::Other) };
        return Ok(without_candidates(run, reading, answer));
    };
    choices::keep_others(run, candidates, &mut metadata);
    let mut candidate = run.object(first, first_at)?;
    let message = match candidate.take_at(run, Word::content) {
        Some((content, at)) => read_assistant_value(run, content, at)?,
        None => mocked.unwrap_or_else(|| {
            candidate.note(Word::content, run.store.word_value(Word::omitted));
            empty_message(first_at)
        }),
    };
    let finish_at = run.down(first_at, Word::finishReason);
    let raw_finish = candidate.string(run, Word::finishReason)?;
    let has_calls = message.has_calls();
    let finish = finish::read(run, FINISH, raw_finish, has_calls);
    if !candidate.has(Word::index) {
        metadata.add_form(Word::index, run.store.word_value(Word::omitted));
    }
    choices::take_first_index(run, &mut candidate);
    candidate.rest_into(run, Word::candidate, &mut metadata);
    let mut rest = reading.rest();
    rest.append(metadata);
    Ok(Response { at: At::ROOT, id, model, message, finish, raw_finish, finish_at, usage, error: None, metadata: rest })
}

fn empty_message(at: At) -> Assistant {
    Assistant { at, content: Content::Blocks(Vec::new()), calls: Vec::new(), metadata: Metadata::default() }
}

/// A response without candidates: the prompt was blocked (Q182), or there is only the usage.
fn without_candidates(run: &mut Run, mut reading: Reading, mut answer: Response) -> Response {
    let is_blocked = reading.holds(run, Word::promptFeedback);
    if is_blocked {
        answer.finish = Finish::ContentFilter;
    } else if answer.message.blocks().is_empty() {
        reading.note_omitted(run, Word::candidates);
    }
    answer.metadata = reading.rest();
    answer
}

/// Google counts thoughts and tool-use prompts separately (Q137, Q138).
pub fn read_usage(run: &mut Run, value: Value, at: At) -> Result<Usage> {
    let mut reading = run.object(value, at)?;
    let mut usage = Usage::new(at);
    let prompt = reading.count(run, Word::promptTokenCount);
    let tool_prompt = reading.peek(Word::toolUsePromptTokenCount).map(|count| run.store.number(count));
    usage.input = match (prompt, tool_prompt) {
        (None, None) => None,
        (prompt, tool_prompt) => Some(prompt.unwrap_or(0.0) + tool_prompt.unwrap_or(0.0)),
    };
    let candidates = reading.count(run, Word::candidatesTokenCount);
    if candidates.is_none() {
        reading.note_omitted(run, Word::candidatesTokenCount);
    }
    usage.reasoning = reading.count(run, Word::thoughtsTokenCount);
    usage.output = match (candidates, usage.reasoning) {
        (None, None) => None,
        (candidates, thoughts) => Some(candidates.unwrap_or(0.0) + thoughts.unwrap_or(0.0)),
    };
    usage.cached = reading.count(run, Word::cachedContentTokenCount);
    let total = reading.take_at(run, Word::totalTokenCount);
    let mut metadata = reading.rest();
    read_total(run, &mut usage, total, Word::totalTokenCount, &mut metadata)?;
    usage.metadata = metadata;
    Ok(usage)
}

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at, id, model, message, finish: _, raw_finish, finish_at: _, usage, error: _, metadata } = response;
    let mut object = run.begin();
    let had_none = metadata.form(Word::candidates).is_some() || metadata.own_field(Word::promptFeedback).is_some();
    let is_void = message.blocks().is_empty() && message.calls.is_empty();
    if !(had_none && is_void && raw_finish.is_none()) {
        object.key(run, Word::candidates);
        run.store.begin_array();
        write_candidate(run, response)?;
        choices::put_others(run, metadata, *at)?;
        run.store.end_array();
    }
    object.written(run, Word::usageMetadata, usage.as_ref(), write_usage);
    object.option(run, Word::modelVersion, *model);
    object.option(run, Word::responseId, *id);
    object.skip(run, Word::choices);
    object.skip(run, Word::candidate);
    object.end(run, metadata, *at);
    Ok(())
}

fn write_candidate(run: &mut Run, response: &Response) -> Result<()> {
    let Response { message, raw_finish, metadata, .. } = response;
    let mut candidate = run.begin_inside(metadata, Word::candidate);
    let no_content = run.is_omitted(metadata, Word::content);
    if !(no_content && message.blocks().is_empty()) {
        candidate.key(run, Word::content);
        write_content(run, message)?;
    }
    candidate.option(run, Word::finishReason, *raw_finish);
    choices::put_index(run, &mut candidate, metadata);
    candidate.add_nested(run, metadata, Word::candidate);
    candidate.close(run);
    Ok(())
}

fn write_content(run: &mut Run, message: &Assistant) -> Result<()> {
    let metadata = &message.metadata;
    let mut content = run.begin();
    content.usual(run, metadata, Word::role, Word::model);
    if !(metadata.form(Word::parts).is_some() && message.blocks().is_empty()) {
        content.key(run, Word::parts);
        run.store.begin_array();
        let nothing = matches!(&message.content, Content::Text(text, _) if run.store.is_empty(*text));
        if !(nothing && message.calls.is_empty()) {
            assistant_parts(run, message);
        }
        run.store.end_array();
    }
    content.end(run, metadata, message.at);
    Ok(())
}

pub fn write_usage(run: &mut Run, usage: &Usage) {
    let Usage { at, input, output, total: _, cached, cache_write, reasoning, metadata } = usage;
    let tool_prompt = metadata.own_field(Word::toolUsePromptTokenCount);
    let tool_prompt = tool_prompt.map_or(0.0, |count| run.store.number(count));
    let mut object = run.begin();
    let prompt = input.map(|input| (input - tool_prompt).max(0.0));
    let is_unknown = prompt == Some(0.0) && object.states(run, metadata, Word::promptTokenCount);
    object.count(run, Word::promptTokenCount, prompt.filter(|_| !is_unknown));
    let candidates = output.map(|output| (output - reasoning.unwrap_or(0.0)).max(0.0));
    let omitted = metadata.form(Word::candidatesTokenCount).is_some() && candidates == Some(0.0);
    object.count(run, Word::candidatesTokenCount, candidates.filter(|_| !omitted));
    object.count(run, Word::thoughtsTokenCount, *reasoning);
    object.count(run, Word::cachedContentTokenCount, *cached);
    if cache_write.is_some_and(|tokens| tokens > 0.0) {
        let at = run.canonical_or(*at, Word::cacheWrite);
        run.warn(WarningCode::StateDropped, at, "the target does not report tokens that were written to a cache");
    }
    write_total(run, &mut object, usage, Word::totalTokenCount);
    object.end(run, metadata, *at);
}
