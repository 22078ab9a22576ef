//! The canonical format accepts everything.

use crate::fit::tools::ToolFields;
use crate::model::{Block, Request, Response};
use crate::run::{Result, Run};

pub const HOST: Option<fn(&mut Run, &mut Request)> = None;
pub const MODEL: Option<fn(&mut Run, &mut Request, ToolFields)> = None;

pub fn request(_run: &mut Run, _request: &mut Request) -> Result<()> {
    Ok(())
}

pub fn messages(_run: &mut Run, _request: &mut Request) -> Result<()> {
    Ok(())
}

pub fn response(_run: &mut Run, _response: &mut Response) -> Result<()> {
    Ok(())
}

pub fn block(_run: &mut Run, block: Block) -> Result<Option<Block>> {
    Ok(Some(block))
}

pub fn tools(_run: &mut Run, _request: &mut Request, _part: ToolFields) {}
