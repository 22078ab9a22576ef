//! The report format has no errors.

use crate::model::ChatError;
use crate::run::{At, ErrorCode, Result, Run};
use crate::value::Value;

const UNSUPPORTED: &str = "universal contains calls and results only, not errors of a provider";

pub fn read(run: &mut Run, _body: Value) -> Result<ChatError> {
    run.fail(ErrorCode::Unsupported, At::ROOT, UNSUPPORTED)
}

pub fn write(run: &mut Run, error: &ChatError) -> Result<()> {
    run.fail(ErrorCode::Unsupported, error.at, UNSUPPORTED)
}
