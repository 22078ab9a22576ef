//! Writes results (WIRE §1.4).

use super::write_messages::{Empty, write_empty};
use super::write_parts::write_array;
use crate::fit::results::error_text;
use crate::model::{MADE_ID, Outcome, ToolResult};
use crate::run::{Result, Run};
use crate::value::Word;

pub fn write_result(run: &mut Run, result: &ToolResult) -> Result<()> {
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
        Outcome::Text(text) if run.store.is_empty(*text) => write_empty(run, &mut object, metadata, Empty::Text),
        Outcome::Text(text) => object.put(run, Word::content, *text),
        Outcome::Error(value) | Outcome::Data { value, is_error: true } => {
            let text = error_text(run, *value, *at)?;
            object.put(run, Word::content, text);
        }
        Outcome::Data { value, is_error: false } => {
            object.key(run, Word::content);
            run.put_data_text(*value, *at)?;
        }
        Outcome::Multimodal { blocks, .. } => {
            object.key(run, Word::content);
            write_array(run, blocks);
        }
    }
    object.end(run, metadata, *at);
    Ok(())
}
