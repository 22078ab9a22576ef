//! Writes items (WIRE §2.3–§2.5).

use super::items::{self, Level};
use super::messages::CALL_ID;
use super::outputs::OutputSchemas;
use super::parts::Within;
use super::reasoning;
use super::write_parts::write_part;
use super::write_results::{Answered, write_result};
use crate::dialect::shared::{arguments, freeform, openai_items};
use crate::fit::native;
use crate::model::{Assistant, Block, Call, Content, Message, Metadata, Native, Prose, Reasoning};
use crate::run::{At, Result, Run, SystemRole, WarningCode, Writing};
use crate::value::{Keyed, Value, Word};
use std::borrow::Cow;

/// Writes the items of a request. `schemas` are the output schemas of its tools.
pub fn write_list(run: &mut Run, messages: &[&Message], schemas: &OutputSchemas) -> Result<()> {
    let mut answered = Keyed::default();
    run.store.begin_array();
    for message in messages {
        match message {
            Message::System(prose) => write_prose(run, prose, Word::system),
            Message::User(prose) => write_prose(run, prose, Word::user),
            Message::Assistant(assistant) => {
                for call in assistant.calls() {
                    let is_freeform = freeform::input(run, call).is_some();
                    let gives = schemas.of_call(run, call).filter(|_| !is_freeform);
                    answered.insert(run.store.text(call.id).as_bytes(), Answered { is_freeform, gives });
                }
                write_assistant(run, assistant, None)?;
            }
            Message::Tool(result) => {
                let answered = answered.get(run.store.text(result.id).as_bytes()).copied();
                write_result(run, result, answered)?;
            }
        }
    }
    run.store.end_array();
    Ok(())
}

fn write_prose(run: &mut Run, prose: &Prose, role: Word) {
    let Prose { at, content, metadata } = prose;
    let role = match run.options.system_role {
        _ if role == Word::user => Word::user,
        _ if metadata.family_field(Word::role).is_some_and(|role| run.store.word(role) == Word::developer) => {
            Word::developer
        }
        SystemRole::Developer => Word::developer,
        SystemRole::System => Word::system,
    };
    let blocks = match content {
        Content::Text(text, _) => return put_prose(run, role, (metadata, *at), |run| run.store.put(*text)),
        Content::Blocks(blocks) => blocks,
    };
    // items stand between messages, the first of which gets the fields of the message
    let none = Metadata::default();
    let mut metadata = Some(metadata);
    let mut parts: Vec<&Block> = Vec::new();
    for block in blocks {
        match block {
            Block::Native(native) if items::place(run, native) == Some(Level::Item) => {
                if !parts.is_empty() || metadata.is_some() {
                    put_parts(run, role, (metadata.take().unwrap_or(&none), *at), &std::mem::take(&mut parts));
                }
                native::put(run, native);
            }
            block => parts.push(block),
        }
    }
    if !parts.is_empty() || blocks.is_empty() {
        put_parts(run, role, (metadata.unwrap_or(&none), *at), &parts);
    }
}

fn put_parts(run: &mut Run, role: Word, owner: (&Metadata, At), parts: &[&Block]) {
    put_prose(run, role, owner, |run| run.put_each(parts, |run, part| write_part(run, part, Within::Message)));
}

/// Writes a user or system message, whose content `write` writes.
fn put_prose(run: &mut Run, role: Word, (metadata, at): (&Metadata, At), write: impl FnOnce(&mut Run)) {
    let mut object = run.begin();
    object.option(run, Word::r#type, metadata.form(Word::r#type));
    object.word(run, Word::role, role);
    object.key(run, Word::content);
    write(run);
    put_item(run, &mut object, metadata, at);
    object.end(run, metadata, at);
}

/// Writes the original fields of an item at its end; its id only if OpenAI issued it.
pub fn put_item(run: &mut Run, object: &mut Writing, metadata: &Metadata, at: At) {
    let item = metadata.own_field(Word::item);
    let is_made =
        items::own_id(run, metadata).is_none() && item.is_some_and(|item| run.member(item, Word::id).is_some());
    if is_made {
        let at = run.family_at(at);
        let at = run.down(at, Word::item);
        run.warn(WarningCode::StateDropped, at, "this id was generated: OpenAI did not issue it");
        object.skip(run, Word::id);
        object.skip(run, Word::status);
    }
    object.add_nested(run, metadata, Word::item);
    if item.is_some() {
        object.skip(run, Word::item);
    }
}

/// An item of the assistant's.
enum Item<'a> {
    Message(Vec<&'a Block>),
    Reasoning(Vec<&'a Reasoning>),
    Call(&'a Call),
    Native(&'a Native),
}

/// The items that contain these blocks.
fn items<'a>(run: &mut Run, blocks: impl Iterator<Item = &'a Block>) -> Vec<Item<'a>> {
    let mut items = Vec::new();
    for block in blocks {
        match (block, items.last_mut()) {
            (Block::Call(call), _) => items.push(Item::Call(call)),
            (Block::Native(native), _) if items::place(run, native) != Some(Level::Part) => {
                items.push(Item::Native(native));
            }
            (Block::Reasoning(part), Some(Item::Reasoning(parts))) if part.metadata.continues() => parts.push(part),
            (Block::Reasoning(part), _) => items.push(Item::Reasoning(vec![part])),
            (part, Some(Item::Message(parts))) if !starts_message(part) => parts.push(part),
            (part, _) => items.push(Item::Message(vec![part])),
        }
    }
    items
}

/// What the id and the status of an item in a response are made of: there, every item has them (Q178).
#[derive(Clone, Copy)]
struct Made<'a> {
    seed: &'a str,
    index: usize,
    status: Word,
}

/// Writes the items of the assistant's turn. `answer`: for a response, the seed of ids, and the status of the last item, which may be incomplete.
pub fn write_assistant(run: &mut Run, assistant: &Assistant, answer: Option<(&str, Word)>) -> Result<()> {
    let Assistant { at, content, calls, metadata } = assistant;
    run.warn_metadata(metadata, *at);
    let text = match content {
        Content::Text(text, at) if calls.is_empty() || !run.store.is_empty(*text) => {
            Some(Block::Text { at: *at, text: *text, metadata: Metadata::default() })
        }
        Content::Text(..) | Content::Blocks(_) => None,
    };
    let mut items = items(run, text.iter().chain(content.blocks()));
    items.extend(calls.iter().map(Item::Call));
    if items.is_empty() && answer.is_none() {
        // the API rejects an input without items
        put_prose(run, Word::assistant, (&Metadata::default(), *at), |run| run.store.put_text(""));
    }
    let count = items.len();
    for (index, item) in items.into_iter().enumerate() {
        let made = answer.map(|(seed, last)| {
            // a stream numbers items in the same way
            let status = if index + 1 == count { last } else { Word::completed };
            Made { seed, index, status }
        });
        match item {
            Item::Message(parts) => write_message(run, &parts, made)?,
            Item::Reasoning(parts) => write_reasoning(run, &parts, made),
            Item::Call(call) => write_call(run, call, made)?,
            Item::Native(native) => native::put(run, native),
        }
    }
    Ok(())
}

/// Writes a message: as an output item if it has an id, otherwise in the form that requires none.
fn write_message(run: &mut Run, parts: &[&Block], made: Option<Made>) -> Result<()> {
    let Some(first) = parts.first() else { return Ok(()) };
    let metadata = first.metadata();
    let is_item = made.is_some() || items::own_id(run, metadata).is_some();
    let mut object = run.begin_inside(metadata, Word::item);
    match metadata.form(Word::message) {
        Some(form) if run.store.word(form) == Word::omitted => {}
        Some(form) => object.put(run, Word::r#type, form),
        None if is_item => object.usual(run, metadata, Word::r#type, Word::message),
        None => {}
    }
    put_identity(run, &mut object, metadata, ("msg", made));
    object.word(run, Word::role, Word::assistant);
    let shape = metadata.form(Word::content).map(|form| run.store.word(form));
    let is_array = is_item && shape != Some(Word::text)
        || shape == Some(Word::parts)
        || parts.iter().any(|part| needs_array(part));
    if is_array {
        object.each(run, Word::content, parts, |run, part| write_part(run, part, Within::Assistant));
    } else {
        let text = joined(run, parts)?;
        object.put(run, Word::content, text);
    }
    put_item(run, &mut object, metadata, first.at());
    object.close(run);
    Ok(())
}

fn write_reasoning(run: &mut Run, item: &[&Reasoning], made: Option<Made>) {
    let Some(first) = item.first() else { return };
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::reasoning);
    put_identity(run, &mut object, &first.metadata, ("rs", made));
    reasoning::write(run, &mut object, item);
    put_item(run, &mut object, &first.metadata, first.at);
    object.skip(run, Word::item);
    object.skip(run, Word::status);
    // the id of an item that a client of another provider's format returned is written above
    let is_returned = run.route.changes_provider() && items::own_id(run, &first.metadata).is_some();
    let placed: &[Word] = if is_returned { &[Word::item] } else { &[] };
    object.end(run, &items::without(&first.metadata, placed), first.at);
    for part in item.iter().skip(1) {
        run.warn_metadata(&part.metadata, part.at);
    }
}

/// Whether the call is a search of the client's for tools.
pub(super) fn is_search(metadata: &Metadata) -> bool {
    metadata.family_field(Word::tool_search).is_some() && metadata.own_field(Word::item).is_none()
}

/// Writes a search of the client's for tools.
fn write_search(run: &mut Run, call: &Call, made: Option<Made>) {
    let Call { at, id, metadata, .. } = call;
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::tool_search_call);
    put_identity(run, &mut object, metadata, ("tsc", made));
    object.put(run, Word::call_id, *id);
    object.word(run, Word::execution, Word::client);
    object.key(run, Word::arguments);
    arguments::put_object(run, call);
    let mut rest = metadata.clone();
    rest.set_family_field(Word::tool_search, None);
    object.end(run, &rest, *at);
}

fn write_call(run: &mut Run, call: &Call, made: Option<Made>) -> Result<()> {
    if is_search(&call.metadata) {
        write_search(run, call, made);
        return Ok(());
    }
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin_inside(metadata, Word::item);
    let input = freeform::input(run, call);
    let kind = if input.is_some() { Word::custom_tool_call } else { Word::function_call };
    object.word(run, Word::r#type, kind);
    put_identity(run, &mut object, metadata, (if input.is_some() { "ctc" } else { "fc" }, made));
    CALL_ID.put(run, &mut object, *id, metadata);
    object.put(run, Word::name, *name);
    let namespace = items::restored_namespace(metadata);
    object.option(run, Word::namespace, namespace);
    match input {
        Some(input) => object.put(run, Word::input, input),
        None => arguments::put_as_text(run, &mut object, Word::arguments, call)?,
    }
    put_item(run, &mut object, metadata, *at);
    object.refuse_rest(run, (metadata, *at), Word::custom, Word::input);
    for word in [Word::id, Word::arguments, Word::item] {
        // the fields of its own item are written above
        if word != Word::item || metadata.own_field(Word::item).is_none() {
            object.refuse(run, (metadata, *at), word);
        }
        object.skip(run, word);
    }
    let mut rest = Cow::Borrowed(metadata);
    if namespace.is_some() {
        rest.to_mut().retain_family(&mut |member| !items::is_restored(member));
    }
    object.end(run, &rest, *at);
    Ok(())
}

/// Writes the fields that identify an item: its id, if OpenAI issued it, and its status with it (Q70). The items of a response get those that are required.
fn put_identity(run: &mut Run, object: &mut Writing, metadata: &Metadata, (kind, made): (&str, Option<Made>)) {
    if let Some(item) = metadata.own_field(Word::item) {
        if let Some(id) = items::own_id(run, metadata) {
            object.put(run, Word::id, id);
            let status = run.member(item, Word::status);
            object.option(run, Word::status, status);
        }
    } else if let Some(Made { seed, index, status }) = made {
        object.text(run, Word::id, &openai_items::made_id(kind, seed, index));
        if matches!(kind, "msg" | "fc" | "ctc" | "tsc") {
            object.word(run, Word::status, status);
        }
    }
}

/// Whether a block can only be written as a part of an array.
fn needs_array(block: &Block) -> bool {
    matches!(block, Block::Native(_) | Block::Media(_))
}

/// Whether a block starts a message of its own; others are added to the previous one.
fn starts_message(block: &Block) -> bool {
    let metadata = block.metadata();
    let has_own_form = metadata.family_field(Word::item).is_some() || metadata.form(Word::content).is_some();
    has_own_form && !metadata.continues() && !needs_array(block)
}

/// The concatenation of several texts (Q117). A refusal without an id can only be written as text.
fn joined(run: &mut Run, parts: &[&Block]) -> Result<Value> {
    let mut texts = Vec::new();
    for part in parts {
        run.warn_metadata(&items::without(part.metadata(), &[Word::item]), part.at());
        match part {
            Block::Text { text, .. } => texts.push(*text),
            Block::Refusal { at, text, .. } => {
                run.warn(WarningCode::RefusalAsText, *at, "a refusal requires the id of its message");
                texts.push(*text);
            }
            Block::Data { .. } | Block::Media(_) | Block::Reasoning(_) | Block::Native(_) | Block::Call(_) => {}
        }
    }
    Ok(match texts.as_slice() {
        [one] => *one,
        many => run.store.join(many),
    })
}
