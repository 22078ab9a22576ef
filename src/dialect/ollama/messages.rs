//! Reads messages, calls and results (WIRE §8.3–§8.5, §8.9).

pub use super::write_messages::write_assistant;
use crate::dialect::shared::shapes::{Absent, Field, Id, Presence};
use crate::dialect::shared::{arguments, outcome};
use crate::fit::data_url;
use crate::model::{
    Add, Assistant, Block, Call, Content, Media, MediaKind, Message, Metadata, Outcome, Prose, Reasoning, Source,
    ToolResult,
};
use crate::run::{At, Reading, Result, Run, WarningCode};
use crate::value::text::lowercase;
use crate::value::{Kind, Value, Word};

pub fn read_messages(run: &mut Run, value: Value, at: At) -> Result<Vec<Message>> {
    run.each(value, at, read_message)
}

fn read_message(run: &mut Run, value: Value, at: At) -> Result<Message> {
    let mut reading = run.object(value, at)?;
    let (role, role_at) = reading.require(run, Word::role)?;
    match role_word(run, &mut reading, role) {
        Word::system => Ok(Message::System(read_prose(run, reading)?)),
        Word::user => Ok(Message::User(read_prose(run, reading)?)),
        Word::assistant => Ok(Message::Assistant(read_assistant(run, reading)?)),
        Word::tool => Ok(Message::Tool(read_result(run, reading)?)),
        _ => run.wrong_word(role, role_at, "a role of Ollama"),
    }
}

const ROLES: &[Word] = &[Word::system, Word::user, Word::assistant, Word::tool];

/// The role in lower case, as the server ignores case.
fn role_word(run: &mut Run, reading: &mut Reading, role: Value) -> Word {
    let word = run.store.word(role);
    if ROLES.contains(&word) || run.store.kind(role) != Kind::String {
        return word;
    }
    let lower = lowercase(&run.store.text(role));
    let lower = run.store.string(&lower);
    reading.note(Word::role, role);
    run.store.word(lower)
}

fn read_prose(run: &mut Run, mut reading: Reading) -> Result<Prose> {
    let content = take_content(run, &mut reading)?;
    Ok(Prose { at: reading.at(), content, metadata: reading.rest() })
}

/// Content is always a single text.
pub const CONTENT: Field = Field { key: Word::content, kind: Kind::String, absent: Absent::EmptyText };

/// Takes a text, and the images beside it.
fn take_content(run: &mut Run, reading: &mut Reading) -> Result<Content> {
    let at = run.down(reading.at(), Word::content);
    let empty = run.store.string("");
    let (text, at) = CONTENT.take(run, reading)?.unwrap_or((empty, at));
    let images = read_images(run, reading)?;
    if images.is_empty() {
        return Ok(Content::Text(text, at));
    }
    Ok(Content::Blocks([text_block(run, text, at), images].concat()))
}

fn text_block(run: &Run, text: Value, at: At) -> Vec<Block> {
    if run.store.is_empty(text) { Vec::new() } else { vec![Block::Text { at, text, metadata: Metadata::default() }] }
}

/// Images are bytes without a type (Q192).
pub fn read_images(run: &mut Run, reading: &mut Reading) -> Result<Vec<Block>> {
    const USUAL: &str = "image/png";
    let Some((list, at)) = reading.take_at(run, Word::images) else { return Ok(Vec::new()) };
    let mut blocks = Vec::new();
    for (image, at) in run.elements(list, at)? {
        let data = run.string(image, at)?;
        let found = data_url::sniff(run, data);
        let media_type = if found.starts_with("image/") {
            found
        } else {
            run.warn(WarningCode::DefaultUsed, at, "the type of the image is unknown: the usual one is used");
            USUAL
        };
        let media_type = Some(run.store.string(media_type));
        let (kind, source, metadata) = (MediaKind::Image, Source::Base64(data), Metadata::default());
        blocks.add(Block::Media(Media { at, kind, source, media_type, name: None, metadata }));
    }
    if blocks.is_empty() {
        reading.note(Word::images, list);
    }
    Ok(blocks)
}

/// An assistant message as in a response.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    reading.take_usual(run, Word::role, Word::assistant);
    read_assistant(run, reading)
}

fn read_assistant(run: &mut Run, mut reading: Reading) -> Result<Assistant> {
    let at = reading.at();
    let mut blocks = read_thinking(run, &mut reading)?;
    let content = take_content(run, &mut reading)?;
    let calls = read_calls(run, &mut reading)?;
    // the plain form has valid calls, followed by invalid ones, and nothing else
    let is_plain = calls.is_sorted_by_key(|call| matches!(call.arguments, crate::model::Arguments::Invalid { .. }));
    match content {
        Content::Text(..) if !run.route.is_response && blocks.is_empty() && is_plain => {
            return Ok(Assistant { at, content, calls, metadata: reading.rest() });
        }
        Content::Text(text, at) => blocks.extend(text_block(run, text, at)),
        Content::Blocks(content) => blocks.extend(content),
    }
    blocks.extend(calls.into_iter().map(Block::Call));
    Ok(Assistant { at, content: Content::Blocks(blocks), calls: Vec::new(), metadata: reading.rest() })
}

/// The model's thinking, which is not signed.
fn read_thinking(run: &mut Run, reading: &mut Reading) -> Result<Vec<Block>> {
    let Some((thinking, at)) = reading.take_at(run, Word::thinking) else { return Ok(Vec::new()) };
    let text = run.string(thinking, at)?;
    if run.store.is_empty(text) {
        reading.note(Word::thinking, text);
        return Ok(Vec::new());
    }
    Ok(vec![Block::Reasoning(Reasoning::of_text(at, run.route.source_provider(), text))])
}

fn read_calls(run: &mut Run, reading: &mut Reading) -> Result<Vec<Call>> {
    let mut calls = Vec::new();
    if let Some((list, at)) = reading.take_at(run, Word::tool_calls) {
        for (index, (call, at)) in run.elements(list, at)?.enumerate() {
            calls.push(read_call(run, call, at, index)?);
        }
        if calls.is_empty() {
            reading.note(Word::tool_calls, list);
        }
    }
    Ok(calls)
}

pub const CALL_ID: Id = Id { key: Word::id, form: Word::id, presence: Presence::Optional };

/// Reads a call. `index` is its position in the message.
pub fn read_call(run: &mut Run, value: Value, at: At, index: usize) -> Result<Call> {
    let mut reading = run.object(value, at)?;
    let id = CALL_ID.take(run, &mut reading)?;
    if reading.peek(Word::r#type).is_some_and(|kind| run.store.word(kind) == Word::function) {
        reading.take_any(Word::r#type);
        reading.note(Word::r#type, run.store.word_value(Word::function));
    }
    let mut function = reading.require_object(run, Word::function)?;
    let (name, arguments) = arguments::take(run, &mut function, (Word::arguments, arguments::Usual::Object))?;
    take_index(run, &mut function, index);
    let mut metadata = reading.rest();
    function.rest_into(run, Word::function, &mut metadata);
    Ok(Call { at, id, name, arguments, metadata })
}

/// Takes the number of a call, which responses have. A number that equals the position is not kept.
fn take_index(run: &mut Run, function: &mut Reading, index: usize) {
    let Some(stated) = function.peek(Word::index) else {
        if run.route.is_response {
            function.note_omitted(run, Word::index);
        }
        return;
    };
    if run.store.kind(stated) == Kind::Number && run.store.number(stated) == index as f64 {
        function.take_any(Word::index);
        if !run.route.is_response {
            function.note(Word::index, run.store.word_value(Word::index));
        }
    }
}

pub const RESULT_ID: Id = Id { key: Word::tool_call_id, form: Word::id, presence: Presence::Optional };

/// A result has the name of its tool, and the id of its call if that has one (Q87).
fn read_result(run: &mut Run, mut reading: Reading) -> Result<ToolResult> {
    let at = reading.at();
    let empty = run.store.string("");
    let id = RESULT_ID.take(run, &mut reading)?;
    let name = match reading.text(run, Word::tool_name)? {
        Some(name) => name,
        None => {
            reading.note_omitted(run, Word::tool_name);
            empty
        }
    };
    let outcome = match take_content(run, &mut reading)? {
        Content::Text(text, _) => outcome::read_text(run, text),
        Content::Blocks(blocks) => Outcome::Multimodal { blocks, is_error: false },
    };
    Ok(ToolResult { at, id, name, outcome, metadata: reading.rest() })
}
