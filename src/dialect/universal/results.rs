//! `UniversalToolResult`: `{tool_call_id, name, result, is_error, multimodal_parts, raw_context}`.

use crate::dialect::canonical::messages::{Unplaced, read_block, write_block};
use crate::dialect::canonical::{finish, put_metadata, take_metadata};
use crate::dialect::shared::outcome;
use crate::model::{Add, Block, Metadata, Outcome, ToolResult};
use crate::run::{At, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

pub fn read_result(run: &mut Run, value: Value, at: At) -> Result<ToolResult> {
    let mut reading = run.object(value, at)?;
    let id = reading.require_string(run, Word::tool_call_id)?;
    let name = reading.string_or_empty(run, Word::name)?;
    let is_error = reading.boolean(run, Word::is_error)?.unwrap_or(false);
    let outcome = match reading.take_at(run, Word::multimodal_parts) {
        Some((parts, parts_at)) => {
            let result_at = run.down(at, Word::result);
            let mut blocks = Vec::new();
            if let Some(result) = reading.take_any(Word::result).filter(|result| !is_nothing(run, *result)) {
                blocks.add(as_block(run, result, result_at));
            }
            for (part, at) in run.elements(parts, parts_at)? {
                blocks.extend(read_block(run, part, at, &mut Unplaced::default())?);
            }
            Outcome::Multimodal { blocks, is_error }
        }
        None => {
            let (result, _) = reading.require(run, Word::result)?;
            read_outcome(run, result, is_error)
        }
    };
    let metadata = take_metadata(run, &mut reading, Word::raw_context)?;
    finish(run, reading);
    Ok(ToolResult { at, id, name, outcome, metadata })
}

fn read_outcome(run: &mut Run, result: Value, is_error: bool) -> Outcome {
    match (run.store.kind(result), is_error) {
        (Kind::String, false) => outcome::read_text(run, result),
        (Kind::String, true) => Outcome::Error(result),
        (_, is_error) => Outcome::Data { value: result, is_error },
    }
}

/// Whether a result beside parts is empty: null or an empty text.
fn is_nothing(run: &Run, result: Value) -> bool {
    match run.store.kind(result) {
        Kind::Null => true,
        Kind::String => run.store.is_empty(result),
        Kind::Boolean | Kind::Number | Kind::Array | Kind::Object | Kind::Other => false,
    }
}

fn as_block(run: &Run, result: Value, at: At) -> Block {
    let metadata = Metadata::default();
    match run.store.kind(result) {
        Kind::String => Block::Text { at, text: result, metadata },
        _ => Block::Data { at, value: result, metadata },
    }
}

pub fn write_result(run: &mut Run, result: &ToolResult) {
    let ToolResult { at: _, id, name, outcome, metadata } = result;
    let mut object = run.begin();
    object.put(run, Word::tool_call_id, *id);
    object.put(run, Word::name, *name);
    match outcome {
        Outcome::Text(value) | Outcome::Error(value) | Outcome::Data { value, .. } => {
            object.put(run, Word::result, *value);
        }
        Outcome::Multimodal { blocks, .. } => write_parts(run, &mut object, blocks),
    }
    object.boolean(run, Word::is_error, outcome.is_error());
    put_metadata(run, metadata, None, Word::raw_context);
    object.close(run);
}

/// Writes parts. What can be expressed without parts is also the result, for clients that do not read parts.
fn write_parts(run: &mut Run, object: &mut Writing, blocks: &[Block]) {
    let (result, parts) = match blocks {
        [Block::Text { text, metadata, .. }, rest @ ..] if metadata.is_empty() && !run.store.is_empty(*text) => {
            (Some(*text), rest)
        }
        [Block::Data { value, metadata, .. }, rest @ ..] if metadata.is_empty() && is_plain_data(run, *value) => {
            (Some(*value), rest)
        }
        all => (None, all),
    };
    match result {
        Some(result) => object.put(run, Word::result, result),
        None => object.null(run, Word::result),
    }
    object.each(run, Word::multimodal_parts, parts, write_block);
}

/// Whether data can be written as it is. A string would be read as text.
fn is_plain_data(run: &Run, value: Value) -> bool {
    !matches!(run.store.kind(value), Kind::Null | Kind::String)
}
