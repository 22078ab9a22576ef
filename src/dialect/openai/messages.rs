//! Reads messages, calls and results (WIRE §1.3–§1.5, §1.9).

pub use super::write_messages::{write_assistant, write_list};
use super::{chunks, details, signatures};
use crate::dialect::shared::openai_items::read_audio;
use crate::dialect::shared::shapes::{Id, Presence, leave_number};
use crate::dialect::shared::{arguments, freeform, media, outcome};
use crate::model::{
    Add, Arguments, Assistant, Block, Call, Content, Media, MediaKind, Message, Metadata, Native, Outcome, Prose,
    Reasoning, Source, ToolResult,
};
use crate::run::{At, Key, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn read_messages(run: &mut Run, value: Value, at: At) -> Result<Vec<Message>> {
    let mut messages = run.each(value, at, read_message)?;
    if run.route.from.format().prefix
        && let Some(Message::Assistant(last)) = messages.last_mut()
        && last.metadata.form(Word::prefix).is_none()
    {
        last.metadata.add_form(Word::prefix, run.store.word_value(Word::omitted));
    }
    Ok(messages)
}

fn read_message(run: &mut Run, value: Value, at: At) -> Result<Message> {
    let mut reading = run.object(value, at)?;
    let (role, role_at) = reading.require(run, Word::role)?;
    match run.store.word(role) {
        Word::system => Ok(Message::System(read_prose(run, reading)?)),
        Word::developer => {
            let mut prose = read_prose(run, reading)?;
            prose.metadata.add(Key::Word(Word::role), role);
            Ok(Message::System(prose))
        }
        Word::user => Ok(Message::User(read_prose(run, reading)?)),
        Word::assistant => Ok(Message::Assistant(read_assistant(run, reading)?)),
        Word::tool => Ok(Message::Tool(read_result(run, reading, false)?)),
        Word::function => Ok(Message::Tool(read_result(run, reading, true)?)),
        _ => run.wrong_word(role, role_at, "a role of Chat Completions"),
    }
}

fn read_prose(run: &mut Run, mut reading: Reading) -> Result<Prose> {
    let at = reading.at();
    let is_null = reading.has(Word::content);
    let content = match reading.take_at(run, Word::content) {
        Some((value, at)) => read_content(run, value, at)?,
        None => {
            reading.note_omitted(run, Word::content);
            let at = if is_null { run.down(at, Word::content) } else { at };
            Content::Text(run.store.string(""), at)
        }
    };
    Ok(Prose { at, content, metadata: reading.rest() })
}

fn read_content(run: &mut Run, value: Value, at: At) -> Result<Content> {
    match run.store.kind(value) {
        Kind::String => Ok(Content::Text(value, at)),
        Kind::Array => Ok(Content::Blocks(run.each(value, at, read_part)?)),
        _ => run.wrong_type(value, at, "a string or an array of parts"),
    }
}

pub fn read_part(run: &mut Run, value: Value, at: At) -> Result<Block> {
    let mut reading = run.object(value, at)?;
    let (kind, kind_at) = reading.require(run, Word::r#type)?;
    match run.store.word(run.string(kind, kind_at)?) {
        kind if run.route.from.format().chunks && chunks::has(kind) => chunks::read(run, kind, reading),
        Word::text => {
            let text = reading.require_string(run, Word::text)?;
            Ok(Block::Text { at, text, metadata: reading.rest() })
        }
        Word::refusal => {
            let text = reading.require_string(run, Word::refusal)?;
            let mut metadata = reading.rest();
            metadata.add_form(Word::content, run.store.word_value(Word::parts));
            Ok(Block::Refusal { at, text, metadata })
        }
        Word::image_url => read_image(run, reading),
        Word::input_audio => read_audio(run, reading, |format| !matches!(format, Word::wav | Word::mp3)),
        Word::file => read_file(run, reading),
        _ => Ok(Block::Native(Native::of_source(run, value, at))),
    }
}

/// An image; some servers accept its URL as a plain string (Q190).
fn read_image(run: &mut Run, mut reading: Reading) -> Result<Block> {
    let (image, image_at) = reading.require(run, Word::image_url)?;
    let at = reading.at();
    let mut metadata = reading.rest();
    let url = if run.store.kind(image) == Kind::String {
        metadata.add_form(Word::image_url, run.store.word_value(Word::text));
        image
    } else {
        let mut image = run.object(image, image_at)?;
        let url = image.require_string(run, Word::url)?;
        image.rest_into(run, Word::image_url, &mut metadata);
        url
    };
    let (source, media_type) = media::of_url(run, url, &mut metadata);
    Ok(Block::Media(Media { at, kind: MediaKind::Image, source, media_type, name: None, metadata }))
}

fn read_file(run: &mut Run, mut reading: Reading) -> Result<Block> {
    let mut file = reading.require_object(run, Word::file)?;
    let name = file.string(run, Word::filename)?;
    let at = reading.at();
    let mut metadata = reading.rest();
    let (source, media_type) = if let Some(id) = file.string(run, Word::file_id)? {
        (Source::File(id), None)
    } else {
        let data = file.require_string(run, Word::file_data)?;
        media::of_file_data(run, data, &mut metadata)
    };
    file.rest_into(run, Word::file, &mut metadata);
    Ok(Block::Media(Media { at, kind: MediaKind::Document, source, media_type, name, metadata }))
}

/// An assistant message as in a response.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    reading.take_usual(run, Word::role, Word::assistant);
    read_assistant(run, reading)
}

fn read_assistant(run: &mut Run, mut reading: Reading) -> Result<Assistant> {
    let at = reading.at();
    let mut before = if run.route.from.format().chunks { Vec::new() } else { read_reasoning(run, &mut reading)? };
    if run.route.from.format().prefix
        && let Some(prefix) = reading.peek(Word::prefix).filter(|prefix| run.store.kind(*prefix) == Kind::Boolean)
    {
        reading.take_any(Word::prefix);
        reading.note(Word::prefix, prefix);
    }
    let (refusal, content) = (read_refusal(run, &mut reading)?, reading.take_any(Word::content));
    let calls = read_calls(run, &mut reading)?;
    let speaks_otherwise = !calls.is_empty() || refusal.is_some();
    let content_at = run.down(at, Word::content);
    let content = match content {
        Some(value) if run.store.kind(value) == Kind::Array => {
            let parts = run.each(value, content_at, read_part)?;
            let is_one_text = matches!(parts.as_slice(), [Block::Text { metadata, .. }] if metadata.is_empty());
            if is_one_text || parts.is_empty() {
                let form = if parts.is_empty() { value } else { run.store.word_value(Word::parts) };
                reading.note(Word::content, form);
            }
            Content::Blocks(parts)
        }
        Some(value) if run.store.kind(value) == Kind::String => {
            if run.store.is_empty(value) && speaks_otherwise {
                reading.note(Word::content, value);
            }
            Content::Text(value, content_at)
        }
        absent => {
            let is_null = absent.is_some_and(|value| run.store.kind(value) == Kind::Null);
            if let Some(value) = absent.filter(|_| !is_null) {
                return run.wrong_type(value, content_at, "a string, null or an array of parts");
            }
            match absent {
                Some(null) if !speaks_otherwise => reading.note(Word::content, null),
                Some(_) => {}
                None => reading.note_omitted(run, Word::content),
            }
            Content::Text(run.store.string(""), absent.map_or(at, |_| content_at))
        }
    };
    // the plain form has valid calls, followed by invalid ones, and nothing else
    let is_valid = |block: &Block| matches!(block, Block::Call(Call { arguments: Arguments::Object { .. }, .. }));
    let only_calls =
        calls.iter().all(|block| block.as_call().is_some()) && calls.is_sorted_by_key(|block| !is_valid(block));
    let as_blocks = run.route.is_response || refusal.is_some() || !before.is_empty() || !only_calls;
    let content = match content {
        Content::Text(text, at) if as_blocks => {
            if !run.store.is_empty(text) {
                before.push(Block::Text { at, text, metadata: Metadata::default() });
            }
            Content::Blocks(before)
        }
        Content::Blocks(parts) => {
            before.extend(parts);
            Content::Blocks(before)
        }
        text => text,
    };
    Ok(with_calls(Assistant { at, content, calls: Vec::new(), metadata: reading.rest() }, refusal, calls))
}

fn with_calls(mut assistant: Assistant, refusal: Option<Block>, calls: Vec<Block>) -> Assistant {
    match &mut assistant.content {
        Content::Blocks(blocks) => {
            blocks.extend(refusal);
            blocks.extend(calls);
        }
        Content::Text(..) => assistant.calls.extend(calls.into_iter().filter_map(Block::into_call)),
    }
    assistant
}

/// Compatible servers have reasoning in fields beside the content (Q154, Q207).
fn read_reasoning(run: &mut Run, reading: &mut Reading) -> Result<Vec<Block>> {
    if let Some(blocks) = details::read(run, reading)? {
        return Ok(blocks);
    }
    let mut blocks: Vec<Block> = Vec::new();
    for word in [Word::reasoning_content, Word::reasoning] {
        if reading.peek(word).is_none_or(|value| run.store.kind(value) != Kind::String) {
            continue;
        }
        let Some((text, at)) = reading.take_at(run, word) else { continue };
        // some servers send the same reasoning in both fields
        if let [Block::Reasoning(Reasoning { text: Some(known), metadata, .. })] = blocks.as_mut_slice()
            && run.store.same(*known, text)
        {
            metadata.add_form(Word::reasoning, run.store.word_value(Word::reasoning_content));
            continue;
        }
        let mut metadata = Metadata::default();
        if word == Word::reasoning {
            metadata.add_form(Word::reasoning, run.store.boolean_value(true));
        }
        blocks
            .add(Block::Reasoning(Reasoning { metadata, ..Reasoning::of_text(at, run.route.source_provider(), text) }));
    }
    let has_text = |block: &Block| match block {
        Block::Reasoning(part) => part.text.is_some_and(|text| !run.store.is_empty(text)),
        _ => false,
    };
    if !blocks.iter().any(has_text) {
        blocks.extend(details::read_texts(run, reading));
    }
    Ok(blocks)
}

/// A refusal. Responses always have the key, even if it is null; elsewhere null is recorded as a form.
fn read_refusal(run: &mut Run, reading: &mut Reading) -> Result<Option<Block>> {
    let is_expected = reading.has(Word::refusal) || run.route.is_response;
    if !is_expected || run.route.from.format().is_foreign(Word::refusal) {
        return Ok(None);
    }
    let at = run.down(reading.at(), Word::refusal);
    match reading.take_any(Word::refusal) {
        Some(value) if run.store.kind(value) == Kind::Null => {
            if !run.route.is_response {
                reading.note(Word::refusal, value);
            }
            Ok(None)
        }
        Some(value) => {
            let text = run.string(value, at)?;
            Ok(Some(Block::Refusal { at, text, metadata: Metadata::default() }))
        }
        None => {
            reading.note_omitted(run, Word::refusal);
            Ok(None)
        }
    }
}

fn read_calls(run: &mut Run, reading: &mut Reading) -> Result<Vec<Block>> {
    let mut calls = Vec::new();
    if let Some((list, at)) = reading.take_at(run, Word::tool_calls) {
        calls = run.each(list, at, read_call)?;
        for (position, call) in calls.iter_mut().enumerate() {
            let at = call.at();
            if run.route.from.format().whole_calls {
                chunks::take_index(run, call.metadata_mut(), position);
            } else {
                leave_number(run, call.metadata_mut(), at);
            }
        }
        if calls.is_empty() {
            reading.note(Word::tool_calls, list);
        }
    }
    if let Some((call, at)) = reading.take_at(run, Word::function_call) {
        calls.push(Block::Call(read_function_call(run, call, at)?));
    }
    Ok(calls)
}

/// The legacy form: a single call, without an id.
pub fn read_function_call(run: &mut Run, value: Value, at: At) -> Result<Call> {
    let mut function = run.object(value, at)?;
    let (name, arguments) = arguments::take(run, &mut function, (Word::arguments, arguments::Usual::Text))?;
    let mut metadata = function.rest();
    metadata.add_form(Word::legacy, run.store.boolean_value(true));
    Ok(Call { at, id: run.store.string(""), name, arguments, metadata })
}

pub const CALL_ID: Id = Id { key: Word::id, form: Word::id, presence: Presence::Usual };

pub const RESULT_ID: Id = Id { key: Word::tool_call_id, form: Word::tool_call_id, presence: Presence::Required };

pub fn read_call(run: &mut Run, value: Value, at: At) -> Result<Block> {
    let mut reading = run.object(value, at)?;
    let kind = reading.peek(Word::r#type).map_or(Word::function, |kind| run.store.word(kind));
    if !matches!(kind, Word::function | Word::custom) {
        let mut metadata = Metadata::default();
        metadata.add_form(Word::tool_calls, run.store.boolean_value(true));
        return Ok(Block::Native(Native { at, provider: run.route.source_provider(), value, metadata }));
    }
    if reading.take_any(Word::r#type).is_none() {
        reading.note_omitted(run, Word::r#type);
    }
    let mut metadata = Metadata::default();
    let id = CALL_ID.take(run, &mut reading)?;
    let mut inner = reading.require_object(run, kind)?;
    let (name, arguments) = if kind == Word::custom {
        freeform::take(run, &mut inner)?
    } else {
        arguments::take(run, &mut inner, (Word::arguments, arguments::Usual::Text))?
    };
    signatures::take(run, &mut reading, &mut inner, &mut metadata)?;
    metadata.append(reading.rest());
    inner.rest_into(run, kind, &mut metadata);
    // the remaining members under `custom` mark a freeform call, too
    if kind == Word::custom && freeform::mark(&metadata).is_none() {
        freeform::mark_call(run, &mut metadata);
    }
    Ok(Block::Call(Call { at, id, name, arguments, metadata }))
}

/// A tool message, or (`legacy`) a function message, which has a name instead of an id.
fn read_result(run: &mut Run, mut reading: Reading, legacy: bool) -> Result<ToolResult> {
    let at = reading.at();
    let mut forms = Metadata::default();
    let empty = run.store.string("");
    let (id, name) = if legacy {
        forms.add_form(Word::legacy, run.store.boolean_value(true));
        (empty, reading.require_string(run, Word::name)?)
    } else {
        (RESULT_ID.take(run, &mut reading)?, empty)
    };
    let outcome = match reading.take_at(run, Word::content) {
        Some((value, at)) if run.store.kind(value) == Kind::Array => {
            Outcome::Multimodal { blocks: run.each(value, at, read_part)?, is_error: false }
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
    let mut metadata = reading.rest();
    metadata.append(forms);
    Ok(ToolResult { at, id, name, outcome, metadata })
}
