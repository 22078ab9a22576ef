//! `UniversalToolCall`: `{id, name, arguments, raw_context}`, and calls whose arguments are not a JSON object.

use crate::dialect::canonical::calls::{CallForm, is_invalid, put_calls};
use crate::dialect::shared::arguments;
use crate::model::Call;
use crate::run::{Run, Writing};
use crate::value::Word;

pub const FORM: CallForm = CallForm {
    calls: Word::tool_calls,
    invalid_calls: Word::invalid_tool_calls,
    raw_arguments: Word::raw_arguments,
    metadata: Word::raw_context,
    read_arguments: arguments::read,
};

/// Writes the two arrays; the second only if there are such calls.
pub fn write_calls<'a>(run: &mut Run, object: &mut Writing, calls: impl Iterator<Item = &'a Call>) {
    let (invalid, valid): (Vec<_>, Vec<_>) = calls.partition(|call| is_invalid(call));
    object.key(run, Word::tool_calls);
    put_calls(run, &valid, &FORM);
    if !invalid.is_empty() {
        object.key(run, Word::invalid_tool_calls);
        put_calls(run, &invalid, &FORM);
    }
}
