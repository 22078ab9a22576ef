//! The format has no definitions or choices: on their own they can't be converted, and in a request they are left out.

use crate::model::{Metadata, Request, Settings, Tool, ToolChoice};
use crate::run::{At, ErrorCode, Reading, Result, Run, Writing};
use crate::value::Value;

fn unsupported<T>(run: &Run, at: At) -> Result<T> {
    run.fail(ErrorCode::Unsupported, at, "universal contains calls and results only, not tools or a tool choice")
}

pub fn read_tools(run: &mut Run, _tools: Value, at: At, _metadata: &mut Metadata) -> Result<Vec<Tool>> {
    unsupported(run, at)
}

pub fn read_choice(run: &mut Run, _choice: Value, at: At, _request: &mut Request) -> Result<()> {
    unsupported(run, at)
}

pub fn read_config(run: &mut Run, reading: &mut Reading, _request: &mut Request) -> Result<()> {
    unsupported(run, reading.at())
}

pub fn write_tools(run: &mut Run, request: &Request) -> Result<()> {
    unsupported(run, request.at)
}

pub fn write_choice_alone(run: &mut Run, (_, at): (&ToolChoice, At), _settings: &Settings) -> Result<()> {
    unsupported(run, at)
}

pub fn write_config(run: &mut Run, _object: &mut Writing, request: &Request) -> Result<()> {
    unsupported(run, request.at)
}
