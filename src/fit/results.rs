//! Results for targets whose results, or errors, contain text only (Q93).

use crate::model::{Block, Content, Media, Message, Metadata, Outcome, Prose, ToolResult};
use crate::run::{At, ErrorStyle, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

/// Where media are moved that a result can't contain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// To a user message of their own, after a text that names the result.
    Apart,
    /// To the wire message of the results, after a text that names the result.
    Beside,
    /// To the wire message of the results, without a text.
    BesideUnnamed,
}

/// The text of a result whose media were moved, if it contains nothing else.
const SEE_NEXT: &str = "See the next message.";

/// Whether a result can contain the media. The second argument: whether the result is an error.
pub type Holds<'a> = &'a dyn Fn(&Run, bool, &Media) -> bool;

/// Moves media that results can't contain after all results of the turn.
pub fn move_media(run: &mut Run, messages: &mut Vec<Message>, moved: Moved, holds: Holds) {
    if !messages.iter().any(has_media) {
        return;
    }
    let mut rest = std::mem::take(messages).into_iter().peekable();
    let mut blocks: Vec<Block> = Vec::new();
    while let Some(mut message) = rest.next() {
        if let Message::Tool(result) = &mut message {
            take_media(run, result, (moved, holds), &mut blocks);
        }
        let at = blocks.first().map(Block::at);
        messages.push(message);
        if let Some(at) = at.filter(|_| !matches!(rest.peek(), Some(Message::Tool(_)))) {
            let mut metadata = Metadata::default();
            if moved != Moved::Apart {
                metadata.set_continues();
            }
            let content = Content::Blocks(std::mem::take(&mut blocks));
            messages.push(Message::User(Prose { at, content, metadata }));
        }
    }
}

fn has_media(message: &Message) -> bool {
    let Message::Tool(ToolResult { outcome: Outcome::Multimodal { blocks, .. }, .. }) = message else { return false };
    blocks.iter().any(|block| matches!(block, Block::Media(_)))
}

fn take_media(run: &mut Run, result: &mut ToolResult, (moved, holds): (Moved, Holds), into: &mut Vec<Block>) {
    let Outcome::Multimodal { blocks, is_error } = &mut result.outcome else { return };
    let is_error = *is_error;
    let (staying, moving): (Vec<Block>, Vec<Block>) = std::mem::take(blocks)
        .into_iter()
        .partition(|block| !matches!(block, Block::Media(media) if !holds(run, is_error, media)));
    *blocks = staying;
    if moving.is_empty() {
        return;
    }
    if moved == Moved::Apart && blocks.is_empty() && !is_error {
        result.outcome = Outcome::Text(run.store.string(SEE_NEXT));
    }
    if moved != Moved::BesideUnnamed {
        let label = media_label(run, result.id);
        let text = run.store.string(&label);
        into.push(Block::Text { at: result.at, text, metadata: Metadata::default() });
    }
    for block in moving {
        run.warn(WarningCode::MediaMoved, block.at(), "a result can't contain this: it is sent after the results");
        into.push(block);
    }
}

/// The text before the media of a result.
pub fn media_label(run: &Run, id: Value) -> String {
    format!("Media of tool result {}:", run.store.text(id))
}

/// Joins the texts of an error into one that states the error, before its media, for a target that does not mark errors.
pub fn state_error(run: &mut Run, result: &mut ToolResult) -> Result<()> {
    let at = result.at;
    let Outcome::Multimodal { blocks, is_error: is_error @ true } = &mut result.outcome else { return Ok(()) };
    let mut texts = Vec::new();
    let mut kept = Vec::new();
    for block in std::mem::take(blocks) {
        match block {
            Block::Text { at, text, metadata } => {
                run.warn_metadata(&metadata, at);
                texts.push(text);
            }
            block => kept.push(block),
        }
    }
    let joined = run.store.join(&texts);
    let text = error_text(run, joined, at)?;
    *is_error = false;
    blocks.push(Block::Text { at, text, metadata: Metadata::default() });
    blocks.append(&mut kept);
    Ok(())
}

/// Whether a value is an object that states the error itself, in a string `error`. It needs no object around it.
pub fn states_its_error(run: &mut Run, value: Value) -> bool {
    run.store.kind(value) == Kind::Object && has_text(run, value, Word::error)
}

/// Whether an object is the error of a tool: what `toolwire/toolkit` makes of failures.
pub fn is_typed_error(run: &mut Run, object: Value) -> bool {
    has_text(run, object, Word::error) && has_text(run, object, Word::error_type)
}

fn has_text(run: &mut Run, object: Value, word: Word) -> bool {
    let fields = run.members(object);
    fields.iter().any(|field| field.word == word && run.store.kind(field.value) == Kind::String)
}

/// An error as text, in the style of the option `errorStyle`.
pub fn error_text(run: &mut Run, value: Value, at: At) -> Result<Value> {
    let is_stated = states_its_error(run, value);
    match run.options.error_style {
        ErrorStyle::Json if is_stated => run.data_text(value, at),
        ErrorStyle::Json => {
            let object = run.build_object(|run, object| {
                object.put(run, Word::error, value);
            });
            // the path would have one key more than the data
            run.store.stringify(object).map_err(|fault| run.fault(fault.whole(), at))
        }
        ErrorStyle::Prefix => {
            let text = if run.store.kind(value) == Kind::String { value } else { run.data_text(value, at)? };
            let prefix = run.store.string("Execution Error: ");
            Ok(run.store.join(&[prefix, text]))
        }
    }
}
