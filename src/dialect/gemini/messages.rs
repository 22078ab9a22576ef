//! Contents: turns of user and model (WIRE §4.5).

use super::parts::read_piece;
use super::write_parts::{PartsOf, assistant_parts, result_part, sibling_media, user_parts};
use crate::dialect::shared::turns::{self, Piece, leading_system, user_turn};
use crate::model::{Assistant, Block, Content, Message, Metadata, Native, Prose, ToolResult};
use crate::run::{At, Elements, Provider, Reading, Result, Run};
use crate::value::{Store, Word};

pub fn read_messages<S: Store>(run: &mut Run<S>, value: S::V, at: At) -> Result<Vec<Message<S::V>>> {
    let mut messages = Vec::new();
    for (content, at) in run.elements(value, at)? {
        read_content(run, content, at, &mut messages)?;
    }
    Ok(messages)
}

fn read_content<S: Store>(
    run: &mut Run<S>,
    value: S::V,
    at: At,
    messages: &mut Vec<Message<S::V>>,
) -> Result<()> {
    let mut reading = run.object(value, at)?;
    let role = match reading.take_at(run, Word::role) {
        Some((role, role_at)) => match run.store.word(role) {
            word @ (Word::user | Word::model) => word,
            // some clients call the role of results so (Q97h)
            word @ Word::function => {
                reading.note(Word::role, role);
                word
            }
            _ => return run.wrong_word(role, role_at, "\"user\" or \"model\""),
        },
        None => {
            reading.note(Word::role, run.word_value(Word::omitted));
            Word::user
        }
    };
    if role == Word::model {
        messages.push(Message::Assistant(read_model(run, reading)?));
        return Ok(());
    }
    let parts = take_parts(run, &mut reading)?;
    let pieces = parts.into_iter().map(|(part, at)| read_piece(run, part, at)).collect::<Result<_>>()?;
    let prose = |content, metadata| Message::User(Prose { at, content, metadata });
    turns::split(pieces, reading.rest(), prose, messages);
    Ok(())
}

/// A content without parts (a model that ran out of tokens) is an empty one (Q166).
fn take_parts<S: Store>(run: &mut Run<S>, reading: &mut Reading<S::V>) -> Result<Elements<S::V>> {
    let Some((parts, at)) = reading.take_at(run, Word::parts) else {
        if !reading.has_form(Word::parts) {
            reading.note(Word::parts, run.word_value(Word::omitted));
        }
        return Ok(Elements::new());
    };
    run.elements(parts, at)
}

fn read_model<S: Store>(run: &mut Run<S>, mut reading: Reading<S::V>) -> Result<Assistant<S::V>> {
    let at = reading.at;
    let mut blocks = Vec::new();
    for (part, at) in take_parts(run, &mut reading)? {
        blocks.push(match read_piece(run, part, at)? {
            Piece::Block(block) => block,
            // no turn of the model holds results: whatever it is, it stays whole
            Piece::Result(_) => {
                Block::Native(Native { at, provider: Provider::Google, value: part, metadata: Metadata::default() })
            }
        });
    }
    Ok(Assistant { at, content: Content::Blocks(blocks), calls: Vec::new(), metadata: reading.rest() })
}

/// The model's content alone, as it stands in a candidate.
pub fn read_assistant_value<S: Store>(run: &mut Run<S>, value: S::V, at: At) -> Result<Assistant<S::V>> {
    let mut reading = run.object(value, at)?;
    if reading.take_any(Word::role).is_none() {
        reading.note(Word::role, run.word_value(Word::omitted));
    }
    read_model(run, reading)
}

/// Writes the contents. Older models take media of results beside them only.
pub fn write_list<S: Store>(run: &mut Run<S>, messages: &[Message<S::V>], media_in_results: bool) -> Result<()> {
    run.store.begin_array();
    let mut index = leading_system(messages);
    while let Some(message) = messages.get(index) {
        let rest = messages.get(index..).unwrap_or_default();
        index += match message {
            Message::System(_) => 1,
            Message::Assistant(_) => {
                let turn = model_turn(rest);
                write_model(run, turn)?;
                turn.len()
            }
            Message::User(_) | Message::Tool(_) => {
                let turn = user_turn(rest);
                write_user(run, turn, media_in_results)?;
                turn.len()
            }
        };
    }
    run.store.end_array();
    Ok(())
}

/// A turn with calls must not follow another turn of the model, so it joins it (Q102).
fn model_turn<V>(messages: &[Message<V>]) -> &[Message<V>] {
    let joins = |message: &Message<V>| match message {
        Message::Assistant(assistant) => assistant.calls().next().is_some(),
        _ => false,
    };
    let more = messages.iter().skip(1).take_while(|message| joins(message)).count();
    messages.get(..=more).unwrap_or_default()
}

/// Writes `{role, parts}`; one without parts is left out, unless it came so.
fn write_content<S: Store>(
    run: &mut Run<S>,
    role: Word,
    (metadata, at): (&Metadata<S::V>, At),
    parts: impl FnOnce(&mut Run<S>) -> Result<()>,
) -> Result<()> {
    run.store.start();
    run.store.begin_array();
    let written = parts(run);
    run.store.end_array();
    let parts = run.store.finish();
    written?;
    let omitted = metadata.form(Word::parts).is_some_and(|form| run.store.word(form) == Word::omitted);
    let is_own = metadata.is_own() || run.from == run.to;
    if run.says_nothing(parts) && !omitted && !is_own {
        return Ok(());
    }
    let mut object = run.begin();
    match metadata.form(Word::role) {
        Some(form) if run.store.word(form) == Word::omitted => {}
        Some(form) if run.store.word(form) == Word::function => object.put(run, Word::role, form),
        _ => object.word(run, Word::role, role),
    }
    if !(omitted && run.says_nothing(parts)) {
        object.put(run, Word::parts, parts);
    }
    object.end(run, metadata, at);
    Ok(())
}

fn write_model<S: Store>(run: &mut Run<S>, turn: &[Message<S::V>]) -> Result<()> {
    let Some(first) = turn.first() else { return Ok(()) };
    write_content(run, Word::model, (first.metadata(), first.at()), |run| {
        for message in turn {
            if let Message::Assistant(assistant) = message {
                assistant_parts(run, assistant)?;
            }
        }
        Ok(())
    })
}

fn write_user<S: Store>(run: &mut Run<S>, turn: &[Message<S::V>], media_in_results: bool) -> Result<()> {
    let Some(first) = turn.first() else { return Ok(()) };
    let empty = Metadata::default();
    // the wire message's own metadata went to its first message; those of a result belong to its part as well
    let metadata = match first {
        Message::User(prose) => &prose.metadata,
        _ => &empty,
    };
    let metadata = if let Message::Tool(result) = first { &result.metadata.forms_only() } else { metadata };
    write_content(run, Word::user, (metadata, first.at()), |run| {
        let mut open_results = Vec::new();
        for message in turn {
            match message {
                Message::Tool(result) => {
                    result_part(run, result, media_in_results)?;
                    open_results.push(result);
                }
                Message::User(prose) => {
                    flush_media(run, &mut open_results, media_in_results)?;
                    user_parts(run, &prose.content, PartsOf::User)?;
                }
                Message::System(_) | Message::Assistant(_) => {}
            }
        }
        flush_media(run, &mut open_results, media_in_results)
    })
}

/// Media of results on older models: after the results, in the same content.
fn flush_media<S: Store>(
    run: &mut Run<S>,
    results: &mut Vec<&ToolResult<S::V>>,
    media_in_results: bool,
) -> Result<()> {
    for result in results.drain(..) {
        if !media_in_results {
            sibling_media(run, result)?;
        }
    }
    Ok(())
}
