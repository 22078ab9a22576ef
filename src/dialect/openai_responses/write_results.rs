//! Writes results (WIRE §2.4).

use super::messages::RESULT_ID;
use super::outputs::{self, Gives};
use super::parts::Within;
use super::write_messages::put_item;
use super::write_parts::write_part;
use crate::dialect::shared::outcome;
use crate::dialect::shared::shapes::{Absent, Field};
use crate::fit::results::error_text;
use crate::model::{Outcome, ToolResult};
use crate::run::{ErrorStyle, Result, Run, Writing};
use crate::value::{Kind, Word};

/// The call of a result, as far as the result needs it.
#[derive(Clone, Copy)]
pub struct Answered {
    pub is_freeform: bool,
    /// What its output schema states about the JSON output.
    pub gives: Option<Gives>,
}

pub fn write_result(run: &mut Run, result: &ToolResult, answered: Option<Answered>) -> Result<()> {
    let ToolResult { at, id, name, outcome: _, metadata } = result;
    let mut object = run.begin_inside(metadata, Word::item);
    let came_so = metadata.form(Word::r#type).is_some();
    // a call without a name is an ordinary one
    let is_freeform = match answered {
        Some(answered) if !run.route.stays() => answered.is_freeform,
        Some(_) | None => came_so,
    };
    let kind = if is_freeform { Word::custom_tool_call_output } else { Word::function_call_output };
    object.word(run, Word::r#type, kind);
    RESULT_ID.put(run, &mut object, *id, metadata);
    if metadata.form(Word::name).is_some_and(|form| run.store.same(form, *name)) {
        object.put(run, Word::name, *name);
    }
    // the outputs of freeform tools have the same parts as messages
    let holder = if kind == Word::custom_tool_call_output { Within::Message } else { Within::Output };
    match answered.and_then(|answered| answered.gives) {
        Some(gives) => write_json(run, &mut object, result, gives)?,
        None => write_output(run, &mut object, result, holder)?,
    }
    put_item(run, &mut object, metadata, *at);
    object.end(run, metadata, *at);
    Ok(())
}

/// Writes the JSON output of a function with an output schema, unless it is a list of parts.
fn write_json(run: &mut Run, object: &mut Writing, result: &ToolResult, gives: Gives) -> Result<()> {
    let ToolResult { at, outcome, metadata, .. } = result;
    let text = match outcome {
        Outcome::Text(text) => outputs::text(run, *text, (metadata, *at), gives)?,
        Outcome::Error(value) | Outcome::Data { value, is_error: true } => {
            let text = error_text(run, *value, *at)?;
            match run.options.error_style {
                ErrorStyle::Json => text,
                ErrorStyle::Prefix => run.json_text(text, *at)?,
            }
        }
        Outcome::Data { is_error: false, .. } | Outcome::Multimodal { .. } => {
            return write_output(run, object, result, Within::Output);
        }
    };
    object.put(run, Word::output, text);
    Ok(())
}

fn write_output(run: &mut Run, object: &mut Writing, result: &ToolResult, holder: Within) -> Result<()> {
    const OUTPUT: Field = Field { key: Word::output, kind: Kind::String, absent: Absent::EmptyText };
    outcome::put(run, object, &OUTPUT, (result, false), |run, block| write_part(run, block, holder))
}
