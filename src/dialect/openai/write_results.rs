//! Writes results, and the media in them (WIRE §1.4).

use super::write_messages::{Empty, write_empty};
use super::write_parts::{fit, write_media, write_text};
use crate::dialect::shared::outcome;
use crate::model::{Block, MADE_ID, Media, Outcome, ToolResult};
use crate::run::{At, Result, Run, WarningCode, Writing};
use crate::value::Word;

/// Writes a result. Returns the media that have no place in it.
pub fn write_result(run: &mut Run, result: &ToolResult) -> Result<Vec<Media>> {
    let mut moved = Vec::new();
    let ToolResult { at, id, name, outcome, metadata } = result;
    let mut object = run.begin();
    if metadata.form(Word::legacy).is_some() {
        object.word(run, Word::role, Word::function);
        object.put(run, Word::name, *name);
    } else {
        object.word(run, Word::role, Word::tool);
        let form = metadata.form(Word::tool_call_id).filter(|_| run.store.text(*id).starts_with(MADE_ID));
        object.put(run, Word::tool_call_id, form.unwrap_or(*id));
    }
    match outcome {
        Outcome::Text(text) if run.store.is_empty(*text) => write_empty(run, &mut object, (metadata, *at), Empty::Text),
        Outcome::Text(text) => object.put(run, Word::content, *text),
        Outcome::Error(value) | Outcome::Data { value, is_error: true } => {
            let text = outcome::error_text(run, *value, *at)?;
            object.put(run, Word::content, text);
        }
        Outcome::Data { value, is_error: false } => {
            object.key(run, Word::content);
            run.put_data_text(*value, *at)?;
        }
        Outcome::Multimodal { blocks, is_error } => {
            moved = outcome::moved_media(run, blocks, fit);
            write_multimodal(run, &mut object, (blocks, !moved.is_empty()), *is_error, *at)?;
        }
    }
    object.end(run, metadata, *at);
    Ok(moved)
}

/// The content of a tool message whose result is only media.
const SEE_NEXT: &str = "See the next message.";

fn write_multimodal(
    run: &mut Run,
    object: &mut Writing,
    (blocks, has_media): (&[Block], bool),
    is_error: bool,
    at: At,
) -> Result<()> {
    let texts = outcome::texts(run, blocks)?;
    if is_error || texts.is_empty() {
        outcome::warn_losses(run, blocks);
    }
    if is_error {
        let joined = run.store.join(&texts);
        let text = outcome::error_text(run, joined, at)?;
        object.put(run, Word::content, text);
        return Ok(());
    }
    if texts.is_empty() {
        object.text(run, Word::content, if has_media { SEE_NEXT } else { "" });
        return Ok(());
    }
    object.key(run, Word::content);
    run.store.begin_array();
    let mut texts = texts.into_iter();
    for block in blocks {
        if let Block::Refusal { at, .. } = block {
            run.warn(WarningCode::RefusalAsText, *at, "only assistant messages can contain a refusal");
        }
        match block {
            Block::Text { at, metadata, .. }
            | Block::Refusal { at, metadata, .. }
            | Block::Data { at, metadata, .. } => {
                if let Some(text) = texts.next() {
                    write_text(run, text, metadata, *at);
                }
            }
            Block::Native(native) => run.warn_native_block(native.at),
            Block::Reasoning(reasoning) => run.warn_reasoning(reasoning),
            Block::Media(_) | Block::Call(_) => {}
        }
    }
    run.store.end_array();
    Ok(())
}

/// Writes the media of results, in a user message after all results of the turn (Q93).
pub fn write_result_media(run: &mut Run, moved: &[(&ToolResult, Vec<Media>)]) {
    if moved.iter().all(|(_, media)| media.is_empty()) {
        return;
    }
    run.store.begin_object();
    run.store.key(Word::role);
    run.store.put_word(Word::user);
    run.store.key(Word::content);
    run.store.begin_array();
    for (result, media) in moved {
        outcome::write_moved(run, result, media, write_text, write_media);
    }
    run.store.end_array();
    run.store.end_object();
}
