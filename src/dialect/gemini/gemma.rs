//! Gemma before its fourth generation has no system instruction: its text goes to the first user turn (Q105).

use crate::fit::turns::leading_system;
use crate::model::{Block, Content, Message, Metadata, Prose, Request};
use crate::run::{Run, WarningCode};

/// Moves the system messages into the first user turn, if the model has no other place for them.
pub fn move_system(run: &mut Run, request: &mut Request) {
    let is_system = |message: &Message| matches!(message, Message::System(_));
    if request.settings.facts.system_prompt != Some(false) || !request.messages.iter().any(is_system) {
        return;
    }
    let leading = leading_system(&request.messages);
    let (system, mut messages): (Vec<Message>, Vec<Message>) =
        std::mem::take(&mut request.messages).into_iter().partition(is_system);
    let at = system.first().map_or(request.at, Message::at);
    let mut blocks = Vec::new();
    for (index, message) in system.into_iter().enumerate() {
        let Message::System(prose) = message else { continue };
        let moved = if index < leading {
            "this model has no system prompt"
        } else {
            "a later system message was moved to the front"
        };
        run.warn(WarningCode::SystemMoved, prose.at, &format!("{moved}: it becomes part of the first user message"));
        blocks.extend(as_blocks(run, prose));
    }
    if !matches!(messages.first(), Some(Message::User(_))) {
        let content = Content::Blocks(Vec::new());
        messages.insert(0, Message::User(Prose { at, content, metadata: Metadata::default() }));
    }
    if let Some(Message::User(first)) = messages.first_mut() {
        let own = std::mem::replace(&mut first.content, Content::Blocks(Vec::new()));
        blocks.extend(own.into_blocks());
        first.content = Content::Blocks(blocks);
    }
    request.messages = messages;
}

fn as_blocks(run: &mut Run, prose: Prose) -> Vec<Block> {
    let Prose { at: _, content, metadata } = prose;
    match content {
        Content::Text(text, at) => vec![Block::Text { at, text, metadata }],
        Content::Blocks(blocks) => {
            run.warn_metadata(&metadata, prose.at);
            blocks
        }
    }
}
