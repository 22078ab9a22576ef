//! Writes messages, calls and results (WIRE §8.3–§8.5, §8.9).

use super::messages::{CALL_ID, CONTENT, RESULT_ID};
use crate::dialect::shared::arguments;
use crate::dialect::shared::outcome::outcome_text;
use crate::fit::media;
use crate::model::{Add, Assistant, Block, Call, Content, Message, Metadata, Outcome, Prose, Reasoning, ToolResult};
use crate::run::{Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

/// The content of one message: a text, and the images beside it.
#[derive(Default)]
pub(super) struct MessageContent {
    texts: Vec<Value>,
    images: Vec<Value>,
}

impl MessageContent {
    pub(super) fn is_empty(&self, run: &Run) -> bool {
        self.images.is_empty() && self.texts.iter().all(|text| run.store.is_empty(*text))
    }
}

pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    run.try_put_each(messages, |run, message| match message {
        Message::System(prose) => write_prose(run, prose, Word::system),
        Message::User(prose) => write_prose(run, prose, Word::user),
        Message::Assistant(assistant) => write_assistant(run, assistant),
        Message::Tool(result) => write_result(run, result),
    })
}

/// A message has a single text: further texts become messages of their own, which keeps them separate and in order (Q192).
fn write_prose(run: &mut Run, prose: &Prose, role: Word) -> Result<()> {
    let Prose { at, content, metadata } = prose;
    let mut messages: Vec<MessageContent> = vec![MessageContent::default()];
    if let Content::Text(text, _) = content {
        messages = vec![MessageContent { texts: vec![*text], images: Vec::new() }];
    }
    for block in content.blocks() {
        let mut gathered = MessageContent::default();
        gather(run, block, &mut gathered);
        match messages.last_mut() {
            Some(last) if last.texts.is_empty() || gathered.texts.is_empty() => {
                last.texts.extend(gathered.texts);
                last.images.extend(gathered.images);
            }
            _ => messages.add(gathered),
        }
    }
    let none = Metadata::default();
    for (position, gathered) in messages.iter().enumerate() {
        let metadata = if position == 0 { metadata } else { &none };
        let mut object = run.begin();
        write_role(run, &mut object, metadata, role);
        write_content(run, &mut object, gathered, metadata);
        object.end(run, metadata, *at);
    }
    Ok(())
}

fn write_role(run: &mut Run, object: &mut Writing, metadata: &Metadata, role: Word) {
    match metadata.form(Word::role) {
        Some(form) => object.put(run, Word::role, form),
        None => object.word(run, Word::role, role),
    }
}

pub(super) fn write_content(run: &mut Run, object: &mut Writing, gathered: &MessageContent, metadata: &Metadata) {
    let text = match gathered.texts.as_slice() {
        [one] => *one,
        many => run.store.join(many),
    };
    CONTENT.put_text(run, object, text, metadata);
    if !gathered.images.is_empty() {
        object.list(run, Word::images, &gathered.images);
    }
}

/// Adds the content of a block. Data is text by now, and reasoning and calls are written elsewhere.
pub(super) fn gather(run: &mut Run, block: &Block, gathered: &mut MessageContent) {
    match block {
        Block::Text { at, text, metadata } => {
            run.warn_metadata(metadata, *at);
            gathered.texts.push(*text);
        }
        Block::Media(media) => {
            run.warn_metadata(&media.metadata, media.at);
            media::warn_name(run, media);
            gathered.images.push(media::source_value(media.source));
        }
        Block::Refusal { .. } | Block::Data { .. } | Block::Native(_) | Block::Reasoning(_) | Block::Call(_) => {}
    }
}

pub fn write_assistant(run: &mut Run, assistant: &Assistant) -> Result<()> {
    let Assistant { at, content, calls: _, metadata } = assistant;
    let mut gathered = MessageContent::default();
    match content {
        Content::Text(text, _) => gathered.texts.push(*text),
        Content::Blocks(blocks) => blocks.iter().for_each(|block| gather(run, block, &mut gathered)),
    }
    let mut object = run.begin();
    write_role(run, &mut object, metadata, Word::assistant);
    write_content(run, &mut object, &gathered, metadata);
    write_thinking(run, &mut object, assistant);
    let calls: Vec<&Call> = assistant.calls().collect();
    if !calls.is_empty() {
        object.key(run, Word::tool_calls);
        run.try_put_each(calls.into_iter().enumerate(), |run, (index, call)| write_call(run, call, index))?;
    }
    object.end(run, metadata, *at);
    Ok(())
}

/// Writes the thinking of Ollama's models.
fn write_thinking(run: &mut Run, object: &mut Writing, assistant: &Assistant) {
    let mut thoughts = Vec::new();
    for block in assistant.blocks() {
        let Block::Reasoning(reasoning) = block else { continue };
        let Reasoning { at, text, signature, redacted, issuer: _, scope: _, metadata } = reasoning;
        for (word, state) in [(Word::signature, signature), (Word::redacted, redacted)] {
            if state.is_some() {
                let at = run.down(*at, word);
                run.warn(WarningCode::StateDropped, at, "reasoning has no signature in the target");
            }
        }
        run.warn_metadata(metadata, *at);
        thoughts.extend(*text);
    }
    object.joined(run, Word::thinking, &thoughts);
    if thoughts.is_empty() {
        object.option(run, Word::thinking, assistant.metadata.form(Word::thinking));
    }
}

/// Writes a call. An id that was generated here is left out, as the server has never seen it (Q175).
pub fn write_call(run: &mut Run, call: &Call, index: usize) -> Result<()> {
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin();
    CALL_ID.put(run, &mut object, *id, metadata);
    if metadata.form(Word::r#type).is_some() {
        object.word(run, Word::r#type, Word::function);
    }
    object.object_with_rest(run, metadata, Word::function, |run, inner| {
        let form = metadata.form(Word::index).map(|form| run.store.word(form));
        let is_numbered = match form {
            Some(form) => form != Word::omitted,
            None => run.route.is_response && !inner.states(run, metadata, Word::index),
        };
        if is_numbered {
            inner.number(run, Word::index, index as f64);
        }
        inner.put(run, Word::name, *name);
        arguments::put_as_object(run, inner, Word::arguments, call);
    });
    object.skip(run, Word::arguments);
    object.skip(run, Word::function);
    object.end(run, metadata, *at);
    Ok(())
}

fn write_result(run: &mut Run, result: &ToolResult) -> Result<()> {
    let ToolResult { at, id, name, outcome, metadata } = result;
    let mut gathered = MessageContent::default();
    match outcome {
        Outcome::Multimodal { blocks, .. } => blocks.iter().for_each(|block| gather(run, block, &mut gathered)),
        outcome => gathered.texts.push(outcome_text(run, outcome, *at)?),
    }
    let mut object = run.begin();
    write_role(run, &mut object, metadata, Word::tool);
    write_content(run, &mut object, &gathered, metadata);
    // results are matched to calls by the name of the tool (WIRE §8.4)
    if metadata.form(Word::tool_name).is_none() && !run.store.is_empty(*name) {
        object.put(run, Word::tool_name, *name);
    }
    RESULT_ID.put(run, &mut object, *id, metadata);
    object.end(run, metadata, *at);
    Ok(())
}
