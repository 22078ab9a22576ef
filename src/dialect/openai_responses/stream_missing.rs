//! The events that a lenient reader supplies if a stream lacks its opening events.

use super::stream_texts::text_event;
use crate::run::{Result, Run};
use crate::value::{Kind, Value, Word};

const CREATED: &[u8] =
    br#"{"type":"response.created","response":{"object":"response","status":"in_progress","output":[]}}"#;
/// The same for a copied stream: clients read the fields of the response without checking them.
pub const CREATED_FOR_CLIENTS: &[u8] = br#"{"type":"response.created","response":{"id":"resp_toolwire","object":"response","created_at":0,"completed_at":null,"model":"","status":"in_progress","error":null,"incomplete_details":null,"instructions":null,"metadata":{},"output":[],"usage":null,"parallel_tool_calls":true,"temperature":1,"top_p":1,"presence_penalty":0,"frequency_penalty":0,"top_logprobs":0,"tool_choice":"auto","tools":[],"text":{"format":{"type":"text"}},"truncation":"disabled","reasoning":null,"max_output_tokens":null,"max_tool_calls":null,"previous_response_id":null,"store":false,"background":false,"service_tier":"default","user":null,"safety_identifier":null,"prompt_cache_key":null,"access_programs":null}}"#;

/// The start of the response.
pub fn created(run: &mut Run) -> Result<Value> {
    run.import(CREATED)
}

/// The start of the item that a text belongs to. None for a call, as its arguments do not contain its name.
pub fn item_added(run: &mut Run, event: Value, index: u32) -> Option<Value> {
    let (kind, _) = text_event(run.type_of(event)).filter(|(kind, _)| !kind.is_call())?;
    let id = run.member(event, Word::item_id).filter(|id| run.store.kind(*id) == Kind::String);
    Some(run.build_object(|run, added| {
        added.word(run, Word::r#type, Word::output_item_added);
        added.number(run, Word::output_index, f64::from(index));
        added.object(run, Word::item, |run, item| {
            item.option(run, Word::id, id);
            if kind.is_reasoning() {
                item.word(run, Word::r#type, Word::reasoning);
                item.list(run, Word::summary, &[]);
            } else {
                item.word(run, Word::r#type, Word::message);
                item.word(run, Word::status, Word::in_progress);
                item.word(run, Word::role, Word::assistant);
                item.list(run, Word::content, &[]);
            }
        });
    }))
}
