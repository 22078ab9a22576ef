//! Whole responses of the canonical format.

use super::calls::{CANONICAL, write_calls};
use super::messages::{read_assistant_value, write_assistant};
use super::{end, end_reading, error};
use crate::fit::responses::Required;
use crate::format::Format;
use crate::model::{Block, Content, Finish, Response, Usage};
use crate::run::{At, Reading, Result, Run, WarningCode};
use crate::value::{Value, Word};

/// Its clients accept any response.
pub const REQUIRED: &Required = &Required::NOTHING;

pub fn required(_: &Format) -> &'static Required {
    REQUIRED
}

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let mut reading = run.object(body, At::ROOT)?;
    let (whole, message_at) = reading.require(run, Word::message)?;
    let message = read_assistant_value(run, whole, message_at)?;
    let (finish, finish_at) = read_finish(run, &mut reading)?;
    let id = reading.string(run, Word::id)?;
    let model = reading.string(run, Word::model)?;
    let raw_finish = reading.string(run, Word::rawFinishReason)?;
    let usage = reading.read(run, Word::usage, read_usage)?;
    let error = reading.read(run, Word::error, error::read_at)?;
    let [text, reasoning_text] = joined(run, &message.content);
    // these repeat the message, which is what counts
    for word in [Word::text, Word::reasoningText, Word::toolCalls, Word::invalidToolCalls] {
        let Some((given, at)) = reading.take_at(run, word) else { continue };
        let expected = match word {
            Word::text => text,
            Word::reasoningText => reasoning_text,
            _ => run.member(whole, word),
        };
        let is_expected = expected.is_some_and(|expected| run.store.same(given, expected));
        if !is_expected && !run.is_void(given) {
            run.warn(WarningCode::FieldDropped, at, "the message has different content, and takes precedence");
        }
    }
    let metadata = end_reading(run, reading)?;
    Ok(Response { at: At::ROOT, id, model, message, finish, raw_finish, finish_at, usage, error, metadata })
}

/// Takes the finish reason.
pub fn read_finish(run: &mut Run, reading: &mut Reading) -> Result<(Finish, At)> {
    let (reason, at) = reading.require(run, Word::finishReason)?;
    match Finish::of(run.store.word(reason)) {
        Some(finish) => Ok((finish, at)),
        None => run.wrong_word(reason, at, "a finish reason"),
    }
}

pub fn read_usage(run: &mut Run, value: Value, at: At) -> Result<Usage> {
    let mut reading = run.object(value, at)?;
    Ok(Usage {
        at,
        input: reading.number(run, Word::input)?,
        output: reading.number(run, Word::output)?,
        total: reading.number(run, Word::total)?,
        cached: reading.number(run, Word::cached)?,
        cache_write: reading.number(run, Word::cacheWrite)?,
        reasoning: reading.number(run, Word::reasoning)?,
        metadata: end_reading(run, reading)?,
    })
}

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at: _, id, model, message, finish, raw_finish, finish_at: _, usage, error, metadata } = response;
    let mut object = run.begin();
    object.option(run, Word::id, *id);
    object.option(run, Word::model, *model);
    object.key(run, Word::message);
    write_assistant(run, message);
    let [text, reasoning_text] = joined(run, &message.content);
    let text = text.unwrap_or_else(|| run.store.string(""));
    object.put(run, Word::text, text);
    object.option(run, Word::reasoningText, reasoning_text.filter(|text| !run.store.is_empty(*text)));
    write_calls(run, &mut object, message.calls(), &CANONICAL, [true; 2]);
    object.word(run, Word::finishReason, finish.word());
    object.option(run, Word::rawFinishReason, *raw_finish);
    object.written(run, Word::usage, usage.as_ref(), write_usage);
    if let Some(error) = error {
        object.key(run, Word::error);
        error::write(run, error)?;
    }
    end(run, object, metadata);
    Ok(())
}

/// The whole text and the whole reasoning; None if there are no blocks of this kind.
fn joined(run: &mut Run, content: &Content) -> [Option<Value>; 2] {
    let (mut texts, mut thoughts) = (Vec::new(), Vec::new());
    match content {
        Content::Text(text, _) => texts.push(*text),
        Content::Blocks(blocks) => blocks.iter().for_each(|block| match block {
            Block::Text { text, .. } => texts.push(*text),
            Block::Reasoning(reasoning) => thoughts.extend(reasoning.text),
            Block::Refusal { .. } | Block::Data { .. } | Block::Media(_) | Block::Native(_) | Block::Call(_) => {}
        }),
    }
    [texts, thoughts].map(|texts| match texts.as_slice() {
        [] => None,
        [one] => Some(*one),
        many => Some(run.store.join(many)),
    })
}

pub fn write_usage(run: &mut Run, usage: &Usage) {
    let Usage { at: _, input, output, total, cached, cache_write, reasoning, metadata } = usage;
    let mut object = run.begin();
    object.count(run, Word::input, *input);
    object.count(run, Word::output, *output);
    object.count(run, Word::total, *total);
    object.count(run, Word::cached, *cached);
    object.count(run, Word::cacheWrite, *cache_write);
    object.count(run, Word::reasoning, *reasoning);
    end(run, object, metadata);
}
