//! Wire messages that contain both results and user content (Anthropic, Gemini).

use super::super::is_result;
use crate::model::{Add, Assistant, Block, Call, Content, Message, Metadata, Native, Prose, ToolResult};
use crate::run::{At, Dialect, Provider, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};
use std::borrow::Cow;

/// A piece of a wire message: content or a result.
pub enum Piece {
    Block(Block),
    Result(ToolResult),
}

impl Piece {
    /// A piece of a user message or result. Only models make calls: a call there is kept whole, for its provider only.
    pub fn said(self, value: Value, provider: Provider) -> Piece {
        match self {
            Piece::Block(Block::Call(Call { at, .. })) => Piece::Block(Block::Native(Native::new(provider, value, at))),
            piece => piece,
        }
    }
}

/// Splits the pieces of a wire message into results and prose, in order. Each message after the first is marked as a continuation. The metadata of
/// the wire message go to the first one.
pub fn split(
    pieces: Vec<Piece>,
    metadata: Metadata,
    prose: impl Fn(Content, Metadata) -> Message,
    messages: &mut Vec<Message>,
) {
    let start = messages.len();
    let mut own = Some(metadata);
    let mut blocks = Vec::new();
    for piece in pieces {
        match piece {
            Piece::Block(block) => blocks.add(block),
            Piece::Result(mut result) => {
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
pub fn own_metadata(run: &mut Run, reading: Reading, pieces: &[Piece]) -> Metadata {
    if !matches!(pieces.first(), Some(Piece::Result(_))) {
        return reading.rest();
    }
    let mut metadata = Metadata::default();
    reading.rest_into(run, Word::wireMessage, &mut metadata);
    metadata
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
            let at = if run.from.provider().is_none() { run.down(family, Word::wireMessage) } else { family };
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
pub fn user_turn(messages: &[Message]) -> &[Message] {
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

/// The text of a supplied user turn.
const MADE_TURN: &str = "(The conversation starts here.)";

/// The text of a user turn that the target requires before what is at `at`, or in an empty conversation, and that the input does not have (Q97g,
/// Q102). None for pieces and for the report format, which need not be complete conversations.
pub fn made_turn(run: &mut Run, at: At) -> Option<&'static str> {
    if run.from == run.to || run.is_piece || run.from == Dialect::Universal {
        return None;
    }
    run.warn(WarningCode::DefaultUsed, at, "the target requires a user turn here: one was added");
    Some(MADE_TURN)
}

/// The direction of an assistant message: requests and responses have different usual forms.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    Request,
    Response,
}

/// Warns about content after a call, for a target without an order between content and calls (Q68). `is_content` returns whether a block is content.
pub fn warn_order(run: &mut Run, blocks: &[Block], is_content: impl Fn(&mut Run, &Block) -> bool) {
    let first_call = blocks.iter().position(|block| block.as_call().is_some()).unwrap_or(blocks.len());
    let late = blocks.get(first_call..).unwrap_or_default().iter().find(|block| is_content(run, block));
    if let Some(block) = late {
        warn_late(run, block.at());
    }
}

pub fn warn_late(run: &mut Run, at: At) {
    run.warn(WarningCode::OrderChanged, at, "content after a call was moved before it");
}

/// Number of system messages at the start.
pub fn leading_system(messages: &[Message]) -> usize {
    messages.iter().take_while(|message| matches!(message, Message::System(_))).count()
}

/// All system messages that are moved to the front: the leading ones, and (with a warning) later ones that can't stay in place.
pub fn front_system<'a>(
    run: &mut Run,
    messages: &'a [Message],
    stays: impl Fn(&mut Run, usize) -> bool,
) -> Vec<&'a Prose> {
    let leading = leading_system(messages);
    let mut front = Vec::new();
    for (index, message) in messages.iter().enumerate() {
        let Message::System(prose) = message else { continue };
        if index >= leading {
            if stays(run, index) {
                continue;
            }
            run.warn(WarningCode::SystemMoved, prose.at, "a later system message was moved to the front");
        }
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

/// The texts of system messages, one for each block. A system prompt contains only text. Empty texts are left out.
pub fn system_texts<'a>(run: &mut Run, front: &[&'a Prose]) -> crate::run::Result<Vec<SystemText<'a>>> {
    let mut texts = Vec::new();
    for Prose { at, content, metadata } in front {
        match content {
            Content::Text(text, _) => texts.push(SystemText { text: *text, metadata, at: *at }),
            Content::Blocks(blocks) => {
                run.warn_metadata(metadata, *at);
                for block in blocks {
                    texts.extend(system_text(run, block)?);
                }
            }
        }
    }
    let mut kept = Vec::new();
    for text in texts {
        if run.from != run.to && run.is_blank(text.text) {
            run.warn(WarningCode::EmptyDropped, text.at, "the target does not accept an empty text");
            run.warn_metadata(text.metadata, text.at);
        } else {
            kept.push(text);
        }
    }
    Ok(kept)
}

fn system_text<'a>(run: &mut Run, block: &'a Block) -> crate::run::Result<Option<SystemText<'a>>> {
    match block {
        Block::Text { at, text, metadata } => return Ok(Some(SystemText { text: *text, metadata, at: *at })),
        Block::Refusal { at, text, metadata } => {
            run.warn(WarningCode::RefusalAsText, *at, "only assistant messages can contain a refusal");
            return Ok(Some(SystemText { text: *text, metadata, at: *at }));
        }
        Block::Data { at, value, metadata } => {
            let text = run.data_text(*value, *at)?;
            return Ok(Some(SystemText { text, metadata, at: *at }));
        }
        Block::Media(media) => run.warn(WarningCode::MediaDropped, media.at, "a system prompt can contain text only"),
        Block::Native(native) => run.warn_native_block(native.at),
        Block::Reasoning(reasoning) => run.warn_reasoning(reasoning),
        Block::Call(_) => {}
    }
    Ok(None)
}

/// An assistant turn without its empty texts. Google's responses end with an empty text, with or without a signature; if a client sends it back, it
/// would be content after the calls. A turn without other content is not changed.
pub fn without_empty_texts<'a>(run: &mut Run, assistant: &'a Assistant) -> Cow<'a, Assistant> {
    let is_empty = |run: &Run, block: &Block| match block {
        Block::Text { text, metadata, .. } => {
            run.store.is_empty(*text) && metadata.family().is_empty() && metadata.forms().is_empty()
        }
        _ => false,
    };
    let blocks = assistant.blocks();
    let empty = blocks.iter().filter(|block| is_empty(run, block)).count();
    let says_more = empty < blocks.len() || !assistant.calls.is_empty();
    if run.from == run.to || empty == 0 || !says_more {
        return Cow::Borrowed(assistant);
    }
    let mut kept = Vec::new();
    for block in blocks {
        if is_empty(run, block) {
            run.warn(WarningCode::EmptyDropped, block.at(), "an empty text was left out");
            run.warn_metadata(block.metadata(), block.at());
        } else {
            kept.push(block.clone());
        }
    }
    Cow::Owned(Assistant { content: Content::Blocks(kept), ..assistant.clone() })
}

/// Writes an assistant message, unless the target accepts none of its blocks: it would be an empty message.
///
/// `is_all`: the conversation consists of such messages only. An empty conversation is an error.
pub fn write_unless_lost(
    run: &mut Run,
    assistant: &Assistant,
    is_all: bool,
    write: fn(&mut Run, &Assistant) -> Result<()>,
) -> Result<()> {
    if is_all || !may_be_lost(run, assistant) {
        return write(run, assistant);
    }
    let message = run.try_build(|run| write(run, assistant))?;
    let is_lost = run.members(message).into_iter().all(|field| match field.word {
        Word::role => true,
        Word::content => run.is_void(field.value),
        _ => false,
    });
    if is_lost {
        warn_lost(run, assistant.at);
    } else {
        run.store.put(message);
    }
    Ok(())
}

/// Whether a conversation consists of messages that may be lost.
pub fn may_all_be_lost<'a>(run: &Run, mut messages: impl Iterator<Item = &'a Message>) -> bool {
    messages.all(|message| matches!(message, Message::Assistant(assistant) if may_be_lost(run, assistant)))
}

pub fn warn_lost(run: &mut Run, at: At) {
    run.warn(WarningCode::EmptyDropped, at, "the message is empty after the conversion: it was left out");
}

/// Whether an assistant message only has blocks that other targets have no place for.
pub fn may_be_lost(run: &Run, assistant: &Assistant) -> bool {
    let blocks = assistant.blocks();
    let is_foreign = |block: &Block| matches!(block, Block::Native(_) | Block::Reasoning(_) | Block::Media(_));
    run.from != run.to && assistant.calls.is_empty() && !blocks.is_empty() && blocks.iter().all(is_foreign)
}
