//! A message has calls or results: `{tool_calls}` or `{tool_results}`.

use super::results::{read_result, write_result};
use crate::dialect::canonical::calls::{CallForm, take_calls, write_calls};
use crate::dialect::canonical::{finish, put_metadata, take_metadata};
use crate::dialect::shared::arguments;
use crate::fit::{lost_reasoning, native};
use crate::model::{Add, Assistant, Block, Content, Member, Message, Metadata, Prose, ToolResult};
use crate::run::{At, ErrorCode, Reading, Result, Run, WarningCode};
use crate::value::{Value, Word};

/// `UniversalToolCall`: `{id, name, arguments, raw_context}`, and calls whose arguments are not a JSON object.
const CALLS: CallForm = CallForm {
    calls: Word::tool_calls,
    invalid_calls: Word::invalid_tool_calls,
    raw_arguments: Word::raw_arguments,
    metadata: Word::raw_context,
    read_arguments: arguments::read,
};

pub fn read_messages(run: &mut Run, value: Value, at: At) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    for (message, at) in run.elements(value, at)? {
        let mut reading = run.object(message, at)?;
        read_message(run, &mut reading, &mut messages)?;
        finish(run, reading);
    }
    Ok(messages)
}

/// Reads calls, and results beside them.
pub fn read_message(run: &mut Run, reading: &mut Reading, messages: &mut Vec<Message>) -> Result<()> {
    let results = reading.take_at(run, Word::tool_results);
    if holds_calls(reading) {
        messages.add(Message::Assistant(read_assistant(run, reading)?));
    } else if results.is_none() {
        return run.fail(ErrorCode::MissingField, reading.at(), "expected the key \"tool_calls\" or \"tool_results\"");
    }
    if let Some((results, at)) = results {
        for (result, at) in run.elements(results, at)? {
            messages.add(Message::Tool(read_result(run, result, at)?));
        }
    }
    Ok(())
}

pub fn holds_calls(reading: &Reading) -> bool {
    reading.has(Word::tool_calls) || reading.has(Word::invalid_tool_calls)
}

pub fn read_assistant(run: &mut Run, reading: &mut Reading) -> Result<Assistant> {
    let at = reading.at();
    let calls = take_calls(run, reading, &CALLS)?;
    let metadata = take_metadata(run, reading, Word::raw_context)?;
    let content = Content::Blocks(calls.into_iter().map(Block::Call).collect());
    Ok(Assistant { at, content, calls: Vec::new(), metadata })
}

pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    let assistant = read_assistant(run, &mut reading)?;
    finish(run, reading);
    Ok(assistant)
}

/// Writes messages. Results up to the next calls are one message, regardless of other content between them.
pub fn write_list(run: &mut Run, messages: &[Message]) {
    run.store.begin_array();
    let mut results = Vec::new();
    for message in messages {
        match message {
            Message::System(prose) | Message::User(prose) => warn_prose(run, prose),
            Message::Assistant(assistant) => {
                if assistant.has_calls() {
                    write_results(run, &std::mem::take(&mut results));
                }
                write_assistant(run, assistant);
            }
            Message::Tool(result) => results.push(result),
        }
    }
    write_results(run, &results);
    run.store.end_array();
}

fn write_assistant(run: &mut Run, assistant: &Assistant) {
    warn_blocks(run, assistant);
    if assistant.has_calls() {
        write_calls_of(run, assistant);
    } else {
        run.warn_fields(&assistant.metadata, assistant.at);
    }
}

/// Writes the object with the calls of a message or response.
pub fn write_calls_of(run: &mut Run, assistant: &Assistant) {
    let mut object = run.begin();
    write_calls(run, &mut object, assistant.calls(), &CALLS, [true, false]);
    put_metadata(run, &assistant.metadata, None, Word::raw_context);
    object.close(run);
}

fn write_results(run: &mut Run, results: &[&ToolResult]) {
    if results.is_empty() {
        return;
    }
    let mut object = run.begin();
    object.each(run, Word::tool_results, results, |run, result| write_result(run, result));
    object.close(run);
}

/// Warns about content beside the calls of a message.
pub fn warn_blocks(run: &mut Run, assistant: &Assistant) {
    match &assistant.content {
        Content::Text(text, _) if run.store.is_empty(*text) => {}
        Content::Text(_, at) => warn_dropped(run, *at),
        Content::Blocks(blocks) => {
            for block in blocks {
                warn_block(run, block);
            }
        }
    }
}

/// Warns once about a whole message.
fn warn_prose(run: &mut Run, prose: &Prose) {
    let is_void = match &prose.content {
        Content::Text(text, _) => run.store.is_empty(*text),
        Content::Blocks(blocks) => blocks.is_empty(),
    };
    if is_void {
        run.warn_fields(&prose.metadata, prose.at);
    } else {
        warn_dropped(run, prose.at);
    }
}

fn warn_block(run: &mut Run, block: &Block) {
    match block {
        Block::Call(_) => {}
        Block::Text { at, text, metadata } | Block::Refusal { at, text, metadata } if run.store.is_empty(*text) => {
            run.warn_fields(metadata, *at);
        }
        Block::Text { at, metadata, .. } | Block::Refusal { at, metadata, .. } | Block::Data { at, metadata, .. } => {
            warn_dropped(run, *at);
            warn_item(run, metadata, *at);
        }
        Block::Media(media) => {
            run.warn(WarningCode::MediaDropped, media.at, "the target can contain calls and results only")
        }
        Block::Reasoning(reasoning) => {
            lost_reasoning::warn_block(run, reasoning);
            warn_item(run, &reasoning.metadata, reasoning.at);
        }
        Block::Native(native) => native::warn_block(run, native.at),
    }
}

/// Warns about the item or step of a text, if the input has such.
fn warn_item(run: &mut Run, metadata: &Metadata, at: At) {
    let mark = run.report.mark();
    let is_item = |member: &&Member| matches!(member.key.word(), Word::item | Word::step) && member.at.is_some();
    for item in metadata.family_fields().iter().filter(is_item) {
        run.warn_member(*item, at);
    }
    run.report.keep_lossy_after(mark);
}

pub fn warn_dropped(run: &mut Run, at: At) {
    run.warn(WarningCode::ContentDropped, at, "the target can contain calls and results only");
}
