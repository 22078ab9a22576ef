//! Tool definitions (WIRE §8.1).

use crate::dialect::shared::tools::{self, put_function, put_tools, read_function, take_tools};
use crate::model::{Definition, Metadata, Native, Request, Settings, Tool, ToolChoice};
use crate::run::{At, ErrorCode, Reading, Result, Run, Writing};
use crate::value::{Value, Word};

pub fn read_tools(run: &mut Run, value: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    run.each(value, at, read_tool)
}

fn read_tool(run: &mut Run, value: Value, at: At) -> Result<Tool> {
    let reading = run.object(value, at)?;
    let kind = reading.peek(Word::r#type).map_or(Word::function, |kind| run.store.word(kind));
    if kind != Word::function {
        return Ok(Tool::Native(Native::of_source(run, value, at)));
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
    let Definition { at, metadata, .. } = definition;
    let mut object = run.begin();
    put_function(run, &mut object, definition);
    object.skip(run, Word::function);
    object.end(run, metadata, *at);
}

/// Writes null for a choice on its own, as the format has none.
pub fn write_choice_alone(run: &mut Run, _choice: (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    run.store.put_null();
    Ok(())
}

pub fn write_config(run: &mut Run, object: &mut Writing, request: &Request) -> Result<()> {
    tools::put_list(run, object, request, write_definition);
    Ok(())
}
