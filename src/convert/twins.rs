//! Tools that are declared several times: by a request and by items of its conversation, or twice the same.

use super::{grammars, names};
use crate::model::{Definition, Request, Tool};
use crate::run::{Run, WarningCode};
use crate::value::{Keyed, Value, Word};

/// Keeps one of several definitions with the same name. Of different ones in different lists, the last one counts; those in one list are left, as it is not clear
/// which is meant. Where names need not be unique, those in one list are left, even if they are equal.
pub fn merge(run: &mut Run, request: &mut Request) {
    let Some(tools) = request.tools.as_mut().filter(|tools| tools.len() > 1) else { return };
    let mut known: Keyed<usize> = Keyed::default();
    let mut kept: Vec<Tool> = Vec::with_capacity(tools.len());
    for tool in std::mem::take(tools) {
        let Tool::Definition(definition) = tool else {
            kept.push(tool);
            continue;
        };
        let place = known.get(run.store.text(definition.name).as_bytes()).copied();
        let Some(Tool::Definition(first)) = place.and_then(|place| kept.get_mut(place)) else {
            known.insert(run.store.text(definition.name).as_bytes(), kept.len());
            kept.push(Tool::Definition(definition));
            continue;
        };
        let are_together = run.paths.parent(first.at) == run.paths.parent(definition.at);
        let is_left = are_together && !run.route.to.format().limits.names_are_unique;
        if !is_left && is_same(run, first, &definition) {
            report_rest(run, definition);
            continue;
        }
        if are_together {
            kept.push(Tool::Definition(definition));
            continue;
        }
        let at = names::place(run, first.at);
        run.warn(WarningCode::ToolReplaced, at, "the tool is declared again later: that definition is sent");
        report_rest(run, std::mem::replace(first, definition));
    }
    *tools = kept;
}

/// Reports further fields of a definition that is not sent.
fn report_rest(run: &mut Run, mut definition: Definition) {
    grammars::forget(run, &mut definition);
    run.warn_metadata(&definition.metadata, definition.at);
}

/// Whether both are sent in the same way.
fn is_same(run: &mut Run, left: &Definition, right: &Definition) -> bool {
    let schema = |definition: &Definition| definition.parameters.map(|(schema, _)| schema);
    let examples = |definition: &Definition| definition.examples.map(|(examples, _)| examples);
    let strict = |definition: &Definition| definition.strict.is_some_and(|(strict, _)| strict);
    let marks = (run.openai_field(&left.metadata, Word::custom), run.openai_field(&right.metadata, Word::custom));
    let pairs = [
        (left.description, right.description),
        (schema(left), schema(right)),
        (examples(left), examples(right)),
        marks,
    ];
    strict(left) == strict(right) && pairs.into_iter().all(|pair| are_same(run, pair))
}

fn are_same(run: &mut Run, pair: (Option<Value>, Option<Value>)) -> bool {
    match pair {
        (Some(left), Some(right)) => run.store.same(left, right),
        (left, right) => left.is_none() && right.is_none(),
    }
}
