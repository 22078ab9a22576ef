//! Writes messages, calls and results (WIRE §1.3–§1.5).

use super::signatures;
use super::write_parts::{Speaker, write_part};
use super::write_results::{write_result, write_result_media};
use crate::dialect::shared::openai_items::is_own_id;
use crate::dialect::shared::turns::Direction;
use crate::dialect::shared::{arguments, freeform, turns};
use crate::model::{Assistant, Block, Call, Content, Media, Message, Metadata, Prose, Reasoning, ToolResult};
use crate::run::{At, Provider, Result, Run, SystemRole, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    let is_all = turns::may_all_be_lost(run, messages.iter());
    run.store.begin_array();
    let mut moved: Vec<(&ToolResult, Vec<Media>)> = Vec::new();
    for message in messages {
        match message {
            Message::Tool(result) => {
                let media = write_result(run, result)?;
                moved.push((result, media));
                continue;
            }
            _ => write_result_media(run, &std::mem::take(&mut moved)),
        }
        match message {
            Message::System(prose) => write_prose(run, prose, Speaker::System)?,
            Message::User(prose) => write_prose(run, prose, Speaker::User)?,
            Message::Assistant(assistant) => turns::write_unless_lost(run, assistant, is_all, |run, assistant| {
                write_assistant(run, assistant, Direction::Request)
            })?,
            Message::Tool(_) => {}
        }
    }
    write_result_media(run, &moved);
    run.store.end_array();
    Ok(())
}

fn write_prose(run: &mut Run, prose: &Prose, speaker: Speaker) -> Result<()> {
    let Prose { at, content, metadata } = prose;
    let mut object = run.begin();
    let role = match (speaker, run.options.system_role) {
        (Speaker::System, _) if said(run, metadata, Word::role) == Word::developer => Word::developer,
        (Speaker::System, SystemRole::Developer) => Word::developer,
        (Speaker::System, SystemRole::System) => Word::system,
        (Speaker::User | Speaker::Assistant, _) => Word::user,
    };
    object.word(run, Word::role, role);
    match content {
        Content::Text(text, _) if run.store.is_empty(*text) => {
            write_empty(run, &mut object, (metadata, *at), Empty::Text)
        }
        Content::Text(text, _) => object.put(run, Word::content, *text),
        Content::Blocks(blocks) => {
            let parts =
                run.try_build_array(|run| blocks.iter().try_for_each(|block| write_part(run, block, speaker)))?;
            // the API rejects an empty array (Q69, Q107)
            if run.is_void(parts) && run.from != run.to {
                if blocks.is_empty() {
                    run.warn_empty_array(*at, Word::content);
                }
                object.text(run, Word::content, "");
            } else {
                object.put(run, Word::content, parts);
            }
        }
    }
    object.end(run, metadata, *at);
    Ok(())
}

/// The word in a family field.
fn said(run: &Run, metadata: &Metadata, key: Word) -> Word {
    metadata.family_field(key).map_or(Word::Unknown, |value| run.store.word(value))
}

/// How empty content is written by default.
#[derive(Clone, Copy)]
pub enum Empty {
    Null,
    Text,
}

/// Writes empty content in its original form, or in the default one.
pub fn write_empty(run: &mut Run, object: &mut Writing, (metadata, at): (&Metadata, At), usual: Empty) {
    let form = metadata.form(Word::content);
    let form = form.filter(|form| !refused_array(run, *form, at, Word::content));
    match form {
        Some(form) if run.store.word(form) == Word::omitted => object.skip(run, Word::content),
        Some(form) if run.is_void(form) => object.put(run, Word::content, form),
        _ => match usual {
            Empty::Null => object.null(run, Word::content),
            Empty::Text => object.text(run, Word::content, ""),
        },
    }
}

/// Whether a form is an empty array, which requests must not contain; reported if so.
fn refused_array(run: &mut Run, form: Value, at: At, word: Word) -> bool {
    let refused = !run.is_response && run.from != run.to && run.store.kind(form) == Kind::Array;
    if refused {
        run.warn_empty_array(at, word);
    }
    refused
}

pub fn write_assistant(run: &mut Run, assistant: &Assistant, direction: Direction) -> Result<()> {
    let assistant = &*turns::without_empty_texts(run, assistant);
    let Assistant { at, content, calls: _, metadata } = assistant;
    let mut object = run.begin();
    object.word(run, Word::role, Word::assistant);
    let blocks = assistant.blocks();
    turns::warn_order(run, blocks, |run, block| is_said(run, block, direction));
    let refusals: Vec<Value> = blocks.iter().filter_map(refusal_field).collect();
    let has_calls = assistant.has_calls() || blocks.iter().any(is_native_call);
    let usual = if has_calls || !refusals.is_empty() { Empty::Null } else { Empty::Text };
    match content {
        Content::Text(text, _) if run.store.is_empty(*text) => write_empty(run, &mut object, (metadata, *at), usual),
        Content::Text(text, _) => object.put(run, Word::content, *text),
        Content::Blocks(blocks) => write_parts(run, &mut object, blocks, (metadata, *at), (usual, direction))?,
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

fn is_native_call(block: &Block) -> bool {
    matches!(block, Block::Native(native)
        if native.provider == Provider::OpenAI && native.metadata.form(Word::tool_calls).is_some())
}

/// Whether a block is written to `content`.
pub(super) fn is_said(run: &mut Run, block: &Block, direction: Direction) -> bool {
    is_part(block) && has_place(run, block, direction)
}

/// An assistant's content contains text; in a response, nothing else.
fn has_place(run: &mut Run, block: &Block, direction: Direction) -> bool {
    match block {
        Block::Media(_) => false,
        Block::Native(native) => direction == Direction::Request && run.takes_native(native),
        Block::Text { .. } | Block::Data { .. } | Block::Refusal { .. } | Block::Reasoning(_) | Block::Call(_) => true,
    }
}

/// Whether a block may be a content part.
fn is_part(block: &Block) -> bool {
    match block {
        Block::Text { .. } | Block::Data { .. } | Block::Media(_) => true,
        Block::Refusal { .. } => refusal_field(block).is_none(),
        Block::Native(_) => !is_native_call(block),
        Block::Reasoning(_) | Block::Call(_) => false,
    }
}

fn write_parts(
    run: &mut Run,
    object: &mut Writing,
    blocks: &[Block],
    (metadata, at): (&Metadata, At),
    (usual, direction): (Empty, Direction),
) -> Result<()> {
    let mut parts: Vec<&Block> = blocks.iter().filter(|block| is_part(block)).collect();
    if direction == Direction::Request {
        parts.retain(|part| !dropped(run, part));
    }
    if direction == Direction::Response {
        return write_joined(run, object, &parts, (metadata, at), usual);
    }
    let in_array = metadata.form(Word::content).is_some_and(|form| run.store.word(form) == Word::parts);
    match parts.as_slice() {
        [Block::Text { text, metadata: own, .. }] if !in_array && own.is_empty() => {
            object.put(run, Word::content, *text)
        }
        parts => {
            let value = build_parts(run, parts)?;
            if run.is_void(value) {
                write_empty(run, object, (metadata, at), usual);
            } else {
                object.put(run, Word::content, value);
            }
        }
    }
    Ok(())
}

/// Whether a block of the assistant has no place here; reported if so.
fn dropped(run: &mut Run, block: &Block) -> bool {
    if has_place(run, block, Direction::Request) {
        return false;
    }
    match block {
        Block::Media(media) => {
            run.warn(WarningCode::MediaDropped, media.at, "only user messages of the target can contain media")
        }
        Block::Native(native) => run.warn_native_block(native.at),
        Block::Text { .. } | Block::Data { .. } | Block::Refusal { .. } | Block::Reasoning(_) | Block::Call(_) => {}
    }
    true
}

fn build_parts(run: &mut Run, parts: &[&Block]) -> Result<Value> {
    run.try_build_array(|run| parts.iter().try_for_each(|part| write_part(run, part, Speaker::Assistant)))
}

/// Responses have a single string: texts are concatenated (Q117).
fn write_joined(
    run: &mut Run,
    object: &mut Writing,
    parts: &[&Block],
    (metadata, at): (&Metadata, At),
    usual: Empty,
) -> Result<()> {
    let mut texts = Vec::new();
    for part in parts {
        match part {
            Block::Text { at, text, metadata } => {
                run.warn_metadata(metadata, *at);
                texts.push(*text);
            }
            Block::Data { at, value, .. } => texts.push(run.data_text(*value, *at)?),
            Block::Native(native) => run.warn_native_block(native.at),
            Block::Media(media) => {
                run.warn(WarningCode::MediaDropped, media.at, "a response of the target can contain text only")
            }
            Block::Refusal { text, .. } => texts.push(*text),
            Block::Reasoning(_) | Block::Call(_) => {}
        }
    }
    match texts.as_slice() {
        [] => write_empty(run, object, (metadata, at), usual),
        texts => object.joined(run, Word::content, texts),
    }
    Ok(())
}

/// Writes reasoning of OpenAI-compatible servers; other providers' reasoning is left out.
fn write_reasoning(run: &mut Run, object: &mut Writing, blocks: &[Block]) {
    let (mut long, mut short) = (Vec::new(), Vec::new());
    for block in blocks {
        let Block::Reasoning(reasoning) = block else { continue };
        let Reasoning { at, text, signature, redacted, issuer, scope: _, metadata } = reasoning;
        // signed reasoning is only written for display, to a client: requests have no place for it
        let is_refused = match issuer {
            Provider::OpenAI => !run.is_response && is_signed(run, reasoning),
            // a client returns what came from an OpenAI-compatible server
            Provider::Anthropic => run.is_response || !is_unsigned(run, reasoning),
            _ => true,
        };
        let Some(text) = text.filter(|_| !is_refused) else {
            run.warn_reasoning(reasoning);
            continue;
        };
        let form = metadata.form(Word::reasoning);
        if form.is_none_or(|form| run.store.word(form) == Word::reasoning_content) {
            long.push(text);
        }
        if form.is_some() {
            short.push(text);
        }
        let signature = signature.filter(|signature| !run.store.is_empty(*signature));
        run.warn_reasoning_end(*at, (signature, *redacted), metadata);
    }
    for (word, texts) in [(Word::reasoning_content, long), (Word::reasoning, short)] {
        object.joined(run, word, &texts);
    }
}

/// Whether reasoning from a client of Anthropic's format is not Anthropic's, whose reasoning is always signed.
fn is_unsigned(run: &Run, reasoning: &Reasoning) -> bool {
    reasoning.redacted.is_none() && reasoning.signature.is_none_or(|signature| run.store.is_empty(signature))
}

/// Whether reasoning is state of OpenAI Responses. Not if it came from a compatible server and was given the form of an item here, so that the client
/// can return it (Q207).
fn is_signed(run: &mut Run, reasoning: &Reasoning) -> bool {
    let Reasoning { signature, metadata, .. } = reasoning;
    // the item's fields are under `item`, or at the top level if the input is in the format of Responses
    let item = metadata.family_field(Word::item);
    let item_id = item.map(|item| run.member(item, Word::id));
    let is_own_item = item_id.is_some_and(|id| id.is_none_or(|id| is_own_id(run, id)));
    let is_own = metadata.family_field(Word::id).is_some_and(|id| is_own_id(run, id));
    signature.is_some() || is_own_item || is_own
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
        Block::Native(native) if is_native_call(block) => Some(Entry::Native(native.value)),
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
        if refused_array(run, form, assistant.at, Word::tool_calls) {
            object.skip(run, Word::tool_calls);
        } else {
            object.put(run, Word::tool_calls, form);
        }
    }
    Ok(())
}

fn write_call(run: &mut Run, call: &Call) -> Result<()> {
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin();
    // other formats leave ids out, but here results could then not refer to their calls (Q112)
    match metadata.form(Word::id).filter(|_| run.is_response || run.from == run.to) {
        Some(form) if run.store.word(form) == Word::omitted => object.skip(run, Word::id),
        Some(form) if run.store.kind(form) == Kind::Null => object.put(run, Word::id, form),
        Some(_) | None => object.put(run, Word::id, *id),
    }
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
    arguments::write_text(run, function, call)
}
