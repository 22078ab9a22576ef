//! A history of calls and results: `{messages}`, or a single turn.

use super::messages::{self, holds_calls};
use crate::dialect::canonical::{finish, put_metadata, take_metadata};
use crate::model::Request;
use crate::run::{At, Result, Run};
use crate::value::{Value, Word};

pub fn read(run: &mut Run, body: Value) -> Result<Request> {
    let mut reading = run.object(body, At::ROOT)?;
    let mut request = Request::new(At::ROOT);
    let is_one_turn = !reading.has(Word::messages) && (holds_calls(&reading) || reading.has(Word::tool_results));
    if is_one_turn {
        messages::read_message(run, &mut reading, &mut request.messages)?;
    } else {
        let (list, at) = reading.require(run, Word::messages)?;
        request.messages = messages::read_messages(run, list, at)?;
        request.metadata = take_metadata(run, &mut reading, Word::raw_context)?;
    }
    finish(run, reading);
    Ok(request)
}

pub fn write(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    object.key(run, Word::messages);
    messages::write_list(run, &request.messages);
    put_metadata(run, &request.metadata, None, Word::raw_context);
    object.close(run);
    Ok(())
}

pub fn write_messages(run: &mut Run, request: &Request) -> Result<()> {
    let mut object = run.begin();
    object.key(run, Word::messages);
    messages::write_list(run, &request.messages);
    object.close(run);
    Ok(())
}
