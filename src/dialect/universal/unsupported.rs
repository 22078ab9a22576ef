//! What the format does not have: definitions, choices, errors and streams. On their own they can't be converted; in a request, tools are left out.

use crate::dialect::shared::stream::{Decode, Encode};
use crate::model::{ChatError, Metadata, Request, Settings, Tool, ToolChoice};
use crate::run::{At, ErrorCode, Reading, Result, Run, Writing};
use crate::value::Value;

const TOOLS: &str = "universal contains calls and results only, not tools or a tool choice";
const ERRORS: &str = "universal contains calls and results only, not errors of a provider";

fn tools<T>(run: &mut Run, at: At) -> Result<T> {
    run.fail(ErrorCode::Unsupported, at, TOOLS)
}

pub fn read_tools(run: &mut Run, _tools: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    tools(run, at)
}

pub fn read_choice(run: &mut Run, _choice: Value, at: At, _request: &mut Request) -> Result<()> {
    tools(run, at)
}

pub fn read_config(run: &mut Run, reading: &mut Reading, _request: &mut Request) -> Result<()> {
    tools(run, reading.at())
}

pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    tools(run, request.at)
}

pub fn write_choice_alone(run: &mut Run, (_, at): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    tools(run, at)
}

pub fn write_config(run: &mut Run, _object: &mut Writing, request: &Request) -> Result<()> {
    tools(run, request.at)
}

/// Reads an error.
pub fn read(run: &mut Run, _body: Value) -> Result<ChatError> {
    run.fail(ErrorCode::Unsupported, At::ROOT, ERRORS)
}

/// Writes an error.
pub fn write(run: &mut Run, error: &ChatError) -> Result<()> {
    run.fail(ErrorCode::Unsupported, error.at, ERRORS)
}

pub fn decoder(_keeps: bool) -> Option<Box<dyn Decode>> {
    None
}

pub fn encoder() -> Option<Box<dyn Encode>> {
    None
}
