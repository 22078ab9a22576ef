//! Messages: several results and the user's content after them may share one wire message (WIRE §5.5).

use super::blocks::{read_assistant_block, read_user_part};
use super::write_blocks::{assistant_blocks, content_blocks};
use super::{cache_points, results};
use crate::dialect::is_result;
use crate::dialect::shared::turns;
use crate::model::{Add, Assistant, Content, Message, Metadata, Prose};
use crate::run::{At, Result, Run};
use crate::value::{Value, Word};

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
    let (content, content_at) = reading.require(run, Word::content)?;
    if role == Word::assistant {
        let content = read_assistant_content(run, content, content_at)?;
        messages.add(Message::Assistant(Assistant { at, content, calls: Vec::new(), metadata: reading.rest() }));
        return Ok(());
    }
    let pieces = run.each(content, content_at, read_user_part)?;
    let pieces = cache_points::attach(run, pieces);
    let mut metadata = turns::own_metadata(run, reading, &pieces);
    if role == Word::system {
        metadata.add_form(Word::system, run.store.word_value(Word::system));
    }
    let prose = |content, metadata| {
        let prose = Prose { at, content, metadata };
        if role == Word::system { Message::System(prose) } else { Message::User(prose) }
    };
    turns::split(pieces, metadata, prose, messages);
    Ok(())
}

fn read_assistant_content(run: &mut Run, value: Value, at: At) -> Result<Content> {
    let blocks = run.each(value, at, read_assistant_block)?;
    Ok(Content::Blocks(cache_points::attach(run, blocks)))
}

/// An assistant message as in a response.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    reading.take_usual(run, Word::role, Word::assistant);
    let (content, content_at) = reading.require(run, Word::content)?;
    let content = read_assistant_content(run, content, content_at)?;
    Ok(Assistant { at, content, calls: Vec::new(), metadata: reading.rest() })
}

/// Writes the messages after the system prompt.
pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    turns::write_list(run, messages, |run, turn| match turn {
        [Message::Assistant(assistant)] => {
            write_assistant(run, assistant);
            Ok(())
        }
        [Message::System(_)] => write_turn(run, turn, Word::system),
        turn => write_turn(run, turn, Word::user),
    })
}

fn write_turn(run: &mut Run, turn: &[Message], role: Word) -> Result<()> {
    let mut object = run.begin();
    object.word(run, Word::role, role);
    object.key(run, Word::content);
    run.store.begin_array();
    let mut own: Option<(&Metadata, At)> = None;
    for message in turn {
        match message {
            Message::Tool(result) => results::write(run, result)?,
            Message::User(prose) | Message::System(prose) => {
                content_blocks(run, &prose.content);
                // those that share a wire message have metadata of their own only if they were joined here
                if own.is_some() || turn.first().is_some_and(is_result) {
                    run.warn_metadata(&prose.metadata, prose.at);
                } else {
                    own = Some((&prose.metadata, prose.at));
                }
            }
            Message::Assistant(_) => {}
        }
    }
    run.store.end_array();
    turns::put_own(run, &mut object, turn);
    let nothing = Metadata::default();
    let (metadata, at) = own.unwrap_or((&nothing, turn.first().map_or(At::ROOT, Message::at)));
    object.end(run, metadata, at);
    Ok(())
}

/// Writes a message of the model.
pub fn write_assistant(run: &mut Run, assistant: &Assistant) {
    let mut object = run.begin();
    object.usual(run, &assistant.metadata, Word::role, Word::assistant);
    object.array(run, Word::content, |run| assistant_blocks(run, assistant));
    object.end(run, &assistant.metadata, assistant.at);
}
