//! Tool results as text.

use super::shapes::Field;
use crate::fit::results::{error_text, is_typed_error};
use crate::fit::{lost_reasoning, native};
use crate::model::{Block, Outcome, ToolResult};
use crate::run::{At, JsonResults, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

/// Reads a result string: as text, unless the options ask for JSON to be parsed.
pub fn read_text(run: &mut Run, text: Value) -> Outcome {
    if run.options.json_results == JsonResults::Text {
        return Outcome::Text(text);
    }
    let Ok(value) = run.store.parse(text) else { return Outcome::Text(text) };
    match run.store.kind(value) {
        Kind::Object => match only_error(run, value) {
            Some(error) => Outcome::Error(error),
            None => Outcome::Data { value, is_error: is_typed_error(run, value) },
        },
        Kind::Array => Outcome::Data { value, is_error: false },
        _ => Outcome::Text(text),
    }
}

/// The string of an object that is exactly `{"error": string}`.
fn only_error(run: &mut Run, value: Value) -> Option<Value> {
    match run.members(value).as_slice() {
        [only] if only.word == Word::error && run.store.kind(only.value) == Kind::String => Some(only.value),
        _ => None,
    }
}

/// The texts of blocks, with data as JSON; media and other blocks are left out.
pub fn texts(run: &mut Run, blocks: &[Block]) -> Result<Vec<Value>> {
    let mut texts = Vec::new();
    for block in blocks {
        match block {
            Block::Text { text, .. } | Block::Refusal { text, .. } => texts.push(*text),
            Block::Data { at, value, .. } => texts.push(run.data_text(*value, *at)?),
            Block::Media(_) | Block::Native(_) | Block::Reasoning(_) | Block::Call(_) => {}
        }
    }
    Ok(texts)
}

/// Warns about losses in blocks that are written as text. Media are written elsewhere.
pub fn warn_losses(run: &mut Run, blocks: &[Block]) {
    for block in blocks {
        match block {
            Block::Text { at, metadata, .. } | Block::Data { at, metadata, .. } => run.warn_metadata(metadata, *at),
            Block::Refusal { at, metadata, .. } => {
                run.warn(WarningCode::RefusalAsText, *at, "only assistant messages can contain a refusal");
                run.warn_metadata(metadata, *at);
            }
            Block::Native(native) => native::warn_block(run, native.at),
            Block::Reasoning(reasoning) => lost_reasoning::warn_block(run, reasoning),
            Block::Media(_) | Block::Call(_) => {}
        }
    }
}

/// Writes the outcome of a result: as a text, or as an array of parts, which `write` writes. With `flags_errors`, the format states elsewhere that it is
/// an error.
pub fn put(
    run: &mut Run,
    object: &mut Writing,
    field: &Field,
    (result, flags_errors): (&ToolResult, bool),
    write: impl Fn(&mut Run, &Block),
) -> Result<()> {
    let ToolResult { at, outcome, metadata, .. } = result;
    match outcome {
        Outcome::Error(value) | Outcome::Data { value, is_error: true } if !flags_errors => {
            let text = error_text(run, *value, *at)?;
            object.put(run, field.key, text);
        }
        Outcome::Text(text) | Outcome::Error(text) => field.put_text(run, object, *text, metadata),
        Outcome::Data { value, .. } => {
            object.key(run, field.key);
            run.put_data_text(*value, *at)?;
        }
        Outcome::Multimodal { blocks, .. } => {
            object.each(run, field.key, blocks, |run, block| write(run, block));
        }
    }
    Ok(())
}

/// The outcome of a result as a single text.
pub fn outcome_text(run: &mut Run, outcome: &Outcome, at: At) -> Result<Value> {
    match outcome {
        Outcome::Text(text) => Ok(*text),
        Outcome::Error(value) | Outcome::Data { value, is_error: true } => error_text(run, *value, at),
        Outcome::Data { value, is_error: false } => run.data_text(*value, at),
        Outcome::Multimodal { blocks, is_error } => {
            let texts = texts(run, blocks)?;
            let joined = run.store.join(&texts);
            if *is_error { error_text(run, joined, at) } else { Ok(joined) }
        }
    }
}
