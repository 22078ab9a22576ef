//! Writes messages, calls and results (WIRE §7.3–§7.5).

use super::messages::{CALL_ID, RESULT_ID, blocks_of};
use crate::dialect::openai::write_parts::write_part as write_openai_part;
use crate::dialect::shared::shapes::{Absent, Field};
use crate::dialect::shared::{arguments, outcome};
use crate::fit::lost_reasoning;
use crate::model::{Assistant, Block, Call, Content, Message, Metadata, Prose, Reasoning, ToolResult};
use crate::run::{Result, Run, Writing};
use crate::value::{Kind, Word};

pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    run.try_put_each(messages, |run, message| match message {
        Message::System(prose) => write_prose(run, prose, Word::system),
        Message::User(prose) => write_prose(run, prose, Word::user),
        Message::Assistant(assistant) => write_assistant(run, assistant),
        Message::Tool(result) => write_result(run, result),
    })
}

/// The content of a message. `absent` is how no content is written.
const fn content_field(absent: Absent) -> Field {
    Field { key: Word::content, kind: Kind::String, absent }
}

fn write_prose(run: &mut Run, prose: &Prose, role: Word) -> Result<()> {
    let Prose { at, content, metadata } = prose;
    let mut object = run.begin();
    object.word(run, Word::role, role);
    match content {
        Content::Text(text, _) => content_field(Absent::EmptyText).put_text(run, &mut object, *text, metadata),
        Content::Blocks(blocks) => object.each(run, Word::content, blocks, write_part),
    }
    object.end(run, metadata, *at);
    Ok(())
}

/// Writes a part: thinking, a document, or what Chat Completions has, too.
pub fn write_part(run: &mut Run, block: &Block) {
    match block {
        Block::Reasoning(part) => {
            warn_state(run, part);
            let mut object = run.begin();
            object.word(run, Word::r#type, Word::thinking);
            match part.text {
                Some(text) => object.put(run, Word::thinking, text),
                None => object.text(run, Word::thinking, ""),
            }
            object.end(run, &part.metadata, part.at);
        }
        Block::Data { at, value, metadata } => {
            let mut object = run.begin();
            object.word(run, Word::r#type, Word::document);
            object.object_with_rest(run, metadata, Word::document, |run, document| {
                document.put(run, Word::data, *value);
            });
            object.end(run, metadata, *at);
        }
        block => write_openai_part(run, block),
    }
}

/// Warns about state of reasoning, for which the format has no place.
fn warn_state(run: &mut Run, part: &Reasoning) {
    let signature = part.signature.filter(|signature| !run.store.is_empty(*signature));
    lost_reasoning::warn_end(run, &Reasoning { signature, metadata: Metadata::default(), ..part.clone() });
}

fn is_plan(block: &Block) -> bool {
    matches!(block, Block::Reasoning(part) if part.metadata.form(Word::tool_plan).is_some())
}

pub fn write_assistant(run: &mut Run, assistant: &Assistant) -> Result<()> {
    let Assistant { at, content: _, calls: _, metadata } = assistant;
    let mut object = run.begin();
    object.usual(run, metadata, Word::role, Word::assistant);
    let blocks = blocks_of(run, assistant);
    let calls: Vec<&Call> = assistant.calls().collect();
    let speaks_otherwise = !calls.is_empty() || blocks.iter().any(is_plan);
    write_content(run, &mut object, &blocks, metadata, speaks_otherwise);
    write_plan(run, &mut object, &blocks, metadata);
    if calls.is_empty() {
        let form = metadata.form(Word::tool_calls).filter(|form| run.store.kind(*form) == Kind::Array);
        object.option(run, Word::tool_calls, form);
    } else {
        object.key(run, Word::tool_calls);
        run.try_put_each(calls, write_call)?;
    }
    object.end(run, metadata, *at);
    Ok(())
}

/// Writes the content: parts in a response, a string where it is a single text in a request.
fn write_content(run: &mut Run, object: &mut Writing, blocks: &[Block], metadata: &Metadata, speaks_otherwise: bool) {
    let is_response = run.route.is_response;
    let parts: Vec<&Block> = blocks.iter().filter(|block| !is_plan(block) && block.as_call().is_none()).collect();
    let form = metadata.form(Word::content).map(|form| run.store.word(form));
    match parts.as_slice() {
        [] if form == Some(Word::text) => object.text(run, Word::content, ""),
        [] => {
            let absent = if speaks_otherwise || is_response { Absent::Omitted } else { Absent::EmptyText };
            content_field(absent).put(run, object, None, metadata);
        }
        [Block::Text { at, text, metadata: own }] if is_string(form, is_response) && !own.has_family() => {
            run.warn_metadata(own, *at);
            object.put(run, Word::content, *text);
        }
        parts => object.each(run, Word::content, parts.iter().copied(), write_part),
    }
}

/// Whether a single text is written as a string.
fn is_string(form: Option<Word>, is_response: bool) -> bool {
    if is_response { form == Some(Word::text) } else { form != Some(Word::parts) }
}

fn write_plan(run: &mut Run, object: &mut Writing, blocks: &[Block], metadata: &Metadata) {
    let mut texts = Vec::new();
    for block in blocks.iter().filter(|block| is_plan(block)) {
        if let Block::Reasoning(part) = block {
            warn_state(run, part);
            run.warn_metadata(&part.metadata, part.at);
            texts.extend(part.text);
        }
    }
    object.joined(run, Word::tool_plan, &texts);
    if texts.is_empty() {
        object.option(run, Word::tool_plan, metadata.form(Word::tool_plan));
    }
}

pub fn write_call(run: &mut Run, call: &Call) -> Result<()> {
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin();
    CALL_ID.put(run, &mut object, *id, metadata);
    object.usual(run, metadata, Word::r#type, Word::function);
    object.key(run, Word::function);
    let mut function = run.begin_inside(metadata, Word::function);
    function.put(run, Word::name, *name);
    arguments::put_as_text(run, &mut function, Word::arguments, call)?;
    function.add_nested(run, metadata, Word::function);
    function.close(run);
    object.skip(run, Word::arguments);
    object.skip(run, Word::function);
    object.end(run, metadata, *at);
    Ok(())
}

fn write_result(run: &mut Run, result: &ToolResult) -> Result<()> {
    let ToolResult { at, id, name: _, outcome: _, metadata } = result;
    let mut object = run.begin();
    object.word(run, Word::role, Word::tool);
    RESULT_ID.put(run, &mut object, *id, metadata);
    outcome::put(run, &mut object, &content_field(Absent::EmptyText), (result, false), write_part)?;
    object.end(run, metadata, *at);
    Ok(())
}
