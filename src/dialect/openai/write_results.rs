//! Writes results (WIRE §1.4).

use super::messages::RESULT_ID;
use super::write_messages::content_field;
use super::write_parts::write_part;
use crate::dialect::shared::outcome;
use crate::dialect::shared::shapes::Absent;
use crate::model::ToolResult;
use crate::run::{Result, Run};
use crate::value::Word;

pub fn write_result(run: &mut Run, result: &ToolResult) -> Result<()> {
    let ToolResult { at, id, name, outcome: _, metadata } = result;
    let mut object = run.begin();
    if metadata.form(Word::legacy).is_some() {
        object.word(run, Word::role, Word::function);
        object.put(run, Word::name, *name);
    } else {
        object.word(run, Word::role, Word::tool);
        RESULT_ID.put(run, &mut object, *id, metadata);
    }
    outcome::put(run, &mut object, &content_field(Absent::EmptyText), (result, false), write_part)?;
    object.end(run, metadata, *at);
    Ok(())
}
