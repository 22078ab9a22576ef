//! Tool definitions and choices (WIRE §3.1, §3.2).

use super::adopted;
use crate::dialect::shared::shapes::{Absent, DefinitionShape, ToolField, put_definition, read_definition};
use crate::dialect::shared::tools::{put_list, put_tools, take_tools};
use crate::model::{Definition, Metadata, Native, Request, Settings, Tool, ToolChoice};
use crate::run::{At, Reading, Result, Run, Writing};
use crate::value::{Kind, Value, Word};

const DEFINITION: &DefinitionShape = &[
    (ToolField::Name, Word::name, Absent::Never),
    (ToolField::Description, Word::description, Absent::Omitted),
    (ToolField::Parameters, Word::input_schema, Absent::EmptySchema),
    (ToolField::Strict, Word::strict, Absent::OmittedIfFalse),
    (ToolField::Examples, Word::input_examples, Absent::Omitted),
];

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

/// A tool with a schema is run by the client; only Anthropic understands all others.
fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    let kind = reading.peek(Word::r#type).filter(|kind| run.store.kind(*kind) == Kind::String);
    if kind.is_some_and(|kind| run.store.word(kind) != Word::custom) {
        return Ok(Tool::Native(Native::of_source(run, value, at)));
    }
    let mut definition = read_definition(run, &mut reading, at, DEFINITION)?;
    definition.metadata = reading.rest();
    Ok(Tool::Definition(definition))
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    take_tools(run, reading, request, read_tools)?;
    if let Some((value, at)) = reading.take_at(run, Word::tool_choice) {
        read_choice(run, value, at, request)?;
    }
    Ok(())
}

/// The choice, and whether calls may run in parallel: both are in one object.
pub fn read_choice(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    let mut reading = run.object(value, at)?;
    let (kind, kind_at) = reading.require(run, Word::r#type)?;
    let choice = match run.store.word(kind) {
        Word::auto => ToolChoice::Auto,
        Word::any => ToolChoice::Required,
        Word::none => ToolChoice::None,
        Word::tool => ToolChoice::Named(reading.require_string(run, Word::name)?),
        _ if run.store.kind(kind) == Kind::String => {
            ToolChoice::Native { provider: run.route.source_provider(), value }
        }
        _ => return run.wrong_type(kind, kind_at, "a string"),
    };
    if let Some((disabled, at)) = reading.take_at(run, Word::disable_parallel_tool_use) {
        request.parallel = Some((!run.boolean(disabled, at)?, at));
    }
    // a native one is kept whole
    if !matches!(choice, ToolChoice::Native { .. }) {
        reading.rest_into(run, Word::tool_choice, &mut request.metadata);
    }
    request.choice = Some((choice, at));
    Ok(())
}

pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    put_tools(run, request.tools.iter().flatten(), write_definition);
    Ok(())
}

fn write_definition(run: &mut Run, definition: &Definition) {
    let mut object = run.begin();
    put_definition(run, &mut object, definition, DEFINITION);
    match adopted::eager_streaming(run, &definition.metadata) {
        Some((eager, rest)) => {
            object.put(run, Word::eager_input_streaming, eager);
            adopted::end(run, object, &rest, definition.at);
        }
        None => adopted::end(run, object, &definition.metadata, definition.at),
    }
}

pub fn write_choice_alone(run: &mut Run, (choice, _): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    put_choice(run, choice, None, &Metadata::default());
    Ok(())
}

/// Writes the value of `tool_choice`.
fn put_choice(run: &mut Run, choice: &ToolChoice, parallel: Option<(bool, At)>, metadata: &Metadata) {
    let kind = match choice {
        ToolChoice::Auto | ToolChoice::Allowed { required: false, .. } => Word::auto,
        ToolChoice::None => Word::none,
        ToolChoice::Required | ToolChoice::Allowed { required: true, .. } => Word::any,
        ToolChoice::Named(_) => Word::tool,
        ToolChoice::Native { value, .. } => return run.store.put(*value),
    };
    let mut object = run.begin();
    object.word(run, Word::r#type, kind);
    if let ToolChoice::Named(name) = choice {
        object.put(run, Word::name, *name);
    }
    // `none` does not accept the parallel flag (Q47)
    if let Some((parallel, _)) = parallel.filter(|_| kind != Word::none) {
        object.boolean(run, Word::disable_parallel_tool_use, !parallel);
    }
    object.add_nested(run, metadata, Word::tool_choice);
    object.close(run);
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    put_list(run, object, request, write_definition);
    let choice = request.choice.as_ref().map(|(choice, _)| choice);
    // the flag is a field of the choice (Q48)
    let auto = request.parallel.filter(|(parallel, _)| !parallel).map(|_| &ToolChoice::Auto);
    if let Some(choice) = choice.or(auto) {
        object.key(run, Word::tool_choice);
        put_choice(run, choice, request.parallel, &request.metadata);
    }
    Ok(())
}
