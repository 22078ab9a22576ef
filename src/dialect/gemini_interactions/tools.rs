//! Tool definitions and choices (WIRE §15.6).

use crate::dialect::shared::shapes::{Absent, DefinitionShape, ToolField, put_definition, read_definition};
use crate::dialect::shared::tools::{put_list, put_tools, take_tools};
use crate::model::{Definition, Metadata, Native, Request, Settings, Tool, ToolChoice};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

const FUNCTION: &DefinitionShape = &[
    (ToolField::Name, Word::name, Absent::Never),
    (ToolField::Description, Word::description, Absent::Omitted),
    (ToolField::Parameters, Word::parameters, Absent::Omitted),
];

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

/// Only Google understands a tool that is not a function.
fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    run.plain_object(value, at)?;
    if run.type_of(value) != Word::function {
        return Ok(Tool::Native(Native::of_source(run, value, at)));
    }
    let mut reading = run.object(value, at)?;
    reading.take_any(Word::r#type);
    let mut definition = read_definition(run, &mut reading, at, FUNCTION)?;
    definition.metadata = reading.rest();
    Ok(Tool::Definition(definition))
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    take_tools(run, reading, request, read_tools)?;
    let Some(mut config) = reading.object(run, Word::generation_config)? else { return Ok(()) };
    take_choice(run, &mut config, request)?;
    // its other fields are settings
    reading.give_back_rest(run, Word::generation_config, config);
    Ok(())
}

/// Takes the choice from `generation_config`.
pub fn take_choice(run: &mut Run, config: &mut Reading, request: &mut Request) -> Result<()> {
    match config.take_at(run, Word::tool_choice) {
        Some((value, at)) => read_choice(run, value, at, request),
        None => Ok(()),
    }
}

pub fn read_choice(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    let choice = match run.store.kind(value) {
        Kind::String => read_word(run, value, &mut request.metadata),
        _ => read_allowed(run, value, at, &mut request.metadata)?,
    };
    let choice = choice.unwrap_or(ToolChoice::Native { provider: run.route.source_provider(), value });
    request.choice = Some((choice, at));
    Ok(())
}

fn read_word(run: &mut Run, value: Value, metadata: &mut Metadata) -> Option<ToolChoice> {
    Some(match run.store.word(value) {
        Word::auto => ToolChoice::Auto,
        Word::any => ToolChoice::Required,
        Word::none => ToolChoice::None,
        // calls follow their schemas
        Word::validated => {
            metadata.add_form(Word::tool_choice, value);
            ToolChoice::Auto
        }
        _ => return None,
    })
}

/// `{allowed_tools: {mode, tools}}`. Anything else is not taken.
fn read_allowed(run: &mut Run, value: Value, at: At, metadata: &mut Metadata) -> Result<Option<ToolChoice>> {
    let mut reading = run.object(value, at)?;
    let Some(mut inner) = reading.object(run, Word::allowed_tools)? else { return Ok(None) };
    let mode = inner.string(run, Word::mode)?;
    let word = mode.map(|mode| run.store.word(mode));
    let Some((names, _)) = inner.strings_at(run, Word::tools)? else { return Ok(None) };
    if names.is_empty() || !inner.is_empty() || !reading.is_empty() {
        return Ok(None);
    }
    Ok(match (word, names.as_slice()) {
        (Some(Word::any), [name]) => Some(ToolChoice::Named(*name)),
        (Some(Word::any), _) => Some(ToolChoice::Allowed { names, required: true }),
        (Some(Word::validated), _) => Some(ToolChoice::Allowed { names, required: false }),
        (None | Some(Word::auto), _) => {
            let mode = mode.unwrap_or_else(|| run.store.word_value(Word::omitted));
            metadata.add_form(Word::allowed_tools, mode);
            Some(ToolChoice::Allowed { names, required: false })
        }
        _ => None,
    })
}

pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    put_tools(run, request.tools.iter().flatten(), write_definition);
    Ok(())
}

fn write_definition(run: &mut Run, definition: &Definition) {
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::function);
    put_definition(run, &mut object, definition, FUNCTION);
    object.end(run, &definition.metadata, definition.at);
}

pub fn write_choice_alone(run: &mut Run, (choice, _): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    write_choice(run, choice, &Metadata::default());
    Ok(())
}

fn write_choice(run: &mut Run, choice: &ToolChoice, metadata: &Metadata) {
    match choice {
        ToolChoice::Auto => match metadata.form(Word::tool_choice) {
            Some(form) => run.store.put(form),
            None => run.store.put_word(Word::auto),
        },
        ToolChoice::None => run.store.put_word(Word::none),
        ToolChoice::Required => run.store.put_word(Word::any),
        ToolChoice::Named(name) => write_allowed(run, Some(Word::any), std::slice::from_ref(name)),
        ToolChoice::Allowed { names, required: true } => write_allowed(run, Some(Word::any), names),
        ToolChoice::Allowed { names, required: false } => {
            let mode = metadata.form(Word::allowed_tools).map(|form| run.store.word(form));
            let mode = mode.unwrap_or(Word::validated);
            write_allowed(run, Some(mode).filter(|mode| *mode != Word::omitted), names);
        }
        ToolChoice::Native { value, .. } => run.store.put(*value),
    }
}

fn write_allowed(run: &mut Run, mode: Option<Word>, names: &[Value]) {
    let mut object = run.begin();
    object.object(run, Word::allowed_tools, |run, inner| {
        if let Some(mode) = mode {
            inner.word(run, Word::mode, mode);
        }
        inner.list(run, Word::tools, names);
    });
    object.close(run);
}

/// Writes the choice in `generation_config`.
pub fn put_choice(run: &mut Run, config: &mut Writing, request: &Request) {
    if let Some((choice, _)) = &request.choice {
        config.key(run, Word::tool_choice);
        write_choice(run, choice, &request.metadata);
    }
}

pub fn put_definitions(run: &mut Run, object: &mut Writing, request: &Request) {
    put_list(run, object, request, write_definition);
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    put_definitions(run, object, request);
    object.nested(run, &request.metadata, Word::generation_config, |run, config| put_choice(run, config, request));
    Ok(())
}
