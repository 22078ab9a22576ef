//! Moves media of error results, which the format's errors can't contain and which therefore follow the results, back into the errors. Where no result
//! can contain media, they stay behind the results, as those of other results do.

use crate::fit::results::media_label;
use crate::model::{Block, Content, Message, Outcome, ToolResult};
use crate::run::Run;
use crate::value::Value;

/// Moves media that follow a label (`shared::outcome::write_moved`) into the error that the label names.
pub fn gather(run: &Run, messages: &mut Vec<Message>) {
    if !run.route.from.format().limits.errors_are_text {
        return;
    }
    let mut is_emptied = Vec::with_capacity(messages.len());
    for index in 0..messages.len() {
        let (before, rest) = messages.split_at_mut(index);
        let Some(Message::User(prose)) = rest.first_mut() else {
            is_emptied.push(false);
            continue;
        };
        let turn = before.iter().rposition(|message| matches!(message, Message::Assistant(_))).unwrap_or_default();
        let results = before.get_mut(turn..).unwrap_or_default();
        let Content::Blocks(blocks) = &mut prose.content else {
            is_emptied.push(false);
            continue;
        };
        let had_blocks = !blocks.is_empty();
        *blocks = without_media(run, std::mem::take(blocks), results);
        is_emptied.push(had_blocks && blocks.is_empty());
    }
    let mut is_emptied = is_emptied.into_iter();
    messages.retain(|_| !is_emptied.next().unwrap_or_default());
}

/// The blocks that belong to no error in `results`. The others are moved into their errors.
fn without_media(run: &Run, blocks: Vec<Block>, results: &mut [Message]) -> Vec<Block> {
    let mut errors: Vec<_> = results.iter_mut().filter_map(error_of).collect();
    if errors.is_empty() {
        return blocks;
    }
    let mut left = Vec::with_capacity(blocks.len());
    let mut blocks = blocks.into_iter().peekable();
    while let Some(block) = blocks.next() {
        let owner = match blocks.peek() {
            Some(Block::Media(_)) => errors.iter_mut().find(|(label, _)| is_label(run, &block, *label)),
            _ => None,
        };
        match owner {
            Some((_, owner)) => {
                owner.extend(std::iter::from_fn(|| blocks.next_if(|next| matches!(next, Block::Media(_)))));
            }
            None => left.push(block),
        }
    }
    left
}

/// The id and the blocks of an error result, if it can have media.
fn error_of(message: &mut Message) -> Option<(Value, &mut Vec<Block>)> {
    match message {
        Message::Tool(ToolResult { id, outcome: Outcome::Multimodal { blocks, is_error: true }, .. }) => {
            Some((*id, blocks))
        }
        _ => None,
    }
}

fn is_label(run: &Run, block: &Block, id: Value) -> bool {
    let Block::Text { text, metadata, .. } = block else { return false };
    metadata.is_empty() && run.store.text(*text) == media_label(run, id)
}
