//! Messages, calls and results of the canonical format.

use super::calls::{CANONICAL, is_invalid, take_calls, write_calls};
use super::tools::{native_of, provider_of, write_native};
use super::{end, end_reading, finish};
use crate::dialect::shared::media::{source_words, take_source};
use crate::fit::media;
use crate::model::{
    Assistant, Block, Call, Content, Media, MediaKind, Message, Metadata, Outcome, Prose, Reasoning, Source, ToolResult,
};
use crate::run::{At, Queues, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

pub fn read_messages(run: &mut Run, value: Value, at: At) -> Result<Vec<Message>> {
    run.each(value, at, read_message)
}

fn read_message(run: &mut Run, value: Value, at: At) -> Result<Message> {
    let mut reading = run.object(value, at)?;
    let (role, role_at) = reading.require(run, Word::role)?;
    let mut message = match run.store.word(role) {
        Word::system => Message::System(read_prose(run, &mut reading)?),
        Word::user => Message::User(read_prose(run, &mut reading)?),
        Word::assistant => Message::Assistant(read_assistant(run, &mut reading)?),
        Word::tool => Message::Tool(read_result(run, &mut reading)?),
        _ => return run.wrong_word(role, role_at, "\"system\", \"user\", \"assistant\" or \"tool\""),
    };
    *message.metadata_mut() = end_reading(run, reading)?;
    Ok(message)
}

fn read_prose(run: &mut Run, reading: &mut Reading) -> Result<Prose> {
    let content = read_content(run, reading, &mut Unplaced::default())?;
    Ok(Prose { at: reading.at(), content, metadata: Metadata::default() })
}

/// An assistant message whose role was checked.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    let (role, role_at) = reading.require(run, Word::role)?;
    if run.store.word(role) != Word::assistant {
        return run.wrong_word(role, role_at, "\"assistant\"");
    }
    let assistant = read_assistant(run, &mut reading)?;
    Ok(Assistant { metadata: end_reading(run, reading)?, ..assistant })
}

fn read_assistant(run: &mut Run, reading: &mut Reading) -> Result<Assistant> {
    let mut calls = Unplaced::default();
    for call in take_calls(run, reading, &CANONICAL)? {
        calls.add(run, call);
    }
    let mut content = read_content(run, reading, &mut calls)?;
    let mut unmarked: Vec<Call> = calls.calls.into_iter().flatten().collect();
    if let Content::Blocks(blocks) = &mut content {
        blocks.extend(unmarked.drain(..).map(Block::Call));
    }
    Ok(Assistant { at: reading.at(), content, calls: unmarked, metadata: Metadata::default() })
}

/// Takes `content`. Calls that are named by a mark are moved from `calls` to its position.
fn read_content(run: &mut Run, reading: &mut Reading, calls: &mut Unplaced) -> Result<Content> {
    let (content, at) = reading.require(run, Word::content)?;
    match run.store.kind(content) {
        Kind::String => Ok(Content::Text(content, at)),
        Kind::Array => read_blocks(run, content, at, calls).map(Content::Blocks),
        _ => run.wrong_type(content, at, "a string or an array of blocks"),
    }
}

fn read_blocks(run: &mut Run, list: Value, at: At, calls: &mut Unplaced) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    for (block, at) in run.elements(list, at)? {
        blocks.extend(read_block(run, block, at, calls)?);
    }
    Ok(blocks)
}

/// Reads a block. None for a mark without a call.
pub fn read_block(run: &mut Run, value: Value, at: At, calls: &mut Unplaced) -> Result<Option<Block>> {
    let mut reading = run.object(value, at)?;
    let (kind, kind_at) = reading.require(run, Word::r#type)?;
    let metadata = Metadata::default();
    let mut block = match run.store.word(kind) {
        Word::text => Block::Text { at, text: reading.require_string(run, Word::text)?, metadata },
        Word::refusal => Block::Refusal { at, text: reading.require_string(run, Word::text)?, metadata },
        Word::data => Block::Data { at, value: reading.require(run, Word::value)?.0, metadata },
        Word::reasoning => Block::Reasoning(read_reasoning(run, &mut reading)?),
        Word::native => Block::Native(native_of(run, &mut reading)?),
        Word::toolCall => {
            let id = reading.require_string(run, Word::id)?;
            let block = calls.take(run, id).map(Block::Call);
            if block.is_none() {
                run.warn(WarningCode::DanglingMark, at, "no call of this message has this id");
            }
            // a mark is not a block: its metadata are not kept
            end_reading(run, reading)?;
            return Ok(block);
        }
        word => match MediaKind::of(word) {
            Some(kind) => Block::Media(read_media(run, &mut reading, kind)?),
            None => return run.wrong_word(kind, kind_at, "the type of a content block"),
        },
    };
    *block.metadata_mut() = end_reading(run, reading)?;
    Ok(Some(block))
}

/// The calls of a message that no mark has placed yet.
#[derive(Default)]
pub struct Unplaced {
    calls: Vec<Option<Call>>,
    by_id: Queues,
}

impl Unplaced {
    fn add(&mut self, run: &Run, call: Call) {
        self.by_id.add(run.store.text(call.id).as_bytes());
        self.calls.push(Some(call));
    }

    fn take(&mut self, run: &Run, id: Value) -> Option<Call> {
        let index = self.by_id.next(run.store.text(id).as_bytes(), &[])?;
        self.calls.get_mut(index)?.take()
    }
}

fn read_media(run: &mut Run, reading: &mut Reading, kind: MediaKind) -> Result<Media> {
    let mut inner = reading.require_object(run, Word::source)?;
    let (tag, tag_at) = inner.require(run, Word::r#type)?;
    let Some(source) = take_source(run, &mut inner, tag, Word::id)? else {
        return run.wrong_word(tag, tag_at, "\"base64\", \"url\", \"file\" or \"text\"");
    };
    finish(run, inner);
    let media_type = match source {
        Source::Base64(_) => Some(reading.require_string(run, Word::mediaType)?),
        Source::Url(_) | Source::File(_) | Source::Text(_) => reading.string(run, Word::mediaType)?,
    };
    let name = reading.string(run, Word::name)?;
    Ok(Media { at: reading.at(), kind, source, media_type, name, metadata: Metadata::default() })
}

fn read_reasoning(run: &mut Run, reading: &mut Reading) -> Result<Reasoning> {
    let (issuer, issuer_at) = reading.require(run, Word::issuer)?;
    Ok(Reasoning {
        at: reading.at(),
        issuer: provider_of(run, issuer, issuer_at)?,
        text: reading.string(run, Word::text)?,
        signature: reading.string(run, Word::signature)?,
        redacted: reading.string(run, Word::redacted)?,
        scope: reading.string(run, Word::scope)?,
        metadata: Metadata::default(),
    })
}

fn read_result(run: &mut Run, reading: &mut Reading) -> Result<ToolResult> {
    let at = reading.at();
    let id = reading.require_string(run, Word::toolCallId)?;
    let name = reading.require_string(run, Word::name)?;
    let (kind, kind_at) = reading.require(run, Word::kind)?;
    let word = run.store.word(kind);
    let value = reading.take_any(Word::value);
    // a tool that returned undefined: an empty text, as from `toolResult`
    let is_nothing = value.is_none() && word == Word::data;
    let value = if is_nothing { Some(run.store.string("")) } else { value };
    let value_at = run.down(at, Word::value);
    let value = run.present(value, value_at)?;
    let is_error = reading.boolean(run, Word::isError)?.unwrap_or(false);
    let outcome = match word {
        Word::data if is_nothing && is_error => Outcome::Error(value),
        Word::data if is_nothing => Outcome::Text(value),
        Word::text => Outcome::Text(run.string(value, value_at)?),
        Word::error if run.store.kind(value) == Kind::String => Outcome::Error(value),
        Word::error => Outcome::Data { value, is_error: true },
        Word::data => Outcome::Data { value, is_error },
        Word::multimodal => {
            let blocks = read_blocks(run, value, value_at, &mut Unplaced::default())?;
            Outcome::Multimodal { blocks, is_error }
        }
        _ => return run.wrong_word(kind, kind_at, "\"text\", \"data\", \"error\" or \"multimodal\""),
    };
    Ok(ToolResult { at, id, name, outcome, metadata: Metadata::default() })
}

pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    run.put_each(messages, |run, message| match message {
        Message::System(prose) => write_prose(run, prose, Word::system),
        Message::User(prose) => write_prose(run, prose, Word::user),
        Message::Assistant(assistant) => write_assistant(run, assistant),
        Message::Tool(result) => write_result(run, result),
    });
    Ok(())
}

fn write_prose(run: &mut Run, prose: &Prose, role: Word) {
    let mut object = run.begin();
    object.word(run, Word::role, role);
    write_content(run, &prose.content);
    end(run, object, &prose.metadata);
}

fn write_content(run: &mut Run, content: &Content) {
    run.store.key(Word::content);
    match content {
        Content::Text(text, _) => run.store.put(*text),
        Content::Blocks(blocks) => write_blocks(run, blocks),
    }
}

/// Writes blocks in order. Calls are written elsewhere, with a mark here if content follows them.
fn write_blocks(run: &mut Run, blocks: &[Block]) {
    let last_valid = blocks.iter().rposition(|block| !block.as_call().is_some_and(is_invalid));
    let last_mark = blocks.iter().enumerate().rposition(|(index, block)| match block.as_call() {
        Some(call) if is_invalid(call) => last_valid.is_some_and(|last| index < last),
        Some(_) => false,
        None => true,
    });
    run.store.begin_array();
    for (index, block) in blocks.iter().enumerate() {
        match block.as_call() {
            None => write_block(run, block),
            Some(call) if last_mark.is_some_and(|last| index <= last) => write_mark(run, call),
            Some(_) => {}
        }
    }
    run.store.end_array();
}

/// Writes the mark of a call, which is written elsewhere.
pub fn write_mark(run: &mut Run, call: &Call) {
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::toolCall);
    object.put(run, Word::id, call.id);
    object.close(run);
}

pub fn write_assistant(run: &mut Run, assistant: &Assistant) {
    let mut object = run.begin();
    object.word(run, Word::role, Word::assistant);
    write_content(run, &assistant.content);
    write_calls(run, &mut object, assistant.calls(), &CANONICAL, [false; 2]);
    end(run, object, &assistant.metadata);
}

pub fn write_block(run: &mut Run, block: &Block) {
    match block {
        Block::Text { text, metadata, .. } => write_typed(run, Word::text, (Word::text, *text), metadata),
        Block::Refusal { text, metadata, .. } => write_typed(run, Word::refusal, (Word::text, *text), metadata),
        Block::Data { value, metadata, .. } => write_typed(run, Word::data, (Word::value, *value), metadata),
        Block::Media(media) => write_media(run, media),
        Block::Reasoning(reasoning) => write_reasoning(run, reasoning),
        Block::Native(native) => write_native(run, native),
        Block::Call(call) => write_mark(run, call),
    }
}

/// Writes a block with one field.
fn write_typed(run: &mut Run, kind: Word, (key, value): (Word, Value), metadata: &Metadata) {
    let mut object = run.begin();
    object.word(run, Word::r#type, kind);
    object.put(run, key, value);
    end(run, object, metadata);
}

fn write_media(run: &mut Run, media: &Media) {
    let Media { at: _, kind, source, media_type, name, metadata } = media;
    // providers may accept data without a type
    let media_type = media_type.or_else(|| media::implied_type(run, media));
    let mut object = run.begin();
    object.word(run, Word::r#type, kind.word());
    object.object(run, Word::source, |run, inner| {
        let (tag, key, value) = source_words(*source, Word::id);
        inner.word(run, Word::r#type, tag);
        inner.put(run, key, value);
    });
    object.option(run, Word::mediaType, media_type);
    object.option(run, Word::name, *name);
    end(run, object, metadata);
}

fn write_reasoning(run: &mut Run, reasoning: &Reasoning) {
    let Reasoning { at: _, text, signature, redacted, issuer, scope, metadata } = reasoning;
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::reasoning);
    object.option(run, Word::text, *text);
    object.option(run, Word::signature, *signature);
    object.option(run, Word::redacted, *redacted);
    object.word(run, Word::issuer, issuer.word());
    object.option(run, Word::scope, *scope);
    end(run, object, metadata);
}

fn write_result(run: &mut Run, result: &ToolResult) {
    let ToolResult { at: _, id, name, outcome, metadata } = result;
    let mut object = run.begin();
    object.word(run, Word::role, Word::tool);
    object.put(run, Word::toolCallId, *id);
    object.put(run, Word::name, *name);
    let kind = match outcome {
        Outcome::Text(_) => Word::text,
        Outcome::Error(_) => Word::error,
        Outcome::Data { .. } => Word::data,
        Outcome::Multimodal { .. } => Word::multimodal,
    };
    object.word(run, Word::kind, kind);
    object.key(run, Word::value);
    match outcome {
        Outcome::Text(value) | Outcome::Error(value) | Outcome::Data { value, .. } => run.store.put(*value),
        Outcome::Multimodal { blocks, .. } => write_blocks(run, blocks),
    }
    if outcome.is_error() && kind != Word::error {
        object.boolean(run, Word::isError, true);
    }
    end(run, object, metadata);
}
