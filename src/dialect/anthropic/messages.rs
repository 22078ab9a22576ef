//! Messages: several results and the user's content after them may share one wire message (WIRE §3.5).

use super::blocks::{read_piece, read_user_part};
use super::write_blocks::{assistant_blocks, content_blocks, result_block};
use crate::dialect::shared::turns;
use crate::model::{Add, Assistant, Block, Content, Message, Metadata, Prose};
use crate::run::{At, Result, Run};
use crate::value::{Kind, Value, Word};

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
        if is_omitted { (run.store.array_of(&[]), at) } else { reading.require(run, Word::content)? };
    if role == Word::assistant {
        let content = read_assistant_content(run, content, content_at)?;
        messages.add(Message::Assistant(Assistant { at, content, calls: Vec::new(), metadata: reading.rest() }));
        return Ok(());
    }
    let is_text = run.store.kind(content) == Kind::String;
    let pieces = if is_text { Vec::new() } else { run.each(content, content_at, read_user_part)? };
    let mut metadata = turns::own_metadata(run, reading, &pieces);
    if role == Word::system {
        metadata.add_form(Word::system, run.store.word_value(Word::system));
    }
    if is_omitted {
        metadata.add_form(Word::content, run.store.word_value(Word::omitted));
    }
    let prose = |content, metadata| {
        let prose = Prose { at, content, metadata };
        if role == Word::system { Message::System(prose) } else { Message::User(prose) }
    };
    if is_text {
        messages.add(prose(Content::Text(content, content_at), metadata));
    } else {
        turns::split(pieces, metadata, prose, messages);
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
    Ok(read_piece(run, value, at)?.by_model(value, run.route.source_provider()))
}

/// An assistant message as in a response.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    let (content, content_at) = reading.require(run, Word::content)?;
    let content = read_assistant_content(run, content, content_at)?;
    Ok(Assistant { at, content, calls: Vec::new(), metadata: Metadata::default() })
}

/// Writes the messages after the system prompt.
pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    turns::write_list(run, messages, |run, turn| {
        match turn {
            [Message::System(prose)] => write_prose(run, prose, Word::system),
            [Message::Assistant(assistant)] => write_assistant(run, assistant),
            [Message::User(prose)] => write_prose(run, prose, Word::user),
            turn => write_user_turn(run, turn)?,
        }
        Ok(())
    })
}

fn write_user_turn(run: &mut Run, turn: &[Message]) -> Result<()> {
    let mut object = run.begin();
    object.word(run, Word::role, Word::user);
    object.key(run, Word::content);
    run.store.begin_array();
    let mut rest = Metadata::default();
    let mut at = turn.first().map_or(At::ROOT, Message::at);
    for message in turn {
        match message {
            Message::Tool(result) => result_block(run, result)?,
            Message::User(prose) => {
                content_blocks(run, &prose.content);
                rest.append(prose.metadata.clone());
                at = prose.at;
            }
            Message::System(_) | Message::Assistant(_) => {}
        }
    }
    run.store.end_array();
    turns::put_own(run, &mut object, turn);
    object.end(run, &rest, at);
    Ok(())
}

fn write_prose(run: &mut Run, prose: &Prose, role: Word) {
    let Prose { at, content, metadata } = prose;
    let mut object = run.begin();
    object.word(run, Word::role, role);
    match content {
        Content::Text(text, _) => object.put(run, Word::content, *text),
        Content::Blocks(blocks) if blocks.is_empty() && run.is_omitted(metadata, Word::content) => {}
        content => {
            object.array(run, Word::content, |run| content_blocks(run, content));
        }
    }
    object.end(run, metadata, *at);
}

fn write_assistant(run: &mut Run, assistant: &Assistant) {
    let Assistant { at, content, calls, metadata } = assistant;
    let mut object = run.begin();
    object.word(run, Word::role, Word::assistant);
    match content {
        Content::Text(text, _) if calls.is_empty() => object.put(run, Word::content, *text),
        Content::Text(..) | Content::Blocks(_) => {
            object.array(run, Word::content, |run| assistant_blocks(run, assistant));
        }
    }
    object.end(run, metadata, *at);
}
