//! Writes messages, calls and results (WIRE §1.3–§1.5).

use super::messages::{CALL_ID, RESULT_ID};
use super::write_parts::{write_array, write_part};
use super::{details, signatures};
use crate::dialect::shared::shapes::{Absent, Field};
use crate::dialect::shared::{arguments, freeform, outcome};
use crate::fit::lost_reasoning;
use crate::model::{Assistant, Block, Call, Content, Message, Metadata, Native, Prose, Reasoning, ToolResult};
use crate::run::{Result, Run, SystemRole, Writing};
use crate::servers::facts::ReasoningField;
use crate::value::{Kind, Value, Word};
use std::cell::Cell;

pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    let last = messages.last().map(Message::at);
    run.try_put_each(messages, |run, message| match message {
        Message::System(prose) => write_prose(run, prose, Word::system),
        Message::User(prose) => write_prose(run, prose, Word::user),
        Message::Assistant(assistant) => put_assistant(run, assistant, Some(assistant.at) == last),
        Message::Tool(result) => write_result(run, result),
    })
}

/// Whether the model continues a message, for a format that marks that. None: it is not stated.
fn prefix(run: &mut Run, assistant: &Assistant, is_last: bool) -> Option<bool> {
    if !run.route.to.format().prefix {
        return None;
    }
    match assistant.metadata.form(Word::prefix) {
        Some(form) if run.store.kind(form) == Kind::Boolean => Some(run.store.boolean(form)),
        Some(_) => None,
        None => (is_last && !run.route.is_piece && !assistant.has_calls()).then_some(true),
    }
}

fn write_prose(run: &mut Run, prose: &Prose, role: Word) -> Result<()> {
    let Prose { at, content, metadata } = prose;
    let mut object = run.begin();
    let kept = metadata.family_field(Word::role);
    let is_developers = run.options.system_role == SystemRole::Developer
        || kept.is_some_and(|kept| run.store.word(kept) == Word::developer);
    let role = if role == Word::system && is_developers { run.route.spelled(Word::developer) } else { role };
    object.word(run, Word::role, role);
    match content {
        Content::Text(text, _) => content_field(Absent::EmptyText).put_text(run, &mut object, *text, metadata),
        Content::Blocks(blocks) => {
            object.key(run, Word::content);
            write_array(run, blocks);
        }
    }
    object.end(run, metadata, *at);
    Ok(())
}

/// The content of a message. `absent` is how no content is written.
const fn content_field(absent: Absent) -> Field {
    Field { key: Word::content, kind: Kind::String, absent }
}

pub fn write_assistant(run: &mut Run, assistant: &Assistant) -> Result<()> {
    put_assistant(run, assistant, false)
}

fn put_assistant(run: &mut Run, assistant: &Assistant, is_last: bool) -> Result<()> {
    let Assistant { at, content, calls: _, metadata } = assistant;
    let mut object = run.begin();
    object.usual(run, metadata, Word::role, Word::assistant);
    let blocks = assistant.blocks();
    let speaks_otherwise = |block: &Block| match block {
        Block::Native(native) => is_native_call(native),
        block => refusal_field(block).is_some(),
    };
    let speaks_otherwise = assistant.has_calls() || blocks.iter().any(speaks_otherwise);
    let usual = content_field(if speaks_otherwise { Absent::Null } else { Absent::EmptyText });
    match content {
        Content::Text(text, _) => usual.put_text(run, &mut object, *text, metadata),
        Content::Blocks(blocks) => write_parts(run, &mut object, blocks, metadata, usual),
    }
    write_reasoning(run, &mut object, blocks);
    write_refusal(run, &mut object, blocks, metadata);
    write_calls(run, &mut object, assistant, metadata)?;
    if !run.route.to.format().chunks {
        details::write(run, &mut object, blocks);
    }
    if let Some(prefix) = prefix(run, assistant, is_last) {
        object.boolean(run, Word::prefix, prefix);
    }
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
    native.metadata.form(Word::tool_calls).is_some()
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

fn write_parts(run: &mut Run, object: &mut Writing, blocks: &[Block], metadata: &Metadata, usual: Field) {
    let has_thinking = run.route.to.format().chunks;
    let is_part = |block: &&Block| is_content(block) || has_thinking && matches!(block, Block::Reasoning(_));
    let parts: Vec<&Block> = blocks.iter().filter(is_part).collect();
    let in_array = metadata.form(Word::content).is_some_and(|form| run.store.word(form) == Word::parts);
    match parts.as_slice() {
        [] => usual.put(run, object, None, metadata),
        parts if run.route.is_response && parts.iter().all(|part| is_text(part)) => write_joined(run, object, parts),
        [Block::Text { at, text, metadata: own }] if !in_array && !own.has_family() => {
            run.warn_metadata(own, *at);
            object.put(run, Word::content, *text)
        }
        parts => {
            object.key(run, Word::content);
            write_array(run, parts.iter().copied());
        }
    }
}

/// Parts of other kinds are only left in a response that stays in its format, or has thinking among its texts.
fn is_text(part: &Block) -> bool {
    !matches!(part, Block::Media(_) | Block::Native(_) | Block::Reasoning(_))
}

/// Responses have a single string: texts are concatenated (Q117).
fn write_joined(run: &mut Run, object: &mut Writing, parts: &[&Block]) {
    let mut texts = Vec::new();
    for part in parts {
        if let Block::Text { at, metadata, .. } = part {
            run.warn_metadata(metadata, *at);
        }
        if let Block::Text { text, .. } | Block::Refusal { text, .. } = part {
            texts.push(*text);
        }
    }
    object.joined(run, Word::content, &texts);
}

/// Writes reasoning, of OpenAI-compatible servers.
fn write_reasoning(run: &mut Run, object: &mut Writing, blocks: &[Block]) {
    if run.route.to.format().chunks {
        return;
    }
    let (mut long, mut short) = (Vec::new(), Vec::new());
    let field = run.route.target_facts().reasoning_field;
    for block in blocks {
        let Block::Reasoning(reasoning) = block else { continue };
        let Reasoning { text, metadata, .. } = reasoning;
        if details::is_listed(run, metadata) {
            continue;
        }
        let form = metadata.form(Word::reasoning).filter(|_| field.is_none());
        if field == Some(ReasoningField::Short) {
            short.extend(*text);
        } else if form.is_none_or(|form| run.store.word(form) == Word::reasoning_content) {
            long.extend(*text);
        }
        if form.is_some() {
            short.extend(*text);
        }
        if details::is_sealed(run, reasoning) {
            continue;
        }
        let signature = reasoning.signature.filter(|signature| !run.store.is_empty(*signature));
        lost_reasoning::warn_end(run, &Reasoning { signature, ..reasoning.clone() });
    }
    for (word, texts) in [(Word::reasoning_content, long), (Word::reasoning, short)] {
        object.joined(run, word, &texts);
    }
}

fn write_refusal(run: &mut Run, object: &mut Writing, blocks: &[Block], metadata: &Metadata) {
    let mut texts = Vec::new();
    for block in blocks {
        if let Some(text) = refusal_field(block) {
            run.warn_metadata(block.metadata(), block.at());
            texts.push(text);
        }
    }
    let is_missing = texts.is_empty() && run.route.is_response && metadata.form(Word::refusal).is_none();
    if is_missing && !run.route.to.format().is_foreign(Word::refusal) {
        object.null(run, Word::refusal);
    }
    object.joined(run, Word::refusal, &texts);
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
    let is_elsewhere = |call: &Call| single.is_some() && is_legacy(&call);
    let position = Cell::new(0);
    let put = |run: &mut Run, call: &Call| put_call(run, call, Some(position.replace(position.get() + 1)));
    let list = run.try_build_array(|run| {
        for block in assistant.blocks() {
            match block {
                Block::Call(call) if !is_elsewhere(call) => put(run, call)?,
                Block::Native(native) if is_native_call(native) => {
                    position.set(position.get() + 1);
                    run.store.put(native.value);
                }
                // written as `function_call`, or as content
                Block::Call(_)
                | Block::Native(_)
                | Block::Text { .. }
                | Block::Refusal { .. }
                | Block::Data { .. }
                | Block::Media(_)
                | Block::Reasoning(_) => {}
            }
        }
        assistant.calls.iter().filter(|call| !is_elsewhere(call)).try_for_each(|call| put(run, call))
    })?;
    // an empty list is only written again
    let form = metadata.form(Word::tool_calls).filter(|form| run.store.kind(*form) == Kind::Array);
    let list = if run.is_void(list) { form } else { Some(list) };
    object.option(run, Word::tool_calls, list);
    Ok(())
}

pub(super) fn write_call(run: &mut Run, call: &Call) -> Result<()> {
    put_call(run, call, None)
}

/// Writes a call. `position`: its place among all, if it states that.
pub(super) fn put_call(run: &mut Run, call: &Call, position: Option<usize>) -> Result<()> {
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin();
    CALL_ID.put(run, &mut object, *id, metadata);
    let input = freeform::input(run, call);
    let (kind, other) = if input.is_some() { (Word::custom, Word::function) } else { (Word::function, Word::custom) };
    if metadata.form(Word::r#type).is_none() {
        object.word(run, Word::r#type, kind);
    }
    object.key(run, kind);
    let mut inner = run.begin_inside(metadata, kind);
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
    if let Some(position) = position.filter(|_| run.route.to.format().whole_calls) {
        match metadata.form(Word::index) {
            Some(form) if run.store.word(form) == Word::omitted => {}
            Some(form) => object.put(run, Word::index, form),
            None => object.number(run, Word::index, position as f64),
        }
    }
    for word in [Word::arguments, other] {
        object.refuse(run, (metadata, *at), word);
        object.skip(run, word);
    }
    object.skip(run, kind);
    object.end(run, metadata, *at);
    Ok(())
}

fn write_function(run: &mut Run, function: &mut Writing, call: &Call) -> Result<()> {
    function.put(run, Word::name, call.name);
    arguments::put_as_text(run, function, Word::arguments, call)
}

fn write_result(run: &mut Run, result: &ToolResult) -> Result<()> {
    let ToolResult { at, id, name, outcome: _, metadata } = result;
    let mut object = run.begin();
    if metadata.form(Word::legacy).is_some() {
        object.word(run, Word::role, Word::function);
        object.put(run, Word::name, *name);
    } else {
        object.word(run, Word::role, Word::tool);
        RESULT_ID.put(run, &mut object, *id, metadata);
        if metadata.form(Word::name).is_some() {
            object.put(run, Word::name, *name);
        }
    }
    outcome::put(run, &mut object, &content_field(Absent::EmptyText), (result, false), write_part)?;
    object.end(run, metadata, *at);
    Ok(())
}
