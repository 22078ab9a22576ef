//! Tool definitions and choices of the canonical format.

use super::{end, end_reading, finish};
use crate::dialect::shared::shapes::{Absent, DefinitionShape, ToolField, put_definition_as, read_definition};
use crate::dialect::shared::tools::{read_choice_word, take_mode};
use crate::model::{Definition, Metadata, Native, Request, Settings, Tool, ToolChoice};
use crate::run::{At, ErrorCode, Provider, Reading, Result, Run, Writing};
use crate::value::{Value, Word};

const DEFINITION: &DefinitionShape = &[
    (ToolField::Name, Word::name, Absent::Never),
    (ToolField::Description, Word::description, Absent::Omitted),
    (ToolField::Parameters, Word::parameters, Absent::Omitted),
    (ToolField::Strict, Word::strict, Absent::Omitted),
    (ToolField::Examples, Word::inputExamples, Absent::Omitted),
];

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    if reading.has(Word::r#type) {
        let (kind, at) = reading.require(run, Word::r#type)?;
        if run.store.word(kind) != Word::native {
            return run.wrong_word(kind, at, "\"native\"");
        }
        let native = native_of(run, &mut reading)?;
        finish(run, reading);
        return Ok(Tool::Native(native));
    }
    let mut definition = read_definition(run, &mut reading, at, DEFINITION)?;
    // examples are left if they are not objects
    reading.read(run, Word::inputExamples, |run, examples, at| {
        run.each(examples, at, |run, example, at| run.plain_object(example, at))
    })?;
    definition.metadata = end_reading(run, reading)?;
    Ok(Tool::Definition(definition))
}

/// The fields of a native tool, block or event, after the type.
pub fn native_of(run: &mut Run, reading: &mut Reading) -> Result<Native> {
    let provider = read_provider(run, reading)?;
    let (value, _) = reading.require(run, Word::value)?;
    Ok(Native::new(provider, value, reading.at()))
}

pub fn read_provider(run: &mut Run, reading: &mut Reading) -> Result<Provider> {
    let (value, at) = reading.require(run, Word::provider)?;
    provider_of(run, value, at)
}

pub fn provider_of(run: &Run, value: Value, at: At) -> Result<Provider> {
    match Provider::of(run.store.word(value)) {
        Some(provider) => Ok(provider),
        None => run.wrong_word(value, at, "the name of a provider"),
    }
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    if let Some((value, at)) = reading.take_at(run, Word::tools) {
        request.tools = Some(read_tools(run, value, at, &mut request.metadata)?);
    }
    if let Some((value, at)) = reading.take_at(run, Word::toolChoice) {
        read_choice(run, value, at, request)?;
    }
    request.parallel = reading.boolean_at(run, Word::parallelToolCalls)?;
    Ok(())
}

pub fn read_choice(run: &mut Run, value: Value, at: At, request: &mut Request) -> Result<()> {
    request.choice = Some((choice_of(run, value, at)?, at));
    Ok(())
}

fn choice_of(run: &mut Run, value: Value, at: At) -> Result<ToolChoice> {
    if let Some(choice) = read_choice_word(run, value, at)? {
        return Ok(choice);
    }
    let mut reading = run.object(value, at)?;
    let choice = if reading.has(Word::name) {
        ToolChoice::Named(reading.require_string(run, Word::name)?)
    } else if let Some((allowed, at)) = reading.take_at(run, Word::allowed) {
        let names = run.strings(allowed, at)?;
        ToolChoice::Allowed { names, required: take_mode(run, &mut reading)? }
    } else if reading.has(Word::native) {
        let provider = read_provider(run, &mut reading)?;
        ToolChoice::Native { provider, value: reading.require(run, Word::native)?.0 }
    } else {
        return run.fail(ErrorCode::InvalidValue, at, "expected one of the keys \"name\", \"allowed\", \"native\"");
    };
    finish(run, reading);
    Ok(choice)
}

pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    run.put_each(request.tools.iter().flatten(), |run, tool| match tool {
        Tool::Definition(definition) => write_definition(run, definition),
        Tool::Native(native) => write_native(run, native),
    });
    Ok(())
}

fn write_definition(run: &mut Run, definition: &Definition) {
    let mut object = run.begin();
    // the forms are those of another format
    put_definition_as(run, &mut object, definition, &Metadata::default(), DEFINITION);
    end(run, object, &definition.metadata);
}

pub fn write_native(run: &mut Run, native: &Native) {
    let Native { at: _, provider, value, metadata } = native;
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::native);
    object.word(run, Word::provider, provider.word());
    object.put(run, Word::value, *value);
    end(run, object, metadata);
}

pub fn write_choice_alone(run: &mut Run, (choice, _): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    match choice {
        ToolChoice::Auto => run.store.put_word(Word::auto),
        ToolChoice::None => run.store.put_word(Word::none),
        ToolChoice::Required => run.store.put_word(Word::required),
        ToolChoice::Named(name) => {
            let mut object = run.begin();
            object.put(run, Word::name, *name);
            object.close(run);
        }
        ToolChoice::Allowed { names, required } => {
            let mut object = run.begin();
            object.list(run, Word::allowed, names);
            object.word(run, Word::mode, if *required { Word::required } else { Word::auto });
            object.close(run);
        }
        ToolChoice::Native { provider, value } => {
            let mut object = run.begin();
            object.word(run, Word::provider, provider.word());
            object.put(run, Word::native, *value);
            object.close(run);
        }
    }
    Ok(())
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    if request.tools.is_some() {
        object.key(run, Word::tools);
        write_tools(run, request)?;
    }
    if let Some((choice, at)) = &request.choice {
        object.key(run, Word::toolChoice);
        write_choice_alone(run, (choice, *at), &request.settings)?;
    }
    object.flag(run, Word::parallelToolCalls, request.parallel);
    Ok(())
}
