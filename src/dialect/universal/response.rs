//! The calls of a response: `{tool_calls}`.

use super::messages::{read_assistant_value, warn_blocks, warn_dropped, write_calls_of};
use crate::fit::responses::Required;
use crate::format::{Format, is_bookkeeping};
use crate::model::{Finish, Member, Response};
use crate::run::{At, Result, Run, WarningCode};
use crate::value::{Value, Word};

/// Its clients accept any response.
pub const REQUIRED: &Required = &Required::NOTHING;

pub fn required(_: &Format) -> &'static Required {
    REQUIRED
}

pub fn read(run: &mut Run, body: Value) -> Result<Response> {
    let message = read_assistant_value(run, body, At::ROOT)?;
    let finish = Finish::Stop.with_calls(message.has_calls());
    Ok(Response::new(message, finish))
}

pub fn write(run: &mut Run, response: &Response) -> Result<()> {
    let Response { at, id, model, message, finish, raw_finish: _, finish_at: _, usage, error: _, metadata } = response;
    warn_blocks(run, message);
    if metadata.family_field(Word::choices).is_some() {
        run.warn(WarningCode::ChoicesDropped, *at, "only the calls of the first choice were converted");
    }
    match finish {
        Finish::Stop | Finish::ToolCalls => {}
        // an unsuccessful end is more than bookkeeping
        Finish::Length | Finish::ContentFilter | Finish::Refusal | Finish::Pause | Finish::Error | Finish::Other => {
            warn_dropped(run, *at);
        }
    }
    if id.is_some() || model.is_some() || usage.is_some() {
        run.warn(
            WarningCode::StateDropped,
            *at,
            "the target has no fields for the id, model and usage of the response",
        );
    }
    let has_more =
        |run: &mut Run, member: &Member| !is_bookkeeping(member.key.word()) && !run.is_all_void(member.value);
    if metadata.family_fields().iter().any(|member| has_more(run, member)) {
        run.warn(WarningCode::FieldDropped, *at, "the target has no fields for those of the response");
    }
    write_calls_of(run, message);
    Ok(())
}
