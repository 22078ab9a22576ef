//! Reads steps (WIRE §15.2): all steps of the model between two of the user are one message.

use super::contents::{self, Level, is_content, read_content};
use super::{results, thoughts};
use crate::dialect::shared::arguments;
use crate::dialect::shared::shapes::{Id, Presence};
use crate::model::{Add, Assistant, Block, Call, CallStart, Content, Message, Metadata, Prose};
use crate::run::{At, Elements, ErrorCode, Reading, Result, Run, WarningCode};
use crate::value::{Kind, Value, Word};

enum Step {
    /// The model's turn.
    Blocks(Vec<Block>),
    Message(Message),
}

/// Reads `input`: a text, a content, contents, or steps. A form records all but steps.
pub fn read_input(run: &mut Run, value: Value, at: At) -> Result<Vec<Message>> {
    let contents = match run.store.kind(value) {
        Kind::String => Some((Content::Text(value, at), Word::text)),
        Kind::Object => Some((Content::Blocks(vec![read_content(run, value, at)?]), Word::object)),
        _ => {
            let items = run.array(value, at)?;
            let are_contents = !items.is_empty() && items.into_iter().all(|item| is_content(run, item));
            match are_contents {
                true => Some((Content::Blocks(run.each(value, at, read_content)?), Word::content)),
                false => None,
            }
        }
    };
    let Some((content, form)) = contents else { return read_steps(run, value, at) };
    let mut metadata = Metadata::default();
    metadata.add_form(Word::input, run.store.word_value(form));
    Ok(vec![Message::User(Prose { at, content, metadata })])
}

fn read_steps(run: &mut Run, value: Value, at: At) -> Result<Vec<Message>> {
    let mut messages = Vec::new();
    let mut turn: Option<(At, Vec<Block>)> = None;
    let mut before = Word::Unknown;
    for (step, at) in run.elements(value, at)? {
        run.plain_object(step, at)?;
        let steps = match run.member(step, Word::role) {
            Some(_) if run.member(step, Word::r#type).is_none() => read_turn(run, step, at)?,
            _ if results::are_in_user_input(run, step) => read_results(run, step, at)?,
            _ => vec![read_step(run, step, at, before)?],
        };
        for step in steps {
            match step {
                Step::Blocks(blocks) => turn.get_or_insert_with(|| (at, Vec::new())).1.extend(blocks),
                Step::Message(message) => {
                    messages.extend(turn.take().map(assistant));
                    messages.add(message);
                }
            }
        }
        before = run.type_of(step);
    }
    messages.extend(turn.map(assistant));
    Ok(messages)
}

/// A turn of the first version of the API, as the steps that it is now: `{role, content}`, whose contents may be calls, results and thoughts.
fn read_turn(run: &mut Run, value: Value, at: At) -> Result<Vec<Step>> {
    let mut reading = run.object(value, at)?;
    let (role, role_at) = reading.require(run, Word::role)?;
    let is_model = match run.store.word(run.string(role, role_at)?) {
        Word::model => true,
        Word::user => false,
        _ => return run.fail(ErrorCode::InvalidValue, role_at, "the role of a turn is \"user\" or \"model\""),
    };
    run.warn(WarningCode::StateDropped, role_at, "a turn of the first version of the API is read as steps");
    let content = reading.take_at(run, Word::content);
    run.warn_fields(&reading.rest(), at);
    let Some((content, at)) = content else { return Ok(Vec::new()) };
    let contents = match run.store.kind(content) {
        Kind::String => return Ok(vec![spoken(is_model, at, vec![text_block(content, at)])]),
        _ => run.elements(content, at)?,
    };
    read_apart(run, contents, is_model, at)
}

/// The results that `@ai-sdk/google` sends among the contents of the user. A form records that they are there, unless other contents are among them.
fn read_results(run: &mut Run, value: Value, at: At) -> Result<Vec<Step>> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let (list, list_at) = reading.require(run, Word::content)?;
    run.warn_fields(&reading.rest(), at);
    let mut items = run.list(list).into_iter();
    let are_alone = items.all(|content| run.type_of(content) == Word::function_result);
    let contents = run.elements(list, list_at)?;
    let mut steps = read_apart(run, contents, false, list_at)?;
    if !are_alone {
        run.warn(WarningCode::StateDropped, at, "results among other contents are read as steps");
        return Ok(steps);
    }
    for (index, step) in steps.iter_mut().enumerate() {
        if let Step::Message(Message::Tool(result)) = step {
            results::note_user_input(run, result, index == 0);
        }
    }
    Ok(steps)
}

/// Contents that may be calls, results and thoughts, as steps.
fn read_apart(run: &mut Run, contents: Elements, is_model: bool, at: At) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    let mut blocks = Vec::new();
    for (content, at) in contents {
        run.plain_object(content, at)?;
        if is_content(run, content) {
            blocks.add(read_content(run, content, at)?);
            continue;
        }
        if !blocks.is_empty() {
            steps.add(spoken(is_model, at, std::mem::take(&mut blocks)));
        }
        steps.add(read_step(run, content, at, Word::Unknown)?);
    }
    if !blocks.is_empty() {
        steps.add(spoken(is_model, at, blocks));
    }
    Ok(steps)
}

fn text_block(text: Value, at: At) -> Block {
    Block::Text { at, text, metadata: Metadata::default() }
}

/// Contents of the model or of the user.
fn spoken(is_model: bool, at: At, blocks: Vec<Block>) -> Step {
    match is_model {
        true => Step::Blocks(blocks),
        false => {
            let (content, metadata) = (Content::Blocks(blocks), Metadata::default());
            Step::Message(Message::User(Prose { at, content, metadata }))
        }
    }
}

fn assistant((at, blocks): (At, Vec<Block>)) -> Message {
    Message::Assistant(message(at, blocks))
}

fn message(at: At, blocks: Vec<Block>) -> Assistant {
    Assistant { at, content: Content::Blocks(blocks), calls: Vec::new(), metadata: Metadata::default() }
}

/// Takes the steps of a response, or the contents that the first version of the API had in their place. A form records which.
pub fn take_steps(run: &mut Run, reading: &mut Reading) -> Result<Assistant> {
    let word = if reading.has(Word::outputs) && !reading.has(Word::steps) { Word::outputs } else { Word::steps };
    let mut blocks = Vec::new();
    let mut before = Word::Unknown;
    let mut at = reading.at();
    match reading.take_at(run, word) {
        Some((list, list_at)) => {
            at = list_at;
            for (step, at) in run.elements(list, list_at)? {
                blocks.extend(read_output_step(run, step, at, before, word)?);
                before = run.type_of(step);
            }
            reading.note(Word::steps, run.store.word_value(word));
        }
        None => reading.note_omitted(run, Word::steps),
    }
    Ok(message(at, blocks))
}

/// A step of a response. Results, and what the user said, are kept whole there.
pub fn read_output_step(run: &mut Run, value: Value, at: At, before: Word, list: Word) -> Result<Vec<Block>> {
    if list == Word::outputs && is_content(run, value) {
        return Ok(vec![read_content(run, value, at)?]);
    }
    match read_step(run, value, at, before)? {
        Step::Blocks(blocks) => Ok(blocks),
        Step::Message(_) => Ok(vec![contents::native(run, Level::Step, value, at)]),
    }
}

/// A response by itself.
pub fn read_assistant_value(run: &mut Run, value: Value, at: At) -> Result<Assistant> {
    let mut reading = run.object(value, at)?;
    Ok(Assistant { at, ..take_steps(run, &mut reading)? })
}

fn read_step(run: &mut Run, value: Value, at: At, before: Word) -> Result<Step> {
    run.plain_object(value, at)?;
    Ok(match run.type_of(value) {
        Word::user_input => read_user(run, value, at)?,
        Word::model_output => Step::Blocks(read_output(run, value, at, before == Word::model_output)?),
        Word::thought => {
            let blocks = thoughts::read(run, value, at)?;
            Step::Blocks(blocks.unwrap_or_else(|| vec![contents::native(run, Level::Step, value, at)]))
        }
        Word::function_call => Step::Blocks(vec![Block::Call(read_call(run, value, at)?)]),
        Word::function_result => Step::Message(Message::Tool(results::read(run, value, at)?)),
        _ if run.member(value, Word::r#type).is_none() => {
            let message = "a step states its type, and a turn its role";
            return run.fail(ErrorCode::Unsupported, at, message);
        }
        _ => Step::Blocks(vec![contents::native(run, Level::Step, value, at)]),
    })
}

fn read_user(run: &mut Run, value: Value, at: At) -> Result<Step> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let content = match reading.take_at(run, Word::content) {
        Some((text, at)) if run.store.kind(text) == Kind::String => {
            reading.note(Word::content, run.store.word_value(Word::text));
            Content::Text(text, at)
        }
        Some((list, at)) => Content::Blocks(run.each(list, at, read_content)?),
        None => {
            reading.note_omitted(run, Word::content);
            Content::Blocks(Vec::new())
        }
    };
    Ok(Step::Message(Message::User(Prose { at, content, metadata: reading.rest() })))
}

/// What the model wrote. The first block has the fields of the step; the others are its continuation.
fn read_output(run: &mut Run, value: Value, at: At, is_another: bool) -> Result<Vec<Block>> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let mut blocks = match reading.take_at(run, Word::content) {
        Some((list, at)) if run.store.kind(list) == Kind::Array => run.each(list, at, read_content)?,
        _ => Vec::new(),
    };
    let mut rest = blocks.iter_mut();
    let Some(first) = rest.next() else { return Ok(vec![contents::native(run, Level::Step, value, at)]) };
    for block in rest {
        block.metadata_mut().set_continues();
    }
    reading.rest_into(run, Word::step, first.metadata_mut());
    if is_another {
        first.metadata_mut().add_form(Word::model_output, run.store.boolean_value(true));
    }
    Ok(blocks)
}

pub const CALL_ID: Id = Id { key: Word::id, form: Word::id, presence: Presence::Usual };

/// The start of a call in a stream: everything but its arguments.
pub fn read_call_start(run: &mut Run, value: Value, at: At, block: u32) -> Result<CallStart> {
    let mut reading = run.object(value, at)?;
    reading.skip(&[Word::r#type, Word::arguments]);
    let id = CALL_ID.take(run, &mut reading)?;
    let name = arguments::take_name(run, &mut reading)?;
    let signature = reading.string(run, Word::signature)?;
    let mut metadata = reading.rest_in(run, Word::step);
    if let Some(signature) = signature {
        metadata.set_thought_signature(signature);
    }
    Ok(CallStart { at, block, id, name, metadata })
}

fn read_call(run: &mut Run, value: Value, at: At) -> Result<Call> {
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let id = CALL_ID.take(run, &mut reading)?;
    let (name, arguments) = arguments::take(run, &mut reading, (Word::arguments, arguments::Usual::Object))?;
    let signature = reading.string(run, Word::signature)?;
    let mut metadata = reading.rest_in(run, Word::step);
    if let Some(signature) = signature {
        metadata.set_thought_signature(signature);
    }
    Ok(Call { at, id, name, arguments, metadata })
}
