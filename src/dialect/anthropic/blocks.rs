//! Reads content blocks (WIRE §3.3, §3.4, §3.9).

use crate::dialect::shared::media::take_source;
use crate::dialect::shared::shapes::{Absent, Field};
use crate::dialect::shared::turns::TurnPart;
use crate::dialect::shared::{arguments, outcome};
use crate::model::{Block, Call, Media, MediaKind, Native, Outcome, Reasoning, ToolResult};
use crate::run::{At, Reading, Result, Run};
use crate::value::{Kind, Value, Word};

pub fn read_piece(run: &mut Run, value: Value, at: At) -> Result<TurnPart> {
    let mut reading = run.object(value, at)?;
    let (kind, kind_at) = reading.require(run, Word::r#type)?;
    match run.store.word(run.string(kind, kind_at)?) {
        Word::text => {
            let text = reading.require_string(run, Word::text)?;
            Ok(TurnPart::Block(Block::Text { at, text, metadata: reading.rest() }))
        }
        Word::image => read_media(run, reading, value, MediaKind::Image).map(TurnPart::Block),
        Word::document => read_media(run, reading, value, MediaKind::Document).map(TurnPart::Block),
        Word::thinking => {
            let text = reading.string(run, Word::thinking)?;
            let signature = reading.string(run, Word::signature)?;
            if signature.is_none() {
                reading.note_omitted(run, Word::signature);
            }
            Ok(TurnPart::Block(reasoning(run, reading, text, signature, None)))
        }
        Word::redacted_thinking => {
            let redacted = reading.require_string(run, Word::data)?;
            Ok(TurnPart::Block(reasoning(run, reading, None, None, Some(redacted))))
        }
        Word::search_result => Ok(TurnPart::Block(read_search_result(run, reading, value))),
        Word::tool_use => read_call(run, reading).map(TurnPart::Block),
        Word::tool_result => read_result(run, reading).map(TurnPart::Result),
        _ => Ok(TurnPart::Block(native(run, value, at))),
    }
}

/// A piece of a user message or result.
pub fn read_user_part(run: &mut Run, value: Value, at: At) -> Result<TurnPart> {
    Ok(read_piece(run, value, at)?.by_user(value, run.route.source_provider()))
}

fn native(run: &Run, value: Value, at: At) -> Block {
    Block::Native(Native::of_source(run, value, at))
}

fn reasoning(
    run: &Run,
    reading: Reading,
    text: Option<Value>,
    signature: Option<Value>,
    redacted: Option<Value>,
) -> Block {
    Block::Reasoning(Reasoning {
        at: reading.at(),
        text,
        signature,
        redacted,
        issuer: run.route.source_provider(),
        scope: None,
        metadata: reading.rest(),
    })
}

/// Reads a search result as text. A form keeps the original fields, which are restored if the text is unchanged.
fn read_search_result(run: &mut Run, mut reading: Reading, whole: Value) -> Block {
    let at = reading.at();
    let Some(text) = search_text(run, whole) else { return native(run, whole, at) };
    let found = run.build_object(|run, object| {
        for word in [Word::source, Word::title, Word::content] {
            object.option(run, word, reading.take_any(word));
        }
    });
    let mut metadata = reading.rest();
    metadata.add_form(Word::search_result, found);
    Block::Text { at, text, metadata }
}

/// The title, source and texts of a search result as lines; None if it contains anything but text.
pub fn search_text(run: &mut Run, found: Value) -> Option<Value> {
    let content = run.member(found, Word::content).filter(|content| run.store.kind(*content) == Kind::Array)?;
    let mut lines = vec![run.member(found, Word::title), run.member(found, Word::source)];
    for block in run.list(content) {
        let count = run.members(block).into_iter().filter(|member| run.store.kind(member.value) != Kind::Null).count();
        let is_plain = run.type_of(block) == Word::text && count == 2;
        lines.push(if is_plain { run.member(block, Word::text) } else { None });
    }
    let mut pieces = Vec::new();
    for line in lines {
        pieces.push(line.filter(|line| run.store.kind(*line) == Kind::String)?);
        pieces.push(run.store.string("\n"));
    }
    Some(run.store.join(&pieces))
}

/// An image or document. The block is native if only Anthropic knows the source.
fn read_media(run: &mut Run, mut reading: Reading, whole: Value, kind: MediaKind) -> Result<Block> {
    let at = reading.at();
    let mut inner = reading.require_object(run, Word::source)?;
    let (tag, _) = inner.require(run, Word::r#type)?;
    let Some(source) = take_source(run, &mut inner, tag, Word::file_id)? else { return Ok(native(run, whole, at)) };
    let media_type = inner.string(run, Word::media_type)?;
    let name = if kind == MediaKind::Document { reading.string(run, Word::title)? } else { None };
    let mut metadata = reading.rest();
    inner.rest_into(run, Word::source, &mut metadata);
    Ok(Block::Media(Media { at, kind, source, media_type, name, metadata }))
}

fn read_call(run: &mut Run, mut reading: Reading) -> Result<Block> {
    let at = reading.at();
    let id = reading.require_string(run, Word::id)?;
    let (name, arguments) = arguments::take(run, &mut reading, (Word::input, arguments::Usual::OnlyObject))?;
    Ok(Block::Call(Call { at, id, name, arguments, metadata: reading.rest() }))
}

/// An empty result has no content.
pub const RESULT_CONTENT: Field = Field { key: Word::content, kind: Kind::String, absent: Absent::Omitted };
pub const IS_ERROR: Field = Field { key: Word::is_error, kind: Kind::Boolean, absent: Absent::OmittedIfFalse };

fn read_result(run: &mut Run, mut reading: Reading) -> Result<ToolResult> {
    let at = reading.at();
    let id = reading.require_string(run, Word::tool_use_id)?;
    let is_error = IS_ERROR.take(run, &mut reading)?.is_some_and(|(is_error, _)| run.store.boolean(is_error));
    let content_at = run.down(at, Word::content);
    let content = reading.take_any(Word::content);
    let text = content.filter(|content| run.store.kind(*content) != Kind::Null);
    let outcome = match text {
        Some(list) if run.store.kind(list) == Kind::Array => {
            Outcome::Multimodal { blocks: run.each(list, content_at, read_result_block)?, is_error }
        }
        text => {
            let text = match text {
                Some(text) => run.string(text, content_at)?,
                None => run.store.string(""),
            };
            // an empty result has no content; an error result usually has some
            if run.store.is_empty(text) && (content.is_some() || is_error) {
                reading.note(Word::content, content.unwrap_or_else(|| run.store.word_value(Word::omitted)));
            }
            if is_error { Outcome::Error(text) } else { outcome::read_text(run, text) }
        }
    };
    Ok(ToolResult { at, id, name: run.store.string(""), outcome, metadata: reading.rest() })
}

fn read_result_block(run: &mut Run, value: Value, at: At) -> Result<Block> {
    Ok(match read_user_part(run, value, at)? {
        TurnPart::Result(_) => native(run, value, at),
        TurnPart::Block(block) => block,
    })
}
