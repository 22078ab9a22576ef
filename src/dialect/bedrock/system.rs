//! The system prompt: texts, texts for guardrails, and cache points (WIRE §5.10).

use super::blocks::read_user_part;
use super::cache_points;
use super::write_blocks::{write_block, write_text};
use crate::dialect::shared::turns::{TurnPart, system_prompt};
use crate::model::{Add, Block, Content, Message, Metadata, Native, Prose};
use crate::run::{At, Result, Run, Writing};
use crate::value::{Value, Word};

/// Reads `system`. Each block becomes a message.
pub fn read(run: &mut Run, value: Value, at: At, messages: &mut Vec<Message>) -> Result<()> {
    let mut system = Vec::new();
    for (value, at) in run.elements(value, at)? {
        let block = match read_user_part(run, value, at)? {
            TurnPart::Block(block @ (Block::Text { .. } | Block::Native(_))) => block,
            TurnPart::Block(_) | TurnPart::Result(_) => Block::Native(Native::of_source(run, value, at)),
        };
        let (content, metadata) = match block {
            Block::Text { at, text, metadata } => (Content::Text(text, at), metadata),
            block => (Content::Blocks(vec![block]), Metadata::default()),
        };
        system.add(Message::System(Prose { at, content, metadata }));
    }
    messages.extend(cache_points::attach(run, system));
    Ok(())
}

/// Writes `system`, if there is any.
pub fn write(run: &mut Run, object: &mut Writing, messages: &[Message]) {
    let front = system_prompt(messages);
    if front.is_empty() {
        return;
    }
    object.array(run, Word::system, |run| {
        for Prose { at, content, metadata } in front {
            match content {
                Content::Text(text, _) => write_text(run, *text, metadata, *at),
                Content::Blocks(blocks) => {
                    run.warn_metadata(metadata, *at);
                    blocks.iter().for_each(|block| write_block(run, block));
                }
            }
        }
    });
}
