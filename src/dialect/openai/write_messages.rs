//! Writes messages, calls and results (WIRE §1.3–§1.5).

use super::messages::CALL_ID;
use super::signatures;
use super::write_parts::write_array;
use super::write_results::write_result;
use crate::dialect::shared::shapes::{Absent, Field};
use crate::dialect::shared::turns::Direction;
use crate::dialect::shared::{arguments, freeform};
use crate::fit::lost_reasoning;
use crate::model::{Assistant, Block, Call, Content, Message, Metadata, Native, Prose, Reasoning};
use crate::run::{Provider, Result, Run, SystemRole, Writing};
use crate::value::{Kind, Value, Word};

pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    run.store.begin_array();
    for message in messages {
        match message {
            Message::System(prose) => write_prose(run, prose, Speaker::System),
            Message::User(prose) => write_prose(run, prose, Speaker::User),
            Message::Assistant(assistant) => write_assistant(run, assistant, Direction::Request)?,
            Message::Tool(result) => write_result(run, result)?,
        }
    }
    run.store.end_array();
    Ok(())
}

/// Whose message it is, other than the assistant's.
#[derive(Clone, Copy)]
enum Speaker {
    System,
    User,
}

fn write_prose(run: &mut Run, prose: &Prose, speaker: Speaker) {
    let Prose { at, content, metadata } = prose;
    let mut object = run.begin();
    let role = match (speaker, run.options.system_role) {
        (Speaker::System, _) if kept_word(run, metadata, Word::role) == Word::developer => Word::developer,
        (Speaker::System, SystemRole::Developer) => Word::developer,
        (Speaker::System, SystemRole::System) => Word::system,
        (Speaker::User, _) => Word::user,
    };
    object.word(run, Word::role, role);
    match content {
        Content::Text(text, _) => content_field(Absent::EmptyText).put_text(run, &mut object, *text, metadata),
        Content::Blocks(blocks) => {
            object.key(run, Word::content);
            write_array(run, blocks);
        }
    }
    object.end(run, metadata, *at);
}

/// The word in a family field.
fn kept_word(run: &Run, metadata: &Metadata, key: Word) -> Word {
    metadata.family_field(key).map_or(Word::Unknown, |value| run.store.word(value))
}

/// The content of a message. `absent` is how no content is written.
pub const fn content_field(absent: Absent) -> Field {
    Field { key: Word::content, kind: Kind::String, absent }
}

pub fn write_assistant(run: &mut Run, assistant: &Assistant, direction: Direction) -> Result<()> {
    let Assistant { at, content, calls: _, metadata } = assistant;
    let mut object = run.begin();
    object.word(run, Word::role, Word::assistant);
    let blocks = assistant.blocks();
    let refusals: Vec<Value> = blocks.iter().filter_map(refusal_field).collect();
    let is_call = |block: &Block| matches!(block, Block::Native(native) if is_native_call(native));
    let has_calls = assistant.has_calls() || blocks.iter().any(is_call);
    let usual = content_field(if has_calls || !refusals.is_empty() { Absent::Null } else { Absent::EmptyText });
    match content {
        Content::Text(text, _) => usual.put_text(run, &mut object, *text, metadata),
        Content::Blocks(blocks) => write_parts(run, &mut object, blocks, metadata, (usual, direction)),
    }
    write_reasoning(run, &mut object, blocks);
    write_refusal(run, &mut object, &refusals, metadata, direction);
    for block in blocks.iter().filter(|block| refusal_field(block).is_some()) {
        if let Block::Refusal { at, metadata, .. } = block {
            run.warn_metadata(metadata, *at);
        }
    }
    write_calls(run, &mut object, assistant, metadata)?;
    object.end(run, metadata, *at);
    Ok(())
}

/// The text of a refusal that is written to the message's own field instead of a part.
fn refusal_field(block: &Block) -> Option<Value> {
    match block {
        Block::Refusal { text, metadata, .. } if metadata.form(Word::content).is_none() => Some(*text),
        _ => None,
    }
}

/// Whether a native block is a call.
pub(super) fn is_native_call(native: &Native) -> bool {
    native.provider == Provider::OpenAI && native.metadata.form(Word::tool_calls).is_some()
}

/// Whether a block is written to `content`.
pub(super) fn is_content(block: &Block) -> bool {
    match block {
        Block::Text { .. } | Block::Data { .. } | Block::Media(_) => true,
        Block::Refusal { .. } => refusal_field(block).is_none(),
        Block::Native(native) => !is_native_call(native),
        Block::Reasoning(_) | Block::Call(_) => false,
    }
}

fn write_parts(
    run: &mut Run,
    object: &mut Writing,
    blocks: &[Block],
    metadata: &Metadata,
    (usual, direction): (Field, Direction),
) {
    let parts: Vec<&Block> = blocks.iter().filter(|block| is_content(block)).collect();
    let in_array = metadata.form(Word::content).is_some_and(|form| run.store.word(form) == Word::parts);
    match parts.as_slice() {
        [] => usual.put(run, object, None, metadata),
        parts if direction == Direction::Response && parts.iter().all(|part| is_text(part)) => {
            write_joined(run, object, parts, metadata, usual)
        }
        [Block::Text { text, metadata: own, .. }] if !in_array && own.is_empty() => {
            object.put(run, Word::content, *text)
        }
        parts => {
            object.key(run, Word::content);
            write_array(run, parts.iter().copied());
        }
    }
}

/// Parts of other kinds are only left in a response that stays in its format.
fn is_text(part: &Block) -> bool {
    !matches!(part, Block::Media(_) | Block::Native(_))
}

/// Responses have a single string: texts are concatenated (Q117).
fn write_joined(run: &mut Run, object: &mut Writing, parts: &[&Block], metadata: &Metadata, usual: Field) {
    let mut texts = Vec::new();
    for part in parts {
        match part {
            Block::Text { at, text, metadata } => {
                run.warn_metadata(metadata, *at);
                texts.push(*text);
            }
            Block::Refusal { text, .. } => texts.push(*text),
            Block::Data { .. } | Block::Media(_) | Block::Native(_) | Block::Reasoning(_) | Block::Call(_) => {}
        }
    }
    match texts.as_slice() {
        [] => usual.put(run, object, None, metadata),
        texts => object.joined(run, Word::content, texts),
    }
}

/// Writes reasoning, of OpenAI-compatible servers.
fn write_reasoning(run: &mut Run, object: &mut Writing, blocks: &[Block]) {
    let (mut long, mut short) = (Vec::new(), Vec::new());
    for block in blocks {
        let Block::Reasoning(reasoning) = block else { continue };
        let Reasoning { text, metadata, .. } = reasoning;
        let form = metadata.form(Word::reasoning);
        if form.is_none_or(|form| run.store.word(form) == Word::reasoning_content) {
            long.extend(*text);
        }
        if form.is_some() {
            short.extend(*text);
        }
        let signature = reasoning.signature.filter(|signature| !run.store.is_empty(*signature));
        lost_reasoning::warn_end(run, &Reasoning { signature, ..reasoning.clone() });
    }
    for (word, texts) in [(Word::reasoning_content, long), (Word::reasoning, short)] {
        object.joined(run, word, &texts);
    }
}

fn write_refusal(run: &mut Run, object: &mut Writing, refusals: &[Value], metadata: &Metadata, direction: Direction) {
    match refusals {
        [] if direction == Direction::Response && metadata.form(Word::refusal).is_none() => {
            object.null(run, Word::refusal)
        }
        texts => object.joined(run, Word::refusal, texts),
    }
}

/// An entry of `tool_calls`.
enum Entry<'a> {
    Call(&'a Call),
    /// A call of a kind that only OpenAI understands.
    Native(Value),
}

fn write_calls(run: &mut Run, object: &mut Writing, assistant: &Assistant, metadata: &Metadata) -> Result<()> {
    let is_legacy = |call: &&Call| call.metadata.form(Word::legacy).is_some();
    let mut legacy = assistant.calls().filter(is_legacy);
    // the deprecated form has a single call
    let single = legacy.next().filter(|_| legacy.next().is_none());
    if let Some(call) = single {
        object.key(run, Word::function_call);
        let mut function = run.begin();
        write_function(run, &mut function, call)?;
        function.end(run, &call.metadata, call.at);
    }
    let in_blocks = assistant.blocks().iter().filter_map(|block| match block {
        Block::Call(call) => Some(Entry::Call(call)),
        Block::Native(native) if is_native_call(native) => Some(Entry::Native(native.value)),
        _ => None,
    });
    let entries = in_blocks.chain(assistant.calls.iter().map(Entry::Call));
    let entries: Vec<Entry> =
        entries.filter(|entry| !matches!(entry, Entry::Call(call) if single.is_some() && is_legacy(call))).collect();
    if !entries.is_empty() {
        object.key(run, Word::tool_calls);
        run.store.begin_array();
        for entry in entries {
            match entry {
                Entry::Call(call) => write_call(run, call)?,
                Entry::Native(value) => run.store.put(value),
            }
        }
        run.store.end_array();
    } else if let Some(form) = metadata.form(Word::tool_calls).filter(|form| run.store.kind(*form) == Kind::Array) {
        object.put(run, Word::tool_calls, form);
    }
    Ok(())
}

pub(super) fn write_call(run: &mut Run, call: &Call) -> Result<()> {
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin();
    CALL_ID.put(run, &mut object, *id, metadata);
    let input = freeform::input(run, call);
    let kind = if input.is_some() { Word::custom } else { Word::function };
    if metadata.form(Word::r#type).is_none() {
        object.word(run, Word::r#type, kind);
    }
    object.key(run, kind);
    let mut inner = run.begin();
    match input {
        Some(input) => {
            inner.put(run, Word::name, *name);
            inner.put(run, Word::input, input);
        }
        None => write_function(run, &mut inner, call)?,
    }
    signatures::write_in_function(run, &mut inner, metadata);
    inner.add_nested(run, metadata, kind);
    inner.close(run);
    signatures::write_in_call(run, &mut object, metadata);
    object.refuse(run, (metadata, *at), Word::arguments);
    object.skip(run, Word::arguments);
    object.skip(run, Word::custom);
    object.skip(run, Word::function);
    object.end(run, metadata, *at);
    Ok(())
}

fn write_function(run: &mut Run, function: &mut Writing, call: &Call) -> Result<()> {
    function.put(run, Word::name, call.name);
    arguments::put_as_text(run, function, Word::arguments, call)
}
