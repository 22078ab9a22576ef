//! Contents: turns of the user and of the model (WIRE §4.5).

use super::fields::demands_roles;
use super::partial;
use super::parts::read_piece;
use super::write_parts::{PartsOf, assistant_parts, result_part, sibling_media, user_parts};
use crate::dialect::shared::turns::{self, Piece, leading_system, made_turn, user_turn};
use crate::model::{Add, Assistant, Block, Content, Message, Metadata, Native, Prose, ToolResult};
use crate::run::{At, Elements, Provider, Reading, Result, Run, WarningCode};
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
        let mut calls = |turn: &Assistant| run.from != run.to && partial::has_calls(run, turn.blocks());
        let has_calls = calls(&assistant);
        match messages.last_mut() {
            // some clients keep each chunk of a stream as a content: if they have calls, they are one turn
            Some(Message::Assistant(turn)) if goes_on || has_calls || calls(turn) => {
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
        pieces.push(read_piece(run, part, at)?.said(part, Provider::Google));
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
        blocks.add(match read_piece(run, part, at)? {
            Piece::Block(block) => block,
            // a model's turn has no results: such a part is kept whole
            Piece::Result(_) => Block::Native(Native::new(Provider::Google, part, at)),
        });
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

/// Writes the contents. For older models, media of results are written beside them.
pub fn write_list(run: &mut Run, messages: &[Message], media_in_results: bool) -> Result<()> {
    run.store.begin_array();
    let mut index = leading_system(messages);
    let mut wrote = false;
    while let Some(message) = messages.get(index) {
        let rest = messages.get(index..).unwrap_or_default();
        index += match message {
            Message::System(_) => 1,
            Message::Assistant(_) => {
                let turn = model_turn(run, rest);
                if !wrote && turn.iter().any(has_calls) {
                    write_made_turn(run, message.at());
                }
                wrote |= write_model(run, turn)?;
                turn.len()
            }
            Message::User(_) | Message::Tool(_) => {
                let turn = user_turn(rest);
                wrote |= write_user(run, turn, media_in_results)?;
                turn.len()
            }
        };
    }
    if let Some(first) = messages.first().filter(|_| !wrote) {
        write_made_turn(run, first.at());
    }
    run.store.end_array();
    Ok(())
}

/// Supplies a user turn if there is only a system instruction, or if the first turn has calls (Q97g, Q102).
fn write_made_turn(run: &mut Run, at: At) {
    let Some(text) = made_turn(run, at) else { return };
    let mut object = run.begin();
    object.word(run, Word::role, Word::user);
    object.key(run, Word::parts);
    run.store.begin_array();
    let mut part = run.begin();
    part.text(run, Word::text, text);
    part.close(run);
    run.store.end_array();
    object.close(run);
}

fn has_calls(message: &Message) -> bool {
    matches!(message, Message::Assistant(assistant) if assistant.has_calls())
}

/// A model turn with calls must not follow another model turn, so they are joined, also across messages without content (Q102, Q107).
fn model_turn<'a>(run: &mut Run, messages: &'a [Message]) -> &'a [Message] {
    let mut length = 1;
    let rest = if run.from == run.to { &[] } else { messages.get(1..).unwrap_or_default() };
    for (index, message) in rest.iter().enumerate() {
        if has_calls(message) {
            length = index + 2;
        } else if !matches!(message, Message::Assistant(_)) && !is_left_out(run, message) {
            break;
        }
    }
    messages.get(..length).unwrap_or_default()
}

/// Whether a message will be left out because it has no content that can be written.
fn is_left_out(run: &mut Run, message: &Message) -> bool {
    let prose = match message {
        Message::User(prose) if run.from != run.to && !prose.metadata.is_own() => prose,
        Message::System(_) => return true,
        Message::User(_) | Message::Assistant(_) | Message::Tool(_) => return false,
    };
    let blocks = match &prose.content {
        Content::Text(text, _) => return run.store.is_empty(*text),
        Content::Blocks(blocks) => blocks,
    };
    let is_said = |block: &Block| match block {
        Block::Text { text, .. } => !run.store.is_empty(*text),
        Block::Data { .. } => true,
        _ => false,
    };
    if blocks.iter().any(is_said) {
        return false;
    }
    run.writes_nothing(|run| user_parts(run, &prose.content, PartsOf::User))
}

/// Writes `{role, parts}`. Returns whether it was written: a content without parts is left out, unless the input had none.
fn write_content(
    run: &mut Run,
    role: Word,
    (metadata, at): (&Metadata, At),
    turn: &[Message],
    parts: impl FnOnce(&mut Run) -> Result<()>,
) -> Result<bool> {
    let told = run.warnings.len();
    let parts = run.try_build_array(|run| parts(run))?;
    let omitted = run.is_omitted(metadata, Word::parts);
    let is_own = metadata.is_own() || run.from == run.to;
    if run.is_void(parts) && !omitted && !is_own {
        if run.warnings.len() == told {
            run.warn(WarningCode::EmptyDropped, at, "a message without content was left out");
        }
        run.warn_metadata(metadata, at);
        return Ok(false);
    }
    let mut object = run.begin();
    match metadata.form(Word::role) {
        Some(form) if run.store.word(form) == Word::omitted && demands_roles(run) => {
            run.warn(WarningCode::DefaultUsed, at, "the target requires a role");
            object.word(run, Word::role, role);
        }
        Some(form) if run.store.word(form) == Word::omitted => {}
        Some(form) if run.store.word(form) == Word::function => object.put(run, Word::role, form),
        _ => object.word(run, Word::role, role),
    }
    if !(omitted && run.is_void(parts)) {
        object.put(run, Word::parts, parts);
    }
    turns::put_own(run, &mut object, turn);
    object.end(run, metadata, at);
    Ok(true)
}

fn write_model(run: &mut Run, turn: &[Message]) -> Result<bool> {
    let Some(first) = turn.first() else { return Ok(false) };
    write_content(run, Word::model, (first.metadata(), first.at()), turn, |run| {
        for (index, message) in turn.iter().enumerate() {
            warn_joined(run, message, index);
            match message {
                Message::Assistant(assistant) => assistant_parts(run, assistant)?,
                Message::User(prose) => user_parts(run, &prose.content, PartsOf::User)?,
                Message::System(_) | Message::Tool(_) => {}
            }
        }
        Ok(())
    })
}

fn write_user(run: &mut Run, turn: &[Message], media_in_results: bool) -> Result<bool> {
    let Some(first) = turn.first() else { return Ok(false) };
    let empty = Metadata::default();
    // the first message has the metadata of the wire message; those of a result also belong to its part
    let metadata = match first {
        Message::User(prose) => &prose.metadata,
        _ => &empty,
    };
    let metadata = if let Message::Tool(result) = first { &result.metadata.forms_only() } else { metadata };
    write_content(run, Word::user, (metadata, first.at()), turn, |run| {
        let mut open_results = Vec::new();
        for (index, message) in turn.iter().enumerate() {
            warn_joined(run, message, index);
            match message {
                Message::Tool(result) => {
                    result_part(run, result, media_in_results)?;
                    open_results.push(result);
                }
                Message::User(prose) => {
                    flush_media(run, &mut open_results, media_in_results);
                    user_parts(run, &prose.content, PartsOf::User)?;
                }
                Message::System(_) | Message::Assistant(_) => {}
            }
        }
        flush_media(run, &mut open_results, media_in_results);
        Ok(())
    })
}

/// Warns about the metadata of a message that was joined to the previous one. Results keep theirs in their parts.
fn warn_joined(run: &mut Run, message: &Message, index: usize) {
    if index > 0 && !matches!(message, Message::Tool(_)) {
        run.warn_metadata(message.metadata(), message.at());
    }
}

/// Writes media that results can't contain after the results, in the same content.
fn flush_media(run: &mut Run, results: &mut Vec<&ToolResult>, media_in_results: bool) {
    for result in results.drain(..) {
        sibling_media(run, result, media_in_results);
    }
}
