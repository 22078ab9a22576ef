//! The steps of converting a request, or a piece of one.

use super::names::{self, Rewritten};
use super::namespaces::{self, Flattened};
use super::{
    Subject, choice, compaction, context, error_media, examples, grammars, leave, lists, new_ids, open_words, opened,
    pairing, schemas, signatures, stored, tool_search, turns, twins, updates,
};
use crate::dialect::{self, source, target};
use crate::fit::tools::ToolFields;
use crate::fit::{marks, models, servers};
use crate::model::{Metadata, Request, Setting, ToolChoice};
use crate::run::{At, Context, Dialect, ErrorCode, Result, Run};
use crate::value::{Value, Word};

/// Converts a request, or a piece of one.
pub fn convert(run: &mut Run, subject: Subject, input: Value) -> Result<()> {
    let mut request = read(run, subject, input)?;
    complete(run, subject, &mut request, |_, _, _| ())?;
    write(run, subject, &request)
}

/// What a gateway needs of a request beside its body. All but the context is about the converted request.
pub struct Prepared {
    pub context: Context,
    /// The path and query below the provider's base URL.
    pub path: String,
    pub model: Option<String>,
    pub streams: bool,
    pub has_tools: bool,
    pub asks_for_reasoning: bool,
}

/// Converts a request, and returns what is needed beside its body.
pub fn prepare(run: &mut Run, input: Value) -> Result<Prepared> {
    let mut request = read(run, Subject::Request, input)?;
    let asked = context::Asked::of(run, &request, input);
    let context =
        complete(run, Subject::Request, &mut request, |run, request, changes| asked.context(run, request, changes))?;
    let model = request.settings.get(Setting::Model).map(|(model, _)| model);
    let stream = request.settings.get(Setting::Stream).map(|(stream, _)| stream);
    let streams = run.options.stream.unwrap_or_else(|| stream.is_some_and(|stream| run.store.boolean(stream)));
    let prepared = Prepared {
        context,
        path: dialect::path_of(run, model, streams)?,
        model: model.map(|model| run.store.owned_text(model)),
        streams,
        has_tools: request.tools.as_ref().is_some_and(|tools| !tools.is_empty()),
        asks_for_reasoning: request.settings.reasoning.is_some(),
    };
    write(run, Subject::Request, &request)?;
    Ok(prepared)
}

/// Makes a request that was read what the target accepts. `renamed` is called between the steps that rename and those that fit.
fn complete<T>(
    run: &mut Run,
    subject: Subject,
    request: &mut Request,
    renamed: impl FnOnce(&mut Run, &Request, Changes) -> T,
) -> Result<T> {
    let had_messages = !request.messages.is_empty();
    apply_options(run, request);
    let changes = rename(run, request)?;
    let found = renamed(run, request, changes);
    if subject == Subject::Request && run.route.is_to_provider() {
        stored::check(run, request)?;
    }
    if run.route.stays() {
        if run.route.has_target_facts() {
            models::look_up(run, &mut request.settings);
            servers::fit(run, request);
        }
        if had_messages {
            require_messages(run, subject, request)?;
        }
        if let Some(fit) = target(run).fit_host {
            fit(run, request);
        }
    } else {
        fit(run, subject, request, had_messages)?;
    }
    marks::keep(run, request);
    servers::complete(run, request);
    Ok(found)
}

/// What was renamed for the target, by the original names.
#[derive(Default)]
pub struct Changes {
    pub names: Rewritten,
    pub ids: Rewritten,
    pub flattened: Flattened,
}

/// The steps between reading and fitting a request, which rename what the context of the response must restore.
pub fn rename(run: &mut Run, request: &mut Request) -> Result<Changes> {
    if run.route.stays() { keep(run, request).map(|()| Changes::default()) } else { adopt(run, request) }
}

fn read(run: &mut Run, subject: Subject, input: Value) -> Result<Request> {
    let mut request = Request::new(At::ROOT);
    match subject {
        Subject::Tools => {
            request.tools = Some((source(run).read_tools)(run, input, At::ROOT, &mut Metadata::default())?)
        }
        Subject::ToolChoice => (source(run).read_choice)(run, input, At::ROOT, &mut request)?,
        Subject::ToolConfig => request = dialect::read_tool_config(run, input)?,
        Subject::Messages if run.route.from == Dialect::Canonical => {
            request.messages = dialect::canonical::messages::read_messages(run, input, At::ROOT)?;
        }
        Subject::Request
        | Subject::Messages
        | Subject::Response
        | Subject::Error
        | Subject::Schema
        | Subject::Path
        | Subject::ToolCalls => request = (source(run).read_request)(run, input)?,
    }
    Ok(request)
}

/// Applies options that override the request.
fn apply_options(run: &mut Run, request: &mut Request) {
    if let Some(model) = run.options.model.clone() {
        let model = run.store.string(&model);
        request.settings.set(Setting::Model, model, request.at);
    }
    if let Some(stream) = run.options.stream {
        let stream = run.store.boolean_value(stream);
        request.settings.set(Setting::Stream, stream, request.at);
    }
}

/// Completes a request that stays in its format. Its turns are only arranged if an option asks for it.
fn keep(run: &mut Run, request: &mut Request) -> Result<()> {
    pairing::complete(run, request);
    signatures::lift(run, request);
    opened::open(run, request);
    if run.route.is_to_provider() {
        let limits = &run.route.to.format().limits;
        turns::arrange_as_asked(run, request, limits)?;
        new_ids::assign_ids(run, request);
    }
    Ok(())
}

/// Completes a request of another format, and makes it what the target requires of all requests.
fn adopt(run: &mut Run, request: &mut Request) -> Result<Changes> {
    turns::join_chunks(run, &mut request.messages);
    signatures::lift(run, request);
    signatures::recover(run, request);
    error_media::gather(run, &mut request.messages);
    pairing::complete(run, request);
    if !run.route.is_to_provider() {
        opened::open(run, request);
        return Ok(Changes::default());
    }
    let limits = &run.route.to.format().limits;
    choice::reduce(run, request)?;
    tool_search::name_references(run, &mut request.messages);
    compaction::write_as_text(run, &mut request.messages);
    let flattened = namespaces::flatten(run, request)?;
    twins::merge(run, request);
    open_words::adopt(run, request);
    lists::leave(run, &mut request.messages);
    leave(run, request);
    updates::apply(run, request);
    opened::open(run, request);
    opened::keep_scope(run, request);
    turns::arrange(run, request, limits)?;
    let ids = new_ids::assign_ids(run, request);
    let names = names::fit(run, request, limits)?;
    Ok(Changes { names, ids, flattened })
}

/// The fit stage: makes a request of another format, or a piece of one, what the target accepts.
fn fit(run: &mut Run, subject: Subject, request: &mut Request, had_messages: bool) -> Result<()> {
    models::look_up(run, &mut request.settings);
    servers::fit(run, request);
    if !run.route.stays_with_provider() {
        models::fit(run, request);
    }
    if run.route.is_to_provider() {
        // a stored prompt or the previous response may replace the messages
        if had_messages || request.metadata.form(Word::input).is_none() {
            require_messages(run, subject, request)?;
        }
        if matches!(subject, Subject::Request | Subject::ToolConfig) {
            choice::keep_known_names(run, request);
        }
        if subject != Subject::Messages {
            schemas::fit(run, request)?;
            examples::fit(run, request)?;
            grammars::fit(run, request);
        }
    }
    let part = match subject {
        Subject::Tools => ToolFields::Tools,
        Subject::ToolChoice => ToolFields::Choice,
        _ => ToolFields::Both,
    };
    // a provider's own client knows what its models accept
    if let Some(fit) = target(run).fit_to_model
        && !run.route.stays_with_provider()
    {
        fit(run, request, part);
    }
    match subject {
        Subject::Tools | Subject::ToolChoice | Subject::ToolConfig => (target(run).fit_tools)(run, request, part),
        Subject::Messages => (target(run).fit_messages)(run, request)?,
        Subject::Request
        | Subject::Response
        | Subject::Error
        | Subject::Schema
        | Subject::Path
        | Subject::ToolCalls => (target(run).fit_request)(run, request)?,
    }
    Ok(())
}

/// Fails if the request has no messages, as all providers reject that. They may have been dropped because of the options.
fn require_messages(run: &mut Run, subject: Subject, request: &Request) -> Result<()> {
    if subject != Subject::Request || !request.messages.is_empty() {
        return Ok(());
    }
    let at = run.down(request.at, run.route.from.format().messages);
    run.fail(ErrorCode::InvalidValue, at, "expected at least one message")
}

fn write(run: &mut Run, subject: Subject, request: &Request) -> Result<()> {
    match subject {
        Subject::Tools => (target(run).write_tools)(run, request),
        Subject::ToolChoice => {
            let (choice, at) =
                request.choice.as_ref().map_or((&ToolChoice::Auto, request.at), |(choice, at)| (choice, *at));
            (target(run).write_choice)(run, (choice, at), &request.settings)
        }
        Subject::ToolConfig => dialect::write_tool_config(run, request),
        Subject::Messages => (target(run).write_messages)(run, request),
        Subject::Request
        | Subject::Response
        | Subject::Error
        | Subject::Schema
        | Subject::Path
        | Subject::ToolCalls => (target(run).write_request)(run, request),
    }
}
