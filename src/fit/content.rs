//! Content that a target accepts: media in accepted forms, refusals and data as text, and no blocks that only other providers understand.

use super::empties;
use crate::fit::{lost_reasoning, native};
use crate::model::{Assistant, Block, Content, Media, Message, Native, Outcome, Prose, Reasoning, ToolResult};
use crate::run::{Result, Run, WarningCode};
use crate::value::Word;

/// What contains the blocks.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    System,
    User,
    Assistant,
    Result,
    /// A result that is an error.
    Error,
}

/// What a target accepts as content.
pub struct AcceptedContent {
    /// The media in a form that the target accepts. If there is none, this is reported.
    pub media: fn(&mut Run, &Media) -> Option<Media>,
    /// What may contain media. Media that results can't contain are moved later ([`super::results`]).
    pub media_in: &'static [Holder],
    /// What may contain data; elsewhere, data become texts.
    pub data_in: &'static [Holder],
    /// Whether an assistant's refusals are apart from its texts.
    pub refusals: bool,
    pub native: fn(&mut Run, &Native, Holder) -> bool,
    /// Whether the target gets an item of reasoning, which consists of one or more blocks.
    pub reasoning: fn(&mut Run, &[Reasoning], Holder) -> bool,
}

/// Fits messages for a target that takes messages without content, but no empty arrays. Leaves out assistant messages of which nothing is left after
/// `more`, which fits them further.
pub fn fit_messages(
    run: &mut Run,
    messages: &mut Vec<Message>,
    takes: &AcceptedContent,
    more: fn(&mut Run, &mut Assistant),
) -> Result<()> {
    let endangered = empties::endangered(messages);
    empties::warn_arrays(run, messages);
    for message in messages.iter_mut() {
        if let Message::Assistant(assistant) = message {
            empties::drop_empty_texts(run, assistant);
        }
    }
    fit(run, messages, takes, Holder::System)?;
    for message in messages.iter_mut() {
        if let Message::Assistant(assistant) = message {
            // an empty refusal is an empty text now
            if !takes.refusals {
                empties::drop_empty_texts(run, assistant);
            }
            more(run, assistant);
        }
    }
    empties::drop_lost(run, messages, endangered);
    Ok(())
}

/// Fits the message of a response.
pub fn fit_response(run: &mut Run, message: &mut Assistant, takes: &AcceptedContent) -> Result<()> {
    empties::drop_empty_texts(run, message);
    fit_assistant(run, message, takes)
}

/// Fits a block of a streamed response.
pub fn fit_streamed(run: &mut Run, block: Block, takes: &AcceptedContent) -> Result<Option<Block>> {
    fit_block(run, block, Holder::Assistant, takes)
}

/// As [`fit_response`], for clients that get no empty texts.
pub fn fit_response_without_empties(run: &mut Run, message: &mut Assistant, takes: &AcceptedContent) -> Result<()> {
    fit_assistant(run, message, takes)?;
    if let Content::Blocks(blocks) = &mut message.content {
        empties::drop_blocks(run, blocks, |run, text, _, _| run.store.is_empty(text));
    }
    Ok(())
}

/// As [`fit_streamed`], for clients that get no empty texts.
pub fn fit_streamed_without_empties(run: &mut Run, block: Block, takes: &AcceptedContent) -> Result<Option<Block>> {
    let mut blocks: Vec<Block> = fit_streamed(run, block, takes)?.into_iter().collect();
    empties::drop_blocks(run, &mut blocks, |run, text, _, _| run.store.is_empty(text));
    Ok(blocks.pop())
}

/// Fits the blocks of all messages. The system messages at the start are the system prompt; `later` is what other system messages count as.
pub fn fit(run: &mut Run, messages: &mut [Message], takes: &AcceptedContent, later: Holder) -> Result<()> {
    let mut is_leading = true;
    for message in messages {
        let is_system = matches!(message, Message::System(_));
        is_leading &= is_system;
        match message {
            Message::System(prose) => fit_prose(run, prose, if is_leading { Holder::System } else { later }, takes)?,
            Message::User(prose) => fit_prose(run, prose, Holder::User, takes)?,
            Message::Assistant(assistant) => fit_assistant(run, assistant, takes)?,
            Message::Tool(ToolResult { outcome: Outcome::Multimodal { blocks, is_error }, .. }) => {
                fit_blocks(run, blocks, if *is_error { Holder::Error } else { Holder::Result }, takes)?;
            }
            Message::Tool(_) => {}
        }
    }
    Ok(())
}

/// Fits a message that has another holder now.
pub fn refit(run: &mut Run, message: &mut Message, holder: Holder, takes: &AcceptedContent) -> Result<()> {
    match message {
        Message::System(prose) | Message::User(prose) => fit_prose(run, prose, holder, takes),
        Message::Assistant(_) | Message::Tool(_) => Ok(()),
    }
}

pub fn fit_assistant(run: &mut Run, assistant: &mut Assistant, takes: &AcceptedContent) -> Result<()> {
    match &mut assistant.content {
        Content::Text(..) => Ok(()),
        Content::Blocks(blocks) => fit_blocks(run, blocks, Holder::Assistant, takes),
    }
}

fn fit_prose(run: &mut Run, prose: &mut Prose, holder: Holder, takes: &AcceptedContent) -> Result<()> {
    match &mut prose.content {
        Content::Text(..) => Ok(()),
        Content::Blocks(blocks) => fit_blocks(run, blocks, holder, takes),
    }
}

fn fit_blocks(run: &mut Run, blocks: &mut Vec<Block>, holder: Holder, takes: &AcceptedContent) -> Result<()> {
    if blocks.iter().all(|block| matches!(block, Block::Text { .. } | Block::Call(_))) {
        return Ok(());
    }
    let mut rest = std::mem::take(blocks).into_iter().peekable();
    while let Some(block) = rest.next() {
        let Block::Reasoning(first) = block else {
            blocks.extend(fit_block(run, block, holder, takes)?);
            continue;
        };
        let mut item = vec![first];
        while let Some(Block::Reasoning(part)) = rest.next_if(|block| is_continued(run, block)) {
            item.push(part);
        }
        if (takes.reasoning)(run, &item, holder) {
            blocks.extend(item.into_iter().map(Block::Reasoning));
        } else {
            item.iter().for_each(|part| lost_reasoning::warn_block(run, part));
        }
    }
    Ok(())
}

fn is_continued(run: &mut Run, block: &Block) -> bool {
    matches!(block, Block::Reasoning(part) if continues(run, part))
}

/// Whether a part of reasoning belongs to the item before it. In canonical input, the entry of its issuer states that.
pub fn continues(run: &mut Run, part: &Reasoning) -> bool {
    let entry = part.metadata.others().iter().find(|entry| entry.key.word() == part.issuer.word());
    let entry = entry.map(|entry| entry.value);
    part.metadata.continues() || entry.is_some_and(|entry| run.field(entry, Word::continues).is_some())
}

/// The block as the target accepts it. If it does not, this is reported.
fn fit_block(run: &mut Run, block: Block, holder: Holder, takes: &AcceptedContent) -> Result<Option<Block>> {
    let is_refusing = holder == Holder::Assistant;
    Ok(match block {
        Block::Refusal { at, text, metadata } if !(is_refusing && takes.refusals) => {
            let reason = if is_refusing {
                "the target has no form for a refusal"
            } else {
                "only assistant messages can contain a refusal"
            };
            run.warn(WarningCode::RefusalAsText, at, reason);
            Some(Block::Text { at, text, metadata })
        }
        Block::Data { at, value, metadata } if !takes.data_in.contains(&holder) => {
            let text = run.data_text(value, at)?;
            Some(Block::Text { at, text, metadata })
        }
        Block::Media(media) if takes.media_in.contains(&holder) => (takes.media)(run, &media).map(Block::Media),
        Block::Media(media) => {
            let reason = if is_refusing {
                "assistant messages of the target can't contain media"
            } else {
                "a system prompt can contain text only"
            };
            run.warn(WarningCode::MediaDropped, media.at, reason);
            None
        }
        Block::Native(native) if !(takes.native)(run, &native, holder) => {
            native::warn_block(run, native.at);
            None
        }
        Block::Reasoning(reasoning) => {
            let item = std::slice::from_ref(&reasoning);
            if (takes.reasoning)(run, item, holder) {
                Some(Block::Reasoning(reasoning))
            } else {
                lost_reasoning::warn_block(run, &reasoning);
                None
            }
        }
        Block::Text { .. } | Block::Refusal { .. } | Block::Data { .. } | Block::Native(_) | Block::Call(_) => {
            Some(block)
        }
    })
}
