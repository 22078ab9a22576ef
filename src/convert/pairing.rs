//! After reading: every call gets an id of its own, and every result its call's id and name (Q87, Q112, Q173, Q174).

use super::ids;
use crate::model::{Call, Message, Request, Response};
use crate::run::{Dialect, Run};
use crate::value::{Value, Word};
use std::collections::HashSet;

/// A call of the turn under way, waiting for its result.
struct Open {
    /// The id on the wire, which results name.
    wire_id: Value,
    id: Value,
    name: Value,
    answered: bool,
}

/// Completes the ids and names of a request.
pub fn complete(run: &mut Run, request: &mut Request) {
    let mut used = HashSet::new();
    let mut turn: Vec<Open> = Vec::new();
    for (index, message) in request.messages.iter_mut().enumerate() {
        match message {
            Message::Assistant(assistant) => {
                turn.clear();
                let seed = format!("position {index}");
                for (ordinal, call) in assistant.calls_mut().enumerate() {
                    let wire_id = call.id;
                    complete_call(run, call, &seed, ordinal, &mut used);
                    turn.push(Open { wire_id, id: call.id, name: call.name, answered: false });
                }
            }
            Message::Tool(result) => {
                let found = if run.store.is_empty(result.id) {
                    by_name(run, &mut turn, result.name)
                } else {
                    by_id(run, &mut turn, result.id)
                };
                match found {
                    Some(open) => {
                        open.answered = true;
                        let unnamed = run.store.is_empty(result.id) && !run.store.is_empty(open.wire_id);
                        if unnamed && run.from != Dialect::Canonical {
                            let omitted = run.word_value(Word::omitted);
                            result.metadata.add_form(Word::id, omitted);
                        }
                        result.id = open.id;
                        if run.store.is_empty(result.name) {
                            result.name = open.name;
                        }
                    }
                    None if run.store.is_empty(result.id) => {
                        let id = ids::IdMaker::new("result", index).text(&run.store.text(result.name)).finish();
                        result.id = run.store.string(&id);
                    }
                    None => {}
                }
            }
            Message::System(_) | Message::User(_) => {}
        }
    }
}

/// Completes the ids of an answer's calls; they are the same whether it was streamed or not.
pub fn complete_response(run: &mut Run, response: &mut Response) {
    let seed = match (response.id, &run.options.id_seed) {
        (Some(id), _) => run.store.text(id).into_owned(),
        (None, Some(seed)) => seed.clone(),
        (None, None) => String::new(),
    };
    complete_calls(run, response.message.calls_mut(), &seed);
}

/// Completes the ids of one message's calls.
pub fn complete_calls<'a>(run: &mut Run, calls: impl Iterator<Item = &'a mut Call>, seed: &str)
where
    Value: 'a,
{
    let mut used = HashSet::new();
    for (ordinal, call) in calls.enumerate() {
        complete_call(run, call, seed, ordinal, &mut used);
    }
}

/// Makes an id where there is none. One that stands twice in what a provider said is replaced, and the original kept.
fn complete_call(run: &mut Run, call: &mut Call, seed: &str, ordinal: usize, used: &mut HashSet<String>) {
    let id = run.store.text(call.id).into_owned();
    if id.is_empty() {
        let id = ids::made(run, seed, ordinal, call);
        call.id = run.store.string(&id);
        used.insert(id);
        return;
    }
    if run.from == Dialect::Canonical {
        return;
    }
    let mut unique = id.clone();
    let mut occurrence = 1;
    while !used.insert(unique.clone()) {
        unique = ids::replacement(&id, occurrence);
        occurrence += 1;
    }
    if occurrence > 1 {
        call.metadata.add_form(Word::id, call.id);
        call.id = run.store.string(&unique);
    }
}

/// The first call of the turn with this id that has no result; else any with it.
fn by_id<'a>(run: &Run, turn: &'a mut [Open], id: Value) -> Option<&'a mut Open> {
    let id = run.store.text(id);
    let matches = |open: &Open| run.store.text(open.wire_id) == id;
    let index =
        turn.iter().position(|open| !open.answered && matches(open)).or_else(|| turn.iter().position(matches))?;
    turn.get_mut(index)
}

/// The first call of the turn with this name that has no result (Q86).
fn by_name<'a>(run: &Run, turn: &'a mut [Open], name: Value) -> Option<&'a mut Open> {
    let name = run.store.text(name);
    turn.iter_mut().find(|open| !open.answered && run.store.text(open.name) == name)
}
