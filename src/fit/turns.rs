//! The order of messages that targets demand.

use super::content::{AcceptedContent, Holder, refit};
use crate::fit::models::warn;
use crate::model::{Content, Message, Metadata, Prose, Request};
use crate::run::{At, Result, Run, WarningCode};

/// Number of system messages at the start.
pub fn leading_system(messages: &[Message]) -> usize {
    messages.iter().take_while(|message| matches!(message, Message::System(_))).count()
}

/// Moves later system messages that can't stay in place behind those at the start, and fits them all as a system prompt.
pub fn hoist_system(
    run: &mut Run,
    messages: &mut Vec<Message>,
    takes: &AcceptedContent,
    stays: fn(&Run, &[Message], usize) -> bool,
) -> Result<()> {
    let leading = leading_system(messages);
    let is_system = |message: &Message| matches!(message, Message::System(_));
    let mut index = leading;
    let mut moves = |message: &Message| {
        index += 1;
        is_system(message) && !stays(run, messages, index - 1)
    };
    let is_moved: Vec<bool> = messages.iter().skip(leading).map(&mut moves).collect();
    if is_moved.contains(&true) {
        let mut rest = Vec::with_capacity(messages.len());
        for (message, is_moved) in messages.split_off(leading).into_iter().zip(is_moved) {
            if is_moved {
                run.warn(WarningCode::SystemMoved, message.at(), "a later system message was moved to the front");
                messages.push(message);
            } else {
                rest.push(message);
            }
        }
        messages.append(&mut rest);
    }
    for message in messages.iter_mut().take_while(|message| is_system(message)) {
        refit(run, message, Holder::System, takes)?;
    }
    Ok(())
}

/// Adds a user turn behind the beginning of a response, which the model does not continue (Q100). Pieces need not be complete conversations.
pub fn end_with_user(run: &mut Run, request: &mut Request) {
    let Some(at) = request.messages.last().map(Message::at).filter(|_| !run.route.is_piece) else { return };
    let message = "the model does not continue the beginning of a response: a user turn was added";
    warn(run, &request.settings, WarningCode::DefaultUsed, at, "prefill", message);
    let content = Content::Text(run.store.string(NEXT_TURN), at);
    request.messages.push(Message::User(Prose { at, content, metadata: Metadata::default() }));
}

/// The text of a user turn that asks for more.
const NEXT_TURN: &str = "Continue.";
/// The text of a supplied user turn.
const MADE_TURN: &str = "(The conversation starts here.)";

/// Inserts a user turn that the target demands at `index`, and that the input does not have (Q97g, Q102). Pieces and the report format need not be
/// complete conversations. `begin`: where the conversation began, whose messages may have been left out.
pub fn make_turn(run: &mut Run, messages: &mut Vec<Message>, index: usize, begin: Option<At>) {
    let Some(at) = messages.get(index).map(Message::at).or(begin) else { return };
    if run.route.is_piece || run.route.from.format().is_partial {
        return;
    }
    run.warn(WarningCode::DefaultUsed, at, "the target requires a user turn here: one was added");
    let content = Content::Text(run.store.string(MADE_TURN), at);
    messages.insert(index, Message::User(Prose { at, content, metadata: Metadata::default() }));
}
