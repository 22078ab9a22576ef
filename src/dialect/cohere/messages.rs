//! Reads messages, calls and results (WIRE §7.3, WIRE §7.4, WIRE §7.5, WIRE §7.9).

pub use super::write_messages::write_assistant;
use crate::dialect::openai::messages::read_part as read_openai_part;
use crate::dialect::shared::shapes::{Id, Presence, leave_number};
use crate::dialect::shared::{arguments, outcome};
use crate::model::{
    Add, Arguments, Assistant, Block, Call, Content, Message, Metadata, Native, Outcome, Prose, Reasoning, ToolResult,
};
use crate::run::{At, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn read_messages(run: &mut Run, value: Value, at: At) -> Result<Vec<Message>> {
    run.each(value, at, read_message)
}

fn read_message(run: &mut Run, value: Value, at: At) -> Result<Message> {
    let mut reading = run.object(value, at)?;
    let (role, role_at) = reading.require(run, Word::role)?;
    match run.store.word(role) {
        Word::system => Ok(Message::System(read_prose(run, reading)?)),
        Word::user => Ok(Message::User(read_prose(run, reading)?)),
        Word::assistant => Ok(Message::Assistant(read_assistant(run, reading)?)),
        Word::tool => Ok(Message::Tool(read_result(run, reading)?)),
        _ => run.wrong_word(role, role_at, "a role of Cohere's chat API"),
    }
}

fn read_prose(run: &mut Run, mut reading: Reading) -> Result<Prose> {
    let at = reading.at();
    let content = match reading.take_at(run, Word::content) {
        Some((text, at)) if run.store.kind(text) == Kind::String => Content::Text(text, at),
        Some((parts, at)) => Content::Blocks(run.each(parts, at, read_part)?),
        None => {
            reading.note_omitted(run, Word::content);
            Content::Text(run.store.string(""), at)
        }
    };
    Ok(Prose { at, content, metadata: reading.rest() })
}

/// Reads a part of a message. Texts and images have the shape of Chat Completions.
pub fn read_part(run: &mut Run, value: Value, at: At) -> Result<Block> {
    let mut reading = run.object(value, at)?;
    match reading.peek(Word::r#type).map(|kind| run.store.word(kind)) {
        Some(Word::text | Word::image_url) => read_openai_part(run, value, at),
        Some(Word::thinking) => {
            reading.take_any(Word::r#type);
            let text = reading.require_string(run, Word::thinking)?;
            let reasoning = Reasoning::of_text(at, run.route.source_provider(), text);
            Ok(Block::Reasoning(Reasoning { metadata: reading.rest(), ..reasoning }))
        }
        _ => Ok(Block::Native(Native::of_source(run, value, at))),
    }
}

/// An assistant message as in a response.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    reading.take_usual(run, Word::role, Word::assistant);
    read_assistant(run, reading)
}

fn read_assistant(run: &mut Run, mut reading: Reading) -> Result<Assistant> {
    let at = reading.at();
    let stated = reading.take_any(Word::content);
    let plan = read_plan(run, &mut reading)?;
    let calls = read_calls(run, &mut reading)?;
    let speaks_otherwise = plan.is_some() || !calls.is_empty();
    let content = read_content(run, &mut reading, stated, speaks_otherwise)?;
    // the plain form has valid calls, followed by invalid ones, and nothing else
    let is_plain = calls.is_sorted_by_key(|call| matches!(call.arguments, Arguments::Invalid { .. }));
    let mut blocks = match content {
        Content::Text(..) if !run.route.is_response && plan.is_none() && is_plain => {
            return Ok(Assistant { at, content, calls, metadata: reading.rest() });
        }
        Content::Text(text, _) if run.store.is_empty(text) => Vec::new(),
        Content::Text(text, at) => vec![Block::Text { at, text, metadata: Metadata::default() }],
        Content::Blocks(blocks) => blocks,
    };
    blocks.extend(plan.map(Block::Reasoning));
    blocks.extend(calls.into_iter().map(Block::Call));
    Ok(Assistant { at, content: Content::Blocks(blocks), calls: Vec::new(), metadata: reading.rest() })
}

/// Reads the content of an assistant message: a string or parts, and parts only in a response. It is missing beside calls.
fn read_content(
    run: &mut Run,
    reading: &mut Reading,
    stated: Option<Value>,
    speaks_otherwise: bool,
) -> Result<Content> {
    let at = run.down(reading.at(), Word::content);
    let Some(value) = stated else {
        if !speaks_otherwise && !run.route.is_response {
            reading.note_omitted(run, Word::content);
        }
        return Ok(Content::Text(run.store.string(""), reading.at()));
    };
    match run.store.kind(value) {
        Kind::Array => {
            let parts = run.each(value, at, read_part)?;
            let is_one_text = matches!(parts.as_slice(), [Block::Text { metadata, .. }] if metadata.is_empty());
            if parts.is_empty() {
                reading.note(Word::content, value);
            } else if is_one_text && !run.route.is_response {
                reading.note(Word::content, run.store.word_value(Word::parts));
            }
            Ok(Content::Blocks(parts))
        }
        Kind::String => {
            if run.route.is_response {
                reading.note(Word::content, run.store.word_value(Word::text));
            } else if run.store.is_empty(value) && speaks_otherwise {
                reading.note(Word::content, value);
            }
            Ok(Content::Text(value, at))
        }
        Kind::Null => {
            reading.note(Word::content, value);
            Ok(Content::Text(run.store.string(""), at))
        }
        _ => run.wrong_type(value, at, "a string or an array of parts"),
    }
}

/// What the model plans to do with tools: reasoning, with a form that states where it was.
fn read_plan(run: &mut Run, reading: &mut Reading) -> Result<Option<Reasoning>> {
    let at = run.down(reading.at(), Word::tool_plan);
    let Some(text) = reading.text(run, Word::tool_plan)? else { return Ok(None) };
    Ok(Some(plan(run, at, Some(text))))
}

/// A plan, or a piece of one.
pub fn plan(run: &mut Run, at: At, text: Option<Value>) -> Reasoning {
    let mut metadata = Metadata::default();
    metadata.add_form(Word::tool_plan, run.store.boolean_value(true));
    Reasoning { text, metadata, ..Reasoning::empty(at, run.route.source_provider()) }
}

fn read_calls(run: &mut Run, reading: &mut Reading) -> Result<Vec<Call>> {
    let Some((list, at)) = reading.take_at(run, Word::tool_calls) else { return Ok(Vec::new()) };
    let calls = run.each(list, at, read_call)?;
    if calls.is_empty() {
        reading.note(Word::tool_calls, list);
    }
    Ok(calls)
}

pub const CALL_ID: Id = Id { key: Word::id, form: Word::id, presence: Presence::Usual };
pub const RESULT_ID: Id = Id { key: Word::tool_call_id, form: Word::tool_call_id, presence: Presence::Required };

pub fn read_call(run: &mut Run, value: Value, at: At) -> Result<Call> {
    let mut reading = run.object(value, at)?;
    if !reading.take_usual(run, Word::r#type, Word::function) {
        reading.note_omitted(run, Word::r#type);
    }
    let id = CALL_ID.take(run, &mut reading)?;
    let mut function = reading.require_object(run, Word::function)?;
    let (name, arguments) = arguments::take(run, &mut function, (Word::arguments, arguments::Usual::Text))?;
    let mut metadata = reading.rest();
    leave_number(run, &mut metadata, at);
    function.rest_into(run, Word::function, &mut metadata);
    Ok(Call { at, id, name, arguments, metadata })
}

fn read_result(run: &mut Run, mut reading: Reading) -> Result<ToolResult> {
    let at = reading.at();
    let empty = run.store.string("");
    let id = RESULT_ID.take(run, &mut reading)?;
    let outcome = match reading.take_at(run, Word::content) {
        Some((value, at)) if run.store.kind(value) == Kind::Array => {
            Outcome::Multimodal { blocks: run.each(value, at, read_result_part)?, is_error: false }
        }
        Some((value, at)) => {
            let text = run.string(value, at)?;
            outcome::read_text(run, text)
        }
        None => {
            reading.note_omitted(run, Word::content);
            Outcome::Text(empty)
        }
    };
    Ok(ToolResult { at, id, name: empty, outcome, metadata: reading.rest() })
}

/// A part of a result. A document is data, which the model may cite.
fn read_result_part(run: &mut Run, value: Value, at: At) -> Result<Block> {
    let mut reading = run.object(value, at)?;
    let kind = reading.peek(Word::r#type).map(|kind| run.store.word(kind));
    let document = reading.peek(Word::document).filter(|document| run.store.kind(*document) == Kind::Object);
    let data = document.and_then(|document| run.member(document, Word::data));
    let has_data = data.is_some_and(|data| run.store.kind(data) == Kind::Object);
    if kind != Some(Word::document) || !has_data {
        return read_part(run, value, at);
    }
    reading.take_any(Word::r#type);
    let mut document = reading.require_object(run, Word::document)?;
    let (value, _) = document.require(run, Word::data)?;
    let mut metadata = reading.rest();
    document.rest_into(run, Word::document, &mut metadata);
    Ok(Block::Data { at, value, metadata })
}

/// The blocks of a message, for a writer. An empty text is none.
pub fn blocks_of(run: &Run, assistant: &Assistant) -> Vec<Block> {
    let mut blocks = Vec::new();
    match &assistant.content {
        Content::Text(text, _) if run.store.is_empty(*text) => {}
        Content::Text(text, at) => blocks.add(Block::Text { at: *at, text: *text, metadata: Metadata::default() }),
        Content::Blocks(all) => blocks.extend(all.iter().cloned()),
    }
    blocks
}
