//! Reads items (WIRE §2.3–§2.5): all items of the assistant between two user turns are one message.

use super::items::{self, Level};
use super::parts::{self, Within};
use super::reasoning;
pub use super::write_messages::write_list;
use crate::dialect::shared::shapes::{Id, Presence};
use crate::dialect::shared::{arguments, freeform, outcome};
use crate::model::{Add, Arguments, Assistant, Block, Call, Content, Message, Metadata, Outcome, Prose, ToolResult};
use crate::run::{At, Key, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// What an item belongs to.
enum Item {
    /// The assistant's turn.
    Blocks(Vec<Block>),
    Message(Message),
}

/// Reads the items of a request.
pub fn read_input(run: &mut Run, value: Value, at: At) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    let mut turn: Option<(At, Vec<Block>)> = None;
    for (item, at) in run.elements(value, at)? {
        match read_item(run, item, at)? {
            Item::Blocks(blocks) => turn.get_or_insert_with(|| (at, Vec::new())).1.extend(blocks),
            Item::Message(message) => {
                messages.extend(turn.take().map(|turn| assistant(run, turn)));
                messages.add(message);
            }
        }
    }
    messages.extend(turn.map(|turn| assistant(run, turn)));
    Ok(messages)
}

/// Takes the items of a response: all of them are the assistant's, calls included.
pub fn take_output(run: &mut Run, reading: &mut Reading) -> Result<Assistant> {
    let text = reading.peek(Word::output_text).filter(|_| !run.route.stays());
    let text = text.filter(|text| run.store.kind(*text) == Kind::String && !run.store.is_empty(*text));
    let is_void = |run: &mut Run, output| run.store.kind(output) == Kind::Array && run.list(output).is_empty();
    if let Some(text) = text
        && reading.peek(Word::output).is_none_or(|output| is_void(run, output))
    {
        // a mock that has only what the SDK adds
        let at = run.down(reading.at(), Word::output_text);
        reading.take_any(Word::output);
        reading.take_any(Word::output_text);
        run.warn(
            WarningCode::FieldSupplied,
            at,
            "the response has no output: this field of a mock is read in its place",
        );
        let blocks = vec![Block::Text { at, text, metadata: Metadata::default() }];
        return Ok(Assistant {
            at,
            content: Content::Blocks(blocks),
            calls: Vec::new(),
            metadata: Metadata::default(),
        });
    }
    let (output, at) = reading.require(run, Word::output)?;
    let mut blocks = Vec::new();
    for (item, at) in run.elements(output, at)? {
        blocks.extend(read_output_item(run, item, at)?);
    }
    Ok(Assistant { at, content: Content::Blocks(blocks), calls: Vec::new(), metadata: Metadata::default() })
}

/// An item of a response. Results and messages in it come from OpenAI's own tools and agents.
pub fn read_output_item(run: &mut Run, value: Value, at: At) -> Result<Vec<Block>> {
    match read_item(run, value, at)? {
        Item::Blocks(blocks) => Ok(blocks),
        Item::Message(_) => Ok(vec![items::native(run, Level::Item, value, at)]),
    }
}

/// A response by itself.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    Ok(Assistant { at, ..take_output(run, &mut reading)? })
}

/// The message of a turn. The plain form has one text, followed by valid calls, then invalid ones, and nothing else. An empty text only occurs alone,
/// as none is written beside calls.
fn assistant(run: &mut Run, (at, blocks): (At, Vec<Block>)) -> Message {
    let is_valid = |block: &Block| matches!(block, Block::Call(Call { arguments: Arguments::Object { .. }, .. }));
    let content = match blocks.split_first() {
        Some((Block::Text { at, text, metadata }, rest))
            if is_plain(run, metadata)
                && (rest.is_empty() || !run.store.is_empty(*text))
                && rest.iter().all(|block| block.as_call().is_some())
                && rest.is_sorted_by_key(|block| !is_valid(block)) =>
        {
            Some(Content::Text(*text, *at))
        }
        _ => None,
    };
    let (content, calls) = match content {
        Some(content) => (content, blocks.into_iter().filter_map(Block::into_call).collect()),
        None => (Content::Blocks(blocks), Vec::new()),
    };
    Message::Assistant(Assistant { at, content, calls, metadata: Metadata::default() })
}

/// Whether a text is the only content of an item without further fields.
fn is_plain(run: &Run, metadata: &Metadata) -> bool {
    let is_string = metadata.form(Word::content).is_some_and(|form| run.store.word(form) == Word::text);
    is_string && metadata.forms().len() == 1 && metadata.family_fields().is_empty()
}

fn read_item(run: &mut Run, value: Value, at: At) -> Result<Item> {
    run.plain_object(value, at)?;
    let kind = match run.member(value, Word::r#type) {
        Some(kind) if run.store.kind(kind) != Kind::Null => run.store.word(run.string(kind, at)?),
        _ if run.member(value, Word::role).is_some() => Word::message,
        _ => Word::Unknown,
    };
    match kind {
        Word::message => read_message(run, value, at),
        Word::function_call | Word::custom_tool_call => {
            Ok(Item::Blocks(vec![Block::Call(read_call(run, value, at, kind)?)]))
        }
        Word::function_call_output | Word::custom_tool_call_output => {
            Ok(Item::Message(Message::Tool(read_result(run, value, at, kind)?)))
        }
        Word::reasoning => {
            let blocks = reasoning::read(run, value, at)?;
            Ok(Item::Blocks(blocks.unwrap_or_else(|| vec![items::native(run, Level::Item, value, at)])))
        }
        _ => Ok(Item::Blocks(vec![items::native(run, Level::Item, value, at)])),
    }
}

fn read_message(run: &mut Run, value: Value, at: At) -> Result<Item> {
    let mut reading = run.object(value, at)?;
    let kind = reading.take_any(Word::r#type);
    let (role, role_at) = reading.require(run, Word::role)?;
    let role_word = run.store.word(role);
    if role_word == Word::assistant {
        return Ok(Item::Blocks(read_content(run, reading, kind, value)?));
    }
    let (content, content_at) = reading.require(run, Word::content)?;
    let content = match run.store.kind(content) {
        Kind::String => Content::Text(content, content_at),
        Kind::Array => Content::Blocks(parts::read_parts(run, content, content_at, Within::Message)?),
        _ => return run.wrong_type(content, content_at, "a string or an array of parts"),
    };
    let mut metadata = reading.rest_in(run, Word::item);
    if let Some(kind) = kind {
        metadata.add_form(Word::r#type, kind);
    }
    if role_word == Word::developer {
        metadata.add(Key::Word(Word::role), role);
    }
    let prose = Prose { at, content, metadata };
    match role_word {
        Word::system | Word::developer => Ok(Item::Message(Message::System(prose))),
        Word::user => Ok(Item::Message(Message::User(prose))),
        _ => run.wrong_word(role, role_at, "\"user\", \"assistant\", \"system\" or \"developer\""),
    }
}

/// An assistant message. The first block has the fields of the item; the others are its continuation.
fn read_content(run: &mut Run, mut reading: Reading, kind: Option<Value>, whole: Value) -> Result<Vec<Block>> {
    let at = reading.at();
    if let Some(null) = kind.filter(|kind| run.store.kind(*kind) == Kind::Null) {
        reading.note(Word::r#type, null);
    }
    let (content, content_at) = reading.require(run, Word::content)?;
    let has_id = reading.has(Word::id);
    let is_string = run.store.kind(content) == Kind::String;
    let mut blocks = match run.store.kind(content) {
        Kind::String => vec![Block::Text { at: content_at, text: content, metadata: Metadata::default() }],
        Kind::Array => run.each(content, content_at, parts::read_output_part)?,
        _ => return run.wrong_type(content, content_at, "a string or an array of parts"),
    };
    let mut blocks_after = blocks.iter_mut();
    let Some(first) = blocks_after.next() else { return Ok(vec![items::native(run, Level::Item, whole, at)]) };
    for block in blocks_after {
        block.metadata_mut().set_continues();
    }
    let metadata = first.metadata_mut();
    reading.rest_into(run, Word::item, metadata);
    match (is_string, has_id) {
        (true, _) => metadata.add_form(Word::content, run.store.word_value(Word::text)),
        (false, false) => metadata.add_form(Word::content, run.store.word_value(Word::parts)),
        (false, true) => {}
    }
    match (kind, has_id) {
        (Some(kind), false) if run.store.kind(kind) != Kind::Null => metadata.add_form(Word::message, kind),
        (None, true) => metadata.add_form(Word::message, run.store.word_value(Word::omitted)),
        (Some(_), _) | (None, false) => {}
    }
    Ok(blocks)
}

/// Some servers leave ids out (Q176).
pub const CALL_ID: Id = Id { key: Word::call_id, form: Word::id, presence: Presence::Usual };
pub const RESULT_ID: Id = Id { key: Word::call_id, form: Word::call_id, presence: Presence::Usual };

pub fn read_call(run: &mut Run, value: Value, at: At, kind: Word) -> Result<Call> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let mut forms = Metadata::default();
    let id = CALL_ID.take(run, &mut reading)?;
    let (name, arguments) = if kind == Word::custom_tool_call {
        freeform::mark_call(run, &mut forms);
        freeform::take(run, &mut reading)?
    } else {
        arguments::take(run, &mut reading, (Word::arguments, arguments::Usual::Text))?
    };
    let mut metadata = reading.rest_in(run, Word::item);
    metadata.append(forms);
    Ok(Call { at, id, name, arguments, metadata })
}

fn read_result(run: &mut Run, value: Value, at: At, kind: Word) -> Result<ToolResult> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let mut forms = Metadata::default();
    let id = RESULT_ID.take(run, &mut reading)?;
    if kind == Word::custom_tool_call_output {
        forms.add_form(Word::r#type, run.store.word_value(kind));
    }
    let name = match reading.string(run, Word::name)? {
        Some(name) => {
            forms.add_form(Word::name, name);
            name
        }
        None => run.store.string(""),
    };
    let (output, output_at) = reading.require(run, Word::output)?;
    let outcome = match run.store.kind(output) {
        Kind::String => outcome::read_text(run, output),
        Kind::Array => {
            let holder = if kind == Word::custom_tool_call_output { Within::Message } else { Within::Output };
            Outcome::Multimodal { blocks: parts::read_parts(run, output, output_at, holder)?, is_error: false }
        }
        _ => return run.wrong_type(output, output_at, "a string or an array of parts"),
    };
    let mut metadata = reading.rest_in(run, Word::item);
    metadata.append(forms);
    Ok(ToolResult { at, id, name, outcome, metadata })
}
