//! Tool definitions (WIRE §8.1). There is no tool choice: what leaving tools out can do is done, the rest is told (WIRE §8.2, Q46, Q53).

use crate::dialect::shared::tools::{self, only_named, put_function, put_tools, read_function, take_tools};
use crate::model::{Definition, Metadata, Native, Request, Settings, Tool, ToolChoice};
use crate::run::{At, ErrorCode, Provider, Reading, Result, Run, WarningCode, Writing};
use crate::value::{Value, Word};

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let reading = run.object(value, at)?;
    let kind = reading.peek(Word::r#type).map_or(Word::function, |kind| run.store.word(kind));
    if kind != Word::function {
        return Ok(Tool::Native(Native::new(Provider::Ollama, value, at)));
    }
    read_function(run, reading, at)
}

pub fn read_config(run: &mut Run, reading: &mut Reading, request: &mut Request) -> Result<()> {
    take_tools(run, reading, request, read_tools)
}

pub fn read_choice(run: &mut Run, _choice: Value, at: At, _request: &mut Request) -> Result<()> {
    run.fail(ErrorCode::Unsupported, at, "this format has no tool choice")
}

pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    put_tools(run, request.tools.iter().flatten(), write_definition);
    Ok(())
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
    put_function(run, &mut object, &definition);
    object.skip(run, Word::function);
    object.end(run, metadata, *at);
}

/// A choice alone has no form here: null, and what it asks for is told.
pub fn write_choice_alone(run: &mut Run, (choice, at): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
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
    let Some(list) = tools::list(run, request, tools, write_definition) else { return Ok(()) };
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
