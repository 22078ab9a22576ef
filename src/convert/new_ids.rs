//! The ids of calls and results: those that the target does not accept are replaced.

use super::ids::{Accepted, UsedIds};
use super::names::Rewritten;
use super::pairing::ById;
use super::signatures;
use crate::model::{Assistant, Call, Message, Request, ToolResult};
use crate::run::{At, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// The new ids of the calls of a turn.
#[derive(Default)]
struct NewIds {
    ids: Vec<Value>,
    /// The calls by their previous ids.
    by_id: ById,
}

impl NewIds {
    fn clear(&mut self) {
        self.ids.clear();
        self.by_id.clear();
    }

    /// The new id of a result's call.
    fn of_result(&mut self, run: &mut Run, result: &ToolResult) -> Option<Value> {
        self.ids.get(self.by_id.answer(run, result.id, result.name)?).copied()
    }
}

/// Gives every call and its result an id that the target accepts and that is unique in the conversation.
pub fn assign_ids(run: &mut Run, request: &mut Request) -> Rewritten {
    let accepted = Accepted::by_target(&run.route);
    let mut rewritten = Rewritten::default();
    let mut used = UsedIds::default();
    let mut turn = NewIds::default();
    let mut in_turn = false;
    for message in &mut request.messages {
        let continues = std::mem::replace(&mut in_turn, is_assistant(message));
        match message {
            Message::Assistant(assistant) => {
                if !continues {
                    turn.clear();
                }
                for call in assistant.calls_mut() {
                    turn.by_id.add(call.id, call.name);
                    // a restored original is not recorded as a new name, as another response may have the same id
                    let original = original_id(run, call, accepted);
                    let wire = original.unwrap_or_else(|| wire_id(run, call, accepted, &mut used));
                    if wire != call.id && original.is_none() {
                        rewritten.insert(run.store.text(call.id).as_bytes(), run.store.owned_text(wire));
                    }
                    call.id = wire;
                    turn.ids.push(wire);
                }
            }
            Message::Tool(result) => {
                if let Some(id) = turn.of_result(run, result) {
                    result.id = id;
                    continue;
                }
                let id = run.store.text(result.id);
                if !accepted.has(&id) {
                    let replaced = accepted.replacement(&id, 0);
                    drop(id);
                    result.id = run.store.string(&replaced);
                }
            }
            Message::System(_) | Message::User(_) => {}
        }
    }
    rewritten
}

/// The original id from the same format, if reading replaced or filled it in. Some servers send empty ids, but none accepts them in a request
/// (Q112).
fn original_id(run: &mut Run, call: &Call, accepted: Accepted) -> Option<Value> {
    let form = call.metadata.form(Word::id).filter(|_| run.route.restores_ids())?;
    let was_absent = run.store.kind(form) != Kind::String || run.store.word(form) == Word::omitted;
    if !accepted.is_lenient && (was_absent || run.store.is_empty(form)) {
        let at = id_at(run, call);
        run.warn(WarningCode::IdRewritten, at, "the target does not accept an empty id: an id was generated");
        return None;
    }
    let is_accepted = accepted.is_lenient || accepted.has(&run.store.text(form));
    (!was_absent && is_accepted).then_some(form)
}

/// The position of a call's id in the input.
pub fn id_at(run: &mut Run, call: &Call) -> At {
    match run.route.from.format().id_key {
        Some(key) => run.down(call.at, key),
        None => call.at,
    }
}

/// The call's id, or a replacement if the target does not accept it or another call has it.
fn wire_id(run: &mut Run, call: &Call, accepted: Accepted, used: &mut UsedIds) -> Value {
    let Some(replaced) = used.take_accepted(accepted, &run.store.text(call.id)) else { return call.id };
    let at = id_at(run, call);
    run.warn(WarningCode::IdRewritten, at, &format!("the call and its result are sent with the id {replaced}"));
    run.store.string(&replaced)
}

/// Replaces the ids of a response's calls that the target does not accept.
pub fn assign_response_ids(run: &mut Run, assistant: &mut Assistant) {
    let mut used = UsedIds::default();
    assistant.calls_mut().for_each(|call| assign_response_id(run, call, &mut used));
}

pub fn assign_response_id(run: &mut Run, call: &mut Call, used: &mut UsedIds) {
    let accepted = Accepted::by_target(&run.route);
    let original = original_id(run, call, accepted);
    call.id = original.unwrap_or_else(|| wire_id(run, call, accepted, used));
    signatures::carry(run, call);
}

/// Restores the ids of a response that stays in its format, as far as reading replaced them.
pub fn restore_ids(run: &mut Run, assistant: &mut Assistant) {
    let accepted = Accepted::by_target(&run.route);
    assistant.calls_mut().for_each(|call| call.id = original_id(run, call, accepted).unwrap_or(call.id));
}

fn is_assistant(message: &Message) -> bool {
    matches!(message, Message::Assistant(_))
}
