//! The prefill: an assistant message at the end of a conversation, which the model continues (WIRE §3.5).

use super::thinking::is_sent;
use super::write_blocks::{assistant_blocks, user_blocks};
use crate::model::{Assistant, Block, Content, Message};
use crate::run::{At, Provider, Run, WarningCode};
use crate::value::Value;
use std::borrow::Cow;

/// Whether a message will be left out because it has no content that can be written.
pub fn is_left_out(run: &mut Run, message: &Message) -> bool {
    let content = match message {
        Message::User(prose) => &prose.content,
        Message::Assistant(assistant) if !assistant.has_calls() => &assistant.content,
        Message::System(_) | Message::Assistant(_) | Message::Tool(_) => return false,
    };
    if run.from == run.to {
        return false;
    }
    let blocks = match content {
        Content::Text(text, _) => return run.is_blank(*text),
        Content::Blocks(blocks) => blocks,
    };
    let is_said = |block: &Block| matches!(block, Block::Text { text, .. } if !run.is_blank(*text));
    if blocks.iter().any(is_said) {
        return false;
    }
    match message {
        Message::Assistant(assistant) => run.writes_nothing(|run| assistant_blocks(run, assistant)),
        Message::User(_) | Message::System(_) | Message::Tool(_) => run.writes_nothing(|run| user_blocks(run, content)),
    }
}

/// The index of the assistant message that the model continues, if the conversation ends with one.
pub fn prefill(run: &mut Run, messages: &[Message]) -> Option<usize> {
    let counts = |message: &Message| !matches!(message, Message::System(_)) && !is_left_out(run, message);
    let last = messages.iter().rposition(counts)?;
    matches!(messages.get(last), Some(Message::Assistant(_)) if run.from != run.to).then_some(last)
}

/// Removes trailing white space, which the API rejects in a prefill (Q100, Q217).
pub fn trimmed<'a>(run: &mut Run, assistant: &'a Assistant) -> Cow<'a, Assistant> {
    if !assistant.calls.is_empty() {
        return Cow::Borrowed(assistant);
    }
    let mut kept = assistant.clone();
    let mut trimmed_at = Vec::new();
    match &mut kept.content {
        Content::Text(text, at) => trimmed_at.extend(trim_end(run, text).then_some(*at)),
        Content::Blocks(blocks) => {
            while let Some(index) = blocks.iter().rposition(is_written) {
                let Some((text, at)) = blocks.get_mut(index).and_then(text_of) else { break };
                let changed = trim_end(run, text);
                let is_empty = run.store.is_empty(*text);
                if changed || is_empty {
                    trimmed_at.push(at);
                }
                if !is_empty {
                    break;
                }
                blocks.remove(index);
            }
        }
    }
    let is_left = match &kept.content {
        Content::Text(text, _) => !run.store.is_empty(*text),
        Content::Blocks(blocks) => blocks.iter().any(is_written),
    };
    // a message of white space only is left out, which is reported elsewhere
    if trimmed_at.is_empty() || !is_left {
        return Cow::Borrowed(assistant);
    }
    for at in trimmed_at.into_iter().rev() {
        run.warn(
            WarningCode::EmptyDropped,
            at,
            "the target does not accept white space at the end of the text that it continues",
        );
    }
    Cow::Owned(kept)
}

/// Whether a block of the assistant is written. Media and blocks of other providers are not.
fn is_written(block: &Block) -> bool {
    match block {
        Block::Text { .. } | Block::Refusal { .. } | Block::Data { .. } | Block::Call(_) => true,
        Block::Native(native) => native.provider == Provider::Anthropic,
        Block::Reasoning(reasoning) => is_sent(reasoning),
        Block::Media(_) => false,
    }
}

fn text_of(block: &mut Block) -> Option<(&mut Value, At)> {
    match block {
        Block::Text { text, at, .. } | Block::Refusal { text, at, .. } => Some((text, *at)),
        Block::Data { .. } | Block::Native(_) | Block::Reasoning(_) | Block::Media(_) | Block::Call(_) => None,
    }
}

/// Trims the end of a text. Returns whether anything was removed.
fn trim_end(run: &mut Run, text: &mut Value) -> bool {
    let said = run.store.text(*text);
    let kept = said.trim_end();
    if kept.len() == said.len() {
        return false;
    }
    let kept = kept.to_owned();
    drop(said);
    *text = run.store.string(&kept);
    true
}
