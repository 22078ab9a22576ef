//! Results that come after a later assistant message: tools may run while the model continues.

use crate::model::{Message, ToolResult};
use crate::run::{At, Run, WarningCode};
use crate::value::order::in_order;
use crate::value::{Keyed, Value};

/// The latest call with an id.
struct LatestCall {
    turn: usize,
    name: Value,
    is_answered: bool,
}

/// All calls so far, and the index where the results of each turn end.
#[derive(Default)]
struct Calls {
    by_id: Keyed<LatestCall>,
    ends: Vec<usize>,
}

/// Moves each late result behind the other results of its call's turn. Returns the original positions of the moved results. If `orphanResults` is
/// set, they are left as orphans.
pub fn recall(run: &mut Run, messages: &mut Vec<Message>) -> Vec<At> {
    if run.options.orphan_results.is_some() || is_in_order(run, messages) {
        return Vec::new();
    }
    let targets = targets(run, messages);
    if targets.is_empty() {
        return Vec::new();
    }
    let count = messages.len();
    let mut moving = targets.iter().peekable();
    let mut placed: Vec<(usize, Message)> = Vec::with_capacity(count);
    for (index, message) in std::mem::take(messages).into_iter().enumerate() {
        match moving.next_if(|(from, _)| *from == index) {
            Some((_, target)) => placed.push((*target, message)),
            None => placed.push((index, message)),
        }
    }
    let moved = targets.iter().filter_map(|(from, _)| placed.get(*from)).map(|(_, message)| message.at()).collect();
    // the sort is stable: what was at an index comes before what is moved there
    let order = in_order(&placed, |(place, _)| u32::try_from(*place).unwrap_or(u32::MAX));
    let mut placed: Vec<Option<Message>> = placed.into_iter().map(|(_, message)| Some(message)).collect();
    messages.extend(order.into_iter().filter_map(|position| placed.get_mut(position)?.take()));
    moved
}

/// Whether all results directly follow their calls, in the same order, so that none is late.
fn is_in_order(run: &Run, messages: &[Message]) -> bool {
    let mut turn = None;
    messages.iter().all(|message| match message {
        Message::Assistant(assistant) => {
            turn = Some(assistant.calls());
            true
        }
        Message::Tool(result) => {
            let call = turn.as_mut().and_then(Iterator::next);
            call.is_some_and(|call| call.id == result.id || run.store.text(call.id) == run.store.text(result.id))
        }
        Message::System(_) | Message::User(_) => true,
    })
}

/// The index of each late result, and of the message to put it behind.
fn targets(run: &mut Run, messages: &mut [Message]) -> Vec<(usize, usize)> {
    let mut calls = Calls::default();
    let mut targets = Vec::new();
    let mut in_turn = false;
    for (index, message) in messages.iter_mut().enumerate() {
        match message {
            Message::Assistant(assistant) => {
                if !std::mem::replace(&mut in_turn, true) {
                    calls.ends.push(index);
                }
                calls.extend_turn(index);
                let turn = calls.ends.len();
                for call in assistant.calls() {
                    let known = LatestCall { turn, name: call.name, is_answered: false };
                    calls.by_id.insert(run.store.text(call.id).as_bytes(), known);
                }
                continue;
            }
            Message::Tool(result) => targets.extend(calls.answer(run, result, index).map(|target| (index, target))),
            Message::System(_) | Message::User(_) => {}
        }
        in_turn = false;
    }
    targets
}

impl Calls {
    fn extend_turn(&mut self, index: usize) {
        if let Some(end) = self.ends.last_mut() {
            *end = index;
        }
    }

    /// If the result is late, the index of the last message of its call's turn.
    fn answer(&mut self, run: &mut Run, result: &mut ToolResult, index: usize) -> Option<usize> {
        let is_next = self.ends.last().is_some_and(|end| end + 1 == index);
        let known = self.by_id.get_mut(run.store.text(result.id).as_bytes())?;
        if known.turn == self.ends.len() {
            known.is_answered = true;
            if is_next {
                self.extend_turn(index);
            }
            return None;
        }
        if std::mem::replace(&mut known.is_answered, true) {
            return None;
        }
        if run.store.is_empty(result.name) {
            result.name = known.name;
        }
        let why = "the result was moved after its call, which is in an earlier turn";
        let end = self.ends.get(known.turn.checked_sub(1)?).copied()?;
        run.warn(WarningCode::ResultsMoved, result.at, why);
        Some(end)
    }
}
