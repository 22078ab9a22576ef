//! Messages: several results and the user's content after them may share one wire message (WIRE §3.5).

use super::blocks::{read_piece, read_said};
use super::prefill::{is_left_out, prefill, trimmed};
use super::write_blocks::{assistant_blocks, error_media, result_block, user_blocks};
use crate::dialect::shared::turns::{self, Piece, leading_system, made_turn, user_turn};
use crate::model::{Add, Assistant, Block, Content, Message, Metadata, Native, Prose};
use crate::run::{At, MidSystem, Provider, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};
use std::borrow::Cow;

pub fn read_messages(run: &mut Run, value: Value, at: At) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    for (message, at) in run.elements(value, at)? {
        read_message(run, message, at, &mut messages)?;
    }
    Ok(messages)
}

fn read_message(run: &mut Run, value: Value, at: At, messages: &mut Vec<Message>) -> Result<()> {
    let mut reading = run.object(value, at)?;
    let (role, role_at) = reading.require(run, Word::role)?;
    let role = match run.store.word(role) {
        word @ (Word::user | Word::assistant | Word::system) => word,
        _ => return run.wrong_word(role, role_at, "\"user\", \"assistant\" or \"system\""),
    };
    // a system message may consist of settings only
    let is_omitted = role == Word::system && !reading.has(Word::content);
    let (content, content_at) =
        if is_omitted { (run.array_of(&[]), at) } else { reading.require(run, Word::content)? };
    let role_value = run.word_value(Word::system);
    let pieces = match (role, run.store.kind(content)) {
        (Word::assistant, _) | (_, Kind::String) => None,
        _ => Some(run.each(content, content_at, read_said)?),
    };
    let mut metadata = turns::own_metadata(run, reading, pieces.as_deref().unwrap_or_default());
    if role == Word::system {
        metadata.add_form(Word::system, role_value);
    }
    if is_omitted {
        metadata.add_form(Word::content, run.word_value(Word::omitted));
    }
    if role == Word::assistant {
        messages.add(Message::Assistant(Assistant {
            at,
            content: read_assistant_content(run, content, content_at)?,
            calls: Vec::new(),
            metadata,
        }));
        return Ok(());
    }
    let prose = |content, metadata| {
        let prose = Prose { at, content, metadata };
        if role == Word::system { Message::System(prose) } else { Message::User(prose) }
    };
    match pieces {
        None => messages.add(prose(Content::Text(content, content_at), metadata)),
        Some(pieces) => turns::split(pieces, metadata, prose, messages),
    }
    Ok(())
}

fn read_assistant_content(run: &mut Run, value: Value, at: At) -> Result<Content> {
    if run.store.kind(value) == Kind::String {
        return Ok(Content::Text(value, at));
    }
    Ok(Content::Blocks(run.each(value, at, read_assistant_block)?))
}

/// A block of a response. Results in it are those of the provider's own tools.
pub fn read_assistant_block(run: &mut Run, value: Value, at: At) -> Result<Block> {
    Ok(match read_piece(run, value, at)? {
        Piece::Block(block) => block,
        Piece::Result(result) => Block::Native(Native::new(Provider::Anthropic, value, result.at)),
    })
}

/// An assistant message as in a response.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    let (content, content_at) = reading.require(run, Word::content)?;
    let content = read_assistant_content(run, content, content_at)?;
    Ok(Assistant { at, content, calls: Vec::new(), metadata: Metadata::default() })
}

/// Whether a system message stays in place: it must follow a user turn and precede an assistant turn or the end (WIRE §3.5).
pub fn stays_inline(run: &mut Run, messages: &[Message], index: usize) -> bool {
    let form = messages.get(index).and_then(|message| message.metadata().form(Word::system));
    let came_inline = form.is_some_and(|form| run.store.word(form) == Word::system);
    if !came_inline && run.options.mid_system == MidSystem::Hoist {
        return false;
    }
    if came_inline && run.from == run.to {
        return true;
    }
    let mut said = |message: &&Message| !is_left_out(run, message);
    let before = messages.get(..index).unwrap_or_default().iter().rfind(&mut said);
    let after = messages.get(index + 1..).unwrap_or_default().iter().find(&mut said);
    matches!(before, Some(Message::User(_) | Message::Tool(_))) && matches!(after, None | Some(Message::Assistant(_)))
}

/// Writes the messages that are not part of the system prompt.
pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    run.store.begin_array();
    let prefill = prefill(run, messages);
    let mut index = leading_system(messages);
    let mut wrote = false;
    while let Some(message) = messages.get(index) {
        match message {
            Message::System(prose) => {
                if stays_inline(run, messages, index) {
                    wrote |= write_prose(run, prose, Word::system)?;
                }
                index += 1;
            }
            Message::Assistant(assistant) => {
                let trimmed = if prefill == Some(index) { trimmed(run, assistant) } else { Cow::Borrowed(assistant) };
                wrote |= write_assistant(run, &trimmed)?;
                index += 1;
            }
            Message::User(_) | Message::Tool(_) => {
                let turn = user_turn(messages.get(index..).unwrap_or_default());
                wrote |= write_user_turn(run, turn)?;
                index += turn.len();
            }
        }
    }
    if let Some(first) = messages.first().filter(|_| !wrote) {
        write_made_turn(run, first.at());
    }
    run.store.end_array();
    Ok(())
}

/// Supplies a user turn for a request that only has a system prompt.
fn write_made_turn(run: &mut Run, at: At) {
    let Some(text) = made_turn(run, at) else { return };
    let mut object = run.begin();
    object.word(run, Word::role, Word::user);
    object.text(run, Word::content, text);
    object.close(run);
}

fn write_user_turn(run: &mut Run, turn: &[Message]) -> Result<bool> {
    if let [Message::User(prose)] = turn {
        return write_prose(run, prose, Word::user);
    }
    let mut object = run.begin();
    object.word(run, Word::role, Word::user);
    object.key(run, Word::content);
    run.store.begin_array();
    let mut rest = Metadata::default();
    let mut at = turn.first().map_or(At::ROOT, Message::at);
    let mut results = turn;
    // results are first by now, unless the body stays in its format (Q82)
    for message in turn {
        match message {
            Message::Tool(result) => result_block(run, result)?,
            Message::User(prose) => {
                error_media(run, std::mem::take(&mut results));
                user_blocks(run, &prose.content)?;
                rest.append(prose.metadata.clone());
                at = prose.at;
            }
            Message::System(_) | Message::Assistant(_) => {}
        }
    }
    error_media(run, results);
    run.store.end_array();
    turns::put_own(run, &mut object, turn);
    object.end(run, &rest, at);
    Ok(true)
}

fn write_prose(run: &mut Run, prose: &Prose, role: Word) -> Result<bool> {
    let Prose { at, content, metadata } = prose;
    let (text, is_empty) = match content {
        Content::Text(text, at) => (Some((*text, *at)), false),
        Content::Blocks(blocks) => (None, blocks.is_empty()),
    };
    write_message(run, role, text, is_empty, (metadata, *at), |run| user_blocks(run, content))
}

fn write_assistant(run: &mut Run, assistant: &Assistant) -> Result<bool> {
    let Assistant { at, content, calls, metadata } = assistant;
    let text = match content {
        Content::Text(text, at) if calls.is_empty() => Some((*text, *at)),
        Content::Text(..) | Content::Blocks(_) => None,
    };
    let is_empty = assistant.blocks().is_empty();
    write_message(run, Word::assistant, text, is_empty, (metadata, *at), |run| assistant_blocks(run, assistant))
}

/// Writes a message unless it has no content left. Returns whether it was written. The content is `text`, or what `write_blocks` writes. `is_empty`:
/// there are no blocks whose omission would be reported.
fn write_message(
    run: &mut Run,
    role: Word,
    text: Option<(Value, At)>,
    is_empty: bool,
    (metadata, at): (&Metadata, At),
    write_blocks: impl FnOnce(&mut Run) -> Result<()>,
) -> Result<bool> {
    let is_own = run.from == run.to;
    let content = match text {
        Some((text, text_at)) if !is_own && run.is_blank(text) => {
            return Ok(left_out(run, Some(text_at), metadata, at));
        }
        Some((text, _)) => text,
        None => run.try_build_array(write_blocks)?,
    };
    let is_omitted = is_empty && metadata.form(Word::content).is_some_and(|form| run.store.word(form) == Word::omitted);
    if text.is_none() && run.is_void(content) && !is_own && !is_omitted {
        return Ok(left_out(run, is_empty.then_some(at), metadata, at));
    }
    let mut object = run.begin();
    object.word(run, Word::role, role);
    object.option(run, Word::content, Some(content).filter(|_| !is_omitted));
    object.end(run, metadata, at);
    Ok(true)
}

/// Leaves out a message without content. `empty_at` is set if this is not reported for each of its blocks.
fn left_out(run: &mut Run, empty_at: Option<At>, metadata: &Metadata, at: At) -> bool {
    if let Some(at) = empty_at {
        run.warn(WarningCode::EmptyDropped, at, "a message without content was left out");
    }
    run.warn_metadata(metadata, at);
    false
}
