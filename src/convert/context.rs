//! What an answer must know of its request: renamed tools and ids, freeform tools (`contextOf`).

use super::{convert_request_model, names::Rewritten};
use crate::dialect;
use crate::model::{Arguments, Call, Request, Response, Tool};
use crate::run::{Context, Dialect, Key, Options, Provider, Result, Run, fault_error};
use crate::value::text::TextStore;
use crate::value::{Kind, Value, Word};
use std::collections::BTreeMap;

/// The context of a request body, which need not be converted for it.
///
/// # Errors
/// As converting the request would fail.
pub fn context_of(body: Vec<u8>, from: Dialect, to: Dialect, options: Options) -> Result<Context> {
    let (mut store, root) = TextStore::new(body, options.max_depth())
        .map_err(|fault| fault_error(fault, String::new(), from.provider().map(|_| from)))?;
    let mut run = Run::new(&mut store, from, to, &options);
    read(&mut run, root)
}

/// The context of a request that is read from `input`.
pub fn read(run: &mut Run, input: Value) -> Result<Context> {
    let mut request = dialect::read_request(run, input)?;
    let freeform = freeform_tools(run, &request);
    let changes = convert_request_model(run, &mut request)?;
    Ok(Context { names: reversed(changes.names), ids: reversed(changes.ids), freeform })
}

fn reversed(changes: Rewritten) -> BTreeMap<String, String> {
    changes.into_iter().map(|(original, wire)| (wire, original)).collect()
}

/// The names of freeform tools, under the names that the client gave them.
fn freeform_tools(run: &mut Run, request: &Request) -> Vec<String> {
    let mut names = Vec::new();
    for tool in request.tools.iter().flatten() {
        match tool {
            Tool::Definition(definition) if definition.is_freeform(run) => {
                names.push(run.store.text(definition.name).into_owned());
            }
            Tool::Definition(_) | Tool::Native(_) => {}
        }
    }
    names
}

/// Gives an answer's calls the names, ids and forms that the client knows.
pub fn restore(run: &mut Run, response: &mut Response) {
    response.message.calls_mut().for_each(|call| restore_call(run, call));
}

pub fn restore_call(run: &mut Run, call: &mut Call) {
    let Some(context) = &run.options.context else { return };
    if let Some(name) = context.names.get(run.store.text(call.name).as_ref()) {
        call.name = run.store.string(name);
    }
    if let Some(id) = context.ids.get(run.store.text(call.id).as_ref()) {
        call.id = run.store.string(id);
    }
    if context.freeform.iter().any(|name| *name == run.store.text(call.name)) && holds_only_input(run, call) {
        mark_freeform(run, call);
    }
}

/// Marks a call whose arguments are still to come: a freeform tool's writer waits for them.
pub fn mark_if_freeform(run: &mut Run, call: &mut Call) {
    let name = run.store.text(call.name).into_owned();
    let is_freeform = run.options.context.as_ref().is_some_and(|context| context.freeform.contains(&name));
    if is_freeform && run.to.provider() == Some(Provider::OpenAI) && call.metadata.family_field(Word::custom).is_none()
    {
        mark_freeform(run, call);
    }
}

fn holds_only_input(run: &mut Run, call: &Call) -> bool {
    let Arguments::Object { value, .. } = &call.arguments else { return false };
    let fields = run.members(*value);
    matches!(fields.as_slice(), [only] if only.word == Word::input && run.store.kind(only.value) == Kind::String)
}

/// Only OpenAI knows freeform calls: theirs is the mark.
fn mark_freeform(run: &mut Run, call: &mut Call) {
    let mark = run.boolean_value(true);
    if run.to.provider() == Some(Provider::OpenAI) {
        call.metadata.add(Key::Word(Word::custom), mark);
    } else if run.to.provider().is_none() {
        let value = run.build(|run| {
            let mut object = run.begin();
            object.put(run, Word::custom, mark);
            object.close(run);
        });
        call.metadata.add_other(Key::Word(Word::openai), value);
    }
}
