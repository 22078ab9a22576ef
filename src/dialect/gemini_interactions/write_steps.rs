//! Writes steps (WIRE §15.2).

use super::contents::{self, Level, write_content, write_text};
use super::messages::CALL_ID;
use super::{results, thoughts};
use crate::dialect::shared::arguments;
use crate::fit::native;
use crate::model::{Assistant, Block, Call, Content, Message, Metadata, Native, Prose, Reasoning};
use crate::run::{Result, Run, Writing};
use crate::value::{Value, Word};

/// Writes the steps of a request, without the system prompt.
pub fn write_list(run: &mut Run, messages: &[Message]) -> Result<()> {
    run.store.begin_array();
    for group in results::steps(run, messages) {
        if !results::write_user_input(run, group)? {
            group.iter().try_for_each(|message| write_message(run, message))?;
        }
    }
    run.store.end_array();
    Ok(())
}

fn write_message(run: &mut Run, message: &Message) -> Result<()> {
    match message {
        Message::System(_) => {}
        Message::User(prose) => write_user(run, prose),
        Message::Assistant(assistant) => write_assistant(run, assistant, Word::input),
        Message::Tool(result) => results::write(run, result)?,
    }
    Ok(())
}

fn write_user(run: &mut Run, prose: &Prose) {
    let Prose { at, content, metadata } = prose;
    let (form, is_omitted) = (metadata.form(Word::content), run.is_omitted(metadata, Word::content));
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::user_input);
    match content {
        Content::Text(text, _) if form.is_some() => object.put(run, Word::content, *text),
        Content::Blocks(blocks) if blocks.is_empty() && form.is_some() => {
            object.option(run, Word::content, form.filter(|_| !is_omitted))
        }
        content => object.array(run, Word::content, |run| write_contents(run, content)),
    }
    object.end(run, metadata, *at);
}

/// Writes contents, without the list around them.
pub fn write_contents(run: &mut Run, content: &Content) {
    match content {
        Content::Text(text, at) => write_text(run, *text, &Metadata::default(), *at),
        Content::Blocks(blocks) => blocks.iter().for_each(|block| write_content(run, block)),
    }
}

/// Adds the fields of a step that are not modelled.
pub fn put_step(run: &mut Run, object: &mut Writing, metadata: &Metadata) {
    object.add_nested(run, metadata, Word::step);
    if metadata.own_field(Word::step).is_some() {
        object.skip(run, Word::step);
    }
}

enum Step<'a> {
    Output(Vec<&'a Block>),
    /// With a signature that is that of the next output: `generateContent` has it in the part itself.
    Thought(Vec<&'a Reasoning>, Option<Value>),
    /// The signature of an output without a thought before it.
    Signature(Value),
    Call(&'a Call),
    Native(&'a Native),
}

fn steps<'a>(run: &mut Run, blocks: impl Iterator<Item = &'a Block>) -> Vec<Step<'a>> {
    let mut steps = Vec::new();
    for block in blocks {
        if let Block::Text { at, text, metadata } = block
            && let Some(signature) = thoughts::signature(run, metadata)
        {
            let is_void = run.store.is_empty(*text) && metadata.own_fields().is_empty();
            match steps.last_mut() {
                Some(Step::Thought(parts, own)) if parts.iter().all(|part| part.signature.is_none()) => {
                    *own = Some(signature);
                }
                _ => steps.push(Step::Signature(signature)),
            }
            if is_void {
                run.warn_metadata(metadata, *at);
                continue;
            }
        }
        match (block, steps.last_mut()) {
            (Block::Call(call), _) => steps.push(Step::Call(call)),
            (Block::Native(native), _) if contents::place(run, native) != Some(Level::Content) => {
                steps.push(Step::Native(native));
            }
            (Block::Reasoning(part), Some(Step::Thought(parts, own)))
                if part.metadata.continues() || own.is_none() && signs(run, part, parts) =>
            {
                parts.push(part);
            }
            (Block::Reasoning(part), _) => steps.push(Step::Thought(vec![part], None)),
            (part, Some(Step::Output(parts))) if !starts_step(part.metadata()) => parts.push(part),
            (part, _) => steps.push(Step::Output(vec![part])),
        }
    }
    steps
}

/// Whether a thought of another format is only the signature of those before it: streams of `generateContent` have it in a part of its own.
fn signs(run: &Run, part: &Reasoning, before: &[&Reasoning]) -> bool {
    let is_void = part.text.is_none_or(|text| run.store.is_empty(text)) && part.metadata.own_fields().is_empty();
    !run.route.keeps_family()
        && is_void
        && part.signature.is_some()
        && before.iter().all(|part| part.signature.is_none())
}

/// Whether a content starts a step of its own behind another one.
fn starts_step(metadata: &Metadata) -> bool {
    metadata.own_field(Word::step).is_some() || metadata.form(Word::model_output).is_some()
}

/// Writes the steps of the model's turn, or the contents that `outputs` had in their place.
pub fn write_assistant(run: &mut Run, assistant: &Assistant, list: Word) {
    let Assistant { at, content, calls, metadata } = assistant;
    run.warn_metadata(metadata, *at);
    let text = match content {
        Content::Text(text, at) if calls.is_empty() || !run.store.is_empty(*text) => {
            Some(Block::Text { at: *at, text: *text, metadata: Metadata::default() })
        }
        Content::Text(..) | Content::Blocks(_) => None,
    };
    let mut steps = steps(run, text.iter().chain(content.blocks()));
    steps.extend(calls.iter().map(Step::Call));
    write_all(run, steps, list);
}

/// Writes the steps that contain these blocks.
pub fn write_blocks<'a>(run: &mut Run, blocks: impl Iterator<Item = &'a Block>) {
    let steps = steps(run, blocks);
    write_all(run, steps, Word::steps);
}

fn write_all(run: &mut Run, steps: Vec<Step>, list: Word) {
    for step in steps {
        match step {
            Step::Output(parts) if list == Word::outputs => parts.into_iter().for_each(|part| write_content(run, part)),
            Step::Output(parts) => write_output(run, &parts),
            Step::Thought(parts, signature) => thoughts::write(run, &parts, signature),
            Step::Signature(signature) => thoughts::write_signature(run, signature),
            Step::Call(call) => write_call(run, call),
            Step::Native(native) => native::put(run, native),
        }
    }
}

fn write_output(run: &mut Run, parts: &[&Block]) {
    let Some(first) = parts.first() else { return };
    let mut object = run.begin_inside(first.metadata(), Word::step);
    object.word(run, Word::r#type, Word::model_output);
    object.each(run, Word::content, parts, |run, part| write_content(run, part));
    put_step(run, &mut object, first.metadata());
    object.close(run);
}

fn write_call(run: &mut Run, call: &Call) {
    let Call { at, id, name, arguments: _, metadata } = call;
    let mut object = run.begin_inside(metadata, Word::step);
    object.word(run, Word::r#type, Word::function_call);
    CALL_ID.put(run, &mut object, *id, metadata);
    object.put(run, Word::name, *name);
    arguments::put_as_object(run, &mut object, Word::arguments, call);
    if metadata.thought_signature().is_some() {
        let signature = thoughts::signature(run, metadata);
        object.option(run, Word::signature, signature);
        object.skip(run, Word::thought_signature);
    }
    put_step(run, &mut object, metadata);
    object.end(run, metadata, *at);
}
