//! Messages, calls and results of the canonical format.

use super::calls::{CANONICAL, is_invalid, put_calls, take_calls};
use super::tools::{provider_of, read_native, write_native};
use super::{finish, read_metadata, write_metadata};
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
    match run.store.word(role) {
        Word::system => Ok(Message::System(read_prose(run, reading)?)),
        Word::user => Ok(Message::User(read_prose(run, reading)?)),
        Word::assistant => Ok(Message::Assistant(read_assistant(run, reading)?)),
        Word::tool => Ok(Message::Tool(read_result(run, reading)?)),
        _ => run.wrong_word(role, role_at, "\"system\", \"user\", \"assistant\" or \"tool\""),
    }
}

fn read_prose(run: &mut Run, mut reading: Reading) -> Result<Prose> {
    let content = read_content(run, &mut reading, &mut Unplaced::default())?;
    let metadata = read_metadata(run, &mut reading)?;
    let at = reading.at();
    finish(run, reading);
    Ok(Prose { at, content, metadata })
}

/// An assistant message whose role was checked.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    let (role, role_at) = reading.require(run, Word::role)?;
    if run.store.word(role) != Word::assistant {
        return run.wrong_word(role, role_at, "\"assistant\"");
    }
    read_assistant(run, reading)
}

fn read_assistant(run: &mut Run, mut reading: Reading) -> Result<Assistant> {
    let mut calls = Unplaced::default();
    for call in take_calls(run, &mut reading, &CANONICAL)? {
        calls.add(run, call);
    }
    let mut content = read_content(run, &mut reading, &mut calls)?;
    let mut unmarked: Vec<Call> = calls.calls.into_iter().flatten().collect();
    if let Content::Blocks(blocks) = &mut content {
        blocks.extend(unmarked.drain(..).map(Block::Call));
    }
    let metadata = read_metadata(run, &mut reading)?;
    let at = reading.at();
    finish(run, reading);
    Ok(Assistant { at, content, calls: unmarked, metadata })
}

/// Takes `content`. Calls that are named by a mark are moved from `calls` to its position.
fn read_content(run: &mut Run, reading: &mut Reading, calls: &mut Unplaced) -> Result<Content> {
    let (content, at) = reading.require(run, Word::content)?;
    match run.store.kind(content) {
        Kind::String => Ok(Content::Text(content, at)),
        Kind::Array => {
            let mut blocks = Vec::new();
            for (block, at) in run.elements(content, at)? {
                blocks.extend(read_block(run, block, at, calls)?);
            }
            Ok(Content::Blocks(blocks))
        }
        _ => run.wrong_type(content, at, "a string or an array of blocks"),
    }
}

pub fn read_block(run: &mut Run, value: Value, at: At, calls: &mut Unplaced) -> Result<Option<Block>> {
    let mut reading = run.object(value, at)?;
    if reading.peek(Word::r#type).is_some_and(|kind| run.store.word(kind) == Word::native) {
        let mut native = read_native(run, &mut reading)?;
        native.metadata = read_metadata(run, &mut reading)?;
        finish(run, reading);
        return Ok(Some(Block::Native(native)));
    }
    let (kind, kind_at) = reading.require(run, Word::r#type)?;
    let word = run.store.word(kind);
    let block = match word {
        Word::text | Word::refusal => {
            let text = reading.require_string(run, Word::text)?;
            let metadata = read_metadata(run, &mut reading)?;
            if word == Word::text { Block::Text { at, text, metadata } } else { Block::Refusal { at, text, metadata } }
        }
        Word::image | Word::audio | Word::video | Word::document => {
            Block::Media(read_media(run, &mut reading, media_kind(word))?)
        }
        Word::data => {
            let (value, _) = reading.require(run, Word::value)?;
            Block::Data { at, value, metadata: read_metadata(run, &mut reading)? }
        }
        Word::reasoning => Block::Reasoning(read_reasoning(run, &mut reading)?),
        Word::toolCall => {
            let id = reading.require_string(run, Word::id)?;
            let block = calls.take(run, id).map(Block::Call);
            if block.is_none() {
                run.warn(WarningCode::DanglingMark, at, "no call of this message has this id");
            }
            // a mark is not a block: its metadata are not kept
            read_metadata(run, &mut reading)?;
            finish(run, reading);
            return Ok(block);
        }
        _ => return run.wrong_word(kind, kind_at, "the type of a content block"),
    };
    finish(run, reading);
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

fn media_kind(word: Word) -> MediaKind {
    match word {
        Word::image => MediaKind::Image,
        Word::audio => MediaKind::Audio,
        Word::video => MediaKind::Video,
        _ => MediaKind::Document,
    }
}

fn read_media(run: &mut Run, reading: &mut Reading, kind: MediaKind) -> Result<Media> {
    let (source, source_at) = reading.require(run, Word::source)?;
    let mut inner = run.object(source, source_at)?;
    let (tag, tag_at) = inner.require(run, Word::r#type)?;
    let source = match run.store.word(tag) {
        Word::base64 => Source::Base64(inner.require_string(run, Word::data)?),
        Word::url => Source::Url(inner.require_string(run, Word::url)?),
        Word::file => Source::File(inner.require_string(run, Word::id)?),
        Word::text => Source::Text(inner.require_string(run, Word::data)?),
        _ => return run.wrong_word(tag, tag_at, "\"base64\", \"url\", \"file\" or \"text\""),
    };
    finish(run, inner);
    let media_type = match source {
        Source::Base64(_) => Some(reading.require_string(run, Word::mediaType)?),
        Source::Url(_) | Source::File(_) | Source::Text(_) => reading.string(run, Word::mediaType)?,
    };
    let name = reading.string(run, Word::name)?;
    let metadata = read_metadata(run, reading)?;
    Ok(Media { at: reading.at(), kind, source, media_type, name, metadata })
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
        metadata: read_metadata(run, reading)?,
    })
}

fn read_result(run: &mut Run, mut reading: Reading) -> Result<ToolResult> {
    let at = reading.at();
    let id = reading.require_string(run, Word::toolCallId)?;
    let name = reading.require_string(run, Word::name)?;
    let (kind, kind_at) = reading.require(run, Word::kind)?;
    let value_at = run.down(at, Word::value);
    let value = match reading.take_any(Word::value) {
        // a tool that returned nothing
        None if run.store.word(kind) == Word::data => return read_empty_result(run, reading, id, name),
        value => run.present(value, value_at)?,
    };
    let is_error = reading.boolean(run, Word::isError)?.unwrap_or(false);
    let outcome = match run.store.word(kind) {
        Word::text => Outcome::Text(run.string(value, value_at)?),
        Word::error if run.store.kind(value) == Kind::String => Outcome::Error(value),
        Word::error => Outcome::Data { value, is_error: true },
        Word::data => Outcome::Data { value, is_error },
        Word::multimodal => {
            let mut blocks = Vec::new();
            for (block, at) in run.elements(value, value_at)? {
                blocks.extend(read_block(run, block, at, &mut Unplaced::default())?);
            }
            Outcome::Multimodal { blocks, is_error }
        }
        _ => return run.wrong_word(kind, kind_at, "\"text\", \"data\", \"error\" or \"multimodal\""),
    };
    let metadata = read_metadata(run, &mut reading)?;
    finish(run, reading);
    Ok(ToolResult { at, id, name, outcome, metadata })
}

/// The result of a tool that returned undefined: an empty text, as from `toolResult`.
fn read_empty_result(run: &mut Run, mut reading: Reading, id: Value, name: Value) -> Result<ToolResult> {
    let at = reading.at();
    let is_error = reading.boolean(run, Word::isError)?.unwrap_or(false);
    let value = run.store.string("");
    let outcome = if is_error { Outcome::Error(value) } else { Outcome::Text(value) };
    let metadata = read_metadata(run, &mut reading)?;
    finish(run, reading);
    Ok(ToolResult { at, id, name, outcome, metadata })
}

pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    run.put_each(messages, |run, message| match message {
        Message::System(prose) => write_prose(run, prose, Word::system),
        Message::User(prose) => write_prose(run, prose, Word::user),
        Message::Assistant(assistant) => write_assistant(run, assistant, None),
        Message::Tool(result) => write_result(run, result),
    });
    Ok(())
}

fn write_prose(run: &mut Run, prose: &Prose, role: Word) {
    let mut object = run.begin();
    object.word(run, Word::role, role);
    write_content(run, &prose.content);
    write_metadata(run, &prose.metadata, None);
    object.close(run);
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

fn write_mark(run: &mut Run, call: &Call) {
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::toolCall);
    object.put(run, Word::id, call.id);
    object.close(run);
}

/// The two arrays of calls of a message, built once because a response contains them twice.
pub struct CallArrays {
    pub valid: Value,
    pub invalid: Value,
    pub has_valid: bool,
    pub has_invalid: bool,
}

pub fn build_calls(run: &mut Run, assistant: &Assistant) -> CallArrays {
    let (invalid, valid): (Vec<_>, Vec<_>) = assistant.calls().partition(|call| is_invalid(call));
    let mut array = |calls: &[&Call]| run.build(|run| put_calls(run, calls, &CANONICAL));
    CallArrays {
        valid: array(&valid),
        invalid: array(&invalid),
        has_valid: !valid.is_empty(),
        has_invalid: !invalid.is_empty(),
    }
}

/// Writes an assistant message, with the calls in `calls` if they were built already.
pub fn write_assistant(run: &mut Run, assistant: &Assistant, calls: Option<&CallArrays>) {
    let mut object = run.begin();
    object.word(run, Word::role, Word::assistant);
    write_content(run, &assistant.content);
    match calls {
        Some(calls) => {
            object.option(run, Word::toolCalls, calls.has_valid.then_some(calls.valid));
            object.option(run, Word::invalidToolCalls, calls.has_invalid.then_some(calls.invalid));
        }
        None => {
            let (invalid, valid): (Vec<_>, Vec<_>) = assistant.calls().partition(|call| is_invalid(call));
            for (word, calls) in [(Word::toolCalls, valid), (Word::invalidToolCalls, invalid)] {
                if !calls.is_empty() {
                    object.key(run, word);
                    put_calls(run, &calls, &CANONICAL);
                }
            }
        }
    }
    write_metadata(run, &assistant.metadata, None);
    object.close(run);
}

pub fn write_block(run: &mut Run, block: &Block) {
    match block {
        Block::Text { at: _, text, metadata } => write_text_block(run, Word::text, *text, metadata),
        Block::Refusal { at: _, text, metadata } => write_text_block(run, Word::refusal, *text, metadata),
        Block::Media(media) => write_media(run, media),
        Block::Data { at: _, value, metadata } => {
            let mut object = run.begin();
            object.word(run, Word::r#type, Word::data);
            object.put(run, Word::value, *value);
            write_metadata(run, metadata, None);
            object.close(run);
        }
        Block::Reasoning(reasoning) => write_reasoning(run, reasoning),
        Block::Native(native) => write_native(run, native),
        Block::Call(call) => write_mark(run, call),
    }
}

fn write_text_block(run: &mut Run, kind: Word, text: Value, metadata: &Metadata) {
    let mut object = run.begin();
    object.word(run, Word::r#type, kind);
    object.put(run, Word::text, text);
    write_metadata(run, metadata, None);
    object.close(run);
}

fn write_media(run: &mut Run, media: &Media) {
    let Media { at: _, kind, source, media_type, name, metadata } = media;
    let mut object = run.begin();
    let kind = match kind {
        MediaKind::Image => Word::image,
        MediaKind::Audio => Word::audio,
        MediaKind::Video => Word::video,
        MediaKind::Document => Word::document,
    };
    object.word(run, Word::r#type, kind);
    object.object(run, Word::source, |run, inner| {
        let (tag, key, value) = match source {
            Source::Base64(data) => (Word::base64, Word::data, data),
            Source::Url(url) => (Word::url, Word::url, url),
            Source::File(id) => (Word::file, Word::id, id),
            Source::Text(data) => (Word::text, Word::data, data),
        };
        inner.word(run, Word::r#type, tag);
        inner.put(run, key, *value);
    });
    object.option(run, Word::mediaType, *media_type);
    object.option(run, Word::name, *name);
    write_metadata(run, metadata, None);
    object.close(run);
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
    write_metadata(run, metadata, None);
    object.close(run);
}

fn write_result(run: &mut Run, result: &ToolResult) {
    let ToolResult { at: _, id, name, outcome, metadata } = result;
    let mut object = run.begin();
    object.word(run, Word::role, Word::tool);
    object.put(run, Word::toolCallId, *id);
    object.put(run, Word::name, *name);
    let (kind, is_error) = match outcome {
        Outcome::Text(_) => (Word::text, false),
        Outcome::Error(_) => (Word::error, false),
        Outcome::Data { is_error, .. } => (Word::data, *is_error),
        Outcome::Multimodal { is_error, .. } => (Word::multimodal, *is_error),
    };
    object.word(run, Word::kind, kind);
    object.key(run, Word::value);
    match outcome {
        Outcome::Text(value) | Outcome::Error(value) | Outcome::Data { value, .. } => run.store.put(*value),
        Outcome::Multimodal { blocks, .. } => write_blocks(run, blocks),
    }
    if is_error {
        object.boolean(run, Word::isError, true);
    }
    write_metadata(run, metadata, None);
    object.close(run);
}
