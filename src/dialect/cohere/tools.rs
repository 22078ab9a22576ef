//! Tool definitions and choices (WIRE §7.1, §7.2). Whether calls must follow the schemas is stated once, for all tools.

use crate::dialect::shared::shapes::{Absent, DefinitionShape, ToolField, put_definition, read_definition};
use crate::dialect::shared::tools::{put_list, put_tools, take_tools};
use crate::model::{Definition, Metadata, Native, Request, Settings, Tool, ToolChoice};
use crate::run::{At, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Kind, Value, Word};

const FUNCTION: &DefinitionShape = &[
    (ToolField::Name, Word::name, Absent::Never),
    (ToolField::Description, Word::description, Absent::Omitted),
    (ToolField::Parameters, Word::parameters, Absent::EmptySchema),
];

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    let kind = reading.peek(Word::r#type).map_or(Word::function, |kind| run.store.word(kind));
    if kind != Word::function || !reading.holds(run, Word::function) {
        return Ok(Tool::Native(Native::of_source(run, value, at)));
    }
    reading.take(run, Word::r#type);
    let mut function = reading.require_object(run, Word::function)?;
    let mut definition = read_definition(run, &mut function, at, FUNCTION)?;
    definition.metadata = reading.rest();
    function.rest_into(run, Word::function, &mut definition.metadata);
    Ok(Tool::Definition(definition))
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    take_tools(run, reading, request, read_tools)?;
    let has_definitions = definitions(request).next().is_some();
    let strict = reading.peek(Word::strict_tools).filter(|strict| run.store.kind(*strict) == Kind::Boolean);
    if strict.is_some() && has_definitions {
        let strict = reading.boolean_at(run, Word::strict_tools)?;
        for tool in request.tools.iter_mut().flatten() {
            if let Tool::Definition(definition) = tool {
                definition.strict = strict;
            }
        }
    }
    if let Some((value, at)) = reading.take_at(run, Word::tool_choice) {
        read_choice(run, value, at, request)?;
    }
    Ok(())
}

pub fn read_choice(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    let choice = match run.store.word(value) {
        Word::REQUIRED => ToolChoice::Required,
        Word::NONE => ToolChoice::None,
        _ => return run.wrong_word(value, at, "\"REQUIRED\" or \"NONE\""),
    };
    request.choice = Some((choice, at));
    Ok(())
}

pub fn definitions(request: &Request) -> impl Iterator<Item = &Definition> {
    request.tools.iter().flatten().filter_map(Tool::as_definition)
}

/// Writes tools alone, which can't state that they are strict.
pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    for definition in definitions(request) {
        if let Some((true, at)) = definition.strict {
            run.warn(WarningCode::SettingDropped, at, "the target states this beside its tools, as `strict_tools`");
        }
    }
    put_tools(run, request.tools.iter().flatten(), write_definition);
    Ok(())
}

fn write_definition(run: &mut Run, definition: &Definition) {
    let Definition { at, metadata, .. } = definition;
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::function);
    object.object_with_rest(run, metadata, Word::function, |run, inner| {
        put_definition(run, inner, definition, FUNCTION);
    });
    object.skip(run, Word::function);
    object.end(run, metadata, *at);
}

/// Writes null where the model has the choice, which is the absence of the field.
pub fn write_choice_alone(run: &mut Run, (choice, _): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    match word_of(choice) {
        Some(word) => run.store.put_word(word),
        None => run.store.put_null(),
    }
    Ok(())
}

fn word_of(choice: &ToolChoice) -> Option<Word> {
    match choice {
        ToolChoice::None => Some(Word::NONE),
        ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { required: true, .. } => {
            Some(Word::REQUIRED)
        }
        ToolChoice::Auto | ToolChoice::Allowed { .. } | ToolChoice::Native { .. } => None,
    }
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    put_list(run, object, request, write_definition);
    let strict = definitions(request).find_map(|definition| definition.strict);
    object.flag(run, Word::strict_tools, strict);
    if let Some(word) = request.choice.as_ref().and_then(|(choice, _)| word_of(choice)) {
        object.word(run, Word::tool_choice, word);
    }
    Ok(())
}
