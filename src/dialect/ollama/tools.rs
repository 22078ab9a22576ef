//! Tool definitions (WIRE §8.1). There is no tool choice: what leaving tools out can do is done, the rest is told (WIRE §8.2, Q46, Q53).

use crate::dialect::shared::tools::{only_named, put_definition, read_definition, take_tools};
use crate::model::{Definition, Metadata, Native, Request, Tool, ToolChoice};
use crate::run::{At, ErrorCode, Provider, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let mut reading = run.object(value, at)?;
    let kind = reading.peek(Word::r#type).map_or(Word::function, |kind| run.store.word(kind));
    if kind != Word::function {
        return Ok(Tool::Native(Native { at, provider: Provider::Ollama, value, metadata: Metadata::default() }));
    }
    reading.take(run, Word::r#type);
    let (function, function_at) = reading.require(run, Word::function)?;
    let mut function = run.object(function, function_at)?;
    let mut definition = read_definition(run, &mut function, at)?;
    definition.metadata = reading.rest();
    function.rest_into(run, Word::function, &mut definition.metadata);
    Ok(Tool::Definition(definition))
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    take_tools(run, reading, request, read_tools)
}

pub fn read_choice(run: &mut Run, _choice: Value, at: At, _request: &mut Request) -> Result<()> {
    run.fail(ErrorCode::Unsupported, at, "this format has no tool choice")
}

pub fn write_tools(run: &mut Run, tools: &[Tool]) -> Result<()> {
    let tools: Vec<&Tool> = tools.iter().collect();
    write_chosen(run, &tools);
    Ok(())
}

fn write_chosen(run: &mut Run, tools: &[&Tool]) {
    run.store.begin_array();
    for tool in tools {
        match tool {
            Tool::Definition(definition) => write_definition(run, definition),
            Tool::Native(native) if native.provider == Provider::Ollama => run.store.put(native.value),
            Tool::Native(native) => run.warn_native_tool(native.at),
        }
    }
    run.store.end_array();
}

fn write_definition(run: &mut Run, definition: &Definition) {
    let mut definition = definition.clone();
    if let Some((is_strict, at)) = definition.strict.take_if(|_| run.from != run.to)
        && is_strict
    {
        run.warn(WarningCode::StrictDropped, at, "the target has no strict mode");
    }
    let Definition { at, metadata, .. } = &definition;
    let mut object = run.begin();
    object.word(run, Word::r#type, Word::function);
    object.key(run, Word::function);
    let mut inner = run.begin();
    put_definition(run, &mut inner, &definition);
    inner.add_nested(run, metadata, Word::function);
    inner.close(run);
    object.skip(run, Word::function);
    object.end(run, metadata, *at);
}

/// A choice alone has no form here: null, and what it asks for is told.
pub fn write_choice_alone(run: &mut Run, choice: &ToolChoice, at: At) -> Result<()> {
    match choice {
        ToolChoice::Auto => {}
        ToolChoice::None | ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { .. } => {
            run.warn(WarningCode::SettingDropped, at, "the target has no tool choice");
        }
        ToolChoice::Native { .. } => {
            run.warn(WarningCode::NativeDropped, at, "only its own provider knows this choice");
        }
    }
    run.store.put_null();
    Ok(())
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    let tools = chosen_tools(run, request);
    let list = run.build(|run| write_chosen(run, &tools));
    if run.says_nothing(list) {
        if !matches!(request.choice, Some((ToolChoice::None, _))) {
            run.warn_choice_without_tools(request);
        }
        return Ok(());
    }
    object.put(run, Word::tools, list);
    warn_demand(run, request);
    if let Some((false, at)) = request.parallel {
        run.warn(WarningCode::ParallelDropped, at, "the target has no control over parallel calls");
    }
    Ok(())
}

/// The tools that the choice leaves the model.
fn chosen_tools<'a>(run: &mut Run, request: &'a Request) -> Vec<&'a Tool> {
    let tools = request.tools.as_deref().unwrap_or_default();
    match &request.choice {
        Some((ToolChoice::None, at)) => only_named(run, tools, &[], *at),
        Some((ToolChoice::Named(name), at)) => only_named(run, tools, &[*name], *at),
        Some((ToolChoice::Allowed { names, .. }, at)) => only_named(run, tools, names, *at),
        Some((ToolChoice::Auto | ToolChoice::Required | ToolChoice::Native { .. }, _)) | None => tools.iter().collect(),
    }
}

/// What the choice demands beyond the tools that are sent.
fn warn_demand(run: &mut Run, request: &Request) {
    match &request.choice {
        Some((ToolChoice::Required | ToolChoice::Named(_) | ToolChoice::Allowed { required: true, .. }, at)) => {
            run.warn(WarningCode::SettingDropped, *at, "the target has no way to demand a call");
        }
        Some((ToolChoice::Native { .. }, at)) => {
            run.warn(WarningCode::NativeDropped, *at, "only its own provider knows this choice");
        }
        Some((ToolChoice::Auto | ToolChoice::None | ToolChoice::Allowed { required: false, .. }, _)) | None => {}
    }
}
