//! Contents: turns of the user and of the model (WIRE §4.5).

use super::partial;
use super::parts::read_piece;
use super::write_parts::{assistant_parts, content_parts, result_part};
use crate::dialect::is_result;
use crate::dialect::shared::turns;
use crate::model::{Add, Assistant, Content, Message, Metadata, Prose};
use crate::run::{At, Elements, Reading, Result, Run};
use crate::value::{Value, Word};

pub fn read_messages(run: &mut Run, value: Value, at: At) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    for (content, at) in run.elements(value, at)? {
        read_content(run, content, at, &mut messages)?;
    }
    for message in &mut messages {
        if let Message::Assistant(assistant) = message {
            join_pieces(run, assistant)?;
        }
    }
    Ok(messages)
}

fn join_pieces(run: &mut Run, assistant: &mut Assistant) -> Result<()> {
    if let Content::Blocks(blocks) = &mut assistant.content {
        *blocks = partial::join(run, std::mem::take(blocks))?;
    }
    Ok(())
}

fn read_content(run: &mut Run, value: Value, at: At, messages: &mut Vec<Message>) -> Result<()> {
    let mut reading = run.object(value, at)?;
    let role = match reading.take_at(run, Word::role) {
        Some((role, role_at)) => match run.store.word(role) {
            word @ (Word::user | Word::model) => word,
            // some clients use this role for results (Q97h)
            word @ Word::function => {
                reading.note(Word::role, role);
                word
            }
            _ => return run.wrong_word(role, role_at, "\"user\" or \"model\""),
        },
        None => {
            reading.note_omitted(run, Word::role);
            Word::user
        }
    };
    if role == Word::model {
        let mut assistant = read_model(run, reading)?;
        let goes_on = partial::goes_on(run, assistant.blocks());
        match messages.last_mut() {
            Some(Message::Assistant(turn)) if goes_on => {
                run.place(&mut assistant.metadata, at);
                turn.join(assistant);
            }
            _ => messages.add(Message::Assistant(assistant)),
        }
        return Ok(());
    }
    let parts = take_parts(run, &mut reading)?;
    let mut pieces = Vec::with_capacity(parts.len());
    for (part, at) in parts {
        pieces.push(read_piece(run, part, at)?.by_user(part, run.route.source_provider()));
    }
    let metadata = turns::own_metadata(run, reading, &pieces);
    let prose = |content, metadata| Message::User(Prose { at, content, metadata });
    turns::split(pieces, metadata, prose, messages);
    Ok(())
}

/// A content may have no parts if the model ran out of tokens; it is read as empty (Q166).
fn take_parts(run: &mut Run, reading: &mut Reading) -> Result<Elements> {
    let Some((parts, at)) = reading.take_at(run, Word::parts) else {
        reading.note_omitted(run, Word::parts);
        return Ok(Elements::none());
    };
    run.elements(parts, at)
}

fn read_model(run: &mut Run, mut reading: Reading) -> Result<Assistant> {
    let at = reading.at();
    let mut blocks = Vec::new();
    for (part, at) in take_parts(run, &mut reading)? {
        blocks.add(read_piece(run, part, at)?.by_model(part, run.route.source_provider()));
    }
    Ok(Assistant { at, content: Content::Blocks(blocks), calls: Vec::new(), metadata: reading.rest() })
}

/// The model's content as in a candidate.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    if !reading.take_usual(run, Word::role, Word::model) {
        reading.note_omitted(run, Word::role);
    }
    let mut assistant = read_model(run, reading)?;
    join_pieces(run, &mut assistant)?;
    Ok(assistant)
}

/// Writes the contents.
pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    turns::write_list(run, messages, |run, turn| match turn {
        [Message::System(_)] => Ok(()),
        [Message::Assistant(assistant)] => write_model(run, assistant),
        turn => write_user(run, turn),
    })
}

/// Writes `{role, parts}`.
fn write_content(
    run: &mut Run,
    role: Word,
    (metadata, at): (&Metadata, At),
    turn: &[Message],
    parts: impl FnOnce(&mut Run) -> Result<()>,
) -> Result<()> {
    let parts = run.try_build_array(|run| parts(run))?;
    // the first message has the metadata of the wire message; those of a result are those of its part
    let is_results = turn.first().is_some_and(is_result);
    let mut object = if is_results { run.begin_inside(metadata, Word::wireMessage) } else { run.begin() };
    match object.form(run, metadata, Word::role) {
        Some(form) if run.store.word(form) == Word::function => object.put(run, Word::role, form),
        Some(_) => {}
        None => object.word(run, Word::role, role),
    }
    if !(object.form(run, metadata, Word::parts).is_some() && run.is_void(parts)) {
        object.put(run, Word::parts, parts);
    }
    turns::put_own(run, &mut object, turn);
    if is_results {
        object.close(run);
    } else {
        object.end(run, metadata, at);
    }
    Ok(())
}

fn write_model(run: &mut Run, assistant: &Assistant) -> Result<()> {
    write_content(run, Word::model, (&assistant.metadata, assistant.at), &[], |run| {
        assistant_parts(run, assistant);
        Ok(())
    })
}

fn write_user(run: &mut Run, turn: &[Message]) -> Result<()> {
    let Some(first) = turn.first() else { return Ok(()) };
    write_content(run, Word::user, (first.metadata(), first.at()), turn, |run| {
        for (index, message) in turn.iter().enumerate() {
            match message {
                Message::Tool(result) => result_part(run, result)?,
                Message::User(prose) => {
                    if index > 0 {
                        run.warn_metadata(&prose.metadata, prose.at);
                    }
                    content_parts(run, &prose.content);
                }
                Message::System(_) | Message::Assistant(_) => {}
            }
        }
        Ok(())
    })
}
