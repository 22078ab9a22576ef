//! Blocks, tools and events that only their provider knows.

use crate::model::Native;
use crate::run::{At, Provider, Run, WarningCode};
use crate::value::Value;

/// Whether the target understands a native block or tool: it has the same provider, and this format of the provider has it too.
pub fn is_accepted(run: &mut Run, native: &Native) -> bool {
    !native.metadata.is_of_other_format() && is_value_accepted(run, native.provider, native.value)
}

pub fn is_value_accepted(run: &mut Run, provider: Provider, value: Value) -> bool {
    let kind = run.type_of(value);
    run.route.leads_home(provider) && !run.route.lacks(kind)
}

/// Writes a native block whole. Metadata that were added to it have no place in it.
pub fn put(run: &mut Run, native: &Native) {
    run.store.put(native.value);
    run.warn_metadata(&native.metadata, native.at);
}

pub fn warn_tool(run: &mut Run, at: At) {
    run.warn(WarningCode::NativeDropped, at, "this tool is not converted: only its own provider gets it");
}

pub fn warn_block(run: &mut Run, at: At) {
    run.warn(WarningCode::NativeDropped, at, "this block is not converted: only its own provider gets it");
}

pub fn warn_event(run: &mut Run, at: At) {
    run.warn(WarningCode::NativeDropped, at, "this event is not converted: only its own provider gets it");
}
