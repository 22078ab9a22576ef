//! Messages and texts without content, which targets reject.

use super::turns::leading_system;
use crate::model::{Assistant, Block, Content, Message, Metadata, Prose};
use crate::run::{At, Run, WarningCode};
use crate::value::{Value, Word};

/// Removes the empty texts of an assistant turn. Google's responses end with an empty text, with or without a signature; if a client sends it back,
/// it would be content after the calls. A turn without other content is not changed.
pub fn drop_empty_texts(run: &mut Run, assistant: &mut Assistant) {
    let Content::Blocks(blocks) = &mut assistant.content else { return };
    let is_empty = |run: &Run, block: &Block| match block {
        Block::Text { text, metadata, .. } => run.store.is_empty(*text) && !metadata.has_family(),
        _ => false,
    };
    let has_more = blocks.iter().any(|block| !is_empty(run, block)) || !assistant.calls.is_empty();
    if !has_more {
        return;
    }
    blocks.retain(|block| {
        let is_dropped = is_empty(run, block);
        if is_dropped {
            run.warn(WarningCode::EmptyDropped, block.at(), "an empty text was left out");
            run.warn_metadata(block.metadata(), block.at());
        }
        !is_dropped
    });
}

/// Whether an assistant message only has blocks that other targets have no place for.
fn may_be_lost(message: &Message) -> bool {
    let is_foreign = |block: &Block| matches!(block, Block::Native(_) | Block::Reasoning(_) | Block::Media(_));
    match message {
        Message::Assistant(assistant) => {
            let blocks = assistant.blocks();
            assistant.calls.is_empty() && !blocks.is_empty() && blocks.iter().all(is_foreign)
        }
        Message::System(_) | Message::User(_) | Message::Tool(_) => false,
    }
}

/// The assistant messages that may be lost, by their positions in the list. A conversation of such messages only is kept: without messages, it would
/// be an error.
pub fn endangered(messages: &[Message]) -> Vec<bool> {
    let endangered: Vec<bool> = messages.iter().map(may_be_lost).collect();
    if endangered.iter().all(|is| *is) { Vec::new() } else { endangered }
}

/// Leaves out the endangered messages of which nothing is left.
pub fn drop_lost(run: &mut Run, messages: &mut Vec<Message>, endangered: Vec<bool>) {
    let mut endangered = endangered.into_iter();
    messages.retain(|message| {
        let is_lost = endangered.next().unwrap_or_default() && has_nothing(message);
        if is_lost {
            run.warn(
                WarningCode::EmptyDropped,
                message.at(),
                "the message is empty after the conversion: it was left out",
            );
        }
        !is_lost
    });
}

fn has_nothing(message: &Message) -> bool {
    message.blocks().is_empty() && !message.metadata().is_own()
}

/// Gives system and user messages without blocks an empty text: the target rejects an empty array (Q69, Q107).
pub fn fill(run: &mut Run, messages: &mut [Message]) {
    let text = run.store.string("");
    for message in messages {
        if let Message::System(prose) | Message::User(prose) = message
            && matches!(&prose.content, Content::Blocks(blocks) if blocks.is_empty())
        {
            prose.content = Content::Text(text, prose.at);
        }
    }
}

/// Reports system and user messages that had no blocks.
pub fn warn_arrays(run: &mut Run, messages: &[Message]) {
    for message in messages {
        if let Message::System(prose) | Message::User(prose) = message
            && matches!(&prose.content, Content::Blocks(blocks) if blocks.is_empty())
        {
            warn_array(run, prose.at, Word::content);
        }
    }
}

/// The texts and messages that a target rejects because they are empty.
pub struct Empties {
    /// Whether the target rejects a text. The last argument: whether its message contains other texts.
    pub rejects: Rejects,
    /// Whether a message without content is written nevertheless, because of its metadata.
    pub keeps: fn(&Run, &Message) -> bool,
}

/// Leaves out the texts that the target rejects, and messages without content, apart from the system prompt. `reports`: whether messages without blocks
/// are reported, because their blocks were not left out before, with a warning for each.
pub fn drop_empty(run: &mut Run, messages: &mut Vec<Message>, empties: &Empties, reports: bool) {
    let prompt = leading_system(messages);
    let continue_others: Vec<bool> = messages.iter().map(|message| message.metadata().continues()).collect();
    let mut index = 0;
    messages.retain_mut(|message| {
        index += 1;
        if index <= prompt {
            return true;
        }
        // what shares a wire message with others is not left out
        let is_alone = !message.metadata().continues() && continue_others.get(index) != Some(&true);
        let had_content = has_content(message);
        drop_texts(run, message, empties.rejects);
        let is_kept = !is_alone || has_content(message) || (empties.keeps)(run, message);
        if !is_kept {
            if reports && !had_content {
                run.warn(WarningCode::EmptyDropped, message.at(), "a message without content was left out");
            }
            run.warn_metadata(message.metadata(), message.at());
        }
        is_kept
    });
}

/// Leaves out blank texts of the system prompt, and its messages without texts.
pub fn drop_blank_prompt(run: &mut Run, messages: &mut Vec<Message>) {
    let mut rest = leading_system(messages);
    messages.retain_mut(|message| {
        let Some(left) = rest.checked_sub(1) else { return true };
        rest = left;
        let at = message.at();
        if let Message::System(Prose { content: Content::Text(_, text_at), .. }) = message {
            *text_at = at;
        }
        drop_texts(run, message, |run, text, _, _| run.is_blank(text));
        if !has_content(message) {
            run.warn_metadata(message.metadata(), at);
        }
        has_content(message)
    });
}

type Rejects = fn(&Run, Value, &Metadata, bool) -> bool;

fn drop_texts(run: &mut Run, message: &mut Message, rejects: Rejects) {
    let (content, has_calls) = match message {
        Message::System(prose) | Message::User(prose) => (&mut prose.content, false),
        Message::Assistant(assistant) => (&mut assistant.content, !assistant.calls.is_empty()),
        Message::Tool(_) => return,
    };
    match content {
        Content::Blocks(blocks) => drop_blocks(run, blocks, rejects),
        Content::Text(text, at) if rejects(run, *text, &Metadata::default(), false) => {
            // the content of a message that consists of calls
            if !(has_calls && run.store.is_empty(*text)) {
                warn_text(run, *at);
            }
            *content = Content::Blocks(Vec::new());
        }
        Content::Text(..) => {}
    }
}

/// Leaves out the texts that the target rejects.
pub fn drop_blocks(run: &mut Run, blocks: &mut Vec<Block>, rejects: Rejects) {
    let has_words = |block: &Block| matches!(block, Block::Text { text, .. } if !run.is_blank(*text));
    let has_any_words = blocks.iter().any(has_words);
    blocks.retain(|block| match block {
        Block::Text { at, text, metadata } if rejects(run, *text, metadata, has_any_words) => {
            warn_text(run, *at);
            run.warn_metadata(metadata, *at);
            false
        }
        _ => true,
    });
}

fn warn_text(run: &mut Run, at: At) {
    run.warn(WarningCode::EmptyDropped, at, "the target does not accept an empty text");
}

fn has_content(message: &Message) -> bool {
    match message {
        Message::System(prose) | Message::User(prose) => !is_empty(&prose.content),
        Message::Assistant(assistant) => !is_empty(&assistant.content) || !assistant.calls.is_empty(),
        Message::Tool(_) => true,
    }
}

fn is_empty(content: &Content) -> bool {
    matches!(content, Content::Blocks(blocks) if blocks.is_empty())
}

/// Warns about an empty list that the target does not accept.
pub fn warn_array(run: &mut Run, at: At, word: Word) {
    // providers have it under different names
    let at = run.canonical_or(at, word);
    run.warn(WarningCode::EmptyDropped, at, "the target does not accept an empty array");
}
