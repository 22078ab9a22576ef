//! Results of calls (WIRE §5.4): always a list of blocks.

use super::blocks::{ID, read_user_part};
use super::cache_points;
use super::write_blocks::write_block;
use crate::dialect::shared::outcome;
use crate::dialect::shared::turns::TurnPart;
use crate::model::{Block, Metadata, Native, Outcome, ToolResult};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

pub fn read(run: &mut Run, mut reading: Reading) -> Result<ToolResult> {
    let at = reading.at();
    let mut inner = reading.require_object(run, Word::toolResult)?;
    let id = ID.take(run, &mut inner)?;
    let is_error = read_status(run, &mut inner)?;
    let (content, content_at) = inner.require(run, Word::content)?;
    let blocks = run.each(content, content_at, read_block)?;
    let outcome = match blocks.as_slice() {
        [] => {
            inner.note(Word::content, content);
            let empty = run.store.string("");
            if is_error { Outcome::Error(empty) } else { Outcome::Text(empty) }
        }
        [Block::Text { text, metadata, .. }] if metadata.is_empty() => {
            if is_error {
                Outcome::Error(*text)
            } else {
                outcome::read_text(run, *text)
            }
        }
        [Block::Data { value, metadata, .. }] if metadata.family_fields().is_empty() => {
            if run.store.kind(*value) != Kind::Object {
                inner.note(Word::content, run.store.word_value(Word::json));
            }
            Outcome::Data { value: *value, is_error }
        }
        _ => Outcome::Multimodal { blocks, is_error },
    };
    let mut metadata = reading.rest();
    inner.rest_into(run, Word::toolResult, &mut metadata);
    Ok(ToolResult { at, id, name: run.store.string(""), outcome, metadata })
}

/// Takes `status`. A form keeps one that is not written.
fn read_status(run: &mut Run, inner: &mut Reading) -> Result<bool> {
    let Some((status, at)) = inner.take_at(run, Word::status) else { return Ok(false) };
    match run.store.word(status) {
        Word::error => Ok(true),
        Word::success => {
            inner.note(Word::status, status);
            Ok(false)
        }
        _ => run.wrong_word(status, at, "\"success\" or \"error\""),
    }
}

/// A block of a result: JSON, or a block of a message.
fn read_block(run: &mut Run, value: Value, at: At) -> Result<Block> {
    let mut reading = run.object(value, at)?;
    if let Some(json) = reading.take_any(Word::json) {
        let mut metadata = reading.rest();
        if run.store.kind(json) != Kind::Object {
            metadata.add_form(Word::json, run.store.boolean_value(true));
        }
        return Ok(Block::Data { at, value: json, metadata });
    }
    Ok(match read_user_part(run, value, at)? {
        TurnPart::Result(_) => Block::Native(Native::of_source(run, value, at)),
        TurnPart::Block(block) => block,
    })
}

pub fn write(run: &mut Run, result: &ToolResult) -> Result<()> {
    let ToolResult { at, id, name: _, outcome, metadata } = result;
    let mut object = run.begin();
    object.key(run, Word::toolResult);
    let mut inner = run.begin_inside(metadata, Word::toolResult);
    ID.put(run, &mut inner, *id, metadata);
    inner.key(run, Word::content);
    write_content(run, &inner, outcome, metadata, *at)?;
    if outcome.is_error() {
        inner.word(run, Word::status, Word::error);
    } else if let Some(status) = metadata.form(Word::status) {
        inner.put(run, Word::status, status);
    }
    inner.add_nested(run, metadata, Word::toolResult);
    inner.close(run);
    object.skip(run, Word::wireMessage);
    cache_points::end(run, object, metadata, *at);
    Ok(())
}

fn write_content(run: &mut Run, inner: &Writing, outcome: &Outcome, metadata: &Metadata, at: At) -> Result<()> {
    let form = inner.form(run, metadata, Word::content).or(metadata.form(Word::content));
    run.try_put_each(outcome_blocks(outcome, at), |run, block| {
        let is_empty = matches!(&block, Block::Text { text, .. } if run.store.is_empty(*text));
        match (&block, form) {
            (_, Some(form)) if is_empty && run.store.kind(form) == Kind::Array => {}
            (Block::Data { value, .. }, Some(form)) if run.store.word(form) == Word::json => put_json(run, *value),
            (Block::Data { at, value, metadata }, _) => return write_data(run, *value, *at, metadata),
            (block, _) => write_block(run, block),
        }
        Ok(())
    })
}

/// The blocks of an outcome.
fn outcome_blocks(outcome: &Outcome, at: At) -> Vec<Block> {
    let metadata = Metadata::default();
    match outcome {
        Outcome::Text(text) | Outcome::Error(text) => vec![Block::Text { at, text: *text, metadata }],
        Outcome::Data { value, .. } => vec![Block::Data { at, value: *value, metadata }],
        Outcome::Multimodal { blocks, .. } => blocks.clone(),
    }
}

/// JSON must be an object; other data are texts.
fn write_data(run: &mut Run, value: Value, at: At, metadata: &Metadata) -> Result<()> {
    let mut object = run.begin();
    if run.store.kind(value) == Kind::Object || !metadata.is_empty() {
        object.put(run, Word::json, value);
    } else {
        let text = run.data_text(value, at)?;
        object.put(run, Word::text, text);
    }
    object.end(run, metadata, at);
    Ok(())
}

fn put_json(run: &mut Run, value: Value) {
    let mut object = run.begin();
    object.put(run, Word::json, value);
    object.close(run);
}
