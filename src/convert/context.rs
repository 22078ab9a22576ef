//! What converting a response requires from its request: renamed tools and ids, freeform tools (`contextOf`).

use super::names::Rewritten;
use super::namespaces::{Flattened, Name};
use super::requests::{self, Changes};
use super::tool_search;
use crate::dialect;
use crate::dialect::shared::{arguments, freeform};
use crate::fit::echo;
use crate::format::Asks;
use crate::model::{Arguments, Call, Message, ReasoningSettings, Request, Response, Setting, Settings, Tool};
use crate::run::{Context, Dialect, Key, Names, Options, Result, Run, Texts, WarningCode, error, fault_error};
use crate::value::text::Source;
use crate::value::{Keys, Store, Value, Word};

/// The context of a request body. The request need not be converted for it.
///
/// # Errors
/// Those of converting the request.
pub fn context_of(body: Vec<u8>, from: Dialect, to: Dialect, options: Options) -> error::Result<Context> {
    let (mut store, root) = Store::of_text(Source::Bytes(body), options.max_depth())
        .map_err(|fault| fault_error(fault, String::new(), from.provider().map(|_| from)))?;
    let mut run = Run::new(&mut store, from, to, &options);
    read(&mut run, root)
}

/// The context of the request `input`.
pub fn read(run: &mut Run, input: Value) -> error::Result<Context> {
    let context = changes(run, input);
    run.report.outcome(context)
}

fn changes(run: &mut Run, input: Value) -> Result<Context> {
    let mut request = (dialect::source(run).read_request)(run, input)?;
    let asked = Asked::of(run, &request, input);
    let changes = requests::rename(run, &mut request)?;
    Ok(asked.context(run, &request, changes))
}

/// What the context contains of the request as the client sent it.
pub struct Asked {
    reasoning: bool,
    freeform: Vec<String>,
    /// The ids of calls.
    known: Keys,
    /// What the response repeats.
    echo: Option<String>,
}

impl Asked {
    /// `input` is the request as it came.
    pub fn of(run: &mut Run, request: &Request, input: Value) -> Asked {
        note_signer(run, request);
        let [client, server] = [run.route.from, run.route.to].map(dialect::required_by);
        let echo = if run.route.stays() { None } else { echo::of_request(run, input, client, server.lacks_model) };
        Asked {
            echo,
            reasoning: asks_for_reasoning(run, &request.settings),
            freeform: freeform_tools(run, request),
            known: call_ids(run, request),
        }
    }

    /// The context, from the request after the steps that rename.
    pub fn context(self, run: &Run, request: &Request, changes: Changes) -> Context {
        let Asked { reasoning, mut freeform, known, echo } = self;
        let Changes { names, ids, flattened } = changes;
        let mut names = reversed(&names);
        let mut namespaces = bare_names(run, request, &names, &flattened, &mut freeform);
        let searches = flattened.searches;
        for Name { namespace, name, wire } in flattened.names {
            names.push((wire.clone(), name));
            namespaces.push((wire, namespace));
        }
        freeform.extend(flattened.freeform);
        Context {
            names: Texts::of(names),
            // the client knows an id that carried a signature only with it
            ids: Texts::of(reversed(&ids).into_iter().filter(|(_, id)| known.has(id.as_bytes())).collect()),
            namespaces: Texts::of(namespaces),
            freeform: Names::of(freeform),
            searches,
            usage: request.settings.expects_usage,
            reasoning,
            signer: run.route.signer.filter(|_| run.route.to.format().hosts_models),
            echo,
            time: None,
        }
    }
}

/// Records whose signatures the target's model has, which the options may name.
fn note_signer(run: &mut Run, request: &Request) {
    let named = run.options.model.clone().map(|model| run.store.string(&model));
    let model = named.or_else(|| request.settings.get(Setting::Model).map(|(model, _)| model));
    run.note_signer(model);
}

/// The functions that models may call without their namespace, with it: no other function or tool has the name.
fn bare_names(
    run: &Run,
    request: &Request,
    renamed: &[(String, String)],
    flattened: &Flattened,
    freeform: &mut Vec<String>,
) -> Vec<(String, String)> {
    let (mut taken, mut known, mut are_freeform) = (Keys::default(), Keys::default(), Keys::default());
    for tool in request.tools.iter().flatten() {
        if let Tool::Definition(definition) = tool {
            taken.add(run.store.text(definition.name).as_bytes());
        }
    }
    for (_, original) in renamed {
        taken.add(original.as_bytes());
    }
    for Name { name, .. } in &flattened.names {
        if !known.add(name.as_bytes()) {
            taken.add(name.as_bytes());
        }
    }
    for wire in &flattened.freeform {
        are_freeform.add(wire.as_bytes());
    }
    let mut bare = Vec::new();
    for Name { namespace, name, wire } in flattened.names.iter().filter(|name| !taken.has(name.name.as_bytes())) {
        if are_freeform.has(wire.as_bytes()) {
            freeform.push(name.clone());
        }
        bare.push((name.clone(), namespace.clone()));
    }
    bare
}

/// Whether the client asks for the reasoning.
fn asks_for_reasoning(run: &Run, settings: &Settings) -> bool {
    let Some(ReasoningSettings { include, budget, effort: _ }) = &settings.reasoning else { return false };
    match (include, run.route.from.format().asks) {
        (Some((include, _)), _) => *include,
        (None, Asks::ByThinking) => budget.is_some_and(|(budget, _)| run.store.number(budget) != 0.0),
        (None, Asks::Explicitly | Asks::Never) => false,
    }
}

fn reversed(changes: &Rewritten) -> Vec<(String, String)> {
    changes.iter().map(|(original, wire)| (wire.clone(), String::from_utf8_lossy(original).into_owned())).collect()
}

/// The ids of calls, as the client knows them.
fn call_ids(run: &Run, request: &Request) -> Keys {
    let mut ids = Keys::default();
    for message in &request.messages {
        if let Message::Assistant(assistant) = message {
            assistant.calls().for_each(|call| {
                ids.add(run.store.text(call.id).as_bytes());
            });
        }
    }
    ids
}

/// The names of freeform tools, as the client knows them.
fn freeform_tools(run: &mut Run, request: &Request) -> Vec<String> {
    let mut names = Vec::new();
    for tool in request.tools.iter().flatten() {
        match tool {
            Tool::Definition(definition) if definition.is_freeform(run) => {
                names.push(run.store.owned_text(definition.name));
            }
            Tool::Definition(_) | Tool::Native(_) => {}
        }
    }
    names
}

/// Restores the names, ids and forms of a response's calls as the client knows them.
pub fn restore(run: &mut Run, response: &mut Response) {
    response.message.calls_mut().for_each(|call| restore_call(run, call));
}

pub fn restore_call(run: &mut Run, call: &mut Call) {
    let known = restore_identity(run, call);
    let is_freeform = known.is_freeform && restore_input(run, call);
    mark(run, call, &known, is_freeform);
}

/// As [`restore_call`], for a call whose arguments are not complete yet: the writer of a freeform tool waits for them.
pub fn restore_begun(run: &mut Run, call: &mut Call) {
    let known = restore_identity(run, call);
    let waits = run.route.to.format().layout.is_some() && !run.route.stays();
    let is_freeform = known.is_freeform
        && (waits || holds_only_input(run, call))
        && call.metadata.family_field(Word::custom).is_none();
    mark(run, call, &known, is_freeform);
}

/// What the request states about a call's tool.
#[derive(Default)]
struct ToolFacts {
    namespace: Option<Value>,
    is_freeform: bool,
    /// Whether it is the client's tool search.
    searches: bool,
}

fn restore_identity(run: &mut Run, call: &mut Call) -> ToolFacts {
    let Some(context) = &run.options.context else { return ToolFacts::default() };
    let sent = run.store.owned_text(call.name);
    if let Some(name) = context.names.get(&sent) {
        call.name = run.store.string(name);
    }
    if let Some(id) = context.ids.get(run.store.text(call.id).as_ref()) {
        call.id = run.store.string(id);
    }
    let namespace = context.namespaces.get(&sent);
    let is_freeform = match namespace {
        Some(_) => context.freeform.has(&sent),
        None => context.freeform.has(run.store.text(call.name).as_ref()),
    };
    let searches = context.searches && sent == tool_search::NAME;
    ToolFacts { namespace: namespace.map(|namespace| run.store.string(namespace)), is_freeform, searches }
}

/// Makes the arguments of a call of a freeform tool its text, in whatever way the model gave it. Within a format, only the usual way counts.
fn restore_input(run: &mut Run, call: &mut Call) -> bool {
    if holds_only_input(run, call) {
        return true;
    }
    let format = run.route.to.format();
    let takes_text = format.layout.is_some() || !run.route.is_to_provider();
    if run.route.stays() || !takes_text || freeform::mark(&call.metadata).is_some() {
        return false;
    }
    let text = match freeform::meant(run, call) {
        Some(text) => text,
        // the client has no other way to be called: its tool states what is wrong
        None if run.route.is_to_provider() => {
            run.warn(
                WarningCode::ArgumentsWrapped,
                call.at,
                "the tool takes one text: its call got the arguments as JSON",
            );
            let Ok(text) = arguments::text(run, call) else { return false };
            text
        }
        None => return false,
    };
    call.arguments = freeform::arguments(run, text);
    true
}

fn holds_only_input(run: &mut Run, call: &Call) -> bool {
    match call.arguments {
        Arguments::Object { value, .. } => freeform::text_of(run, value).is_some(),
        Arguments::Invalid { .. } => false,
    }
}

/// Marks namespaces and freeform calls, for OpenAI's formats, which alone have them, and for formats that keep OpenAI's state.
fn mark(run: &mut Run, call: &mut Call, known: &ToolFacts, is_freeform: bool) {
    if known.searches && run.route.to.format().limits.namespaces && !run.route.stays() {
        let mark = run.store.boolean_value(true);
        call.metadata.add(Key::Word(Word::tool_search), mark);
    }
    if known.namespace.is_none() && !is_freeform {
        return;
    }
    let custom = run.store.boolean_value(true);
    let format = run.route.to.format();
    if format.layout.is_some() {
        if is_freeform {
            call.metadata.add(Key::Word(Word::custom), custom);
        }
        if let Some(namespace) = known.namespace.filter(|_| format.limits.namespaces) {
            call.metadata.add(Key::Word(Word::namespace), namespace);
        }
    } else if !run.route.is_to_provider() {
        let value = run.build_object(|run, object| {
            if let Some(namespace) = known.namespace {
                object.key(run, Word::item);
                let mut item = run.begin();
                item.put(run, Word::namespace, namespace);
                item.close(run);
            }
            object.option(run, Word::custom, is_freeform.then_some(custom));
        });
        call.metadata.add_other(Key::Word(Word::openai), value);
    }
}
