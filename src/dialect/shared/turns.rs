//! Wire messages that contain both results and user content (Anthropic, Gemini).

use super::super::is_result;
use crate::fit::turns::leading_system;
use crate::model::{Add, Block, Call, Content, Message, Metadata, Native, Prose, ToolResult};
use crate::run::{At, Provider, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

/// A piece of a wire message: content or a result.
pub enum TurnPart {
    Block(Block),
    Result(ToolResult),
}

impl TurnPart {
    /// A piece of a user message or result. Only models make calls: a call there is kept whole, for its provider only.
    pub fn by_user(self, value: Value, provider: Provider) -> TurnPart {
        match self {
            TurnPart::Block(Block::Call(Call { at, .. })) => {
                TurnPart::Block(Block::Native(Native::new(provider, value, at)))
            }
            piece => piece,
        }
    }

    /// A piece of a model's message. It has no results: one there is kept whole, for its provider only.
    pub fn by_model(self, value: Value, provider: Provider) -> Block {
        match self {
            TurnPart::Block(block) => block,
            TurnPart::Result(result) => Block::Native(Native::new(provider, value, result.at)),
        }
    }
}

/// Splits the pieces of a wire message into results and prose, in order. Each message after the first is marked as a continuation. The metadata of
/// the wire message go to the first one.
pub fn split(
    pieces: Vec<TurnPart>,
    metadata: Metadata,
    prose: impl Fn(Content, Metadata) -> Message,
    messages: &mut Vec<Message>,
) {
    let start = messages.len();
    let mut own = Some(metadata);
    let mut blocks = Vec::new();
    for piece in pieces {
        match piece {
            TurnPart::Block(block) => blocks.add(block),
            TurnPart::Result(mut result) => {
                if !blocks.is_empty() {
                    let metadata = continuation(&mut own, messages.len() > start);
                    messages.add(prose(Content::Blocks(std::mem::take(&mut blocks)), metadata));
                }
                // consecutive results are joined without a mark
                let continues = messages.len() > start && !messages.last().is_some_and(is_result);
                result.metadata.append(continuation(&mut own, continues));
                messages.add(Message::Tool(result));
            }
        }
    }
    if !blocks.is_empty() || messages.len() == start {
        let metadata = continuation(&mut own, messages.len() > start);
        messages.add(prose(Content::Blocks(blocks), metadata));
    }
}

/// The metadata of a wire message for its first piece. A result has fields of its own, so the message's fields are nested.
pub fn own_metadata(run: &mut Run, reading: Reading, pieces: &[TurnPart]) -> Metadata {
    if !matches!(pieces.first(), Some(TurnPart::Result(_))) {
        return reading.rest();
    }
    reading.rest_in(run, Word::wireMessage)
}

/// Restores the fields of the original wire message. Its results may be in another order now. Fields of merged messages are dropped with a warning.
pub fn put_own(run: &mut Run, object: &mut Writing, turn: &[Message]) {
    let begins_with_result = turn.first().is_some_and(is_result);
    let mut is_written = !begins_with_result;
    for message in turn {
        let Message::Tool(result) = message else { continue };
        let (field, form) = (result.metadata.family_field(Word::wireMessage), result.metadata.form(Word::wireMessage));
        if (field.is_some() || form.is_some()) && !std::mem::replace(&mut is_written, true) {
            object.add_nested(run, &result.metadata, Word::wireMessage);
        } else if field.is_some() {
            let family = run.family_at(result.at);
            let at = run.canonical_or(family, Word::wireMessage);
            run.warn(WarningCode::FieldDropped, at, "the message was joined with another one");
        }
    }
}

fn continuation(own: &mut Option<Metadata>, continues: bool) -> Metadata {
    let mut metadata = own.take().unwrap_or_default();
    if continues {
        metadata.set_continues();
    }
    metadata
}

/// The messages at the start of `messages` that share one wire message of the user: consecutive results, and messages that are marked as
/// continuations.
fn user_turn(messages: &[Message]) -> &[Message] {
    let mut length = 1;
    while let (Some(previous), Some(message)) = (messages.get(length - 1), messages.get(length)) {
        let joins = match message {
            Message::Tool(result) => is_result(previous) || result.metadata.continues(),
            Message::User(prose) => prose.metadata.continues(),
            Message::System(_) | Message::Assistant(_) => false,
        };
        if !joins {
            break;
        }
        length += 1;
    }
    messages.get(..length).unwrap_or_default()
}

/// Writes the array of the messages after the system prompt. Those that share a wire message of the user are passed together.
pub fn write_list(run: &mut Run, messages: &[Message], write: fn(&mut Run, &[Message]) -> Result<()>) -> Result<()> {
    run.store.begin_array();
    let mut rest = messages.get(leading_system(messages)..).unwrap_or_default();
    while let Some(first) = rest.first() {
        let is_users = matches!(first, Message::User(_) | Message::Tool(_));
        let (turn, after) = rest.split_at(if is_users { user_turn(rest).len() } else { 1 });
        write(run, turn)?;
        rest = after;
    }
    run.store.end_array();
    Ok(())
}

/// Warns about content after a call, for a target without an order between content and calls (Q68). `is_content` returns whether a block is content.
pub fn warn_order(run: &mut Run, blocks: &[Block], is_content: fn(&Block) -> bool) {
    let first_call = blocks.iter().position(|block| block.as_call().is_some()).unwrap_or(blocks.len());
    let late = blocks.get(first_call..).unwrap_or_default().iter().find(|block| is_content(block));
    if let Some(block) = late {
        warn_late(run, block.at());
    }
}

pub fn warn_late(run: &mut Run, at: At) {
    run.warn(WarningCode::OrderChanged, at, "content after a call was moved before it");
}

/// The system messages at the start, which targets have in a field of its own.
pub fn system_prompt(messages: &[Message]) -> Vec<&Prose> {
    let mut front = Vec::new();
    for message in messages {
        let Message::System(prose) = message else { break };
        front.push(prose);
    }
    front
}

/// A text of a system prompt, with its position and metadata.
pub struct SystemText<'a> {
    pub text: Value,
    pub metadata: &'a Metadata,
    pub at: At,
}

/// The texts of system messages, one for each block. A system prompt contains only text.
pub fn system_texts<'a>(run: &mut Run, front: &[&'a Prose]) -> Vec<SystemText<'a>> {
    let mut texts = Vec::new();
    for Prose { at, content, metadata } in front {
        match content {
            Content::Text(text, _) => texts.push(SystemText { text: *text, metadata, at: *at }),
            Content::Blocks(blocks) => {
                run.warn_metadata(metadata, *at);
                texts.extend(blocks.iter().filter_map(|block| match block {
                    Block::Text { at, text, metadata } => Some(SystemText { text: *text, metadata, at: *at }),
                    _ => None,
                }));
            }
        }
    }
    texts
}
